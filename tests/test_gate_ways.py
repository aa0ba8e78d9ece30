"""Ways round the read gate that stay closed, and owners that it must not hold up."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.knowledge.ground import DIR
from tests.machine import SESSION, Fired, Machine, tool
from tests.test_read_gate import Gate


@pytest.fixture
def gate(machine: Machine) -> Gate:
    return Gate(machine)


def event(gate: Gate, name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": SESSION, "cwd": str(gate.root), "hook_event_name": name, **more}


def typed(gate: Gate, text: str) -> None:
    gate.machine.policy("switches", "off = false")
    gate.typed(text)


def compact(gate: Gate, source: str = "compact") -> Fired:
    return gate.machine.fire("session-start", event(gate, "SessionStart", source=source))


# ---------------------------------------------------------------- other tools that write


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("MultiEdit", {"file_path": "@/a.go", "edits": [{"old_string": "a", "new_string": "b"}]}),
        ("NotebookEdit", {"notebook_path": "@/lib/a.ipynb", "new_source": "x"}),
        ("mcp__fs__write_file", {"path": "@/a.go", "content": "x"}),
        ("mcp__fs__edit_file", {"path": "a.go", "edits": [{"oldText": "a", "newText": "b"}]}),
        ("mcp__desk__run", {"command": "echo x > a.go"}),
    ],
)
def test_every_tool_that_writes_a_governed_file_waits(gate: Gate, name: str, given: dict[str, Any]) -> None:
    given = {key: str(gate.root) + value[1:] if value[0] == "@" else value for key, value in given.items()}
    assert f"Read {gate.rules} offset 1 limit 10" in gate.before(name, given).err
    gate.read()
    assert gate.before(name, given).silent


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("mcp__fs__read_file", {"path": "a.go"}), ("mcp__fs__write_file", {"path": "a.py", "content": "x"}),
        ("mcp__desk__look", {"query": "a.go"}),
    ],
)  # fmt: skip
def test_a_tool_of_a_server_that_writes_no_governed_file_does_not_wait(gate: Gate, name: str, given: Any) -> None:
    assert gate.before(name, given).silent


def test_a_tool_of_a_server_that_writes_waits_for_a_guide_that_was_refused_before(gate: Gate) -> None:
    gate.write()
    assert gate.before("mcp__fs__write_file", {"path": "README.md", "content": "x"}).denied
    assert gate.before("mcp__desk__look", {"query": "x"}).silent


def test_the_real_file_behind_a_link_is_the_one_that_counts(gate: Gate) -> None:
    gate.put("a.go", "x\n")
    (gate.root / "b.txt").symlink_to(gate.root / "a.go")
    (gate.machine.home / "elsewhere").symlink_to(gate.root / "lib")
    (gate.root / "lib").mkdir()
    assert gate.write("b.txt").denied
    assert gate.before("Write", {"file_path": str(gate.machine.home / "elsewhere/n.txt"), "content": "x"}).denied


def test_a_governed_file_among_many_is_seen(gate: Gate) -> None:
    names = " ".join(f"f{i}.txt" for i in range(200))
    assert gate.shell(f"touch {names} a.go").denied


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Agent", {"prompt": "do it all", "subagent_type": "general-purpose"}), ("WebFetch", {"url": "https://x.example"}),
        ("SendMessage", {"to": "a1", "message": "do it"}), ("CronCreate", {"prompt": "x"}), ("Grep", {"pattern": "x"}),
    ],
)  # fmt: skip
def test_no_other_tool_comes_before_a_demanded_skill(gate: Gate, name: str, given: dict[str, Any]) -> None:
    assert gate.before(name, given).silent
    gate.prompt("REQUIRE-SKILL:ship")
    assert "skill 'ship'" in gate.before(name, given).err
    gate.before("Skill", {"skill": "ship"})
    assert gate.before(name, given).silent


def test_a_subagent_owes_what_its_parent_has_read(gate: Gate) -> None:
    gate.read()
    assert gate.write(agent_id="a1", agent_type="general-purpose").denied
    assert gate.write().silent


# ---------------------------------------------------------------- reads that are none


def forged(gate: Gate, response: Any, given: dict[str, Any] | None = None, name: str = "Read") -> None:
    gate.after(name, given or {"file_path": str(gate.rules)}, response)


@pytest.mark.parametrize(
    "file",
    [
        {"content": "", "startLine": 1, "numLines": 10, "totalLines": 10},
        {"content": "rule 1", "startLine": 1, "numLines": 10, "totalLines": 10},
        {"content": "x\n" * 10, "startLine": 5, "numLines": 6, "totalLines": 10},
        {"content": "x\n" * 10, "startLine": -1, "numLines": 20, "totalLines": 10},
        {"content": "x\n" * 10, "startLine": 1, "numLines": True, "totalLines": 10},
        {"content": "x\n" * 10, "startLine": "1", "numLines": "10", "totalLines": "10"},
        {"content": ["x"] * 10, "startLine": 1, "numLines": 10, "totalLines": 10},
    ],
)
def test_numbers_without_the_text_are_no_read(gate: Gate, file: dict[str, Any]) -> None:
    forged(gate, {"type": "text", "file": file})
    assert gate.write().denied


def test_a_read_of_another_file_of_the_same_name_is_no_read(gate: Gate) -> None:
    copy = gate.put("copy/docs/rules.md", gate.rules.read_text())
    gate.read(copy)
    assert gate.write().denied


def test_an_answer_that_talks_about_the_file_is_no_read(gate: Gate) -> None:
    gate.after("Bash", {"command": "grep -rn rule ."}, {"stdout": gate.rules.read_text()})
    gate.after("mcp__fs__read_file", {"path": str(gate.rules)}, gate.rules.read_text())
    gate.after("Task", {"prompt": f"read {gate.rules}"}, {"content": gate.rules.read_text()})
    assert gate.write().denied


def test_a_limit_far_beyond_the_end_is_no_more_than_what_came(gate: Gate) -> None:
    file = {"content": "rule 10\n", "startLine": 10, "numLines": 5000, "totalLines": 11}
    forged(gate, {"type": "text", "file": file}, {"file_path": str(gate.rules), "offset": 10, "limit": 5000})
    assert f"Read {gate.rules} offset 1 limit 9\n" in gate.write().err


def test_a_context_folder_that_cannot_be_read_frees_no_guide_of_the_owners_own(gate: Gate) -> None:
    gate.machine.policy("context", f'off = false\ndir = "{DIR}"\n')
    (gate.root / ".git/HEAD").write_text("f" * 40 + "\n")
    refused = gate.write()
    assert f"Read {gate.rules} offset 1 limit 10" in refused.err
    assert gate.write("README.md").denied
    gate.read()
    assert gate.write().silent
    assert any("git ended with" in why for why in gate.errors())


# ---------------------------------------------------------------- owners that must not be held up


@pytest.mark.parametrize(
    ("word", "free"), [("rgate", True), ("rgate:go", True), ("rgate:go_test", True), ("rgate:py", False)]
)
def test_a_switch_frees_what_was_refused_before(gate: Gate, word: str, free: bool) -> None:
    assert gate.write().denied
    typed(gate, f"#disable {word}")
    assert gate.write().silent is free
    assert gate.shell("ls").silent is free
    typed(gate, f"#enable {word}")
    assert gate.shell("ls").denied


def test_a_state_folder_behind_a_link_keeps_the_same_ledger(machine: Machine) -> None:
    real = machine.home / "real-state"
    machine.state.rename(real)
    machine.state.symlink_to(real)
    gate = Gate(machine, "")
    gate.note("house.md", "word\n" * 3000)
    path = gate.start().note.split("Read ", 1)[1].split(" ")[0]
    assert gate.write("README.md").denied
    assert gate.before("Read", {"file_path": path}).silent
    gate.read(path)
    assert gate.write("README.md").silent


def test_a_context_folder_behind_a_link_can_be_read_where_it_lies(machine: Machine) -> None:
    gate = Gate(machine, "")
    gate.put(f"{DIR}/guides/py.md", "---\nid: py\npaths: ['*.py']\n---\nuse tabs\n")
    gate.commit()
    (gate.root / DIR).rename(machine.home / "kept")
    (gate.root / DIR).symlink_to(machine.home / "kept")
    assert gate.write("a.py").denied
    gate.read(gate.root / DIR / "guides/py.md")
    assert gate.write("a.py").silent


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\0\0 not text\n", b"", b"x" * 60_000 + b"\n"], ids=["binary", "empty", "one line"]
)
def test_what_no_read_call_could_return_is_not_owed(gate: Gate, data: bytes) -> None:
    gate.rules.write_bytes(data)
    assert gate.write().silent


def test_a_line_that_no_read_call_could_return_is_left_out_of_what_is_owed(gate: Gate) -> None:
    gate.rules.write_text("first\n" + "x" * 60_000 + "\nlast\n")
    assert f"Read {gate.rules} offset 1 limit 1\nRead {gate.rules} offset 3 limit 1\n" in gate.write().err
    gate.read(count=1)
    gate.read(first=3, count=1)
    assert gate.write().silent


@pytest.mark.parametrize("name", ["context", "read-gate", "all"])
def test_guards_off_frees_where_the_harness_was_started_with_it(gate: Gate, name: str) -> None:
    payload = tool("Write", {"file_path": str(gate.root / "a.go"), "content": "x"}, cwd=gate.root)
    assert (gate.machine.started("before-tool", payload, {"GUARDS_OFF": name}).code == 0) is (name != "context")
    assert gate.machine.started("before-tool", payload, {}, {"GUARDS_OFF": name}).denied


@pytest.mark.parametrize(
    "command", ["git mv a.go b.txt", "rm a.go", "sed -i s/a/b/ a.go", "python3 - <<'E'\nopen('a.go', 'w')\nE"]
)
def test_a_command_that_moves_or_changes_a_governed_file_waits(gate: Gate, command: str) -> None:
    gate.put("a.go", "a\n")
    assert gate.shell(command).denied


# ---------------------------------------------------------------- after a compaction


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_notes_that_became_a_pointer_are_owed_again_by_their_new_pointer(machine: Machine, source: str) -> None:
    gate = Gate(machine, "")
    gate.note("house.md", "word\n" * 3000)
    path = gate.start().note.split("Read ", 1)[1].split(" ")[0]
    gate.read(path)
    assert gate.write("README.md").silent
    again = compact(gate, source).note.split("Read ", 1)[1].split(" ")[0]
    assert again in gate.write("README.md").err
    gate.read(again)
    assert gate.write("README.md").silent


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_a_skills_file_stays_owed_and_one_of_two_is_enough(machine: Machine, source: str) -> None:
    gate = Gate(machine, "")
    gate.put(".claude/skills/ship/SKILL.md", "---\ncontext: BIG-*\n---\n")
    for i in range(40):
        gate.entry(f"BIG-{i}", "w" * 400, paths="none/")
    gate.commit()
    gate.accept("*")
    gate.start()
    path = gate.after("Skill", {"skill": "ship"}).note.split("Read ", 1)[1].split(" ")[0]
    gate.read(path)
    assert gate.write("README.md").silent
    compact(gate, source)
    assert path in gate.write("README.md").err
    again = gate.after("Skill", {"skill": "ship"}).note.split("Read ", 1)[1].split(" ")[0]
    assert gate.write("README.md").err.count("Read /") == len(Path(again).read_text()) // (55 << 10) + 1
    gate.read(again)
    assert gate.write("README.md").silent


def test_plan_rules_are_told_again_after_a_compaction_within_plan_mode(machine: Machine) -> None:
    gate = Gate(machine, "")
    gate.put(f"{DIR}/plan.md", "A plan has steps.\n")
    gate.commit()
    planning = {"permission_mode": "plan"}
    assert "A plan has steps." in gate.prompt(**planning).note
    assert gate.prompt(**planning).silent
    compact(gate)
    assert "A plan has steps." in gate.prompt(**planning).note
    assert gate.prompt(**planning).silent


def test_a_compaction_outside_plan_mode_tells_no_plan_rules(machine: Machine) -> None:
    gate = Gate(machine, "")
    gate.put(f"{DIR}/plan.md", "A plan has steps.\n")
    gate.commit()
    gate.prompt(permission_mode="plan")
    gate.prompt()
    compact(gate)
    assert gate.prompt().silent


# ---------------------------------------------------------------- old sessions


DAY = 86400


def aged(path: Path, days: float) -> Path:
    """A session's folder whose newest file is that old."""
    (path / "required").mkdir(parents=True)
    for file in (path / "gate-read-root", path / "required/skill-ship-x-0--root.md"):
        file.write_text("x\n")
    for each in (*path.rglob("*"), path):
        os.utime(each, (each.stat().st_atime, each.stat().st_mtime - days * DAY))
    return path


def test_sessions_that_nobody_used_for_a_week_are_forgotten_at_the_next_start(gate: Gate) -> None:
    sessions = gate.machine.state / "sessions"
    old, young = aged(sessions / "old", 7.1), aged(sessions / "young", 6.9)
    used = aged(sessions / "used", 30)
    (used / "gate-read-root").write_text("x\n")
    kept = gate.put("kept/file.md", "x\n")
    (sessions / "old/link").symlink_to(kept.parent)
    os.utime(sessions / "old/link", (1, 1), follow_symlinks=False)
    os.utime(old, (1, 1))
    gate.start()
    assert not old.exists()
    assert (young / "required").is_dir()
    assert used.is_dir()
    assert kept.exists()
    assert (sessions / SESSION).is_dir()


def test_nothing_is_forgotten_by_any_other_event(gate: Gate) -> None:
    old = aged(gate.machine.state / "sessions/old", 30)
    gate.prompt()
    gate.write()
    assert old.is_dir()
