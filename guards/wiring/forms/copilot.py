"""Copilot CLI: a file of Guards' own in its hooks folder, entries right below the event's name.

Observed on 1.0.102. All files of the folder are read and their entries run in turn. It reads plain JSON alone, without
a byte order mark; a broken entry is left out by itself, an unknown event does no harm, and a matcher that is empty or
`*` keeps the entry from running at all. A trusted project's `disableAllHooks` silences the owner's hooks; root's own
folder is out of its reach.
"""

import os
from typing import Any

from guards.harness.copilot import WIRE
from guards.wiring.forms.common import SPOKEN, lowest, waiting

__all__ = ["SPOKEN", "waiting"]

NAME = "copilot"
PROGRAM = "copilot"
FILE = "guards.json"
MANAGED = "/etc/github-copilot/policy.d/" + FILE
RULES = False
FENCE = False
STRICT = True
BOM = False
SILENCERS = (
    ".github/copilot/settings.json", ".github/copilot/settings.local.json",
    ".claude/settings.json", ".claude/settings.local.json",
)  # fmt: skip
TEAM = ".github/hooks/" + FILE
SHELL, STREAMS = "/bin/bash", "pipe"
UNIT = 1.0
DEPTH = 3  # hooks, event, entry
COMMAND, TIME = "bash", "timeoutSec"
EVENTS = WIRE
HEAD = {"version": 1}
HINT = ""
TIMEOUT = 30


def folder(home: str, environ: dict[str, str]) -> str:
    return os.path.abspath(environ.get("COPILOT_HOME") or os.path.join(home, ".copilot"))


def settings(home: str, environ: dict[str, str]) -> str:
    return os.path.join(folder(home, environ), "hooks", FILE)


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    found = lowest(PROGRAM, home, environ)
    return () if found is None and os.path.isdir(folder(home, environ)) else found


def knows(version: tuple[int, ...]) -> list[str]:
    return list(EVENTS)


def entry(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", COMMAND: command, TIME: TIMEOUT}


def group(made: dict[str, Any]) -> dict[str, Any]:
    """There are no groups: an entry carries its own matcher."""
    return made


def everything(group: Any) -> bool:
    """An absent matcher means every tool, and so does `.*`; `*` and an empty one match nothing."""
    return isinstance(group, dict) and group.get("matcher", ".*") == ".*"


def payload(event: str, cwd: str, session: str, **more: Any) -> dict[str, Any]:
    return {"sessionId": session, "timestamp": 0, "cwd": cwd, **more}


def call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"toolName": tool, "toolArgs": given}


def write(path: str) -> dict[str, Any]:
    return call("create", {"path": path, "file_text": "fired by guards\n"})


def shell(command: str) -> dict[str, Any]:
    return call("bash", {"command": command, "description": "fired by guards"})
