"""Paths refused in this session, with their times: what a guard that refuses a path remembers, and who asks for it."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World
    from guards.lanes.hits import Hit

NAME = "refused"


def marks(hit: "Hit") -> "tuple[tuple[str, str, str], ...]":
    """What to remember of a path that is refused; kept only when the refusal is delivered."""
    return (("add", NAME, f"{int(time.time())} {hit.path}"),) if hit.action == "deny" else ()


def recent(world: "World", seconds: int) -> "set[str]":
    """The paths refused within the last `seconds`."""
    if seconds <= 0:
        return set()
    since = time.time() - seconds
    found = set()
    for record in world.session.records(NAME):
        when, _, path = record.partition(" ")
        if path and when.isdigit() and int(when) >= since:
            found.add(path)
    return found
