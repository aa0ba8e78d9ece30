"""Writes the compiled file that guards/engine/tables.py reads: (b"guards1", key, {section: marshal bytes}).

The key is (Guards' version, the interpreter, ((path, identity or None), ...)) for every source that exists or could.
Written by temporary name and rename, mode 0600: whoever reads sees the old file or the new one, whole.
"""

import contextlib
import marshal
import os
import tempfile
import time

from guards.engine import tables
from guards.engine.world import encode

Key = tuple[str, str, tuple[tuple[str, tuple[int, ...] | None], ...]]

LEFTOVER = 3600  # seconds after which a temporary file is nobody's any more


def key(sources: list[tuple[str, tuple[int, ...] | None]]) -> Key:
    return (tables.VERSION, tables.runtime(), tuple(sources))


def write(path: str, key: Key, sections: dict[str, bytes]) -> None:
    """The compiled file, whole."""
    replace(path, marshal.dumps((tables.MAGIC, key, sections)))


def write_fault(path: str, faults: list[str], key: Key) -> None:
    """The text file beside it: one line per fault, then the key of the sources that were tried."""
    lines = [" ".join(fault.splitlines()) for fault in faults]
    text = "\n".join([*lines, "", f"key {key!r}", ""])
    replace(path, text.encode("utf-8", "backslashreplace"))


def remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(encode(path))


def replace(path: str, data: bytes) -> None:
    folder, name = os.path.split(encode(path))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    handle, fresh = tempfile.mkstemp(prefix=name + b".", suffix=b".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.replace(fresh, os.path.join(folder, name))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh)
        raise
    _sweep(folder)


def _sweep(folder: bytes) -> None:
    """Takes away what writers that were killed left behind."""
    for entry in os.scandir(folder):
        if entry.name.endswith(b".tmp"):
            with contextlib.suppress(FileNotFoundError):
                if entry.stat(follow_symlinks=False).st_mtime < time.time() - LEFTOVER:
                    os.unlink(entry.path)
