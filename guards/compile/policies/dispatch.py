"""policy/dispatch.toml: which guard is asked at which event, for which tools, in which order."""

from typing import TYPE_CHECKING, Any

from guards.compile.fields import Table, flag, number, rows, text, texts
from guards.compile.policies.harness import HARNESSES, KINDS
from guards.engine.event import MODES

if TYPE_CHECKING:
    from guards.compile.context import Context

Dispatch = dict[str, Any]
# seconds that all commands of one event may take together: the hook must still answer before its own clock runs out
TOGETHER = 20


def _module(name: str) -> str:
    parts = name.split(".")
    good = len(parts) > 1 and parts[0] == "guards" and all(part.isidentifier() for part in parts)
    return "" if good else f'{name!r} is no module of the suite, as in "guards.human_lane"'


def _match(name: str) -> str:
    return f"{name!r}: a star stands only at the end" if "*" in name[:-1] else ""


def _locked(row: dict[str, Any], layer: str) -> str:
    """The rows that carry the sealed paths are nobody's to change; their guards are tuned in their own policy."""
    return "the one that judges the sealed paths" if row.get("id") in ("human-lane", "shell-lane") else ""


GUARD = Table(
    {
        "id": text(required=True, doc="the guard's name, as in its policy file's name"),
        "module": text(required=True, check=_module, doc="where its judge lives"),
        "events": texts(choices=tuple(MODES), required=True, doc="the events it is asked at"),
        "tools": texts(choices=(*KINDS, "*"), default=["*"], doc="classes of tools; * is any, and no tool at all"),
        "match": texts(check=_match, doc="tool names besides, exact or a prefix ending in *"),
        "off": flag(doc="true: this guard is not asked"),
    },
    locked=_locked,
)


def _run(word: str) -> str:
    return "ends or begins with a space" if word != word.strip() else ""


def _command(row: dict[str, Any], where: str) -> list[str]:
    if not row["run"] or not row["run"][0].startswith(("/", "~/")):
        return ["run: begins with an absolute path or ~/, since a project's settings can move PATH"]
    return []


def _fits(policy: dict[str, Any], where: str) -> list[str]:
    """All orders of one event within the hook's time; no name twice; nothing started twice."""
    said = []
    names = {row["id"] for row in policy["guard"]}
    seen: dict[tuple[str, ...], str] = {}
    for i, row in enumerate(policy["command"]):
        if row["id"] in names:
            said.append(f"command[{i}].id: {row['id']!r} is the name of a guard")
        words = tuple(word.casefold() for word in row["run"])
        if words in seen and set(row["events"]) & set(policy["command"][int(seen[words])]["events"]):
            said.append(f"command[{i}].run: is the same as command[{seen[words]}].run, at the same event")
        seen.setdefault(words, str(i))
    for event in MODES:
        longest: dict[int, float] = {}
        for row in policy["command"]:
            if event in row["events"] and not row["off"]:
                longest[row["order"]] = max(longest.get(row["order"], 0), row["timeout"])
        if sum(longest.values()) > TOGETHER:
            said.append(f"command: at {event} they may take {sum(longest.values()):g} s, more than {TOGETHER} s")
    return said


COMMAND = Table(
    {
        "id": text(required=True, doc="a name for it, in refusals and in GUARDS_OFF"),
        "run": texts(check=_run, required=True, doc="the program and its words, started without a shell"),
        "events": texts(choices=tuple(MODES), required=True, doc="the events it is asked at"),
        "harnesses": texts(choices=HARNESSES, required=True, doc="the harnesses whose protocol it speaks"),
        "tools": texts(choices=(*KINDS, "*"), default=["*"], doc="classes of tools; * is any, and no tool at all"),
        "match": texts(check=_match, doc="tool names besides, exact or a prefix ending in *"),
        "timeout": number(minimum=1, maximum=TOGETHER, default=5, whole=False, doc="seconds until it has not answered"),
        "order": number(minimum=0, maximum=99, default=0, doc="those of one order run at the same time"),
        "fails": text(("open", "closed"), default="closed", doc="what no answer means before a tool"),
        "off": flag(doc="true: it is not asked"),
    },
    check=_command,
)
POLICY = Table(
    {
        "guard": rows(GUARD, doc="asked in this order"),
        "command": rows(COMMAND, doc="an owner's other hooks, run as children"),
    },
    check=_fits,
    repository=False,
)


def table(policy: dict[str, Any], ctx: "Context") -> Dispatch:
    """{event: [(id, module, tools or None for any, match or None), …], "commands": {event: [Command's row, …]}}."""
    out: Dispatch = {}
    for row in policy["guard"]:
        if row["off"]:
            continue
        tools = None if "*" in row["tools"] else tuple(row["tools"])
        match = tuple(row["match"]) or None
        for event in dict.fromkeys(row["events"]):
            out.setdefault(event, []).append((row["id"], row["module"], tools, None if tools is None else match))
    commands: dict[str, list[Any]] = {}
    for row in policy["command"]:
        if not row["off"]:
            for event in dict.fromkeys(row["events"]):
                commands.setdefault(event, []).append(_compiled(row, ctx.places.get("home", "")))
    return {**out, "commands": commands} if commands else out


def _compiled(row: dict[str, Any], home: str) -> tuple[Any, ...]:
    """A row as guards/engine/group.py takes it."""
    tools = None if "*" in row["tools"] else tuple(row["tools"])
    words = tuple(home + word[1:] if word.startswith("~/") else word for word in row["run"])
    return (
        row["id"], words, tuple(row["harnesses"]), tools, None if tools is None else tuple(row["match"]) or None,
        row["timeout"], row["order"], row["fails"] == "open", row["_source"],
    )  # fmt: skip
