"""policy/human-only.toml: commands that only a human runs."""

from typing import Any

from guards.compile.fields import Table, rows, text, texts

ACTIONS = ("watch", "ask", "deny")
PLACES = ("checkout", "install", "home", "state")


def _place(value: str) -> str:
    name = value[1:].partition("}")[0] if value.startswith("{") else None
    if name is None:
        return "" if value.startswith("/") else "begins with a slash or with a place, such as {checkout}"
    return "" if name in PLACES else f"there is no place {{{name}}}; known: {', '.join(PLACES)}"


def _command(row: dict[str, Any], where: str) -> list[str]:
    if not any(row[key] for key in ("programs", "options", "sets", "settings", "files")):
        return ["programs: a row that names nothing would apply to every command"]
    if row["settings"] and row["programs"] != ["git"]:
        return ["settings: only git's are looked at"]
    return []


COMMAND = Table(
    {
        "programs": texts(doc="the command's name; none: any command"),
        "verbs": texts(doc="its first operands, one of these"),
        "options": texts(doc='one of these options; "-c *x*": with a value like this'),
        "sets": texts(doc="one of these variables is given to it another value than the shell has"),
        "settings": texts(doc="one of these git settings is set"),
        "files": texts(check=_place, doc="one of these files is run"),
        "within": text(check=lambda value: _place(value) if value else "", doc="the folder it must run in"),
        "unless": texts(doc="with one of these options it changes nothing"),
        "why": text(required=True, doc="what the refusal says"),
        "action": text(ACTIONS, default="deny", tighter="higher"),
    },
    check=_command,
)
POLICY = Table({"command": rows(COMMAND)}, repository=False)


def table(policy: dict[str, Any], ctx: Any) -> dict[str, Any]:
    """Rows by the programs they name; those that name none are asked about every command."""
    by: dict[str, list[dict[str, Any]]] = {}
    general: list[dict[str, Any]] = []
    for row in policy["command"]:
        made = _row(row, ctx.places)
        if not row["programs"]:
            general.append(made)
        for program in row["programs"]:
            by.setdefault(program, []).append(made)
    return {"by": by, "any": general}


def _row(row: dict[str, Any], places: dict[str, str]) -> dict[str, Any]:
    return {
        "verbs": frozenset(row["verbs"]),
        "options": tuple(_option(option) for option in row["options"]),
        "sets": tuple(row["sets"]),
        "settings": frozenset(key.lower() for key in row["settings"]),
        "files": tuple(found for found in (filled(file, places) for file in row["files"]) if found),
        "within": filled(row["within"], places) if row["within"] else "",
        "unless": frozenset(row["unless"]),
        "why": row["why"],
        "action": row["action"],
        "rule": f"{row['_source']}: command {row['id']!r}",
    }


def _option(option: str) -> tuple[str, str]:
    name, _, value = option.partition(" ")
    return name, value


def filled(path: str, places: dict[str, str]) -> str:
    """The path with its place put in; "" where this machine has no such place."""
    if not path.startswith("{"):
        return path
    name, _, rest = path[1:].partition("}")
    return places[name] + rest if places.get(name) else ""
