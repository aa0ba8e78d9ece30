"""What stands between the hook and a command it runs: a fork in a session of its own, the command's parent.

It starts the command in another session, tells the hook how it went, and stays until the hook lets go of it: then it
kills whatever is left in the command's group. So a command that kills its own group, or its parent's, reaches no other
command and not the hook; and when the harness kills the hook, its commands do not live on.
"""

import posix
from _signal import SIG_DFL, SIGALRM, SIGPIPE, SIGVTALRM, signal
from select import select
from time import monotonic

from guards.engine.world import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.child import Job

KILL = 9
_CANNOT = 126  # what the command's own process leaves with when it could not become the command
_MOST = 4096  # descriptors a hook can have open; far more than it ever has
_LOOK = 0.01  # seconds between two looks at the command where the kernel has no pidfd
_EXITED = 1  # si_code of a command that ended by itself


def keep(job: "Job", program: str, fds: "dict[str, int]") -> None:
    """Never returns. `fds`: in, out, err (unless merged), status, life, each the far end of the hook's."""
    try:
        for number in (SIGALRM, SIGVTALRM):
            signal(number, SIG_DFL)  # the hook's clocks do not run here
        posix.setsid()
        null = posix.open(b"/dev/null", posix.O_RDWR)
        for number in (0, 1, 2):  # a keeper that lives on must not hold the harness's streams open
            posix.dup2(null, number)
        last = 2
        for fd in [*sorted(fds.values()), _MOST]:  # the ends of other commands must not stay open because of this one
            posix.closerange(last + 1, fd)
            last = fd
        pid = posix.fork()
        if pid == 0:
            _become(job, program, fds)
        for name in ("in", "out", "err"):
            if name in fds:
                posix.close(fds[name])
        _stay(pid, fds, monotonic() + job.seconds + 2)
    finally:
        posix._exit(0)


def _become(job: "Job", program: str, fds: "dict[str, int]") -> None:
    """Turns this process into the command. Never returns."""
    try:
        posix.setsid()
        posix.write(fds["status"], b"pid %d\n" % posix.getpid())  # before it runs: it may kill its keeper first of all
        signal(SIGPIPE, SIG_DFL)  # Python ignores it, and a command would inherit that
        for number, name in ((0, "in"), (1, "out"), (2, "out" if job.merged else "err")):
            posix.dup2(fds[name], number)
        posix.chdir(encode(job.cwd))
        env = posix.environ if job.env is None else {encode(k): encode(v) for k, v in job.env.items()}
        posix.execve(encode(program), [encode(word) for word in job.argv], env)
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "a word of it holds a NUL"
        posix.write(fds["status"], b"not %s\n" % encode((why or "").lower()))
    finally:
        posix._exit(_CANNOT)


def _stay(pid: int, fds: "dict[str, int]", end: float) -> None:
    """Until the hook lets go, or long after the command's time."""
    try:
        pidfd = posix.pidfd_open(pid)
    except (AttributeError, OSError):
        pidfd = -1
    told = False
    while (left := end - monotonic()) > 0:
        watched = [fds["life"]] if told or pidfd < 0 else [fds["life"], pidfd]
        if fds["life"] in select(watched, [], [], left if told or pidfd >= 0 else min(left, _LOOK))[0]:
            break
        if not told and (code := _ended(pid)) is not None:
            posix.write(fds["status"], b"end %d\n" % code)
            told = True
    kill(pid)


def _ended(pid: int) -> int | None:
    """The command's exit code (negative for a signal) once it has ended. It is not reaped, so that its number stays its
    own until its group was killed; where the system cannot look without reaping, it is."""
    if not hasattr(posix, "waitid"):
        done, status = posix.waitpid(pid, posix.WNOHANG)
        return posix.waitstatus_to_exitcode(status) if done else None
    seen = posix.waitid(posix.P_PID, pid, posix.WEXITED | posix.WNOHANG | posix.WNOWAIT)
    if seen is None:
        return None
    return seen.si_status if seen.si_code == _EXITED else -seen.si_status


def kill(pid: int) -> None:
    """The command's whole group."""
    try:
        posix.killpg(pid, KILL)
    except OSError:
        return
