"""An owner's other hooks, as commands of one event: policy/dispatch.toml [[command]].

Each gets the event as it came and answers in the harness's own protocol; what they say joins what the guards say, so
that the harness gets one document. Commands of the same `order` run at the same time, the orders one after another, and
all of them run whatever the others say. A command that cannot be run, ends with an error, is out of time, prints too
much or half a document has not answered: before a tool that refuses, unless its row says `fails = "open"`; elsewhere it
leaves a journal line.
"""

import posix

from guards.engine import answers
from guards.engine.child import Band, Job
from guards.engine.event import MODES, Deadline, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.dispatch import Outcome
    from guards.engine.event import Event
    from guards.engine.world import World

OUTPUT_MAX = 1 << 20  # bytes of one stream; a harness keeps 10,000 characters of it
# programs that end with 2, the code of a refusal, when the script they are to run is not there
_INTERPRETERS = (
    "python", "node", "bun", "deno", "ruby", "perl", "php", "sh", "bash", "dash", "zsh", "ksh", "fish", "lua",
)  # fmt: skip


class Command:
    """One row of the table."""

    __slots__ = ("argv", "harnesses", "match", "name", "open", "order", "seconds", "source", "tools")

    def __init__(self, row: "tuple[Any, ...]") -> None:
        (
            self.name, self.argv, self.harnesses, self.tools, self.match,
            self.seconds, self.order, self.open, self.source,
        ) = row  # fmt: skip


class Group:
    """The commands of one event. Made before the guards judge, so that the first order runs meanwhile."""

    __slots__ = ("_band", "_event", "_orders")

    def __init__(self, rows: "list[tuple[Any, ...]]", event: "Event", world: "World") -> None:
        commands = [Command(row) for row in rows]
        commands = [c for c in commands if event.harness in c.harnesses and not world.off(c.name)]
        given = _event_bytes(event) if commands else b""
        jobs = [(c, _job(c, given)) for c in commands]
        self._event = event
        self._orders = [[pair for pair in jobs if pair[0].order == n] for n in sorted({c.order for c in commands})]
        self._band = _band(self._orders[0]) if self._orders else None

    def hear(self, outcome: "Outcome") -> None:
        """Waits for all of them, order after order, and adds what they say to the outcome."""
        late = False
        for number, order in enumerate(self._orders):
            if not late:
                late = _out_of_time(self._band if number == 0 else _band(order), order)
            for command, job in order:
                _sort_in(command, job, self._event, outcome)

    def end(self) -> None:
        """For a call that was cut short."""
        if self._band is not None:
            self._band.end()


def start(rows: "list[tuple[Any, ...]]", event: "Event", world: "World") -> Group | None:
    """Probes, `explain` and `replay` start none: a hook of the owner's may do more than judge."""
    return None if event.probe or world.session.frozen else Group(rows, event, world)


def _band(order: "list[tuple[Command, Job]]") -> Band:
    return Band([job for command, job in order if not _absent(command, job)])


def _out_of_time(band: "Any", order: "list[tuple[Command, Job]]") -> bool:
    """Waits; True when the hook's own clock ran out meanwhile, so that nothing more may be started."""
    try:
        band.wait()
    except Deadline:
        for _, job in order:
            job.code, job.why = None, "ran out of the whole hook's time"
        return True
    return False


def _event_bytes(event: "Event") -> bytes:
    from guards.engine.input import original
    from guards.engine.journal import dump

    data = original(event.raw)
    return dump(event.raw).encode("ascii") + b"\n" if data is None else data


def _job(command: Command, given: bytes) -> Job:
    return Job(list(command.argv), _here(), command.seconds, OUTPUT_MAX, stdin=given, whole=True)


def _here() -> str:
    """The hook's own directory; it may be gone by now."""
    try:
        return posix.getcwd()
    except OSError:
        return "/"


def _absent(command: Command, job: Job) -> bool:
    """Whether the script that an interpreter is to run is not there: its own exit code would look like a refusal."""
    program = command.argv[0].rpartition("/")[2].rstrip("0123456789.")
    if program not in _INTERPRETERS:
        return False
    for word in command.argv[1:]:
        if word.startswith("/"):
            try:
                posix.stat(word)
            except (OSError, ValueError):
                job.why = f"has no script {word}"
                return True
        if not word.startswith("-"):
            return False
        if word in ("-c", "-e", "-m", "--eval"):
            return False
    return False


def _sort_in(command: Command, job: Job, event: "Event", outcome: "Outcome") -> None:
    rule = f"{command.source}: command {command.name!r}"
    try:
        if job.code is None:
            raise answers.Unusable(job.why or "was not started: the hook's time was used up")
        if job.code < 0:
            raise answers.Unusable(f"was ended by signal {-job.code}")
        said = answers.read(event, job.code, job.out, job.err)
    except answers.Unusable as fault:
        _unanswered(command, rule, str(fault), event, outcome)
        return
    if said.action:
        text = f"{said.reason}\n(from the hook {command.name}, {command.source})"
        outcome.verdicts.append(Verdict(command.name, said.action, text, rule))
    if said.note or said.replace is not None:
        facts = {} if said.replace is None else {"replace": said.replace}
        outcome.verdicts.append(Verdict(command.name, "note", said.note, rule, facts=facts))


def _unanswered(command: Command, rule: str, why: str, event: "Event", outcome: "Outcome") -> None:
    outcome.faults.append((command.name, why))
    if MODES[event.name] != "gate" or command.open:
        return
    text = (
        f"the hook {command.name} could not judge this call ({why[:300]}), so it is refused. the owner can see why with"
        f' guards doctor, and let such calls through with fails = "open" or off = true in its row of {command.source}.'
    )
    outcome.verdicts.append(Verdict(command.name, "deny", text, rule))
