"""`guards burn`: every character has one cause, all views add up, and nothing in a transcript breaks it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.reports import burn, burn_show
from guards.reports.burn_tally import Tally
from tests.examples import examples
from tests.reports.transcripts import Claude, Codex

ROOT = Path(__file__).resolve().parent.parent.parent


def tally(*paths: Path, since: str = "", project: str = "", workers: int = 1) -> Tally:
    tasks = burn.find([str(path) for path in paths], since, project)
    return burn.gather(tasks, burn_show.names(), workers, lambda _done: None)


def cells(found: Tally) -> dict[str, int]:
    """Characters by "side source name"."""
    return {" ".join(part for part in (side, source, name) if part): size for side, source, name, size in flat(found)}


def flat(found: Tally) -> list[tuple[str, str, str, int]]:
    sums: dict[tuple[str, str, str], int] = {}
    for (_, side, source, name), (size, _) in found.cells.items():
        sums[side, source, name] = sums.get((side, source, name), 0) + size
    return [(*key, size) for key, size in sorted(sums.items())]


def only(found: Tally) -> dict[str, int]:
    """The same without calls, for tests about something else."""
    return {name: size for name, size in cells(found).items() if " call " not in name}


# ---- Claude Code
def test_each_kind_of_text_has_its_cause(tmp_path: Path) -> None:
    held = Claude()
    held.user("x" * 10)
    held.assistant(
        {"type": "thinking", "thinking": "x" * 20, "signature": "s" * 500}, {"type": "text", "text": "x" * 30}
    )
    held.call("Bash", {"command": "cd /srv && cat big"}, "x" * 40)
    held.call("Read", {"file_path": "/a"}, [{"type": "text", "text": "x" * 50}])
    held.attachment("hook_additional_context", ["x" * 60], hookName="PostToolUse:Bash", content=["inner"])
    held.attachment("instructions", ["x" * 70])
    held.attachment("skill_listing", ["x" * 40, "x" * 40])
    held.attachment("prompt_snapshot", None, systemPrompt=["x" * 30, "x" * 30])
    held.attachment("prompt_snapshot", None, systemPrompt=["x" * 30, "x" * 30], tools=["x" * 26])
    held.user("This session is being continued " + "x" * 58, isCompactSummary=True)
    held.user("x" * 11, isMeta=True)
    held.user("<command-name>/clear</command-name>")
    held.user([{"type": "text", "text": "x" * 12}, {"type": "image", "source": {"type": "base64", "data": "A" * 99}}])
    held.row("summary", summary="x" * 500)
    held.row("progress", data={"message": "x" * 500})
    held.row("api-request-blob", message={"role": "user", "content": "x" * 500})
    held.row("file-history-snapshot", snapshot={"x": "y" * 500})
    found = tally(held.write(tmp_path / "a.jsonl"))
    assert cells(found) == {
        "main call Bash": len("Bash") + len('{"command":"cd /srv && cat big"}'),
        "main call Read": len("Read") + len('{"file_path":"/a"}'),
        "main harness notes on the user's turn": 11,
        "main harness skill listing": 80,
        "main harness slash commands": 35,
        "main hook PostToolUse:Bash": 60,
        "main image in a prompt": 99,
        "main instructions instructions": 70,
        "main prompt": 22,
        "main reply": 30,
        "main shell cat": 40,
        "main summary": 90,
        "main system system prompt and tools": 60 + len(json.dumps(["x" * 26])),
        "main thinking": 20,
        "main tool Read": 50,
    }
    assert (found.lines, found.malformed, found.repeated, found.files) == (len(held.lines), 0, 0, 1)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("cd /srv && rtk git status", "git"),
        ("FOO=1 timeout 30 uv run pytest -q", "pytest"),
        ("for f in *; do cat $f; done", "cat"),
        ("bash -lc 'make all'", "make"),
        ("ls", "ls"),
        ("cd x", "cd"),
        ("$TOOL x", "(not plain text)"),
        ("", "(not plain text)"),
    ],
)
def test_shell_output_is_put_down_by_program(tmp_path: Path, command: str, name: str) -> None:
    found = tally(Claude().call("Bash", {"command": command}, "x" * 40).write(tmp_path / "a.jsonl"))
    assert only(found) == {f"main shell {name}": 40}


def test_characters_are_code_points_not_bytes(tmp_path: Path) -> None:
    held = Claude().user("é日😀").call("Read", {"file_path": "/日"}, "ü" * 5)
    assert cells(tally(held.write(tmp_path / "a.jsonl"))) == {
        "main call Read": len('Read{"file_path":"/日"}'),
        "main prompt": 3,
        "main tool Read": 5,
    }


def test_images_stand_apart_and_have_no_share(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "A" * 300_000, "media_type": "image/png"}}
    held = Claude().call("Read", {"file_path": "/a.png"}, [{"type": "text", "text": "x" * 100}, picture])
    found = burn_show.report(tally(held.write(tmp_path / "a.jsonl")), "")
    assert found["characters"]["images"] == 300_000
    assert found["characters"]["text"] == found["characters"]["total"] - 300_000
    shares = {row["name"]: row["share"] for row in found["sources"]}
    assert shares["image"] is None
    assert sum(share for share in shares.values() if share) == pytest.approx(1, abs=1e-5)


def test_a_refusal_by_a_hook_is_the_hooks_and_not_the_tools(tmp_path: Path) -> None:
    text = "PreToolUse:Write hook error: [/x/py hook.py]: refused: human lane"
    found = tally(Claude().call("Write", {"file_path": "/a"}, text).write(tmp_path / "a.jsonl"))
    assert only(found) == {"main hook PreToolUse:Write refusal": len(text)}


def test_tokens_of_a_response_count_once_and_whole(tmp_path: Path) -> None:
    held = Claude()
    for tokens in (1, 8, 228, 228):
        held.assistant({"type": "text", "text": "x"}, message="msg_1", tokens=tokens)
    held.assistant({"type": "text", "text": "x"}, message="msg_2", tokens=10)
    copy = Claude()
    copy.lines = list(held.lines)
    found = tally(held.write(tmp_path / "a.jsonl"), copy.write(tmp_path / "b.jsonl"))
    assert found.tokens()["main"] == {
        "input": 10,
        "output": 238,
        "cache_read": 2000,
        "cache_written": 0,
        "responses": 2,
    }


def test_a_row_that_stands_there_twice_counts_once(tmp_path: Path) -> None:
    held = Claude().user("x" * 10).call("Bash", {"command": "ls"}, "x" * 40)
    held.lines += held.lines
    found = tally(held.write(tmp_path / "a.jsonl"))
    assert only(found) == {"main prompt": 10, "main shell ls": 40}
    assert found.repeated == 3


def test_subagents_stand_apart_in_their_own_file_and_in_the_sessions(tmp_path: Path) -> None:
    Claude().user("x" * 10).write(tmp_path / "p/s1.jsonl")
    Claude().user("x" * 7).call("Bash", {"command": "ls"}, "x" * 40).write(tmp_path / "p/s1/subagents/agent-a1.jsonl")
    Claude(side=True).user("x" * 5).write(tmp_path / "p/s2.jsonl")
    found = tally(tmp_path)
    assert only(found) == {"main prompt": 10, "subagents prompt from the agent above": 12, "subagents shell ls": 40}
    assert sorted(one.side for one in found.sessions) == ["main", "main", "subagents"]


def test_a_result_whose_call_is_not_in_the_file_is_still_counted(tmp_path: Path) -> None:
    held = Claude().user([{"type": "tool_result", "tool_use_id": "toolu_gone", "content": "x" * 40}])
    assert cells(tally(held.write(tmp_path / "a.jsonl"))) == {"main tool a call that is not in this file": 40}


# ---- lines that are not as expected
def test_malformed_lines_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    held = Claude().user("x" * 10).raw('{"type":"user","mess').raw("not json").raw(b"\xff\xfe\x00").raw("").raw("   ")
    held.raw("[" * 100_000).user("x" * 5)
    found = tally(held.write(tmp_path / "a.jsonl"))
    assert cells(found) == {"main prompt": 15}
    assert (found.malformed, found.lines) == (4, 6)


def test_a_last_line_that_is_still_being_written_is_malformed_and_no_more(tmp_path: Path) -> None:
    path = Claude().user("x" * 10).user("y" * 500).write(tmp_path / "a.jsonl")
    path.write_bytes(path.read_bytes()[:-100])
    found = tally(path)
    assert (cells(found), found.malformed) == ({"main prompt": 10}, 1)


def test_a_lone_surrogate_is_a_character_like_any_other(tmp_path: Path) -> None:
    held = Claude().user("xx")
    held.lines[0] = held.lines[0].replace(b'"xx"', b'"x\\ud800y"')
    found = tally(held.write(tmp_path / "a.jsonl"))
    assert (cells(found), found.malformed) == ({"main prompt": 3}, 0)


def test_rows_of_a_shape_not_seen_before_are_counted_as_such(tmp_path: Path) -> None:
    held = Claude().user("x" * 10)
    held.row("user", message="x" * 20)
    held.row("user", message={"role": "user", "content": [{"type": 5, "text": "x" * 30}]})
    held.row("assistant", message={"content": {"deep": ["x" * 40]}})
    held.row("system", message="x" * 50)
    held.raw("5").raw("null").raw("[]").raw('{"type": ["user"]}')
    found = tally(held.write(tmp_path / "a.jsonl"))
    assert cells(found) == {"main prompt": 10, "main unknown assistant": 40, "main unknown user": 50}
    assert (found.malformed, found.lines) == (0, 9)


@examples(40)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "type": st.sampled_from(["user", "assistant", "attachment", "system", 5, None]),
                "timestamp": st.sampled_from(["2026-11-02T10:00:00.000Z", "", None, 5]),
                "uuid": st.text(max_size=2),
                "isSidechain": st.booleans(),
                "message": st.recursive(
                    st.none() | st.text(max_size=5) | st.integers(),
                    lambda inner: (
                        st.lists(inner, max_size=3)
                        | st.dictionaries(
                            st.sampled_from(
                                ["content", "type", "text", "id", "name", "input", "tool_use_id", "usage", "source"]
                            ),
                            inner | st.sampled_from(["text", "tool_use", "tool_result", "thinking", "image"]),
                        )
                    ),
                    max_leaves=12,
                ),
                "attachment": st.none() | st.dictionaries(st.sampled_from(["type", "content"]), st.text(max_size=5)),
                "payload": st.none() | st.dictionaries(st.sampled_from(["type", "content"]), st.text(max_size=5)),
            },
        ),
        max_size=8,
    )
)
def test_no_row_of_any_shape_breaks_the_reading(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = tmp_path_factory.mktemp("rows") / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = tally(path)
    assert found.lines == len(rows)
    assert found.malformed == 0
    adds_up(burn_show.report(found, ""))


def test_a_row_without_an_id_or_a_time_is_counted(tmp_path: Path) -> None:
    held = Claude().row("user", message={"role": "user", "content": "x" * 9}, uuid=None, timestamp=None)
    assert cells(tally(held.write(tmp_path / "a.jsonl"))) == {"main prompt": 9}


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_cannot_be_read_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    Claude().user("x" * 9).write(tmp_path / "a.jsonl")
    Claude().user("x" * 9).write(tmp_path / "b.jsonl").chmod(0)
    found = tally(tmp_path)
    assert (cells(found), found.unread) == ({"main prompt": 9}, 1)


def test_a_file_that_goes_away_meanwhile_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    Claude().user("x" * 9).write(tmp_path / "a.jsonl")
    gone = Claude().user("x" * 9).write(tmp_path / "b.jsonl")
    tasks = burn.find([str(tmp_path)], "", "")
    gone.unlink()
    found = burn.gather(tasks, burn_show.names(), 1, lambda _done: None)
    assert (cells(found), found.unread) == ({"main prompt": 9}, 1)


# ---- Codex
def test_a_codex_rollout_has_its_causes_too(tmp_path: Path) -> None:
    held = Codex()
    held.message("developer", "x" * 10, "x" * 11, kinds=["host_skills.instructions", "permissions.instructions"])
    held.message("user", "x" * 12, "x" * 13, kinds=["agents_md.instructions", "environments.environment_context"])
    held.message("developer", "x" * 14, kinds=["hooks.additional_context"])
    held.message("user", "x" * 15, kinds=["user.text"])
    held.item("reasoning", summary=[{"type": "summary_text", "text": "x" * 16}], encrypted_content="e" * 900)
    held.message("assistant", "x" * 17, kinds=["unknown"])
    held.call("exec_command", {"cmd": "cd a && seq 1 9"}, "x" * 18)
    held.call("shell", {"command": ["bash", "-lc", "rg x"]}, "x" * 19)
    held.call("view_image", {"path": "a.png"}, [{"type": "input_image", "image_url": "data:" + "A" * 95}])
    held.item("custom_tool_call", name="apply_patch", input="x" * 20, call_id="c1")
    held.item("custom_tool_call_output", call_id="c1", output="x" * 21)
    held.call("exec_command", {"cmd": "rm x"}, "Command blocked by PreToolUse hook: no. Command: rm x")
    held.row("compacted", {"message": "x" * 22})
    held.row("event_msg", {"type": "user_message", "message": "x" * 900})
    held.row("event_msg", {"type": "item_completed", "item": {"aggregated_output": "x" * 900}})
    found = tally(held.write(tmp_path / "rollout-a.jsonl"))
    assert only(found) == {
        "main harness environment context": 13,
        "main harness instructions": 11,
        "main hook PreToolUse:rm refusal": 53,
        "main hook additional context": 14,
        "main image view_image": 100,
        "main instructions instructions": 22,
        "main prompt": 15,
        "main reply": 17,
        "main shell rg": 19,
        "main shell seq": 18,
        "main summary": 22,
        "main system base instructions": 8,
        "main thinking": 16,
        "main tool apply_patch": 21,
        "main tool view_image": 0,
    }
    assert cells(found)["main call apply_patch"] == len("apply_patch") + 20
    assert found.malformed == 0


def test_older_rollouts_are_told_apart_by_how_their_parts_begin(tmp_path: Path) -> None:
    held = Codex()
    held.message("user", "# AGENTS.md instructions for /srv", "<environment_context>x", "<user_instructions>y", "go on")
    held.item("local_shell_call", action={"type": "exec", "command": ["bash", "-lc", "make x"]}, call_id="c1")
    held.item("function_call_output", call_id="c1", output='{"output":"x"}')
    found = only(tally(held.write(tmp_path / "rollout-a.jsonl")))
    assert found["main prompt"] == 5
    assert found["main harness environment_context"] == 22
    assert found["main instructions user_instructions"] == 20
    assert found["main shell make"] == 14


def test_a_codex_subagent_does_not_count_its_parents_history_again(tmp_path: Path) -> None:
    held = Codex(thread_source="subagent", subagent_history_start_ordinal=3)
    held.message("user", "x" * 100, kinds=["user.text"]).message("assistant", "x" * 100)
    held.message("user", "x" * 7, kinds=["user.text"])
    found = tally(held.write(tmp_path / "rollout-a.jsonl"))
    assert cells(found) == {
        "subagents prompt from the agent above": 7,
        "subagents system base instructions": 8,
    }
    assert found.repeated == 2


def test_codex_tokens_come_from_the_records_or_else_from_the_running_total(tmp_path: Path) -> None:
    usage = {"input_tokens": 100, "cached_input_tokens": 60, "cache_write_input_tokens": 0, "output_tokens": 10}
    held = Codex()
    for response in ("r1", "r1", "r2"):
        held.row("token_usage_record", {"response_id": response, "usage": usage})
    held.row("event_msg", {"type": "token_count", "info": {"total_token_usage": {**usage, "input_tokens": 999}}})
    found = tally(held.write(tmp_path / "rollout-a.jsonl"))
    assert found.tokens()["main"] == {"input": 80, "output": 20, "cache_read": 120, "cache_written": 0, "responses": 2}
    old = Codex()
    for total in (100, 250, 250):
        old.row("event_msg", {"type": "token_count", "info": {"total_token_usage": {**usage, "input_tokens": total}}})
    found = tally(old.write(tmp_path / "old/rollout-b.jsonl"))
    assert found.tokens()["main"] == {"input": 190, "output": 10, "cache_read": 60, "cache_written": 0, "responses": 1}


# ---- the sums
def adds_up(found: dict[str, Any]) -> None:
    """Every list is another view of the same characters."""
    total = found["characters"]["total"]
    by = {row["name"]: row for row in found["sources"]}
    assert sum(row["characters"] for row in found["sources"]) == total
    assert sum(side["characters"] for side in found["sides"].values()) == total
    for side in found["sides"].values():
        assert sum(row["characters"] for row in side["sources"]) == side["characters"]
    assert sum(sum(hour["characters"].values()) for hour in found["hours"]) == total
    assert found["characters"]["text"] + found["characters"]["images"] == total
    for part, source in {
        "programs": "shell", "tools": "tool", "calls": "call", "hooks": "hook", "images": "image", "prompts": "prompt",
        "harness": "harness", "instructions": "instructions",
    }.items():  # fmt: skip
        held = by.get(source, {"characters": 0, "items": 0})
        assert sum(row["characters"] for row in found[part]) == held["characters"], part
        assert sum(row["items"] for row in found[part]) == held["items"], part
    assert sum(one["text"] + one["image"] for one in found["sessions"]) <= total


def folder(root: Path, files: int = 6) -> Path:
    """A few sessions of both harnesses."""
    for number in range(files):
        held = Claude(cwd=f"/srv/app{number % 2}")
        held.minute = number * 700
        for step in range(20):
            held.user("please " * (step + 1))
            held.call(
                "Bash", {"command": f"cd /srv && {('git log', 'cat x', 'pytest')[step % 3]}"}, "line\n" * 50 * step
            )
            held.call("Read", {"file_path": f"/srv/{step}"}, [{"type": "text", "text": "x" * 300 * step}])
        held.write(root / f"claude/-srv-app{number % 2}/s{number}.jsonl")
        Codex().call("exec_command", {"cmd": "seq 9"}, "x" * 90 * number).write(root / f"codex/rollout-{number}.jsonl")
    return root


def test_all_views_add_up_and_agree_with_a_plain_count(tmp_path: Path) -> None:
    found = burn_show.report(tally(folder(tmp_path)), "")
    adds_up(found)
    plain = 0
    for path in tmp_path.rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            plain += counted(json.loads(line))
    assert found["characters"]["total"] == plain


def counted(row: dict[str, Any]) -> int:
    """The rule in its shortest form, for the rows of `folder`."""
    if row["type"] == "session_meta":
        return len(row["payload"]["base_instructions"]["text"])
    if row["type"] == "response_item":
        payload = row["payload"]
        return sum(len(payload.get(key, "")) for key in ("name", "arguments", "output"))
    content = row["message"]["content"]
    size = 0
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block["type"] == "text":
            size += len(block["text"])
        elif block["type"] == "tool_use":
            given = json.dumps(block["input"], separators=(",", ":"), ensure_ascii=False)
            size += len(block["name"]) + len(given)
        else:
            parts = block["content"]
            size += len(parts) if isinstance(parts, str) else sum(len(part["text"]) for part in parts)
    return size


def test_two_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path)
    one = burn_show.report(tally(tmp_path), "")
    monkeypatch.setattr(burn, "SMALL", 0)
    two = burn_show.report(tally(tmp_path, workers=2), "")
    assert one == two


def test_only_rows_since_then_and_only_that_project(tmp_path: Path) -> None:
    folder(tmp_path)
    whole = burn_show.report(tally(tmp_path), "")
    late = burn_show.report(tally(tmp_path, since="2026-11-02T20:00:00"), "")
    early_hours = [hour for hour in whole["hours"] if hour["hour"] >= "2026-11-02T20"]
    assert late["hours"] == early_hours
    assert 0 < late["characters"]["total"] < whole["characters"]["total"]
    adds_up(late)
    app1 = burn_show.report(tally(tmp_path, project="/srv/app1"), "")
    assert {one["project"] for one in app1["sessions"]} == {"/srv/app1"}
    assert app1["files"] == 3


def test_a_call_before_the_point_in_time_still_names_its_result(tmp_path: Path) -> None:
    held = Claude().call("Bash", {"command": "make"}, "x" * 40)
    since = json.loads(held.lines[1])["timestamp"]
    assert cells(tally(held.write(tmp_path / "a.jsonl"), since=since)) == {"main shell make": 40}


def test_files_last_written_before_the_point_in_time_are_not_opened(tmp_path: Path) -> None:
    path = Claude().user("x").write(tmp_path / "a.jsonl")
    os.utime(path, (1, 1))
    assert burn.find([str(tmp_path)], "2026-01-01T00:00:00", "") == []
    assert len(burn.find([str(tmp_path)], "", "")) == 1


NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("", ""),
        ("24h", "2026-11-29T12:00:00"),
        ("7d", "2026-11-23T12:00:00"),
        ("2w", "2026-11-16T12:00:00"),
        ("2026-11-01T10:00:00+00:00", "2026-11-01T10:00:00"),
        ("2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00"),
    ],
)
def test_points_in_time_are_read_as_people_write_them(text: str, point: str) -> None:
    assert burn.since_of(text, NOW) == point


def test_what_is_no_point_in_time_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="--since takes a date"):
        burn.since_of("yesterday", NOW)


def test_results_over_todays_bound_and_their_spread_are_told(tmp_path: Path) -> None:
    held = Claude()
    for size in [100] * 18 + [4500, 90_000]:
        held.call("Bash", {"command": "cat x"}, "x" * size)
    (row,) = burn_show.report(tally(held.write(tmp_path / "a.jsonl")), "")["programs"]
    assert row["over"] == 2
    assert row["bound"] == 4000
    assert row["p50"] == pytest.approx(100, rel=0.07)
    assert row["p95"] == pytest.approx(4500, rel=0.07)
    assert row["p99"] == pytest.approx(90_000, rel=0.07)


def test_the_largest_results_keep_the_call_that_made_them(tmp_path: Path) -> None:
    held = Claude()
    for number in range(60):
        held.call("Bash", {"command": f"cat f{number}"}, "x" * number)
    held.call("Read", {"file_path": "/srv/big.py", "limit": 5}, "x" * 900)
    largest = burn_show.report(tally(held.write(tmp_path / "a.jsonl")), "")["largest"]
    assert [row["characters"] for row in largest][:3] == [900, 59, 58]
    assert [row["what"] for row in largest][:2] == ["/srv/big.py", "cat f59"]
    assert len(largest) == 40


# ---- size
PROBE = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from guards.reports import burn
from guards.reports.burn_tally import Tally
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for task in burn.find([sys.argv[2]], "", ""):
    burn.read(task)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_does_not_grow_with_the_transcript(tmp_path: Path) -> None:
    held = Claude()
    for number in range(3000):
        held.call("Bash", {"command": f"cat f{number}"}, "line of text\n" * 2000)
    path = held.write(tmp_path / "a.jsonl")
    assert path.stat().st_size > 150_000_000
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(ROOT), str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(done.stdout) < 40  # megabytes; a chunk is one, a row a few thousandths of it
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from guards.reports import burn_rows

    monkeypatch.setattr(burn_rows, "LONGEST", 3 << 20)
    path = Claude().user("x" * 10).write(tmp_path / "a.jsonl")
    with path.open("ab") as file:
        file.write(b"y" * (9 << 20) + b"\n")
    Claude().user("x" * 5).write(tmp_path / "b.jsonl")
    with path.open("ab") as file:
        file.write((tmp_path / "b.jsonl").read_bytes())
    (tmp_path / "b.jsonl").unlink()
    found = tally(path)
    assert only(found) == {"main prompt": 15}
    assert found.malformed >= 1


# ---- the command
def run(*words: str, env: dict[str, str] | None = None, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    given = {"PATH": os.environ["PATH"], "HOME": str(home or "/nonexistent"), "PYTHONUTF8": "1", **(env or {})}
    return subprocess.run(
        [sys.executable, "-m", "guards.cli", "burn", *words],
        capture_output=True, text=True, env=given, cwd=ROOT, check=False, timeout=120,
    )  # fmt: skip


def test_the_table_fits_a_terminal_and_names_what_was_put_there(tmp_path: Path) -> None:
    done = run(str(folder(tmp_path)), "--top", "3")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    assert "12 transcripts" in lines[0]
    for words in ("where the characters went", "shell output, by program", "largest results", "cat", "pytest", "█"):
        assert words in done.stdout


def test_nothing_of_a_transcript_moves_the_cursor(tmp_path: Path) -> None:
    held = Claude(cwd="/srv/\x1b[2Japp").call("Bash", {"command": "'a\x1b]0;t\x07' \x1b[2J"}, "x" * 50)
    held.call("\x1b[31mRead", {"file_path": "/\x9b2J"}, "x" * 90)
    held.lines[0] = held.lines[0].replace(b"/srv/", b"/\\ud800/")
    path = held.write(tmp_path / "a.jsonl")
    done = run(str(path), "--html", str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    assert all(char.isprintable() or char == "\n" for char in done.stdout)
    assert "\x1b" not in (tmp_path / "page.html").read_text()
    assert json.loads(run(str(path), "--json").stdout)["files"] == 1


def test_a_terminal_without_utf8_gets_plain_bars(tmp_path: Path) -> None:
    done = run(str(folder(tmp_path)), env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "####" in done.stdout


def test_the_document_is_json_and_adds_up(tmp_path: Path) -> None:
    done = run(str(folder(tmp_path)), "--json")
    assert done.returncode == 0, done.stderr
    adds_up(json.loads(done.stdout))


def test_without_a_path_the_harnesses_own_folders_are_read(tmp_path: Path) -> None:
    Claude().user("x" * 10).write(tmp_path / ".claude/projects/p/a.jsonl")
    Codex().write(tmp_path / ".codex/sessions/2026/11/rollout-a.jsonl")
    Claude().user("x" * 10).write(tmp_path / "elsewhere/projects/p/a.jsonl")
    assert json.loads(run("--json", home=tmp_path).stdout)["files"] == 2
    moved = {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}
    found = json.loads(run("--json", home=tmp_path, env=moved).stdout)
    read = sorted(str(Path(one["path"]).relative_to(tmp_path)) for one in found["sessions"])
    assert read == [".codex/sessions/2026/11/rollout-a.jsonl", "elsewhere/projects/p/a.jsonl"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["/nonexistent/x"], "there is nothing at /nonexistent/x"),
        ([], "no transcript found below /nonexistent/.claude/projects, /nonexistent/.codex/sessions"),
        (["--since", "soon"], "--since takes a date"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_2(words: list[str], said: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_help_has_an_example() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "guards burn --since 7d" in done.stdout


def test_transcripts_are_not_touched(tmp_path: Path) -> None:
    root = folder(tmp_path / "t")
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()}
    assert run(str(root), "--html", str(tmp_path / "page.html")).returncode == 0
    assert before == {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "t"]
