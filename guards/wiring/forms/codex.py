"""Codex CLI: `hooks.json` in its home, in the shape of Claude Code's.

Observed on 0.171.0. Hooks that the owner has not reviewed do not run, and the program does not say so; a change of
the file asks for a new review. One broken entry drops the whole file.
"""

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from typing import Any

from guards.harness.codex import WIRE
from guards.wiring import unwire
from guards.wiring.forms.common import COMMAND, HEAD, SPOKEN, TIME, everything, group, lowest

__all__ = ["COMMAND", "HEAD", "SPOKEN", "TIME", "everything", "group"]

NAME = "codex"
PROGRAM = "codex"
MANAGED = None
RULES = False
FENCE = False
STRICT = True
BOM = False
SILENCERS = ()
TEAM = ".codex/hooks.json"
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


def waiting(path: str) -> list[str]:
    """The events of our entries that the owner has not trusted as they stand, or has switched off.

    Codex notes what was trusted in its config.toml: by file, event and place in it, with a hash of what runs there.
    """
    try:
        with open(os.path.join(os.path.dirname(path), "config.toml"), "rb") as handle:
            state = dict(tomllib.load(handle)["hooks"]["state"])
    except (OSError, ValueError, KeyError, TypeError):
        state = {}
    found = []
    for native, place, made in _ours(path):
        notes = [state.get(f"{file}:{_label(native)}:{place}") for file in (path, os.path.realpath(path))]
        note = next((note for note in notes if isinstance(note, dict)), {})
        if note.get("trusted_hash") != fingerprint(native, made) or note.get("enabled") is False:
            found.append(native)
    return found


def _ours(path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(event, place in it, entry) of every entry of ours."""
    try:
        plain: Any = unwire.parse(unwire.decode(unwire.load(path))).plain()
        events = plain["hooks"].items()
    except (OSError, unwire.Broken, KeyError, TypeError, AttributeError):
        return
    for native, groups in events:
        for at, around in enumerate(groups if isinstance(groups, list) else []):
            inner = around.get("hooks") if isinstance(around, dict) else None
            for index, made in enumerate(inner if isinstance(inner, list) else []):
                line = made.get(COMMAND) if isinstance(made, dict) else None
                if isinstance(line, str) and unwire.MARKED.search(line):
                    yield native, f"{at}:{index}", made


def fingerprint(native: str, made: dict[str, Any]) -> str:
    """What Codex compares with what was trusted: a hash of the event, the command line and its timeout."""
    handler = {"type": "command", "command": made[COMMAND], "timeout": made.get(TIME, 600), "async": False}
    text = json.dumps(
        {"event_name": _label(native), "hooks": [handler]}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _label(native: str) -> str:
    """PreToolUse → pre_tool_use."""
    return "".join("_" + char.lower() if char.isupper() else char for char in native).lstrip("_")


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
