"""Gemini CLI: the `hooks` of its `settings.json`, in the shape of Claude Code's, with timeouts in milliseconds.

Observed on 0.61.0. It reads comments; broken entries are skipped one by one.
"""

import os
from typing import Any

from guards.harness.gemini import WIRE
from guards.wiring.forms.common import COMMAND, HEAD, SPOKEN, TIME, everything, group, lowest, waiting

__all__ = ["COMMAND", "HEAD", "SPOKEN", "TIME", "everything", "group", "waiting"]

NAME = "gemini"
PROGRAM = "gemini"
MANAGED = None
RULES = False
FENCE = False
STRICT = False
BOM = False  # and then it does not start at all
SILENCERS = ()
TEAM = ".gemini/settings.json"
SHELL, STREAMS = "/bin/bash", "socket"
UNIT = 0.001
DEPTH = 5
EVENTS = WIRE
HINT = ""
TIMEOUT = 30_000


def settings(home: str, environ: dict[str, str]) -> str:
    return os.path.join(home, ".gemini", "settings.json")


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    found = lowest(PROGRAM, home, environ)
    return () if found is None and os.path.isdir(os.path.dirname(settings(home, environ))) else found


def knows(version: tuple[int, ...]) -> list[str]:
    return list(EVENTS)


def entry(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT}


def payload(event: str, cwd: str, session: str, **more: Any) -> dict[str, Any]:
    common = {"session_id": session, "transcript_path": "", "cwd": cwd, "hook_event_name": EVENTS[event]}
    return {**common, "timestamp": "2026-01-01T00:00:00.000Z", **more}


def call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"tool_name": tool, "tool_input": given}


def write(path: str) -> dict[str, Any]:
    return call("write_file", {"file_path": path, "content": "fired by guards\n"})


def shell(command: str) -> dict[str, Any]:
    return call("run_shell_command", {"command": command, "description": "fired by guards"})
