"""Claude Code: every recorded event is read whole, and every answer has exactly the shape the program honours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.compile.build import build
from guards.engine.event import MODES, Event, Verdict
from guards.engine.fill import attach, classify
from guards.engine.state import Session
from guards.engine.world import World
from guards.harness import claude
from tests.adapters.recorded import events
from tests.machine import ROOT

RECORDED = events("claude", claude.WIRE) + events("claude-2.0.76", claude.WIRE)


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    places = {"policy": str(ROOT / "policy"), "machine": "/nonexistent", "home": "/home/owner", "state": "/nonexistent"}
    built = build(places, names=["harness/claude"])
    assert not built.faults
    found = built.sections["harness/claude"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("name", "payload"), [e[1:] for e in RECORDED], ids=[e[0] for e in RECORDED])
def test_a_recorded_event_is_read_whole(name: str, payload: dict[str, Any], table: dict[str, Any]) -> None:
    event = claude.read(payload, name, {})
    assert event.session == payload["session_id"]
    assert event.cwd == event.project == payload["cwd"]
    assert event.tool == payload.get("tool_name", "")
    assert event.agent == payload.get("agent_id", "")
    assert event.input == payload.get("tool_input", {})
    assert event.response == payload.get("tool_response")
    classify(event, table)
    assert not event.odd
    known = not event.tool or event.tool.startswith("mcp__")
    assert known or event.kind != "unknown", event.tool
    if event.tool == "Bash":
        assert event.command == payload["tool_input"]["command"]


def effects(payload: dict[str, Any], table: dict[str, Any]) -> list[tuple[str, str, Any]]:
    event = claude.read(payload, "before-tool", {})
    attach(event, classify(event, table), World({}, Session("", "")))
    return [(e.path, e.act, e.change) for e in event.effects]


def test_the_file_tools_tell_their_paths_and_what_they_would_do(table: dict[str, Any]) -> None:
    def call(tool: str, **given: Any) -> list[tuple[str, str, Any]]:
        return effects({"tool_name": tool, "tool_input": given}, table)

    assert call("Write", file_path="a", content="x") == [("a", "write", ("content", "x"))]
    edit = {"old_string": "o", "new_string": "n"}
    assert call("Edit", file_path="a", **edit) == [("a", "write", ("edits", (("o", "n", False),)))]
    assert call("Edit", file_path="a", replace_all=True, **edit) == [("a", "write", ("edits", (("o", "n", True),)))]
    many = [edit, {"old_string": "p", "new_string": "q", "replace_all": True}]
    assert call("MultiEdit", file_path="a", edits=many) == [
        ("a", "write", ("edits", (("o", "n", False), ("p", "q", True))))
    ]
    assert call("NotebookEdit", notebook_path="a", new_source="1") == [("a", "write", None)]
    assert call("Read", file_path="a") == []


@pytest.mark.parametrize("given", [{"path": "a"}, {"file_path": 5}, {"file_path": ["a"]}])
def test_fields_that_are_missing_or_of_another_type_are_named(given: dict[str, Any], table: dict[str, Any]) -> None:
    event = claude.read({"tool_name": "Write", "tool_input": given}, "before-tool", {})
    classify(event, table)
    assert event.odd == ("file_path",)


def answer(name: str, *verdicts: Verdict) -> tuple[int, Any, str]:
    event = Event("claude", name, {})
    reply = claude.write(event, claude.choose(event, list(verdicts)), None) if verdicts else None
    if reply is None:
        return 0, None, ""
    return reply.code, json.loads(reply.stdout) if reply.stdout else None, reply.stderr.decode()


DENY, ASK, NOTE = (Verdict("g", action, f"{action} text") for action in ("deny", "ask", "note"))


def test_a_refusal_before_a_tool_is_exit_2_with_the_reason_and_an_empty_stdout() -> None:
    assert answer("before-tool", DENY) == (2, None, "deny text\n")


def test_refusals_are_joined_and_nothing_rides_with_them() -> None:
    assert answer("before-tool", NOTE, ASK, DENY, Verdict("h", "deny", "other")) == (2, None, "deny text\n\nother\n")


def test_a_refusal_without_text_still_says_something() -> None:
    assert answer("before-tool", Verdict("g", "deny"))[2].strip()


@pytest.mark.parametrize("name", [n for n, mode in MODES.items() if mode == "gate_all"])
def test_elsewhere_a_refusal_is_the_block_document_with_exit_0(name: str) -> None:
    assert answer(name, DENY) == (0, {"decision": "block", "reason": "deny text"}, "")


def test_a_question_is_asked_in_the_harnesss_own_form_and_may_carry_a_note() -> None:
    output = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "ask text"}
    assert answer("before-tool", ASK) == (0, {"hookSpecificOutput": output}, "")
    assert answer("before-tool", ASK, NOTE) == (
        0,
        {"hookSpecificOutput": {**output, "additionalContext": "note text"}},
        "",
    )


def test_a_question_where_there_is_none_is_a_refusal() -> None:
    assert answer("prompt", ASK) == (0, {"decision": "block", "reason": "ask text"}, "")


@pytest.mark.parametrize(
    "name", ["session-start", "prompt", "before-tool", "after-tool", "after-tool-failure", "subagent-start"]
)
def test_a_note_is_additional_context(name: str) -> None:
    output = {"hookEventName": claude.WIRE[name], "additionalContext": "note text"}
    assert answer(name, NOTE) == (0, {"hookSpecificOutput": output}, "")


def test_a_note_at_a_stop_goes_to_the_human_and_never_makes_the_agent_go_on() -> None:
    assert answer("stop", NOTE) == (0, {"systemMessage": "note text"}, "")
    assert answer("subagent-stop", NOTE) == (0, None, "")


def test_a_replaced_output_keeps_the_tools_own_shape() -> None:
    shape = {"stdout": "short", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    _, document, _ = answer("after-tool", Verdict("g", "note", "", facts={"replace": shape}))
    assert document == {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": shape}}


def test_a_note_over_the_cap_becomes_a_pointer_or_is_cut_and_says_so() -> None:
    event = Event("claude", "session-start", {})
    long = Verdict("g", "note", "x" * 20_000)
    pointed = claude.write(event, [long], lambda name, text: f"read {name} ({len(text)})")
    assert pointed is not None
    assert json.loads(pointed.stdout)["hookSpecificOutput"]["additionalContext"] == "read g (20000)"
    cut = claude.write(event, [long], lambda name, text: "")
    assert cut is not None
    text = json.loads(cut.stdout)["hookSpecificOutput"]["additionalContext"]
    assert len(text) <= claude.NOTE_MAX
    assert "cut here" in text


def test_there_is_no_way_to_allow() -> None:
    assert answer("before-tool", Verdict("g", "allow", "please")) == (0, None, "")
