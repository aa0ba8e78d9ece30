"""`guards install --context`: the guards that are off as shipped because what they tell costs tokens.

One line in the machine's layer switches each on. A file that is there already is the owner's: it is not edited, and the
line that it needs is said.
"""

from __future__ import annotations

import os
import tomllib

from guards.wiring import consent, place

NAMES = ("context", "read-gate", "switches")
_TEXT = "# switched on by guards install --context; off = true parks it again\noff = false\n"


def switch_on(places: dict[str, str], yes: bool, dry_run: bool) -> None:
    """Writes the machine's policy files that are missing, after asking; says what the others need."""
    todo = [path for path in _paths(places) if not os.path.lexists(path)]
    for path in _paths(places):
        if path not in todo and not _is_on(path):
            print(f"note: {path} is yours; to switch this guard on, set in it: off = false")
    for path in todo:
        print(f"{path}: {'would be written' if dry_run else 'to be written'}: off = false")
    if dry_run or not todo:
        return
    consent.agree("install", "switch these on?", yes)
    for path in todo:
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        place.write_whole(path, _TEXT, 0o644)


def _paths(places: dict[str, str]) -> list[str]:
    return [os.path.join(places["machine"], f"{name}.toml") for name in NAMES]


def _is_on(path: str) -> bool:
    try:
        with open(path, "rb") as handle:
            return tomllib.load(handle).get("off") is False
    except (OSError, ValueError):
        return False
