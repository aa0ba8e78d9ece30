"""What the forms share: finding a program and its version, and groups of entries below an event."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

SECONDS = 5.0  # for `PROGRAM --version`
# as most have it
COMMAND, TIME = "command", "timeout"
HEAD: dict[str, Any] = {}
SPOKEN: tuple[str, ...] = ()


def lowest(name: str, home: str, environ: Mapping[str, str], places: tuple[str, ...] = ()) -> tuple[int, ...] | None:
    """The oldest version of every installed copy, since they share one settings file; None when there is none."""
    path = environ.get("PATH", os.defpath)
    found = [shutil.which(name, path=folder) for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    found += [os.path.join(home, place) for place in (f".local/bin/{name}", *places)]
    real = {os.path.realpath(one): one for one in found if one and os.access(one, os.X_OK)}
    return min((_version(one, home, path) for one in real.values()), default=None)


def _version(program: str, home: str, path: str) -> tuple[int, ...]:
    env = {"HOME": home, "PATH": path, "DISABLE_AUTOUPDATER": "1"}
    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, env=env, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ()
    found = re.search(r"(?:^|\s)v?(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(int(part) for part in found.groups()) if found else ()


def group(made: dict[str, Any]) -> dict[str, Any]:
    """The group around an entry; without a matcher it means every call."""
    return {"hooks": [made]}


def everything(group: Any) -> bool:
    """An absent, empty or `*` matcher means every tool."""
    return isinstance(group, dict) and group.get("matcher", "") in ("", "*")


def waiting(path: str) -> list[str]:
    """Nothing has to be reviewed."""
    return []
