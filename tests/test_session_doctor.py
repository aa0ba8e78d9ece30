"""The session doctor: what it runs, what it may not run, what it shows, and what it says about Guards itself."""

from __future__ import annotations

import json
import os
import shlex
import stat
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.machine import HARNESS, Fired, Machine
from tests.test_modules import NEVER, loaded

REPORT = """[ok  ] context budget: 12,001 of 20,000
[warn] graph is 12 days old
[info] 3 notes
[FAIL] hook-drift: Write fires twice
[ok  ] audit: not run (no key)
21 checks, 1 failing, 2 due
"""
QUIET = "echo '2 checks, 0 failing, 0 due'"


def event(root: Path, source: str = "startup") -> dict[str, Any]:
    return {"session_id": "s-1", "cwd": str(root), "hook_event_name": "SessionStart", "source": source}


def program(path: Path, body: str, head: str = "#!/bin/sh") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}\n{body}\n")
    path.chmod(0o755)
    return path


def report(text: str, code: int = 0) -> str:
    return f"cat <<'END'\n{text.rstrip()}\nEND\nexit {code}"


class Desk:
    """A repository with a marker, and a search path whose first folder is the owner's."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.root = machine.repo(files={"CLAUDE.md": "# rules\n"})
        self.bin = machine.home / "bin"
        self.path = f"{self.bin}:/usr/bin:/bin"

    def start(self, root: Path | None = None, source: str = "startup", **launched: str) -> Fired:
        return self.launched({}, root, source, **launched)

    def launched(self, added: dict[str, str], root: Path | None = None, source: str = "startup", **own: str) -> Fired:
        """A session start in a harness that was launched with `own`; `added` comes to the hook from elsewhere."""
        line = shlex.join([sys.executable, "-c", HARNESS, self.machine.command("session-start"), json.dumps(added)])
        where = root or self.root
        env: dict[str, str | None] = {"PATH": self.path, "CLAUDE_PROJECT_DIR": str(where), **own}
        return self.machine.fire("session-start", event(where, source), command=f"exec {line}", env=env)

    def doctor(self, body: str) -> Path:
        return program(self.bin / "pantry", body)


@pytest.fixture
def desk(machine: Machine) -> Desk:
    return Desk(machine)


# ---- where it speaks


def test_a_folder_without_a_marker_is_silent(desk: Desk) -> None:
    desk.doctor(report(REPORT))
    assert desk.start(desk.machine.repo("scratch")).silent


def test_a_repository_that_never_had_a_doctor_is_silent(desk: Desk) -> None:
    assert desk.start().silent


@pytest.mark.parametrize("marker", ["CLAUDE.md", "pantry.config.json", "pantry.config.ts"])
def test_each_marker_makes_it_speak(desk: Desk, marker: str) -> None:
    desk.doctor(QUIET)
    assert "2 checks" in desk.start(desk.machine.repo("other", files={marker: ""})).note


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_it_speaks_at_every_start_of_a_session(desk: Desk, source: str) -> None:
    desk.doctor(report(REPORT, 1))
    desk.start(source=source)
    assert "hook-drift" in desk.start(source=source).note


def test_a_session_opened_in_a_subfolder_finds_the_marker_above(desk: Desk) -> None:
    desk.doctor("pwd; echo '2 checks, 0 failing'")
    sub = desk.root / "src/deep"
    sub.mkdir(parents=True)
    assert f"cd {desk.root} &&" in desk.start(sub).note


def test_a_marker_above_the_repository_is_not_its_own(desk: Desk) -> None:
    desk.doctor(QUIET)
    (desk.machine.home / "CLAUDE.md").write_text("")
    assert desk.start(desk.machine.repo("inner")).silent


def test_a_space_in_the_repositorys_path_does_no_harm(desk: Desk) -> None:
    desk.doctor(report(REPORT, 1))
    note = desk.start(desk.machine.repo("My Repo", files={"CLAUDE.md": ""})).note
    assert "hook-drift" in note
    assert f"cd '{desk.machine.home}/My Repo' && {desk.bin}/pantry doctor" in note


# ---- what it shows


def test_warnings_failures_and_not_run_rows_are_shown_and_passing_ones_dropped(desk: Desk) -> None:
    desk.doctor(report(REPORT, 1))
    fired = desk.start()
    assert (fired.code, fired.err) == (0, "")
    assert fired.note.splitlines() == [
        "session doctor, proj:",
        "  warn     graph is 12 days old",
        "  FAIL     hook-drift: Write fires twice",
        "  not run  audit: not run (no key)",
        "21 checks, 1 failing, 2 due",
        f"whole report: cd {desk.root} && {desk.bin}/pantry doctor",
    ]


def test_a_clean_report_is_its_count(desk: Desk) -> None:
    desk.doctor(report("[ok  ] a\n[ok  ] b\n2 checks, 0 failing, 0 due"))
    assert desk.start().note.splitlines()[1] == "2 checks, 0 failing, 0 due"


@pytest.mark.parametrize(("shown", "counted"), [(0, 1), (1, 0), (1, 3)])
def test_it_says_when_shown_and_counted_failures_differ(desk: Desk, shown: int, counted: int) -> None:
    desk.doctor(report("[FAIL] x\n" * shown + f"9 checks, {counted} failing"))
    assert f"it counts {counted} failing and {shown} could be read" in desk.start().note


def test_it_does_not_say_so_when_they_agree(desk: Desk) -> None:
    desk.doctor(report("[FAIL] x\n[fail] y\n9 checks, 2 failing"))
    assert "could be read" not in desk.start().note


@pytest.mark.parametrize("word", ["FAIL", "fail", "Fail", "FAIL ", "error"])
def test_the_case_of_a_severity_makes_no_difference(desk: Desk, word: str) -> None:
    desk.doctor(report(f"[{word}] the one that counts\n1 checks, 1 failing"))
    assert "  FAIL     the one that counts" in desk.start().note


JSON = [
    {
        "checks": [{"id": "a", "status": "ok"}, {"id": "b", "status": "FAIL", "message": "bad"}],
        "summary": {"checks": 2, "failing": 1},
    },
    {"results": [{"name": "a", "ok": True}, {"name": "b", "ok": False, "detail": "bad"}], "checks": 2, "failing": 1},
    [{"title": "a", "severity": "pass"}, {"title": "b", "level": "error", "text": "bad"}],
]


@pytest.mark.parametrize("document", JSON, ids=["rows and summary", "booleans", "bare list"])
def test_a_report_in_json_reads_the_same(desk: Desk, document: Any) -> None:
    desk.doctor(report(json.dumps(document, indent=1)))
    note = desk.start().note
    assert "  FAIL     b: bad" in note
    assert "  warn" not in note
    if isinstance(document, dict):
        assert "2 checks, 1 failing" in note


def test_a_long_report_keeps_its_failures_and_counts_the_rest(desk: Desk) -> None:
    desk.doctor(
        report("\n".join([f"[warn] w{n} " + "x" * 60 for n in range(40)]) + "\n[FAIL] last\n41 checks, 1 failing")
    )
    note = desk.start().note
    assert "FAIL     last" in note
    assert len(note) < 1500
    shown = note.count("  warn ")
    assert f"not shown: {40 - shown} warn" in note


def test_a_long_row_is_clipped(desk: Desk) -> None:
    desk.doctor(report("[FAIL] " + "y" * 5000 + "\n1 checks, 1 failing"))
    assert len(desk.start().note) < 600


HOSTILE = {
    "terminal sequences": ("\\033[2J\\033[31mred\\033[0m", "red"),
    "a window title": ("\\033]0;owned\\007title", "title"),
    "an eight bit sequence": ("\\302\\233" + "31mred", "red"),
    "a bell and a backspace": ("a\\007\\010b", "a  b"),
    "turned text": ("\\342\\200\\256evil", "evil"),
    "invisible letters": ("a\\342\\200\\213b", "ab"),
    "bad UTF-8": ("a\\377b", "a\ufffdb"),
    "a cut sequence": ("x\\033", "x"),
}


@pytest.mark.parametrize(("printed", "shown"), HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_acts_on_a_terminal_or_hides_is_passed_on(desk: Desk, printed: str, shown: str) -> None:
    desk.doctor(f"printf '[FAIL] {printed}\\n1 checks, 1 failing\\n'")
    note = desk.start().note
    assert f"  FAIL     {shown}\n" in note
    assert all(c.isprintable() or c == "\n" for c in note)


# ---- not run


def not_run(fired: Fired) -> str:
    assert (fired.code, fired.err) == (0, "")
    lines = fired.note.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("session doctor: NOT RUN in ")
    assert "FAIL" not in lines[0]
    return lines[0]


BROKEN = {
    "hangs": ("exec sleep 60", "ran out of time (1 s)"),
    "hangs and ignores its end": ("trap '' TERM INT HUP; while :; do sleep 5; done", "ran out of time"),
    "floods": ("exec yes", "printed more than 16384 KiB"),
    "prints nothing": ("exit 1", "ended with 1 and printed no report"),
    "prints something else": ("echo '-- pantry: unknown verb doctor'; exit 2", "its first words: '-- pantry"),
    "is killed": ("kill -9 $$", "ended with -9 and printed no report"),
    "kills its parent": ("kill -9 $PPID; sleep 3", "was cut off"),
    "prints half a document": ("printf '{\"checks\":['", "printed no report"),
}


@pytest.mark.parametrize(("body", "why"), BROKEN.values(), ids=BROKEN)
def test_a_doctor_that_does_not_report_is_said_not_to_have_run(desk: Desk, body: str, why: str) -> None:
    desk.machine.policy("session-doctor", "seconds = 1")
    desk.doctor(body)
    fired = desk.start()
    assert why in not_run(fired)
    assert fired.seconds < 8


def test_a_doctor_that_leaves_a_child_behind_is_still_heard(desk: Desk) -> None:
    desk.doctor("sleep 30 &\n" + QUIET)
    fired = desk.start()
    assert "2 checks, 0 failing" in fired.note
    assert fired.seconds < 5


def test_a_doctor_that_ends_oddly_after_its_report_is_heard_with_that(desk: Desk) -> None:
    desk.doctor(report(REPORT, 7))
    assert "it ended with 7" in desk.start().note


def test_a_doctor_that_was_found_once_is_missed(desk: Desk) -> None:
    found = desk.doctor(QUIET)
    desk.start()
    found.unlink()
    assert "no rung leads to a doctor" in not_run(desk.start())
    assert desk.start(desk.machine.repo("never", files={"CLAUDE.md": ""})).silent


def test_a_variable_that_leads_nowhere_is_said(desk: Desk) -> None:
    assert "names /missing/cli.ts, which is not there" in not_run(desk.start(PANTRY_CLI="/missing/cli.ts"))


def test_a_path_of_the_owner_that_leads_nowhere_is_said(desk: Desk) -> None:
    desk.machine.policy("session-doctor", '[[rung]]\nid = "absolute"\nkind = "absolute"\npath = "~/gone/cli.ts"\n')
    line = not_run(desk.start())
    assert f"names {desk.machine.home}/gone/cli.ts" in line
    assert "policy/session-doctor.toml" in line


def test_a_missing_interpreter_is_said(desk: Desk) -> None:
    cli = program(desk.machine.home / "pantry-own/cli.ts", "")
    desk.machine.policy("session-doctor", "folders = []\n")
    assert "bun, which is to run" in not_run(desk.start(PANTRY_CLI=str(cli)))


# ---- rungs and trust


def bun(desk: Desk) -> None:
    """A stand-in for bun: runs its file with sh."""
    program(desk.bin / "bun", 'exec /bin/sh "$@"')


def cli(path: Path, name: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"echo \"[warn] from {name}, asked $*\"; echo '1 checks, 0 failing'\n")
    return path


def test_each_rung_leads_to_a_doctor_by_itself(desk: Desk) -> None:
    bun(desk)
    home = desk.machine.home
    desk.machine.policy(
        "session-doctor",
        f'repositories = ["~/*"]\n[[rung]]\nid = "absolute"\nkind = "absolute"\npath = "{home}/estate/cli.ts"\n',
    )
    cli(home / "estate/cli.ts", "absolute")
    assert "from absolute, asked doctor" in desk.start().note
    cli(desk.root / "node_modules/@tjakoen/pantry/cli.ts", "package")
    assert "from package, asked doctor" in desk.start().note
    cli(home / "pantry/cli.ts", "sibling")
    assert "from sibling, asked doctor" in desk.start().note
    desk.doctor("echo '[warn] from command'; echo '1 checks, 0 failing'")
    assert "from command" in desk.start().note
    assert "from variable" in desk.start(PANTRY_CLI=str(cli(home / "elsewhere/cli.ts", "variable"))).note


@pytest.mark.parametrize("where", ["node_modules/@tjakoen/pantry/cli.ts", "../pantry/cli.ts"])
def test_code_of_a_clone_runs_only_where_the_owner_lists_the_repository(desk: Desk, where: str) -> None:
    bun(desk)
    path = (desk.root / where).resolve()
    cli(path, "the clone")
    path.write_text(f"touch {desk.machine.home}/ran\n" + path.read_text())
    line = not_run(desk.start())
    assert "is code of this clone" in line
    assert f'add "{desk.root}" to repositories in policy/session-doctor.toml' in line
    assert not (desk.machine.home / "ran").exists()
    desk.machine.policy("session-doctor", f'repositories = ["{desk.root}"]\n')
    assert "from the clone" in desk.start().note
    assert (desk.machine.home / "ran").exists()


@pytest.mark.parametrize(
    ("entry", "runs"),
    [("~/proj", True), ("~/*", True), ("~/", True), ("~/pro", False), ("~/proj/*", False), ("~/other/", False)],
)
def test_a_listed_repository_is_meant_exactly_or_by_its_folder(desk: Desk, entry: str, runs: bool) -> None:
    bun(desk)
    cli(desk.root / "node_modules/@tjakoen/pantry/cli.ts", "the clone")
    desk.machine.policy("session-doctor", f'repositories = ["{entry}"]\n')
    assert ("from the clone" in desk.start().note) is runs


def test_a_link_to_a_listed_repository_is_judged_by_where_it_leads(desk: Desk) -> None:
    bun(desk)
    evil = desk.machine.repo("clones/evil", files={"CLAUDE.md": "", "node_modules/@tjakoen/pantry/cli.ts": "echo no\n"})
    (desk.machine.home / "code").mkdir()
    (desk.machine.home / "code/evil").symlink_to(evil)
    desk.machine.policy("session-doctor", 'repositories = ["~/code/*"]\n')
    assert "is code of this clone" in not_run(desk.start(desk.machine.home / "code/evil"))


def test_a_command_that_lies_in_the_clone_is_the_clones_code(desk: Desk) -> None:
    program(desk.root / "node_modules/.bin/pantry", QUIET)
    fired = desk.start(PATH=f"{desk.root}/node_modules/.bin:/usr/bin:/bin")
    assert "is code of this clone" in not_run(fired)


def test_a_link_from_the_search_path_into_the_clone_is_the_clones_code(desk: Desk) -> None:
    desk.bin.mkdir()
    (desk.bin / "pantry").symlink_to(program(desk.root / "cli", QUIET))
    assert "is code of this clone" in not_run(desk.start())


@pytest.mark.parametrize("name", ["bunfig.toml", ".env"])
def test_an_interpreter_that_would_read_a_clones_files_is_not_started_there(desk: Desk, name: str) -> None:
    bun(desk)
    (desk.root / name).write_text("preload = ['./evil.ts']\n")
    path = str(cli(desk.machine.home / "estate/cli.ts", "absolute"))
    assert f"this clone's {name}" in not_run(desk.start(PANTRY_CLI=path))
    desk.machine.policy("session-doctor", 'repositories = ["~/proj"]\n')
    assert "from absolute" in desk.start(PANTRY_CLI=path).note


def test_the_same_holds_for_a_program_that_names_the_interpreter_in_its_first_line(desk: Desk) -> None:
    program(desk.bin / "pantry", QUIET, head="#!/usr/bin/env bun")
    (desk.root / "bunfig.toml").write_text("")
    assert "this clone's bunfig.toml" in not_run(desk.start())


def settings(desk: Desk, value: Any, name: str = "settings.json") -> None:
    path = desk.root / ".claude" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value))


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_projects_settings_cannot_name_the_doctor(desk: Desk, name: str) -> None:
    evil = program(desk.machine.home / "evil", f"touch {desk.machine.home}/ran")
    settings(desk, {"env": {"PANTRY_CLI": str(evil)}}, name)
    note = desk.launched({"PANTRY_CLI": str(evil)}).note
    assert not (desk.machine.home / "ran").exists()
    assert "session doctor" not in note
    assert f".claude/{name} of this project names PANTRY_CLI" in note


def test_a_variable_the_harness_was_not_launched_with_names_no_doctor(desk: Desk) -> None:
    evil = program(desk.machine.home / "evil", f"touch {desk.machine.home}/ran")
    assert desk.launched({"PANTRY_CLI": str(evil)}).silent
    assert not (desk.machine.home / "ran").exists()


def test_a_projects_settings_cannot_move_the_search_path(desk: Desk) -> None:
    evil = program(desk.machine.home / "evil/pantry", f"touch {desk.machine.home}/ran; {QUIET}").parent
    settings(desk, {"env": {"PATH": f"{evil}:/usr/bin:/bin"}})
    note = desk.launched({"PATH": f"{evil}:/usr/bin:/bin"}).note
    assert not (desk.machine.home / "ran").exists()
    assert "names PATH" in note


def test_the_doctor_gets_surroundings_of_its_own(desk: Desk) -> None:
    desk.doctor(f"env >{desk.machine.home}/env; {QUIET}")
    added = {"NODE_OPTIONS": "--require /evil.js", "BASH_ENV": "/evil", "GIT_EXTERNAL_DIFF": "/evil", "SECRET": "1"}
    desk.launched(added, WANTED="yes")
    seen = (desk.machine.home / "env").read_text()
    assert "evil" not in seen
    assert "SECRET" not in seen
    assert "WANTED" not in seen
    assert f"HOME={desk.machine.home}\n" in seen
    desk.machine.policy("session-doctor", 'keep = ["WANTED", "SECRET"]\n')
    desk.launched(added, WANTED="yes")
    seen = (desk.machine.home / "env").read_text()
    assert "WANTED=yes\n" in seen
    assert "SECRET" not in seen


# ---- switches


def test_the_exclude_prefix_takes_a_tree_out(desk: Desk) -> None:
    desk.doctor(f"touch {desk.machine.home}/ran")
    assert desk.start(AGENT_EXCLUDE_PREFIX=str(desk.machine.home)).silent
    assert not (desk.machine.home / "ran").exists()


def test_guards_off_and_the_policy_switch_it_off(desk: Desk) -> None:
    desk.doctor(report(REPORT))
    assert desk.start(GUARDS_OFF="session-doctor").note.count("\n") == 1
    desk.machine.policy("session-doctor", "off = true")
    assert desk.start().silent


# ---- guards about itself


def home_settings(machine: Machine, hooks: Any, name: str = ".claude/settings.json") -> None:
    path = machine.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hooks": hooks}))


def hook(command: str, matcher: Any = "Edit|Write|NotebookEdit", **more: Any) -> list[Any]:
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": command, **more}]}
    return [group if matcher is None else {"matcher": matcher, **group}]


HERE = 'python3 "$HOME/.claude/hooks/guard.py"'
WIRED: dict[str, tuple[Any, str]] = {
    "healthy": ({"PreToolUse": hook(HERE)}, ""),
    "no matcher": ({"PreToolUse": hook(HERE, None)}, ""),
    "empty matcher": ({"PreToolUse": hook(HERE, "")}, ""),
    "star": ({"PreToolUse": hook(HERE, "*")}, ""),
    "a pattern": ({"PreToolUse": hook(HERE, "mcp__filesystem__.*|^W")}, ""),
    "a list": ({"PreToolUse": hook(HERE, "Write, Edit")}, ""),
    "a source, no tool": ({"SessionStart": hook(HERE, "startup")}, ""),
    "another's hooks": ({"PreToolUse": hook(HERE) + hook("/bin/true", "Write"), "Stop": hook("/bin/true", None)}, ""),
    "looks first": ({"Stop": hook('[ -x "$HOME/x" ] && "$HOME/x"', None)}, ""),
    "a variable nobody knows": ({"Stop": hook("$TOOLS/x.sh", None)}, ""),
    "inline text": ({"Stop": hook("python3 -c 'print(1)'; cd /tmp && echo x", None)}, ""),
    "a script that is gone": ({"PreToolUse": hook('python3 "$HOME/.claude/hooks/gone.py"')}, "hooks/gone.py, which"),
    "a tilde that is gone": ({"PreToolUse": hook("~/.claude/hooks/gone.sh")}, "hooks/gone.sh, which is not there"),
    "an interpreter that is gone": ({"PreToolUse": hook("nosuchnode ~/.claude/hooks/guard.py")}, "nosuchnode (not on"),
    "lower case": ({"PreToolUse": hook(HERE, "write|edit")}, "'write' matches no tool"),
    "a bare server": ({"PreToolUse": hook(HERE, "mcp__filesystem")}, "write 'mcp__filesystem__.*'"),
    "a permission rule": ({"PreToolUse": hook(HERE, "Bash(git *)")}, "is a permission rule"),
    "twice": ({"PreToolUse": hook(HERE, "Write") + hook(HERE, "Write")}, "stands there twice"),
    "twice but for a space": ({"PreToolUse": hook(HERE, "Write") + hook(HERE + " ", "Write")}, "stands there twice"),
    "one second": ({"PreToolUse": hook(HERE, "Write", timeout=1)}, "has 1 s"),
}  # fmt: skip


@pytest.mark.parametrize(("hooks", "said"), WIRED.values(), ids=WIRED)
def test_dead_entries_in_the_owners_settings_are_told(machine: Machine, hooks: Any, said: str) -> None:
    program(machine.home / ".claude/hooks/guard.py", "", head="#!/usr/bin/env python3")
    home_settings(machine, hooks)
    fired = machine.fire("session-start", event(machine.repo()))
    if said:
        assert said in fired.note
        assert fired.note.startswith("guards about itself")
        assert fired.code == 0
    else:
        assert fired.silent


def test_entries_of_another_harness_that_it_never_runs_are_told(machine: Machine) -> None:
    home_settings(machine, {"BeforeTool": [{"matcher": "write_file", "command": "/bin/true"}]}, ".gemini/settings.json")
    assert "is not inside a group's `hooks`" in machine.fire("session-start", event(machine.repo())).note


def test_milliseconds_are_no_seconds(machine: Machine) -> None:
    home_settings(machine, {"BeforeTool": hook("/bin/true", "x", timeout=900)}, ".gemini/settings.json")
    assert "has 0.9 s" in machine.fire("session-start", event(machine.repo())).note


def managed(machine: Machine, *events: str) -> dict[str, Any]:
    names = {"before-tool": "PreToolUse", "session-start": "SessionStart"}
    return {names[e]: hook(machine.command(e), None, timeout=30) for e in events}


def test_our_own_entries_are_healthy(machine: Machine) -> None:
    home_settings(machine, managed(machine, "before-tool", "session-start"))
    assert machine.fire("session-start", event(machine.repo())).silent


def test_a_lost_entry_before_tools_is_told(machine: Machine) -> None:
    home_settings(machine, managed(machine, "session-start"))
    assert "has lost guards' entry before tools" in machine.fire("session-start", event(machine.repo())).note


def test_an_entry_of_ours_that_stands_twice_is_told(machine: Machine) -> None:
    hooks = managed(machine, "before-tool")
    hooks["PreToolUse"] += hook(machine.command("before-tool").replace(" -IS", "  -IS"), "Write")
    home_settings(machine, hooks)
    assert "has guards twice at PreToolUse" in machine.fire("session-start", event(machine.repo())).note


def test_a_gate_that_is_not_asked_is_told(machine: Machine) -> None:
    beats = machine.state / "beats"
    beats.mkdir(parents=True)
    now = time.time()
    for name, age in (("claude-before-tool", 20_000), ("claude-after-tool", 60)):
        (beats / name).touch()
        os.utime(beats / name, (now - age, now - age))
    assert "the gate before it was not asked" in machine.fire("session-start", event(machine.repo())).note
    os.utime(beats / "claude-before-tool", (now - 4000, now - 4000))  # a tool may take an hour
    assert machine.fire("session-start", event(machine.repo())).silent


def test_a_first_session_is_silent(machine: Machine) -> None:
    assert machine.fire("session-start", event(machine.repo())).silent


def test_a_pause_is_shown_at_every_start(machine: Machine) -> None:
    (machine.state / "pause").write_text(f"{time.time() + 600}\nmoving the workflows\n")
    (machine.state / "pause").chmod(0o600)
    for _ in range(2):
        note = machine.fire("session-start", event(machine.repo())).note
        assert "paused all guards until" in note
        assert "(moving the workflows): only sealed and exact paths" in note
        assert len(note.splitlines()) == 2


def test_policy_that_does_not_compile_is_told(machine: Machine) -> None:
    machine.fire("session-start", event(machine.repo()))
    machine.policy("session-doctor", "seconds = 'ten'")
    assert "the last good one is in force" in machine.fire("session-start", event(machine.repo())).note


def test_approval_lines_that_free_nothing_are_told(machine: Machine) -> None:
    machine.approve("^/a/b$", "(?P<x>a)")
    assert "line 2 frees nothing" in machine.fire("session-start", event(machine.repo())).note


def test_an_approval_file_that_others_write_is_told(machine: Machine) -> None:
    path = machine.approve("^/a/b$")
    path.chmod(path.stat().st_mode | stat.S_IWOTH)
    assert "can be written by everybody" in machine.fire("session-start", event(machine.repo())).note


def test_variables_of_ours_in_a_projects_settings_are_told(machine: Machine) -> None:
    root = machine.repo(files={".claude/settings.json": '{"env": {"GUARDS_OFF": "all", "BASH_OUTPUT_MAX": "9"}}'})
    note = machine.fire("session-start", event(root), env={"CLAUDE_PROJECT_DIR": str(root)}).note
    assert ".claude/settings.json of this project names GUARDS_OFF, BASH_OUTPUT_MAX" in note


@pytest.mark.parametrize(
    ("name", "value"), [("BASH_OUTPUT_MAX", "4k"), ("CODE_DISCOVERY_SWEEP", ""), ("AGENT_EXCLUDE_PREFIX", "src")]
)
def test_values_that_do_not_parse_are_told(machine: Machine, name: str, value: str) -> None:
    assert name in machine.fire("session-start", event(machine.repo()), env={name: value}).note


def test_errors_of_the_last_day_are_told_with_their_last_reason(machine: Machine) -> None:
    machine.fire("before-tool", "{")
    note = machine.fire("session-start", event(machine.repo())).note
    assert "could not judge once in the last day" in note
    assert "cut or not JSON" in note


def test_old_errors_are_not(machine: Machine) -> None:
    line = {"t": time.time() - 90_000, "guard": "x", "verdict": "error", "why": "old"}
    month = time.strftime("%Y-%m", time.gmtime())
    (machine.state / "journal").mkdir(parents=True)
    (machine.state / f"journal/{month}.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")
    assert machine.fire("session-start", event(machine.repo())).silent


def test_a_command_of_the_owner_that_is_gone_is_told(machine: Machine) -> None:
    row = 'id = "lint"\nrun = ["/gone/lint"]\nevents = ["stop"]\nharnesses = ["claude"]\n'
    machine.policy("dispatch", "[[command]]\n" + row)
    assert "command 'lint' would start /gone/lint" in machine.fire("session-start", event(machine.repo())).note


def test_many_rows_are_counted_not_poured_out(machine: Machine) -> None:
    home_settings(machine, {"Stop": [group for n in range(30) for group in hook(f"/gone/{n}", None)]})
    note = machine.fire("session-start", event(machine.repo())).note
    assert "… and 24 more" in note
    assert len(note) < 2500


def test_the_owners_own_part_can_be_switched_off(machine: Machine) -> None:
    machine.policy("session-doctor", "own = false")
    home_settings(machine, {"Stop": hook("/gone/x", None)})
    assert machine.fire("session-start", event(machine.repo())).silent


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"hooks": 5}', '{"hooks": {"Stop": [5, {"hooks": [7, {"command": 3}]}]}}']
)
def test_settings_of_any_shape_do_no_harm(machine: Machine, text: str) -> None:
    (machine.home / ".claude").mkdir()
    (machine.home / ".claude/settings.json").write_text(text)
    assert machine.fire("session-start", event(machine.repo())).silent


def test_both_parts_come_in_one_note(desk: Desk) -> None:
    desk.doctor(report(REPORT))
    home_settings(desk.machine, {"Stop": hook("/gone/x", None)})
    note = desk.start().note
    assert "session doctor, proj:" in note
    assert "guards about itself" in note


def test_a_silent_start_loads_nothing_dear(machine: Machine) -> None:
    home_settings(machine, managed(machine, "before-tool", "session-start"))
    names = loaded(machine, "session-start", event(machine.repo()))
    assert not names & NEVER, sorted(names & NEVER)
    assert "guards.engine.child" not in names


def test_a_project_folder_with_a_slash_at_its_end_is_the_same_folder(desk: Desk) -> None:
    desk.doctor(QUIET)
    fired = desk.start(CLAUDE_PROJECT_DIR=f"{desk.root}/")
    assert fired.note.startswith("session doctor, proj:")


@pytest.mark.parametrize("folder", ["/", "", "relative/x", "/nowhere/at/all"])
def test_a_project_folder_of_any_kind_does_no_harm(desk: Desk, folder: str) -> None:
    desk.doctor(QUIET)
    payload = {**event(desk.root), "cwd": folder}
    assert desk.machine.fire("session-start", payload, env={"CLAUDE_PROJECT_DIR": None}).silent


FLOODS = {
    "a hundred thousand failures": "i=0; while [ $i -lt 20000 ]; do echo '[FAIL] x'; i=$((i+1)); done",
    "one endless line": "head -c 300000 /dev/zero | tr '\\0' y",
    "a deep document": "head -c 50000 /dev/zero | tr '\\0' '['",
    "a number without end": "printf '{\"checks\":'; head -c 9000 /dev/zero | tr '\\0' 9; printf '}'",
}


@pytest.mark.parametrize("body", FLOODS.values(), ids=FLOODS)
def test_no_report_makes_the_note_long_or_the_session_wait(desk: Desk, body: str) -> None:
    desk.doctor(body)
    fired = desk.start()
    assert (fired.code, fired.err) == (0, "")
    assert len(fired.note) < 1500
    assert fired.seconds < 8
