"""The fence as a Seatbelt profile for macOS: text for `sandbox-exec -p`, made and tested here, not run.

Its rules are patterns, so unlike mounts they hold files that are not there yet. Later rules win: everything is allowed,
lanes are denied, exceptions and what exists and is free are allowed again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from guards.lanes.planning import Plan

_HEAD = "(version 1)\n(allow default)\n"
_ESCAPED = re.compile(r"([\\.^$*+?(){}\[\]|])")


def profile(plan: Plan, rows: Iterable[tuple[str, tuple[Any, ...]]]) -> str:
    """`plan` from guards/lanes/holding.py; rows: (root or "", tokens) of the lanes' patterns, as below each root."""
    out = [_HEAD]
    for root, tokens in rows:
        out.append(f'(deny file-write* (regex #"{expression(root, tokens)}"))\n')
    for kind, path in plan:
        if kind == "hold":
            out.append(f"(deny file-write* (subpath {quoted(path)}))\n")
        elif kind == "free":
            out.append(f"(allow file-write* (subpath {quoted(path)}))\n")
        else:
            out.append(f"(deny file-write-unlink (literal {quoted(path)}))\n")
    above = sorted({folder for _, path in plan for folder in _above(path)})
    return "".join([*out, *[f"(deny file-write-unlink (literal {quoted(folder)}))\n" for folder in above]])


def expression(root: str, tokens: tuple[Any, ...]) -> str:
    """One gitignore pattern's tokens as a regular expression for a whole path and all below it."""
    text = "^" + escaped(root)
    for token in tokens:
        if token is None:
            text += "(/[^/]+)*"
        elif isinstance(token, str):
            text += "/" + _folded(token)
        else:
            text += "/" + "".join(_item(item) for item in token)
    return text.replace('"', '\\"') + "(/.*)?$"


def _item(item: Any) -> str:
    if item == 0:
        return "[^/]*"
    if item == 1:
        return "[^/]"
    if isinstance(item, str):
        return _folded(item)
    negated, chars, ranges = item
    inside = "".join("\\" + c if c in "\\]^-" else c for c in chars) + "".join(f"{low}-{high}" for low, high in ranges)
    return f"[{'^' if negated else ''}{inside}]"


def _folded(text: str) -> str:
    """Either case of each letter: file systems there fold names."""
    return "".join(f"[{c}{c.upper()}]" if c.upper() != c and len(c.upper()) == 1 else escaped(c) for c in text)


def escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text)


def quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _above(path: str) -> list[str]:
    parts = path.split("/")[1:-1]
    return ["/" + "/".join(parts[: n + 1]) for n in range(len(parts))]
