"""Widening is the owner's: a terminal or --yes, and never below a harness."""

from __future__ import annotations

import time

import pexpect
import pytest

from guards.engine import switch
from guards.engine.state import Session
from guards.engine.world import World
from guards.wiring import place, unwire
from guards.wiring.commands import pause
from guards.wiring.text import Refused
from tests.wiring.owner import Owner

WIDENING = [("install", "--yes"), ("uninstall", "--yes"), ("pause", "--yes"), ("link", "--yes")]
MARKERS = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT", "CODEX_SANDBOX", "GEMINI_SESSION_ID", "CURSOR_AGENT"]
MARKERS += ["COPILOT_AGENT_SESSION_ID", "CODEX_THREAD_ID", "CURSOR_CONVERSATION_ID"]


@pytest.mark.parametrize("words", WIDENING, ids=lambda words: words[0])
def test_below_a_harness_even_yes_is_refused_and_nothing_changes(owner: Owner, words: tuple[str, ...]) -> None:
    owner.settings.write_text("{}")
    before = owner.snapshot()
    done = owner.run(*words, CLAUDECODE="1")
    assert done.returncode == 2
    assert "CLAUDECODE" in done.stderr
    assert "owner" in done.stderr
    assert owner.snapshot() == before


@pytest.mark.parametrize("name", MARKERS)
def test_every_harness_is_known_by_its_variables(name: str) -> None:
    assert unwire.agent({"HOME": "/home/o", name: "1"}) == name


@pytest.mark.parametrize(
    "name", ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "CURSOR_TRACE_ID", "GEMINI_API_KEY", "COPILOT_MODEL", "COPILOT_OFFLINE"]
)
def test_what_owners_set_themselves_is_no_marker(name: str) -> None:
    assert unwire.agent({name: "x"}) == ""


@pytest.mark.parametrize("words", [("uninstall",), ("pause", "--for", "5m"), ("link",)], ids=lambda words: words[0])
def test_without_a_terminal_and_without_yes_nothing_is_widened(owner: Owner, words: tuple[str, ...]) -> None:
    owner.wired()
    before = owner.snapshot()
    done = owner.run(*words)
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert owner.snapshot() == before


def test_a_pause_is_asked_for_at_the_terminal_and_ends_by_itself(owner: Owner) -> None:
    owner.wired()
    child = owner.terminal("pause", "--for", "30m", "--why", "moving house")
    child.expect(r"pause the guards until .*\[y/N\]")
    child.sendline("yes")
    child.expect_exact("paused until")
    child.expect(pexpect.EOF)
    path = owner.state / "pause"
    lines = path.read_text().splitlines()
    assert abs(float(lines[0]) - time.time() - 1800) < 60
    assert lines[1] == "moving house"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "PAUSED" in owner.run("status").stdout
    assert owner.run("pause", "--end").returncode == 0
    assert not path.exists()
    assert "PAUSED" not in owner.run("status").stdout


def test_the_engine_reads_the_pause_that_the_verb_writes(owner: Owner) -> None:
    owner.wired()
    assert owner.run("pause", "--for", "2h", "--yes").returncode == 0
    places = place.read(str(owner.install))
    assert places is not None
    until = switch.paused_until(World(places, Session(places["state"], "")))
    assert abs(until - time.time() - 7200) < 60


def test_a_no_at_the_terminal_pauses_nothing(owner: Owner) -> None:
    owner.wired()
    child = owner.terminal("pause")
    child.expect_exact("[y/N]")
    child.sendline("")
    child.expect_exact("nothing was changed")
    child.expect(pexpect.EOF)
    assert not (owner.state / "pause").exists()


@pytest.mark.parametrize(
    ("text", "seconds"), [("30m", 1800), ("2h", 7200), ("1h30m", 5400), ("90s", 90), ("15", 900), ("7d", 604800)]
)
def test_lengths_of_time(text: str, seconds: int) -> None:
    assert pause.seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "0m", "-5m", "8d", "m", "5 minutes", "1e9s", "30m!", "inf"])
def test_what_is_no_length_of_time_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        pause.seconds(text)
