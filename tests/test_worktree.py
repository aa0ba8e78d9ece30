"""A session in a worktree writes there; the main checkout and its siblings stay as they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.machine import SESSION, Fired, Machine, tool


class Trees:
    """A repository with two worktrees of agents, one and two."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        machine.policy("worktree", "off = false\n")
        self.main = machine.repo("project", {"src/app.py": "a\n"}, git=False)
        who = ("-c", "user.name=o", "-c", "user.email=o@localhost")
        self.git("-c", "init.defaultBranch=main", "init", "-q")
        self.git("add", "-A")
        self.git(*who, "commit", "-q", "-m", "state")
        for name in ("one", "two"):
            self.git("worktree", "add", "-q", f".claude/worktrees/{name}", "-b", name)
        self.one, self.two = (self.main / ".claude/worktrees" / name for name in ("one", "two"))

    def git(self, *argv: str) -> None:
        subprocess.run(["git", *argv], cwd=self.main, env=self.machine.env(), check=True, capture_output=True)

    def call(self, name: str, given: dict[str, Any], cwd: Path | None = None, project: Path | None = None) -> Fired:
        env: dict[str, str | None] = {"CLAUDE_PROJECT_DIR": str(project or self.one)}
        return self.machine.fire("before-tool", tool(name, given, cwd=cwd or self.one), guard="worktree", env=env)

    def write(self, path: str | Path, **more: Any) -> Fired:
        return self.call("Write", {"file_path": str(path), "content": "x"}, **more)

    def prompt(self, cwd: Path) -> Fired:
        payload = {"session_id": SESSION, "cwd": str(cwd), "hook_event_name": "UserPromptSubmit", "prompt": "go"}
        return self.machine.fire("prompt", payload, guard="worktree", env={"CLAUDE_PROJECT_DIR": str(cwd)})


@pytest.fixture
def trees(machine: Machine) -> Trees:
    return Trees(machine)


def test_the_session_writes_in_its_own_worktree_and_outside_the_checkout(trees: Trees) -> None:
    assert trees.write(trees.one / "src/new.py").silent
    assert trees.write("src/new.py").silent
    assert trees.write(trees.machine.home / "elsewhere.txt").silent
    assert trees.write(trees.machine.home / "project-two/a.py").silent


def test_the_main_checkout_and_the_siblings_are_refused_by_every_file_tool(trees: Trees) -> None:
    refused = trees.write(trees.main / "src/app.py")
    assert f"this session works in the worktree {trees.one}" in refused.err
    assert "policy/worktree.toml" in refused.err
    assert trees.write(trees.two / "src/app.py").denied
    given = {"file_path": str(trees.main / "src/app.py"), "old_string": "a", "new_string": "b"}
    assert trees.call("Edit", given).denied
    assert trees.call("NotebookEdit", {"notebook_path": str(trees.main / "a.ipynb"), "new_source": "x"}).denied
    assert trees.call("Read", {"file_path": str(trees.main / "src/app.py")}).silent
    assert trees.call("Bash", {"command": f"echo x > {trees.main}/src/app.py"}).silent


@pytest.mark.parametrize(
    "path", ["../../../src/app.py", "@/.claude/worktrees/one/../../../src/app.py", "../one-more/a.py"]
)
def test_another_spelling_is_the_same_place(trees: Trees, path: str) -> None:
    assert trees.write(path.replace("@", str(trees.main))).denied


def test_a_link_leads_where_it_leads(trees: Trees) -> None:
    (trees.one / "out").symlink_to(trees.main / "src")
    (trees.machine.home / "in").symlink_to(trees.one)
    assert trees.write(trees.one / "out/app.py").denied
    assert trees.write(trees.machine.home / "in/src/app.py").silent


def test_a_session_that_went_elsewhere_is_still_the_one_of_its_worktree(trees: Trees) -> None:
    assert trees.write(trees.main / "src/app.py", cwd=trees.machine.home).denied
    assert trees.write(trees.main / "src/app.py", cwd=trees.one / "src", project=trees.main).denied


def test_a_session_of_the_main_checkout_is_not_confined(trees: Trees) -> None:
    assert trees.write(trees.main / "src/app.py", cwd=trees.main, project=trees.main).silent
    assert trees.write(trees.one / "src/app.py", cwd=trees.main, project=trees.main).silent


def test_a_prompt_in_a_lost_worktree_is_held_back_and_in_a_whole_one_it_is_not(trees: Trees) -> None:
    assert trees.prompt(trees.one).silent
    assert trees.prompt(trees.main).silent
    shutil.rmtree(trees.main / ".git/worktrees/one")
    answer = trees.prompt(trees.one / "src").document
    assert answer["decision"] == "block"
    assert "git worktree repair" in answer["reason"]
    (trees.two / ".git").unlink()
    assert "its .git is gone" in trees.prompt(trees.two).document["reason"]


def test_it_is_off_until_an_owner_wants_it(trees: Trees) -> None:
    trees.machine.policy("worktree", "")
    assert trees.write(trees.main / "src/app.py").silent
    (trees.two / ".git").unlink()
    assert trees.prompt(trees.two).silent


def test_the_owner_frees_a_tree_by_starting_the_harness_so(trees: Trees) -> None:
    payload = tool("Write", {"file_path": str(trees.main / "src/app.py"), "content": "x"}, cwd=trees.one)
    free = {"AGENT_EXCLUDE_PREFIX": str(trees.main / "src")}
    assert trees.machine.started("before-tool", payload, free, guard="worktree").silent
    assert trees.machine.started("before-tool", payload, {}, free, guard="worktree").denied
    assert trees.machine.started("before-tool", payload, {"GUARDS_OFF": "worktree"}, guard="worktree").silent
