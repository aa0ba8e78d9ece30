"""A path in a lane is changed by a human only.

Judges every exact effect of the call, whatever the tool: path fields, patches, shell commands, tools that no table
names. Reading is never refused. A call that cannot be judged is refused by dispatch, naming this guard.
"""

from guards.engine.event import ACTIONS, EXACT, Verdict
from guards.lanes.find import NAME, Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.lanes.hits import Freed, Hit

TOLD = 8  # refusals of one call that are told one by one


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict] | None":
    look = Look(event, world, rules)
    hits: list[Hit] = []
    for effect in event.effects:
        if effect.certainty == EXACT and effect.path:
            hit = look.effect(effect)
            if hit is not None and not any([hit.path == seen.path and hit.lane == seen.lane for seen in hits]):
                hits.append(hit)
    if not hits and not look.freed:
        return None
    from guards.lanes import wording
    from guards.shell import around

    hits.sort(key=lambda hit: ACTIONS.index(hit.action))
    told = [
        Verdict(NAME, hit.action, wording.refusal(hit), hit.rule, hit.path, around.marks(hit), _facts(hit))
        for hit in hits
    ]
    if len(told) > TOLD:
        told[TOLD - 1].text += f"\n(and {len(told) - TOLD} more paths of this call lie in lanes.)"
        del told[TOLD:]
    return told + [_through(freed, world) for freed in look.freed]


def _facts(hit: "Hit") -> "dict[str, Any]":
    return {"lane": hit.lane, **({"below": hit.below} if hit.below else {})}


def _through(freed: "Freed", world: "World") -> Verdict:
    """A journal line for a path that the owner's file let through: who used which line."""
    file = world.places.get("approvals", "")
    facts = {"verdict": "approved", "lane": freed.lane, "approval": freed.number, "line": freed.text}
    return Verdict(NAME, "watch", f"let through by line {freed.number} of {file}", file, freed.path, facts=facts)
