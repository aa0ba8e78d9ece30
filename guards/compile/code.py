"""The code that makes the tables is one of their sources: a pull that changes it must not leave yesterday's tables.

Counted are the modules of guards/compile and what they and the policies' modules take from the rooms whose tables
they make (lanes/patterns and the like; the engine only reads tables, and names its version). The paths are those of
the installed code; of a pinned copy, the running code's identity under the installed path then never matches, and
the pinned code compiles for itself.
"""

import os
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from guards.engine import tables

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def sources(places: dict[str, str], policies: Iterable[Any]) -> list[tuple[str, tuple[int, ...] | None]]:
    """(path, identity) of every file of code that the tables depend on."""
    installed = places.get("install", "") + "/code"
    root = installed if tables.identity(installed + "/compile/code.py") is not None else HERE
    inside = [_inside(module) for module in _modules(policies)]
    files = sorted({name for name in inside if name})
    return [(f"{root}/{name}", tables.identity(f"{HERE}/{name}")) for name in files]


def _modules(policies: Iterable[Any]) -> list[ModuleType]:
    found = [module for name, module in sorted(sys.modules.items()) if name.startswith("guards.compile.")]
    for holder in (*found, *policies):
        for value in list(vars(holder).values()):
            owner = (
                value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
            )
            if owner is not None and owner.__name__.startswith("guards.") and ".engine." not in owner.__name__:
                found.append(owner)
    return found


def _inside(module: ModuleType) -> str:
    """The module's file below guards/, "" for a package that has none."""
    path = getattr(module, "__file__", None) or ""
    return path[len(HERE) + 1 :] if path.startswith(HERE + "/") else ""
