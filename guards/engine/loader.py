"""Loads the guards' own modules: one stat and one read each, instead of the import system's dozen calls.

The compiled file is used only if it was made from this very source (magic number, time and size, as the import system
itself asks); otherwise the import system's own loader compiles the source and caches it. That time has whole seconds,
so a source that was just written is compiled and not cached: two edits of one size in one second would look the same.
"""

import marshal
import posix
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from time import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

_TAIL = f".{sys.implementation.cache_tag}.pyc"
_HEAD = MAGIC_NUMBER + b"\0\0\0\0"
_SETTLED = 2.0  # seconds
_LIMIT = 120_000  # bytes of one compiled module (below what malloc maps anew); a longer one goes the slow way


class Loader:
    """A finder and a loader in one. code: the folder of the package, as the hook was started through it."""

    def __init__(self, code: str) -> None:
        self.code = code

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        if not name.startswith("guards."):
            return None
        loader: Any = self
        return ModuleSpec(name, loader, origin=f"{self.code}{name[6:].replace('.', '/')}.py")

    def create_module(self, spec: "ModuleSpec") -> None:
        """The import system's own kind of module."""

    def exec_module(self, module: "ModuleType") -> None:
        spec = module.__spec__
        source = spec.origin if spec is not None else None
        if source is None:
            raise ImportError(f"{module.__name__} has no source")
        module.__file__ = source
        exec(code_of(module.__name__, source), module.__dict__)


def code_of(name: str, source: str) -> "CodeType":
    """The module's code: the cached one when it belongs to the source as it stands, else compiled anew."""
    folder, _, base = source.rpartition("/")
    loader = SourceFileLoader(name, source)
    try:
        info = posix.stat(source)
        if -_SETTLED < time() - info.st_mtime < _SETTLED:
            return loader.source_to_code(loader.get_data(source), source)
        fd = posix.open(f"{folder}/__pycache__/{base[:-3]}{_TAIL}", posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            data = posix.read(fd, _LIMIT)
        finally:
            posix.close(fd)
        if data[:16] == _HEAD + _four(int(info.st_mtime)) + _four(info.st_size):
            found: CodeType = marshal.loads(memoryview(data)[16:])
            return found
    except (OSError, ValueError, EOFError, TypeError):
        pass
    return _compiled(loader, source)


def _compiled(loader: SourceFileLoader, source: str) -> "CodeType":
    """What the import system makes of it; a cache with the right head and a broken body is passed over."""
    made: CodeType | None
    try:
        made = loader.get_code(loader.name)
    except (ValueError, EOFError, TypeError):
        made = loader.source_to_code(loader.get_data(source), source)
    if made is None:
        raise ImportError(f"{source} cannot be compiled")
    return made


def _four(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "little")
