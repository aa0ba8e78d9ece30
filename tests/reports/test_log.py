"""`guards log`: what an owner reads of the journal, at a terminal and in a pipe."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.reports import verbs

LONG = "/home/o/src/a-rather-long-name-of-a-project/.github/workflows/a-rather-long-name-of-a-workflow.yml"
RULE = "policy/human-lane.toml: lane 'ci'"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    lines: list[dict[str, Any]] = [
        {"t": time.time() - 60, "harness": "claude", "event": "stop", "guard": "open-items", "verdict": "note"},
        {"t": time.time(), "harness": "claude", "event": "before-tool", "guard": "human-lane", "verdict": "deny",
         "rule": RULE, "path": LONG},
    ]  # fmt: skip
    journal = tmp_path / ".local/state/guards/journal"
    journal.mkdir(parents=True)
    path = journal / time.strftime("%Y-%m.jsonl", time.gmtime())
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_in_a_pipe_an_entry_is_one_line_parted_by_tabs(home: Path) -> None:
    done = verbs.run(home, "log", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[1:5] for row in rows] == [
        ["claude", "stop", "open-items", "note"],
        ["claude", "before-tool", "human-lane", "deny"],
    ]
    assert rows[1][5] == f"{LONG}  {RULE}"


def test_at_a_terminal_the_path_stands_whole_on_a_line_of_its_own(home: Path) -> None:
    argv = verbs.argv("log")
    env = verbs.env(home, TERM="dumb")
    child = pexpect.spawn(argv[0], argv[1:], env={**env, "COLUMNS": "80"}, cwd=str(home), encoding="utf-8", timeout=30)
    child.expect(pexpect.EOF)
    assert f"    {LONG}" in child.before.splitlines()
    assert f"human-lane  deny  {RULE}" in child.before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "0"], "-n 0 shows nothing"),
        (["--verdict", "denied"], "no verdict is called 'denied'; say one of deny, ask"),
        (["--since", "yesterday"], "is no span of time"),
    ],
)
def test_what_it_cannot_show_is_one_sentence(home: Path, words: list[str], said: str) -> None:
    done = verbs.run(home, "log", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_verdict_that_only_an_older_line_has_can_be_asked_for(home: Path) -> None:
    path = next((home / ".local/state/guards/journal").iterdir())
    line = {"t": time.time(), "verdict": "unfenced", "path": "a\x1b[2Jb"}
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    done = verbs.run(home, "log", "--verdict", "unfenced")
    assert len(done.stdout.splitlines()) == 1
    assert "\x1b" not in done.stdout
