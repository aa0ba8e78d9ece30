"""The human lane through the wired command, the way the harnesses run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lanes.judging import FILES, HUMAN
from tests.machine import Machine, tool


@pytest.fixture
def proj(machine: Machine) -> Path:
    """The project `~/proj`, with `human/` and `OWNER.md` in the owner's lane."""
    machine.policy("human-lane", HUMAN)
    return machine.repo("proj", FILES)


def test_an_ordinary_write_passes_in_silence(machine: Machine, proj: Path) -> None:
    assert machine.write("src/app.py", cwd=proj).silent
    assert machine.write(proj / "src/new.py", cwd=proj).silent


def test_a_write_in_the_lane_is_refused_with_the_line_that_would_free_it(machine: Machine, proj: Path) -> None:
    fired = machine.write("human/plan.md", cwd=proj)
    assert fired.denied
    assert "~/.config/guards/policy/human-lane.toml: lane 'human'" in fired.err
    line = fired.err.strip().splitlines()[-1]
    machine.approve(line)
    assert machine.write("human/plan.md", cwd=proj).silent
    assert machine.journal()[-1]["verdict"] == "approved"
    assert machine.write("human/other.md", cwd=proj).denied


def test_codex_and_gemini_are_refused_alike(machine: Machine, proj: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: src/app.py\n@@\n-a\n+b\n*** Add File: human/new.md\n+x\n*** End Patch\n"
    codex = tool("apply_patch", {"command": patch}, cwd=proj)
    assert machine.fire("before-tool", codex, harness="codex", streams="pipe").denied
    gemini = tool(
        "write_file", {"file_path": str(proj / "human/plan.md"), "content": "x"}, cwd=proj, event="BeforeTool"
    )
    assert machine.fire("before-tool", gemini, harness="gemini").denied


def test_ask_asks_where_there_is_an_ask_and_refuses_where_there_is_none(machine: Machine, proj: Path) -> None:
    machine.policy("human-lane", HUMAN + 'action = "ask"\n')
    asked = machine.write("human/plan.md", cwd=proj).document["hookSpecificOutput"]
    assert asked["permissionDecision"] == "ask"
    assert "this needs the owner's yes" in asked["permissionDecisionReason"]
    patch = tool("apply_patch", {"command": "*** Begin Patch\n*** Delete File: human/plan.md\n*** End Patch"}, cwd=proj)
    assert machine.fire("before-tool", patch, harness="codex", streams="pipe").denied


def test_watch_leaves_a_line_in_the_journal_and_nothing_else(machine: Machine, proj: Path) -> None:
    machine.policy("human-lane", HUMAN + 'action = "watch"\n')
    assert machine.write("human/plan.md", cwd=proj).silent
    last = machine.journal()[-1]
    assert (last["verdict"], last["lane"], last["path"]) == ("watch", "human", f"{proj}/human/plan.md")


def test_a_wide_line_frees_no_settings_and_nothing_that_decides(machine: Machine, proj: Path) -> None:
    machine.approve(".*")
    assert machine.write("human/plan.md", cwd=proj).silent
    for path in (".claude/settings.json", machine.home / ".claude/settings.json", machine.places["approvals"]):
        assert machine.write(path, cwd=proj).denied


def test_a_projects_settings_free_nothing_through_the_environment(machine: Machine, proj: Path) -> None:
    (proj / ".claude").mkdir()
    frees = {"GUARDS_OFF": "all", "AGENT_EXCLUDE_PREFIX": str(machine.home)}
    (proj / ".claude/settings.json").write_text(json.dumps({"env": frees}))
    env: dict[str, str | None] = {**frees, "CLAUDE_PROJECT_DIR": str(proj)}
    fired = machine.fire("before-tool", tool("Write", {"file_path": "human/x", "content": ""}, cwd=proj), env=env)
    assert fired.denied
    assert [line["why"] for line in machine.journal() if line["verdict"] == "ignored"]


def test_several_lanes_of_one_patch_are_told_in_one_refusal(machine: Machine, proj: Path) -> None:
    patch = "*** Begin Patch\n*** Delete File: human/plan.md\n*** Delete File: OWNER.md\n*** End Patch"
    fired = machine.fire("before-tool", tool("apply_patch", {"command": patch}, cwd=proj), harness="codex")
    assert f"^{proj}/human/plan\\.md$" in fired.err
    assert f"^{proj}/OWNER\\.md$" in fired.err


def test_a_target_that_becomes_a_link_is_judged_as_it_is_when_the_hook_looks(machine: Machine, proj: Path) -> None:
    """What happens between the verdict and the write no hook can hold; HOOKS.md says so, and the fence holds it."""
    (proj / "notes.md").write_text("x")
    assert machine.write("notes.md", cwd=proj).silent
    (proj / "notes.md").unlink()
    (proj / "notes.md").symlink_to("human/plan.md")
    assert machine.write("notes.md", cwd=proj).denied


def test_odd_targets_end_in_a_verdict_and_never_in_a_fault(machine: Machine, proj: Path) -> None:
    odd = [
        "",
        ".",
        "/",
        "..",
        "~",
        "\0",
        "a\0b",
        "\ud800",
        "x" * 5000,
        "/" * 5000,
        "a/" * 3000,
        "//",
        "/proc",
        "file:",
        "$",
    ]
    for path in odd:
        fired = machine.write(path, cwd=proj)
        assert fired.silent or fired.denied, path
        assert "could not judge" not in fired.err, path
    assert not [line for line in machine.journal() if line["verdict"] == "error"]


def test_the_guard_alone_can_be_fired(machine: Machine, proj: Path) -> None:
    call = tool("Write", {"file_path": "human/plan.md", "content": "x"}, cwd=proj)
    assert machine.fire("before-tool", call, guard="human-lane").denied
