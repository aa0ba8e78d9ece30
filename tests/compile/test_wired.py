"""The policy is compiled inside the hook itself, by the bare interpreter that harnesses start."""

from __future__ import annotations

import marshal
import stat
import time
from pathlib import Path

from guards.compile.catalog import POLICIES
from guards.engine import tables
from tests.machine import Machine, tool

READ = tool("Read", {"file_path": "README.md"})


def test_the_first_call_compiles_and_the_next_finds_it_fresh(machine: Machine) -> None:
    assert machine.fire("before-tool", READ).silent
    path = Path(tables.file_of(machine.places))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = tables.read(str(path))
    assert found is not None
    assert set(found[1]) == set(POLICIES)
    before = path.stat()
    assert machine.fire("before-tool", READ).silent
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_what_the_owner_writes_counts_from_the_next_call_on(machine: Machine) -> None:
    machine.fire("before-tool", READ)
    machine.policy("dispatch", '[[guard]]\nid = "spawn-envelope"\noff = true\n')
    machine.fire("before-tool", READ)
    found = tables.read(tables.file_of(machine.places))
    assert found is not None
    rows = marshal.loads(found[1]["dispatch"]).get("before-tool", [])
    assert "spawn-envelope" not in [row[0] for row in rows]


def test_a_mistake_of_the_owner_keeps_the_last_good_policy(machine: Machine) -> None:
    assert machine.fire("before-tool", READ).silent
    time.sleep(0.03)
    machine.policy("dispatch", "[[guard]]\nid = 7\n")
    assert machine.fire("before-tool", READ).silent
    text = (machine.state / "tables/fault").read_text()
    assert text.startswith(
        "~/.config/guards/policy/dispatch.toml: guard[0].id: expected a string, found a whole number\n"
    )


def test_a_mistake_with_no_last_good_policy_refuses_tools(machine: Machine) -> None:
    machine.policy("dispatch", "[[guard]]\nid = 7\n")
    fired = machine.fire("before-tool", READ)
    assert fired.denied
    assert "guards check" in fired.err
    assert "Traceback" not in fired.err
    assert machine.fire("session-start", {"session_id": "s", "cwd": "/"}).silent
