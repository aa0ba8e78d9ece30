"""Cursor: its payloads in every form that was read about, and answers that refuse by code and by document alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.compile.build import build
from guards.engine.event import MODES, Event, Verdict
from guards.engine.fill import attach, classify
from guards.engine.state import Session
from guards.engine.world import World
from guards.harness import cursor
from tests.machine import ROOT, Fired, Machine

COMMON = {
    "conversation_id": "c1", "generation_id": "g1", "model": "default", "cursor_version": "3.12.29",
    "workspace_roots": ["/home/owner/project"], "user_email": None, "transcript_path": None,
}  # fmt: skip


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    places = {"policy": str(ROOT / "policy"), "machine": "/nonexistent", "home": "/home/owner", "state": "/nonexistent"}
    built = build(places, names=["harness/cursor"])
    assert not built.faults
    found = built.sections["harness/cursor"]
    assert isinstance(found, dict)
    return found


def event_of(table: dict[str, Any], payload: dict[str, Any], name: str = "before-tool") -> Event:
    event = cursor.read({**COMMON, **payload}, name, {})
    attach(event, classify(event, table), World({}, Session("", "")))
    return event


def effects(table: dict[str, Any], tool: str, given: Any) -> list[tuple[str, str, Any]]:
    event = event_of(table, {"tool_name": tool, "tool_input": given})
    assert not event.odd
    return [(e.path, e.act, e.change) for e in event.effects]


def test_without_a_cwd_the_first_root_of_the_workspace_is_the_place(table: dict[str, Any]) -> None:
    event = event_of(table, {"tool_name": "Shell", "tool_input": {"command": "ls"}, "cwd": ""})
    assert (event.session, event.cwd, event.project) == ("c1", "/home/owner/project", "/home/owner/project")
    assert (event.kind, event.command) == ("shell", "ls")


def test_a_commands_own_directory_counts_and_the_project_stays(table: dict[str, Any]) -> None:
    given = {"command": "ls", "working_directory": "sub"}
    event = event_of(table, {"tool_name": "Shell", "tool_input": given, "cwd": "/home/owner/project"})
    assert (event.cwd, event.project) == ("/home/owner/project/sub", "/home/owner/project")


def test_the_project_is_the_one_that_cursor_names_to_its_hooks() -> None:
    event = cursor.read({**COMMON, "cwd": "/a/b"}, "before-tool", {b"CURSOR_PROJECT_DIR": b"/a"})
    assert (event.cwd, event.project) == ("/a/b", "/a")


@pytest.mark.parametrize("roots", [None, [], [5], "x", {}])
def test_odd_roots_name_no_place(roots: Any) -> None:
    assert cursor.read({"workspace_roots": roots}, "before-tool", {}).cwd == ""


def test_a_write_tells_its_path_and_text_under_every_name_they_had(table: dict[str, Any]) -> None:
    expected = [("/p/a", "write", ("content", "x"))]
    assert effects(table, "Write", {"file_path": "/p/a", "content": "x"}) == expected
    assert effects(table, "Write", {"path": "/p/a", "contents": "x"}) == expected
    assert effects(table, "Write", json.dumps({"file_path": "/p/a", "content": "x"})) == expected


def test_an_edit_that_is_called_a_write_tells_what_it_replaces(table: dict[str, Any]) -> None:
    given = {"file_path": "/p/a", "old_string": "o", "new_string": "n"}
    expected = [("/p/a", "write", ("edits", (("o", "n", False),)))]
    assert effects(table, "Write", given) == effects(table, "StrReplace", given) == expected


def test_a_delete_is_a_delete(table: dict[str, Any]) -> None:
    assert effects(table, "Delete", {"file_path": "/p/a"}) == [("/p/a", "delete", None)]


@pytest.mark.parametrize("field", ["patch", "diff", "unified_diff"])
def test_every_file_of_a_patch_is_told(table: dict[str, Any], field: str) -> None:
    text = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n"
    assert [e[:2] for e in effects(table, "ApplyPatch", {field: text})] == [("a", "write"), ("b", "delete")]
    assert [e[:2] for e in effects(table, "ApplyPatch", text)] == [("a", "write"), ("b", "delete")]


def test_the_events_of_one_kind_of_tool_are_read_when_an_owner_wires_them(table: dict[str, Any]) -> None:
    shell = event_of(table, {"hook_event_name": "beforeShellExecution", "command": "rm a", "cwd": "/p"})
    assert (shell.tool, shell.command, shell.cwd) == ("Shell", "rm a", "/p")
    server = {"tool_name": "put_file", "tool_input": '{"path": "a"}', "command": "npx server"}
    mcp = event_of(table, {"hook_event_name": "beforeMCPExecution", **server})
    assert (mcp.tool, mcp.kind, mcp.input["path"], mcp.command) == ("put_file", "unknown", "a", "")
    edited = event_of(table, {"file_path": "/p/a", "edits": [{"old_string": "o", "new_string": "n"}]}, "after-tool")
    assert (edited.tool, edited.input["file_path"]) == ("Write", "/p/a")
    assert event_of(table, {"file_path": "/p/a", "content": "x"}).tool == "Read"


def test_what_a_tool_answered_is_read_out_of_its_json_text(table: dict[str, Any]) -> None:
    found = event_of(table, {"tool_name": "Shell", "tool_output": '{"exitCode":0,"stdout":"ok"}'}, "after-tool")
    assert found.response == {"exitCode": 0, "stdout": "ok"}
    assert event_of(table, {"tool_name": "X", "tool_output": "{broken"}, "after-tool").response == "{broken"
    assert event_of(table, {"tool_name": "X"}, "after-tool").response is None


def answer(name: str, *verdicts: Verdict) -> tuple[int, Any, str]:
    event = Event("cursor", name, {})
    reply = cursor.write(event, cursor.choose(event, list(verdicts)), None)
    if reply is None:
        return 0, None, ""
    return reply.code, json.loads(reply.stdout) if reply.stdout else None, reply.stderr.decode()


DENY, ASK, NOTE = (Verdict("g", action, f"{action} text") for action in ("deny", "ask", "note"))


def test_a_refusal_before_a_tool_is_exit_2_and_the_permission_document() -> None:
    told = {"permission": "deny", "user_message": "deny text", "agent_message": "deny text"}
    assert answer("before-tool", DENY, NOTE) == (2, told, "deny text\n")
    assert answer("before-tool", Verdict("g", "deny"))[1]["agent_message"]


def test_a_question_would_not_be_put_so_it_is_a_refusal() -> None:
    assert answer("before-tool", ASK)[0] == 2


def test_a_prompt_is_held_back_and_a_stop_goes_on_in_cursors_own_words() -> None:
    assert answer("prompt", DENY) == (0, {"continue": False, "user_message": "deny text"}, "")
    assert answer("stop", DENY) == (0, {"followup_message": "deny text"}, "")
    assert answer("subagent-stop", DENY) == (0, {"followup_message": "deny text"}, "")


def test_every_event_that_can_refuse_has_a_form_for_it() -> None:
    for name in cursor.WIRE:
        if MODES[name] != "observe":
            assert answer(name, DENY)[1], name


@pytest.mark.parametrize("name", ["session-start", "after-tool", "after-tool-failure"])
def test_a_note_is_additional_context(name: str) -> None:
    assert answer(name, NOTE) == (0, {"additional_context": "note text"}, "")


def test_a_note_before_a_compaction_is_for_the_human() -> None:
    assert answer("before-compact", NOTE) == (0, {"user_message": "note text"}, "")


@pytest.mark.parametrize("name", ["before-tool", "prompt", "stop", "subagent-stop", "session-end"])
def test_where_a_note_reaches_nobody_nothing_is_said(name: str) -> None:
    assert answer(name, NOTE) == (0, None, "")


# ---------------------------------------------------------------- through the wired command

ALLOW = {"permission": "allow"}


def call(machine: Machine, tool: str, given: Any, bom: bool = True, **more: Any) -> Fired:
    where = {"workspace_roots": [str(machine.home / "proj")], "cwd": ""}
    payload = {**COMMON, **where, "hook_event_name": "preToolUse", "tool_name": tool, "tool_input": given}
    data = (b"\xef\xbb\xbf" if bom else b"") + json.dumps(payload).encode()
    return machine.fire("before-tool", data, **{"harness": "cursor", **more})


def test_an_ordinary_call_is_let_pass_in_so_many_words(machine: Machine) -> None:
    """An empty answer would be taken for broken JSON, and the call refused."""
    machine.repo()
    fired = call(machine, "Write", {"file_path": str(machine.home / "proj/src/a.py"), "content": "x"})
    assert (fired.code, fired.document, fired.err) == (0, ALLOW, "")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Shell", {"command": "rm .github/workflows/ci.yml"}),
        ("Write", {"file_path": ".github/workflows/ci.yml", "content": "x"}),
        ("Delete", {"file_path": ".github/workflows/ci.yml"}),
        ("ApplyPatch", {"patch": "*** Begin Patch\n*** Delete File: .github/workflows/ci.yml\n*** End Patch\n"}),
        ("MCP:put_file", {"path": ".github/workflows/ci.yml", "text": "x"}),
    ],
)
def test_a_lane_write_is_refused_by_every_tool(machine: Machine, tool: str, given: Any) -> None:
    machine.repo(files={".github/workflows/ci.yml": "on: push\n"})
    fired = call(machine, tool, given)
    assert fired.code == 2
    assert fired.document["permission"] == "deny"
    assert "lane 'ci'" in fired.document["agent_message"]
    assert fired.document["agent_message"] in fired.err


@pytest.mark.parametrize("data", [b"", b"{", b"[]"])
def test_what_is_no_event_is_refused_with_both_signs(machine: Machine, data: bytes) -> None:
    fired = machine.fire("before-tool", data, harness="cursor")
    assert fired.code == 2
    assert fired.document["permission"] == "deny"
    assert fired.err.strip()


def test_elsewhere_silence_is_silence(machine: Machine) -> None:
    fired = machine.fire("after-tool", {**COMMON, "tool_name": "Shell", "tool_output": "{}"}, harness="cursor")
    assert fired.silent


# ---------------------------------------------------------------- claude code's hooks, run by cursor

UNDER_CURSOR: dict[str, Any] = {"harness": "claude", "env": {"CURSOR_VERSION": "3.12.29"}}


def test_claudes_hook_that_cursor_runs_lets_pass_in_cursors_words(machine: Machine) -> None:
    machine.repo()
    fired = call(machine, "Shell", {"command": "ls docs"}, **UNDER_CURSOR)
    assert (fired.code, fired.document) == (0, ALLOW)


def test_claudes_hook_that_cursor_runs_refuses_in_both(machine: Machine) -> None:
    machine.repo(files={".github/workflows/ci.yml": "on: push\n"})
    fired = call(machine, "Shell", {"command": "rm .github/workflows/ci.yml"}, **UNDER_CURSOR)
    assert fired.code == 2
    assert fired.document["permission"] == "deny"
    assert "lane 'ci'" in fired.err


def test_no_other_harness_answers_in_cursors_words(machine: Machine) -> None:
    """Gemini would take the document for the answer."""
    machine.repo()
    payload = {
        "session_id": "s", "cwd": str(machine.home / "proj"), "tool_name": "write_file",
        "tool_input": {"file_path": "a.txt", "content": "x"},
    }  # fmt: skip
    env: dict[str, str | None] = {"CURSOR_VERSION": "3.12.29"}
    assert machine.fire("before-tool", payload, harness="gemini", env=env).silent
    payload["tool_input"] = {"file_path": ".github/x.yml", "content": "x"}
    assert machine.fire("before-tool", payload, harness="gemini", env=env).denied
