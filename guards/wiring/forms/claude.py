"""Claude Code: `settings.json` in its configuration folder, groups of entries below the event's name.

Observed on 2.0.76 to 2.1.332. One event name that an old version does not know switches every hook off there, so
names are wired by the installed version; `onFailure` is tolerated by those that do not know it.
"""

import os
import re
import shutil
import subprocess
from typing import Any

NAME = "claude"
PROGRAM = "claude"
MANAGED = "/etc/claude-code/managed-settings.json"
RULES = True
STRICT = True  # a comment or a trailing comma, and the whole file is ignored without a word
SHELL, STREAMS = "/bin/sh", "socket"
UNIT = 1.0  # seconds in one unit of `timeout`
DEPTH = 5  # hooks, event, group, hooks, entry

EVENTS = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before-tool": "PreToolUse",
    "after-tool": "PostToolUse",
    "after-tool-failure": "PostToolUseFailure",
    "subagent-start": "SubagentStart",
    "subagent-stop": "SubagentStop",
    "before-compact": "PreCompact",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
# names that the oldest versions in use do not have → the first version seen to know them
SINCE = {"after-tool-failure": (2, 0, 76), "subagent-start": (2, 0, 76)}
# seconds. The hook itself gives up at 25, so that its answer is still heard; a session's end is cut off at 2
# unless a timeout stands there
TIMEOUT = {"before-tool": 30}
OTHERS = 30
SECONDS = 5.0  # for `claude --version`


def settings(home: str, environ: dict[str, str]) -> str:
    folder = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.join(os.path.abspath(folder), "settings.json")


def programs(home: str, environ: dict[str, str]) -> list[str]:
    """Every installed copy: they share one settings file, so the oldest decides."""
    path = environ.get("PATH", os.defpath)
    found = [shutil.which(PROGRAM, path=folder) for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    found += [os.path.join(home, place) for place in (".local/bin/claude", ".claude/local/claude")]
    real = {os.path.realpath(name): name for name in found if name and os.access(name, os.X_OK)}
    return list(real.values())


def installed(home: str, environ: dict[str, str]) -> tuple[int, ...] | None:
    names = programs(home, environ)
    if not names:
        return () if os.path.isdir(os.path.dirname(settings(home, environ))) else None
    return min(_version(name, home, environ) for name in names)


def _version(program: str, home: str, environ: dict[str, str]) -> tuple[int, ...]:
    env = {"HOME": home, "PATH": environ.get("PATH", os.defpath), "DISABLE_AUTOUPDATER": "1"}
    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, env=env, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ()
    found = re.match(r"\s*v?(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(int(part) for part in found.groups()) if found else ()


def knows(version: tuple[int, ...]) -> list[str]:
    return [event for event in EVENTS if version >= SINCE.get(event, ())]


def entry(event: str, command: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "command", "command": command, "timeout": TIMEOUT.get(event, OTHERS)}
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


def group(made: dict[str, Any]) -> dict[str, Any]:
    return {"hooks": [made]}


def everything(group: Any) -> bool:
    """An absent, empty or `*` matcher means every tool."""
    return isinstance(group, dict) and group.get("matcher", "") in ("", "*")
