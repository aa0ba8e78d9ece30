"""What the owner switched off: the expiring pause file and GUARDS_OFF. Neither frees a sealed or exact path."""

from time import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

NONE: "frozenset[str]" = frozenset()
ALL = frozenset(("all",))
_ALL_WORDS = ("off", "0", "false", "no", "all")


def paused_until(world: "World") -> float:
    """Epoch seconds until which the owner paused the guards; 0.0 when not (or no longer)."""
    info = world.lstat(world.places["state"] + "/pause")
    if info is None or info.st_uid not in (info.st_uid and _me(), 0) or info.st_mode & 0o022:
        return 0.0
    data = world.read(world.places["state"] + "/pause", 4096) or b""
    word = data.split(b"\n", 1)[0].strip()
    try:
        until = float(word)
    except ValueError:
        return 0.0
    return until if time() < until <= time() + 86400 * 7 else 0.0


def _me() -> int:
    import posix

    return posix.geteuid()


def switched_off(world: "World") -> "frozenset[str]":
    """The guards that are off, or ALL."""
    if paused_until(world):
        return ALL
    value = world.env("GUARDS_OFF")
    if not value:
        return NONE
    words = frozenset([word.strip().lower().replace("_", "-") for word in value.split(",")]) - {""}
    return ALL if any(word in words for word in _ALL_WORDS) else words
