"""What stands in lanes below a folder: the existing paths whose own name some pattern reaches, found by a walk.

Each folder's answer is kept with the folder's change time (which, unlike its modification time, nobody can set back),
so a second look costs one stat per folder. A folder that changed a moment ago is looked at again next time: a clock
ticks too slowly to tell. Folders of other people's code (`skip`) are not entered, but what git tracks in them counts.
More folders than `most`: `TooMany`, and the caller says so; nothing is ever left out in silence.
"""

import posix
from time import time_ns

from guards.engine.world import encode, is_dir
from guards.lanes import paths, patterns
from guards.lanes.find import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.lanes.find import Look

    # whether it lies in a lane, and how deep the roots above it are
    Frame = tuple[bool, tuple[int, ...]]
    # change time, names in lanes, folders to enter, holds a .git, frame
    Known = tuple[int, tuple[str, ...], tuple[str, ...], bool, Frame]
    Folders = dict[str, Known]

RACY = 100_000_000  # ns: a folder that changed less long ago than this may change again at the same time
INDEX_MAX = 64 << 20  # bytes of git's index
_DATABASE = ("objects", "refs", "logs", "lfs", "rr-cache")  # what is never looked into below a .git


class TooMany(Exception):
    """There are more folders than may be looked at."""


class Names:
    """Whether a name can be the last part of some pattern; folded names, a few comparisons each."""

    __slots__ = ("ends", "holds", "literal", "rest", "starts")

    def __init__(self, tokens: "list[Any]") -> None:
        self.literal: set[str] = set()
        ends: set[str] = set()
        starts: set[str] = set()
        holds: set[str] = set()
        self.rest: list[Any] = []
        for last in {token[-1] for token in tokens}:
            if last.__class__ is str:
                self.literal.add(last)
                continue
            text = "".join([item for item in last if item.__class__ is str])
            if not text or len(text) + last.count(0) != len(last):
                self.rest.append(last)
            elif last == (0, *text):
                ends.add(text)
            elif last == (*text, 0):
                starts.add(text)
            elif last == (0, *text, 0):
                holds.add(text)
            else:
                self.rest.append(last)
        self.ends, self.starts, self.holds = tuple(ends), tuple(starts), tuple(holds)

    def maybe(self, name: str) -> bool:
        if name in self.literal or name.endswith(self.ends) or name.startswith(self.starts):
            return True
        return any([part in name for part in self.holds]) or any([patterns.name(items, name) for items in self.rest])


class Lanes:
    """The lanes that are asked about, as one table of one root sees them."""

    __slots__ = ("far", "names", "near", "numbers")

    def __init__(self, rules: "dict[str, Any]", more: "dict[str, Any]", wanted: "frozenset[str]") -> None:
        lanes, owner = more["lanes"], more["owner"]
        mine = [n for n in range(len(owner)) if lanes[owner[n]]["id"] in wanted and not lanes[owner[n]]["manifest"]]
        self.numbers = frozenset(mine)
        self.near, self.far = rules["near"], rules["far"]
        tokens = [token for token, n in more["near_tokens"] if n in self.numbers]
        tokens += [token for token, n in more["far_tokens"] if n in self.numbers and token[0] is None]
        self.names = Names(tokens)

    def reach(self, index: "dict[str, Any]", parts: "list[str]") -> bool:
        """Whether a pattern ends at this very path, not at a folder above it."""
        return any([depth == len(parts) and n in self.numbers for n, depth in patterns.match(index, parts)])


class Walk:
    """One walk below `top`. known: what a former walk found; found: the same of this one."""

    def __init__(self, look: "Look", top: str, wanted: "frozenset[str]", skip: "frozenset[str]", most: int) -> None:
        self.look = look
        self.top = top
        self.wanted = wanted
        self.skip = skip
        self.most = most
        self.found: Folders = {}
        self.dirty = False
        self._lanes: dict[int, Lanes] = {}

    def run(self, known: "Folders", inside: bool = False) -> "Folders":
        """Every folder below the top. inside: the top itself lies in a lane, so all that is in it counts."""
        parts = paths.split(paths.fold(self.top))
        depths = tuple([root.depth for root in self.look.roots(self.top, parts, itself=True)])
        if self._stands(known, (inside, depths)):
            return self.found
        todo: list[tuple[str, Frame]] = [(self.top, (inside, depths))]
        while todo:
            path, frame = todo.pop()
            stamp = _stamp(path)
            if stamp is None:
                continue
            kept = known.get(path)
            if kept is None or kept[0] != stamp or kept[4] != frame:
                kept = self._scan(path, frame, stamp)
                self.dirty = True
            self.found[path] = kept
            if len(self.found) > self.most:
                raise TooMany(f"{self.top} holds more than {self.most} folders")
            within, roots = frame
            if kept[3] and _depth(path) not in roots:
                roots = (*roots, _depth(path))
            base = path if path != "/" else ""
            todo += [(f"{base}/{name}", (within or name in kept[1], roots)) for name in kept[2]]
        self.dirty = self.dirty or len(known) != len(self.found)
        return self.found

    def _stands(self, known: "Folders", frame: "Frame") -> bool:
        """Whether the same folders stand as before. Mostly they do, and asking for times costs half of a walk."""
        top = known.get(self.top)
        if top is None or top[4] != frame or len(known) > self.most:
            return False
        fresh: Folders = {}
        for path in _moved(known):
            stamp, kept = _stamp(path), known[path]
            fresh[path] = self._scan(path, kept[4], stamp) if stamp is not None else kept
            if stamp is None or fresh[path][1:] != kept[1:]:
                return False
        self.found = {**known, **fresh} if fresh else known
        self.dirty = bool(fresh)
        return True

    def _scan(self, path: str, frame: "Frame", stamp: int) -> "Known":
        within, roots = frame
        entries = _entries(path)
        git = any([name == ".git" for name, _ in entries])
        if git:
            roots = (*roots, _depth(path))
        parts = paths.split(paths.fold(path))
        real = paths.split(path)
        seen = [(depth, self._of("/" + "/".join(real[:depth]), depth)) for depth in dict.fromkeys((0, *roots))]
        hits: list[str] = []
        folders: list[str] = []
        database = ".git" in real
        for name, folder in entries:
            hit = within or _reached(seen, parts, name)
            if hit:
                hits.append(name)
            if folder and (hit or not (name in self.skip or (database and name in _DATABASE))):
                folders.append(name)
        if time_ns() - stamp < RACY:
            stamp = 0
        return (stamp, tuple(hits), tuple(folders), git, frame)

    def _of(self, root: str, depth: int) -> Lanes:
        """The lanes of a root, its repository's own layer included; depth 0 stands for the absolute ones."""
        rules = self.look.of(Root(root, depth, self.look.holds_git(root))) if depth else self.look.rules
        known = self._lanes.get(id(rules))
        if known is None:
            known = self._lanes[id(rules)] = Lanes(rules, self.look.more(rules), self.wanted)
        return known


def _reached(seen: "list[tuple[int, Lanes]]", parts: "list[str]", name: str) -> bool:
    folded = paths.fold(name)
    for depth, lanes in seen:
        if lanes.names.maybe(folded) and lanes.reach(
            lanes.near if depth else lanes.far, [*parts[depth:], folded] if depth else [*parts, folded]
        ):
            return True
    return False


def _depth(path: str) -> int:
    return path.count("/") if path != "/" else 0


def raw(path: str) -> bytes:
    """The bytes of a name as the file system gave it."""
    return path.encode("utf-8", "surrogateescape")


def _stamp(path: str) -> int | None:
    try:
        info = posix.lstat(raw(path))
    except (OSError, ValueError):
        return None
    return info.st_ctime_ns if is_dir(info) else None


def _moved(known: "Folders") -> "list[str]":
    """The folders whose time is not what it was. One loop without a call of ours: it runs for every command."""
    lstat = posix.lstat
    out = []
    for path, kept in known.items():
        try:
            info = lstat(path.encode("utf-8", "surrogateescape"))
        except OSError:
            out.append(path)
            continue
        if info.st_ctime_ns != kept[0] or info.st_mode & 0o170000 != 0o040000:
            out.append(path)
    return out


def _entries(path: str) -> "list[tuple[str, bool]]":
    """(name, is a folder itself) of all that lies in a folder."""
    try:
        with posix.scandir(raw(path)) as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return []
    return [(name.decode("utf-8", "surrogateescape"), folder) for name, folder in found]


def hits(found: "Folders") -> "list[str]":
    """Every path in a lane, a folder before what lies in it."""
    return sorted([f"{path if path != '/' else ''}/{name}" for path, kept in found.items() for name in kept[1]])


def layers(found: "Folders") -> "tuple[tuple[str, Any], ...]":
    """The repositories' own policy files, with what changes when they do."""
    from guards.engine.tables import identity

    files = [f"{path}/.guards/human-lane.toml" for path, kept in found.items() if kept[3]]
    return tuple([(path, made) for path in sorted(files) if (made := identity(path)) is not None])


def tracked(root: str, skip: "frozenset[str]", look: "Look") -> "list[str]":
    """Paths that git tracks in folders the walk does not enter."""
    from guards.lanes import tracked as index

    data = look.world.read(index.folder(look.world, root) + "/index", INDEX_MAX)
    # a version 4 index holds names in pieces
    if data is None or not (data[7:8] == b"\4" or any([encode(name) + b"/" in data for name in skip])):
        return []
    found = index.below(look.world, root, "") or []
    return [f"{root}/{name}" for name in found if not skip.isdisjoint(name.split("/")[:-1])]
