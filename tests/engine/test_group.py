"""An owner's other hooks share the one process: each is heard, none can end or silence another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guards.engine.child import Job, together
from tests.machine import SESSION, Fired, Machine, tool

Hook = Callable[..., None]
PRE = {"hookEventName": "PreToolUse"}


@pytest.fixture
def hook(machine: Machine) -> Hook:
    """Declares a command of the owner: a name, its program's text, and what its row says besides."""
    rows: list[str] = []

    def add(name: str, body: str, *, lang: str = "/bin/sh", events: str = "before-tool", **more: Any) -> None:
        script = machine.home / "bin" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!{lang}\n{body}\n")
        script.chmod(0o755)
        row = {"id": name, "run": [str(script)], "events": events.split(), "harnesses": ["claude"], **more}
        lines = [f"{key} = {json.dumps(value)}" for key, value in row.items()]
        rows.append("[[command]]\n" + "\n".join(lines) + "\n")
        machine.policy("dispatch", "\n".join(rows))

    return add


def say(document: dict[str, Any]) -> str:
    return f"cat >/dev/null; cat <<'END'\n{json.dumps(document)}\nEND"


def refuse(machine: Machine, reason: str = "not on a Friday") -> str:
    return say({"hookSpecificOutput": {**PRE, "permissionDecision": "deny", "permissionDecisionReason": reason}})


def read(machine: Machine, **more: Any) -> Fired:
    """A call that no guard judges."""
    return machine.fire("before-tool", tool("Read", {"file_path": "/etc/hosts"}, cwd=machine.home), **more)


# ---- what is carried on


def test_a_silent_command_leaves_the_event_silent(machine: Machine, hook: Hook) -> None:
    hook("quiet", f"cat >{machine.home}/seen")
    assert read(machine).silent
    assert (machine.home / "seen").exists()


def test_it_gets_the_event_byte_for_byte_as_the_harness_sent_it(machine: Machine, hook: Hook) -> None:
    hook("tee", f"cat >{machine.home}/seen")
    payload = '{ "tool_name":"Read" ,"tool_input":{"n":1.0,"t":"é\\ud800"},\r\n"hook_event_name":"PreToolUse"}\n'
    assert machine.fire("before-tool", payload).silent
    assert (machine.home / "seen").read_bytes() == payload.encode()


def test_three_megabytes_reach_a_command_whole(machine: Machine, hook: Hook) -> None:
    hook("count", f"wc -c >{machine.home}/seen")
    payload = json.dumps(tool("Read", {"file_path": "x" * 3_000_000}))
    assert machine.fire("before-tool", payload).silent
    assert int((machine.home / "seen").read_text()) == len(payload)


def test_its_environment_and_directory_are_the_hooks_own(machine: Machine, hook: Hook) -> None:
    hook("where", f'echo "$CLAUDE_PROJECT_DIR $PWD" >{machine.home}/seen')
    read(machine, env={"CLAUDE_PROJECT_DIR": "/p q"}, cwd=machine.home)
    assert (machine.home / "seen").read_text() == f"/p q {machine.home}\n"


@pytest.mark.parametrize(
    "body",
    [
        "echo 'not on a Friday' >&2; exit 2",
        say(
            {"hookSpecificOutput": {**PRE, "permissionDecision": "deny", "permissionDecisionReason": "not on a Friday"}}
        ),
        say({"decision": "block", "reason": "not on a Friday"}),
        say({"continue": False, "stopReason": "not on a Friday"}),
        say({"decision": "block", "reason": "not on a Friday", "key": "that nobody knows"}),
        say({"decision": "block", "reason": "not on a Friday"}) + "\nexit 1",
        say({"decision": "allow"}) + "\necho 'not on a Friday' >&2; exit 2",
    ],
    ids=["exit 2", "permission", "block", "continue", "unknown key", "with exit 1", "exit 2 beats allow"],
)
def test_every_form_of_refusal_refuses_with_its_reason(machine: Machine, hook: Hook, body: str) -> None:
    hook("friday", body)
    fired = read(machine)
    assert fired.denied
    assert "not on a Friday" in fired.err
    assert "friday" in fired.err


def test_an_allow_is_silence(machine: Machine, hook: Hook) -> None:
    hook("yes", say({"hookSpecificOutput": {**PRE, "permissionDecision": "allow"}}))
    assert read(machine).silent


def test_a_question_is_asked_where_there_is_one(machine: Machine, hook: Hook) -> None:
    hook("sure", say({"hookSpecificOutput": {**PRE, "permissionDecision": "ask", "permissionDecisionReason": "sure?"}}))
    answer = read(machine).document["hookSpecificOutput"]
    assert answer["permissionDecision"] == "ask"
    assert "sure?" in answer["permissionDecisionReason"]


def test_a_question_is_a_refusal_where_there_is_none(machine: Machine, hook: Hook) -> None:
    answer = {"hookSpecificOutput": {**PRE, "permissionDecision": "ask", "permissionDecisionReason": "sure?"}}
    hook("sure", say(answer), harnesses=["codex"])
    fired = read(machine, harness="codex", streams="pipe")
    assert fired.denied
    assert "sure?" in fired.err


def test_notes_of_several_commands_come_in_one_document(machine: Machine, hook: Hook) -> None:
    hook("one", say({"hookSpecificOutput": {**PRE, "additionalContext": "first"}}))
    hook("two", say({"systemMessage": "second"}))
    assert read(machine).note.split("\n\n") == ["first", "second"]


def test_all_refusals_of_an_event_are_joined(machine: Machine, hook: Hook) -> None:
    hook("one", refuse(machine, "first reason"))
    hook("two", "echo second reason >&2; exit 2", order=1)
    fired = read(machine)
    assert fired.denied
    assert "first reason" in fired.err
    assert "second reason" in fired.err


def test_plain_text_is_context_only_where_the_harness_takes_it_so(machine: Machine, hook: Hook) -> None:
    hook("motd", "cat >/dev/null; echo good morning", events="session-start before-tool")
    start = {"session_id": SESSION, "cwd": str(machine.home), "hook_event_name": "SessionStart", "source": "startup"}
    assert machine.fire("session-start", start).note == "good morning"
    assert read(machine).silent


def test_a_refusal_after_the_tool_becomes_a_note(machine: Machine, hook: Hook) -> None:
    hook("lint", say({"decision": "block", "reason": "3 lint errors"}), events="after-tool")
    payload = tool("Write", {"file_path": "a", "content": ""}, event="PostToolUse", tool_response="ok")
    assert machine.fire("after-tool", payload).note == "3 lint errors"


def test_a_refusal_where_nothing_can_be_refused_leaves_only_a_journal_line(machine: Machine, hook: Hook) -> None:
    hook("no", "echo no >&2; exit 2", events="session-start")
    start = {"session_id": SESSION, "cwd": str(machine.home), "hook_event_name": "SessionStart", "source": "startup"}
    assert machine.fire("session-start", start).silent
    assert "refused where nothing can be refused" in machine.journal()[-1]["why"]


def test_a_stop_is_held_with_the_block_document(machine: Machine, hook: Hook) -> None:
    hook("tests", "echo run the tests first >&2; exit 2", events="stop")
    fired = machine.fire("stop", {"session_id": SESSION, "cwd": "/", "hook_event_name": "Stop"})
    assert fired.code == 0
    assert fired.document["decision"] == "block"
    assert "run the tests first" in fired.document["reason"]


def test_a_replaced_output_is_carried_on(machine: Machine, hook: Hook) -> None:
    answer = {
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": [{"type": "text", "text": "s"}]}
    }
    hook("shorten", say(answer), events="after-tool")
    payload = tool("mcp__a__b", {}, event="PostToolUse", tool_response="long")
    document = machine.fire("after-tool", payload).document
    assert document["hookSpecificOutput"]["updatedToolOutput"] == [{"type": "text", "text": "s"}]


# ---- what is no answer

BROKEN = {
    "exit 1": ("exit 1", "exit 1"),
    "exit 127": ("nosuchprogram", "exit 127"),
    "killed": ("kill -9 $$", "signal 9"),
    "half a document": ('printf \'{"decision": "blo\'', "half a document"),
    "two documents": ("echo '{}'; echo '{}'", "half a document, or text around one"),
    "text before it": ("echo hi; echo '{}'", "text before its document"),
    "another event's": (say({"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "x"}}), "for Stop"),
    "no decision": (say({"decision": "perhaps"}), "no decision"),
    "wrong type": (say({"decision": "block", "reason": 5}), "no text"),
    "a rewritten call": (say({"hookSpecificOutput": {**PRE, "updatedInput": {"a": 1}}}), "entry of its own"),
    "a flood": ("yes", "more than 1024 KiB"),
    "a hang": ("exec sleep 60", "out of time"),
}


@pytest.mark.parametrize(("body", "why"), BROKEN.values(), ids=BROKEN)
def test_a_command_without_a_usable_answer_refuses_before_a_tool(
    machine: Machine, hook: Hook, body: str, why: str
) -> None:
    hook("frail", body, timeout=1)
    fired = read(machine)
    assert fired.denied
    assert "the hook frail could not judge this call" in fired.err
    assert why in fired.err
    assert "Traceback" not in fired.err


@pytest.mark.parametrize(("body", "why"), BROKEN.values(), ids=BROKEN)
def test_and_lets_the_call_pass_when_its_row_says_so(machine: Machine, hook: Hook, body: str, why: str) -> None:
    hook("frail", body, timeout=1, fails="open")
    assert read(machine).silent
    line = machine.journal()[-1]
    assert (line["guard"], line["verdict"]) == ("frail", "error")
    assert why in line["why"]


def test_no_answer_at_a_stop_never_traps_it(machine: Machine, hook: Hook) -> None:
    hook("frail", "exit 1", events="stop prompt")
    assert machine.fire("stop", {"session_id": SESSION, "hook_event_name": "Stop"}).silent
    assert machine.fire("prompt", {"session_id": SESSION, "hook_event_name": "UserPromptSubmit", "prompt": "x"}).silent


def test_a_missing_program_has_not_answered(machine: Machine, hook: Hook) -> None:
    hook("gone", "exit 0")
    (machine.home / "bin/gone").unlink()
    fired = read(machine)
    assert fired.denied
    assert "could not be started: no such file" in fired.err


def test_a_missing_script_is_no_refusal_of_its_interpreter(machine: Machine, hook: Hook) -> None:
    """`python3 /missing.py` ends with 2, which at a stop would trap the session."""
    row = 'id = "gone"\nrun = ["/usr/bin/python3", "-I", "/nowhere/x.py"]\nevents = ["stop"]\nharnesses = ["claude"]\n'
    machine.policy("dispatch", "[[command]]\n" + row)
    assert machine.fire("stop", {"session_id": SESSION, "hook_event_name": "Stop"}).silent
    assert "has no script /nowhere/x.py" in machine.journal()[-1]["why"]


def test_a_command_that_does_not_read_its_input_has_answered(machine: Machine, hook: Hook) -> None:
    hook("deaf", "exit 0")
    assert machine.fire("before-tool", tool("Read", {"file_path": "x" * 500_000})).silent


# ---- nobody else is touched

BULLIES = {
    "exits at once": "exit 0",
    "hangs": "exec sleep 60",
    "ignores its end": "trap '' TERM HUP INT; while :; do sleep 5; done",
    "floods both": "yes & exec yes >&2",
    "kills its group": "kill -9 0",
    "kills its parent's group": "kill -9 -$(ps -o pgid= -p $PPID | tr -d ' ')",
    "stops its parent": "kill -STOP $PPID; exec sleep 60",
    "leaves a child with its output": "sleep 60 & exit 0",
    "prints half a document": "printf '{\"hookSpecificOutput\":'",
    "closes its streams": "exec 0<&- 1>&- 2>&-; exec sleep 60",
    "prints escapes": "printf '\\033[2J\\033]0;x\\007' >&2; exit 1",
}


@pytest.mark.parametrize("body", BULLIES.values(), ids=BULLIES)
@pytest.mark.parametrize("order", [0, 1], ids=["beside", "before"])
def test_a_command_can_neither_end_nor_silence_another(machine: Machine, hook: Hook, body: str, order: int) -> None:
    hook("bully", body, timeout=1, fails="open")
    hook("friday", "sleep 0.2\n" + refuse(machine), order=order)
    fired = read(machine)
    assert fired.denied
    assert "not on a Friday" in fired.err
    assert "bully" not in fired.err
    assert fired.seconds < 6


def test_nothing_of_a_command_is_alive_afterwards(machine: Machine, hook: Hook) -> None:
    hook(
        "forks",
        f"(sleep 2; touch {machine.home}/late) & (sleep 2; touch {machine.home}/late) & exec sleep 9",
        timeout=1,
    )
    assert read(machine).denied
    time.sleep(1.6)
    assert not (machine.home / "late").exists()


def test_when_the_harness_kills_the_hook_its_commands_end_too(machine: Machine, hook: Hook) -> None:
    mark = machine.home / "pid"
    hook("long", f"echo $$ >{mark}.part; mv {mark}.part {mark}; exec sleep 60", timeout=15)
    child = subprocess.Popen(
        ["/bin/sh", "-c", machine.command("before-tool")], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, env=machine.env(), cwd=machine.home,
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(json.dumps(tool("Read", {"file_path": "x"})).encode())
    child.stdin.close()
    until = time.monotonic() + 10
    while not mark.exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert gone(int(mark.read_text()))


def gone(pid: int) -> bool:
    """Whether the process ends within two seconds; a body nobody buried counts as gone."""
    until = time.monotonic() + 2
    while time.monotonic() < until:
        try:
            text = Path(f"/proc/{pid}/stat").read_text()
        except FileNotFoundError:
            return True
        if text.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_commands_of_one_order_run_at_the_same_time(machine: Machine, hook: Hook) -> None:
    for name in ("a", "b", "c"):
        hook(name, "sleep 0.8")
    fired = read(machine)
    assert fired.silent
    assert fired.seconds < 2


def test_orders_run_one_after_another(machine: Machine, hook: Hook) -> None:
    log = machine.home / "log"
    hook("late", f"echo late >>{log}", order=2)
    hook("early", f"sleep 0.3; echo early >>{log}", order=1)
    assert read(machine).silent
    assert log.read_text() == "early\nlate\n"


def test_thirty_two_calls_on_eight_workers_refuse_nothing(machine: Machine, hook: Hook) -> None:
    hook("one", "cat >/dev/null")
    hook("two", say({}), order=1)
    results: list[Fired] = []
    todo = list(range(32))

    def work() -> None:
        while todo:
            todo.pop()
            results.append(read(machine))

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(results) == 32
    assert all(fired.silent for fired in results), [f for f in results if not f.silent]


# ---- who is asked


def test_only_the_tools_of_its_row_reach_it(machine: Machine, hook: Hook) -> None:
    hook("shells", "echo no >&2; exit 2", tools=["shell"], match=["mcp__deploy__*"])
    assert read(machine).silent
    assert machine.fire("before-tool", tool("mcp__deploy__now", {})).denied
    assert machine.bash("true").denied


def test_only_the_harnesses_of_its_row_reach_it(machine: Machine, hook: Hook) -> None:
    hook("claudes", "echo no >&2; exit 2")
    assert read(machine).denied
    assert read(machine, harness="codex", streams="pipe").silent


def test_one_command_alone_can_be_fired_by_its_name(machine: Machine, hook: Hook) -> None:
    hook("one", "echo one >&2; exit 2")
    hook("two", "echo two >&2; exit 2")
    fired = read(machine, guard="two")
    assert fired.denied
    assert "one" not in fired.err.replace("tone", "")


def test_a_pause_and_the_off_switch_reach_it(machine: Machine, hook: Hook) -> None:
    hook("friday", "echo no >&2; exit 2")
    assert read(machine, env={"GUARDS_OFF": "friday"}).denied  # not the harness's own environment: it does not count
    (machine.state / "pause").write_text(f"{time.time() + 60}\n")
    (machine.state / "pause").chmod(0o600)
    assert read(machine).silent


def test_a_probe_starts_no_command(machine: Machine, hook: Hook) -> None:
    hook("friday", f"touch {machine.home}/ran; exit 2")
    assert machine.fire("before-tool", tool("Read", {"file_path": "x"}, session_id="guards-fire-1")).silent
    assert not (machine.home / "ran").exists()


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ('run = ["lint.sh"]', "begins with an absolute path"),
        ("run = []", "begins with an absolute path"),
        ('run = ["/a"]\ntimeout = 900', "must be at most 20"),
        ('run = ["/a"]\ntimeout = nan', "expected a number, found nan"),
        ('run = ["/a"]\ntimeout = true', "expected a number, found true"),
        ('run = ["/a"]\ntimeout = "5"', "expected a number, found a string"),
        ('run = ["/a "]', "ends or begins with a space"),
        ('run = ["/a\\u0000"]', "holds a control character"),
        ('run = "/a"', "expected a list of strings"),
        ('run = ["/a"]\nfails = "maybe"', "'maybe' is none of"),
        ('run = ["/a"]\nevents = ["permission"]', "'permission' is none of"),
        ('run = ["/a"]\nid = "human-lane"', "is the name of a guard"),
    ],
)  # fmt: skip
def test_a_faulty_row_is_named_with_its_place(machine: Machine, row: str, fault: str) -> None:
    from guards.compile.build import build

    lines = {"id": 'id = "x"', "events": 'events = ["stop"]', "harnesses": 'harnesses = ["claude"]'}
    keep = [line for key, line in lines.items() if f"\n{key} =" not in f"\n{row}"]
    machine.policy("dispatch", "[[command]]\n" + "\n".join([*keep, row]) + "\n")
    faults = build(machine.places, names=["dispatch"]).faults
    assert any("command[0]" in line and fault in line for line in faults), faults


def test_commands_that_would_outlast_the_hook_are_a_fault(machine: Machine, hook: Hook) -> None:
    from guards.compile.build import build

    hook("one", "exit 0", timeout=12, order=0)
    hook("two", "exit 0", timeout=12, order=1)
    assert "they may take 24 s, more than 20 s" in build(machine.places, names=["dispatch"]).faults[0]


def test_the_same_command_twice_at_one_event_is_a_fault(machine: Machine) -> None:
    from guards.compile.build import build

    row = '[[command]]\nid = "{}"\nrun = ["/bin/{}"]\nevents = ["stop"]\nharnesses = ["claude"]\n'
    machine.policy("dispatch", row.format("a", "True") + row.format("b", "true"))
    assert "is the same as command[0].run" in build(machine.places, names=["dispatch"]).faults[0]


def test_a_repository_declares_no_commands(machine: Machine) -> None:
    row = '[[command]]\nid = "x"\nrun = ["/bin/false"]\nevents = ["before-tool"]\nharnesses = ["claude"]\n'
    root = machine.repo(files={".guards/dispatch.toml": row})
    assert machine.fire("before-tool", tool("Read", {"file_path": "x"}, cwd=root)).silent


# ---- the machinery by itself


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_command_that_kills_its_keeper_is_cut_off_and_ended(tmp_path: Path) -> None:
    job = Job(["/bin/sh", "-c", f"echo $$ >{tmp_path}/pid; kill -9 $PPID; sleep 60"], "/", 5, 100)
    started = time.monotonic()
    together([job])
    assert (job.code, job.why) == (None, "was cut off: its keeper was killed")
    assert time.monotonic() - started < 2
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_broken_pipes_end_a_command_as_they_do_in_a_shell() -> None:
    job = Job(["/bin/bash", "-c", "yes | head -1; echo ${PIPESTATUS[0]}"], "/", 5, 100)
    together([job])
    assert job.out == b"y\n141\n"
