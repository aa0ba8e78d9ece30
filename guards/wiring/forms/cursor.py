"""Cursor: `hooks.json` in its folder, entries right below the event's name, for the editor and for cursor-agent.

Only read: cursor.com/docs/hooks of 2026-10-07 and reports from the field. One event name that a version does not know
voids the whole file, so nothing is wired in a version that is older than `preToolUse`. `failClosed` is left out: what
it adds to the exit code of 2 is a refusal after a timeout, and it would refuse every call whose answer were lost.
"""

import os
from typing import Any

from guards.harness.cursor import WIRE
from guards.wiring.forms.common import COMMAND, TIME, lowest, waiting

__all__ = ["COMMAND", "TIME", "waiting"]

NAME = "cursor"
PROGRAM = "cursor"
AGENT = "cursor-agent"  # its versions are dates
MANAGED = "/etc/cursor/hooks.json"
RULES = False
FENCE = False
STRICT = True
BOM = True  # not known; nothing is claimed
SILENCERS = ()
TEAM = ".cursor/hooks.json"
SPOKEN = ("before-tool",)
SHELL, STREAMS = "/bin/sh", "socket"  # as other programs on its runtime do
UNIT = 1.0
DEPTH = 3  # hooks, event, entry
EVENTS = WIRE
HEAD = {"version": 1}
HINT = (
    "cursor also runs the hooks of ~/.claude/settings.json: where both are wired each call is judged twice, with the"
    " same outcome. to be rid of that: Cursor Settings, Agents, Third-Party Imports."
)
TIMEOUT = 30
FIRST = (2, 4)  # the version that brought preToolUse and the events beside it


def settings(home: str, environ: dict[str, str]) -> str:
    return os.path.join(home, ".cursor", "hooks.json")


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    found = [v for v in (lowest(PROGRAM, home, environ), lowest(AGENT, home, environ)) if v is not None]
    if found:
        return min(found)
    return () if os.path.isdir(os.path.join(home, ".cursor")) else None


def knows(version: tuple[int, ...]) -> list[str]:
    return list(EVENTS) if not version or version >= FIRST else []


def entry(event: str, command: str) -> dict[str, Any]:
    return {"type": "command", "command": command, "timeout": TIMEOUT}


def group(made: dict[str, Any]) -> dict[str, Any]:
    """There are no groups: an entry carries its own matcher."""
    return made


def everything(group: Any) -> bool:
    """An absent, empty or `*` matcher means every tool."""
    return isinstance(group, dict) and group.get("matcher", "") in ("", "*")


def payload(event: str, cwd: str, session: str, **more: Any) -> dict[str, Any]:
    common: dict[str, Any] = {
        "conversation_id": session,
        "generation_id": "guards",
        "model": "guards",
        "cursor_version": "0.0.0",
    }
    common |= {"hook_event_name": EVENTS[event], "user_email": None, "transcript_path": None}
    return {**common, "workspace_roots": [cwd], "cwd": "", **more}


def call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"tool_name": tool, "tool_input": given, "tool_use_id": "guards"}


def write(path: str) -> dict[str, Any]:
    return call("Write", {"file_path": path, "content": "fired by guards\n"})


def shell(command: str) -> dict[str, Any]:
    return call("Shell", {"command": command})
