"""What the owner switched off: the expiring pause file and GUARDS_OFF. Neither frees a sealed or exact path."""

from time import time

from guards.engine.world import read_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

NONE: "frozenset[str]" = frozenset()
ALL = frozenset(("all",))
LONGEST = 86400.0 * 7  # seconds of a pause
_ALL_WORDS = ("off", "0", "false", "no", "all")


def pause(world: "World") -> "tuple[float, str]":
    """(epoch seconds until which the owner paused the guards, why); (0.0, "") when not, or no longer.

    The file gives permission, so nobody else may be able to write it.
    """
    word, _, why = (read_ours(world.places["state"] + "/pause", 4096) or b"").partition(b"\n")
    try:
        until = float(word)
    except ValueError:
        return 0.0, ""
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
