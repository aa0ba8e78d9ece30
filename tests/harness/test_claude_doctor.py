"""The session doctor's note in the real Claude Code: at the start, on resume, and after a compaction."""

import time
from pathlib import Path

import pytest

from tests.harness.model import turn
from tests.harness.rig import Rig
from tests.harness.terminal import Terminal

pytestmark = pytest.mark.real


def doctor(rig: Rig, row: str) -> Path:
    """A repository's doctor that warns of one thing."""
    path = rig.home / ".local/bin/pantry"
    path.write_text(f"#!/bin/sh\necho '[warn] {row}'\necho '1 checks, 0 failing, 1 due'\n")
    path.chmod(0o755)
    rig.put("CLAUDE.md", "# the project\n")
    return path


def test_a_session_that_is_resumed_hears_the_doctor_of_today(claude: Rig) -> None:
    claude.install()
    doctor(claude, "seen at the start")
    first = claude.run(turn(claude.shell("true")))
    assert "seen at the start" in first.opening()
    doctor(claude, "seen on resume")
    again = claude.run(args=["--continue"], prompt="and now?")
    assert "seen on resume" in again.opening()


def asked(terminal: Terminal, words: str, seconds: float = 30) -> bool:
    """Whether a request of the main conversation held these words in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(words in part.text for r in terminal.model.requests if r.thread == "main" for part in r.parts):
            return True
        terminal.read()
    return False


def test_after_a_compaction_the_model_hears_it_again(claude: Rig) -> None:
    claude.machine.policy("open-items", "off = false")
    claude.install()  # events that no guard is on for are not wired
    claude.put("TODO.md", "- [ ] the open thing\n")
    doctor(claude, "seen at the start")
    with claude.at_terminal(turn(claude.shell("true"))) as terminal:
        assert asked(terminal, "seen at the start"), terminal.screen()[-1500:]
        terminal.wait_for("done")
        doctor(claude, "seen after compaction")
        terminal.press("/compact")
        time.sleep(0.5)
        terminal.press("\r")
        terminal.wait_for("still open in project")  # the owner, before the compaction
        time.sleep(3)
        terminal.read()
        terminal.press("go on then")
        time.sleep(0.5)
        terminal.press("\r")
        assert asked(terminal, "seen after compaction"), terminal.screen()[-1500:]
        assert asked(terminal, "TODO.md:1  the open thing")
