"""The bar for gates: a broad matcher cannot refuse unrelated work.

Every tool call that was recorded from a real program, its prompts and its stops pass every gate in silence: each gate
by itself, all of them through the wired command, and many at once. None of these calls means to touch a lane, so
whatever is refused here would be refused all day.
"""

from __future__ import annotations

import json
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest

from guards.engine import dispatch
from guards.engine.event import MODES
from guards.engine.state import Session
from guards.engine.tables import Tables, load
from guards.engine.world import World
from tests.adapters.recorded import events
from tests.machine import ROOT, Fired, Machine

HARNESSES = ("claude", "codex", "gemini")
GATES = [event for event, mode in MODES.items() if mode != "observe"]


def adapter(harness: str) -> Any:
    return __import__(f"guards.harness.{harness}", fromlist=["read"])


Recorded = tuple[str, str, str, dict[str, Any]]
CALLS: list[Recorded] = [
    (harness, stem, name, payload)
    for harness in HARNESSES
    for stem, name, payload in events(harness, adapter(harness).WIRE)
    if name in GATES
]


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((ROOT / "policy/dispatch.toml").read_text())["guard"]
    return [row for row in found if set(row["events"]) & set(GATES)]


def moved(payload: dict[str, Any], home: Path) -> dict[str, Any]:
    """The same call on this machine: what the recording calls the owner's home is the throwaway one."""
    text = json.dumps(payload)
    found: dict[str, Any] = json.loads(text.replace("/home/owner", str(home)))
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, Tables]:
    """One machine with the bundled policy for all of these."""
    machine = Machine(tmp_path_factory.mktemp("bar"))
    machine.repo("project", files={"src/app.py": "a\n", "README.md": "# p\n"})
    return machine, load(machine.places)


def test_there_is_something_to_hold_the_gates_against() -> None:
    tools = {payload["tool_name"] for _, _, name, payload in CALLS if name == "before-tool"}
    assert len(tools) > 30
    assert {name for _, _, name, _ in CALLS} == set(GATES)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_every_gate_by_itself_is_silent_on_every_recorded_call(
    house: tuple[Machine, Tables], row: dict[str, Any]
) -> None:
    machine, tables = house
    for harness, stem, name, payload in CALLS:
        if name not in row["events"]:
            continue
        event = adapter(harness).read(moved(payload, machine.home), name, {})
        world = World(machine.places, Session(machine.places["state"], "", frozen=True), {})
        dispatch.prepare(event, tables, world)
        outcome = dispatch.run(event, tables, world, row["id"])
        said = [v for v in outcome.verdicts if v.action in ("deny", "ask")]
        assert not said, f"{harness}/{stem}: {said}"
        assert not outcome.faults, f"{harness}/{stem}: {outcome.faults}"
        assert not outcome.watched, f"{harness}/{stem}: {outcome.watched}"


@pytest.mark.parametrize(("harness", "stem", "name", "payload"), CALLS, ids=[f"{h}/{s}" for h, s, _, _ in CALLS])
def test_a_recorded_call_passes_the_wired_command_in_silence(
    house: tuple[Machine, Tables], harness: str, stem: str, name: str, payload: dict[str, Any]
) -> None:
    machine, _ = house
    fired = machine.fire(name, moved(payload, machine.home), harness=harness)
    assert fired.silent, fired


def test_thirty_two_calls_on_eight_workers_with_everything_on_refuse_nothing(house: tuple[Machine, Tables]) -> None:
    machine, _ = house
    todo = [call for call in CALLS if call[2] == "before-tool"][:32]
    assert len(todo) == 32
    fired: list[tuple[str, Fired]] = []

    def work() -> None:
        while todo:
            try:
                harness, stem, name, payload = todo.pop()
            except IndexError:
                return
            one = {**moved(payload, machine.home), "session_id": "one-session-for-all"}
            fired.append((stem, machine.fire(name, one, harness=harness)))

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(fired) == 32
    assert not [(stem, one) for stem, one in fired if not one.silent]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_a_gate_states_its_real_matcher(row: dict[str, Any]) -> None:
    """Before a tool, a row that is asked for every tool there is disqualifies itself."""
    if "before-tool" in row["events"]:
        assert row.get("tools") or row.get("match"), row["id"]
        assert "*" not in row.get("tools", [])
        assert all(len(name) > 4 for name in row.get("match", []))
