"""The policy is compiled inside the hook itself, by the bare interpreter that harnesses start."""

from __future__ import annotations

import marshal
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

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


# ---- a repository's layer, through the human lane


def write(path: str, proj: Path) -> dict[str, Any]:
    return tool("Write", {"file_path": path, "content": "x"}, cwd=proj)


def test_a_repository_protects_a_path_of_its_own(machine: Machine) -> None:
    proj = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "books"\npaths = ["books/"]\nwhy = "ours"\n'})
    other = machine.repo("other")
    fired = machine.fire("before-tool", write("books/a.txt", proj))
    assert fired.denied
    assert ".guards/human-lane.toml: lane 'books'" in fired.err
    assert machine.fire("before-tool", write("src/a.txt", proj)).silent
    assert machine.fire("before-tool", write("books/a.txt", other)).silent


def test_what_a_repository_protects_an_approval_frees(machine: Machine) -> None:
    proj = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "books"\npaths = ["books/"]\nwhy = "ours"\n'})
    machine.approve(f"^{proj}/books/a.txt$")
    assert machine.fire("before-tool", write("books/a.txt", proj)).silent


LOOSENING = """
off = true
disable = ["ci"]
[[lane]]
id = "ci"
action = "watch"
except = ["*"]
acts = []
"""


@pytest.mark.parametrize("kind", ["loosening", "fifo", "ten megabytes", "not toml", "link", "folder", "deep"])
def test_no_repository_file_frees_or_hangs(machine: Machine, kind: str) -> None:
    proj = machine.repo()
    place = proj / ".guards/human-lane.toml"
    place.parent.mkdir()
    match kind:
        case "loosening":
            place.write_text(LOOSENING)
        case "fifo":
            os.mkfifo(place)
        case "ten megabytes":
            place.write_bytes(b"#" * (10 << 20))
        case "not toml":
            place.write_bytes(b"\xff[[")
        case "link":
            place.symlink_to("/dev/zero")
        case "folder":
            place.mkdir()
        case "deep":
            place.write_bytes(b"a = " + b"[" * 30000)
    fired = machine.fire("before-tool", write(".github/workflows/ci.yml", proj))
    assert fired.denied
    assert "lane 'ci'" in fired.err
    assert "Traceback" not in fired.err
    assert fired.seconds < 5
    assert machine.fire("before-tool", write("src/a.py", proj)).silent


def test_a_broken_repository_file_still_protects_what_it_did(machine: Machine) -> None:
    proj = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "books"\npaths = ["books/"]\nwhy = "ours"\n'})
    assert machine.fire("before-tool", write("books/a.txt", proj)).denied
    (proj / ".guards/human-lane.toml").write_text("[[lane")
    assert machine.fire("before-tool", write("books/a.txt", proj)).denied
    (proj / ".guards/human-lane.toml").unlink()
    assert machine.fire("before-tool", write("books/a.txt", proj)).silent


def test_a_machine_layer_others_can_write_is_not_used_and_the_refusal_says_so(machine: Machine) -> None:
    proj = machine.repo()
    assert machine.fire("before-tool", write("src/a.py", proj)).silent
    time.sleep(0.03)
    machine.policy("human-lane", 'disable = ["ci"]').chmod(0o666)
    fired = machine.fire("before-tool", write(".github/workflows/ci.yml", proj))
    assert fired.denied
    assert "the last good one is in force (guards check)" in fired.err
    text = (machine.state / "tables/fault").read_text()
    assert text.startswith("~/.config/guards/policy/human-lane.toml: can be written by everybody; run: chmod ")
