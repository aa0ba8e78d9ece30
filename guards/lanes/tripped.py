"""What appeared, changed or went in lanes since a moment: the tripwire's look, after a command that nobody could read.

Change times tell it (nobody can set them back), and the names that a former search had found. What the owner approved
is not told. Of files that git tracks, what git itself wrote while its HEAD moved (a checkout, a pull, a commit) is told
apart: a branch crosses lanes all day.
"""

from time import time

from guards.engine.event import DELETE, WRITE
from guards.engine.world import is_dir
from guards.lanes import around, holding, paths, patterns, planning, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

SLACK = 20_000_000  # ns: file times are taken from a clock that ticks this seldom
LOOKS_MAX = 20_000  # paths in lanes that are looked at
_HEADS = ("HEAD", "logs/HEAD", "ORIG_HEAD", "FETCH_HEAD")


class Tripped:
    """lanes: path → (lane's rule, "changed" | "gone" | "git")."""

    __slots__ = ("paths",)

    def __init__(self) -> None:
        self.paths: dict[str, tuple[str, str]] = {}


def now() -> float:
    """The clock that file times are compared with."""
    return time()


def look(
    world: "World", event: "Event", fence: "dict[str, Any]", since: int, keep: bool, ignore: "tuple[Any, ...]" = ()
) -> Tripped:
    """since: nanoseconds of the clock; ignore: patterns that are not told. Raises standing.TooMany."""
    out = Tripped()
    rules = world.rules("human-lane")
    if rules is None:
        return out
    search = holding.Search(world, event, rules, fence)
    tops = around.tops(event, world, fence)
    found = search.run(tops, keep)
    judge = planning.Planning(search, tops)
    walked, before = _names(search.folders), _names(search.past)
    fresh = walked - before if before else set()
    for path in sorted({*walked, *[path for kind, path in found.plan if kind == "hold"]})[:LOOKS_MAX]:
        info = planning.lstat(path)
        if info is None or not (path in fresh or (info.st_ctime_ns >= since - SLACK and not is_dir(info))):
            continue
        parts = paths.split(paths.fold(path))
        lane = None if any([patterns.accepts(row, parts) for row in ignore]) else judge.held(path, WRITE)
        if lane is not None and not (is_dir(info) and lane["whole"]):
            out.paths[path] = (lane["rule"], "changed")
    for path in sorted(before - walked)[:LOOKS_MAX]:
        lane = judge.held(path, DELETE)
        if lane is not None and planning.lstat(path) is None:
            out.paths[path] = (lane["rule"], "gone")
    _by_git(out, search, since)
    return out


def _names(folders: "dict[str, standing.Folders]") -> "set[str]":
    return {path for top in folders for path in standing.hits(folders[top])}


def _by_git(out: Tripped, search: holding.Search, since: int) -> None:
    """Marks what git did while it moved to another commit."""
    from guards.lanes import tracked

    moved: dict[str, frozenset[str]] = {}
    for path in list(out.paths):
        roots = search.look.roots(path, paths.split(path))
        root = roots[-1].path if roots and roots[-1].git else ""
        if root and root not in moved:
            git = tracked.folder(search.world, root)
            heads = [planning.lstat(f"{git}/{name}") for name in _HEADS]
            if any([info is not None and info.st_ctime_ns >= since - SLACK for info in heads]):
                moved[root] = frozenset(tracked.below(search.world, root, "") or ())
            else:
                moved[root] = frozenset()
        rule, what = out.paths[path]
        if root and (path[len(root) + 1 :] in moved[root] or (what == "gone" and moved[root])):
            out.paths[path] = (rule, "git")
