"""The rules of plan mode: told once a stretch of it, withdrawn by the first event outside it. The root's alone."""

from guards.engine.event import Verdict
from guards.knowledge import pointing, switched
from guards.knowledge.budget import Purse
from guards.knowledge.lint import finding
from guards.knowledge.notes import tell
from guards.knowledge.report import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.knowledge.store import Store

NAME = "context"
STATE = "context-plan"
FILE_MAX = 1 << 20


def verdict(event: "Event", rules: "dict[str, Any]", world: "World", store: "Callable[[], Store | None]") -> "Any":
    """`store` is asked only where plan mode has just begun."""
    if event.agent or not event.mode:
        return None
    states = world.session.records(STATE)
    inside = states[-1:] == ["in"]
    if event.mode != "plan":
        return Verdict(NAME, "note", "", marks=(("add", STATE, "out"),)) if inside else None
    if inside or switched.off(world, "inject:plan"):
        return None
    found = _text(rules, world, store())
    if found is None:
        return None
    purse = Purse(rules, world)
    path = pointing.place(world, f"plan-{purse.stretch}--root")
    once = ("once", purse.key("", "plan", str(len(states))))
    return tell(found, "the rules of plan mode", path, rules, purse, {"plan": True}, once, ("add", STATE, "in"))


def inside(world: "World") -> bool:
    """Whether the session is in plan mode, as far as its events have shown."""
    return world.session.records(STATE)[-1:] == ["in"]


def again(world: "World") -> "tuple[tuple[str, str, str], ...]":
    """The mark that makes the rules told again: a compaction took them from the model, plan mode or not."""
    return (("add", STATE, "out"),) if inside(world) else ()


def _text(rules: "dict[str, Any]", world: "World", store: "Store | None") -> str | None:
    """The machine's own rules, else the repository's as committed."""
    own = world.read(world.places["machine"].rpartition("/")[0] + "/context/plan.md", FILE_MAX)
    text = (own or b"").decode("utf-8", "replace").strip()
    if text or store is None:
        return text or None
    for row in store.of("plan"):
        text = store.text(row)
        bad = finding(text, rules["lint"])
        return f"{plain(row['file'])} is withheld: it talks to the agent (lint {bad!r})." if bad else text or None
    return None
