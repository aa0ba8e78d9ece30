"""A call waits until what it must know has been read in full: guides of the files it touches, and what was pointed to.

What was read is known from what the harness returned, after the call. A refused guide stays owed: until it is read,
only reads of what is owed pass. Gates only in a session that has shown an after-tool event, since without one nothing
could ever be read. What cannot be judged is let through, with a line of the journal. Off until an owner wants it.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Rules = dict[str, Any]

NAME = "read-gate"
SEEN = "gate-seen"
CALLS_MAX = 40  # read calls that one refusal lists


def judge(event: "Event", rules: "Rules", world: "World") -> "Verdict | list[Verdict] | None":
    try:
        said = _judged(event, rules, world)
        return None if said and world.off(NAME) else said
    except BaseException as fault:  # noqa: BLE001 - what cannot be judged must not hold up the work
        return _failed(f"{type(fault).__name__}: {fault}")


def _judged(event: "Event", rules: "Rules", world: "World") -> "Verdict | list[Verdict] | None":
    if event.name == "before-tool":
        return _before(event, rules, world)
    if event.name == "after-tool":
        return _after(event, world)
    if event.name == "prompt":
        return _demanded(event, world)
    return _start(event, rules, world)


# ---------------------------------------------------------------- before a call


def _before(event: "Event", rules: "Rules", world: "World") -> "Verdict | list[Verdict] | None":
    if event.tool in rules["refused"]:
        text = f"{event.tool} is not for an agent here ({rules['refused'][event.tool]}); the owner switches plan mode."
        return Verdict(NAME, "deny", text, rules["refused"][event.tool])
    first = _undemanded(event, rules, world)
    if first is not None or event.kind not in rules["pending"] or not world.session.marked(SEEN):
        return first
    if event.kind == "unknown" and not event.effects and not event.command:
        return None  # nothing in it is written or run
    return _owed(event, rules, world)


def _owed(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    from guards.knowledge import owed

    before = owed.demanded(event.agent, world)
    if event.kind not in rules["gated"] and not before:
        return []
    files, words, out = dict(before), {}, []
    if event.kind in rules["gated"]:
        touched, troubles = owed.guides(event, rules, world)
        out = [_failed(why) for why in troubles]
        words = {path: off for path, (_, off) in touched.items() if path not in before}
        files.update({path: rule for path, (rule, _) in touched.items()})
        files.update({**owed.required(event, world), **owed.reviews(event, rules, world)})
    if not files:
        return out
    from guards.knowledge import ledger

    read = ledger.Ledger(event.agent, world)
    rest = {path: read.owes(path) for path in files}
    rest = {path: calls for path, calls in rest.items() if calls}
    if not rest or ledger.target(event, world) in rest:
        return out
    marks = tuple([("add", owed.name(event.agent), f"{off} {path}") for path, off in words.items() if path in rest])
    first = next(iter(rest))
    return [Verdict(NAME, "deny", _refusal(rest, files), files[first], first, marks, {"files": list(rest)}), *out]


def _failed(why: str) -> Verdict:
    return Verdict(NAME, "watch", "", f"policy/{NAME}.toml", facts={"verdict": "error", "why": why})


def _refusal(rest: "dict[str, list[tuple[int, int]]]", files: "dict[str, str]") -> str:
    lines = [f"Read {path} offset {first} limit {count}" for path, calls in rest.items() for first, count in calls]
    more = f"\n… and {len(lines) - CALLS_MAX} more read calls" if len(lines) > CALLS_MAX else ""
    rules = "; ".join(dict.fromkeys([files[path] for path in rest]))
    return (
        f"this call waits until what governs it has been read in full ({rules}). read with the read tool"
        " (a whole file also by exactly: cat FILE):\n"
        + "\n".join(lines[:CALLS_MAX])
        + more
        + "\nthen make the call again. the owner can switch this off for the session: #disable rgate."
    )


# ---------------------------------------------------------------- after a call


def _after(event: "Event", world: "World") -> "list[Verdict]":
    """Two facts, each on its own: of many hooks at once only one makes the first mark, and every one has its record."""
    found: list[tuple[str, ...]] = []
    if not world.session.marked(SEEN):
        found.append(("once", SEEN))
    if event.kind == "read" or event.command.startswith("cat "):
        from guards.knowledge import ledger

        record = ledger.record(event, world)
        if record and record not in world.session.records(ledger.name(event.agent)):
            found.append(("add", ledger.name(event.agent), record))
    return [Verdict(NAME, "note", "", marks=(mark,)) for mark in found]


# ---------------------------------------------------------------- start and compaction


def _start(event: "Event", rules: "Rules", world: "World") -> "Verdict | None":
    """A compaction or a /clear makes everything owed again; where nothing can be owed that is said, once."""
    if event.agent:
        return None
    if event.source in ("compact", "clear"):
        from guards.knowledge import ledger, owed

        return Verdict(NAME, "note", "", marks=(("forget", ledger.name("")), ("forget", owed.name(""))))
    folder = (world.rules("context") or {}).get("dir", "") or rules["dir"]
    if rules["guides"] or rules["reviews"] or folder or event.source != "startup":
        return None
    text = (
        "the read gate is on, but no guide and no context folder is named, so nothing is owed"
        " (guide, or dir, in ~/.config/guards/policy/read-gate.toml)."
    )
    return Verdict(NAME, "note", text, f"policy/{NAME}.toml", marks=(("once", "gate-nothing-owed"),))


# ---------------------------------------------------------------- a skill that a prompt demands

DEMANDED, INVOKED, FIRST = "gate-skill", "gate-invoked", "gate-first-prompt"
_WORD = "REQUIRE-SKILL:"


def _demanded(event: "Event", world: "World") -> "Verdict | None":
    """The first prompt of a session may demand a skill, on a line of its own; a skill it begins with is invoked."""
    if event.agent or world.session.marked(FIRST):
        return None
    marks: list[tuple[str, ...]] = [("once", FIRST)]
    for line in event.text.split("\n"):
        words = line.strip().removeprefix(_WORD).split()
        if line.strip().startswith(_WORD) and len(words) == 1:
            marks.append(("add", DEMANDED, words[0]))
            if event.text.split(maxsplit=1)[0] == "/" + words[0]:
                marks.append(("add", INVOKED, words[0]))
            break
    return Verdict(NAME, "note", "", marks=tuple(marks))


def _undemanded(event: "Event", rules: "Rules", world: "World") -> "Verdict | None":
    """Until the demanded skill was invoked only its invocation passes; after it, entries come through it alone."""
    demanded = [] if event.agent else world.session.records(DEMANDED)
    if not demanded:
        return None
    from guards.knowledge import switched

    name = demanded[0]
    if switched.off(world, "skill:invokegate"):
        return None
    if name in world.session.records(INVOKED):
        return _entry_read(event, rules, world)
    if event.tool == "Skill" and event.input.get("skill") == name:
        return Verdict(NAME, "note", "", marks=(("add", INVOKED, name),))
    text = f"the first prompt demands the skill {name!r}: invoke it first (Skill, skill {name!r}), then make this call."
    text += " the owner can switch this off for the session: #disable skill:invokegate."
    return Verdict(NAME, "deny", text, f"{_WORD}{name}")


def _entry_read(event: "Event", rules: "Rules", world: "World") -> "Verdict | None":
    from guards.knowledge import ledger, named

    folder = (world.rules("context") or {}).get("dir", "") or rules["dir"]
    path = ledger.target(event, world)
    if folder and f"/{folder}/entries/" in path:
        text = f"entries of {folder} come through the skill that declares them, or through guards context ID."
        return Verdict(NAME, "deny", text, "skill:invokegate", path)
    if path and path in named.files(world):
        text = f"{path} holds what skills are told; that comes through the skill alone."
        return Verdict(NAME, "deny", text, "skill:invokegate", path)
    return None
