"""One event through its guards: the three modes, deadlines, joined refusals, marks only for what is delivered.

gate (before-tool): every guard runs, refusals are joined, a guard that cannot judge refuses. gate_all (prompt, stop,
subagent-stop): every guard runs, one that cannot judge stays silent. observe (the rest): notes only. Whatever a guard
does, the others still run, and what went wrong leaves a journal line.
"""

from _signal import ITIMER_VIRTUAL, SIGVTALRM, setitimer, signal

from guards.engine import fill
from guards.engine.event import MODES, Deadline, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.state import Session
    from guards.engine.tables import Tables
    from guards.engine.world import World

# CPU seconds of one guard. Reading the worst recorded command takes 0.2; a loaded machine does not slow this clock.
CPU_SECONDS = 2.0
_PERMISSION = ("deny", "ask")
TOOL_EVENTS = ("before-tool", "after-tool", "after-tool-failure")  # at the others a row is for no tool at all


class Outcome:
    """verdicts: what is to be delivered, strongest first; watched: journal only; faults: (guard, what went wrong)."""

    __slots__ = ("faults", "verdicts", "watched")

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []
        self.watched: list[Verdict] = []
        self.faults: list[tuple[str, str]] = []


def prepare(event: "Event", tables: "Tables", world: "World") -> None:
    """Classifies the tool and gives the event its reader and the world its tables."""
    world.tables = tables
    world.project = event.project or event.cwd
    table = tables.get("harness/" + event.harness) or {"tools": {}, "prefixes": []}
    fill.attach(event, fill.classify(event, table), world)


def run(event: "Event", tables: "Tables", world: "World", only: str = "") -> Outcome:
    """Judges the event by every guard of its row (or by `only`). Touches no state."""
    outcome = Outcome()
    table = tables.get("dispatch") or {}
    group = _commands(table["commands"], event, world, only) if "commands" in table else None
    try:
        _guards(table.get(event.name, ()), event, world, only, outcome)
        if group is not None:
            group.hear(outcome)
    finally:
        if group is not None:
            group.end()
    return outcome


def _guards(rows: "Any", event: "Event", world: "World", only: str, outcome: Outcome) -> None:
    for name, module, tools, match in rows:
        if (only and name != only) or not _wanted(event, tools, match):
            continue
        try:
            said = _judge(name, module, event, world)
        except Deadline:
            outcome.faults.append((name, "ran out of time"))
        except BaseException as fault:  # noqa: BLE001 - whatever a guard does, the others still run
            outcome.faults.append((name, f"{type(fault).__name__}: {fault}"))
        else:
            _sort_in(outcome, said, MODES[event.name])
    if MODES[event.name] == "gate":
        outcome.verdicts += [_refuse_fault(name, what) for name, what in outcome.faults]


def _commands(table: "Any", event: "Event", world: "World", only: str) -> "Any":
    """The owner's other hooks of this event, started; None when there is none."""
    rows = table.get(event.name, ())
    mine = [row for row in rows if (not only or row[0] == only) and _wanted(event, row[3], row[4])]
    if not mine:
        return None
    from guards.engine.group import start

    return start(mine, event, world)


def _wanted(event: "Event", tools: "tuple[str, ...] | None", match: "tuple[str, ...] | None") -> bool:
    """Whether the row is for this tool: by class, or by name (exact, or a prefix ending in `*`)."""
    if (tools is None and match is None) or event.name not in TOOL_EVENTS:
        return True
    if tools is not None and (event.kind in tools or (event.odd and "unknown" in tools)):
        return True
    for name in match or ():
        if event.tool == name or (name.endswith("*") and event.tool.startswith(name[:-1])):
            return True
    return False


def _judge(name: str, module: str, event: "Event", world: "World") -> "list[Verdict]":
    rules = world.rules(name)
    if rules is None:
        return []
    previous = signal(SIGVTALRM, _out_of_time)
    setitimer(ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        said = _load(module).judge(event, rules, world)
    finally:
        setitimer(ITIMER_VIRTUAL, 0)
        signal(SIGVTALRM, previous)
    if said is None:
        return []
    return said if isinstance(said, list) else [said]


def _load(module: str) -> "Any":
    return __import__(module, None, None, ("judge",))


def _out_of_time(_number: int, _frame: "Any") -> None:
    raise Deadline


def _sort_in(outcome: Outcome, said: "list[Verdict]", mode: str) -> None:
    for verdict in said:
        if verdict.action == "watch":
            outcome.watched.append(verdict)
        elif verdict.action not in _PERMISSION or mode != "observe":
            outcome.verdicts.append(verdict)
        else:
            outcome.faults.append((verdict.guard, "refused where nothing can be refused"))


def _refuse_fault(name: str, what: str) -> Verdict:
    return Verdict(
        name,
        "deny",
        f"the guard {name} could not judge this call ({what[:200]}), so it is refused. the owner can see why with"
        " guards doctor, and turn the guard off with off = true in its policy file.",
        "could not judge",
    )


def commit(world: "World", delivered: "list[Verdict]") -> "list[Verdict]":
    """Makes the marks of what is about to be delivered; gives back what may still be said.

    A note whose once-mark another hook made first is dropped. A refusal is never dropped.
    """
    session = world.session
    kept: list[Verdict] = []
    for verdict in delivered:
        first = True
        for mark in verdict.marks:
            if mark[0] == "once":
                first = session.mark(mark[1]) and first
        if verdict.action not in _PERMISSION and not (first and _afforded(session, verdict)):
            continue
        for mark in verdict.marks:
            if mark[0] == "add":
                session.add(mark[1], mark[2])
            elif mark[0] == "forget":
                session.forget(mark[1])
            elif mark[0] == "keep":
                session.keep(mark[1], mark[2])
        kept.append(verdict)
    return kept


def _afforded(session: "Session", verdict: Verdict) -> bool:
    """Pays for a note that draws on a budget. What does not fit is replaced by its shorter form, or left unsaid."""
    shorter = verdict.facts.pop("else", None)
    if all([session.spend(mark[1], mark[2], mark[3]) for mark in verdict.marks if mark[0] == "spend"]):
        return True
    if shorter is None:
        for mark in verdict.marks:
            if mark[0] == "once":
                session.unmark(mark[1])
        return False
    verdict.text, verdict.facts["save"] = shorter
    return True
