"""The real Codex and the real Gemini CLI: lanes by file tools and shell, approvals, notes."""

import pytest

from tests.harness import lane
from tests.harness.forms import Call
from tests.harness.lane import CI, not_refused, untouched
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

BOTH = pytest.mark.parametrize("rig", ["codex", "gemini"], indirect=True)


@pytest.fixture
def wired(rig: Rig) -> Rig:
    rig.put(CI, "on: push\n")
    return rig.install()


@BOTH
def test_a_new_file_and_a_change_in_a_lane_are_refused_and_the_model_is_told_why(wired: Rig) -> None:
    lane.refuses_file_tools(wired)


@BOTH
def test_a_lane_write_by_the_shell_is_refused_and_the_model_is_told_why(wired: Rig) -> None:
    lane.refuses_the_shell(wired)


@BOTH
def test_an_approved_write_passes_by_tool_and_by_shell(wired: Rig) -> None:
    lane.lets_approved_writes_pass(wired)


@BOTH
def test_ordinary_work_passes_and_nothing_is_said(wired: Rig) -> None:
    lane.says_nothing_to_ordinary_work(wired)


@BOTH
def test_a_note_is_in_the_first_request_and_silence_is_silence(wired: Rig) -> None:
    assert "guards" not in wired.run().opening()
    wired.guards("pause", "--for", "10m", "--why", "moving the workflows", "--yes")
    run = wired.run(turn(wired.write(".github/new.yml")))
    assert "paused all guards" in run.opening()
    assert wired.there(".github/new.yml")


@BOTH
def test_a_long_output_is_noted_in_the_next_request_and_once(wired: Rig) -> None:
    loud = wired.shell("python3 -c \"print('a long line of text, ' * 300)\"")
    run = wired.run(turn(loud), turn(loud), turn(wired.shell("true")))
    shown = [" ".join(part.text for part in request.new if part.kind != "call") for request in run.of()[1:]]
    assert ["policy/output-bound.toml: bash_max" in text for text in shown] == [True, False, False]
    assert "a long line of text" in run.results()[0]


@BOTH
def test_a_lane_that_asks_lets_nothing_through_where_nobody_can_be_asked(wired: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\naction = "ask"\n'
    wired.machine.policy("human-lane", lane)
    run = wired.run(turn(wired.write("plans/a.md")))
    assert not wired.there("plans")
    if wired.harness == "codex":  # it knows no question, so this is a refusal; Gemini CLI ends the run
        assert "plans are made by people" in run.results()[0]


@BOTH
def test_the_programs_own_hook_settings_stay_closed_whatever_a_pattern_says(wired: Rig) -> None:
    wired.machine.approve(".*")
    before = wired.settings.read_bytes()
    run = wired.run(
        turn(wired.shell(f"echo '{{}}' > {wired.settings}")),
        turn(wired.write(str(wired.settings.relative_to(wired.home)), "{}\n")),
        turn(wired.shell(f"rm -rf {wired.settings.parent}")),
    )
    assert wired.settings.read_bytes() == before
    assert all("policy/human-lane.toml" in result for result in run.results())


# ---------------------------------------------------------------- Codex


def test_every_file_of_a_patch_is_judged(codex: Rig) -> None:
    codex.put(CI, "on: push\n")
    codex.put("a.txt", "one\n")
    codex.install()
    change = f"*** Update File: {CI}\n@@\n-on: push\n+on: never\n"
    several = f"*** Begin Patch\n*** Add File: new.txt\n+x\n{change}*** End Patch\n"
    move = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .github/a.txt\n@@\n-one\n+two\n*** End Patch\n"
    removal = f"*** Begin Patch\n*** Delete File: {CI}\n*** End Patch\n"
    run = codex.run(*(turn(Call("apply_patch", text)) for text in (several, move, removal)))
    assert not_refused(run, ["several", "move", "removal"]) == []
    assert untouched(codex)
    assert not codex.there("new.txt")
    assert not codex.there(".github/a.txt")


def test_a_patch_handed_to_the_shell_is_judged_as_a_patch(codex: Rig) -> None:
    codex.put(CI, "on: push\n")
    codex.install()
    patch = f"*** Begin Patch\n*** Update File: {CI}\n@@\n-on: push\n+on: never\n*** End Patch"
    run = codex.run(turn(codex.shell(f"apply_patch <<'EOF'\n{patch}\nEOF")))
    assert "lane 'ci'" in run.results()[0]
    assert untouched(codex)


def test_a_command_in_a_directory_of_its_own_is_judged_there(codex: Rig) -> None:
    codex.put(CI, "on: push\n")
    codex.install()
    call = Call("exec_command", {"cmd": "echo 'on: never' > ci.yml", "workdir": codex.path(".github/workflows")})
    run = codex.run(turn(call))
    assert "lane 'ci'" in run.results()[0]
    assert untouched(codex)


# ---------------------------------------------------------------- Gemini CLI


def test_a_command_with_a_dir_path_is_judged_there(gemini: Rig) -> None:
    gemini.put(CI, "on: push\n")
    gemini.install()
    given = {"command": "echo 'on: never' > ci.yml", "description": "x", "dir_path": ".github/workflows"}
    run = gemini.run(turn(Call("run_shell_command", given)))
    assert "lane 'ci'" in run.results()[0]
    assert untouched(gemini)


def test_a_path_relative_to_the_project_is_judged(gemini: Rig) -> None:
    gemini.install()
    run = gemini.run(turn(Call("write_file", {"file_path": CI, "content": "x"})))
    assert "lane 'ci'" in run.results()[0]
    assert not gemini.there(CI)


def test_a_variable_from_a_projects_env_file_changes_no_verdict(gemini: Rig) -> None:
    gemini.put(".gemini/.env", "GUARDS_OFF=all\nAGENT_EXCLUDE_PREFIX=/\n")
    gemini.put(".env", "GUARDS_OFF=all\n")
    gemini.install()
    # as the program runs by itself: it starts a second process of its own with what the file named
    run = gemini.run(turn(gemini.write(CI)), env={"GEMINI_CLI_NO_RELAUNCH": ""})
    assert "lane 'ci'" in run.results()[0]
    assert not gemini.there(CI)


