"""Codex CLI: every recorded event is read whole; answers hold no key its strict parser does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.engine.event import MODES, Event, Verdict
from guards.harness import codex
from tests.adapters.recorded import events
from tests.machine import Fired, Machine

RECORDED = events("codex", codex.WIRE)


@pytest.mark.parametrize(("name", "payload"), [e[1:] for e in RECORDED], ids=[e[0] for e in RECORDED])
def test_a_recorded_event_is_read_whole(name: str, payload: dict[str, Any]) -> None:
    event = codex.read(payload, name, {})
    assert (event.session, event.cwd) == (payload["session_id"], payload.get("cwd", ""))
    assert event.tool == payload.get("tool_name", "")
    assert event.input == payload.get("tool_input", {})
    assert event.agent == payload.get("agent_id", "")
    assert event.response == payload.get("tool_response")


def answer(name: str, *verdicts: Verdict) -> tuple[int, Any, str]:
    event = Event("codex", name, {})
    reply = codex.write(event, codex.choose(event, list(verdicts)), None)
    if reply is None:
        return 0, None, ""
    return reply.code, json.loads(reply.stdout) if reply.stdout else None, reply.stderr.decode()


def test_a_refusal_is_exit_2_with_a_reason_that_is_never_empty() -> None:
    assert answer("before-tool", Verdict("g", "deny", "no")) == (2, None, "no\n")
    assert answer("before-tool", Verdict("g", "deny", ""))[2].strip()


def test_there_is_no_ask_so_a_question_is_a_refusal() -> None:
    assert answer("before-tool", Verdict("g", "ask", "sure?"), Verdict("g", "note", "n")) == (2, None, "sure?\n")


@pytest.mark.parametrize("name", [n for n, mode in MODES.items() if mode == "gate_all"])
def test_elsewhere_a_refusal_is_the_block_document(name: str) -> None:
    assert answer(name, Verdict("g", "deny", "no")) == (0, {"decision": "block", "reason": "no"}, "")


@pytest.mark.parametrize("name", ["session-start", "prompt", "before-tool", "after-tool", "subagent-start"])
def test_a_note_holds_exactly_two_keys(name: str) -> None:
    output = {"hookEventName": codex.WIRE[name], "additionalContext": "n"}
    replaced = Verdict("g", "note", "n", facts={"replace": "never handed on here"})
    assert answer(name, replaced) == (0, {"hookSpecificOutput": output}, "")


@pytest.mark.parametrize("name", ["stop", "subagent-stop", "session-end", "before-compact"])
def test_where_a_note_cannot_go_nothing_is_said(name: str) -> None:
    assert answer(name, Verdict("g", "note", "n")) == (0, None, "")


# ---------------------------------------------------------------- through the wired command


def call(machine: Machine, tool: str, command: str, cwd: str = "proj") -> Fired:
    payload = {
        "session_id": "s", "turn_id": "t", "cwd": str(machine.home / cwd), "hook_event_name": "PreToolUse",
        "model": "m", "permission_mode": "default", "tool_name": tool, "tool_input": {"command": command},
        "tool_use_id": "c",
    }  # fmt: skip
    return machine.fire("before-tool", payload, harness="codex", streams="pipe")


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


LANE = ".github/workflows/ci.yml"
HUNK = ("@@", "-on: push", "+on: never")


@pytest.mark.parametrize(
    "text",
    [
        patch("*** Update File: src/app.py", "@@", "-a", "+b", f"*** Update File: {LANE}", *HUNK),
        patch("*** Add File: .github/new.yml", "+x"),
        patch(f"*** Delete File: {LANE}"),
        patch(f"*** Update File: {LANE}", "*** Move to: src/old.yml", *HUNK),
        patch("*** Update File: src/app.py", f"*** Move to: {LANE}", "@@", "-a", "+b"),
    ],
    ids=["second-file", "add", "delete", "move-out", "move-in"],
)
def test_one_lane_file_in_a_patch_refuses_the_whole_patch(machine: Machine, text: str) -> None:
    machine.repo(files={LANE: "on: push\n", "src/app.py": "a\n"})
    fired = call(machine, "apply_patch", text)
    assert fired.denied
    assert "lane 'ci'" in fired.err
    shell = call(machine, "Bash", f"apply_patch <<'PATCH'\n{text}PATCH\n")
    assert shell.denied
    assert "lane 'ci'" in shell.err


def test_a_patch_with_one_approved_and_one_unapproved_file_is_refused(machine: Machine) -> None:
    machine.repo(files={LANE: "on: push\n"})
    machine.approve(rf"^{machine.home}/proj/\.github/notes/.*$")
    assert call(machine, "apply_patch", patch("*** Add File: .github/notes/n.yml", "+x")).silent
    fired = call(machine, "apply_patch", patch("*** Add File: .github/notes/n.yml", "+x", f"*** Delete File: {LANE}"))
    assert fired.denied
    assert "ci.yml" in fired.err
    assert "n.yml" not in fired.err


def test_a_patch_is_read_from_the_folder_the_command_runs_in(machine: Machine) -> None:
    machine.repo(files={"sub/a.py": "a\n"})
    text = patch("*** Add File: ../.github/x.yml", "+x")
    assert call(machine, "apply_patch", text, cwd="proj/sub").denied
    assert call(machine, "Bash", "echo x > ../.github/x.yml", cwd="proj/sub").denied
    assert call(machine, "apply_patch", patch("*** Add File: x.yml", "+x"), cwd="proj/sub").silent


def test_an_ordinary_patch_and_command_are_silent(machine: Machine) -> None:
    machine.repo(files={"src/app.py": "a\n"})
    assert call(machine, "apply_patch", patch("*** Update File: src/app.py", "@@", "-a", "+b")).silent
    assert call(machine, "Bash", "ls -la docs").silent
