"""One command inside the fence: paths are looked up, the walls put up, and failures answered as policy says."""

import posix
import sys

from guards.engine import tables
from guards.engine.event import Event
from guards.engine.state import Session
from guards.engine.world import World, encode
from guards.fence import bubble, protect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

REFUSED = 126


def run(install: str, line: "list[bytes]", text: bytes, environ: "dict[bytes, bytes]") -> "NoReturn":
    """Becomes the command. Where policy switched the fence off, without it; a hook line of the owner's likewise."""
    places: dict[str, str] = {}
    fence: dict[str, Any] | None = None
    helper: bubble.Helper | None = None
    try:
        places = _places(install)
        world = World(places, Session("", ""), environ)
        world.tables = tables.load(places)
        fence = world.rules("fence")
        if fence is None or _outside(text, fence, environ):
            become(line, environ)
        helper = bubble.Helper()
        event = here()
        world.project = project(event.cwd)
        helper.enter(protect.mounts(world, event, fence), line, environ)
    except (bubble.Refused, tables.NoTables, OSError, ValueError, LookupError) as fault:
        if helper is not None:
            helper.leave()
        _failed(places, fence, str(fault) or type(fault).__name__, line, environ)


def here() -> Event:
    """An event that stands for the command: where it runs is all that is known of it."""
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = posix.getcwdb().decode("utf-8", "surrogateescape")
    return event


def project(otherwise: str) -> str:
    """Where the harness runs that started this: a command before may have left the folder that the session is about."""
    try:
        return posix.readlink(b"/proc/%d/cwd" % posix.getppid()).decode("utf-8", "surrogateescape")
    except OSError:
        return otherwise


def _outside(text: bytes, fence: "dict[str, Any]", environ: "dict[bytes, bytes]") -> bool:
    """Whether this is a hook's line that the owner wants outside. Only hooks are started with CLAUDE_PROJECT_DIR."""
    return b"CLAUDE_PROJECT_DIR" in environ and text in [encode(line) for line in fence["outside"]]


def _failed(
    places: "dict[str, str]",
    fence: "dict[str, Any] | None",
    why: str,
    line: "list[bytes]",
    environ: "dict[bytes, bytes]",
) -> "NoReturn":
    """Said and journaled; then the command runs without the fence only where policy says so."""
    runs = fence is not None and fence["on_failure"] == "run"
    what = "the command runs without it" if runs else "the command was not run"
    sys.stderr.write(
        f"guards: the fence could not be put up: {why}. {what} (policy/fence.toml: on_failure ="
        f' "{"run" if runs else "refuse"}"; guards doctor says more).\n'
    )
    sys.stderr.flush()
    if places.get("state"):
        from guards.engine import journal

        said = {"event": "command", "guard": "fence", "verdict": "unfenced" if runs else "refused", "why": why}
        journal.record(places["state"], said)
    if runs:
        become(line, environ)
    posix._exit(REFUSED)


def become(line: "list[bytes]", environ: "dict[bytes, bytes]") -> "NoReturn":
    """The command itself, found on its own search path."""
    for path in candidates(line[0], environ):
        try:
            posix.execve(path, line, environ)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
    sys.stderr.write(f"guards: {line[0].decode('utf-8', 'replace')}: command not found\n")
    sys.stderr.flush()
    posix._exit(127)


def candidates(name: bytes, environ: "dict[bytes, bytes]") -> "list[bytes]":
    if b"/" in name:
        return [name]
    return [(folder or b".") + b"/" + name for folder in environ.get(b"PATH", b"/usr/bin:/bin").split(b":")]


def _places(install: str) -> "dict[str, str]":
    """The record beside the code, written at install."""
    from guards.engine import packages

    try:
        fd = posix.open(encode(install + "/places"), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            places = _flat(posix.read(fd, 1 << 16))
        finally:
            posix.close(fd)
    except (OSError, ValueError) as fault:
        raise bubble.Refused(f"{install}/places cannot be read; run make install in the checkout") from fault
    places["install"] = install
    packages.path = places.get("packages", "")
    return places


def _flat(data: bytes) -> "dict[str, str]":
    """A JSON object of texts. As the installer writes it, without an escape in it, it is cut at its quotes: loading the
    scanner costs every command as much as reading the policy."""
    pieces = data.decode("utf-8").split('"')
    between = [piece.strip() for piece in pieces[::2]]
    count = len(pieces) // 4
    if b"\\" not in data and between == ["{", *[":", ","] * count][:-1] + ["}"]:
        return dict(zip(pieces[1::4], pieces[3::4], strict=True))
    from guards.engine.input import Unreadable, parse

    try:
        return parse(data)
    except Unreadable as fault:
        raise ValueError(str(fault)) from fault
