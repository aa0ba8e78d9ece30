"""A text too long to be shown: its file, and the read calls that together return the whole of it."""

from guards.engine.spilling import ranges
from guards.engine.state import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World


def place(world: "World", name: str) -> str:
    """Where the session keeps a text that must be read; "" without a session."""
    folder = world.session.folder
    return f"{folder}/required/{escape(name)}.md" if folder else ""


def pointer(path: str, text: str, what: str) -> str:
    """The pointer to a file that holds `text`."""
    calls = [f"Read {path} offset {first} limit {count}" for first, count in ranges(text)]
    return f"{what}: {len(text):,} characters, too long to show here. read it whole before going on:\n" + "\n".join(
        calls
    )
