"""A variable that frees counts only when the harness itself was launched with it and no project settings name it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine import Machine, tool

LANE = """
[[lane]]
id    = "human"
paths = ["human/"]
why   = "the owner writes these"
"""

# A stand-in for a harness: started with (or without) a variable, it runs the hook with an environment it made itself.
HARNESS = """
import json, subprocess, sys
command, payload, extra = sys.argv[1:4]
import os
env = {**os.environ, **json.loads(extra)}
done = subprocess.run(["/bin/sh", "-c", command], input=payload.encode(), env=env, capture_output=True)
sys.exit(done.returncode)
"""


def launch(machine: Machine, started: dict[str, str], added: dict[str, str]) -> int:
    payload = json.dumps(tool("Write", {"file_path": "human/a.md", "content": ""}, cwd=machine.home / "proj"))
    argv = [sys.executable, "-c", HARNESS, machine.command("before-tool"), payload, json.dumps(added)]
    return subprocess.run(argv, env=machine.env(**started), check=False).returncode


@pytest.fixture
def laned(machine: Machine) -> Machine:
    machine.policy("human-lane", LANE)
    machine.repo()
    return machine


def prefix(machine: Machine) -> dict[str, str]:
    return {"AGENT_EXCLUDE_PREFIX": str(machine.home / "proj")}


def test_the_owner_who_starts_the_harness_with_a_prefix_is_believed(laned: Machine) -> None:
    assert launch(laned, prefix(laned), {}) == 0


def test_a_variable_the_harness_was_not_started_with_frees_nothing(laned: Machine) -> None:
    assert launch(laned, {}, prefix(laned)) == 2
    assert "AGENT_EXCLUDE_PREFIX" in json.dumps(laned.journal())


def test_another_value_than_the_one_it_was_started_with_frees_nothing(laned: Machine) -> None:
    assert launch(laned, {"AGENT_EXCLUDE_PREFIX": "/nowhere"}, prefix(laned)) == 2


@pytest.mark.parametrize("place", [".claude/settings.json", ".claude/settings.local.json"])
def test_a_variable_named_in_the_projects_settings_frees_nothing(laned: Machine, place: str) -> None:
    path = laned.home / "proj" / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"env": {"GUARDS_OFF": "all"}}))
    assert launch(laned, {"GUARDS_OFF": "all"}, {}) == 2


@pytest.mark.parametrize("words", ["human-lane", "HUMAN_LANE", "spawn-envelope, human-lane", "all", "off", "0", "no"])
def test_guards_off_turns_a_guard_off(laned: Machine, words: str) -> None:
    assert launch(laned, {"GUARDS_OFF": words}, {}) == 0


@pytest.mark.parametrize("words", ["", "shell-lane", "on", "yes", "1"])
def test_other_words_turn_nothing_off(laned: Machine, words: str) -> None:
    assert launch(laned, {"GUARDS_OFF": words}, {}) == 2


@pytest.mark.parametrize("value", ["/", "", "proj", "relative/x", "//"])
def test_a_prefix_of_everything_nothing_or_no_absolute_path_is_ignored(laned: Machine, value: str) -> None:
    assert launch(laned, {"AGENT_EXCLUDE_PREFIX": value}, {}) == 2


def test_a_sealed_or_exact_path_is_freed_by_neither(laned: Machine) -> None:
    for target in (laned.install / "code", laned.config / "approvals/human-lane", laned.home / ".claude/settings.json"):
        payload = json.dumps(tool("Write", {"file_path": str(target), "content": ""}, cwd=laned.home))
        started = {"GUARDS_OFF": "all", "AGENT_EXCLUDE_PREFIX": str(laned.home)}
        argv = [sys.executable, "-c", HARNESS, laned.command("before-tool"), payload, "{}"]
        assert subprocess.run(argv, env=laned.env(**started), check=False).returncode == 2, target


def test_the_file_that_names_a_variable_is_told(tmp_path: Path) -> None:
    from guards.engine import launch as module

    def read(path: str, limit: int) -> bytes | None:
        return Path(path).read_bytes() if Path(path).exists() else None

    (tmp_path / ".env").write_text("GUARDS_OFF=1\n")
    assert module.named_by_project("GUARDS_OFF", str(tmp_path), read) == ".env"
    assert module.named_by_project("PANTRY_CLI", str(tmp_path), read) == ""
    assert module.named_by_project("GUARDS_OFF", "", read) == ""
