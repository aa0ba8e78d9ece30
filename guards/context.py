"""What an agent must have read is put before it: notes at the start, entries at the edit they govern or the skill that
declares them, the rules of plan mode, the rules of a file when it is read.

Everything told draws on one budget and is told once until a compaction. Nothing here ever refuses, stops or slows a
call: whatever cannot be read, parsed or afforded is silence and a line of the journal. Off until an owner wants it.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Rules = dict[str, Any]

NAME = "context"
_EDITS = ("write", "edit", "notebook", "patch", "shell")


def judge(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    try:
        said = _judged(event, rules, world)
        return [] if said and world.off(NAME) else said
    except BaseException as fault:  # noqa: BLE001 - not even running out of time may refuse somebody's edit
        why = f"{type(fault).__name__}: {fault}"
        return [Verdict(NAME, "watch", "", f"policy/{NAME}.toml", facts={"verdict": "error", "why": why})]


def _judged(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    if event.name == "before-tool":
        return _edit(event, rules, world)
    if event.name == "after-tool":
        return (
            _edit(event, rules, world) + _plan(event, rules, world) + _skill(event, rules, world) + _read(event, world)
        )
    if event.name == "stop":
        return _stop(rules, world) if rules["stop_note"] else []
    out = _start(event, rules, world)
    if event.name == "prompt":
        out += _plan(event, rules, world) + _skill(event, rules, world)
    return out


def _plan(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    """Only where the mode is plan, or was."""
    if event.agent or not event.mode or (event.mode != "plan" and not world.session.records("context-plan")):
        return []
    from guards.knowledge import planning

    said = planning.verdict(event, rules, world, lambda: _store(event, rules, world)[0])
    return [] if said is None else [said]


def _skill(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    if event.tool != "Skill" and not event.text.startswith("/"):
        return []
    from guards.knowledge import skills

    return skills.verdicts(event, rules, world, lambda: _store(event, rules, world))


def _read(event: "Event", world: "World") -> "list[Verdict]":
    """The rules of a file that was read."""
    if event.kind != "read":
        return []
    from guards.knowledge import filerules

    return filerules.verdicts(event, world)


def _edit(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    """Before the edit where the harness shows that to the model, else after it."""
    if event.kind not in _EDITS or not rules["dir"]:
        return []
    if (event.harness in rules["after"]) != (event.name == "after-tool"):
        return []
    from guards.knowledge.editing import verdicts

    return verdicts(event, rules, world)


def _start(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    """A session's or a subagent's start, and the first prompt of a session whose start was not seen."""
    if event.agent and event.name != "subagent-start":
        return []
    from guards.knowledge import notes, planning
    from guards.knowledge.budget import STRETCHES, Purse

    fresh = event.name == "session-start" and event.source in ("compact", "clear")
    purse = Purse(rules, world, int(fresh))
    out: list[Verdict | None] = []
    if fresh:
        out.append(Verdict(NAME, "note", "", marks=(("add", STRETCHES, event.source), *planning.again(world))))
    if event.name == "prompt" and purse.key("", "global") in world.session.records(notes.GLOBALS):
        return []
    store, trouble = _store(event, rules, world)
    said = notes.every(event, rules, world, store, purse)
    out += [trouble, said]
    # the list of entries gives way to notes that fill what the harness shows whole
    room = rules["note_max"] - (len(said.text) + 2 if said is not None else 0)
    if event.name != "prompt" and room > 0:
        out.append(notes.brief(event, rules, world, store, purse, room))
    return [verdict for verdict in out if verdict is not None]


def _store(event: "Event", rules: "Rules", world: "World") -> "Any":
    """(what the repository has committed, None) or (None, why that cannot be read)."""
    if not rules["dir"]:
        return None, None
    from guards.knowledge import store
    from guards.knowledge.editing import failed
    from guards.knowledge.store import Broken

    root = store.root_of(world.real(event.project or event.cwd) or "", world)
    try:
        return (store.load(root, rules["dir"], world) if root else None), None
    except Broken as fault:
        return None, failed(str(fault), root)


def _stop(rules: "Rules", world: "World") -> "list[Verdict]":
    from guards.knowledge.budget import Purse

    purse = Purse(rules, world)
    ids = purse.ids("")
    if not purse.spent():
        return []
    told = f": {', '.join(ids)}" if ids else ""
    text = f"context: {len(ids)} entries told{told}; about {purse.spent():,} of {rules['session']:,} tokens spent."
    return [Verdict(NAME, "note", text, f"policy/{NAME}.toml: stop_note")]
