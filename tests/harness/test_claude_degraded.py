"""Policy, approvals or memory that cannot be used: the real Claude Code is still held to what was last good, and
the refusal says what is wrong."""

import shutil

import pytest

from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

CI = ".github/workflows/ci.yml"


def test_a_policy_with_a_typo_leaves_the_last_good_one_in_force_and_says_so(claude: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\n'
    claude.machine.policy("human-lane", lane)
    claude.install()
    claude.run(turn(claude.write("plans/a.md")))
    claude.machine.policy("human-lane", lane.replace("paths", "pahts"))
    run = claude.run(turn(claude.write("plans/b.md")), turn(claude.write(CI)), turn(claude.write("c.txt")))
    assert not claude.there("plans")
    assert not claude.there(CI)
    assert claude.there("c.txt")
    assert "policy does not compile; the last good one is in force" in run.results()[0]


def test_approvals_that_others_may_write_free_nothing_and_the_refusal_names_the_cure(claude: Rig) -> None:
    claude.machine.approve(".*").chmod(0o666)
    claude.install()
    run = claude.run(turn(claude.write(CI)))
    assert not claude.there(CI)
    assert "chmod" in run.results()[0]


def test_without_a_place_for_its_memory_it_judges_all_the_same(claude: Rig) -> None:
    claude.install()
    claude.run(turn(claude.write("first.txt")))
    shutil.rmtree(claude.machine.state)
    claude.machine.state.write_text("not a folder")
    run = claude.run(turn(claude.write(CI)), turn(claude.write("a.txt")))
    assert "lane 'ci'" in run.results()[0]
    assert claude.machine.places["state"] in run.results()[0]
    assert claude.there("a.txt")
