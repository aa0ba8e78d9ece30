"""Tripwire: after a command, what appeared, changed or went in lanes is told, to the model and to the journal.

No reader knows what a program writes, and the fence cannot hold a file that was not there yet. Nothing is undone: the
owner decides. A search that is too large, or anything else that keeps it from looking, is a journal line.
"""

from guards.engine.event import Verdict
from guards.lanes import standing, tripped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "tripwire"
RULE = "policy/tripwire.toml"
SEEN = "tripwire"  # the session's record: when it was last looked
FIRST = 600.0  # seconds that are looked back when nothing says when the command began
_WORDS = {"changed": "changed or new", "gone": "gone", "git": "changed with git's HEAD"}


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict] | None":
    fence = world.rules("fence")
    if fence is None or (rules["mode"] == "fence" and not _on(world)):
        return None
    now = tripped.now()
    keep = not (event.probe or getattr(world.session, "frozen", False))
    marks = (("forget", SEEN), ("add", SEEN, f"{now:.3f}"))
    try:
        since = int(_since(event, world, now) * 1e9)
        found = tripped.look(world, event, fence, since, keep, rules["ignore"]).paths
    except standing.TooMany as fault:
        return [Verdict(NAME, "watch", rule=RULE, facts={"why": f"not looked: {fault}"})]
    out = [
        Verdict(NAME, "watch", rule=rule, path=path, facts={"what": _WORDS[what]})
        for path, (rule, what) in found.items()
        if what == "git"
    ]
    told = {path: row for path, row in found.items() if row[1] != "git"}
    out.append(Verdict(NAME, "note", _text(told, rules), RULE, next(iter(told), ""), marks, _facts(told)))
    return out


def _on(world: "World") -> bool:
    return world.lstat(world.places.get("install", "") + "/fence") is not None


def _since(event: "Event", world: "World", now: float) -> float:
    """When the last look was, or when this command began."""
    seen = world.session.records(SEEN)
    if seen:
        try:
            return min(float(seen[-1]), now)
        except ValueError:
            pass
    spent = event.raw.get("duration_ms")
    if isinstance(spent, int | float) and not isinstance(spent, bool) and 0 <= spent < 86_400_000:
        return now - spent / 1000 - 1
    return now - FIRST


def _facts(told: "dict[str, tuple[str, str]]") -> "dict[str, Any]":
    return {"paths": list(told), "what": [_WORDS[what] for _, what in told.values()]} if told else {}


def _text(told: "dict[str, tuple[str, str]]", rules: "dict[str, Any]") -> str:
    """One note for all of them; "" when there is nothing to tell."""
    if not told:
        return ""
    lines = [f"{path}: {_WORDS[what]} ({rule})" for path, (rule, what) in list(told.items())[: rules["most"]]]
    more = f"\nand {len(told) - rules['most']} more; guards log shows them." if len(told) > rules["most"] else ""
    return (
        "since the last look something in a lane that only the owner changes is not what it was. this command did it,"
        " one that still runs, or the owner. nothing was undone: say so to the owner, and do not build on it.\n"
        + "\n".join(lines)
        + more
    )
