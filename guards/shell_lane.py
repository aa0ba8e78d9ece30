"""What a shell command would touch without showing it is judged here: unknown targets, opaque programs, unreadable
text.

Exact effects are human_lane's, whatever the tool. Here a path that such a command names counts: in a lane it is
refused as the policy says, else nothing. After a refusal of a path, commands of all these kinds that name that path
are refused for a while, so that one refusal is not the start of a search for a way round. A command that cannot be
judged is refused by dispatch, naming this guard.
"""

from guards.engine.event import ACTIONS, EXACT, OPAQUE, Effect, Verdict
from guards.lanes.find import Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.lanes.hits import Hit

NAME = "shell-lane"
LANES = "human-lane"
_PATTERN = frozenset("*?[]{}$`")
TOLD = 4  # refusals of one command that are told one by one


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict] | None":
    doubtful = [e for e in event.effects if e.certainty != EXACT and e.mentions]
    lanes = world.rules(LANES) if doubtful else None
    if lanes is None:
        return None
    from guards.shell import around

    refused = around.recent(world, rules["around"][0])
    look = Look(event, world, lanes, manifests=False)
    told: dict[str, Verdict] = {}
    exact: set[str] | None = None
    for effect in doubtful:
        action, rule = _action(effect, rules)
        if action == "pass" and not refused:
            continue
        for path, cwd in effect.mentions:
            if not _plausible(path, cwd, world):
                continue
            hit = look.effect(Effect(path, effect.act, cwd=cwd, expanded=True))
            if hit is None or hit.action == "watch" or hit.path in told:
                continue
            if exact is None:
                exact = _exact(event, look)
            again = hit.path in refused
            if hit.path not in exact and (again or action != "pass") and not _off(hit, world):
                told[hit.path] = _again(hit, effect, rules) if again else _verdict(hit, effect, action, rule)
    found = sorted(told.values(), key=lambda verdict: ACTIONS.index(verdict.action))
    return found[:TOLD] or None


def _action(effect: "Effect", rules: "dict[str, Any]") -> "tuple[str, str]":
    from guards.shell.stepping import RUNNER, STRANGER

    if effect.certainty != OPAQUE:
        known: tuple[str, str] = rules["actions"][effect.certainty]
        return known
    if effect.cause.startswith(RUNNER):
        return "pass", ""
    kind: tuple[str, str] = rules["actions"]["stranger" if effect.cause.startswith(STRANGER) else "opaque"]
    return kind


def _plausible(path: str, cwd: str, world: "World") -> bool:
    """A bare word such as `run` is a path only where there is something of that name."""
    return "/" in path or "." in path or world.lstat(f"{cwd}/{path}") is not None


def _exact(event: "Event", look: Look) -> "set[str]":
    """The paths that human_lane refuses in this same call: one refusal is enough."""
    hits = [look.effect(e) for e in event.effects if e.certainty == EXACT and e.path]
    return {hit.path for hit in hits if hit is not None and hit.action in ("deny", "ask")}


def _off(hit: "Hit", world: "World") -> bool:
    """Switched off for now; sealed and exact paths never ask."""
    return hit.approval == "pattern" and world.off(NAME)


def _verdict(hit: "Hit", effect: "Effect", action: str, rule: str) -> "Verdict":
    what = f"what this command would write cannot be seen ({effect.cause}), and it names {_named(hit)}"
    return _said(hit, effect, action, rule, what)


def _again(hit: "Hit", effect: "Effect", rules: "dict[str, Any]") -> "Verdict":
    what = f"{_named(hit)} was refused a short while ago, and this command names it without showing what it does to it"
    return _said(hit, effect, rules["again"], rules["around"][1], what)


def _named(hit: "Hit") -> str:
    from guards.lanes.wording import shown

    return shown(hit.named) if hit.named == hit.path else f"{shown(hit.named)} (that is {shown(hit.path)})"


def _said(hit: "Hit", effect: "Effect", action: str, rule: str, what: str) -> "Verdict":
    from guards.shell import around

    text = f"{what}. only the owner changes that path: {hit.why} ({hit.rule}; {rule})."
    facts = {"lane": hit.lane, "kind": effect.certainty, "cause": effect.cause}
    if action == "note":
        text += " nothing is refused here; leave that path as it is."
        return Verdict(NAME, action, text, rule, hit.path, (("once", f"shell-lane-{hit.path}"),), facts)
    text += " to read it, use a program that only reads; to write elsewhere, spell the target out (/tmp/x, not $X)."
    if hit.line and not hit.path.endswith("/_") and _PATTERN.isdisjoint(hit.path):  # a sample, or a word of the text
        text += " if the path itself should change, say what and why; if the owner agrees, the owner adds this line to"
        text += f" {hit.file}:\n{hit.line}"
    marks = around.marks(hit) if action == "deny" else ()
    return Verdict(NAME, action, text, rule, hit.path, marks, facts)
