"""Standard input to exit code: reads one event, has it judged, writes one answer, leaves.

stdin is judged as soon as one whole object is there, not at end of file. Input that is no event (empty, cut,
not JSON, not an object, over the limit) refuses on before-tool and is silent with a journal line elsewhere. Clocks:
every guard has its CPU time; the wall clock only matters near the harness's own limit; a profiling timer at its
default action ends a hang in C, and the wired command's `|| exit 2` then refuses.
"""

import posix
from _signal import ITIMER_PROF, ITIMER_REAL, SIGALRM, setitimer, signal

from guards.engine import dispatch
from guards.engine.event import MODES, Deadline, Event, Reply, Verdict
from guards.engine.input import Unreadable, parse, read_event
from guards.engine.state import Session, beat, escape
from guards.engine.tables import NoTables, load
from guards.engine.world import World, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The wired timeout is 30 s (guards/wiring); at 25 s the hook still has time to say no.
WALL_SECONDS = 25.0
# CPU seconds of the whole process: above all guards' own deadlines together, far below the wall.
HARD_CPU_SECONDS = 12.0
PROBE = "guards-fire-"


def main(install: str, argv: "list[str]") -> None:
    """Judges one event and ends the process. Never returns."""
    _leave(answer(install, argv))


def answer(install: str, argv: "list[str]") -> Reply:
    """The reply to the event on descriptor 0."""
    name = argv[1] if len(argv) > 1 else ""
    gate = MODES.get(name) == "gate"
    harness = argv[0] if argv else ""
    try:
        if name not in MODES or not _known(harness):
            what = f"guards does not know the harness or event {harness!r} {name!r}; run guards wiring.\n"
            return Reply(2, b"", encode(what))
        _clocks()
        places = _places(install)
    except Unreadable as fault:
        return _cannot(gate, f"{fault}")
    adapter = _adapter(harness)
    only = argv[2] if len(argv) > 2 else ""
    try:
        return _judge(adapter, harness, name, only, places)
    except (Unreadable, NoTables) as fault:
        return _failed(adapter, harness, name, places, str(fault))
    except Deadline:
        return _failed(adapter, harness, name, places, f"no whole event within {WALL_SECONDS:.0f} s")


def _judge(adapter: "Any", harness: str, name: str, only: str, places: "dict[str, str]") -> Reply:
    payload = read_event()
    tables = load(places)
    event = adapter.read(payload, name, posix.environ)
    event.probe = event.session.startswith(PROBE)
    world = World(places, Session(places["state"], event.session))
    dispatch.prepare(event, tables, world)
    outcome = dispatch.run(event, tables, world, only)
    return deliver(adapter, event, outcome, world)


def deliver(adapter: "Any", event: Event, outcome: dispatch.Outcome, world: World) -> Reply:
    """Heartbeat, and whatever there is to tell; a silent call loads nothing for that."""
    state = world.places["state"]
    if event.name == "session-start" and not event.probe:
        from guards.engine.pruning import prune

        prune(state, world.session)
    written = event.probe or beat(state, event.harness, event.name)
    if event.kind == "unknown" and event.name == "before-tool" and not event.probe:
        beat(state, event.harness, "tool-" + escape(event.tool))  # the doctor shows which tools no table names
    if not (outcome.verdicts or outcome.watched or outcome.faults or event.odd or world.ignored):
        silent: Reply = adapter.silent(event)
        return silent
    from guards.engine import telling

    reply = telling.tell(adapter, event, outcome, world, written)
    return reply if reply.code or reply.stdout else adapter.silent(event)


def _failed(adapter: "Any", harness: str, name: str, places: "dict[str, str]", why: str) -> Reply:
    from guards.engine import journal

    journal.record(places["state"], {"harness": harness, "event": name, "verdict": "error", "why": why})
    if MODES[name] != "gate":
        return Reply()
    event = Event(harness, name, {})
    text = f"guards could not judge this call: {why}. it is refused; the owner can see more with guards doctor."
    verdict = Verdict("guards", "deny", text, "could not judge")
    return adapter.write(event, [verdict], None) or Reply(2, b"", encode(text))


def _cannot(gate: bool, why: str) -> Reply:
    if not gate:
        return Reply()
    text = f"guards could not judge this call: {why}. it is refused; to take the hooks out, the owner runs make unwire."
    return Reply(2, b"", encode(text + "\n"))


def _clocks() -> None:
    setitimer(ITIMER_PROF, HARD_CPU_SECONDS)
    signal(SIGALRM, _too_late)
    setitimer(ITIMER_REAL, WALL_SECONDS)


def _too_late(_number: int, _frame: "Any") -> None:
    raise Deadline


def _known(harness: str) -> bool:
    return harness in ("claude", "codex", "gemini", "cursor", "copilot")


def _adapter(harness: str) -> "Any":
    return __import__("guards.harness." + harness, None, None, ("read",))


def _places(install: str) -> "dict[str, str]":
    """The record beside the code, written at install."""
    try:
        fd = posix.open(encode(install + "/places"), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError as fault:
        raise Unreadable(f"{install}/places cannot be read; run make install in the checkout") from fault
    try:
        data = posix.read(fd, 1 << 16)
    finally:
        posix.close(fd)
    places = parse(data)
    places["install"] = install
    from guards.engine import packages

    packages.path = places.get("packages", "")
    return places


def _leave(reply: Reply) -> None:
    """Writes both streams whole and ends without the interpreter's own good-byes, which cost a millisecond."""
    for fd, data in ((1, reply.stdout), (2, reply.stderr)):
        view = memoryview(data)
        while view:
            try:
                view = view[posix.write(fd, view) :]
            except OSError:
                break
    posix._exit(reply.code)
