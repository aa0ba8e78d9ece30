"""The human lane asked in this process, by the same dispatch as in a hook; nothing is delivered."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from guards.engine import dispatch
from guards.engine.event import Event, Verdict
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from tests.machine import Machine, tool

# the owner's own lane in these tests: a folder and a file that only a human changes
HUMAN = """
[[lane]]
id    = "human"
paths = ["/human/", "OWNER.md"]
why   = "only a human writes here"
"""
FILES = {
    "human/plan.md": "plan\n",
    "human/notes/old.md": "old\n",
    "OWNER.md": "me\n",
    "src/app.py": "a\n",
    "docs/a.md": "a\n",
}


def event(
    machine: Machine, name: str, given: dict[str, Any], cwd: str | Path, harness: str = "claude", **more: Any
) -> Event:
    adapter = importlib.import_module("guards.harness." + harness)
    found: Event = adapter.read(tool(name, given, cwd=cwd, **more), "before-tool", {})
    return found


def judge(
    machine: Machine,
    name: str,
    given: dict[str, Any],
    cwd: str | Path,
    harness: str = "claude",
    world: World | None = None,
    **more: Any,
) -> list[Verdict]:
    """What the human lane says to one call; a fault of the guard fails the test."""
    seen = world or World(machine.places, Session(machine.places["state"], "s"), {})
    call = event(machine, name, given, cwd, harness, **more)
    tables = load(machine.places)
    dispatch.prepare(call, tables, seen)
    outcome = dispatch.run(call, tables, seen, "human-lane")
    assert not outcome.faults
    return outcome.verdicts + outcome.watched


def says(machine: Machine, name: str, given: dict[str, Any], cwd: str | Path, **more: Any) -> str:
    """deny, ask, watch or none; a path that the owner's file let through is none."""
    found = {v.action for v in judge(machine, name, given, cwd, **more) if "approval" not in v.facts}
    return next((action for action in ("deny", "ask", "watch") if action in found), "none")


def write(machine: Machine, path: str | Path, cwd: str | Path, content: str = "x\n", **more: Any) -> str:
    return says(machine, "Write", {"file_path": str(path), "content": content}, cwd, **more)


def refusal(machine: Machine, path: str | Path, cwd: str | Path, **more: Any) -> str:
    """The text of the one refusal of a Write."""
    (found,) = judge(machine, "Write", {"file_path": str(path), "content": "x\n"}, cwd, **more)
    assert found.action == "deny"
    return found.text


def edit(machine: Machine, path: str | Path, cwd: str | Path, *pairs: tuple[str, str], every: bool = False) -> str:
    """One Edit, or a MultiEdit of several."""
    changes = [{"old_string": old, "new_string": new, "replace_all": every} for old, new in pairs]
    if len(changes) == 1:
        return says(machine, "Edit", {"file_path": str(path), **changes[0]}, cwd)
    return says(machine, "MultiEdit", {"file_path": str(path), "edits": changes}, cwd)
