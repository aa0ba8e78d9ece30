"""Installing, uninstalling and switching off while the real Claude Code is at work."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.forms import Turn
from tests.harness.model import DONE, Request, turn
from tests.harness.rig import Rig, reason
from tests.harness.wall import Wall
from tests.machine import ROOT

pytestmark = pytest.mark.real

PATIENCE = 40  # tries of a third of a second


def keep_trying(rig: Rig, stop: Callable[[str], bool]) -> Callable[[Request], Turn]:
    """A turn, to be repeated: write one more file into the lane until the last result says `stop`."""
    count = [0]

    def again(request: Request) -> Turn:
        if count[0] and stop(next(part.text for part in request.new if part.kind == "result")):
            return DONE
        time.sleep(0.33)
        count[0] += 1
        return turn(rig.write(f".github/{count[0]}.yml"))

    return again


def refused(result: str) -> bool:
    return "lane 'ci'" in result


def passed(result: str) -> bool:
    return "created" in result


def test_an_install_takes_hold_in_a_session_that_is_running(claude: Rig) -> None:
    def install(_: Request) -> Turn:
        claude.install()
        return turn(claude.shell("true"))

    run = claude.run(turn(claude.write(".github/before.yml")), install, *[keep_trying(claude, refused)] * PATIENCE)
    assert claude.there(".github/before.yml")
    assert refused(run.results()[-1])


def test_an_uninstall_takes_hold_in_a_session_that_is_running(claude: Rig) -> None:
    claude.install()

    def uninstall(_: Request) -> Turn:
        claude.uninstall()
        return turn(claude.shell("true"))

    run = claude.run(turn(claude.write(".github/before.yml")), uninstall, *[keep_trying(claude, passed)] * PATIENCE)
    assert not claude.there(".github/before.yml")
    assert passed(run.results()[-1])
    assert not any("guards did not run" in reason(result) for result in run.results())


def test_new_policy_and_approvals_count_from_the_next_call_on(claude: Rig) -> None:
    claude.install()

    def tighten(_: Request) -> Turn:
        lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\n'
        claude.machine.policy("human-lane", lane)
        return turn(claude.write("plans/two.md"))

    def approve(_: Request) -> Turn:
        claude.machine.approve(f"^{claude.path('plans')}/three\\.md$")
        return turn(claude.write("plans/three.md"))

    claude.run(turn(claude.write("plans/one.md")), tighten, approve, turn(claude.write("plans/four.md")))
    assert sorted(os.listdir(claude.project / "plans")) == ["one.md", "three.md"]


# what a project can bring along to be rid of the owner's hooks
RIDS = {
    "disableAllHooks": {"disableAllHooks": True},
    "a shell prefix": {"env": {"CLAUDE_CODE_SHELL_PREFIX": "/bin/true"}},
}


@pytest.mark.parametrize("rid", RIDS)
def test_what_a_project_can_switch_off_stays_closed_where_a_deny_rule_stands(claude: Rig, rid: str) -> None:
    """A limit of hooks in the owner's own settings: the lane is open, what decides is not."""
    claude.install()
    claude.put(".claude/settings.json", json.dumps(RIDS[rid]))
    policy = f"{claude.machine.places['machine']}/human-lane.toml"
    run = claude.run(
        turn(claude.write(".github/a.yml")),
        turn(claude.write(policy, "off = true\n")),
        turn(claude.shell(f"echo 'off = true' > {policy}")),
        turn(claude.shell(f"echo '.*' | tee -a {claude.machine.places['approvals']}")),
        mode="bypassPermissions",
    )
    assert claude.there(".github/a.yml")
    assert not os.path.exists(policy)
    assert ".*" not in Path(claude.machine.places["approvals"]).read_text().splitlines()
    assert all("denied" in result for result in run.results()[1:])


@pytest.mark.parametrize("rid", RIDS)
def test_managed_settings_keep_the_lane_closed_against_a_project(claude: Rig, wall: Wall, rid: str) -> None:
    claude.install()
    claude.put(".claude/settings.json", json.dumps(RIDS[rid]))
    log = claude.machine.base / "managed.log"
    managed = f"(cd {ROOT} && {sys.executable} -m guards.cli install --yes --managed --harness claude >{log} 2>&1)"
    run = claude.run(turn(claude.write(".github/a.yml")), turn(claude.write("a.txt")), wrap=wall.wrap(managed))
    assert not claude.there(".github/a.yml"), log.read_text()
    assert claude.there("a.txt")
    assert refused(run.results()[0])
