"""The spawn envelope in the real Claude Code: work that is handed over names its lane, cap, stops and asks."""

import pytest

from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

ENVELOPE = "Lane: tests only\nScope cap: one file\nHard stops: no push\nAsk-triggers: anything unclear\n"


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


def test_a_spawn_without_its_headings_is_refused_with_what_is_missing(wired: Rig) -> None:
    desk = wired.desk()
    half = "Lane: tests only\nHard stops: no push\nplease look around"
    run = wired.run(
        turn(Call("mcp__desk__spawn_session", {"prompt": half})),
        turn(Call("mcp__desk__spawn_session", {"prompt": ENVELOPE + half})),
        args=desk.args,
    )
    first, second = run.results()
    assert "scope cap" in first.lower()
    assert "ask-triggers" in first.lower()
    assert "policy/spawn-envelope.toml" in first
    assert second == "done"
    assert [call["prompt"] for call in desk.calls()] == [ENVELOPE + half]


def test_a_short_follow_up_passes_and_a_long_one_needs_the_headings(wired: Rig) -> None:
    desk = wired.desk()
    run = wired.run(
        turn(Call("mcp__desk__send_prompt", {"session": "s", "prompt": "go on"})),
        turn(Call("mcp__desk__send_prompt", {"session": "s", "prompt": "and then " * 60})),
        args=desk.args,
    )
    assert run.results()[0] == "done"
    assert "lane" in run.results()[1].lower()
    assert len(desk.calls()) == 1


def test_the_row_for_claude_codes_own_agents_can_be_switched_on(wired: Rig) -> None:
    wired.machine.policy(
        "spawn-envelope", '[[tool]]\nid = "own-agents"\nmatch = "Agent"\nkind = "spawn"\nprompt = "prompt"\n'
    )
    run = wired.run(
        turn(wired.agent("HELPER-ONE look around")),
        turn(wired.agent("HELPER-TWO\n" + ENVELOPE)),
        subagents={"HELPER-ONE": [turn(wired.write("one"))], "HELPER-TWO": [turn(wired.write("two"))]},
    )
    assert "hard stops" in run.results()[0].lower()
    assert not wired.there("one")
    assert wired.there("two")
