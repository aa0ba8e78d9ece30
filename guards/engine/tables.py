"""The compiled policy: read after fstat, checked against its sources, rebuilt when stale, last good when broken.

A file is (b"guards1", key, {section: marshal bytes}); key names Guards' version, the interpreter's, and each source's
identity with inode and times. No tables at all: `NoTables`, and before-tool refuses.
"""

import marshal
import posix
import sys

from guards.engine.world import encode, read_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"guards1"
VERSION = "0.1.0"
LIMIT = 16 << 20  # bytes of a compiled file; the bundled policy compiles to well under 100 KB


class NoTables(Exception):
    """There is no policy to judge by; the text says why."""


def identity(path: str) -> "tuple[int, ...] | None":
    """What changes when a source changes: device, inode, size, times in ns, mode, owner. None: it is not there."""
    try:
        info = posix.stat(encode(path))
    except (OSError, ValueError):
        return None
    return (
        info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode, info.st_uid
    )  # fmt: skip


def runtime() -> str:
    """The interpreter, as far as marshal's format and ours depend on it."""
    return f"{sys.implementation.cache_tag}-{sys.hexversion:x}"


def fresh(key: "tuple[Any, ...]") -> bool:
    """Whether a compiled file's key still describes its sources."""
    if key[:2] != (VERSION, runtime()):
        return False
    return all([identity(path) == seen for path, seen in key[2]])


def read(path: str) -> "tuple[tuple[Any, ...], dict[str, bytes]] | None":
    """(key, sections) of a compiled file that is ours alone to write; None for anything else."""
    data = read_ours(path, LIMIT)
    if data is None:
        return None
    try:
        magic, key, sections = marshal.loads(data)
    except (ValueError, EOFError, TypeError):
        return None
    return (key, sections) if magic == MAGIC else None


class Tables:
    """Sections by name, unpacked on first use; repositories' layers on first use too.

    stale    "" or a sentence: the policy on disk does not compile, the last good one is in force
    """

    def __init__(self, sections: "dict[str, bytes]", places: "dict[str, str]", stale: str = "") -> None:
        self._sections = sections
        self._places = places
        self._open: dict[str, Any] = {}
        self._repositories: dict[str, Tables] = {}
        self.stale = stale

    def get(self, name: str) -> "Any":
        """The section, or None when the policy switched it off or there is none."""
        if name not in self._open:
            data = self._sections.get(name)
            self._open[name] = None if data is None else marshal.loads(data)
        return self._open[name]

    def names(self) -> "list[str]":
        return sorted(self._sections)

    def of_repository(self, name: str, root: str) -> "Any":
        """The section with <root>/.guards/<name>.toml laid on top, where that file exists."""
        if root in self._repositories:
            return self._repositories[root].get(name)
        if identity(f"{root}/.guards/{name}.toml") is None:
            return self.get(name)
        self._repositories[root] = load(self._places, root, self)
        return self._repositories[root].get(name)


def file_of(places: "dict[str, str]", root: str | None = None) -> str:
    """Where the compiled file of the machine, or of one repository, lies."""
    if root is None:
        return places["state"] + "/tables/machine"
    from guards.engine.state import _fnv

    return f"{places['state']}/tables/repo-{_fnv(root):016x}"


def load(places: "dict[str, str]", root: str | None = None, base: "Tables | None" = None) -> Tables:
    """The tables in force. For a repository that does not compile and has no last good ones: the machine's."""
    path = file_of(places, root)
    kept = read(path)
    if kept is not None and fresh(kept[0]):
        return Tables(kept[1], places)
    if kept is None or not _known_broken(places, kept[0]):
        built = _rebuild(places, root)
        if built is not None:
            return Tables(built, places)
        kept = kept or read(path)
    where = "policy" if root is None else f"{root}/.guards"
    if kept is not None and kept[0][1] == runtime():
        return Tables(kept[1], places, f"{where} does not compile; the last good one is in force (guards check)")
    if base is not None:
        return base
    raise NoTables("the policy does not compile and there is no last good one; run guards check")


def _known_broken(places: "dict[str, str]", key: "tuple[Any, ...]") -> bool:
    """Whether these very sources were tried and found broken: the fault note is younger than all of them."""
    fault = identity(places["state"] + "/tables/fault")
    if fault is None or key[:2] != (VERSION, runtime()):
        return False
    return all([seen is None or seen[4] < fault[3] for seen in [identity(path) for path, _ in key[2]]])


def _rebuild(places: "dict[str, str]", root: str | None) -> "dict[str, bytes] | None":
    """The one lazy way from a hot room into a cold one."""
    try:
        from guards.compile.build import rebuild
    except Exception as fault:  # a half-updated cold room may fail in any way
        raise NoTables(f"the policy cannot be compiled: {fault}") from fault
    built: dict[str, bytes] | None = rebuild(places, root)
    return built
