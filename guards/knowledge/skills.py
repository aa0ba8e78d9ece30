"""The entries that a skill declares in its front matter, told when it is invoked: once an agent, by id after that.

Declared are ids and `PREFIX*`; what is not committed and accepted is left out. `-no-context` (or two dashes, an en or
em dash) among the words of one call leaves its entries out. Values that a skill says it needs are looked for in the
environment, and named when they are missing.
"""

from guards.engine.event import Verdict
from guards.knowledge import pointing, switched
from guards.knowledge.budget import Purse, mark
from guards.knowledge.entries import head, known, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.knowledge.store import Store

    Rules = dict[str, Any]

NAME = "context"
FILE_MAX = 1 << 18
_OPT_OUT = ("-no-context", "--no-context", "\u2013no-context", "\u2014no-context")


def invoked(event: "Event") -> "tuple[str, list[str]]":
    """(skill, words of its call); ("", []) for any other event."""
    if event.name == "prompt" and event.text.startswith("/") and not event.agent:
        words = event.text.split()
        return (words[0][1:], words[1:]) if words and words[0] != "/" else ("", [])
    if event.name == "after-tool" and event.tool == "Skill":
        skill, args = event.input.get("skill"), event.input.get("args")
        return skill if isinstance(skill, str) else "", args.split() if isinstance(args, str) else []
    return "", []


def verdicts(event: "Event", rules: "Rules", world: "World", store: "Store | None") -> "list[Verdict]":
    skill, words = invoked(event)
    declared = _front_matter(skill, event, rules, world) if known(skill) else None
    if declared is None:
        return []
    out = _values(skill, declared, rules, world)
    if store is not None and not switched.off(world, "inject:skill") and not any([w in _OPT_OUT for w in words]):
        wanted = [name for key in rules["skill_keys"] for name in texts(declared.get(key, []))]
        rows = _declared(wanted, store, world)
        if rows:
            out += _entries(skill, rows, store, event, rules, world)
    return out


def _front_matter(skill: str, event: "Event", rules: "Rules", world: "World") -> "dict[str, Any] | None":
    for folder in rules["skill_dirs"]:
        base = folder if folder.startswith("/") else f"{event.project or event.cwd}/{folder}"
        data = world.read(f"{base}/{skill}/SKILL.md", FILE_MAX)
        if data is not None:
            return head(data.decode("utf-8", "replace"))[0]
    return None


def _values(skill: str, declared: "dict[str, Any]", rules: "Rules", world: "World") -> "list[Verdict]":
    """The values a skill needs and does not have."""
    if switched.off(world, "inject:env"):
        return []
    wanted = [name for key in rules["skill_env_keys"] for name in texts(declared.get(key, []))]
    missing = [name for name in wanted if known(name) and not world.plain_env(name)]
    if not missing:
        return []
    text = f"the skill {skill} needs values that are not set in this environment: {', '.join(missing)}."
    return [Verdict(NAME, "note", text, f"policy/{NAME}.toml: skill", facts={"skill": skill})]


def _declared(wanted: "list[str]", store: "Store", world: "World") -> "list[dict[str, Any]]":
    from guards.knowledge.accepted import Accepted

    exact = {name for name in wanted if not name.endswith("*")}
    starts = tuple([name[:-1] for name in wanted if name.endswith("*")])
    rows = [row for row in store.of("entry") if row["id"] in exact or (starts and row["id"].startswith(starts))]
    accepted = Accepted(store.root, world) if rows else None
    return [row for row in rows if accepted is not None and accepted.holds(row["id"])]


def _entries(
    skill: str, rows: "list[dict[str, Any]]", store: "Store", event: "Event", rules: "Rules", world: "World"
) -> "list[Verdict]":
    from guards.knowledge.editing import key_of, shown
    from guards.knowledge.notes import tell

    purse = Purse(rules, world)
    new = [row for row in rows if not world.session.marked(key_of(event.agent, store, row, purse))]
    told = [row["id"] for row in rows if row not in new]
    out: list[Verdict] = []
    if told:
        text = f"entries of the skill {skill} told before: {', '.join(told)}."
        facts = {"skill": skill, "tokens": purse.tokens(text)}
        out.append(Verdict(NAME, "note", text, f"policy/{NAME}.toml: skill", marks=(purse.pay(text),), facts=facts))
    if not new:
        return out
    ids = [row["id"] for row in new]
    whole = "\n\n".join([shown(store, row, f"declared by the skill {skill}", rules) for row in new])
    path = pointing.place(world, f"skill-{skill}-{mark(' '.join(ids))}-{purse.stretch}--{event.agent or 'root'}")
    once = ("once", purse.key(event.agent, "skill", skill, mark(whole)))
    marks = [purse.told(event.agent, name) for name in ids]
    what = f"entries of the skill {skill} ({', '.join(ids[:20])})"
    out.append(tell(whole, what, path, rules, purse, {"skill": skill, "entry": ids}, once, *marks))
    keys = tuple([("once", key_of(event.agent, store, row, purse)) for row in new])
    out.append(Verdict(NAME, "note", "", marks=keys))
    return out
