"""`guards replay`: recorded calls judged by today's policy, in memory, and what a watching rule would cost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guards.reports import burn, replay
from guards.reports.replay_calls import Unread, calls
from tests.machine import Machine
from tests.reports.transcripts import Claude, Codex

ROOT = Path(__file__).resolve().parent.parent.parent
SPAWN = "mcp__host__spawn_session"


def run(machine: Machine, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    given = {"PATH": os.environ["PATH"], "HOME": str(machine.home), "PYTHONUTF8": "1", **(env or {})}
    return subprocess.run(
        [sys.executable, "-m", "guards.cli", "replay", *words],
        capture_output=True, text=True, env=given, cwd=ROOT, check=False, timeout=120,
    )  # fmt: skip


def report(machine: Machine, *paths: Path, **filters: Any) -> dict[str, Any]:
    only, workers = filters.pop("only", ""), filters.pop("workers", 1)
    tasks = burn.find([str(path) for path in paths], filters.get("since", ""), filters.get("project", ""))
    return replay.report(replay.gather(tasks, machine.places, only, workers, lambda _done: None))


def rules(found: dict[str, Any]) -> dict[str, tuple[str, int]]:
    return {row["rule"]: (row["action"], row["calls"]) for row in found["rules"]}


def spawns(path: Path, *prompts: str, cwd: str = "/srv/app") -> Path:
    held = Claude(cwd=cwd)
    for prompt in prompts:
        held.call(SPAWN, {"prompt": prompt}, "started")
    return held.write(path)


WHOLE = "Lane: a\nScope cap: b\nHard stops: c\nAsk-triggers: d\n"
MISSING = "; ".join(
    f"policy/spawn-envelope.toml: heading '{name}'" for name in ("lane", "scope-cap", "hard-stops", "ask-triggers")
)


def test_what_would_be_refused_is_told_by_rule_with_the_earliest_examples(machine: Machine, tmp_path: Path) -> None:
    path = spawns(tmp_path / "a.jsonl", "go one", WHOLE, "go two", "go three")
    found = report(machine, path)
    assert (found["calls"], found["refused"], found["sessions"], found["files"]) == (4, 3, 1, 1)
    assert rules(found) == {MISSING: ("deny", 3)}
    (row,) = found["rules"]
    assert [example["what"] for example in row["examples"]] == ["go one", "go two", "go three"]
    assert row["examples"][0]["tool"] == SPAWN
    assert row["examples"][0]["transcript"] == str(path)
    assert "the prompt lacks 4 headings" in row["examples"][0]["text"]
    assert row["share"] == 0.75


def test_what_switching_a_watching_rule_on_would_cost_is_told_apart(machine: Machine, tmp_path: Path) -> None:
    machine.policy("spawn-envelope", 'action = "watch"\n')
    spawns(tmp_path / "t/a.jsonl", "go one", WHOLE)
    spawns(tmp_path / "t/b.jsonl", "go two")
    found = report(machine, tmp_path / "t")
    assert (found["refused"], found["watched"]) == (0, 2)
    done = run(machine, str(tmp_path / "t"))
    assert done.returncode == 0, done.stderr
    assert "only watched: this is what switching them on would cost" in done.stdout
    assert "2  66.67 %  spawn-envelope" in done.stdout
    assert "go one" in done.stdout


def test_a_lane_refuses_recorded_writes_and_shell_commands(machine: Machine, tmp_path: Path) -> None:
    repo = machine.repo(files={"src/a.py": ""})
    held = Claude(cwd=str(repo))
    held.call("Write", {"file_path": f"{repo}/.github/workflows/ci.yml", "content": "x"}, "ok")
    held.call("Write", {"file_path": f"{repo}/src/a.py", "content": "x"}, "ok")
    found = report(machine, held.write(tmp_path / "a.jsonl"), only="human-lane")
    assert found["refused"] == 1
    ((rule, said),) = rules(found).items()
    assert rule.startswith("policy/human-lane.toml: lane ")
    assert said == ("deny", 1)


def test_notes_are_told_once_per_session_as_they_would_be_said(machine: Machine, tmp_path: Path) -> None:
    held = Claude()
    for number in range(3):
        use = f"toolu_{number}"
        held.assistant({"type": "tool_use", "id": use, "name": "Bash", "input": {"command": f"cat f{number}"}})
        result = {"type": "tool_result", "tool_use_id": use, "content": "shown"}
        held.user([result], toolUseResult={"stdout": "x" * 9000, "stderr": "", "isImage": False})
    failed = {
        "type": "tool_result",
        "tool_use_id": "toolu_f",
        "content": "Exit code 1\n" + "x" * 9000,
        "is_error": True,
    }
    held.assistant({"type": "tool_use", "id": "toolu_f", "name": "Bash", "input": {"command": "make"}}).user([failed])
    found = report(machine, held.write(tmp_path / "a.jsonl"))
    assert rules(found) == {"policy/output-bound.toml: bash_max": ("note", 2)}
    assert [example["what"] for example in found["rules"][0]["examples"]] == ["cat f0", "make"]
    assert found["refused"] == 0


def test_nothing_is_written_and_no_live_memory_is_read(machine: Machine, tmp_path: Path) -> None:
    repo = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "docs"\npaths = ["docs/"]\nwhy = "x"\n'})
    held = Claude(cwd=str(repo))
    held.call("Write", {"file_path": f"{repo}/docs/a.md", "content": "x"}, "ok")
    held.call("Bash", {"command": "cat x"}, "x" * 9000).call(SPAWN, {"prompt": "go"}, "started")
    path = held.write(tmp_path / "a.jsonl")

    def everything() -> dict[str, bytes]:
        return {str(file): file.read_bytes() for file in machine.base.rglob("*") if file.is_file()}

    before = everything()
    assert not machine.state.exists() or not any(machine.state.rglob("*"))
    done = run(machine, str(path), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["refused"] == 2
    assert everything() == before


def test_a_repositorys_own_layer_counts(machine: Machine, tmp_path: Path) -> None:
    repo = machine.repo(files={".guards/human-lane.toml": '[[lane]]\nid = "docs"\npaths = ["docs/"]\nwhy = "x"\n'})
    held = Claude(cwd=str(repo)).call("Write", {"file_path": f"{repo}/docs/a.md", "content": "x"}, "ok")
    found = report(machine, held.write(tmp_path / "a.jsonl"))
    assert rules(found) == {".guards/human-lane.toml: lane 'docs'": ("deny", 1)}


def test_the_owners_other_hooks_are_not_run(machine: Machine, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    script = tmp_path / "hook"
    script.write_text(f"#!/bin/sh\ntouch {trace}\nexit 2\n")
    script.chmod(0o755)
    row = f'[[command]]\nid = "mine"\nrun = ["{script}"]\nevents = ["before-tool", "after-tool"]\n'
    machine.policy("dispatch", row + 'harnesses = ["claude"]\ntimeout = 5\n')
    found = report(machine, spawns(tmp_path / "a.jsonl", WHOLE))
    assert found["rules"] == []
    assert not trace.exists()


def test_variables_of_the_moment_do_not_count(machine: Machine, tmp_path: Path) -> None:
    path = spawns(tmp_path / "a.jsonl", "go")
    done = run(machine, str(path), "--json", env={"GUARDS_OFF": "all", "SPAWN_ENVELOPE_MIN_CHARS": "9999"})
    assert json.loads(done.stdout)["refused"] == 1


def test_only_one_guard_some_days_or_one_project(machine: Machine, tmp_path: Path) -> None:
    spawns(tmp_path / "t/a.jsonl", "go one", cwd="/srv/one")
    spawns(tmp_path / "t/b.jsonl", "go two", "go three", cwd="/srv/two")
    assert report(machine, tmp_path / "t", only="human-lane")["refused"] == 0
    assert report(machine, tmp_path / "t", project="/srv/two")["refused"] == 2
    assert report(machine, tmp_path / "t", since="2026-11-01T00:03:00")["refused"] == 1


def test_two_processes_find_what_one_finds(machine: Machine, tmp_path: Path) -> None:
    for number in range(5):
        spawns(tmp_path / f"t/{number}.jsonl", "go", WHOLE, f"go {number}")
    assert report(machine, tmp_path / "t") == report(machine, tmp_path / "t", workers=2)


def test_codex_calls_are_judged_as_its_hooks_would_see_them(machine: Machine, tmp_path: Path) -> None:
    repo = machine.repo(files={"src/a.py": ""})
    held = Codex(cwd=str(repo))
    held.call("exec_command", {"cmd": "cat big", "workdir": "src"}, "Chunk ID: 1\nOutput:\n" + "x" * 9000)
    patch = "*** Begin Patch\n*** Add File: .github/workflows/ci.yml\n+x\n*** End Patch\n"
    held.item("custom_tool_call", name="apply_patch", input=patch, call_id="c1")
    held.call("shell", {"command": ["bash", "-lc", "ls"]}, "Command blocked by PreToolUse hook: no. Command: ls")
    path = held.write(tmp_path / "rollout-a.jsonl")
    seen = [(call.event, call.payload["tool_name"], call.payload["cwd"]) for call in calls(str(path), Unread())]
    assert seen == [
        ("before-tool", "Bash", f"{repo}/src"),
        ("after-tool", "Bash", f"{repo}/src"),
        ("before-tool", "apply_patch", str(repo)),
        ("before-tool", "Bash", str(repo)),
    ]
    found = report(machine, path)
    assert found["calls"] == 3
    assert {row["guard"]: row["calls"] for row in found["rules"]} == {"human-lane": 1, "output-bound": 1}
    assert found["rules"][-1]["examples"][0]["text"].startswith("cat gave 9,000 characters")


def test_each_recorded_call_becomes_the_payload_its_hook_once_had(tmp_path: Path) -> None:
    held = Claude(cwd="/srv/app")
    held.call("Bash", {"command": "ls"}, "a\n", agentId="a7")
    held.lines += held.lines  # a resumed session repeats its rows
    held.raw("{ broken")
    bad = Unread()
    before, after = calls(str(held.write(tmp_path / "a.jsonl")), bad)
    assert before.payload["hook_event_name"] == "PreToolUse"
    assert before.payload["tool_input"] == {"command": "ls"}
    assert before.payload["cwd"] == before.project == "/srv/app"
    assert after.payload["tool_response"] == {"stdout": "a\n", "undo": "x" * 999}
    assert after.payload["agent_id"] == "a7"
    assert bad.lines == 1


def test_a_call_that_a_hook_refused_then_is_judged_and_has_no_afterwards(tmp_path: Path) -> None:
    held = Claude()
    held.assistant({"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "/a"}})
    held.user(
        [{"type": "tool_result", "tool_use_id": "t1", "content": "PreToolUse:Write hook error: no", "is_error": True}]
    )
    assert [call.event for call in calls(str(held.write(tmp_path / "a.jsonl")), Unread())] == ["before-tool"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["/nonexistent/x"], "there is nothing at /nonexistent/x"),
        ([], "no tool call found below"),
        (["--since", "soon"], "--since takes a date"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_2(machine: Machine, words: list[str], said: str) -> None:
    done = run(machine, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_policy_that_does_not_compile_is_named(machine: Machine, tmp_path: Path) -> None:
    machine.policy("spawn-envelope", "min_chars = -1\n")
    done = run(machine, str(spawns(tmp_path / "a.jsonl", "go")))
    assert done.returncode == 2
    assert "the policy does not compile: ~/.config/guards/policy/spawn-envelope.toml: min_chars" in done.stderr


def test_help_has_an_example(machine: Machine) -> None:
    done = run(machine, "--help")
    assert done.returncode == 0
    assert "guards replay --since 7d" in done.stdout
