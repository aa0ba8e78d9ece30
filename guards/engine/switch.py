"""What the owner switched off: the expiring pause file and GUARDS_OFF. Neither frees a sealed or exact path."""

import posix
from time import time

from guards.engine.world import encode, is_file, read_fd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

NONE: "frozenset[str]" = frozenset()
ALL = frozenset(("all",))
LONGEST = 86400.0 * 7  # seconds of a pause
_FLAGS = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
_ALL_WORDS = ("off", "0", "false", "no", "all")


def pause(world: "World") -> "tuple[float, str]":
    """(epoch seconds until which the owner paused the guards, why); (0.0, "") when not, or no longer.

    The file gives permission: it counts when it is ours or root's and nobody else may write it, by its open handle.
    """
    try:
        fd = posix.open(encode(world.places["state"] + "/pause"), _FLAGS)
    except (OSError, ValueError):
        return 0.0, ""
    try:
        info = posix.fstat(fd)
        if not is_file(info) or info.st_uid not in (posix.geteuid(), 0) or info.st_mode & 0o022:
            return 0.0, ""
        word, _, why = read_fd(fd, 4096).partition(b"\n")
        until = float(word)
    except (OSError, ValueError):
        return 0.0, ""
    finally:
        posix.close(fd)
    if not time() < until <= time() + LONGEST:
        return 0.0, ""
    return until, why.partition(b"\n")[0].decode("utf-8", "replace").strip()


def paused_until(world: "World") -> float:
    """Epoch seconds until which the owner paused the guards; 0.0 when not (or no longer)."""
    return pause(world)[0]


def switched_off(world: "World") -> "frozenset[str]":
    """The guards that are off, or ALL."""
    if paused_until(world):
        return ALL
    value = world.env("GUARDS_OFF")
    if not value:
        return NONE
    words = frozenset([word.strip().lower().replace("_", "-") for word in value.split(",")]) - {""}
    return ALL if any(word in words for word in _ALL_WORDS) else words
