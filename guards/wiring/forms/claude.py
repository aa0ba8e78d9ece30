"""Claude Code: `settings.json` in its configuration folder, groups of entries below the event's name.

Observed on 2.0.76 to 2.1.332. One event name that an old version does not know switches every hook off there, so
names are wired by the installed version; `onFailure` is tolerated by those that do not know it.
"""

import os
from typing import Any

from guards.harness.claude import WIRE
from guards.wiring.forms.common import COMMAND, HEAD, SPOKEN, TIME, everything, group, lowest, waiting

__all__ = ["COMMAND", "HEAD", "SPOKEN", "TIME", "everything", "group", "waiting"]

NAME = "claude"
PROGRAM = "claude"
MANAGED = "/etc/claude-code/managed-settings.json"
RULES = True
FENCE = True  # its settings can name a program that starts every shell command
STRICT = True  # a comment or a trailing comma, and the whole file is ignored without a word
BOM = True
SILENCERS = (".claude/settings.json", ".claude/settings.local.json")
TEAM = ".claude/settings.json"
SHELL, STREAMS = "/bin/sh", "socket"
HINT = ""
UNIT = 1.0  # seconds in one unit of `timeout`
DEPTH = 5  # hooks, event, group, hooks, entry

EVENTS = WIRE
# names that the oldest versions in use do not have → the first version seen to know them
SINCE = {"after-tool-failure": (2, 0, 76), "subagent-start": (2, 0, 76)}
# seconds. The hook itself gives up at 25, so that its answer is still heard; a session's end is cut off at 2
# unless a timeout stands there
TIMEOUT = 30


def settings(home: str, environ: dict[str, str]) -> str:
    folder = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.join(os.path.abspath(folder), "settings.json")


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    found = lowest(PROGRAM, home, environ, (".claude/local/claude",))
    if found is None and os.path.isdir(os.path.dirname(settings(home, environ))):
        return ()
    return found


def knows(version: tuple[int, ...]) -> list[str]:
    return [event for event in EVENTS if version >= SINCE.get(event, ())]


def entry(event: str, command: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "command", "command": command, "timeout": TIMEOUT}
    if event == "before-tool":
        made["onFailure"] = "block"
    return made


def payload(event: str, cwd: str, session: str, **more: Any) -> dict[str, Any]:
    """An event as the program sends it."""
    common = {"session_id": session, "transcript_path": "", "cwd": cwd, "hook_event_name": EVENTS[event]}
    return {**common, **more}


def call(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"tool_name": tool, "tool_input": given, "tool_use_id": "toolu_guards", "permission_mode": "default"}


def write(path: str) -> dict[str, Any]:
    return call("Write", {"file_path": path, "content": "fired by guards\n"})


def shell(command: str) -> dict[str, Any]:
    return call("Bash", {"command": command, "description": "fired by guards"})
