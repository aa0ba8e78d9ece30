"""The human lane in the real Claude Code: what the model tries, what it is shown, what is on the disk afterwards."""

import json
import os
import re
import uuid
from pathlib import Path

import pytest

from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig
from tests.machine import ROOT

pytestmark = pytest.mark.real

CI = ".github/workflows/ci.yml"


def line_for(path: str) -> str:
    """The owner's approval line for one path."""
    return f"^{re.escape(path)}$"


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "bypassPermissions"])
def test_a_write_into_a_lane_is_refused_and_the_model_is_told_why(wired: Rig, mode: str) -> None:
    run = wired.run(turn(wired.write(CI)), mode=mode)
    assert not wired.there(CI)
    [result] = run.results()
    assert wired.path(CI) in result
    assert "policy/human-lane.toml: lane 'ci'" in result
    assert wired.machine.places["approvals"] in result


def test_the_refusal_holds_the_line_that_frees_the_write(wired: Rig) -> None:
    run = wired.run(turn(wired.write(CI)))
    line = next(text.strip() for text in run.results()[0].splitlines() if text.strip().startswith("^"))
    wired.machine.approve(line)
    wired.run(turn(wired.write(CI)))
    assert wired.there(CI)


def test_an_approved_write_passes(wired: Rig) -> None:
    wired.machine.approve(line_for(wired.path(CI)))
    run = wired.run(turn(wired.write(CI)), turn(wired.write(".github/workflows/other.yml")))
    assert wired.there(CI)
    assert not wired.there(".github/workflows/other.yml")
    assert "created" in run.results()[0]


def test_an_ordinary_write_passes_and_nothing_is_said(wired: Rig) -> None:
    run = wired.run(turn(wired.write("src/a.py")), turn(wired.edit("src/a.py", "hello", "bye")))
    assert (wired.project / "src/a.py").read_text() == "bye\n"
    assert "hook" not in run.shown().lower()


def test_an_edit_and_a_notebook_edit_are_refused_as_a_write_is(wired: Rig) -> None:
    wired.put(CI, "on: push\n")
    book = {"cells": [{"cell_type": "code", "id": "one", "source": "1", "metadata": {}, "outputs": []}]}
    where = wired.put(".github/book.ipynb", json.dumps({**book, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    change = Call("NotebookEdit", {"notebook_path": str(where), "cell_id": "one", "new_source": "2"})
    run = wired.run(
        turn(Call("Read", {"file_path": wired.path(CI)}), Call("Read", {"file_path": str(where)})),
        turn(wired.edit(CI, "push", "pull_request"), change),
        env={"ENABLE_TOOL_SEARCH": "false"},
    )
    assert (wired.project / CI).read_text() == "on: push\n"
    assert json.loads(where.read_text())["cells"][0]["source"] == "1"
    assert all("lane 'ci'" in result for result in run.results()[2:])


def test_a_three_megabyte_write_is_judged_like_any_other(wired: Rig) -> None:
    large = "0123456789abcdef" * 200_000
    run = wired.run(turn(wired.write(CI, large)), turn(wired.write("large.txt", large)))
    assert "lane 'ci'" in run.results()[0]
    assert (wired.project / "large.txt").stat().st_size == len(large)


# ---------------------------------------------------------------- what no line frees


def sealed(wired: Rig) -> dict[str, str]:
    """One path for each part of what decides. Each is a file that is not there, or one that a failed test may
    overwrite: nothing of the checkout itself is lost."""
    fresh = f"zz_{uuid.uuid4().hex}"
    places = wired.machine.places
    return {
        "approvals": places["approvals"],
        "machine policy": f"{places['machine']}/human-lane.toml",
        "state": f"{places['state']}/pause",
        "record": f"{places['install']}/places",
        "code": f"{ROOT}/guards/{fresh}.py",
        "code through its link": f"{places['install']}/code/{fresh}.py",
        "bundled policy": f"{ROOT}/policy/{fresh}.toml",
        "packages": f"{places['packages']}/{fresh}.pth",
    }


def test_no_line_frees_what_decides(wired: Rig) -> None:
    wired.machine.approve(".*")
    wired.without_deny_rules()  # else the program refuses by itself and asks no hook
    targets = sealed(wired)
    before = {path: contents(path) for path in targets.values()}
    try:
        run = wired.run(
            *(turn(Call("Write", {"file_path": path, "content": "x\n"})) for path in targets.values()),
            mode="bypassPermissions",
        )
        after = {path: contents(path) for path in targets.values()}
    finally:
        for path in targets.values():
            if "/zz_" in path:
                Path(path).unlink(missing_ok=True)
    assert after == before
    assert [name for name, said in zip(targets, run.results(), strict=True) if "sealed" not in said] == []


def test_the_programs_own_deny_rules_hold_what_decides_before_any_hook_is_asked(wired: Rig) -> None:
    wired.machine.approve(".*")
    places = wired.machine.places
    targets = [places["approvals"], f"{places['machine']}/human-lane.toml", f"{places['install']}/places"]
    before = [contents(path) for path in targets]
    run = wired.run(*(turn(wired.write(path)) for path in targets), mode="bypassPermissions")
    assert [contents(path) for path in targets] == before
    assert all("denied by your permission settings" in result for result in run.results())


def contents(path: str) -> bytes | None:
    return Path(path).read_bytes() if os.path.exists(path) else None


EXACT = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".github/hooks/any.json",
]


def test_a_pattern_frees_no_settings_file_of_a_project_but_its_own_line_does(wired: Rig) -> None:
    wired.machine.approve(".*")
    run = wired.run(*(turn(wired.write(name, "{}\n")) for name in EXACT), mode="bypassPermissions")
    assert [name for name in EXACT if wired.there(name)] == []
    assert all("policy/human-lane.toml" in result for result in run.results())
    wired.machine.approve(*(line_for(wired.path(name)) for name in EXACT))
    # the program asks for its own settings files even in this mode, so only the foreign ones show it
    foreign = [name for name in EXACT if not name.startswith(".claude/")]
    wired.run(*(turn(wired.write(name, "{}\n")) for name in foreign), mode="bypassPermissions")
    assert [name for name in foreign if not wired.there(name)] == []


def test_the_settings_of_the_machine_are_not_freed_by_a_pattern(wired: Rig) -> None:
    wired.machine.approve(".*")
    before = wired.settings.read_bytes()
    run = wired.run(turn(wired.write(str(wired.settings), "{}\n")), mode="bypassPermissions")
    assert wired.settings.read_bytes() == before
    assert "policy/human-lane.toml" in run.results()[0]


# ---------------------------------------------------------------- what a project brings along


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_variables_of_a_project_change_no_verdict(wired: Rig, name: str) -> None:
    evil = wired.project / "bin"
    for program in ("sh", "python3", "py", "git", "env", "cat", "test"):
        wired.put(f"bin/{program}", "#!/bin/sh\nexit 0\n").chmod(0o755)
    variables = {
        "GUARDS_OFF": "all",
        "AGENT_EXCLUDE_PREFIX": str(wired.project),
        "PATH": f"{evil}:/usr/bin:/bin",
        "HOME": str(evil),
        "XDG_CONFIG_HOME": str(evil),
        "XDG_STATE_HOME": str(evil),
        "PYTHONPATH": str(evil),
        "PYTHONHOME": str(evil),
    }
    wired.put(f".claude/{name}", json.dumps({"env": variables}))
    run = wired.run(turn(wired.write(CI)))
    assert not wired.there(CI)
    assert "lane 'ci'" in run.results()[0]


def test_a_variable_the_owner_started_the_program_with_counts(wired: Rig) -> None:
    wired.run(turn(wired.write(CI)), env={"AGENT_EXCLUDE_PREFIX": str(wired.project)})
    assert wired.there(CI)


# ---------------------------------------------------------------- who calls, and how many at once


def test_a_subagent_is_refused_as_its_parent_is(wired: Rig) -> None:
    run = wired.run(
        turn(wired.agent("HELPER-ONE please write the workflow")),
        subagents={"HELPER-ONE": [turn(wired.write(CI)), turn(wired.write("a.txt"))]},
    )
    assert not wired.there(CI)
    assert wired.there("a.txt")
    assert "lane 'ci'" in run.results("HELPER-ONE")[0]


def test_calls_of_one_message_are_judged_one_by_one(wired: Rig) -> None:
    names = [CI, "a.txt", ".github/workflows/two.yml", "b.txt", ".github/workflows/three.yml", "c.txt"]
    run = wired.run(turn(*(wired.write(name) for name in names)))
    assert [name for name in names if wired.there(name)] == ["a.txt", "b.txt", "c.txt"]
    assert ["lane 'ci'" in result for result in run.results()] == [True, False] * 3
    denied = [line for line in wired.machine.journal() if line["verdict"] == "deny"]
    assert len(denied) == 3
