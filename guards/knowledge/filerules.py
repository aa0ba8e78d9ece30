"""The conventions that govern a file, told when it is read: each once an agent and stretch. The file is never touched.

Whether a file keeps to them is not looked at here; `guards rules check` does that.
"""

from guards.engine.event import Verdict
from guards.knowledge import switched
from guards.knowledge.budget import Purse
from guards.knowledge.ledger import target
from guards.knowledge.lint import finding
from guards.knowledge.matching import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Rules = dict[str, Any]

NAME = "context"


def verdicts(event: "Event", world: "World") -> "list[Verdict]":
    from guards.knowledge.store import root_of

    path = target(event, world)
    root = root_of(path, world) if path else ""
    rules = world.rules(NAME, root) if root else None
    if rules is None or not rules["rules"]:
        return []
    inside = path[len(root) + 1 :]
    found = governing(rules, inside)
    if not found or switched.off(world, "inject:acdsl"):
        return []
    purse = Purse(rules, world)
    out: list[Verdict] = []
    room = min(rules["edit"], purse.left())
    for rule, message, source in found:
        key = purse.key(event.agent, "rule", rule)
        bad = finding(message, rules["lint"])
        text = f"rule {rule} of {inside}: " + (f"withheld, it talks to the agent (lint {bad!r})" if bad else message)
        room -= purse.tokens(text)
        if room < 0:
            break
        if not world.session.marked(key):
            facts = {"delivered": rule, "tokens": purse.tokens(text)}
            out.append(Verdict(NAME, "note", text, source, path, (("once", key), purse.pay(text)), facts))
    return out


def governing(rules: "Rules", inside: str) -> "list[tuple[str, str, str]]":
    """(id, message, where it stands) of the rules of a file, by its path inside the repository."""
    return [rules["rules"][number] for number in match(rules["rule_index"], inside)]
