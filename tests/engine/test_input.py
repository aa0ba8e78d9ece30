"""What comes in on descriptor 0: every shape has its defined answer, and none of them is a traceback."""

from __future__ import annotations

import json

import pytest

from guards.engine import input as door_input
from tests.machine import Machine, tool

LANE = """
[[lane]]
id    = "human"
paths = ["human/", "OWNER.md"]
why   = "the owner writes these"
"""

BROKEN = {
    "empty": b"",
    "blank": b" \n\t\n",
    "cut": b'{"tool_name":"Write","tool_input":{"file_pa',
    "cut after a whole value": b'{"tool_name":"Write"',
    "an array": b"[1,2,3]",
    "null": b"null",
    "a number": b"5",
    "a string": b'"Write"',
    "deep brackets": b"[" * 1_000_000,
    "deep objects": b'{"a":' * 200_000,
    "a raw NUL": b'{"tool_name":"Wr\x00ite"}',
    "bad UTF-8": b'{"tool_name":"Write\xff\xfe","tool_input":{}}',
    "trailing text": b'{"tool_name":"Write","tool_input":{}} and more',
    "two objects": b'{"tool_name":"Read"}{"tool_name":"Write"}',
    "a huge number": b'{"tool_name":"Write","n":' + b"9" * 10_000 + b"}",
    "UTF-16": '{"tool_name":"Write"}'.encode("utf-16"),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_no_event_is_refused_before_a_tool_with_a_sentence(machine: Machine, data: bytes) -> None:
    fired = machine.fire("before-tool", data)
    assert fired.denied
    assert fired.err.startswith("guards could not judge this call: ")
    assert "Traceback" not in fired.err
    assert fired.err.count("\n") == 1


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("event", ["after-tool", "prompt"])
def test_what_is_no_event_is_silent_elsewhere_and_leaves_a_journal_line(
    machine: Machine, data: bytes, event: str
) -> None:
    assert machine.fire(event, data).silent
    (line,) = machine.journal()
    assert line["verdict"] == "error"
    assert line["event"] == event


def test_more_than_the_limit_is_refused_and_says_so(machine: Machine) -> None:
    data = b'{"tool_name":"Write","tool_input":{"content":"' + b"x" * door_input.LIMIT + b'"}}'
    fired = machine.fire("before-tool", data)
    assert fired.denied
    assert "over 64 MiB" in fired.err


SHAPES: dict[str, object] = {
    "absent": {"session_id": "s", "tool_name": "Write", "cwd": "/"},
    "null": {"session_id": "s", "tool_name": "Bash", "cwd": "/", "tool_input": None},
    "a number": {"session_id": "s", "tool_name": "Write", "cwd": "/", "tool_input": 5},
    "a list": {"session_id": "s", "tool_name": "Write", "cwd": "/", "tool_input": []},
    "no tool": {"session_id": "s", "cwd": "/"},
    "numbers for names": {"session_id": 7, "tool_name": 7, "cwd": 7, "tool_input": {}},
    "no session": {"tool_name": "Write", "tool_input": {"file_path": "/tmp/x", "content": ""}, "cwd": "/tmp"},
    "an empty object": {},
}


@pytest.mark.parametrize("payload", SHAPES.values(), ids=SHAPES)
def test_an_event_with_nothing_to_judge_passes_silently(machine: Machine, payload: dict[str, object]) -> None:
    assert machine.fire("before-tool", payload).silent


def test_a_byte_order_mark_does_not_hide_the_event(machine: Machine) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    payload = json.dumps(tool("Write", {"file_path": "human/plan.md", "content": "x"}, cwd=proj))
    assert machine.fire("before-tool", b"\xef\xbb\xbf" + payload.encode()).denied


def test_of_duplicate_keys_the_last_one_counts(machine: Machine) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    head = f'{{"session_id":"s","cwd":"{proj}","tool_name":"Write","tool_input":'
    last_in_lane = head + '{"file_path":"a.txt","file_path":"human/plan.md","content":""}}'
    last_outside = head + '{"file_path":"human/plan.md","file_path":"a.txt","content":""}}'
    assert machine.fire("before-tool", last_in_lane).denied
    assert machine.fire("before-tool", last_outside).silent


@pytest.mark.parametrize("streams", ["socket", "pipe"])
def test_the_answer_comes_although_the_harness_never_closes_its_end(machine: Machine, streams: str) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    refused = tool("Write", {"file_path": "human/plan.md", "content": "x"}, cwd=proj)
    ordinary = tool("Write", {"file_path": "src/app.py", "content": "x"}, cwd=proj)
    for payload, denied in ((refused, True), (ordinary, False)):
        fired = machine.fire("before-tool", payload, streams=streams, close=False)
        assert fired.denied is denied
        assert fired.seconds < 5


@pytest.mark.parametrize("streams", ["socket", "pipe"])
def test_an_event_that_arrives_a_few_bytes_at_a_time_is_read_whole(machine: Machine, streams: str) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    payload = tool("Edit", {"file_path": "human/{a}.md", "old_string": "{}}", "new_string": "}}}"}, cwd=proj)
    assert machine.fire("before-tool", payload, streams=streams, slow=(3, 0.8)).denied


@pytest.mark.parametrize("streams", ["socket", "pipe"])
def test_three_megabytes_are_taken_whole_and_judged(machine: Machine, streams: str) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    for path, denied in (("human/plan.md", True), ("src/app.py", False)):
        payload = tool("Write", {"content": "}{" * 1_500_000, "file_path": path}, cwd=proj)
        fired = machine.fire("before-tool", payload, streams=streams)
        assert fired.denied is denied
        assert not fired.broken_pipe


def test_two_megabytes_for_a_tool_nobody_judges_are_drained(machine: Machine) -> None:
    payload = tool("Glob", {"pattern": "**"}, event="PostToolUse", tool_response={"filenames": ["f" * 2_000_000]})
    fired = machine.fire("after-tool", payload)
    assert fired.silent
    assert not fired.broken_pipe


ODD_TEXT = {
    "a lone surrogate": "human/\ud800.md",
    "a line separator": "human/a\u2028b.md",
    "Japanese": "human/日本語.md",
    "both quotes": 'human/it\'s "final".md',
    "a newline": "human/a\nb.md",
    "a NUL": "human/plan.md\0.txt",
}


@pytest.mark.parametrize("path", ODD_TEXT.values(), ids=ODD_TEXT)
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_odd_text_in_a_path_is_judged_in_every_locale(machine: Machine, path: str, locale: str) -> None:
    machine.policy("human-lane", LANE)
    proj = machine.repo()
    payload = tool("Write", {"file_path": path, "content": "x"}, cwd=proj)
    env: dict[str, str | None] = {"LANG": locale, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    fired = machine.fire("before-tool", payload, env=env)
    assert fired.denied
    assert "Traceback" not in fired.err


def test_a_backslash_in_a_name_stays_a_backslash(machine: Machine) -> None:
    machine.policy("human-lane", LANE)
    assert machine.write("docs/a\\nhuman\\0c.md", cwd=machine.repo()).silent
