"""A bounded command: own session, no input, output cut, killed with its whole group when its time is up.

Loaded only where a guard really starts something (git, a doctor). Never raises: (None, reason) when it could not run.
"""

import posix
from select import select
from time import monotonic, sleep

from guards.engine.world import encode

KILL = 9
_NULL = b"/dev/null"


def run(
    argv: "list[str]", cwd: str, seconds: float, limit: int, env: "dict[str, str] | None"
) -> "tuple[int | None, bytes]":
    """(exit code, output) or (None, why). Times in seconds, limit in bytes of output kept."""
    program = _find(argv[0], env)
    if program is None:
        return None, b"not found"
    try:
        reader, writer = posix.pipe()
    except OSError as fault:
        return None, str(fault.strerror).encode()
    pid = posix.fork()
    if pid == 0:
        _start(program, argv, cwd, writer, env)
    posix.close(writer)
    end = monotonic() + seconds
    try:
        output, ended = _collect(reader, end, limit)
    except BaseException:
        _kill(pid)
        posix.waitpid(pid, 0)
        raise
    finally:
        posix.close(reader)
    status = _reap(pid, end) if ended else None
    _kill(pid)  # the command itself when its time is up, and what it left running in its group
    if status is None:
        posix.waitpid(pid, 0)
        return None, b"ran out of time"
    code = posix.waitstatus_to_exitcode(status)
    return (None, b"could not be started") if code == 127 and not output else (code, output)


def _find(name: str, env: "dict[str, str] | None") -> bytes | None:
    if "/" in name:
        return encode(name)
    path = (env or {}).get("PATH") or posix.environ.get(b"PATH", b"/usr/bin:/bin").decode("utf-8", "surrogateescape")
    for folder in path.split(":"):
        if folder.startswith("/"):
            candidate = encode(f"{folder}/{name}")
            try:
                if posix.access(candidate, posix.X_OK):
                    return candidate
            except (OSError, ValueError):
                continue
    return None


def _start(program: bytes, argv: "list[str]", cwd: str, writer: int, env: "dict[str, str] | None") -> None:
    try:
        posix.setsid()
        null = posix.open(_NULL, posix.O_RDWR)
        posix.dup2(null, 0)
        posix.dup2(writer, 1)
        posix.dup2(writer, 2)
        posix.chdir(encode(cwd))
        given = dict(posix.environ) if env is None else {encode(k): encode(v) for k, v in env.items()}
        posix.execve(program, [encode(a) for a in argv], given)
    finally:
        posix._exit(127)


def _reap(pid: int, end: float) -> int | None:
    """The wait status of a command that closed its output; None when it is still there at the end of its time."""
    while True:
        done, status = posix.waitpid(pid, posix.WNOHANG)
        if done:
            return status
        if monotonic() >= end:
            return None
        sleep(0.002)


def _collect(reader: int, end: float, limit: int) -> "tuple[bytes, bool]":
    """Everything up to end of file or the end of time; bytes over the limit are read and dropped."""
    chunks: list[bytes] = []
    got = 0
    while True:
        left = end - monotonic()
        if left <= 0 or not select([reader], [], [], left)[0]:
            return b"".join(chunks), False
        piece = posix.read(reader, 65536)
        if not piece:
            return b"".join(chunks), True
        if got < limit:
            chunks.append(piece[: limit - got])
            got += len(piece)


def _kill(pid: int) -> None:
    try:
        posix.killpg(pid, KILL)
    except OSError:
        return
