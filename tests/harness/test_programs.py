"""What the hooks stand on, seen in the real programs without any guard: one hook made by hand per test.

When one of these fails after a new version of a program, the wired command or an adapter rests on something that
no longer holds.
"""

import json
import shlex
import time
import tomllib
from typing import Any

import pytest

from tests.harness.forms import Call, Json, Turn
from tests.harness.model import Request, turn
from tests.harness.rig import Rig
from tests.harness.wall import Wall
from tests.machine import ROOT

pytestmark = pytest.mark.real

EVERY = pytest.mark.parametrize("rig", ["claude", "codex", "gemini"], indirect=True)
BEFORE = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}
REFUSE = "cat >/dev/null; echo 'not this file' >&2; exit 2"


def by_hand(rig: Rig, event: str, command: str, **more: Any) -> None:
    """One hook in the owner's settings."""
    entry = {"type": "command", "command": command, "timeout": 10000 if rig.harness == "gemini" else 10, **more}
    settings = json.loads(rig.settings.read_text()) if rig.settings.exists() else {}
    settings.setdefault("hooks", {})[event] = [{"hooks": [entry]}]
    rig.settings.write_text(json.dumps(settings))


def listen(rig: Rig, *events: str) -> None:
    """Hooks that keep what they read and say nothing."""
    for event in events:
        by_hand(rig, event, f"cat >> {shlex.quote(rig.path('../heard'))}; echo >> {shlex.quote(rig.path('../heard'))}")


def heard(rig: Rig) -> list[Json]:
    lines = (rig.project / "../heard").read_text().splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@EVERY
def test_exit_2_with_a_reason_stops_the_call_and_reaches_the_model(rig: Rig) -> None:
    by_hand(rig, BEFORE[rig.harness], REFUSE)
    run = rig.run(turn(rig.write("a.txt")))
    assert not rig.there("a.txt")
    assert "not this file" in run.results()[0]


@EVERY
def test_a_silent_hook_leaves_the_call_alone(rig: Rig) -> None:
    by_hand(rig, BEFORE[rig.harness], "cat >/dev/null")
    rig.run(turn(rig.write("a.txt")))
    assert rig.there("a.txt")


@EVERY
def test_a_crashed_hook_lets_the_call_through_unless_the_line_ends_in_exit_2(rig: Rig) -> None:
    by_hand(rig, BEFORE[rig.harness], "cat >/dev/null; echo gone >&2; exit 1")
    rig.run(turn(rig.write("a.txt")))
    assert rig.there("a.txt")
    by_hand(rig, BEFORE[rig.harness], "cat >/dev/null; (echo gone >&2; exit 1) || exit 2")
    run = rig.run(turn(rig.write("b.txt")))
    assert not rig.there("b.txt")
    assert "gone" in run.results()[0]


@EVERY
def test_a_document_with_a_block_and_exit_0_stops_the_call(rig: Rig) -> None:
    by_hand(rig, BEFORE[rig.harness], """cat >/dev/null; echo '{"decision":"block","reason":"not this file"}'""")
    run = rig.run(turn(rig.write("a.txt")))
    assert not rig.there("a.txt")
    assert "not this file" in run.results()[0]


@EVERY
def test_a_session_start_note_is_in_the_first_request(rig: Rig) -> None:
    note = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "the house rule"}}
    by_hand(rig, "SessionStart", f"cat >/dev/null; echo {shlex.quote(json.dumps(note))}")
    run = rig.run()
    assert "the house rule" in run.opening()


@EVERY
def test_every_tool_it_offers_is_in_the_table(rig: Rig) -> None:
    run = rig.run(env={"ENABLE_TOOL_SEARCH": "false"})  # Claude Code: all tools at once, none behind a search
    table = tomllib.loads((ROOT / f"policy/harness/{rig.harness}.toml").read_text())
    known = {tool["name"] for tool in table["tool"]}
    assert offered(rig.harness, run.of()[0].body) - known == set()


def offered(harness: str, body: Json) -> set[str]:
    """The tools of a request under the names that hooks see."""
    if harness == "gemini":
        return {f["name"] for tool in body["tools"] for f in tool.get("functionDeclarations", [])}
    names = {tool.get("name") or tool["type"] for tool in body["tools"]}
    return {{"exec_command": "Bash"}.get(name, name) for name in names}


def test_the_payload_names_the_directory_that_the_shell_has_moved_to(claude: Rig) -> None:
    claude.put("sub/x", "")
    listen(claude, "PreToolUse")
    claude.run(turn(claude.shell("cd sub")), turn(claude.shell("pwd")))
    assert [event["cwd"] for event in heard(claude)] == [claude.path(""), claude.path("sub")]


def test_a_monitor_shows_its_command_as_a_shell_call_does(claude: Rig) -> None:
    by_hand(claude, "PreToolUse", REFUSE )
    call = Call("Monitor", {"command": "touch made", "description": "watch", "timeout_ms": 1000})
    run = claude.run(turn(call), env={"ENABLE_TOOL_SEARCH": "false"}, mode="bypassPermissions")
    assert "not this file" in run.results()[0]
    assert not claude.there("made")
    listen(claude, "PreToolUse")
    claude.run(turn(call), env={"ENABLE_TOOL_SEARCH": "false"}, mode="bypassPermissions")
    assert heard(claude)[0]["tool_input"]["command"] == "touch made"


def test_agents_of_a_workflow_carry_an_agent_id(claude: Rig) -> None:
    listen(claude, "PreToolUse")
    script = 'export const meta = {name: "w", description: "d", phases: ["p"]};\nreturn await agent("HELPER-ONE");'

    def wait_for_helper(_: Request) -> Turn:
        end = time.monotonic() + 20
        while not claude.there("made") and time.monotonic() < end:
            time.sleep(0.1)
        return Turn(text="done")

    claude.run(
        turn(Call("Workflow", {"script": script})),
        wait_for_helper,
        subagents={"HELPER-ONE": [turn(claude.write("made"))]},
        mode="bypassPermissions",
    )
    events = heard(claude)
    assert [event["tool_name"] for event in events] == ["Workflow", "Write"]
    assert events[1]["agent_id"]
    assert events[1]["session_id"] == events[0]["session_id"]


def test_a_worktree_moves_the_directory_that_the_payload_names(claude: Rig) -> None:
    claude.git("commit", "-q", "--allow-empty", "-m", "first")
    listen(claude, "PreToolUse")
    inside = ".claude/worktrees/side"
    claude.run(
        turn(Call("EnterWorktree", {"name": "side"})),
        turn(claude.write(f"{inside}/a.txt")),
        env={"ENABLE_TOOL_SEARCH": "false"},
        mode="bypassPermissions",
    )
    assert heard(claude)[1]["cwd"] == claude.path(inside)
    assert claude.there(f"{inside}/.git")


def test_a_project_can_put_its_own_program_before_every_shell_form_hook(claude: Rig) -> None:
    """The setting that can silence a hook in shell form; a hook in exec form (`args`) still runs."""
    silent = claude.put("silent", "#!/bin/sh\nexit 0\n")
    silent.chmod(0o755)
    claude.put(".claude/settings.json", json.dumps({"env": {"CLAUDE_CODE_SHELL_PREFIX": str(silent)}}))
    by_hand(claude, "PreToolUse", REFUSE)
    claude.run(turn(claude.write("a.txt")))
    assert claude.there("a.txt")
    by_hand(claude, "PreToolUse", "/bin/sh", args=["-c", REFUSE])
    run = claude.run(turn(claude.write("b.txt")))
    assert "not this file" in run.results()[0]
    assert not claude.there("b.txt")


def test_a_question_is_put_to_the_person_at_the_terminal(claude: Rig) -> None:
    asks = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "shall it?"}
    by_hand(claude, "PreToolUse", f"cat >/dev/null; echo {shlex.quote(json.dumps({'hookSpecificOutput': asks}))}")
    script = [turn(claude.write("a.txt")), turn(claude.write("b.txt"))]
    with claude.at_terminal(*script, mode="bypassPermissions") as terminal:
        terminal.wait_for("shall it?")
        assert not claude.there("a.txt")
        terminal.wait_for("create a.txt")
        terminal.press("\r")  # the first answer is yes
        assert terminal.wait_until(claude.path("a.txt"))
        terminal.wait_for("create b.txt")
        terminal.press("2")  # no
        terminal.wait_for("Rejected write to b.txt")
    assert not claude.there("b.txt")


def test_a_project_can_switch_every_hook_off_but_not_the_deny_rules(claude: Rig) -> None:
    by_hand(claude, "PreToolUse", REFUSE)
    rule = {"permissions": {"deny": [f"Edit(/{claude.path('kept')}/**)"]}}
    claude.settings.write_text(json.dumps({**json.loads(claude.settings.read_text()), **rule}))
    claude.put(".claude/settings.json", json.dumps({"disableAllHooks": True}))
    claude.put("kept/a.txt", "one\n")
    run = claude.run(
        turn(claude.write("free.txt")),
        turn(claude.write("kept/b.txt")),
        turn(claude.shell(f"echo x > {claude.path('kept/c.txt')}")),
        turn(claude.shell("echo x | tee kept/d.txt")),
        turn(claude.shell("sed -i s/one/two/ kept/a.txt")),
        mode="bypassPermissions",
    )
    assert claude.there("free.txt")
    assert [path.name for path in (claude.project / "kept").iterdir()] == ["a.txt"]
    assert (claude.project / "kept/a.txt").read_text() == "one\n"
    assert all("denied" in result for result in run.results()[1:])


@pytest.mark.parametrize("project", [{"disableAllHooks": True}, {"env": {"CLAUDE_CODE_SHELL_PREFIX": "/bin/true"}}])
def test_a_managed_hook_is_out_of_a_projects_reach(claude: Rig, wall: Wall, project: Json) -> None:
    entry = {"type": "command", "command": REFUSE}
    wall.settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}))
    claude.put(".claude/settings.json", json.dumps(project))
    run = claude.run(turn(claude.write("a.txt")), wrap=wall.wrap())
    assert not claude.there("a.txt")
    assert "not this file" in run.results()[0]


def test_a_command_with_a_directory_of_its_own_names_it_as_cwd(codex: Rig) -> None:
    codex.put("sub/x", "")
    listen(codex, "PreToolUse")
    codex.run(turn(Call("exec_command", {"cmd": "pwd", "workdir": codex.path("sub")})))
    assert heard(codex)[0]["cwd"] == codex.path("sub")
    assert heard(codex)[0]["tool_input"] == {"command": "pwd"}


def test_what_is_typed_into_an_open_shell_passes_no_hook(codex: Rig) -> None:
    """A limit of the program, not of a guard: `write_stdin` fires no event at all."""
    listen(codex, "PreToolUse", "PostToolUse")

    def type_into_it(request: Request) -> Turn:
        number = int(request.new[-1].text.split("session ID ")[1].split()[0])
        return turn(Call("write_stdin", {"session_id": number, "chars": "touch made\n", "yield_time_ms": 1000}))

    codex.run(turn(Call("exec_command", {"cmd": "bash", "tty": True, "yield_time_ms": 300})), type_into_it)
    assert codex.there("made")
    assert [event["tool_input"] for event in heard(codex)] == [{"command": "bash"}]


def test_a_command_with_a_directory_of_its_own_names_it_in_the_input(gemini: Rig) -> None:
    gemini.put("sub/x", "")
    listen(gemini, "BeforeTool")
    call = gemini.shell("touch made")
    gemini.run(turn(Call(call.name, {**dict(call.input), "dir_path": "sub"})))  # type: ignore[arg-type]
    assert gemini.there("sub/made")
    assert heard(gemini)[0]["cwd"] == gemini.path("")
    assert heard(gemini)[0]["tool_input"]["dir_path"] == "sub"
