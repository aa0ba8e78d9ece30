"""What must not change below a folder and on this machine: every existing path in a refusing lane that nothing frees.

The list is judged by the same code as a call (find.py, hits.py), so that exceptions, data files, examples and the
owner's approvals mean the same here. A folder that lies in a lane stands for all in it. It is kept beside the folders'
change times (standing.py) and used again while nothing that it was made from has changed.

kinds   "hold" nothing in it may change · "free" it may, although it lies in one that is held · "stay" the folder may
        not be moved or replaced, what lies in it is judged by itself
"""

import marshal
import posix

from guards.engine import tables
from guards.engine.event import WRITE
from guards.engine.state import _fnv, make_dirs
from guards.engine.world import encode, read_ours
from guards.lanes import find, hits, planning, standing
from guards.lanes.planning import NOWHERE, Found, content, sight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

LIMIT = 64 << 20  # bytes of a kept list
FORMAT = 1
_FREEING = ("AGENT_EXCLUDE_PREFIX", "GUARDS_OFF")


class Search:
    """One search for one call. rules: the lanes' table; fence: the table of policy/fence.toml."""

    def __init__(self, world: "World", event: "Event", rules: "dict[str, Any]", fence: "dict[str, Any]") -> None:
        self.world = world
        self.fence = fence
        self.look = find.Look(event, world, rules, manifests=False)
        self.skip = frozenset(fence["skip"])
        self.folders: dict[str, standing.Folders] = {}
        self.known: dict[str, standing.Folders] = {}
        self.past: dict[str, standing.Folders] = {}  # as the former search found it
        self.dirty = False
        self.layers: tuple[tuple[str, Any], ...] = ()
        self.seen: list[tuple[str, bool, Any]] = []  # path, whether only its kind counts, what it was
        self.tracked: dict[str, tuple[Any, list[str]]] = {}
        lanes = self.look.more(rules)["lanes"]
        self.wanted = frozenset(
            [
                lane["id"]
                for lane in lanes
                if lane["action"] == "deny" and WRITE in lane["acts"] and lane["id"] not in fence["free"]
            ]
        )

    # ---- the whole
    def run(self, tops: "list[str]", keep: bool = True) -> Found:
        """The paths held for commands in these folders. keep: remember the search in the state folder."""
        file = f"{self.world.places['state']}/fence/{_fnv(chr(0).join(tops)):016x}"
        key = self._key(tops)
        keep = keep and not any([self.world.plain_env(name) is not None for name in _FREEING])
        kept = _read(file)
        found = None
        if kept is not None and kept[0] == key:
            self.past, self.layers, self.seen, self.tracked = kept[1]
            self.known = dict(self.past)
            found = Found(*kept[2]) if keep and self._same() else None
        if found is None:
            found = self._search(tops)
        if self.dirty and keep:
            known = (self.folders, self._layers(), self.seen, self.tracked)
            _write(file, (key, known, (found.plan, found.links)))
        return found

    def _key(self, tops: "list[str]") -> "tuple[Any, ...]":
        """What the list depends on besides the folders: policy, approvals, pause, whose it is."""
        places = self.world.places
        owner = tables.identity(places.get("approvals", ""))
        machine = tables.identity(tables.file_of(places))
        off = self.world.off(hits.NAME)
        return (FORMAT, tables.VERSION, tables.runtime(), machine, owner, off, posix.geteuid(), tuple(tops))

    def _same(self) -> bool:
        """Whether nothing has changed that the kept list was made from; what changed without consequence is noted."""
        if any([sight(path) != was if plain else content(path) != was for path, plain, was in self.seen]):
            return False
        if any([tables.identity(path) != was for path, was in self.layers]):
            return False
        for top, folders in self.known.items():
            inside = folders[top][4][0] if top in folders else False
            if self.walk(top, inside).dirty and _names(self.folders[top]) != _names(folders):
                return False
        for root, (was, names) in list(self.tracked.items()):
            if self._index(root) != was and self.tracked[root][1] != names:
                return False
        return self._layers() == self.layers

    def _layers(self) -> "tuple[tuple[str, Any], ...]":
        return tuple([row for top in sorted(self.folders) for row in standing.layers(self.folders[top])])

    def walk(self, top: str, inside: bool) -> standing.Walk:
        walk = standing.Walk(self.look, top, self.wanted, self.skip, self.fence["folders"])
        self.folders[top] = walk.run(self.known.get(top, {}), inside)
        self.dirty = self.dirty or walk.dirty
        return walk

    def _index(self, root: str) -> "Any":
        """Git's index of a root; what it tracks where the walk does not go is read when it is another than before."""
        from guards.lanes import tracked

        now = content(tracked.folder(self.world, root) + "/index")
        if root not in self.tracked or self.tracked[root][0] != now:
            self.tracked[root] = (now, standing.tracked(root, self.skip, self.look))
            self.dirty = True
        return now

    # ---- judging
    def _search(self, tops: "list[str]") -> Found:
        self.dirty = True
        self.known.update(self.folders)
        before = self.layers
        while True:
            self.folders, self.seen, plan = {}, [], planning.Planning(self, tops)
            for path in self._absolute():
                plan.add(path, alone=True)
            for top in tops:
                self.walk(top, inside=False)
            self.layers = self._layers()
            if self.layers == before or not self.known:
                break
            self.known = {}  # a repository's own lanes changed, and with them what its folders hold
        for top in tops:
            for path in standing.hits(self.folders[top]):
                plan.add(path)
            for root in [path for path, kept in self.folders[top].items() if kept[3]]:
                self._index(root)
                for path in self.tracked[root][1]:
                    plan.add(path)
        return plan.done()

    def _absolute(self) -> "list[str]":
        """Existing paths of the lanes that name a place on the machine."""
        more = self.look.more(self.look.rules)
        out: dict[str, None] = {}
        for tokens, n in more["far_tokens"]:
            if tokens[0] is None or more["lanes"][more["owner"][n]]["id"] not in self.wanted:
                continue
            if all([token.__class__ is str for token in tokens]):
                out[self._written(more["texts"][n])] = None
            else:
                out.update(dict.fromkeys(self._globbed(tokens)))
        found = []
        for path in sorted(out):
            if (path + "/").startswith(NOWHERE):
                continue
            now = sight(path)
            self.seen.append((path, True, now))
            if now is not None:
                found.append(path)
        return found

    def _written(self, text: str) -> str:
        """The one path that a pattern without wildcards names."""
        if text.startswith("~/"):
            text = self.world.home.rstrip("/") + text[1:]
        return "/" + "/".join([part for part in text.replace("\\", "").split("/") if part])

    def _globbed(self, tokens: "Any") -> "list[str]":
        from guards.lanes import tree

        found = tree.existing(self.look, "/", tokens)
        plain = [token for token in tokens if token.__class__ is str]
        folder = "/" + "/".join(plain[: next(i for i, token in enumerate(tokens) if token.__class__ is not str)])
        self.seen.append((folder, False, content(folder)))
        return found


def _names(folders: "standing.Folders") -> "list[Any]":
    return sorted([(path, kept[1], kept[3]) for path, kept in folders.items() if kept[1] or kept[3]])


def _read(file: str) -> "tuple[Any, ...] | None":
    data = read_ours(file, LIMIT)
    try:
        kept = marshal.loads(data or b"")
    except (ValueError, EOFError, TypeError):
        return None
    return kept if isinstance(kept, tuple) and len(kept) == 3 else None


def _write(file: str, kept: "tuple[Any, ...]") -> None:
    """By temporary name and rename; a state folder that cannot be written costs only the time of the next search."""
    fresh = f"{file}.{posix.getpid()}"
    try:
        make_dirs(file.rpartition("/")[0])
        fd = posix.open(encode(fresh), posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            data = memoryview(marshal.dumps(kept))
            while data:
                data = data[posix.write(fd, data) :]
        finally:
            posix.close(fd)
        posix.rename(encode(fresh), encode(file))
    except OSError:
        return
