"""Copilot CLI: both forms of every recorded event are read whole; a refusal is heard by its code and document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guards.compile.build import build
from guards.engine.event import MODES, Event, Verdict
from guards.engine.fill import attach, classify
from guards.engine.state import Session
from guards.engine.world import World
from guards.harness import claude, copilot
from tests.machine import ROOT, Machine

NEUTRAL = {wire: name for wires in (copilot.WIRE, claude.WIRE) for name, wire in wires.items()}


def recorded() -> list[tuple[str, str, dict[str, Any]]]:
    """(file name, neutral event name, payload); the native form does not repeat its event, the file's name does."""
    files = sorted((Path(__file__).resolve().parent.parent / "payloads/copilot").glob("*.json"))
    return [(path.stem, NEUTRAL[path.stem.split("--")[0]], json.loads(path.read_bytes())) for path in files]


RECORDED = recorded()


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    places = {"policy": str(ROOT / "policy"), "machine": "/nonexistent", "home": "/home/owner", "state": "/nonexistent"}
    built = build(places, names=["harness/copilot"])
    assert not built.faults
    found = built.sections["harness/copilot"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("name", "payload"), [e[1:] for e in RECORDED], ids=[e[0] for e in RECORDED])
def test_a_recorded_event_is_read_whole(name: str, payload: dict[str, Any], table: dict[str, Any]) -> None:
    event = copilot.read(payload, name, {b"CLAUDE_PROJECT_DIR": b"/elsewhere"})
    assert event.cwd == event.project == "/home/owner/project"
    assert event.session == "0b9f6d0e-3c1a-4f58-9a6e-5d2f7c81e401"
    assert event.agent == payload.get("agentId", "")
    assert bool(event.tool) == ("toolName" in payload or "tool_name" in payload)
    classify(event, table)
    assert not event.odd
    assert not event.tool or event.tool.startswith("desk-") or event.kind != "unknown", event.tool
    if event.tool in ("bash", "apply_patch"):
        assert event.command


def effects(payload: dict[str, Any], table: dict[str, Any]) -> list[tuple[str, str]]:
    event = copilot.read(payload, "before-tool", {})
    attach(event, classify(event, table), World({}, Session("", "")))
    return [(effect.path, effect.act) for effect in event.effects]


def test_the_same_call_in_both_forms_has_the_same_effects(table: dict[str, Any]) -> None:
    files = {stem: payload for stem, _, payload in RECORDED}
    native, other = files["preToolUse--create--basic"], files["PreToolUse--Write--under-claudes-name"]
    assert effects(native, table) == effects(other, table) == [("hello.py", "write")]


def test_every_file_of_a_patch_is_told_whichever_name_the_call_has(table: dict[str, Any]) -> None:
    files = {stem: payload for stem, _, payload in RECORDED}
    assert effects(files["preToolUse--apply_patch--basic"], table) == [("new.txt", "write"), ("README.md", "write")]
    assert effects(files["PreToolUse--Edit--patch-under-claudes-name"], table) == [("new.txt", "write")]


def test_arguments_that_come_as_json_text_are_read(table: dict[str, Any]) -> None:
    payload = {"toolName": "edit", "toolArgs": json.dumps({"path": "a", "old_str": "x", "new_str": "y"})}
    assert effects(payload, table) == [("a", "write")]


def test_keys_that_are_typed_into_an_open_shell_end_its_lines(table: dict[str, Any]) -> None:
    event = copilot.read(
        {"toolName": "write_bash", "toolArgs": {"shellId": "1", "input": "rm a{enter}ls"}}, "before-tool", {}
    )
    classify(event, table)
    assert (event.kind, event.command) == ("shell", "rm a\nls")


def test_a_subagents_events_belong_to_its_parents_session() -> None:
    payload = {"sessionId": "child", "agentId": "child", "parentAgentId": "root", "agentType": "explore"}
    event = copilot.read(payload, "before-tool", {})
    assert (event.session, event.agent, event.agent_type) == ("root", "child", "explore")


def answer(name: str, *verdicts: Verdict) -> tuple[int, Any, str]:
    event = Event("copilot", name, {})
    reply = copilot.write(event, copilot.choose(event, list(verdicts)), None)
    if reply is None:
        return 0, None, ""
    return reply.code, json.loads(reply.stdout) if reply.stdout else None, reply.stderr.decode()


DENY, ASK, NOTE = (Verdict("g", action, f"{action} text") for action in ("deny", "ask", "note"))


def test_a_refusal_before_a_tool_is_exit_2_and_the_document_that_the_model_is_told_from() -> None:
    told = {"permissionDecision": "deny", "permissionDecisionReason": "deny text"}
    assert answer("before-tool", DENY, NOTE) == (2, told, "deny text\n")


def test_a_refusal_without_text_still_gives_a_reason() -> None:
    code, told, err = answer("before-tool", Verdict("g", "deny"))
    assert (code, told["permissionDecision"]) == (2, "deny")
    assert told["permissionDecisionReason"] == err.strip() != ""


@pytest.mark.parametrize("name", [n for n, mode in MODES.items() if mode == "gate_all"])
def test_elsewhere_a_refusal_is_the_block_document_with_exit_0(name: str) -> None:
    assert answer(name, DENY) == (0, {"decision": "block", "reason": "deny text"}, "")


def test_a_question_is_put_in_the_harnesss_own_form_and_may_carry_a_note() -> None:
    asked = {"permissionDecision": "ask", "permissionDecisionReason": "ask text"}
    assert answer("before-tool", ASK) == (0, asked, "")
    assert answer("before-tool", ASK, NOTE) == (0, {**asked, "additionalContext": "note text"}, "")
    assert answer("prompt", ASK) == (0, {"decision": "block", "reason": "ask text"}, "")


@pytest.mark.parametrize(
    "name", ["session-start", "prompt", "before-tool", "after-tool", "after-tool-failure", "subagent-start"]
)
def test_a_note_is_additional_context_at_the_top(name: str) -> None:
    assert answer(name, NOTE) == (0, {"additionalContext": "note text"}, "")


@pytest.mark.parametrize("name", ["stop", "subagent-stop", "session-end", "before-compact"])
def test_where_a_note_reaches_nobody_nothing_is_said(name: str) -> None:
    assert answer(name, NOTE) == (0, None, "")


def test_a_replaced_output_is_the_modified_result() -> None:
    shape = {"resultType": "success", "textResultForLlm": "short"}
    assert answer("after-tool", Verdict("g", "note", "", facts={"replace": shape}))[1] == {"modifiedResult": shape}


def test_a_note_over_the_cap_is_cut_and_says_so() -> None:
    event = Event("copilot", "after-tool", {})
    reply = copilot.write(event, [Verdict("g", "note", "x" * 20_000)], lambda name, text: "")
    assert reply is not None
    text = json.loads(reply.stdout)["additionalContext"]
    assert len(text) <= copilot.NOTE_MAX
    assert "cut here" in text


# ---------------------------------------------------------------- through the wired command


def call(machine: Machine, tool: str, args: Any) -> Any:
    payload = {"sessionId": "s", "timestamp": 1, "cwd": str(machine.home / "proj"), "toolName": tool, "toolArgs": args}
    return machine.fire("before-tool", payload, harness="copilot", streams="pipe", shell="/bin/bash")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("create", {"path": ".github/workflows/ci.yml", "file_text": "on: push\n"}),
        ("edit", {"path": ".github/workflows/ci.yml", "old_str": "push", "new_str": "never"}),
        ("bash", {"command": "echo x > .github/workflows/ci.yml", "description": "x"}),
        ("apply_patch", "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Add File: .github/x.yml\n+x\n*** End Patch\n"),
        ("desk-put_file", {"path": ".github/workflows/ci.yml", "text": "x"}),
    ],
)
def test_a_lane_write_is_refused_by_every_tool(machine: Machine, tool: str, args: Any) -> None:
    machine.repo()
    fired = call(machine, tool, args)
    assert fired.code == 2
    assert "lane 'ci'" in fired.document["permissionDecisionReason"]
    assert fired.document["permissionDecisionReason"] in fired.err


def test_an_ordinary_call_is_silent(machine: Machine) -> None:
    machine.repo()
    assert call(machine, "create", {"path": "src/a.py", "file_text": "x"}).silent
    assert call(machine, "bash", {"command": "ls -la", "description": "x"}).silent
