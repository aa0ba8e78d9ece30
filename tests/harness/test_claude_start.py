"""What the model is told when a session of the real Claude Code begins."""

import json

import pytest

from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

CI = ".github/workflows/ci.yml"
REPORT = """#!/bin/sh
echo '[ok  ] formatting: clean'
echo '[warn] audit: 41 days old'
echo '[FAIL] hooks: one fires twice'
echo '3 checks, 1 failing, 1 due'
exit 1
"""


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


def test_where_all_is_well_nothing_is_said(wired: Rig) -> None:
    assert "guards" not in wired.run().opening()


def test_what_the_repositorys_doctor_finds_is_in_the_first_request(wired: Rig) -> None:
    doctor = wired.home / ".local/bin/pantry"
    doctor.write_text(REPORT)
    doctor.chmod(0o755)
    wired.put("CLAUDE.md", "# the project\n")
    said = wired.run().opening()
    assert "audit: 41 days old" in said
    assert "hooks: one fires twice" in said
    assert "3 checks, 1 failing, 1 due" in said
    assert "formatting: clean" not in said


def test_a_doctor_that_cannot_be_run_is_said_to_be_not_run(wired: Rig) -> None:
    wired.put("CLAUDE.md", "# the project\n")
    run = wired.run(env={"PANTRY_CLI": wired.path("no-such-doctor")})
    assert "NOT RUN" in run.opening()
    assert wired.path("").rstrip("/") in run.opening()


def test_a_pause_is_said_at_the_start_and_leaves_settings_closed(wired: Rig) -> None:
    wired.guards("pause", "--for", "10m", "--why", "moving the workflows", "--yes")
    run = wired.run(turn(wired.write(CI)), turn(wired.write(".claude/settings.json", "{}\n")), mode="bypassPermissions")
    assert "paused all guards" in run.opening()
    assert wired.there(CI)
    assert not wired.there(".claude/settings.json")


def test_a_project_that_names_our_variables_is_pointed_out(wired: Rig) -> None:
    wired.put(".claude/settings.json", json.dumps({"env": {"GUARDS_OFF": "all"}}))
    said = wired.run().opening()
    assert ".claude/settings.json of this project names GUARDS_OFF; it does not count" in said
