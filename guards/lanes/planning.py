"""Paths in lanes to what must be held: judged one by one, a folder that lies in a lane standing for all in it.

Where the owner approved something in such a folder, or programs keep files of their own there, the folder stays open
and what is in it is held piece by piece.
"""

import posix

from guards.engine.event import DELETE, EXACT, WRITE, Effect
from guards.engine.world import is_dir, is_link
from guards.lanes import hits, paths, patterns, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.lanes.holding import Search

    Plan = list[tuple[str, str]]

NOWHERE = ("/proc/", "/dev/", "/sys/")  # no files; the fence has its own rules for them
_SHARED = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")  # programs of others are put there too
_SPECIAL = ".[]()*+?{}|^$"


class Found:
    """What one search found.

    plan     (kind, path), a folder before what lies in it
    links    links in lanes: what they lead to is held, the link itself can be replaced
    """

    __slots__ = ("links", "plan")

    def __init__(self, plan: "Plan", links: "list[str]") -> None:
        self.plan = plan
        self.links = links


class Planning:
    """Turns paths in lanes into what must be held."""

    def __init__(self, search: "Search", tops: "list[str]") -> None:
        self.search = search
        self.tops = tops
        self.kinds: dict[str, str] = {}
        self.links: list[str] = []

    def add(self, path: str, alone: bool = False) -> None:
        """One existing path in a lane. alone: found by its name, so what lies in it is still to be looked at."""
        if alone:
            path = self._straight(path)
        if path in self.kinds:
            return
        info = lstat(path)
        if info is None:
            return
        if is_link(info):
            self._link(path)
            return
        lane = self.held(path, WRITE)
        above = self._above(path)
        if not is_dir(info):
            if (lane is not None) != above:
                self.kinds[path] = "hold" if lane is not None else "free"
        elif lane is None:
            self._passed(path, above)
            if alone:
                self._inside(path)
        elif self._loose(path, lane):
            self.kinds[path] = "free" if above else "stay"
            if alone:
                self._inside(path)
        else:
            if not above:
                self.kinds[path] = "hold"
            if alone and (self._excepted(path, lane) or (lane["approval"] != "never" and self._opened(path))):
                self._inside(path)

    def _excepted(self, path: str, lane: "dict[str, Any]") -> bool:
        """Whether an exception may lie in this folder."""
        parts = paths.split(paths.fold(path))
        rows = lane["except"] if lane["approval"] == "never" else (*lane["except"], *self.search.fence["except"])
        return any([not absolute or bool(patterns.pending(tokens, parts)) for absolute, tokens in rows])

    def _straight(self, path: str) -> str:
        """The same path without a link above it: nothing can be mounted behind one."""
        folder, _, name = path.rpartition("/")
        real = paths.walk(folder or "/").real
        if real is None or real == (folder or "/"):
            return path
        if folder not in self.links:
            self.links.append(folder)
        return real.rstrip("/") + "/" + name

    def _passed(self, path: str, above: bool) -> None:
        """A folder whose own name is in a lane, which yet lets it through."""
        if above:
            self.kinds[path] = "free"
        elif self.held(path, DELETE) is not None:
            self.kinds[path] = "stay"

    def _inside(self, folder: str) -> None:
        """What lies in a folder of the machine's own lanes."""
        self.search.walk(folder, inside=True)
        for path in standing.hits(self.search.folders[folder]):
            self.add(path)

    def _link(self, path: str) -> None:
        """What a link in a lane leads to is held; the link itself cannot be."""
        lane = self.held(path, WRITE)
        if lane is None or self._above(path):
            return
        folder = paths.walk(path.rpartition("/")[0] or "/").real or ""
        if lane["approval"] == "never" and folder.endswith("/bin") and folder not in _SHARED:
            self.kinds[folder] = "hold"  # guards' own interpreter, by way of a link: whoever replaced it would judge
        else:
            self.links.append(path)
        real = paths.walk(path).real or ""
        self.search.seen.append((real, True, sight(real)))
        whole = real == "/" or any([(top + "/").startswith(real + "/") for top in (self.search.world.home, *self.tops)])
        if real not in self.kinds and not whole and not real.startswith(NOWHERE) and lstat(real) is not None:
            self.kinds[real] = "hold"

    def _above(self, path: str) -> bool:
        """Whether the nearest decided folder above is held."""
        here = path
        while here != "/":
            here = here.rpartition("/")[0] or "/"
            kind = self.kinds.get(here)
            if kind is not None:
                return kind == "hold"
        return False

    def held(self, path: str, act: str) -> "dict[str, Any] | None":
        """The lane that refuses this act on this very path."""
        look = self.search.look
        parts = paths.split(paths.fold(path))
        effect = Effect(path, act, EXACT, "/", follow=False, expanded=True)
        target = paths.target(path, "/", look.world, follow=False, expanded=True)
        found: list[hits.Match] = []
        for form in target.forms:
            look.lanes(form, effect, found)
        found = [match for match in found if match.lane["id"] in self.search.wanted]
        hit = hits.decide(look, target, found) if found else None
        if hit is None:
            return None
        lane: dict[str, Any] = next(match.lane for match in found if match.lane["id"] == hit.lane)
        if lane["approval"] != "never" and self._named(self.search.fence["except"], path, parts):
            return None
        return lane

    def _named(self, rows: "Any", path: str, parts: "list[str]") -> bool:
        """Whether one of the fence's own patterns matches, from the root of the file system or of a repository."""
        for absolute, tokens in rows:
            if absolute:
                if patterns.accepts(tokens, parts):
                    return True
                continue
            for root in self.search.look.roots(path, parts):
                if patterns.accepts(tokens, parts[root.depth :]):
                    return True
        return False

    def _loose(self, path: str, lane: "dict[str, Any]") -> bool:
        """Whether files that are not there yet may be made in this very folder: the owner approved one in it (and a
        program that saves makes a new file first), or programs keep their own beside the owner's."""
        if lane["approval"] == "never":
            return False
        if self._named(self.search.fence["grow"], path, paths.split(paths.fold(path))):
            return True
        base = path + "/"
        for line in hits.approved(self.search.look).lines:
            start = line.literal
            if start is None:
                start = _start(line.text) if lane["approval"] == "pattern" and not line.fault else "\0"
                if base.startswith(start):
                    return True
            if start.startswith(base) and _nearest(start) == path:
                return True
        return False

    def _opened(self, path: str) -> bool:
        """Whether some line of the owner's file names something deeper in this folder."""
        base = path + "/"
        lines = hits.approved(self.search.look).lines
        return any([(line.literal or _start(line.text)).startswith(base) for line in lines])

    def done(self) -> Found:
        return Found(sorted([(kind, path) for path, kind in self.kinds.items()], key=_path), self.links)


def _path(row: "tuple[str, str]") -> str:
    return row[1]


def _start(text: str) -> str:
    """The plain text that every match of a line begins with."""
    text = text.removeprefix("^")
    if "|" in text:
        return ""
    out = ""
    i = 0
    while i < len(text):
        char = text[i]
        if char == "\\" and not text[i + 1 : i + 2].isalnum():
            char, i = text[i + 1 : i + 2], i + 1
        elif char in _SPECIAL or char == "\\":
            return out[:-1] if char in "*?{" else out
        out += char
        i += 1
    return out


def _nearest(start: str) -> str:
    """The deepest existing folder in which all lies that begins with this text."""
    folder = start.rpartition("/")[0]
    while folder and not is_dir(lstat(folder)):
        folder = folder.rpartition("/")[0]
    return folder or "/"


def lstat(path: str) -> "posix.stat_result | None":
    try:
        return posix.lstat(standing.raw(path))
    except (OSError, ValueError):
        return None


def sight(path: str) -> "tuple[int, ...] | None":
    """What changes when a path comes, goes or becomes another thing."""
    info = lstat(path)
    return None if info is None else (info.st_dev, info.st_ino, info.st_mode & 0o170000)


def content(path: str) -> "tuple[int, ...] | None":
    """The same, and what changes when it is written."""
    info = lstat(path)
    return None if info is None else (info.st_dev, info.st_ino, info.st_mode, info.st_size, info.st_ctime_ns)
