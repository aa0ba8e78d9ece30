"""policy/dispatch.toml: which guard is asked at which event, for which tools, in which order."""

from typing import TYPE_CHECKING, Any

from guards.compile.fields import Table, flag, rows, text, texts
from guards.compile.policies.harness import KINDS
from guards.engine.event import MODES

if TYPE_CHECKING:
    from guards.compile.context import Context

Dispatch = dict[str, list[tuple[str, str, tuple[str, ...] | None, tuple[str, ...] | None]]]


def _module(name: str) -> str:
    parts = name.split(".")
    good = len(parts) > 1 and parts[0] == "guards" and all(part.isidentifier() for part in parts)
    return "" if good else f'{name!r} is no module of the suite, as in "guards.human_lane"'


def _match(name: str) -> str:
    return f"{name!r}: a star stands only at the end" if "*" in name[:-1] else ""


GUARD = Table(
    {
        "id": text(required=True, doc="the guard's name, as in its policy file's name"),
        "module": text(required=True, check=_module, doc="where its judge lives"),
        "events": texts(choices=tuple(MODES), required=True, doc="the events it is asked at"),
        "tools": texts(choices=(*KINDS, "*"), default=["*"], doc="classes of tools; * is any, and no tool at all"),
        "match": texts(check=_match, doc="tool names besides, exact or a prefix ending in *"),
        "off": flag(doc="true: this guard is not asked"),
    }
)
POLICY = Table({"guard": rows(GUARD, doc="asked in this order")}, repository=False)


def table(policy: dict[str, Any], ctx: "Context") -> Dispatch:
    """{event: [(id, module, tools or None for any, match or None), ...]} in the order of the rows."""
    out: Dispatch = {}
    for row in policy["guard"]:
        if row["off"]:
            continue
        tools = None if "*" in row["tools"] else tuple(row["tools"])
        match = tuple(row["match"]) or None
        for event in dict.fromkeys(row["events"]):
            out.setdefault(event, []).append((row["id"], row["module"], tools, None if tools is None else match))
    return out
