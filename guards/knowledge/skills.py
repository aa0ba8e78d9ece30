"""The entries that a skill declares in its front matter, told when it is invoked: once an agent, by id after that.

Declared are ids and `PREFIX*`; what is not committed and accepted is left out. `-no-context` (or two dashes, an en or
em dash) among the words of one call leaves its entries out. Values that a skill says it needs are looked for in the
environment, and named when they are missing. An owner may name another index and another table of skills in the
environment (guards/knowledge/named.py).
"""

from guards.engine.event import Verdict
from guards.knowledge import named, pointing, switched
from guards.knowledge.budget import Purse, mark
from guards.knowledge.entries import head, known, texts
from guards.knowledge.store import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.knowledge.named import Index
    from guards.knowledge.store import Store

    Rules = dict[str, Any]

NAME = "context"
FILE_MAX = 1 << 18
IDS_MAX = 100  # ids that a pointer names
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


def verdicts(event: "Event", rules: "Rules", world: "World", store: "Callable[[], Any]") -> "list[Verdict]":
    """`store` is asked only where a skill wants entries and no index is named: (the store, what kept it from us)."""
    skill, words = invoked(event)
    if not known(skill.replace(":", "-")):  # a plugin's skill is called plugin:name
        return []
    front = _front_matter(skill, event, rules, world) if known(skill) else None
    out = [] if front is None else _values(skill, front, rules, world)
    if switched.off(world, "inject:skill") or any([word in _OPT_OUT for word in words]):
        return out
    try:
        wanted = _wanted(skill, front or {}, rules, world)
        index = named.index(wanted, world) if wanted else None
    except Broken as fault:
        return [*out, _failed(str(fault))]
    if not wanted:
        return out
    if index is None and not rules["dir"]:
        return [*out, _unset(skill, event)]
    found, trouble = (index, None) if index is not None else store()
    out += [trouble] if trouble is not None else []
    out += [_failed("; ".join(index.faults[:5]))] if index is not None and index.faults else []
    rows = _declared(wanted, found, world) if found is not None else []
    return out + (_entries(skill, rows, found, event, rules, world) if rows else [])


def _wanted(skill: str, front: "dict[str, Any]", rules: "Rules", world: "World") -> "list[str]":
    """The ids and `PREFIX*` of a skill: by the table that is named, else by its front matter."""
    mapped = named.declared(skill, world)
    return mapped if mapped is not None else [one for key in rules["skill_keys"] for one in texts(front.get(key, []))]


def _unset(skill: str, event: "Event") -> Verdict:
    from guards.knowledge.notes import UNSET

    text = f"the skill {skill} declares entries. {UNSET}"
    return Verdict(NAME, "note", text, f"policy/{NAME}.toml: dir", marks=(("once", f"context-unset {event.agent}"),))


def _failed(why: str) -> Verdict:
    from guards.knowledge.editing import failed

    return failed(why)


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


def _declared(wanted: "list[str]", store: "Store | Index", world: "World") -> "list[dict[str, Any]]":
    from guards.knowledge.accepted import Accepted

    rows = [row for row in store.of("entry") if named.chosen(row["id"], wanted)]
    accepted = Accepted(store.root, world) if rows and not store.named else None
    return rows if store.named else [row for row in rows if accepted is not None and accepted.holds(row["id"])]


def _entries(
    skill: str, rows: "list[dict[str, Any]]", store: "Store | Index", event: "Event", rules: "Rules", world: "World"
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
    more = f", and {len(ids) - IDS_MAX} more" if len(ids) > IDS_MAX else ""
    what = f"entries of the skill {skill} ({', '.join(ids[:IDS_MAX])}{more})"
    out.append(tell(whole, what, path, rules, purse, {"skill": skill, "entry": ids}, once, *marks))
    keys = tuple([("once", key_of(event.agent, store, row, purse)) for row in new])
    out.append(Verdict(NAME, "note", "", marks=keys))
    return out
