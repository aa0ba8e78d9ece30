"""Open items around a compaction: off until wanted, told once to each side, only the repository's own lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.machine import SESSION, Fired, Machine

LIST = "# Plan\n- [x] done\n- [ ] one\n  * [ ] two, deeper\nTODO: three\n- [ ]\n"


@pytest.fixture
def on(machine: Machine) -> Machine:
    machine.policy("open-items", "off = false")
    return machine


def before(machine: Machine, root: Path, **more: Any) -> Fired:
    event = {"session_id": SESSION, "cwd": str(root), "hook_event_name": "PreCompact", "trigger": "auto", **more}
    return machine.fire("before-compact", event)


def after(machine: Machine, root: Path, source: str = "compact") -> Fired:
    event = {"session_id": SESSION, "cwd": str(root), "hook_event_name": "SessionStart", "source": source}
    return machine.fire("session-start", event, guard="open-items")


def test_it_is_off_until_an_owner_wants_it(machine: Machine) -> None:
    root = machine.repo(files={"TODO.md": LIST})
    assert before(machine, root).silent
    assert after(machine, root).silent


def test_the_owner_is_told_before_and_the_model_after(on: Machine) -> None:
    root = on.repo(files={"TODO.md": LIST})
    text = "still open in proj, on branch main:\n  TODO.md:3  one\n  TODO.md:4  two, deeper\n  TODO.md:5  three"
    assert before(on, root).document == {"systemMessage": text}
    assert after(on, root).note == text


@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_other_starts_of_a_session_are_silent(on: Machine, source: str) -> None:
    assert after(on, on.repo(files={"TODO.md": LIST}), source).silent


def test_the_rest_is_counted(on: Machine) -> None:
    root = on.repo(files={"TODO.md": "- [ ] x\n" * 12})
    assert after(on, root).note.endswith("… and 7 more")


def test_a_worktree_names_its_own_branch(on: Machine) -> None:
    root = on.repo(git=False, files={".git": "gitdir: ../main/.git/worktrees/w\n"})
    on.repo("main", files={".git/worktrees/w/HEAD": "ref: refs/heads/feature/x\n"})
    assert "on branch feature/x" in after(on, root).note


def test_nothing_to_name_is_silence(on: Machine) -> None:
    root = on.repo(files={".git/HEAD": "0123456789012345678901234567890123456789\n"})
    assert after(on, root).silent
    assert after(on, on.repo("plain", git=False, files={"TODO.md": LIST})).silent


def test_a_list_that_leads_out_of_the_repository_is_not_read(on: Machine) -> None:
    root = on.repo()
    secret = on.home / "secret"
    secret.write_text("- [ ] the password\n")
    (root / "TODO.md").symlink_to(secret)
    assert "password" not in after(on, root).note


def test_a_pipe_in_the_place_of_a_list_holds_nothing_up(on: Machine) -> None:
    import os

    root = on.repo()
    os.mkfifo(root / "TODO.md")
    assert "nothing on its lists" in after(on, root).note


def test_what_a_list_says_is_shown_plain_and_short(on: Machine) -> None:
    root = on.repo(files={"TODO.md": f"- [ ] \x1b[2J\u202eevil {'y' * 500}\n"})
    line = after(on, root).note.splitlines()[1]
    assert line.startswith("  TODO.md:1  evil y")
    assert len(line) < 150


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "~/x"])
def test_policy_names_only_lists_of_the_repository(machine: Machine, path: str) -> None:
    from guards.compile.build import build

    machine.policy("open-items", f'files = ["{path}"]')
    assert "is a path inside the repository" in build(machine.places, names=["open-items"]).faults[0]
