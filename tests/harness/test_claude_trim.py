"""Trim mode, failed calls and code discovery in the real Claude Code: what the model is shown."""

from pathlib import Path

import pytest

from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

LOUD = "seq 1 4000"  # 18,893 characters: shown whole by the harness


@pytest.fixture
def wired(claude: Rig) -> Rig:
    return claude.install()


def test_trim_shows_head_and_tail_and_names_the_file_with_the_whole(wired: Rig) -> None:
    wired.machine.policy("output-bound", 'mode = "trim"\n')
    run = wired.run(turn(wired.shell(LOUD)), turn(wired.shell(LOUD)))
    for result in run.results()[:2]:
        assert result.startswith("1\n2\n3\n")
        assert result.rstrip().endswith("3999\n4000")
        assert len(result) < 4300
        assert "2000\n2001" not in result
        kept = Path(result.partition("the whole is in ")[2].partition("]")[0])
        assert kept.read_text().split() == [str(number) for number in range(1, 4001)]
    assert run.shown().count("the middle was cut out") == 1


def test_trim_cuts_a_long_answer_of_an_mcp_tool(wired: Rig) -> None:
    wired.machine.policy("output-bound", 'mode = "trim"\ntool_max = 5000\n')
    desk = wired.desk()
    run = wired.run(turn(Call("mcp__desk__long_text", {"characters": 40000})), args=desk.args)
    assert len(run.results()[0]) < 5300
    assert "characters are cut out here" in run.results()[0]


def test_a_failed_command_with_a_long_error_is_noted(wired: Rig) -> None:
    run = wired.run(turn(wired.shell("seq 1 3000; exit 3")))
    assert "seq gave 10,0" in run.shown()


def test_the_fourth_search_in_a_repository_with_a_graph_is_noted_once(wired: Rig) -> None:
    graph = wired.project / "graphify-out/graph.json"
    graph.parent.mkdir()
    graph.write_text("{}")
    run = wired.run(*[turn(wired.shell("grep -rn nothing-like-it . || true")) for _ in range(5)])
    assert run.shown().count("no query to this repository's code graph") == 1
