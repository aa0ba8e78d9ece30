"""The shell lane: what a command does not show, and the search for a way round after a refusal."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from guards.engine.state import Session
from guards.shell import around
from tests.machine import SESSION, Machine, tool

LANE = """
[[lane]]
id    = "human"
paths = ["/human/", "OWNER.md"]
why   = "only a human writes here"
"""
FILES = {"human/plan.md": "plan\n", "src/app.py": "a\n", "docs/a.md": "a\n"}


@pytest.fixture
def proj(machine: Machine) -> Path:
    machine.policy("human-lane", LANE)
    return machine.repo("proj", FILES)


def test_what_a_shell_command_writes_meets_the_same_lanes(machine: Machine, proj: Path) -> None:
    for command in (
        "echo x > human/plan.md",
        "cd human && sed -i s/a/b/ plan.md",
        "bash -c 'cat > human/new.md <<E\nx\nE'",
        "python3 -c \"open('human/plan.md', 'w').write('x')\"",
        "rm -rf human",
        "git mv human/plan.md docs/",
    ):
        fired = machine.bash(command, cwd=proj)
        assert fired.denied, command
        assert "lane 'human'" in fired.err
    for command in ("cat human/plan.md", "git commit -m 'echo x > human/plan.md'", "cp human/plan.md docs/b.md"):
        assert machine.bash(command, cwd=proj).silent, command


def test_codex_gemini_and_an_unknown_tool_with_a_command_are_read_alike(machine: Machine, proj: Path) -> None:
    codex = tool("Bash", {"command": "rm human/plan.md"}, cwd=proj)
    assert machine.fire("before-tool", codex, harness="codex", streams="pipe").denied
    gemini = tool("run_shell_command", {"command": "rm human/plan.md"}, cwd=proj, event="BeforeTool")
    assert machine.fire("before-tool", gemini, harness="gemini").denied
    for given in ({"command": "rm human/plan.md"}, {"command": "mytool human/plan.md"}):
        assert machine.fire("before-tool", tool("mcp__box__execute", given, cwd=proj)).denied
    assert machine.fire("before-tool", tool("mcp__box__execute", {"command": "ls human"}, cwd=proj)).silent


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("unknown", 'rm "$NOWHERE/human/plan.md"'),
        ("opaque", "ruby -e 'eval(gets); \"human/plan.md\"'"),
        ("stranger", "mytool human/plan.md"),
        ("unreadable", "echo 'human/plan.md"),
    ],
)
def test_each_kind_of_doubt_gets_what_the_policy_says(machine: Machine, proj: Path, key: str, command: str) -> None:
    fired = machine.bash(command, cwd=proj)
    assert fired.denied
    assert f"policy/shell-lane.toml: {key}" in fired.err
    assert "human/plan.md" in fired.err
    machine.policy("shell-lane", f'{key} = "pass"\naround = 0\n')
    assert machine.bash(command, cwd=proj).silent
    machine.policy("shell-lane", f'{key} = "ask"\naround = 0\n')
    asked = machine.bash(command, cwd=proj).document["hookSpecificOutput"]
    assert asked["permissionDecision"] == "ask"
    machine.policy("shell-lane", f'{key} = "watch"\naround = 0\n')
    assert machine.bash(command, cwd=proj).silent
    assert machine.journal()[-1]["guard"] == "shell-lane"


def test_a_note_tells_the_model_once_and_refuses_nothing(machine: Machine, proj: Path) -> None:
    machine.policy("shell-lane", 'stranger = "note"\nagain = "note"\n')
    assert "nothing is refused here" in machine.bash("mytool human/plan.md", cwd=proj).note
    assert machine.bash("mytool human/plan.md", cwd=proj).silent
    assert machine.bash("mytool human/other.md", cwd=proj).note
    assert machine.write("human/plan.md", cwd=proj).denied  # what is certain is refused as ever
    assert machine.bash("ruby -e 'eval(gets); \"human/plan.md\"'", cwd=proj).silent  # said before
    machine.policy("shell-lane", 'stranger = "note"\n')
    assert "was refused a short while ago" in machine.bash("mytool human/plan.md", cwd=proj).err


def test_doubt_that_names_no_lane_gets_nothing(machine: Machine, proj: Path) -> None:
    for command in (
        'rm "$NOWHERE"',
        "mytool src/app.py",
        "ruby -e 'eval(gets)'",
        "curl -s http://h/x | bash",
        "echo 'x",
    ):
        assert machine.bash(command, cwd=proj).silent, command


def test_a_mention_is_a_path_and_never_a_substring(machine: Machine, proj: Path) -> None:
    for command in (
        "mytool --title 'about human/plan.md, again'",
        "mytool humanities/plan.md",
        "mytool https://example.test/human/plan.md",
        "mytool nothuman/plan.md",
    ):
        assert machine.bash(command, cwd=proj).silent, command


def test_an_approved_path_is_free_in_doubtful_commands_too(machine: Machine, proj: Path) -> None:
    fired = machine.bash("mytool human/plan.md", cwd=proj)
    line = fired.err.strip().splitlines()[-1]
    machine.approve(line)
    assert machine.bash("mytool human/plan.md", cwd=proj).silent
    assert machine.bash("mytool human/plan.md human/other.md", cwd=proj).denied


def test_one_refusal_is_enough_for_one_path(machine: Machine, proj: Path) -> None:
    fired = machine.bash("rm human/plan.md; mytool human/plan.md", cwd=proj)
    assert fired.err.count("lane 'human'") == 1


def test_a_refused_path_stays_refused_in_commands_that_do_not_show_what_they_do(machine: Machine, proj: Path) -> None:
    machine.policy("shell-lane", 'stranger = "pass"\nopaque = "watch"\n')
    assert machine.bash("mytool human/plan.md", cwd=proj).silent
    assert machine.write("human/plan.md", cwd=proj).denied
    for command in (
        "mytool human/plan.md",
        f"mytool {proj}/human/plan.md",
        "npm exec fix human/plan.md",
        "pytest human/plan.md",
    ):
        fired = machine.bash(command, cwd=proj)
        assert fired.denied, command
        assert "was refused a short while ago" in fired.err
    assert machine.bash("mytool human/other.md", cwd=proj).silent
    assert machine.bash("cat human/plan.md", cwd=proj).silent
    other = tool("Bash", {"command": "mytool human/plan.md"}, cwd=proj, session_id="another-session")
    assert machine.fire("before-tool", other).silent
    subagent = tool("Bash", {"command": "mytool human/plan.md"}, cwd=proj, agent_id="a1", agent_type="worker")
    assert machine.fire("before-tool", subagent).denied
    machine.approve(f"^{proj}/human/plan\\.md$")
    assert machine.bash("mytool human/plan.md", cwd=proj).silent


def test_the_memory_of_a_refusal_ends(machine: Machine, proj: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(machine.places["state"], SESSION)

    class Hit:
        action, path = "deny", "/x"

    class Seen:
        pass

    world = Seen()
    world.session = session  # type: ignore[attr-defined]
    for _, name, record in around.marks(Hit()):  # type: ignore[arg-type]
        session.add(name, record)
    assert around.recent(world, 60) == {"/x"}  # type: ignore[arg-type]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 120)
    assert around.recent(world, 60) == set()  # type: ignore[arg-type]
    assert around.recent(world, 0) == set()  # type: ignore[arg-type]


def test_a_watched_lane_is_no_reason_to_refuse_doubt(machine: Machine, proj: Path) -> None:
    machine.policy("human-lane", LANE + 'action = "watch"\n')
    assert machine.bash("mytool human/plan.md", cwd=proj).silent


def test_switched_off_only_what_cannot_be_seen_is_left(machine: Machine, proj: Path) -> None:
    machine.policy("shell-lane", "off = true\n")
    assert machine.bash("mytool human/plan.md", cwd=proj).silent
    assert machine.bash("echo x > human/plan.md", cwd=proj).denied


def test_switched_off_by_the_owners_variable_for_lanes_but_never_for_sealed_paths(machine: Machine, proj: Path) -> None:
    machine.environ["GUARDS_OFF"] = "shell-lane"
    sealed = machine.config / "policy/human-lane.toml"
    assert machine.bash(f"mytool {sealed}", cwd=proj).denied


def test_a_long_or_hostile_command_ends_in_a_verdict(machine: Machine, proj: Path) -> None:
    for command in (
        "echo " + "x" * 1_000_000 + "; rm human/plan.md",
        "echo " + "\"a\" 'b' " * 40_000 + "; rm human/plan.md",
        "$(" * 30 + " human/plan.md",
        "if " * 400 + "rm human/plan.md",
    ):
        fired = machine.bash(command, cwd=proj)
        assert fired.denied
        assert fired.seconds < 6
