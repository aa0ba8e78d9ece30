"""A home that takes long to make is made once for each starting point, and put back for every later test.

What an install writes names the home it is for, so a home always lies at the same place within one worker. A starting
point is all that the work may depend on: every file below the home, the words, the surroundings. A home that holds
what a copy would change (hard links, sockets) is never kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
KEPT: dict[str, tuple[Path, object]] = {}


def fresh(base: Path) -> Path:
    """The folder of this worker, empty again."""
    subprocess.run(["rm", "-rf", str(base)], check=True)
    base.mkdir(parents=True)
    return base


def once(home: Path, words: object, work: Callable[[], T]) -> T:
    """What `work` gives, with the home as it leaves it; done for real where nothing of the kind was done before."""
    start = _digest(home)
    key = f"{home} {words} {start}"
    if start and key in KEPT:
        kept, given = KEPT[key]
        subprocess.run(["rm", "-rf", str(home)], check=True)
        subprocess.run(["cp", "-a", str(kept), str(home)], check=True)
        return given  # type: ignore[return-value]
    given = work()
    if start and _digest(home):
        kept = home.parent.parent / "kept" / str(len(KEPT))
        kept.parent.mkdir(exist_ok=True)
        shutil.rmtree(kept, ignore_errors=True)
        subprocess.run(["cp", "-a", str(home), str(kept)], check=True)
        KEPT[key] = (kept, given)
    return given


def _digest(home: Path) -> str:
    """Of every name, mode and content; "" when a copy would not be the same."""
    found = hashlib.sha256()
    for folder, folders, names in os.walk(home):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = Path(folder) / name
            info = path.lstat()
            shape = stat.S_IFMT(info.st_mode)
            if shape not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK) or (shape == stat.S_IFREG and info.st_nlink > 1):
                return ""
            text = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            found.update(f"{path} {info.st_mode} {len(text)} ".encode() + text)
    return found.hexdigest()
