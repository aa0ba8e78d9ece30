"""Gemini CLI: every recorded event is read whole; a refusal leaves stdout empty, JSON there wins over the code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.compile.build import build
from guards.engine.event import MODES, Event, Verdict
from guards.engine.fill import classify
from guards.harness import gemini
from tests.adapters.recorded import events
from tests.machine import ROOT, Fired, Machine

RECORDED = events("gemini", gemini.WIRE)


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    places = {"policy": str(ROOT / "policy"), "machine": "/nonexistent", "home": "/home/owner", "state": "/nonexistent"}
    built = build(places, names=["harness/gemini"])
    assert not built.faults
    found = built.sections["harness/gemini"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("name", "payload"), [e[1:] for e in RECORDED], ids=[e[0] for e in RECORDED])
def test_a_recorded_event_is_read_whole(name: str, payload: dict[str, Any], table: dict[str, Any]) -> None:
    event = gemini.read(payload, name, {b"CLAUDE_PROJECT_DIR": b"/elsewhere"})
    assert (event.session, event.cwd, event.project) == (payload["session_id"], payload["cwd"], payload["cwd"])
    assert event.tool == payload.get("tool_name", "")
    assert event.input == payload.get("tool_input", {})
    classify(event, table)
    assert not event.odd
    assert not event.tool or event.tool.startswith("mcp_") or event.kind != "unknown"


def test_the_project_is_the_harnesss_own_and_a_commands_folder_counts() -> None:
    payload = {"cwd": "/p", "tool_name": "run_shell_command", "tool_input": {"command": "ls", "dir_path": "sub"}}
    event = gemini.read(payload, "before-tool", {b"GEMINI_PROJECT_DIR": b"/p"})
    assert (event.cwd, event.project) == ("/p/sub", "/p")


def answer(name: str, *verdicts: Verdict) -> tuple[int, Any, str]:
    event = Event("gemini", name, {})
    reply = gemini.write(event, gemini.choose(event, list(verdicts)), None)
    if reply is None:
        return 0, None, ""
    return reply.code, json.loads(reply.stdout) if reply.stdout else None, reply.stderr.decode()


def test_a_refusal_is_exit_2_with_a_reason_and_nothing_on_stdout() -> None:
    assert answer("before-tool", Verdict("g", "deny", "no"), Verdict("g", "note", "n")) == (2, None, "no\n")
    assert answer("before-tool", Verdict("g", "deny", ""))[2].strip()


@pytest.mark.parametrize("name", [n for n in gemini.WIRE if MODES[n] == "gate_all"])
def test_elsewhere_a_refusal_is_the_block_document(name: str) -> None:
    assert answer(name, Verdict("g", "deny", "no")) == (0, {"decision": "block", "reason": "no"}, "")


def test_a_question_has_the_harnesss_own_form() -> None:
    assert answer("before-tool", Verdict("g", "ask", "sure?")) == (0, {"decision": "ask", "reason": "sure?"}, "")


@pytest.mark.parametrize("name", ["session-start", "prompt", "after-tool"])
def test_a_note_is_additional_context(name: str) -> None:
    output = {"hookEventName": gemini.WIRE[name], "additionalContext": "n"}
    assert answer(name, Verdict("g", "note", "n")) == (0, {"hookSpecificOutput": output}, "")


@pytest.mark.parametrize("name", ["before-tool", "stop", "session-end"])
def test_where_a_note_reaches_nobody_nothing_is_said(name: str) -> None:
    assert answer(name, Verdict("g", "note", "n")) == (0, None, "")


# ---------------------------------------------------------------- through the wired command


def call(machine: Machine, tool: str, given: dict[str, Any]) -> Fired:
    payload = {
        "session_id": "s", "transcript_path": "", "cwd": str(machine.home / "proj"), "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-30T10:00:00Z", "tool_name": tool, "tool_input": given,
    }  # fmt: skip
    return machine.fire("before-tool", payload, harness="gemini")


LANE = ".github/workflows/ci.yml"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("write_file", {"file_path": LANE, "content": "x"}),
        ("replace", {"file_path": LANE, "old_string": "push", "new_string": "never", "instruction": "x"}),
        ("run_shell_command", {"command": f"rm {LANE}"}),
        ("run_shell_command", {"command": "rm workflows/ci.yml", "dir_path": ".github"}),
        ("mcp_desk_put_file", {"path": LANE, "text": "x"}),
        ("mcp_desk_execute", {"command": f"echo x > {LANE}"}),
    ],
)
def test_a_lane_write_is_refused_by_every_tool(machine: Machine, tool: str, given: dict[str, Any]) -> None:
    machine.repo(files={LANE: "on: push\n"})
    fired = call(machine, tool, given)
    assert fired.denied
    assert "lane 'ci'" in fired.err


def test_ordinary_calls_are_silent(machine: Machine) -> None:
    machine.repo(files={LANE: "on: push\n"})
    assert call(machine, "run_shell_command", {"command": "ls -la docs"}).silent
    assert call(machine, "write_file", {"file_path": "src/a.py", "content": "x"}).silent
    assert call(machine, "read_file", {"file_path": LANE}).silent


def test_an_approved_write_is_silent(machine: Machine) -> None:
    machine.repo(files={LANE: "on: push\n"})
    machine.approve(rf"^{machine.home}/proj/\.github/notes/.*$")
    assert call(machine, "write_file", {"file_path": ".github/notes/n.yml", "content": "x"}).silent
    assert call(machine, "run_shell_command", {"command": "echo x > .github/notes/n.yml"}).silent
    assert call(machine, "write_file", {"file_path": ".github/new.yml", "content": "x"}).denied
