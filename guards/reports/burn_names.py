"""Which program a recorded shell call ran: the same first word that matters as in the output bound."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from guards.shell.program import first

UNKNOWN = "(not plain text)"
_names: dict[str, Any] = {"passing": frozenset(), "shells": frozenset(), "wrappers": {}}
_KEYWORDS = ("for", "select", "case", "function", "if", "while", "until", "do", "then", "time")
_special: set[str] = set(_KEYWORDS)


def use(names: dict[str, Any]) -> None:
    """Takes the policy's table of wrappers and the like (output-bound, `names`)."""
    _names.update(names)
    _special.clear()
    _special.update(_KEYWORDS, names["passing"], names["shells"], names["wrappers"])
    _slow.cache_clear()


def program_of(command: str) -> str:
    """The program, or UNKNOWN."""
    word = command.partition(" ")[0]
    if word.isalnum() and word.isascii() and word not in _special:
        return word
    return _slow(command[:2000])


@lru_cache(maxsize=4096)
def _slow(command: str) -> str:
    return first(command, _names)[0] or UNKNOWN
