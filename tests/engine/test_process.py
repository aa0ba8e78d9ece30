"""The process a harness starts: its environment, directory and mode change nothing; what fails says so."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from guards.wiring import place
from tests.machine import ROOT, Machine, tool

LANE = """
[[lane]]
id    = "human"
paths = ["human/"]
why   = "the owner writes these"
"""
ORDINARY = {"file_path": "src/app.py", "old_string": "a", "new_string": "b"}
REFUSED = {"file_path": "human/plan.md", "old_string": "a", "new_string": "b"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """The hook itself compiles what it finds."""
    return Machine(tmp_path, warm=False)


@pytest.fixture
def laned(machine: Machine) -> Machine:
    machine.policy("human-lane", LANE)
    machine.repo(files={"human/plan.md": "plan\n", "src/app.py": "a\n"})
    return machine


ENVIRONMENTS: dict[str, dict[str, str | None]] = {
    "no HOME": {"HOME": None},
    "another HOME": {"HOME": "/nonexistent"},
    "a short PATH": {"PATH": "/usr/bin:/bin"},
    "no PATH": {"PATH": None},
    "in CI": {"CI": "1", "GITHUB_ACTIONS": "true"},
    "other XDG folders": {"XDG_STATE_HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"},
    "python variables": {"PYTHONPATH": "/nonexistent", "PYTHONHOME": "/nonexistent", "PYTHONSTARTUP": "/nonexistent"},
    "noisy start-up files": {"BASH_ENV": "noise.sh", "ENV": "noise.sh"},
}


@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_the_environment_of_the_hook_changes_no_verdict(laned: Machine, env: dict[str, str | None]) -> None:
    (laned.home / "noise.sh").write_text("echo welcome back\n")
    proj = laned.home / "proj"
    given = {k: (str(laned.home / v) if v == "noise.sh" else v) for k, v in env.items()}
    assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj), env=given).silent
    assert laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj), env=given).denied


@pytest.mark.parametrize("mode", ["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"])
def test_no_permission_mode_frees_a_lane(laned: Machine, mode: str) -> None:
    payload = tool("Edit", REFUSED, cwd=laned.home / "proj", permission_mode=mode)
    assert laned.fire("before-tool", payload).denied


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
@pytest.mark.parametrize("streams", ["socket", "pipe"])
def test_both_shells_and_both_kinds_of_stream_give_the_same_answer(laned: Machine, shell: str, streams: str) -> None:
    proj = laned.home / "proj"
    assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj), shell=shell, streams=streams).silent
    assert laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj), shell=shell, streams=streams).denied


def test_the_directory_of_the_event_counts_and_not_that_of_the_process(laned: Machine) -> None:
    payload = tool("Edit", REFUSED, cwd=laned.home / "proj")
    assert laned.fire("before-tool", payload, cwd="/").denied


def test_a_directory_that_is_gone_breaks_nothing(laned: Machine) -> None:
    gone = laned.home / "gone"
    assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=gone)).silent
    absolute = {**REFUSED, "file_path": str(laned.home / "proj/human/plan.md")}
    assert laned.fire("before-tool", tool("Edit", absolute, cwd=gone)).denied


def test_unknown_fields_and_a_missing_session_change_nothing(laned: Machine) -> None:
    payload = tool(
        "Edit", REFUSED, cwd=laned.home / "proj", new_field={"file_path": "src/app.py"}, effort={"level": "high"}
    )
    assert laned.fire("before-tool", payload).denied
    del payload["session_id"]
    assert laned.fire("before-tool", payload).denied


def test_a_guard_named_in_the_command_runs_alone(laned: Machine) -> None:
    payload = tool("Edit", REFUSED, cwd=laned.home / "proj")
    assert laned.fire("before-tool", payload, guard="human-lane").denied
    assert laned.fire("before-tool", payload, guard="spawn-envelope").silent


def test_a_silent_call_leaves_one_heartbeat_and_no_journal_line(laned: Machine) -> None:
    proj = laned.home / "proj"
    assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj)).silent
    beat = laned.state / "beats/claude-before-tool"
    os.utime(beat, (1, 1))
    assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj)).silent
    assert time.time() - beat.stat().st_mtime < 60
    assert laned.journal() == []
    assert not (laned.state / "sessions").exists()


def test_sixteen_hooks_at_once_lose_no_journal_line_and_refuse_nothing_falsely(laned: Machine) -> None:
    proj = laned.home / "proj"
    jobs = [tool("Edit", REFUSED if n % 2 else ORDINARY, cwd=proj) for n in range(32)]
    with ThreadPoolExecutor(16) as pool:
        fired = list(pool.map(lambda payload: laned.fire("before-tool", payload), jobs))
    assert [f.denied for f in fired] == [bool(n % 2) for n in range(32)]
    assert all(f.silent for f in fired[::2])
    assert len([line for line in laned.journal() if line["verdict"] == "deny"]) == 16


def test_hooks_that_all_find_stale_tables_agree(laned: Machine) -> None:
    proj = laned.home / "proj"
    laned.policy("human-lane", LANE.replace('"human/"', '"human/", "src/"'))
    with ThreadPoolExecutor(8) as pool:
        fired = list(pool.map(lambda _: laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj)), range(16)))
    assert all(f.denied for f in fired)


def test_killed_at_any_moment_nothing_half_written_changes_a_later_verdict(laned: Machine) -> None:
    proj = laned.home / "proj"
    payload = laned.home / "payload.json"
    import json

    payload.write_text(json.dumps(tool("Edit", REFUSED, cwd=proj)))
    for wait in [n / 1000 for n in range(0, 60, 3)]:
        laned.policy("human-lane", LANE + f"# {wait}\n")
        with payload.open() as stdin:
            child = subprocess.Popen(
                ["/bin/sh", "-c", laned.command("before-tool")],
                stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                env=laned.env(),
            )  # fmt: skip
            time.sleep(wait)
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        assert laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj)).denied
        assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj)).silent
    laned.journal()  # every line parses


# ---- guards that fail


@pytest.fixture
def copied(laned: Machine) -> Machine:
    """A machine that runs a copy of the code, which a test may break."""
    source = laned.base / "copy"
    for part in ("guards", "policy"):
        shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
    place.lay(
        str(laned.install), home=str(laned.home), checkout=str(ROOT), config=str(laned.config), state=str(laned.state),
        python=laned.places["python"], code=str(source),
    )  # fmt: skip
    return laned


def replace_guard(machine: Machine, body: str) -> None:
    """A guard of the copy gets another body, is asked first, and for every tool."""
    source = machine.base / "copy"
    (source / "guards/spawn_envelope.py").write_text(body)
    rows = source / "policy/dispatch.toml"
    row = (
        '[[guard]]\nid = "spawn-envelope"\nmodule = "guards.spawn_envelope"\nevents = ["before-tool", "after-tool"]\n\n'
    )
    others = [part for part in rows.read_text().split("\n\n") if "spawn-envelope" not in part]
    rows.write_text(row + "\n\n".join(others))


def test_a_guard_that_raises_refuses_by_name_and_the_others_still_run(copied: Machine) -> None:
    replace_guard(copied, "def judge(event, rules, world):\n    raise KeyError('tables')\n")
    fired = copied.fire("before-tool", tool("Edit", REFUSED, cwd=copied.home / "proj"))
    assert fired.denied
    assert "spawn-envelope could not judge this call (KeyError" in fired.err
    assert "guards doctor" in fired.err
    assert "human/plan.md" in fired.err
    assert "Traceback" not in fired.err


@pytest.mark.parametrize("what", ["raise SystemExit(0)", "raise KeyboardInterrupt", "import nothing_of_the_kind"])
def test_leaving_early_is_no_way_to_pass(copied: Machine, what: str) -> None:
    replace_guard(copied, f"def judge(event, rules, world):\n    {what}\n")
    assert copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj")).denied


def test_a_guard_that_does_not_parse_refuses(copied: Machine) -> None:
    replace_guard(copied, "<<<<<<< HEAD\n")
    fired = copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj"))
    assert fired.denied
    assert "spawn-envelope could not judge" in fired.err


def test_elsewhere_a_guard_that_raises_is_a_journal_line(copied: Machine) -> None:
    replace_guard(copied, "def judge(event, rules, world):\n    raise KeyError('tables')\n")
    payload = tool("Edit", ORDINARY, cwd=copied.home / "proj", event="PostToolUse", tool_response={})
    assert copied.fire("after-tool", payload).silent
    (line,) = copied.journal()
    assert (line["guard"], line["verdict"]) == ("spawn-envelope", "error")


def test_a_guard_that_spins_runs_out_of_its_time_and_refuses(copied: Machine) -> None:
    replace_guard(copied, "def judge(event, rules, world):\n    while True:\n        pass\n")
    fired = copied.fire("before-tool", tool("Edit", REFUSED, cwd=copied.home / "proj"))
    assert fired.denied
    assert "spawn-envelope could not judge this call (ran out of time)" in fired.err
    assert "human/plan.md" in fired.err


def test_a_guard_that_swallows_exceptions_cannot_swallow_its_deadline(copied: Machine) -> None:
    body = "def judge(event, rules, world):\n    while True:\n        try:\n            sum(range(1000))\n"
    replace_guard(copied, body + "        except Exception:\n            pass\n")
    assert copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj")).denied


def test_a_hang_in_c_is_ended_and_the_wired_command_refuses(copied: Machine) -> None:
    door = copied.base / "copy/guards/engine/door.py"
    door.write_text(door.read_text().replace("HARD_CPU_SECONDS = 12.0", "HARD_CPU_SECONDS = 0.5"))
    replace_guard(copied, "def judge(event, rules, world):\n    return 7 ** (10 ** 9)\n")
    fired = copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj"))
    assert fired.denied
    assert "make unwire" in fired.err
    payload = tool("Edit", ORDINARY, cwd=copied.home / "proj", event="PostToolUse", tool_response={})
    assert copied.fire("after-tool", payload).silent


def test_an_event_that_never_arrives_is_refused_before_the_harness_gives_up(copied: Machine) -> None:
    door = copied.base / "copy/guards/engine/door.py"
    door.write_text(door.read_text().replace("WALL_SECONDS = 25.0", "WALL_SECONDS = 1.0"))
    fired = copied.fire("before-tool", b'{"tool_name":', close=False)
    assert fired.denied
    assert "no whole event" in fired.err


# ---- things that are gone


def test_a_missing_interpreter_refuses_and_names_the_way_out(laned: Machine) -> None:
    (laned.install / "py").unlink()
    fired = laned.fire("before-tool", tool("Edit", ORDINARY, cwd=laned.home / "proj"))
    assert fired.denied
    assert "make unwire" in fired.err
    assert laned.fire("prompt", {"prompt": "hello"}).silent


@pytest.mark.parametrize("how", ["gone", "empty"])
def test_a_missing_or_emptied_script_refuses_and_names_the_way_out(copied: Machine, how: str) -> None:
    hook = copied.base / "copy/guards/hook.py"
    hook.unlink()
    if how == "empty":
        hook.write_text("")
    fired = copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj"))
    assert fired.denied
    assert "make unwire" in fired.err
    assert copied.fire("stop", {"stop_hook_active": False}).silent


@pytest.mark.parametrize("part", ["engine/door.py", "engine/dispatch.py", "harness/claude.py", "lanes"])
def test_a_half_updated_package_refuses(copied: Machine, part: str) -> None:
    target = copied.base / "copy/guards" / part
    shutil.rmtree(target) if target.is_dir() else target.write_text("<<<<<<< HEAD\n=======\n")
    fired = copied.fire("before-tool", tool("Edit", ORDINARY, cwd=copied.home / "proj"))
    assert fired.denied
    assert "Traceback" not in fired.err
    assert copied.fire("prompt", {"prompt": "hello"}).silent


def test_a_state_folder_that_cannot_be_written_is_said_and_judged_without_memory(laned: Machine) -> None:
    proj = laned.home / "proj"
    laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj))
    shutil.rmtree(laned.state)
    laned.state.write_text("in the way")
    fired = laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj))
    assert fired.denied
    assert "judged without memory" in fired.err


def test_policy_that_does_not_compile_leaves_the_last_good_one_in_force_and_says_so(laned: Machine) -> None:
    proj = laned.home / "proj"
    assert laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj)).denied
    laned.policy("human-lane", LANE + "typo = [\n")
    for _ in range(2):
        fired = laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj))
        assert fired.denied
        assert "the last good one is in force" in fired.err
        assert laned.fire("before-tool", tool("Edit", ORDINARY, cwd=proj)).silent
    laned.policy("human-lane", LANE)
    fired = laned.fire("before-tool", tool("Edit", REFUSED, cwd=proj))
    assert fired.denied
    assert "last good" not in fired.err


def test_policy_that_never_compiled_refuses_before_a_tool_and_is_silent_elsewhere(machine: Machine) -> None:
    machine.policy("human-lane", "typo = [\n")
    fired = machine.write("src/app.py", cwd=machine.repo())
    assert fired.denied
    assert "guards check" in fired.err
    assert machine.fire("prompt", {"prompt": "hello"}).silent
    assert machine.journal()[-1]["verdict"] == "error"


@pytest.mark.parametrize("path", [Path("x"), Path("nowhere")])
def test_a_harness_or_event_guards_does_not_know_is_no_pass(machine: Machine, path: Path) -> None:
    line = machine.command("before-tool").replace("claude before-tool", f"claude {path}", 1)
    assert machine.fire("before-tool", {}, command=line).code == 2
