"""A rule of files against a text: what must and what must not be found in it, line by line anchored."""

import re
from typing import Any


def broken(row: dict[str, Any], text: str) -> list[str]:
    """What a text breaks of a rule, as "line N: …" or "nothing matches …"; [] when it keeps to it."""
    said = [f"nothing matches {p!r}" for p in row["must"] if not re.search(p, text, re.MULTILINE)]
    for pattern in row["must_not"]:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            said.append(f"line {text.count(chr(10), 0, found.start()) + 1}: {pattern!r} matches")
    return said


def proof(row: dict[str, Any]) -> list[str]:
    """What is wrong with a rule's own fixtures."""
    said = [f"good[{i}]: breaks the rule ({'; '.join(b)})" for i, t in enumerate(row["good"]) if (b := broken(row, t))]
    return said + [f"bad[{i}]: keeps to the rule" for i, text in enumerate(row["bad"]) if not broken(row, text)]
