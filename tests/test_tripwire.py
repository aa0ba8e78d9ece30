"""The tripwire: what no reader saw is told after it happened, once, and nothing is undone."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.machine import Fired, Machine, tool


class Yard:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        files = {".github/workflows/ci.yml": "on: push\n", "db/migrations/1.sql": "x\n", "src/app.py": "x\n"}
        self.repo = machine.repo("proj", files, git=False)
        for argv in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
            self.git(*argv)

    def git(self, *argv: str) -> None:
        name = ["-c", "user.name=o", "-c", "user.email=o@localhost"]
        subprocess.run(["git", *name, *argv], cwd=self.repo, env=self.machine.env(), check=True, capture_output=True)

    def after(self, text: str, **more: Any) -> Fired:
        """Runs a command and tells the guards that it ended."""
        subprocess.run(["sh", "-c", text], cwd=self.repo, env=self.machine.env(), check=False, capture_output=True)
        payload = tool("Bash", {"command": text}, cwd=self.repo, event="PostToolUse", **more)
        return self.machine.fire("after-tool", {**payload, "tool_response": {"stdout": ""}, "duration_ms": 50})


@pytest.fixture
def yard(machine: Machine) -> Yard:
    machine.policy("tripwire", 'mode = "watch"\n')
    made = Yard(machine)
    time.sleep(1.2)  # what was made before the command is older than the look back
    return made


CHANGES = {
    "an opaque write": ("python3 -c \"open('.git'+'hub/workflows/ci.yml','w')\"", ".github/workflows/ci.yml"),
    "a new file of a pattern": ("echo x > key.pem", "key.pem"),
    "a new file in a lane folder": ("touch db/migrations/2.sql", "db/migrations/2.sql"),
    "a new lane folder": ("mkdir -p sub/.github && touch sub/.github/x.yml", "sub/.github/x.yml"),
    "a file with its times set back": ("echo x > a.pem; touch -d 2001-01-01 a.pem", "a.pem"),
    "a move into place": ("echo x > t; touch -d 2001-01-01 t; mv t .env", ".env"),
    "a mode": ("chmod 600 .github/workflows/ci.yml", ".github/workflows/ci.yml"),
    "a start-up file at home": ("echo x > ~/.bashrc", ".bashrc"),
}


@pytest.mark.parametrize(("text", "path"), CHANGES.values(), ids=CHANGES)
def test_what_changed_in_a_lane_is_told_once(yard: Yard, text: str, path: str) -> None:
    said = yard.after(text)
    assert path in said.note
    assert "nothing was undone" in said.note
    lines = [line for line in yard.machine.journal() if line["guard"] == "tripwire"]
    assert [line["verdict"] for line in lines] == ["note"]
    assert any(path in one for one in lines[0]["paths"])
    assert yard.after("true").silent


def test_what_went_is_told_when_it_was_seen_before(yard: Yard) -> None:
    assert yard.after("true").silent
    assert "gone" in yard.after("rm -r db").note


def test_what_a_command_left_running_writes_is_told_at_the_next(yard: Yard) -> None:
    assert yard.after("(sleep 0.7; echo x > late.pem) > /dev/null 2>&1 &").silent
    time.sleep(1.0)
    assert "late.pem" in yard.after("true").note


@pytest.mark.parametrize(
    "text", ["echo x > src/app.py", "mkdir a && touch a/b.py", "touch .env.example", "git log > log.txt", "true"]
)
def test_what_lies_in_no_lane_is_not_told(yard: Yard, text: str) -> None:
    assert yard.after(text).silent


def test_what_the_owner_approved_is_not_told(yard: Yard) -> None:
    yard.machine.approve(f"^{yard.repo}/db/migrations/.*$")
    assert yard.after("echo x > db/migrations/2.sql; echo y >> db/migrations/1.sql").silent


def test_what_git_wrote_while_it_moved_is_a_journal_line_alone(yard: Yard) -> None:
    yard.git("checkout", "-q", "-b", "other")
    (yard.repo / ".github/workflows/ci.yml").write_text("on: never\n")
    yard.git("commit", "-q", "-a", "-m", "other")
    time.sleep(1.2)
    assert yard.after("git checkout -q main").silent
    lines = [line for line in yard.machine.journal() if line["guard"] == "tripwire"]
    assert [(line["verdict"], Path(line["path"]).name) for line in lines] == [("watch", "ci.yml")]


def test_many_are_counted_and_the_journal_has_their_names(yard: Yard) -> None:
    said = yard.after("for n in 1 2 3 4 5 6 7; do echo x > k$n.pem; done")
    assert said.note.count(".pem: ") == 5
    assert "2 more" in said.note


def test_without_watch_it_looks_only_while_the_fence_is_on(yard: Yard) -> None:
    yard.machine.policy("tripwire", "")
    assert yard.after("echo x > a.pem").silent
    (yard.machine.install / "fence").write_text("")
    assert "b.pem" in yard.after("echo x > b.pem").note


def test_switched_off_it_says_nothing(yard: Yard) -> None:
    yard.machine.policy("tripwire", "off = true\n")
    assert yard.after("echo x > a.pem").silent


def test_a_repository_too_large_to_search_is_a_journal_line(yard: Yard) -> None:
    yard.machine.policy("fence", "folders = 100\n")
    for n in range(120):
        (yard.repo / f"d{n}").mkdir()
    assert yard.after("echo x > a.pem").silent
    assert "not looked" in [line for line in yard.machine.journal() if line["guard"] == "tripwire"][-1]["why"]


def test_a_failed_command_is_looked_at_too(yard: Yard) -> None:
    subprocess.run(["sh", "-c", "echo x > a.pem"], cwd=yard.repo, check=True)
    payload = tool("Bash", {"command": "make"}, cwd=yard.repo, event="PostToolUseFailure")
    payload |= {"error": "exit 1", "is_interrupt": False, "duration_ms": 40}
    assert "a.pem" in yard.machine.fire("after-tool-failure", payload).note


def test_what_the_program_itself_keeps_writing_is_not_told(yard: Yard) -> None:
    assert yard.after("echo {} > ~/.claude.json").silent
    yard.machine.policy("tripwire", 'mode = "watch"\nignore = []\n')
    assert ".claude.json" in yard.after("echo 1 > ~/.claude.json").note
