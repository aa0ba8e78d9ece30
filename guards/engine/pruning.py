"""Sessions that nobody used for a week are forgotten, at the start of another one. Links are never followed.

What cannot be removed stays, in silence, and is tried again at the next start.
"""

import posix
from time import time

from guards.engine.world import encode, is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.state import Session

UNUSED = 7 * 86400.0  # seconds since the last file of a session's folder was written
MOST = 200  # folders that one start removes
DEPTH = 8  # folders within folders


def prune(state: str, session: "Session") -> None:
    """Forgets old sessions, never the one that is starting."""
    before = time() - UNUSED
    left = MOST
    for name in _names(f"{state}/sessions"):
        path = f"{state}/sessions/{name}"
        if left and path != session.folder and _unused(path, before):
            _remove(path, DEPTH)
            left -= 1


def _names(path: str) -> "list[str]":
    try:
        with posix.scandir(encode(path)) as entries:
            return [entry.name.decode("utf-8", "surrogateescape") for entry in entries]
    except OSError:
        return []


def _unused(path: str, before: float) -> bool:
    """Whether a folder and all that lies right in it are older."""
    try:
        if not is_dir(posix.lstat(encode(path))) or posix.lstat(encode(path)).st_mtime >= before:
            return False
        return all([posix.lstat(encode(f"{path}/{name}")).st_mtime < before for name in _names(path)])
    except OSError:
        return False


def _remove(path: str, depth: int) -> None:
    for name in _names(path):
        one = f"{path}/{name}"
        try:
            if is_dir(posix.lstat(encode(one))):
                if depth:
                    _remove(one, depth - 1)
            else:
                posix.unlink(encode(one))
        except OSError:
            continue
    try:
        posix.rmdir(encode(path))
    except OSError:
        return
