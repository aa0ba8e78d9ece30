"""The fence's place in a machine: the record that switches it on, and the variable that starts commands through it.

The record, `fence` in the install folder, holds the wired lines that must run outside: guards' own hooks. It is written
before the settings name the fence and taken away after they no longer do, so a hook never finds itself inside.
"""

import os
import shlex
from collections.abc import Iterable

from guards.wiring import place

RECORD = "fence"
VARIABLE = "CLAUDE_CODE_SHELL_PREFIX"
PREFIX = "code/fence/prefix.py"
SCRIPT = "fenced"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+@%-")


def on(install: str) -> bool:
    return os.path.isfile(os.path.join(install, RECORD))


def value(install: str) -> str:
    """What the variable says. Claude Code takes all before the last ` -` for one program, and quotes that alone; a
    folder with a blank in it needs a script for a program."""
    return os.path.join(install, SCRIPT) if set(install) - _PLAIN else _line(install)


def _line(install: str) -> str:
    return f"{shlex.quote(os.path.join(install, 'py'))} -IS {shlex.quote(os.path.join(install, PREFIX))}"


def environment(install: str) -> dict[str, str]:
    return {VARIABLE: value(install)}


def put(places: dict[str, str], events: Iterable[str]) -> None:
    """Writes the record: the line of every event the harness knows, wired or not."""
    install = places["install"]
    lines = [place.command(install, "claude", event, places["checkout"]) for event in events]
    place.write_whole(os.path.join(install, RECORD), "".join(line + "\n" for line in lines), 0o644)
    if value(install) == os.path.join(install, SCRIPT):
        place.write_whole(os.path.join(install, SCRIPT), f'#!/bin/sh\nexec {_line(install)} "$@"\n', 0o755)


def take(install: str) -> None:
    for name in (RECORD, SCRIPT):
        path = os.path.join(install, name)
        if os.path.lexists(path):
            os.unlink(path)
