"""The fence's hot program: `prefix.py TEXT` runs a shell text, `prefix.py -- COMMAND …` one command, inside the fence.

Claude Code starts every shell command through it (CLAUDE_CODE_SHELL_PREFIX), hooks in shell form too. Guards' own hooks
must judge from outside: a text that is, to the letter, one of the lines recorded at install runs without the fence.
A tool's command never is, since the harness hands it over as `source SNAPSHOT … && eval '…'`. Whatever cannot be done
refuses with a sentence (exit 126), or, where policy says `on_failure = "run"`, is said and journaled: never in silence.
"""

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

ROOMS = ("", ".engine", ".harness", ".lanes", ".shell", ".knowledge", ".compile", ".compile.policies", ".fence")
REFUSED = 126  # as a shell says that a program is there and cannot be run
RECORD = "fence"  # in the install folder: the lines that run outside, one a line


def _main(argv: "list[str]") -> "NoReturn":
    code = argv[0].rpartition("/fence/")[0] or "."
    module = type(sys)
    for room in ROOMS:
        package = module("guards" + room)
        package.__path__ = [code + room.replace(".", "/")]
        sys.modules["guards" + room] = package
    from guards.engine.loader import Loader

    sys.meta_path.insert(0, Loader(code))
    install = code.rpartition("/")[0] or "."
    run(install, argv[1:])


def run(install: str, argv: "list[str]") -> "NoReturn":
    """Becomes the command, fenced or, for a recorded line, as it is."""
    environ = _environ()
    _defaults()
    text = _bytes(argv[0]) if argv else b""
    command = [_bytes(word) for word in argv[1:]] if argv[:1] == ["--"] else []
    if not command and text in recorded(install):
        _become([b"/bin/sh", b"-c", text], environ)
    line = command or [*_shell(text, environ), b"-c", text]
    from guards.fence import inside

    inside.run(install, line, text, environ)


def recorded(install: str) -> "frozenset[bytes]":
    """Guards' own wired lines, as the installer wrote them; a file that others could write counts for nothing."""
    try:
        fd = posix.open(install + "/" + RECORD, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return frozenset()
    try:
        info = posix.fstat(fd)
        ours = info.st_uid in (posix.geteuid(), 0) and info.st_mode & 0o170022 == 0o100000  # a file only we write
        data = posix.read(fd, 1 << 16) if ours else b""
    finally:
        posix.close(fd)
    return frozenset([line for line in data.split(b"\n") if line.endswith(b"# guards:managed")])


def _shell(text: bytes, environ: "dict[bytes, bytes]") -> "list[bytes]":
    """The shell that the harness would have used: the snapshot of a tool's command names it, hooks run under sh."""
    if b"CLAUDE_PROJECT_DIR" in environ or not text.startswith(b"source "):
        own = environ.get(b"SHELL", b"")
        tool = text.rstrip().rpartition(b" && pwd -P >| ")[1]
        return [own] if tool and own.rpartition(b"/")[2] in (b"bash", b"zsh") else [_bash() if tool else b"/bin/sh"]
    if b"/snapshot-zsh-" in text.partition(b" && ")[0]:
        own = environ.get(b"SHELL", b"")
        return [own if own.endswith(b"/zsh") else b"zsh"]
    return [_bash()]


def _bash() -> bytes:
    for path in ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash"):
        if posix.access(path, posix.X_OK):
            return path.encode()
    return b"bash"


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


def _become(line: "list[bytes]", environ: "dict[bytes, bytes]") -> "NoReturn":
    posix.execve(line[0], line, environ)


if __name__ == "__main__":
    try:
        _main(sys.argv)
    except BaseException as fault:
        if isinstance(fault, SystemExit):
            raise
        sys.stderr.write(
            f"guards: the fence could not be put up ({type(fault).__name__}: {fault}), so the command was not run. the"
            " owner can see why with guards doctor, or take the fence out with guards uninstall.\n"
        )
        sys.stderr.flush()
        posix._exit(REFUSED)
