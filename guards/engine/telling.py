"""What is said and written down when there is something to say: marks, journal lines, the harness's own answer."""

from guards.engine import dispatch, journal, spilling
from guards.engine.event import Event, Reply, Verdict
from guards.engine.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def tell(adapter: "Any", event: Event, outcome: dispatch.Outcome, world: World, written: bool) -> Reply:
    """Makes the marks of what is delivered, writes the journal, gives the answer. `written`: the heartbeat was."""
    quiet = [v for v in outcome.verdicts if v.action == "note" and not v.text and "replace" not in v.facts]
    dispatch.commit(world, quiet)  # only counted, nothing said
    said = adapter.choose(event, [v for v in outcome.verdicts if v not in quiet])
    kept = [v for v in dispatch.commit(world, said) if _saved(v)]
    state = world.places["state"]
    if not event.probe:
        written = _journal(state, event, kept, outcome, world) and written
    if not kept:
        return Reply()
    _say_also(kept, world, written)
    return adapter.write(event, kept, _spill(world)) or Reply()


def _saved(verdict: Verdict) -> bool:
    """A replaced output is handed on only when the whole one could be kept; False when nothing is left to say."""
    save = verdict.facts.pop("save", None)
    if save is not None:
        if not spilling.save(*save):
            verdict.text = verdict.text if "replace" in verdict.facts else ""  # a pointer to what is not there
            verdict.facts.pop("replace", None)
    return bool(verdict.text or "replace" in verdict.facts)


def _say_also(kept: "list[Verdict]", world: World, written: bool) -> None:
    """What the next refusal must carry: last good policy in force, no memory, no journal."""
    first = kept[0]
    if first.action != "deny":
        return
    tables = world.tables
    if tables is not None and tables.stale:
        first.text += f"\n(guards: {tables.stale}.)"
    if world.session.broken or not written:
        why = world.session.broken or "not writable"
        first.text += f"\n(guards: {world.places['state']} is {why}; judged without memory.)"


def _journal(state: str, event: Event, kept: "list[Verdict]", outcome: dispatch.Outcome, world: World) -> bool:
    written = True
    head: dict[str, Any] = {"harness": event.harness, "event": event.name, "tool": event.tool, "session": event.session}
    head["agent"] = event.agent
    for verdict in kept + outcome.watched:
        facts = {k: v for k, v in verdict.facts.items() if k != "replace"}
        line = {**head, "guard": verdict.guard, "verdict": verdict.action, "rule": verdict.rule, "path": verdict.path}
        written = journal.record(state, {**line, **facts}) and written
    for guard, what in outcome.faults:
        written = journal.record(state, {**head, "guard": guard, "verdict": "error", "why": what}) and written
    if event.odd:
        line = {**head, "verdict": "odd", "why": "fields missing or of another type", "fields": list(event.odd)}
        written = journal.record(state, line) and written
    for name in world.ignored:
        written = journal.record(state, {**head, "verdict": "ignored", "why": f"{name} is not the owner's"}) and written
    return written


def _spill(world: World) -> "Any":
    """Where a text over the harness's cap goes: a file of the session, whose path is given back ("" if impossible)."""

    def spill(name: str, text: str) -> str:
        return spilling.spill(world, name, text)

    return spill
