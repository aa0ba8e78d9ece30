"""Compiled policy: used while its sources stand as they stood, from files that are ours; last good when broken."""

from __future__ import annotations

import marshal
import os
import time
from pathlib import Path
from typing import Any

import pytest

from guards.engine import tables
from tests.machine import Machine

LANE = '[[lane]]\nid = "human"\npaths = ["human/"]\nwhy = "the owner writes these"\n'


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """The hook itself compiles what it finds."""
    return Machine(tmp_path, warm=False)


def written(machine: Machine) -> Path:
    tables.load(machine.places)
    return machine.state / "tables/machine"


def test_tables_are_written_once_and_read_after_that(machine: Machine) -> None:
    path = written(machine)
    before = path.stat()
    tables.load(machine.places)
    assert path.stat().st_ino == before.st_ino


def test_a_hook_finds_nothing_to_do_in_what_the_tests_compile_for_it(machine: Machine) -> None:
    machine.compile()
    path = machine.state / "tables/machine"
    before = path.stat()
    assert machine.write(machine.repo() / "a.txt").silent
    assert path.stat().st_ino == before.st_ino


@pytest.mark.parametrize("change", ["touch", "replace", "chmod", "new file"])
def test_any_change_of_a_source_is_seen(machine: Machine, change: str) -> None:
    source = machine.policy("human-lane", LANE)
    path = written(machine)
    before = path.stat().st_ino
    if change == "touch":
        os.utime(source, ns=(source.stat().st_atime_ns, source.stat().st_mtime_ns + 1))
    elif change == "replace":
        times = source.stat()
        fresh = source.with_suffix(".new")
        fresh.write_text(LANE)
        os.utime(fresh, ns=(times.st_atime_ns, times.st_mtime_ns))
        fresh.chmod(0o600)
        fresh.rename(source)
    elif change == "chmod":
        source.chmod(0o400)
    else:
        machine.policy("spawn-envelope", "min_chars = 500\n")
    tables.load(machine.places)
    assert path.stat().st_ino != before


def test_another_interpreter_or_version_compiles_for_itself(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(machine)
    before = path.stat().st_ino
    monkeypatch.setattr(tables, "VERSION", "9.9.9")
    tables.load(machine.places)
    assert path.stat().st_ino != before


@pytest.mark.parametrize(
    "how", ["group-writable", "world-writable", "a link", "cut", "garbage", "another shape", "a folder"]
)
def test_a_compiled_file_that_is_not_ours_or_not_whole_is_not_used(machine: Machine, how: str) -> None:
    path = written(machine)
    data = path.read_bytes()
    if how.endswith("writable"):
        path.chmod(0o620 if how[0] == "g" else 0o602)
    elif how == "a link":
        path.rename(path.with_name("elsewhere"))
        path.symlink_to("elsewhere")
    elif how == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {"cut": data[: len(data) // 2], "garbage": b"\xff" * 100}.get(how, marshal.dumps((b"other", (), {})))
        )
    assert tables.read(str(path)) is None
    assert tables.load(machine.places).get("dispatch")


def test_last_good_tables_stay_in_force_and_are_not_rebuilt_at_every_call(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.policy("human-lane", LANE)
    written(machine)
    time.sleep(0.02)
    machine.policy("human-lane", LANE + "typo = [\n")
    first = tables.load(machine.places)
    assert "last good" in first.stale
    assert first.get("human-lane")

    def never(*_: Any) -> None:
        raise AssertionError("compiled again although nothing changed")

    time.sleep(0.02)
    monkeypatch.setattr(tables, "_rebuild", never)
    assert "last good" in tables.load(machine.places).stale


def test_without_any_good_tables_there_is_nothing_to_judge_by(machine: Machine) -> None:
    machine.policy("human-lane", "typo = [\n")
    with pytest.raises(tables.NoTables, match="guards check"):
        tables.load(machine.places)


def test_a_section_that_is_not_there_is_none(machine: Machine) -> None:
    assert tables.load(machine.places).get("no-such-guard") is None


def test_a_repository_adds_its_own_layer_and_its_faults_cost_only_that_layer(machine: Machine) -> None:
    machine.policy("human-lane", LANE)
    root = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "api"\npaths = ["api/"]\nwhy = "frozen"\n'})
    found = tables.load(machine.places)
    assert found.of_repository("human-lane", str(root)) != found.get("human-lane")
    assert found.of_repository("human-lane", str(machine.home)) == found.get("human-lane")
    (root / ".guards/human-lane.toml").write_text("typo = [\n")
    again = tables.load(machine.places)
    assert again.of_repository("human-lane", str(root)) is not None


def test_a_state_folder_that_cannot_be_written_costs_only_time(machine: Machine) -> None:
    os.rmdir(machine.state)
    machine.state.write_text("in the way")
    assert tables.load(machine.places).get("dispatch")
