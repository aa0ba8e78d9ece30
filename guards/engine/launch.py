"""Was the harness itself launched with this variable?

A project's settings can put variables into the environment of the owner's hooks, so a variable that frees or runs
something counts only when the harness's own start environment holds the same value (where /proc shows it) and no
settings file of the project names it. Cannot be seen: it does not count.
"""

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# what stands between a harness and its hook: shells, and guards' own fence
_BETWEEN = (b"sh", b"bash", b"dash", b"zsh", b"ash", b"busybox", b"bwrap")
_DEPTH = 8
SETTINGS = (
    ".claude/settings.json", ".claude/settings.local.json", ".codex/config.toml", ".gemini/settings.json",
    ".gemini/.env", ".env", ".cursor/hooks.json", ".cursor/environment.json", ".github/hooks/hooks.json",
)  # fmt: skip
_LIMIT = 1 << 20


def vouches(name: str, value: bytes, project: str, read: "Callable[[str, int], bytes | None]") -> bool:
    """Whether `name`, seen with `value` in the hook's environment, is the owner's own."""
    started = start_environment()
    if started is not None and started.get(name.encode()) != value:
        return False
    return not named_by_project(name, project, read)


def named_by_project(name: str, project: str, read: "Callable[[str, int], bytes | None]") -> str:
    """The project settings file that mentions the variable, or ""."""
    if not project:
        return ""
    for place in SETTINGS:
        text = read(f"{project}/{place}", _LIMIT)
        if text is not None and name.encode() in text:
            return place
    return ""


def start_environment() -> "dict[bytes, bytes] | None":
    """The environment the harness was started with; None where the kernel does not show it."""
    pid = posix.getppid()
    for _ in range(_DEPTH):
        status = _slurp(f"/proc/{pid}/stat")
        if status is None:
            return None
        comm = status[status.find(b"(") + 1 : status.rfind(b")")]
        if comm not in _BETWEEN:
            data = _slurp(f"/proc/{pid}/environ")
            return None if data is None else _parse(data)
        pid = int(status[status.rfind(b")") + 2 :].split()[1])
    return None


def _parse(data: bytes) -> "dict[bytes, bytes]":
    found: dict[bytes, bytes] = {}
    for item in data.split(b"\0"):
        key, mark, value = item.partition(b"=")
        if mark:
            found.setdefault(key, value)
    return found


def _slurp(path: str) -> bytes | None:
    """A file of /proc, whole."""
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    chunks: list[bytes] = []
    try:
        while piece := posix.read(fd, 1 << 16):
            chunks.append(piece)
    except OSError:
        return None
    finally:
        posix.close(fd)
    return b"".join(chunks)
