"""Which folders' lanes a command in some folder can be expected to reach: its repository and the harness's own, the
worktrees that belong to them, and what the policy names besides. Outside any repository it is the folder itself, unless
that is a home or above.
"""

from guards.engine.world import is_dir
from guards.lanes import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

WORKTREES_MAX = 50


def tops(event: "Event", world: "World", fence: "dict[str, Any]") -> "list[str]":
    """The folders that are searched: the outermost repository around the command's folder (or that folder, when it is
    none and not a home), the worktrees that belong to it, and the policy's further roots."""
    out: dict[str, None] = {}
    here = paths.walk(event.cwd).real or event.cwd
    home = paths.walk(world.home).real or world.home
    # a command before may have left the repository that the session is about
    near, far = _repositories(here, world), _repositories(paths.walk(world.project).real or "", world)
    out.update(dict.fromkeys([*near[:1], *far[:1]]))
    for root in dict.fromkeys([*near, *far]):
        out.update(dict.fromkeys(_worktrees(root, world)))
    if not near and not (home + "/").startswith(here.rstrip("/") + "/"):
        out[here] = None
    for root in fence["roots"]:
        out.update(dict.fromkeys(_roots(root, world)))
    return [top for top in sorted(out) if not any([top != other and top.startswith(other + "/") for other in out])]


def _repositories(here: str, world: "World") -> "list[str]":
    """Every folder from the root to this one that holds a `.git`, the outermost first."""
    parts = here.split("/")[1:] if here not in ("", "/") else []
    roots = ["/" + "/".join(parts[:n]) for n in range(len(parts) + 1)]
    return [root for root in roots if world.lstat(root.rstrip("/") + "/.git") is not None]


def _worktrees(root: str, world: "World") -> "list[str]":
    """The repository's other working trees, seen from any of them."""
    from guards.lanes import tracked

    git = tracked.folder(world, root)
    main = (world.read(git + "/commondir", 4096) or b"").strip().decode("utf-8", "surrogateescape")
    common = (paths.walk(main if main.startswith("/") else f"{git}/{main}").real or "") if main else git
    out = [common[: -len("/.git")]] if common.endswith("/.git") else []
    for name in world.listdir(common + "/worktrees", WORKTREES_MAX) or ():
        data = (world.read(f"{common}/worktrees/{name}/gitdir", 4096) or b"").strip()
        path = data.decode("utf-8", "surrogateescape")
        if path.endswith("/.git") and path.startswith("/"):
            out.append(paths.walk(path[: -len("/.git")]).real or "")
    return [path for path in out if path and world.lstat(path + "/.git") is not None]


def _roots(root: str, world: "World") -> "list[str]":
    if not root.endswith("/*"):
        named = [root]
    else:
        named = [f"{root[:-2]}/{name}" for name in world.listdir(root[:-2]) or ()]
    real = [paths.walk(path).real for path in named]
    return [path for path in real if path and path != "/" and is_dir(world.lstat(path))]
