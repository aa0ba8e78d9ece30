"""Code discovery: what a search and a query are, and when the one sentence is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guards.compile.build import build
from tests.machine import Fired, Machine, tool

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def repo(machine: Machine) -> Path:
    """A repository with a graph."""
    return machine.repo(files={"graphify-out/graph.json": "{}", "src/a.py": ""})


def grep(machine: Machine, cwd: Path, **more: Any) -> Fired:
    return after(machine, "Grep", {"pattern": "x"}, cwd, **more)


def after(machine: Machine, name: str, given: dict[str, Any], cwd: Path, **more: Any) -> Fired:
    env = more.pop("env", None)
    payload = tool(name, given, cwd=cwd, event="PostToolUse", tool_response="a.py", **more)
    return machine.fire("after-tool", payload, env=env)


def shell(machine: Machine, command: str, cwd: Path) -> Fired:
    return after(machine, "Bash", {"command": command}, cwd)


def speaks(machine: Machine, cwd: Path, searches: int = 4) -> bool:
    """Whether the last of so many searches speaks, and no earlier one."""
    said = [grep(machine, cwd).silent for _ in range(searches)]
    assert all(said[:-1])
    return not said[-1]


def test_the_fourth_search_speaks_and_no_other(machine: Machine, repo: Path) -> None:
    assert [grep(machine, repo).silent for _ in range(3)] == [True, True, True]
    said = grep(machine, repo)
    assert said.code == 0
    assert said.note.startswith("4 searches and no query to this repository's code graph graphify-out/graph.json")
    assert "graphify query" in said.note
    assert "a bounded answer rather than a smaller one" in said.note
    assert "small share" in said.note
    assert [grep(machine, repo).silent for _ in range(5)] == [True] * 5


def test_counting_leaves_no_line_in_the_journal(machine: Machine, repo: Path) -> None:
    for _ in range(5):
        grep(machine, repo)
    assert [line["guard"] for line in machine.journal()] == ["code-discovery"]


def test_searches_from_below_the_root_count(machine: Machine, repo: Path) -> None:
    assert speaks(machine, repo / "src")


def test_without_a_graph_it_never_speaks(machine: Machine) -> None:
    plain = machine.repo("plain", files={"src/a.py": ""})
    assert not speaks(machine, plain, 6)
    assert not list((machine.state / "sessions").glob("*/*"))


def test_a_graph_above_the_repository_is_not_this_repositorys(machine: Machine) -> None:
    (machine.home / "graphify-out").mkdir()
    (machine.home / "graphify-out/graph.json").write_text("{}")
    inner = machine.repo("inner")
    assert not speaks(machine, inner, 6)


def test_a_graph_outside_any_repository_counts_where_it_lies(machine: Machine) -> None:
    folder = machine.repo("loose", files={"graphify-out/graph.json": "{}"}, git=False)
    assert speaks(machine, folder)


QUERIES: list[tuple[str, dict[str, Any]]] = [
    ("Bash", {"command": 'graphify query "where is x"'}),
    ("Bash", {"command": "cd /srv && graphify path A B | head"}),
    ("Bash", {"command": "uv run graphify explain X"}),
    ("Bash", {"command": "jq .nodes graphify-out/graph.json"}),
    ("mcp__graphify__anything", {"q": "x"}),
    ("mcp__my-host__query_graph", {"q": "x"}),
    ("Read", {"file_path": "graphify-out/GRAPH_REPORT.md"}),
    ("Grep", {"pattern": "x", "path": "graphify-out/wiki"}),
]


@pytest.mark.parametrize(("name", "given"), QUERIES, ids=lambda value: str(value)[:50])
def test_one_query_ends_the_count_for_good(machine: Machine, repo: Path, name: str, given: dict[str, Any]) -> None:
    assert grep(machine, repo).silent
    assert after(machine, name, given, repo).silent
    assert not speaks(machine, repo, 6)


def test_reading_the_graphs_folder_by_its_whole_path_is_a_query(machine: Machine, repo: Path) -> None:
    assert after(machine, "Read", {"file_path": str(repo / "graphify-out/GRAPH_REPORT.md")}, repo / "src").silent
    assert not speaks(machine, repo, 6)


NO_QUERIES: list[tuple[str, dict[str, Any]]] = [
    ("Bash", {"command": "graphify update ."}),
    ("Bash", {"command": "echo graphify query"}),
    ("mcp__other__thing", {"q": "x"}),
    ("Read", {"file_path": "src/a.py"}),
    ("Read", {"file_path": "docs/graphify-out.md"}),
]


@pytest.mark.parametrize(("name", "given"), NO_QUERIES, ids=lambda value: str(value)[:50])
def test_other_calls_are_no_query_and_no_search(machine: Machine, repo: Path, name: str, given: dict[str, Any]) -> None:
    for _ in range(5):
        assert after(machine, name, given, repo).silent
    assert speaks(machine, repo)


SEARCHES = {
    "grep -rn x src": True,
    "cd src && rg x": True,
    "git grep x": True,
    "git -C src ls-files": True,
    "find . -name '*.py'": True,
    "for d in a b; do grep x $d; done": True,
    "bash -c 'rg x'": True,
    "sudo -u me timeout 5 fd x": True,
    "ps aux | grep x": False,
    "cat log |& grep x": False,
    "git log": False,
    "echo grep": False,
    "make": False,
    "": False,
    "'unclosed grep": False,
    "egrep x f || true": True,
}


@pytest.mark.parametrize(("command", "counts"), SEARCHES.items())
def test_shell_searches_count_and_filters_of_a_pipe_do_not(
    machine: Machine, repo: Path, command: str, counts: bool
) -> None:
    assert shell(machine, command, repo).silent
    assert speaks(machine, repo, 3) is counts


def test_a_search_without_a_match_comes_as_a_failure_and_counts(machine: Machine, repo: Path) -> None:
    failed = tool("Bash", {"command": "grep x y"}, cwd=repo, event="PostToolUseFailure", error="Exit code 1")
    assert machine.fire("after-tool-failure", failed).silent
    assert speaks(machine, repo, 3)


def test_a_subagent_has_an_account_of_its_own(machine: Machine, repo: Path) -> None:
    for _ in range(3):
        assert grep(machine, repo, agent_id="a1").silent
    assert speaks(machine, repo)
    assert not grep(machine, repo, agent_id="a1").silent


@pytest.mark.parametrize(("value", "searches"), [("2", 2), ("0", 4), ("many", 4), ("-1", 4), ("", 4)])
def test_the_variable_moves_the_number_and_nonsense_is_ignored(
    machine: Machine, repo: Path, value: str, searches: int
) -> None:
    said = [grep(machine, repo, env={"CODE_DISCOVERY_SWEEP": value}).silent for _ in range(searches)]
    assert said == [True] * (searches - 1) + [False]


def test_the_owner_names_graphs_and_the_sweep(machine: Machine) -> None:
    machine.policy(
        "code-discovery",
        'sweep = 2\n[[graph]]\nid = "index"\nmarker = ".index.db"\nqueries = ["index ask"]\nsay = "`index ask`"\n',
    )
    repo = machine.repo(files={".index.db": ""})
    assert speaks(machine, repo, 2)
    other = machine.repo("other", files={".index.db": ""})
    assert shell(machine, "index ask x", other).silent


def test_off_means_off(machine: Machine, repo: Path) -> None:
    machine.policy("code-discovery", "off = true\n")
    assert not speaks(machine, repo, 6)


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ("sweep = 0\n", "must be at least 1"),
        ('[[graph]]\nid = "g"\nmarker = "/abs"\nsay = "x"\n', "a path inside a repository"),
        ('[[graph]]\nid = "g"\nmarker = "a/../b"\nsay = "x"\n', "a path inside a repository"),
        ('[[graph]]\nid = "g"\nmarker = "a"\n', "say: is missing"),
        ('[[graph]]\nid = "g"\nmarker = "a"\nsay = "x"\nqueries = ["*x"]\n', "one * at most"),
    ],
)
def test_a_mistake_in_the_policy_is_named(tmp_path: Path, toml: str, fault: str) -> None:
    machine = tmp_path / "machine"
    machine.mkdir(mode=0o700)
    (machine / "code-discovery.toml").write_text(toml)
    (machine / "code-discovery.toml").chmod(0o600)
    places = {"policy": str(ROOT / "policy"), "machine": str(machine), "home": str(tmp_path), "checkout": str(ROOT)}
    faults = build(places, names=["code-discovery"]).faults
    assert len(faults) == 1
    assert fault in faults[0]
