"""`guards fire` and `guards status` tell the truth about the live settings, whatever is wrong there."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from guards.wiring import fire, starter
from guards.wiring.forms import claude
from guards.wiring.starter import Answer
from tests.wiring.owner import Owner


def rows(owner: Owner, code: int = 0) -> list[dict[str, Any]]:
    done = owner.run("fire", "--json")
    assert done.returncode == code, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def status(owner: Owner, code: int) -> dict[str, Any]:
    done = owner.run("status", "--json")
    assert done.returncode == code, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def rewrite(owner: Owner, change: Any) -> None:
    plain = json.loads(owner.settings.read_text())
    change(plain)
    owner.settings.write_text(json.dumps(plain))


def test_every_gate_is_fired_both_ways_and_every_other_event_answers(owner: Owner) -> None:
    owner.wired()
    found = rows(owner)
    gates = {row["guard"] for row in found if row["event"] == "before-tool"}
    for guard in gates:
        assert {row["expected"] for row in found if row["guard"] == guard and row["event"] == "before-tool"} == {
            "deny",
            "pass",
        }
    assert {row["event"] for row in found} == {
        event for event, native in claude.EVENTS.items() if native in owner.entries()
    }
    assert all(row["milliseconds"] > 0 for row in found)
    assert all(row["reason"] for row in found if row["verdict"] == "deny")


def test_the_table_is_narrow_and_ends_in_a_word(owner: Owner) -> None:
    owner.wired()
    done = owner.run("fire")
    assert done.stdout.splitlines()[-1] == "every wired gate refused what it must and let pass what it must."
    assert all(len(line) <= 120 for line in done.stdout.splitlines())
    rewrite(owner, lambda plain: plain["hooks"]["PreToolUse"][0]["hooks"][0].update(command="exit 0 # guards:managed"))
    done = owner.run("fire")
    assert done.returncode == 1
    assert "pass, not deny" in done.stdout
    assert "probes did not answer as they must; see WRONG above" in done.stdout.splitlines()[-1]


def test_uninstall_names_what_it_leaves_and_a_pause_then_says_that_nothing_is_wired(owner: Owner) -> None:
    owner.settings.write_text('{"model": "opus"}')
    owner.wired()
    assert "nothing of guards is wired" not in owner.run("pause", "--yes").stdout
    done = owner.run("uninstall", "--yes")
    assert f"what was there before: {owner.install}, {owner.settings}.guards-backup" in done.stdout
    assert "nothing of guards is wired on this machine" in owner.run("pause", "--yes").stdout


def test_a_probe_leaves_no_trace_in_journal_heartbeat_or_memory(owner: Owner) -> None:
    owner.wired()
    rows(owner)
    for folder in ("journal", "beats", "sessions", "probe"):
        assert not list((owner.state / folder).glob("*")), folder
    assert status(owner, 0)["today"] == {}


def test_a_gate_whose_script_is_gone_is_found(owner: Owner) -> None:
    owner.wired()
    (owner.install / "code").unlink()
    found = rows(owner, 1)
    assert {row["verdict"] for row in found if row["event"] == "before-tool"} == {"did not run"}
    assert not any(row["ok"] for row in found if row["event"] == "before-tool")


def test_a_gate_that_the_owners_file_no_longer_names_is_found(owner: Owner) -> None:
    owner.wired()
    rewrite(owner, lambda plain: plain["hooks"].pop("PreToolUse"))
    assert any(row["verdict"] == "not wired" and not row["ok"] for row in rows(owner, 1))
    lines = status(owner, 1)["harnesses"][0]["lines"]
    assert {"event": "before-tool", "native": "PreToolUse", "state": "missing", "last": None} in lines


def test_the_live_line_is_fired_not_the_one_an_install_would_write(owner: Owner) -> None:
    owner.wired()

    def allow_all(plain: Any) -> None:
        plain["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = "true # guards:managed"

    rewrite(owner, allow_all)
    wrong = [row for row in rows(owner, 1) if not row["ok"]]
    assert wrong
    assert {(row["expected"], row["verdict"]) for row in wrong} == {("deny", "pass")}
    states = {line["event"]: line["state"] for line in status(owner, 1)["harnesses"][0]["lines"]}
    assert states["before-tool"] == "differs"


def test_without_an_install_fire_says_what_to_do(owner: Owner) -> None:
    done = owner.run("fire")
    assert done.returncode == 2
    assert "make install" in done.stderr
    assert owner.run("status").returncode == 1


def _narrow(plain: Any) -> None:
    plain["hooks"]["PreToolUse"][0]["matcher"] = "Bash"


def _double(plain: Any) -> None:
    plain["hooks"]["PreToolUse"].append(plain["hooks"]["PreToolUse"][0])


@pytest.mark.parametrize(("change", "state"), [(_narrow, "narrowed"), (_double, "doubled")])
def test_status_tells_what_is_shadowed_or_doubled_and_install_cures_it(owner: Owner, change: Any, state: str) -> None:
    owner.wired()
    rewrite(owner, change)
    states = {line["event"]: line["state"] for line in status(owner, 1)["harnesses"][0]["lines"]}
    assert states["before-tool"] == state
    owner.wired()
    assert status(owner, 0)["fine"] is True


def test_status_tells_what_a_downgrade_left_behind_and_install_cures_it(owner: Owner) -> None:
    """One event name that it does not know makes an old version drop every hook."""
    owner.wired()
    assert "PostToolUseFailure" in owner.entries()
    owner.program("#!/bin/sh\necho '2.0.40 (Claude Code)'\n")
    states = {line["event"]: line["state"] for line in status(owner, 1)["harnesses"][0]["lines"]}
    assert states["after-tool-failure"] == "stale"
    owner.wired()
    assert "PostToolUseFailure" not in owner.entries()
    assert status(owner, 0)["fine"] is True


def test_status_names_what_silences_every_hook(owner: Owner, tmp_path: Path) -> None:
    owner.wired()
    rewrite(owner, lambda plain: plain.update(disableAllHooks=True))
    notes = status(owner, 1)["harnesses"][0]["notes"]
    assert any("disableAllHooks" in note for note in notes)


def test_status_names_the_line_that_does_not_parse_and_promises_nothing(owner: Owner) -> None:
    owner.wired()
    owner.settings.write_text('{\n  "model": "opus",\n  "hooks": {,\n}\n')
    done = owner.run("status")
    assert done.returncode == 1
    assert f"note: {owner.settings} does not parse (line 3" in done.stdout
    assert "missing" not in done.stdout
    assert "guards install puts this right" not in done.stdout
    assert f"cp {owner.settings}.guards-backup {owner.settings}" not in done.stdout, "there was no file before"
    assert ": :" not in owner.run("doctor", "--no-fire").stdout


def test_status_says_in_one_line_that_nothing_is_wired(owner: Owner) -> None:
    owner.wired()
    owner.run("uninstall", "--yes")
    done = owner.run("status")
    assert done.returncode == 1
    assert "nothing of guards is wired here; guards install" in done.stdout
    assert "missing" not in done.stdout


def test_status_with_a_policy_fault_says_what_is_in_force(owner: Owner) -> None:
    owner.wired()
    policy = owner.home / ".config/guards/policy/human-lane.toml"
    policy.write_text("strikt = true\n")
    done = owner.run("status")
    assert done.returncode == 1
    assert "the hooks are live and the last good one is in force" in done.stdout
    assert "human-lane.toml: strikt: unknown key" in done.stdout
    assert "PreToolUse" in done.stdout
    assert "stale" not in done.stdout
    assert any("strikt" in fault for fault in status(owner, 1)["policy_faults"])
    (owner.state / "tables/machine").unlink()
    assert "calls before a tool are refused" in owner.run("status").stdout


def test_a_lane_that_the_owner_switched_off_is_shown_as_off(owner: Owner) -> None:
    policy = owner.home / ".config/guards/policy/human-lane.toml"
    policy.parent.mkdir(parents=True)
    policy.write_text("off = true\n")
    done = owner.wired()
    row = next(line for line in done.stdout.splitlines() if line.startswith("human-lane "))
    assert "off, but for sealed paths" in row
    assert "switched off by you: human-lane (what is sealed stays closed)" in owner.run("status").stdout


def test_status_shows_when_a_hook_last_fired(owner: Owner) -> None:
    owner.wired()
    beats = owner.state / "beats"
    beats.mkdir()
    (beats / "claude-before-tool").touch()
    line = next(x for x in status(owner, 0)["harnesses"][0]["lines"] if x["event"] == "before-tool")
    assert abs(line["last"] - time.time()) < 60
    assert "today " in owner.run("status").stdout


def test_status_counts_what_guards_said_today(owner: Owner) -> None:
    owner.wired()
    journal = owner.state / "journal"
    journal.mkdir()
    path = journal / time.strftime("%Y-%m.jsonl", time.gmtime())
    lines = [{"t": time.time(), "guard": "human-lane", "verdict": "deny"}] * 2
    lines.append({"t": time.time() - 90000, "guard": "human-lane", "verdict": "deny"})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"t": 1, "cut')
    assert status(owner, 0)["today"] == {"human-lane": {"refused": 2}}


def test_status_says_when_the_committed_copy_tells_another_story(owner: Owner) -> None:
    repo = owner.home / "conf"
    (repo / "claude").mkdir(parents=True)
    owner.wired()
    assert owner.run("link", str(repo), "--yes").returncode == 0
    copy = repo / "claude/settings.json"
    copy.write_text("{}")
    assert any("unwires it" in note for note in status(owner, 1)["harnesses"][0]["notes"])
    copy.write_text(owner.settings.read_text())
    assert status(owner, 0)["fine"] is True
    owner.run("uninstall", "--yes")
    assert any("brings it back" in note for note in status(owner, 1)["harnesses"][0]["notes"])


def test_during_a_pause_fire_says_so(owner: Owner) -> None:
    owner.wired()
    owner.run("pause", "--yes")
    assert any(row["expected"] == "pass (paused)" for row in rows(owner)) or all(
        row["verdict"] == "deny" for row in rows(owner) if row["expected"] == "deny"
    )


PROBE = f"""{sys.executable} -c '
import os, stat, sys
kinds = [stat.S_ISSOCK(os.fstat(n).st_mode) for n in (0, 1, 2)]
try: tty = os.open("/dev/tty", os.O_RDWR)
except OSError: tty = None
print(kinds, os.getsid(0) == os.getppid() or os.getsid(0) == os.getpid(), tty, sys.stdin.read())
'"""


def test_a_command_is_started_as_the_harness_starts_it(tmp_path: Path) -> None:
    answer = starter.start(claude, PROBE, b"hello", 20, str(tmp_path))
    assert answer.out.decode().split("\n")[0] == "[True, True, True] True None hello"


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    began = time.monotonic()
    answer = starter.start(claude, "sleep 60 & sleep 60", b"x", 0.5, str(tmp_path))
    assert answer.code is None
    assert time.monotonic() - began < 10
    assert fire.judge(answer)[0] == "hung"


def test_a_command_that_does_not_read_is_heard_all_the_same(tmp_path: Path) -> None:
    answer = starter.start(claude, "echo no >&2; exit 2", b"x" * 3_000_000, 20, str(tmp_path))
    assert fire.judge(answer) == ("deny", "no")


def test_pipes_where_a_harness_uses_pipes(tmp_path: Path) -> None:
    class Piped:
        SHELL, STREAMS = "/bin/bash", "pipe"

    answer = starter.start(Piped, "cat; exit 2", b"hello", 20, str(tmp_path))  # type: ignore[arg-type]
    assert (answer.code, answer.out) == (2, b"hello")


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ((0, b"", b""), "pass"),
        ((0, b'{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"q"}}', b""), "ask"),
        ((0, b'{"decision":"block","reason":"r"}', b""), "deny"),
        ((0, b'{"hookSpecificOutput":{"additionalContext":"c"}}', b""), "note"),
        ((2, b"", b"r"), "deny"),
        ((2, b"", b""), "broken"),
        ((2, b"x", b"r"), "broken"),
        ((1, b"", b"r"), "broken"),
        ((0, b"text", b""), "broken"),
        ((0, b'{"a":1}{"b":2}', b""), "broken"),
        ((2, b"", b"guards did not run; the owner runs make unwire"), "did not run"),
    ],
)
def test_an_answer_is_read_as_strictly_as_the_strictest_harness(answer: tuple[int, bytes, bytes], verdict: str) -> None:
    assert fire.judge(Answer(*answer, 1.0))[0] == verdict


def test_sockets_are_what_the_module_says() -> None:
    theirs, ours = starter._pairs("socket")
    assert all(isinstance(end, socket.socket) for end in [*theirs, *ours])
    for end in [*theirs, *ours]:
        end.close()
    assert os.path.exists("/dev/null")
