"""gitignore patterns to the tables that guards/lanes/patterns.py matches.

`/x` is anchored at the repository's root, `//x` and `~/x` at the root of the file system, `a/b` at the root because
it holds a slash, `x` and `x/` are found at any depth, `**` stands for any number of folders. What gitignore would
read in silence as something else (a comment, a negation, a path that can never be) is a fault here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from guards.lanes.paths import fold

Tokens = tuple[Any, ...]


@dataclass(frozen=True)
class Pattern:
    """tokens as in guards/lanes/patterns.py; absolute: tried from the root of the file system."""

    tokens: Tokens
    absolute: bool


def fault(text: str) -> str:
    """What is wrong with a pattern, "" when nothing is."""
    try:
        parse(text, "/home/me")
    except ValueError as wrong:
        return str(wrong)
    return ""


def parse(text: str, home: str) -> Pattern:
    """The pattern, or ValueError with a sentence for its owner."""
    _spoken(text)
    absolute = text.startswith(("//", "~/"))
    if text.startswith("~/"):
        inner = "/".join(_escaped(part) for part in home.strip("/").split("/"))
        text = f"/{inner}/{text[2:]}"
    elif absolute:
        text = text[1:]
    segments = text.split("/")
    anchored = not segments[0]
    if anchored:
        del segments[0]
    if segments and not segments[-1]:
        del segments[-1]
    if not segments or not all(segments):
        raise ValueError(f"{text!r} has an empty part between slashes" if any(segments) else "names nothing")
    if not anchored and len(segments) == 1:
        segments.insert(0, "**")
    return Pattern(_shortened([_segment(part) for part in segments]), absolute)


def literal(path: str) -> Tokens:
    """The tokens of one absolute path as it stands."""
    return tuple(fold(part) for part in path.split("/") if part)


def absolute(text: str, home: str) -> str:
    """The one path that a pattern without wildcards names: `~/x` and `//x` written out."""
    bare = home.rstrip("/") + text[1:] if text.startswith("~/") else text[1:]
    return bare.rstrip("/").replace("\\", "")


def _spoken(text: str) -> None:
    """Refuses what gitignore would read as something else than it seems to say."""
    if text != text.strip():
        raise ValueError(f"{text!r} has spaces around it")
    if text.startswith("!"):
        raise ValueError(f"{text!r}: a pattern cannot take back another one; use except")
    if text.startswith("#"):
        raise ValueError(f"{text!r} is a comment in gitignore's language; write \\#")
    if text == "~" or (text.startswith("~") and not text.startswith("~/")):
        raise ValueError(f"{text!r}: only ~/ is known, for the owner's own home")


def _shortened(tokens: list[Any]) -> Tokens:
    """Doubled `**` become one; a last one says nothing new, since whatever lies in a match is matched."""
    out: list[Any] = []
    for token in tokens:
        if token is not None or not out or out[-1] is not None:
            out.append(token)
    while len(out) > 1 and out[-1] is None:
        out.pop()
    return tuple(out) if out != [None] else ((0,),)


def _escaped(name: str) -> str:
    return "".join("\\" + char if char in "*?[\\" else char for char in name)


def _segment(text: str) -> Any:
    """One part: None for `**`, a string, or a tuple of items."""
    if text == "**":
        return None
    if text in (".", ".."):
        raise ValueError(f"{text!r} as a part of a pattern matches no path")
    folded = fold(text)
    items: list[Any] = []
    i = 0
    while i < len(folded):
        char = folded[i]
        i += 1
        if char == "\\":
            if i == len(folded):
                raise ValueError(f"{text!r} ends in a backslash that escapes nothing")
            items.append(folded[i])
            i += 1
        elif char == "*":
            if items[-1:] != [0]:
                items.append(0)
        elif char == "?":
            items.append(1)
        elif char == "[":
            item, i = _bracket(folded, i)
            items.append(item)
        else:
            items.append(char)
    return "".join(items) if all(isinstance(item, str) for item in items) else tuple(items)


def _bracket(text: str, start: int) -> tuple[Any, int]:
    """What stands in `[…]` and where it ends; a bracket that is never closed is a plain character."""
    i = start
    negated = text[i : i + 1] in ("!", "^")
    if negated:
        i += 1
    end = text.find("]", i + 1)
    if end < 0:
        return "[", start
    inside = text[i:end]
    if "\\" in inside or inside.startswith(("[:", "[.", "[=")) or "[:" in inside:
        raise ValueError(f"{text!r}: neither backslashes nor classes such as [:alpha:] are known in a bracket")
    chars, ranges = _members(inside)
    return (negated, chars, ranges), end + 1


def _members(inside: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    chars = ""
    ranges: list[tuple[str, str]] = []
    i = 0
    while i < len(inside):
        if inside[i + 1 : i + 2] == "-" and i + 2 < len(inside):
            low, high = inside[i], inside[i + 2]
            if low > high:
                raise ValueError(f"the range {low}-{high} in a bracket is empty")
            ranges.append((low, high))
            i += 3
        else:
            chars += inside[i]
            i += 1
    return chars, tuple(ranges)


def index(patterns: Iterable[tuple[Tokens, int]]) -> dict[str, Any]:
    """The look-up tables for `match`."""
    out: dict[str, Any] = {"names": {}, "inner": {}, "globs": {}, "paths": {}, "end": [], "start": [], "holds": []}
    rest: list[tuple[Tokens, int]] = []
    for tokens, number in patterns:
        _file(tokens, number, out, rest)
    out["any"] = tuple(rest)
    for key in ("end", "start", "holds"):
        out[key] = tuple(out[key])
    out["ends"] = tuple(sorted({text for text, _ in out["end"]}))
    out["starts"] = tuple(sorted({text for text, _ in out["start"]}))
    out["firsts"] = {path.partition("/")[0]: True for path in out["paths"]}
    return out


def _file(tokens: Tokens, number: int, out: dict[str, Any], rest: list[tuple[Tokens, int]]) -> None:
    """Puts one pattern where the fewest look-ups find it."""
    literal = [token for token in tokens if isinstance(token, str)]
    floating = tokens[0] is None
    if len(literal) == len(tokens):
        _append(out["paths"], "/".join(literal), number)
    elif floating and len(literal) == len(tokens) - 1:
        if len(literal) == 1:
            _append(out["names"], literal[0], number)
        else:
            _append(out["inner"], literal[0], (tuple(literal[1:]), number))
    elif literal:
        _append(out["globs"], literal[-1], (tokens, number))
    elif not (floating and len(tokens) == 2 and _simple(tokens[1], number, out)):
        rest.append((tokens, number))


def _append(table: dict[str, Any], key: str, value: Any) -> None:
    table[key] = (*table.get(key, ()), value)


def _simple(items: tuple[Any, ...], number: int, out: dict[str, Any]) -> bool:
    """`*x`, `x*` and `*x*`."""
    text = "".join(item for item in items if isinstance(item, str))
    if len(text) + items.count(0) != len(items) or not text:
        return False
    if items == (0, *text):
        out["end"].append((text, number))
    elif items == (*text, 0):
        out["start"].append((text, number))
    elif items == (0, *text, 0):
        out["holds"].append((text, number))
    else:
        return False
    return True
