"""Which files of a repository git tracks, read from its index without git (whose own settings can start programs).

Only asked when a call removes or moves a folder. An index that cannot be read answers None, and then only anchored
lanes hold for what lies in that folder.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

LIMIT = 64 << 20  # bytes; an index of half a million files
FILES_MAX = 20_000  # files of one folder that are looked at
_HEAD = 40  # bytes of an entry before the hash


def below(world: "World", root: str, prefix: str) -> "list[str] | None":
    """Tracked paths of the repository at `root` beneath `prefix` ("" is the root itself), relative to the root."""
    git = folder(world, root)
    data = world.read(git + "/index", LIMIT)
    if data is None or len(data) > LIMIT or data[:4] != b"DIRC":
        return None
    wanted = prefix.encode("utf-8", "surrogateescape") + b"/" if prefix else b""
    for size in (20, 32):
        try:
            found = _entries(data, size, wanted)
        except IndexError:
            found = None
        if found is not None:
            return [name.decode("utf-8", "surrogateescape") for name in found]
    return None


def folder(world: "World", root: str) -> str:
    """Where the repository's own files lie: `.git`, or what a linked worktree's or submodule's `.git` names."""
    data = world.read(root + "/.git", 4096)
    if data is None or not data.startswith(b"gitdir:"):
        return root + "/.git"
    named = data[7:].strip().decode("utf-8", "surrogateescape")
    return named if named.startswith("/") else root + "/" + named


def _entries(data: bytes, size: int, wanted: bytes) -> "list[bytes] | None":
    """The names below `wanted`; None when the file is not laid out with hashes of this size."""
    version = int.from_bytes(data[4:8], "big")
    count = int.from_bytes(data[8:12], "big")
    if version not in (2, 3, 4):
        return None
    at = 12
    last = b""
    found: list[bytes] = []
    for _ in range(count):
        start = at
        flags = at + _HEAD + size
        at = flags + 2
        if at > len(data):
            return None
        if data[flags] & 0x40:
            at += 2
        if version == 4:
            cut, at = _varint(data, at)
            end = data.find(b"\0", at)
            name = last[: len(last) - cut] + data[at:end]
            at = end + 1
        else:
            end = data.find(b"\0", at)
            name = data[at:end]
            at = start + (end - start + 8) // 8 * 8
        told = (data[flags] & 0x0F) << 8 | data[flags + 1]
        if end < 0 or not name or name < last or told != min(len(name), 0xFFF):
            return None
        last = name
        if name.startswith(wanted):
            found.append(name)
            if len(found) >= FILES_MAX:
                break
    return found


def _varint(data: bytes, at: int) -> "tuple[int, int]":
    """An offset as git writes it."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1
