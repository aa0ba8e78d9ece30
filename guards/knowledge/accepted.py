"""The owner's acceptance file: which entries of a repository may be told at all.

One entry a line: its id, with `*` for any ending, and after it, if the line is for one repository alone, that
repository's root. It is the owner's file as the approvals are: sealed, and used only when nobody else could have
written it. Nothing in Guards writes it; what cannot be read accepts nothing.
"""

import posix

from guards.engine.world import World, encode, read_fd
from guards.lanes.approvals import untrusted

LIMIT = 1 << 20


def path_of(places: "dict[str, str]") -> str:
    return places["approvals"].rpartition("/")[0] + "/context"


class Accepted:
    """trouble: why nothing in the file counts, "" when it does or is not there."""

    __slots__ = ("_exact", "_starts", "trouble")

    def __init__(self, root: str, world: World) -> None:
        self._exact: set[str] = set()
        self._starts: list[str] = []
        data, self.trouble = read(path_of(world.places), LIMIT)
        roots = (root, world.real(root) or root, main(root, world))
        for line in (data or b"").decode("utf-8", "replace").removeprefix("\ufeff").split("\n"):
            name, _, where = line.strip().partition(" ")
            if not name or name.startswith("#") or (where.strip() and where.strip().rstrip("/") not in roots):
                continue
            if name.endswith("*"):
                self._starts.append(name[:-1])
            else:
                self._exact.add(name)

    def holds(self, name: str) -> bool:
        return name in self._exact or any([name.startswith(start) for start in self._starts])


def main(root: str, world: World) -> str:
    """The first worktree of a repository, as far as its files say so."""
    data = (world.read(root + "/.git", 4096) or b"").decode("utf-8", "replace").strip()
    git = data.removeprefix("gitdir:").strip()
    return git.partition("/.git/worktrees/")[0] if "/.git/worktrees/" in git else root


def read(path: str, limit: int) -> "tuple[bytes | None, str]":
    """(a file that nobody else could have written, ""), (None, why nothing in it counts) or, not there, (None, "")."""
    try:
        fd = posix.open(encode(path), posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY)
    except FileNotFoundError:
        return None, ""
    except (OSError, ValueError):
        return None, f"{path} cannot be opened, so nothing in it counts"
    try:
        trouble = untrusted(path, posix.fstat(fd))
        data = None if trouble else read_fd(fd, limit)
    except OSError:
        return None, f"{path} cannot be read, so nothing in it counts"
    finally:
        posix.close(fd)
    if data is not None and len(data) > limit:  # a line cut in half could be another entry's id
        return None, f"{path} is larger than {limit >> 20} MiB, so nothing in it counts"
    return data, trouble
