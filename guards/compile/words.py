"""The words in which a policy's faults are told: where inside the file, what was found, what was meant."""

import difflib
import math
import re
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any, Final


class Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
_BARE: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")
CLIP: Final = 80  # characters of a foreign value in a message
LARGEST: Final = 2**53  # beyond it a number is no longer exact in JSON readers


class Faults:
    """Collects (path, message) pairs of one file."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def add(self, at: str, message: str) -> Missing:
        self.found.append((at, message))
        return MISSING


def dotted(at: str, key: str) -> str:
    if _BARE.fullmatch(key) is None:
        key = shown(key)
    return f"{at}.{key}" if at else key


def called(value: Any) -> str:
    """A person's word for the type of a TOML value."""
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    for kind, word in _WORDS:
        if isinstance(value, kind):
            return word
    return type(value).__name__


_WORDS: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (str, "a string"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (list, "a list"),
    (dict, "a table"),
    ((datetime, date, time), "a date or time"),
)


def nearest(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word[:CLIP], known, n=1, cutoff=0.0)
    return close[0] if close else ""


def shown(value: Any) -> str:
    """A value as a message quotes it, never longer than a line."""
    if isinstance(value, bool):
        return str(value).lower()
    said = repr(value)
    return said if len(said) <= CLIP else said[: CLIP - 1] + "…"


def unknown_key(key: str, known: Sequence[str]) -> str:
    near = nearest(key, known)
    return f"unknown key {shown(key)}" + (f", the nearest known one is {near!r}" if near else "")


def none_of(value: str, choices: Sequence[str]) -> str:
    return f"{shown(value)} is none of " + ", ".join(repr(c) for c in choices)


def word_fault(value: str, choices: tuple[str, ...] | None, empty: bool) -> str:
    if choices is not None and value not in choices:
        return none_of(value, choices)
    if not value and not empty:
        return "is empty"
    if any((c < " " and c not in "\n\t") or c == "\x7f" for c in value):
        return "holds a control character"
    return ""
