"""Output bounds in the real Claude Code: a note about a long output, once, in the very next request."""

import pytest

from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

LOUD = "python3 -c \"print('a long line of text, ' * 300)\""
NOTE = "policy/output-bound.toml: bash_max"


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


def test_the_note_about_a_long_output_is_in_the_next_request_and_is_said_once(wired: Rig) -> None:
    run = wired.run(turn(wired.shell(LOUD)), turn(wired.shell(LOUD)), turn(wired.shell("true")))
    shown = [" ".join(part.text for part in request.new if part.kind != "call") for request in run.of()[1:]]
    told = [NOTE in text for text in shown]
    assert told == [True, False, False]
    assert "a long line of text" in run.results()[0]


def test_the_bound_is_the_owners_to_move_by_a_variable(wired: Rig) -> None:
    run = wired.run(turn(wired.shell(LOUD)), env={"BASH_OUTPUT_MAX": "100000"})
    assert NOTE not in run.shown()


def test_a_long_answer_of_a_tool_is_noted_once_for_each_tool(wired: Rig) -> None:
    desk = wired.desk()
    ask = turn(Call("mcp__desk__long_text", {"characters": 40000}))
    run = wired.run(ask, ask, args=desk.args, env={"TOOL_OUTPUT_MAX": "5000"})
    notes = [part.text for part in run.pieces() if "mcp__desk__long_text" in part.text and part.kind != "call"]
    assert len(notes) == 1


def test_a_subagent_is_told_on_its_own_account(wired: Rig) -> None:
    run = wired.run(
        turn(wired.shell(LOUD)),
        turn(wired.agent("HELPER-ONE")),
        subagents={"HELPER-ONE": [turn(wired.shell(LOUD))]},
    )
    assert NOTE in run.shown("HELPER-ONE")
