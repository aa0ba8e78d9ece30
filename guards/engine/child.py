"""Bounded commands: input, output, time and reach each have an end, whatever the command does.

Every command runs in a session of its own below a keeper (keeper.py). It is over when it has ended and its output is
closed, a moment later when something it left behind still holds the output, or when its time or its measure of output
is used up; its whole group is killed then. What left the group for a session of its own outlives it, and reaches
nobody's output any more.

Loaded only where something is really started (git, a doctor, an owner's other hook). Nothing here raises for a command
that cannot be run: `code` is None then, and `why` says it.
"""

import posix
from select import POLLIN, POLLOUT, poll
from time import monotonic

from guards.engine import keeper
from guards.engine.world import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINGER = 0.15  # seconds that output may stay open after the command itself has ended
FLOOD = 16 << 20  # bytes after which even a command whose output is only cut is stopped
_PIECE = 65536
_left: "list[int]" = []  # keepers that were let go and have not been seen to end


class Job:
    """One command and what became of it.

    argv, cwd, env (None: this process's own), stdin: what is run
    seconds, limit    its time; bytes of each output that are kept
    whole     output over the limit spoils it, and it is stopped at once; else what is over is dropped
    merged    standard error goes where standard output goes
    code      exit code, negative for a signal; None when it was not there to end, and `why` says what happened
    """

    __slots__ = (
        "argv", "code", "cwd", "end", "ended", "ends", "env", "err", "fed", "got", "keeper", "limit", "merged", "out",
        "pid", "seconds", "size", "stdin", "whole", "why",
    )  # fmt: skip

    def __init__(
        self,
        argv: "list[str]",
        cwd: str,
        seconds: float,
        limit: int,
        env: "dict[str, str] | None" = None,
        stdin: bytes = b"",
        whole: bool = False,
        merged: bool = False,
    ) -> None:
        self.argv, self.cwd, self.env, self.stdin = argv, cwd, env, stdin
        self.seconds, self.limit, self.whole, self.merged = seconds, limit, whole, merged
        self.code: int | None = None
        self.why = ""
        self.out = self.err = b""
        # while it runs
        self.keeper = self.pid = 0
        self.ends: dict[int, str] = {}  # our ends of its pipes → which
        self.got: dict[str, list[bytes]] = {"out": [], "err": [], "status": []}
        self.size = {"out": 0, "err": 0, "status": 0}  # bytes that came, kept or not
        self.fed = memoryview(stdin)
        self.end = self.ended = 0.0


def run(
    argv: "list[str]", cwd: str, seconds: float, limit: int, env: "dict[str, str] | None"
) -> "tuple[int | None, bytes]":
    """One command without input: (exit code, output and error together) or (None, why)."""
    job = Job(argv, cwd, seconds, limit, env, merged=True)
    together([job])
    return (None, encode(job.why)) if job.code is None else (job.code, job.out)


def together(jobs: "list[Job]") -> None:
    """Runs the commands at the same time and fills in what became of each."""
    Band(jobs).wait()


class Band:
    """Commands that run at the same time: started at once, heard when `wait` is called."""

    __slots__ = ("_jobs", "_owner", "_watch")

    def __init__(self, jobs: "list[Job]") -> None:
        self._jobs, self._watch = jobs, poll()
        self._owner: dict[int, Job] = {}
        _bury()
        try:
            for job in jobs:
                _start(job)
                for fd, name in job.ends.items():
                    self._owner[fd] = job
                    if name != "life":
                        self._watch.register(fd, POLLOUT if name == "in" else POLLIN)
        except BaseException:
            self.end()
            raise

    def wait(self) -> None:
        """Serves them until each is over; whatever happens, none of them is left."""
        try:
            while waiting := [job for job in self._jobs if job.ends]:
                until = min([job.ended + LINGER if job.ended else job.end for job in waiting])
                for fd, _ in self._watch.poll(max(0.0, until - monotonic()) * 1000 + 1):
                    if self._owner[fd].ends.get(fd):
                        _serve(self._owner[fd], fd, self._watch)
                for job in waiting:
                    if _over(job):
                        _finish(job, self._watch)
        finally:
            self.end()

    def end(self) -> None:
        for job in self._jobs:
            _finish(job, self._watch)


def find(name: str, path: str) -> str:
    """The file that a command's name stands for on a search path; "" when there is none."""
    if "/" in name:
        return name
    for folder in path.split(":"):
        if folder.startswith("/"):
            try:
                if posix.access(encode(f"{folder}/{name}"), posix.X_OK):
                    return f"{folder}/{name}"
            except (OSError, ValueError):
                continue
    return ""


def _start(job: Job) -> None:
    job.end = monotonic() + job.seconds
    own = posix.environ.get(b"PATH", b"/usr/bin:/bin").decode("utf-8", "surrogateescape")
    path = (job.env or {}).get("PATH") or own
    program = find(job.argv[0], path)
    if not program:
        job.why = "not found"
        return
    theirs: dict[str, int] = {}
    try:
        for name in ("out", "status") if job.merged else ("out", "err", "status"):
            ours, theirs[name] = posix.pipe()
            job.ends[ours] = name
        for name in ("in", "life"):
            theirs[name], ours = posix.pipe()
            job.ends[ours] = name
        job.keeper = posix.fork()
        if job.keeper == 0:
            keeper.keep(job, program, theirs)
        for fd in job.ends:
            posix.set_blocking(fd, False)
    except OSError as fault:
        job.why = (fault.strerror or "could not be started").lower()
        for fd in job.ends:
            posix.close(fd)
        job.ends = {}
    finally:
        for fd in theirs.values():
            posix.close(fd)


def _serve(job: Job, fd: int, watch: "Any") -> None:
    """Moves what can be moved through one of its pipes."""
    name = job.ends[fd]
    try:
        if name == "in":
            job.fed = job.fed[posix.write(fd, job.fed[:_PIECE]) :]
            piece: bytes | memoryview = job.fed
        else:
            piece = posix.read(fd, _PIECE)
    except BlockingIOError:
        return
    except OSError:  # it does not read its input, which is its own business
        piece = b""
    if name != "in" and piece:
        room = _PIECE if name == "status" else job.limit - job.size[name]
        if room > 0:
            job.got[name].append(bytes(piece[:room]))
        job.size[name] += len(piece)
        if name == "status":
            _told(job)
    elif not piece:
        watch.unregister(fd)
        posix.close(fd)
        del job.ends[fd]


def _told(job: Job) -> None:
    """What the keeper has said so far."""
    for line in b"".join(job.got["status"]).split(b"\n")[:-1]:
        word, _, rest = line.partition(b" ")
        if word == b"pid":
            job.pid = int(rest)
        elif word == b"not":
            job.why = "could not be started: " + rest.decode("utf-8", "replace")
        elif word == b"end" and not job.ended:
            job.ended = monotonic()
            job.code = None if job.why else int(rest)


def _over(job: Job) -> bool:
    """Whether there is nothing more to wait for; says why when the command did not end by itself."""
    now = monotonic()
    most = job.limit if job.whole else max(job.limit, FLOOD)
    if max(job.size["out"], job.size["err"]) > most:
        job.code, job.why = None, f"printed more than {most >> 10} KiB"
        return True
    left = job.ends.values()
    if job.ended:
        return now >= min(job.end, job.ended + LINGER) or ("out" not in left and "err" not in left)
    if "status" not in left:
        job.why = job.why or "was cut off: its keeper was killed"
        return True
    if now >= job.end:
        job.why = "ran out of time"
        return True
    return False


def _finish(job: Job, watch: "Any") -> None:
    """Ends the command's group and its keeper; once is enough."""
    if not job.ends:
        return
    if job.pid:  # its number is its own as long as the keeper has not buried it
        keeper.kill(job.pid)
        posix.kill(job.keeper, keeper.KILL)  # a command may have stopped it; one that has not told a number ends itself
    for fd, name in job.ends.items():
        if name != "life":
            try:
                watch.unregister(fd)
            except KeyError:  # it was never watched: the start was cut short
                pass
        posix.close(fd)
    job.ends = {}
    job.out, job.err = b"".join(job.got["out"]), b"".join(job.got["err"])
    _left.append(job.keeper)


def _bury() -> None:
    """Keepers end by themselves a moment after they were let go; nobody waits for them but the next caller."""
    for pid in list(_left):
        try:
            if posix.waitpid(pid, posix.WNOHANG)[0]:
                _left.remove(pid)
        except ChildProcessError:
            _left.remove(pid)
