"""The human lane in the real Copilot CLI: both families of file tools, shell, subagents, approvals, notes."""

import pytest

from tests.harness import lane
from tests.harness.copilot import Rig
from tests.harness.forms import Call
from tests.harness.lane import CI, untouched
from tests.harness.model import turn
from tests.harness.runs import Keep
from tests.machine import Machine

pytestmark = pytest.mark.real



@pytest.fixture(params=[False, True], ids=["create-and-edit", "apply_patch"])
def wired(request: pytest.FixtureRequest, machine: Machine, keep: Keep) -> Rig:
    rig = Rig(machine, keep, patches=request.param)
    rig.put(CI, "on: push\n")
    rig.install()
    return rig


@pytest.fixture
def copilot(machine: Machine, keep: Keep) -> Rig:
    rig = Rig(machine, keep)
    rig.put(CI, "on: push\n")
    rig.install()
    return rig


def test_a_new_file_and_a_change_in_a_lane_are_refused_and_the_model_is_told_why(wired: Rig) -> None:
    lane.refuses_file_tools(wired)


def test_ordinary_work_passes_and_nothing_is_said(wired: Rig) -> None:
    lane.says_nothing_to_ordinary_work(wired)


def test_an_approved_write_passes_by_tool_and_by_shell(wired: Rig) -> None:
    lane.lets_approved_writes_pass(wired)


def test_a_lane_write_by_the_shell_is_refused_and_the_model_is_told_why(copilot: Rig) -> None:
    lane.refuses_the_shell(copilot)


def test_no_line_frees_the_files_that_start_the_hooks(wired: Rig) -> None:
    wired.machine.approve(".*")
    hooks, settings = wired.home / ".copilot/hooks/guards.json", wired.home / ".copilot/settings.json"
    before = hooks.read_bytes()
    run = wired.run(
        turn(wired.write(str(settings), '{"disableAllHooks": true}\n')),
        turn(wired.shell(f"echo '{{}}' > '{hooks}'")),
        turn(wired.shell(f"rm -f '{hooks}'")),
        turn(wired.write(".github/copilot/settings.json", '{"disableAllHooks": true}\n')),
    )
    assert all("policy/human-lane.toml" in result for result in run.results()), run.results()
    assert hooks.read_bytes() == before
    assert not settings.exists()
    assert not wired.there(".github/copilot/settings.json")


def test_a_command_in_the_background_is_judged_as_any_other(copilot: Rig) -> None:
    given = {"command": f"echo 'on: never' > {CI}", "description": "x", "mode": "async", "shellId": "one"}
    run = copilot.run(turn(Call("bash", given)))
    assert "lane 'ci'" in run.results()[0]
    assert untouched(copilot)


def test_every_file_of_a_patch_is_judged(machine: Machine, keep: Keep) -> None:
    rig = Rig(machine, keep, patches=True)
    rig.put(CI, "on: push\n")
    rig.put("a.txt", "one\n")
    rig.install()
    change = f"*** Update File: {CI}\n@@\n-on: push\n+on: never\n"
    several = f"*** Begin Patch\n*** Add File: new.txt\n+x\n{change}*** End Patch\n"
    move = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .github/a.txt\n@@\n-one\n+two\n*** End Patch\n"
    removal = f"*** Begin Patch\n*** Delete File: {CI}\n*** End Patch\n"
    run = rig.run(*(turn(Call("apply_patch", text)) for text in (several, move, removal)))
    assert all("lane 'ci'" in result for result in run.results())
    assert len(run.results()) == 3
    assert untouched(rig)
    assert not rig.there("new.txt")
    assert not rig.there(".github/a.txt")


def test_a_subagents_write_is_refused_as_its_parents_is(copilot: Rig) -> None:
    copilot.machine.policy("spawn-envelope", "off = true\n")
    mark = "SUB-ONE"
    run = copilot.run(
        turn(copilot.helper(f"{mark} write it")),
        subagents={mark: [turn(copilot.shell(f"echo 'on: never' > {CI}"))]},
    )
    assert "lane 'ci'" in "\n".join(run.results(mark))
    assert untouched(copilot)


def test_a_pause_is_told_at_the_start_of_a_session(copilot: Rig) -> None:
    copilot.guards("pause", "--for", "30m", "--yes")
    run = copilot.run(turn(copilot.write(".github/new.yml")))
    assert "the owner paused all guards" in run.opening()
    assert copilot.there(".github/new.yml")


def test_after_uninstall_nothing_stands_in_the_way(copilot: Rig) -> None:
    copilot.uninstall()
    copilot.run(turn(copilot.edit(CI, "on: push", "on: never")))
    assert not untouched(copilot)
