"""Commands that only a human runs, by their words behind wrappers; talk about them is no command."""

from __future__ import annotations

from pathlib import Path

import pytest

from guards.compile.build import build
from tests.machine import ROOT, Machine


@pytest.fixture
def proj(machine: Machine) -> Path:
    return machine.repo("proj", {"a.txt": "a\n"})


REFUSED = [
    ("guards pause --for 30m", "guards-widen"),
    ("sudo guards uninstall --yes", "guards-widen"),
    ("python3 -m guards install", "guards-widen"),
    ("bash -c 'guards link'", "guards-widen"),
    ("/srv/guards/.venv/bin/python -m guards.cli pause --for 1h --yes", "guards-widen"),
    ("python3 -Im guards.cli uninstall --yes", "guards-widen"),
    ("python3 -X utf8 -m guards.cli pause --yes", "guards-widen"),
    ("python3 -W ignore -Wm -Bm guards.cli link", "guards-widen"),
    ("python3 -Xdev -c 'from guards import cli; cli.main()'", "guards-hook"),
    ("script -qec 'python3 -mguards.cli pause --yes' /dev/null", "guards-widen"),
    (f"PYTHONPATH={ROOT} python3 -m guards.wiring.unwire", "guards-hook"),
    ("python3 -c 'import runpy; runpy.run_module(\"guards.cli\", run_name=\"__main__\")'", "guards-hook"),
    ("python3 -c 'from guards.wiring import unwire; unwire.main()'", "guards-hook"),
    ("echo reconcile | xargs guards", "guards-widen"),
    ("eval 'guards pause'", "guards-widen"),
    (f"make -C {ROOT} unwire", "guards-make"),
    (f"cd {ROOT} && make install", "guards-make"),
    (f"echo '{{}}' | python3 {ROOT}/guards/hook.py claude before-tool", "guards-hook"),
    (f"{ROOT}/guards/hook.py claude stop", "guards-hook"),
    ("cd @INSTALL@ && ./py -IS code/hook.py claude prompt < /dev/null", "guards-hook"),
    (f"python3 {ROOT}/guards/wiring/unwire.py", "guards-hook"),
    ("kontext trust", "store-trust"),
    ("env kontext trust a-1", "store-trust"),
    ("claude --bare -p hi", "claude-without-hooks"),
    ("claude -p hi --settings '{\"disableAllHooks\":true}'", "claude-without-hooks"),
    ("timeout 9 claude --setting-sources=project -p hi", "claude-without-hooks"),
    ("claude --safe-mode", "claude-without-hooks"),
    ("npx -y @anthropic-ai/claude-code --settings x -p hi", "claude-without-hooks"),
    ("codex exec -c features.hooks=false hi", "codex-without-hooks"),
    ("codex --disable hooks exec hi", "codex-without-hooks"),
    ("HOME=/tmp/x claude -p hi", "agents-with-another-home"),
    ("env CLAUDE_CONFIG_DIR=/tmp/x claude -p hi", "agents-with-another-home"),
    ("export CODEX_HOME=/tmp/x; codex exec hi", "agents-with-another-home"),
    ("export GUARDS_OFF=all", "guards-variables"),
    ("GUARDS_OFF=human-lane claude -p hi", "guards-variables"),
    ("AGENT_EXCLUDE_PREFIX=/", "guards-variables"),
    ("env SPAWN_ENVELOPE_MIN_CHARS=99999 claude", "guards-variables"),
    ("SKILL_CONTEXT_INDEX=/tmp/x claude -p hi", "guards-variables"),
    ("export SKILL_CONTEXT_MAP=/tmp/x", "guards-variables"),
    ("git config core.hooksPath /tmp/hooks", "git-hooks-path"),
    ("git -C . config --global core.hookspath /dev/null", "git-hooks-path"),
    ("git config --unset core.hooksPath", "git-hooks-path"),
]
PASSES = [
    "guards status",
    "python3 -m guards.cli status",
    "python3 -m pytest -k guards.cli",
    "pytest -m guards.cli",
    "python3 run.py -m guards.cli pause",
    "python3 -c 'print(1)' -m guards.cli pause",
    "python3 -m guards.cli install --dry-run",
    "python3 -c 'print(1)' guards.cli",
    "guards explain 'guards pause'",
    "guards install --dry-run",
    "guards uninstall --help",
    "git commit -m 'guards pause --for 30m; claude --bare'",
    "echo 'guards pause'",
    "grep -rn 'GUARDS_OFF=1' .",
    "cat <<'E'\nguards pause\nkontext trust\nE",
    "make install",
    "make -C . test",
    "python3 hook.py claude before-tool",
    f"cat {ROOT}/guards/hook.py",
    f"git -C {ROOT} log -- guards/hook.py",
    "kontext status",
    "claude -p hi",
    "codex exec 'fix the hooks'",
    "HOME=$HOME claude -p hi",
    "HOME=/tmp/x npm ci",
    "git config --get core.hooksPath",
    "git config core.hooksPath",
    "git push --force-with-lease origin main",
    "npm publish",
]


@pytest.mark.parametrize(("command", "row"), REFUSED, ids=[c[:50] for c, _ in REFUSED])
def test_a_command_that_widens_is_refused(machine: Machine, proj: Path, command: str, row: str) -> None:
    fired = machine.bash(command.replace("@INSTALL@", str(machine.install)), cwd=proj)
    assert fired.denied, command
    assert f"policy/human-only.toml: command '{row}'" in fired.err
    assert "only a human runs" in fired.err


@pytest.mark.parametrize("command", PASSES, ids=[c[:50] for c in PASSES])
def test_a_command_that_widens_nothing_passes(machine: Machine, proj: Path, command: str) -> None:
    fired = machine.fire(
        "before-tool", {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": str(proj), "session_id": "s",
                        "hook_event_name": "PreToolUse"}, guard="human-only",
    )  # fmt: skip
    assert fired.silent, fired.err


def test_an_owner_adds_a_command_and_drops_one(machine: Machine, proj: Path) -> None:
    machine.policy(
        "human-only",
        'disable = ["store-trust"]\n'
        '[[command]]\nid = "deploys"\nprograms = ["deployer"]\nverbs = ["go"]\nwhy = "it goes live"\n',
    )
    assert machine.bash("kontext trust", cwd=proj).silent
    fired = machine.bash("sudo deployer go", cwd=proj)
    assert fired.denied
    assert "it goes live" in fired.err
    assert machine.bash("deployer plan", cwd=proj).silent


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ('[[command]]\nid = "x"\nwhy = "y"\n', "a row that names nothing would apply to every command"),
        ('[[command]]\nid = "x"\nwhy = "y"\nfiles = ["{nowhere}/a"]\n', "there is no place {nowhere}"),
        ('[[command]]\nid = "x"\nwhy = "y"\nfiles = ["a"]\n', "begins with a slash or with a place"),
        ('[[command]]\nid = "x"\nwhy = "y"\nprograms = ["hg"]\nsettings = ["a"]\n', "only git's are looked at"),
    ],
)
def test_a_faulty_row_is_named(machine: Machine, toml: str, fault: str) -> None:
    machine.policy("human-only", toml)
    found = build(machine.places, names=["human-only"]).faults
    assert any(fault in line for line in found), found


def test_a_repository_has_no_say(machine: Machine, proj: Path) -> None:
    (proj / ".guards").mkdir()
    (proj / ".guards/human-only.toml").write_text("off = true\n")
    assert machine.bash("kontext trust", cwd=proj).denied
