"""An owner's other hooks as commands of the one process, in the real Claude Code."""

import json

import pytest

from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

BULLY = "kill -9 0"
JUDGE = """cat >"$0.seen"
case $(cat "$0.seen") in *notes.txt*) echo 'notes are closed today' >&2; exit 2;; esac
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"the judge has looked"}}'
"""


def declare(rig: Rig, name: str, body: str, **more: object) -> None:
    path = rig.home / f"bin/{name}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    row = {
        "id": name,
        "run": [str(path)],
        "events": ["before-tool"],
        "harnesses": ["claude"],
        "tools": ["write"],
        **more,
    }
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in row.items())
    policy = rig.machine.config / "policy/dispatch.toml"
    before = policy.read_text() if policy.exists() else ""
    rig.machine.policy("dispatch", f"{before}\n[[command]]\n{lines}\n")


def test_a_refusal_and_a_note_of_other_hooks_reach_the_model_beside_one_that_kills_its_group(claude: Rig) -> None:
    claude.install()
    declare(claude, "bully", BULLY, fails="open")
    declare(claude, "judge", JUDGE, order=1)
    run = claude.run(turn(claude.write("notes.txt")), turn(claude.write("other.txt")))
    assert not claude.there("notes.txt")
    assert claude.there("other.txt")
    assert "notes are closed today" in run.results()[0]
    assert "the judge has looked" in run.shown()
    assert (claude.home / "bin/judge.seen").read_text().rstrip().endswith("}")


def test_a_hook_that_hangs_refuses_in_its_time_and_not_in_the_harnesss(claude: Rig) -> None:
    claude.install()
    declare(claude, "slow", "exec sleep 60", timeout=1)
    run = claude.run(turn(claude.write("a.txt")))
    assert not claude.there("a.txt")
    assert "the hook slow could not judge this call (ran out of time)" in run.results()[0]
    assert run.seconds < 20
