"""Codex CLI: every recorded event is read whole; answers hold no key its strict parser does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.engine.event import MODES, Event, Verdict
from guards.harness import codex
from tests.adapters.recorded import events

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
