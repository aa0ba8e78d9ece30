"""policy/output-bound.toml: the bounds, what of each tool's answer counts, and how to ask for less."""

import marshal
from typing import Any

from guards.compile.fields import Table, flag, number, rows, text, texts

HARNESSES = ("", "claude", "codex", "gemini", "cursor", "copilot")


def _match(value: str) -> str:
    return "takes one * at most" if value.count("*") > 1 else ""


def _tool(value: dict[str, Any], where: str) -> list[str]:
    if value["quiet"] and (value["count"] or value["trim"]):
        return ["quiet: a quiet tool shows nothing, so there is nothing to count or to trim"]
    return []


def _less(value: dict[str, Any], where: str) -> list[str]:
    return [] if value["programs"] or value["tools"] else ["programs: needs programs or tools"]


def _wrapper(value: dict[str, Any], where: str) -> list[str]:
    return [] if value["names"] else ["names: needs at least one name"]


TOOL = Table(
    {
        "harness": text(HARNESSES, doc="the harness whose tool this is; empty for any"),
        "match": text(required=True, check=_match, doc="tool name; one * stands for any rest"),
        "count": texts(doc="the fields that are shown, dotted; without it all text but `skip`"),
        "skip": texts(doc="names of fields that are never shown"),
        "quiet": flag(doc="the model gets nothing but a line that confirms the call"),
        "lines": text(doc="the field of the file whose lines get numbers"),
        "kept": text(doc="the field that says the whole was kept to a file"),
        "whole": number(
            minimum=0, default=0, doc="characters above which the harness keeps the whole to a file; 0: never"
        ),
        "picture": text(doc="the field that says the answer is a picture"),
        "max": number(minimum=0, default=0, doc="a bound of its own; 0: tool_max"),
        "trim": texts(doc="fields that trim mode may cut; * for an answer that is text or text blocks"),
    },
    check=_tool,
)
LESS = Table(
    {
        "programs": texts(doc='programs this is said for, with an operand ("git log") or without; * for any other'),
        "tools": texts(doc="tools this is said for; * for any other"),
        "say": text(required=True, doc="one practical way to ask for less"),
    },
    check=_less,
)
WRAPPER = Table(
    {
        "names": texts(required=True, doc="programs whose operands are a command"),
        "through": texts(doc="one of these must follow, or the operands are no command"),
        "values": texts(doc="options that take a value"),
        "operands": number(minimum=0, maximum=9, default=0, doc="words that stand before the command"),
    },
    check=_wrapper,
)
POLICY = Table(
    {
        "bash_max": number(minimum=1, default=4000, doc="characters of shell output"),
        "tool_max": number(minimum=1, default=20000, doc="characters of any other tool's output"),
        "mode": text(("note", "trim"), default="note", doc="trim: cut what the model is shown, where that works"),
        "pictures": texts(doc="types of blocks that are billed otherwise"),
        "tool": rows(TOOL),
        "less": rows(LESS),
        "passing": texts(doc="programs that only set the stage for the next one"),
        "shells": texts(doc="programs whose -c holds a command"),
        "wrapper": rows(WRAPPER),
    },
    repository=False,
)


def table(policy: dict[str, Any], ctx: Any) -> dict[str, Any]:
    exact: dict[str, dict[str, Any]] = {name: {} for name in HARNESSES}
    wild: list[tuple[str, str, str, dict[str, Any]]] = []
    for row in policy["tool"]:
        made = _row(row)
        before, star, after = row["match"].partition("*")
        if star:
            wild.append((row["harness"], before, after, made))
        else:
            exact[row["harness"]][before] = made
    # the longest fixed part wins, and a harness's own row before one for any
    wild.sort(key=lambda entry: (-len(entry[1] + entry[2]), entry[0] == ""))
    return {
        "bash": (policy["bash_max"], f"{ctx.source('bash_max')}: bash_max"),
        "tool": (policy["tool_max"], f"{ctx.source('tool_max')}: tool_max"),
        "trim": policy["mode"] == "trim",
        "pictures": frozenset(policy["pictures"]),
        "exact": exact,
        "wild": tuple(wild),
        # apart: a silent call never needs it
        "talk": marshal.dumps(
            {**{kind: _says(policy["less"], kind) for kind in ("programs", "tools")}, "names": names(policy)}
        ),
    }


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "count": tuple(_path(field) for field in row["count"]),
        "skip": frozenset(row["skip"]),
        "quiet": row["quiet"],
        "lines": _path(row["lines"]),
        "kept": _path(row["kept"]),
        "whole": row["whole"],
        "picture": _path(row["picture"]),
        "bound": (row["max"], f"{row['_source']}: tool {row['id']!r}, max") if row["max"] else None,
        "trim": tuple(() if field == "*" else _path(field) for field in row["trim"]),
    }


def _path(field: str) -> tuple[str, ...]:
    return tuple(field.split(".")) if field else ()


def _says(less: list[dict[str, Any]], kind: str) -> dict[str, str]:
    return {name: row["say"] for row in less for name in row[kind]}


def names(policy: dict[str, Any]) -> dict[str, Any]:
    """What guards/shell/program.py asks for."""
    wrappers: dict[str, Any] = {}
    for row in policy["wrapper"]:
        for name in row["names"]:
            wrappers.setdefault(name, (tuple(row["through"]), tuple(row["values"]), row["operands"]))
    return {"passing": frozenset(policy["passing"]), "shells": frozenset(policy["shells"]), "wrappers": wrappers}
