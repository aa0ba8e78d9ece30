"""Codex CLI: `hooks.json` in its home, in the shape of Claude Code's.

Observed on 0.171.0. Hooks that the owner has not reviewed do not run, and the program does not say so; a change of
the file asks for a new review. One broken entry drops the whole file.
"""

import os
from typing import Any

from guards.harness.codex import WIRE
from guards.wiring.forms.common import everything, group, lowest

__all__ = ["everything", "group"]

NAME = "codex"
PROGRAM = "codex"
MANAGED = None
RULES = False
STRICT = True
SHELL, STREAMS = "/bin/bash", "pipe"
UNIT = 1.0
DEPTH = 5
EVENTS = WIRE
HINT = "codex runs no hook that was not reviewed: start codex, type /hooks, and trust the entries of guards."
TIMEOUT, END = 30, 3  # seconds; longer at a session's end is cut to 3


def settings(home: str, environ: dict[str, str]) -> str:
    return os.path.join(os.path.abspath(environ.get("CODEX_HOME") or os.path.join(home, ".codex")), "hooks.json")


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    found = lowest(PROGRAM, home, environ)
    return () if found is None and os.path.isdir(os.path.dirname(settings(home, environ))) else found


def knows(version: tuple[int, ...]) -> list[str]:
    return list(EVENTS)


def entry(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": END if event == "session-end" else TIMEOUT}


def payload(event: str, cwd: str, session: str, **more: Any) -> dict[str, Any]:
    common = {"session_id": session, "turn_id": "guards", "transcript_path": None, "cwd": cwd}
    return {**common, "hook_event_name": EVENTS[event], "model": "guards", "permission_mode": "default", **more}


def call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"tool_name": tool, "tool_input": given, "tool_use_id": "call_guards"}


def write(path: str) -> dict[str, Any]:
    return call("apply_patch", {"command": f"*** Begin Patch\n*** Add File: {path}\n+fired\n*** End Patch\n"})


def shell(command: str) -> dict[str, Any]:
    return call("Bash", {"command": command})
