"""Lanes that ask or only watch, and tools that no table names, in the real Claude Code."""

import json
import sys
from pathlib import Path

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


def test_a_lane_that_asks_is_a_question_to_the_person_at_the_terminal(wired: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\naction = "ask"\n'
    wired.machine.policy("human-lane", lane)
    with wired.at_terminal(turn(wired.write("plans/a.md")), turn(wired.write("plans/b.md"))) as terminal:
        terminal.wait_for("plans are made by people")
        terminal.wait_for("create a.md")
        terminal.press("\r")  # the first answer is yes
        assert terminal.wait_until(wired.path("plans/a.md"))
        terminal.wait_for("create b.md")
        terminal.press("\x1b")  # no
        terminal.wait_for("Rejected write")
    assert not wired.there("plans/b.md")


def test_a_lane_that_watches_refuses_nothing_and_leaves_a_line(wired: Rig) -> None:
    lane = '[[lane]]\nid = "plans"\npaths = ["plans/"]\nwhy = "plans are made by people"\naction = "watch"\n'
    wired.machine.policy("human-lane", lane)
    run = wired.run(turn(wired.write("plans/a.md")))
    assert wired.there("plans/a.md")
    assert "plans are made" not in run.shown()
    assert [line["rule"] for line in wired.machine.journal() if line["verdict"] == "watch"] == [
        "~/.config/guards/policy/human-lane.toml: lane 'plans'"
    ]


# ---------------------------------------------------------------- what only the owner does

OWNERS = {
    "pause": "{guards} pause --for 1h --yes",
    "uninstall": "{guards} uninstall --yes",
    "with the markers gone": "env -i HOME={home} {guards} pause --for 1h --yes",
    "a forged event": "echo '{{}}' | {install}/py -IS {install}/code/hook.py claude before-tool",
    "a session without hooks": "claude --bare -p 'write the workflow'",
    "a session of another home": "HOME=/tmp claude -p 'write the workflow'",
    "git's hooks elsewhere": "git config core.hooksPath /tmp/hooks",
}


def test_what_only_the_owner_does_is_refused_to_an_agent(wired: Rig) -> None:
    wired.machine.approve(".*")
    guards = Path(sys.executable).with_name("guards")
    names = {"guards": guards, "install": wired.machine.install, "home": wired.home}
    commands = [command.format(**names) for command in OWNERS.values()]
    run = wired.run(*(turn(wired.shell(command)) for command in commands), mode="bypassPermissions")
    assert [name for name, said in zip(OWNERS, run.results(), strict=True) if "hook error" not in said] == []
    assert not (wired.machine.state / "pause").exists()
    assert "guards:managed" in wired.settings.read_text()
