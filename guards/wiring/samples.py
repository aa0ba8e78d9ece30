"""What `guards fire` sends: for every gate one call that it must refuse and one that it must let pass.

The refused ones aim at the install's own record, which is sealed whatever the policy says, or are read off the
policy in force (a spawn without headings). Nothing named here is ever run or written: hooks only judge.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from guards.compile.build import Built

LINK = "record"  # in the folder that samples are fired from: leads to the install's own record
SESSION = "guards-fire-"  # the engine throws such sessions' memory away and does not count them


@dataclass(frozen=True)
class Sample:
    """One event as the harness would send it: `refused` says what must come of it."""

    guard: str
    event: str
    what: str
    refused: bool
    payload: dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """What samples are made from."""

    form: ModuleType
    places: dict[str, str]
    built: Built
    cwd: str
    sessions: list[str] = field(default_factory=list)  # what was sent, so that its memory can be taken away

    def event(self, event: str, **more: Any) -> dict[str, Any]:
        self.sessions.append(SESSION + secrets.token_hex(4))
        made: dict[str, Any] = self.form.payload(event, self.cwd, self.sessions[-1], **more)
        return made

    @property
    def sealed(self) -> str:
        return os.path.join(self.places["install"], "places")

    @property
    def free(self) -> str:
        return os.path.join(self.cwd, "notes.txt")


Pair = tuple[str, dict[str, Any]]  # what it is, in a few words; the call


def _human_lane(ground: Ground) -> tuple[Pair, Pair] | None:
    refused = ("a file tool writes the record of the install", ground.form.write(ground.sealed))
    return refused, ("a file tool writes a note", ground.form.write(ground.free))


def _shell_lane(ground: Ground) -> tuple[Pair, Pair] | None:
    # what would be written does not show (exact effects are human-lane's); a link, since a word with blanks, as in
    # some homes, is no path to this guard
    line = f'"$PROGRAM" {LINK}'
    refused = ("a program that is not named gets the record", ground.form.shell(line))
    return refused, ("the shell lists a folder", ground.form.shell("ls -la"))


def _spawn_envelope(ground: Ground) -> tuple[Pair, Pair] | None:
    policy = ground.built.policies["spawn-envelope"]
    tool = next((row for row in policy["tool"] if row["kind"] == "spawn"), None)
    if tool is None:
        return None
    name, field = tool["match"].replace("*", "fire"), tool["prompt"]
    whole = "".join(f"{row['accept'][0]}: none\n" for row in policy["heading"])
    refused = ("a session is started without an envelope", ground.form.call(name, {field: "go on"}))
    return refused, ("a session is started with its envelope", ground.form.call(name, {field: whole}))


def _human_only(ground: Ground) -> tuple[Pair, Pair] | None:
    for row in ground.built.policies["human-only"]["command"]:
        plain = row["programs"] and not (row["within"] or row["sets"] or row["settings"] or row["files"])
        if plain and row["verbs"] and row["action"] != "watch":
            line = f"{row['programs'][0]} {row['verbs'][0]}"
            return (f"the shell runs {line}", ground.form.shell(line)), (
                "the shell runs git status",
                ground.form.shell("git status"),
            )
    return None


def _read_gate(ground: Ground) -> tuple[Pair, Pair] | None:
    """What it refuses hangs on what a session has read, so there is no call that it must refuse in a fresh one."""
    return None


def _switches(ground: Ground) -> tuple[Pair, Pair] | None:
    refused = ("a prompt for later begins with a switch", ground.form.call("fire-later", {"prompt": "#disable rgate"}))
    return refused, ("a prompt for later", ground.form.call("fire-later", {"prompt": "go on"}))


def _worktree(ground: Ground) -> tuple[Pair, Pair] | None:
    """What it refuses hangs on where a session was opened."""
    return None


GATES: dict[str, Callable[[Ground], tuple[Pair, Pair] | None]] = {
    "human-lane": _human_lane,
    "shell-lane": _shell_lane,
    "human-only": _human_only,
    "spawn-envelope": _spawn_envelope,
    "read-gate": _read_gate,
    "switches": _switches,
    "worktree": _worktree,
}
# asked before a tool, but only ever to say something
SPEAKS: frozenset[str] = frozenset({"context"})


def before_tool(ground: Ground) -> Iterator[Sample]:
    """Both ways through every gate that is on. A gate that only watches must let both pass."""
    for guard, make in GATES.items():
        if not on(ground.built, guard):
            continue
        made = make(ground)
        if made is None:
            continue
        watched = action(ground.built, guard) not in ("", "deny", "ask")
        for (what, call), refused in zip(made, (not watched, False), strict=True):
            yield Sample(guard, "before-tool", what, refused, ground.event("before-tool", **call))


def others(ground: Ground, events: list[str]) -> Iterator[Sample]:
    """One harmless call of every other event: it must be answered well."""
    note = {**ground.form.shell("ls"), "tool_response": {"stdout": "a\n", "stderr": "", "interrupted": False}}
    fields: dict[str, dict[str, Any]] = {
        "session-start": {"source": "startup"},
        "prompt": {"prompt": "hello"},
        "after-tool": note,
        "after-tool-failure": {**ground.form.shell("false"), "error": "exit code 1", "is_interrupt": False},
        "subagent-start": {"agent_id": "a1", "agent_type": "general"},
        "subagent-stop": {"agent_id": "a1", "agent_type": "general", "stop_hook_active": False},
        "before-compact": {"trigger": "manual", "custom_instructions": ""},
        "stop": {"stop_hook_active": False},
        "session-end": {"reason": "other"},
    }
    for event in events:
        if event in fields:
            yield Sample("guards", event, "a harmless event", False, ground.event(event, **fields[event]))


def on(built: Built, guard: str) -> bool:
    """Whether the guard judges: it has a table, and a row that asks it before a tool."""
    rows = built.sections.get("dispatch") or {}
    asked = any(row[0] == guard for row in rows.get("before-tool", ()))
    return asked and built.sections.get(guard) is not None


def action(built: Built, guard: str) -> str:
    """What the guard's policy makes of its findings, where one word says it for the whole guard."""
    policy = built.policies.get(guard, {})
    return str(policy.get("opaque" if guard == "shell-lane" else "action", ""))
