"""What a text is, and who runs it: guards' own hook lines as they are, everything else inside the fence.

Hooks in shell form come through the prefix like a tool's commands. Guards' own must judge from outside: a text that is,
to the letter, one of the lines recorded at install runs without the fence. A tool's command never is one, since the
harness hands it over as `source SNAPSHOT … && eval '…'`; and whoever wrote such a line elsewhere would only start a
guard.
"""

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

RECORD = "fence"  # in the install folder: the lines that run outside, one a line


def run(install: str, argv: "list[str]") -> "NoReturn":
    """Becomes the command, fenced or, for a recorded line, as it is."""
    environ = _environ()
    _defaults()
    text = _bytes(argv[0]) if argv else b""
    command = [_bytes(word) for word in argv[1:]] if argv[:1] == ["--"] else []
    if not command and text in recorded(install):
        posix.execve(b"/bin/sh", [b"/bin/sh", b"-c", text], environ)
    line = command or [_shell(text, environ), b"-c", text]
    from guards.fence import inside

    inside.run(install, line, text, environ)


def recorded(install: str) -> "frozenset[bytes]":
    """Guards' own wired lines, as the installer wrote them; a file that others could write counts for nothing."""
    from guards.engine.world import read_ours

    data = read_ours(install + "/" + RECORD, 1 << 16) or b""
    return frozenset([line for line in data.split(b"\n") if line.endswith(b"# guards:managed")])


def _shell(text: bytes, environ: "dict[bytes, bytes]") -> bytes:
    """The shell that the harness itself would have used: bash or zsh for a tool's command, sh for anything else."""
    first = text.partition(b" && ")[0]
    if not (first.startswith(b"source ") or b" && pwd -P >| " in text):
        return b"/bin/sh"
    kind = b"zsh" if b"/snapshot-zsh-" in first else b"bash" if b"/snapshot-bash-" in first else b""
    for name in (b"CLAUDE_CODE_SHELL", b"SHELL"):
        own = environ.get(name, b"")
        if own.rpartition(b"/")[2] in ([kind] if kind else [b"bash", b"zsh"]):
            return own
    return kind or b"bash"


def _bytes(word: str) -> bytes:
    return word.encode(sys.getfilesystemencoding(), "surrogateescape")


def _environ() -> "dict[bytes, bytes]":
    """The environment this process was started with: the interpreter may have added a locale to its own copy."""
    try:
        fd = posix.open("/proc/self/environ", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return dict(posix.environ)
    data = b""
    while piece := posix.read(fd, 1 << 16):
        data += piece
    posix.close(fd)
    return {name: value for name, mark, value in [item.partition(b"=") for item in data.split(b"\0")] if mark}


def _defaults() -> None:
    """Signals that the interpreter ignores for itself; the command gets them as it would have."""
    from _signal import SIG_DFL, SIGPIPE, SIGXFSZ, signal

    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
