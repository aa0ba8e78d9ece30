"""A note too long for the harness's cap goes to a file of the session; the note then points to it with read ranges."""

import posix

from guards.engine.state import escape, make_dirs
from guards.engine.world import World, encode

# Lines one read call returns whole in Claude Code, and bytes it takes before it cuts by tokens.
READ_LINES = 2000
READ_BYTES = 55 << 10


def save(path: str, text: str) -> bool:
    """Writes the file whole (0600, its folder 0700), by temporary name and rename; False when it cannot be."""
    return save_bytes(path, encode(text))


def save_bytes(path: str, data: bytes) -> bool:
    """The same for bytes."""
    part = f"{path}.{posix.getpid()}"
    try:
        make_dirs(path.rpartition("/")[0])
        fd = posix.open(encode(part), posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[posix.write(fd, view) :]
        finally:
            posix.close(fd)
        posix.rename(encode(part), encode(path))
    except OSError:
        return False
    return True


def spill(world: World, name: str, text: str) -> str:
    """Writes the text to the session's notes; gives back the pointer to show instead, or ""."""
    folder = world.session.folder
    if not folder or world.session.frozen:
        return ""
    path = f"{folder}/notes/{escape(name)}.md"
    if not save(path, text):
        return ""
    return f"too long to show here ({len(text)} characters); read it whole before going on:\n" + "\n".join(
        f"Read {path} offset {first} limit {count}" for first, count in ranges(text)
    )


def ranges(text: str) -> "list[tuple[int, int]]":
    """(first line, number of lines) of read calls that together return the whole text."""
    found: list[tuple[int, int]] = []
    first, size, count = 1, 0, 0
    for line in text.split("\n"):
        length = len(line.encode("utf-8", "replace")) + 1
        if count and (count >= READ_LINES or size + length > READ_BYTES):
            found.append((first, count))
            first, size, count = first + count, 0, 0
        size += length
        count += 1
    found.append((first, count))
    return found
