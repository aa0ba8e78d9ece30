"""Third-party packages on the hot path: they are looked up only when one is needed.

The hook runs with `-I -S`, so `sys.path` holds the standard library alone. The site-packages folder of the venv
is recorded at install; the door puts it into `path`. Where nothing was recorded (tests, `guards explain` from a
checkout) the running interpreter's own path is used.
"""

import posix
import sys

path = ""  # set by the door from the record of places


def use() -> None:
    """Make `import bashlex` and the like work: the recorded folder goes to the end of sys.path, once."""
    if path and path not in sys.path:
        sys.path.append(path)


def folder(package: str) -> str:
    """The folder of an installed package, without importing it; "" when there is none."""
    for place in (path, *sys.path):
        if place:
            try:
                posix.stat(place + "/" + package)
            except (OSError, ValueError):
                continue
            return place + "/" + package
    return ""
