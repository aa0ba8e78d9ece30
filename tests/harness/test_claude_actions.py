"""Lanes that ask or only watch, and tools that no table names, in the real Claude Code."""

import json

import pytest

from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

CI = ".github/workflows/ci.yml"


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


def test_a_tool_that_no_table_names_is_judged_by_its_path(wired: Rig) -> None:
    desk = wired.desk()
    run = wired.run(
        turn(Call("mcp__desk__put_file", {"path": wired.path(CI), "text": "x"})),
        turn(Call("mcp__desk__put_file", {"path": wired.path("a.txt"), "text": "x"})),
        args=desk.args,
    )
    assert ["lane 'ci'" in result for result in run.results()] == [True, False]
    assert [call["path"] for call in desk.calls()] == [wired.path("a.txt")]


def test_a_lane_that_asks_is_a_question_and_with_nobody_there_a_refusal(wired: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\naction = "ask"\n'
    wired.machine.policy("human-lane", lane)
    run = wired.run(turn(wired.write("plans/a.md")), mode="bypassPermissions")
    assert not wired.there("plans/a.md")
    assert "lane 'plans'" in run.results()[0]
    denials = [json.loads(line) for line in run.out.splitlines() if '"permission_denials"' in line]
    assert denials[-1]["permission_denials"][0]["tool_name"] == "Write"


def test_a_lane_that_watches_refuses_nothing_and_leaves_a_line(wired: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\naction = "watch"\n'
    wired.machine.policy("human-lane", lane)
    run = wired.run(turn(wired.write("plans/a.md")))
    assert wired.there("plans/a.md")
    assert "plans are made" not in run.shown()
    assert [line["rule"] for line in wired.machine.journal() if line["verdict"] == "watch"] == [
        "~/.config/guards/policy/human-lane.toml: lane 'plans'"
    ]
