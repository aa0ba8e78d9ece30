"""File patterns of entries to the index that guards/knowledge/matching.py looks in, made when a HEAD moves.

gitignore's rules without negation, and `{a,b}`: `/x` and `a/b` are anchored at the repository's root, `x` is found at
any depth, a folder takes along all that lies in it. A pattern that says nothing usable is left out, never guessed.
"""

from guards.knowledge.matching import MARK
from guards.lanes.paths import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BRACES_MAX = 64  # patterns that one pattern with braces may stand for


def tokens(text: str) -> "tuple[Any, ...] | None":
    """One part each: None for `**`, a text, or a tuple of characters, 0 for `*`, 1 for `?`; None for an empty one."""
    parts = fold(text.strip()).split("/")
    anchored = not parts[0]
    parts = [part for part in parts if part not in ("", ".")]
    if not parts or ".." in parts:
        return None
    if not anchored and len(parts) == 1:
        parts.insert(0, "**")
    found: list[Any] = []
    for part in parts:
        token = None if part == "**" else _segment(part)
        if token is not None or not found or found[-1] is not None:
            found.append(token)
    while len(found) > 1 and found[-1] is None:
        found.pop()
    return tuple(found) if found != [None] else ((0,),)


def _segment(part: str) -> "Any":
    items: list[Any] = []
    i = 0
    while i < len(part):
        char, i = part[i], i + 1
        if char == "\\" and i < len(part):
            items.append(part[i])
            i += 1
        elif char == "*":
            if items[-1:] != [0]:
                items.append(0)
        elif char == "?":
            items.append(1)
        elif char == "[" and part.find("]", i + 1) > 0:
            end = part.find("]", i + 1)
            items.append(_bracket(part[i:end]))
            i = end + 1
        else:
            items.append(char)
    return tuple(items) if any([not isinstance(item, str) for item in items]) else "".join(items)


def _bracket(inside: str) -> "tuple[bool, str, tuple[tuple[str, str], ...]]":
    negated = inside[:1] in ("!", "^")
    inside = inside[negated:]
    chars, ranges, i = "", [], 0
    while i < len(inside):
        if inside[i + 1 : i + 2] == "-" and i + 2 < len(inside):
            ranges.append((inside[i], inside[i + 2]))
            i += 3
        else:
            chars += inside[i]
            i += 1
    return negated, chars, tuple(ranges)


def braces(text: str) -> "list[str]":
    """`a/{b,c}/*.{x,y}` written out; braces that hold no comma or are never closed stay as they are."""
    found = [text]
    for _ in range(8):
        more = [written for pattern in found for written in _one(pattern)]
        if more == found:
            break
        found = more
    return found[:BRACES_MAX]


def _one(text: str) -> "list[str]":
    start = text.find("{")
    end = text.find("}", start)
    if start < 0 or end < 0 or "," not in text[start:end]:
        return [text]
    return [text[:start] + part + text[end + 1 :] for part in text[start + 1 : end].split(",")]


def index(patterns: "list[tuple[str, int]]") -> str:
    """The text that guards/knowledge/matching.py looks things up in."""
    lines: dict[str, list[str]] = {}
    for text, number in patterns:
        for pattern in braces(text):
            found = tokens(pattern)
            if found is not None and not _BREAKS.intersection(pattern):
                key = _key(found)
                lines.setdefault(key, []).append(f"{number} {pattern}" if key[0] in "GA" else str(number))
    return "\n" + "".join([f"{key}\t{MARK.join(items)}\n" for key, items in lines.items()])


_BREAKS = frozenset("\n\t" + MARK)


def _key(found: "tuple[Any, ...]") -> str:
    """Where the fewest look-ups find a pattern."""
    literal = [token for token in found if isinstance(token, str)]
    if len(literal) == len(found):
        return "P:" + "/".join(literal)
    floating = found[0] is None and len(found) == 2
    if floating and literal:
        return "N:" + literal[0]
    if floating and found[1][:2] == (0, ".") and all([isinstance(char, str) for char in found[1][1:]]):
        return "E:" + "".join(found[1][1:])
    return "G:" + literal[-1] if literal else "A:"
