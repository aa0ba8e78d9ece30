"""Which paths the fence mounts for a command in this folder, and in which way.

The lanes of the repository around it, of its worktrees and of the policy's further roots, and the machine's own paths
(guards/lanes/holding.py); the programs the fence itself is made of, where the user could write them; the folders above
all of these; and every other place where the same file system shows the same paths.
"""

import posix

from guards.engine.event import Event
from guards.engine.world import encode, is_dir, is_file, read_fd
from guards.fence.bubble import Refused, tools
from guards.lanes import around, holding, paths, planning, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World

    Mount = tuple[str, bytes]

_WAYS = {"hold": "ro", "free": "rw", "stay": "pin"}
_BINDS = {"ro": "ro", "rw": "rw", "pin": "rw", "null": "null"}


def mounts(world: "World", event: "Event", fence: "dict[str, Any]") -> "list[Mount]":
    """(ro | rw | null, path), a folder before what lies in it. Raises `Refused` when there are too many."""
    plan = found(world, event, fence).plan
    made = {standing.raw(path): _WAYS[kind] for kind, path in plan if _mountable(path)}
    for path in tools().values():
        if _writable(path):
            made.setdefault(encode(paths.walk(path).real or path), "ro")
    for path in _closed(world, fence):
        made[standing.raw(path)] = "null"
    _twins(made)
    for held in list(made):
        _above(held, made)
    out = [(_BINDS[made[path]], path) for path in sorted(made) if not _covered(path, made)]
    if len(out) > fence["paths"]:
        raise Refused(f"{len(out)} paths would have to be held, and policy/fence.toml allows {fence['paths']} (paths)")
    return out


def found(world: "World", event: "Event", fence: "dict[str, Any]", keep: bool = True) -> planning.Found:
    """What must not change, for a command in the event's folder."""
    rules = world.rules("human-lane")
    if rules is None:
        return planning.Found([], [])
    try:
        return holding.Search(world, event, rules, fence).run(around.tops(event, world, fence), keep)
    except standing.TooMany as fault:
        raise Refused(f"{fault}, more than policy/fence.toml lets it search (folders = {fence['folders']})") from fault


def _closed(world: "World", fence: "dict[str, Any]") -> "list[str]":
    """Existing sockets and devices that are to be out of reach."""
    rules = world.rules("human-lane")
    if not fence["closed"] or rules is None:
        return []
    from guards.lanes import find, tree

    look = find.Look(Event("", "before-tool", {}), world, rules)
    named = [path for _, tokens in fence["closed"] for path in tree.existing(look, "/", tokens)]
    real = [paths.walk(path).real or path for path in named]
    return [path for path in real if not is_dir(world.lstat(path))]


def _mountable(path: str) -> bool:
    """A file or a folder; a link is no place for a mount, and what other things are is not written."""
    try:
        info = posix.lstat(standing.raw(path))
    except OSError:
        return False
    return is_dir(info) or (is_file(info) and _at_risk(path, info))


def _at_risk(path: str, info: "posix.stat_result") -> bool:
    """Whether this user could change the file or put another in its place."""
    me = posix.geteuid()
    return me == 0 or info.st_uid == me or posix.access(standing.raw(path), posix.W_OK) or _writable_folder(path)


def _writable_folder(path: str) -> bool:
    return posix.access(standing.raw(path.rpartition("/")[0] or "/"), posix.W_OK)


def _writable(path: str) -> bool:
    real = paths.walk(path).real or path
    return posix.access(encode(real), posix.W_OK) or _writable_folder(real)


def _above(path: bytes, made: "dict[bytes, str]") -> None:
    """The folders above whose name this user could change: a mount point can be neither moved nor removed."""
    me = posix.geteuid()
    while True:
        path = path.rpartition(b"/")[0]
        if not path or path in made:
            return
        above = path.rpartition(b"/")[0] or b"/"
        if me == 0 or posix.stat(above).st_uid == me or posix.access(above, posix.W_OK):
            made[path] = "pin"


def _covered(path: bytes, made: "dict[bytes, str]") -> bool:
    """Whether the mounts above already do it: in a held folder nothing is moved, and nothing needs to be held again."""
    return made[path] in ("ro", "pin") and _state(path, made) == "ro"


def _state(path: bytes, made: "dict[bytes, str]") -> str:
    """What the nearest mount above that says so makes of a path: ro or rw."""
    while path:
        path = path.rpartition(b"/")[0]
        if made.get(path) in ("ro", "rw"):
            return made[path]
    return "rw"


def _twins(made: "dict[bytes, str]") -> None:
    """The same paths where the same file system is mounted a second time."""
    table = _mounted()
    for path, kind in list(made.items()):
        at = [row for row in table if path == row[2] or path.startswith(row[2].rstrip(b"/") + b"/")]
        if kind == "pin" or not at:
            continue
        longest = max([len(row[2]) for row in at])
        device, root, point = [row for row in at if len(row[2]) == longest][-1]
        inside = root.rstrip(b"/") + path[len(point.rstrip(b"/")) :]
        for other, base, place in table:
            if other == device and (inside == base or inside.startswith(base.rstrip(b"/") + b"/")):
                twin = place.rstrip(b"/") + inside[len(base.rstrip(b"/")) :]
                if twin not in made and _same(twin, path):
                    made[twin] = kind


def _mounted() -> "list[tuple[bytes, bytes, bytes]]":
    """(device, folder of it, where) of every mount, if some device is mounted more than once."""
    fd = posix.open("/proc/self/mountinfo", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        data = read_fd(fd, 4 << 20)
    finally:
        posix.close(fd)
    rows = [line.split(b" ", 5) for line in data.split(b"\n") if line]
    seen = [row[2] for row in rows]
    return [(row[2], _plain(row[3]), _plain(row[4])) for row in rows if seen.count(row[2]) > 1]


def _plain(text: bytes) -> bytes:
    """A path as the kernel writes it there, with four characters as octal numbers."""
    for code, char in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        text = text.replace(code, char)
    return text


def _same(one: bytes, other: bytes) -> bool:
    try:
        a, b = posix.lstat(one), posix.lstat(other)
    except OSError:
        return False
    return (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
