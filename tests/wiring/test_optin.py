"""`guards install --context`: one line a guard in the machine's layer, and nothing of the owner's is edited."""

from __future__ import annotations

import json

import pytest

from tests.wiring.owner import Owner

NAMES = ("context", "read-gate", "switches")


@pytest.mark.parametrize("more", [(), ("--context",)])
def test_only_an_owner_who_asks_gets_them(owner: Owner, more: tuple[str, ...]) -> None:
    done = owner.run("install", "--yes", "--harness", "claude", *more)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in NAMES:
        assert (owner.home / f".config/guards/policy/{name}.toml").exists() is bool(more)


def test_a_file_of_the_owners_is_not_edited_but_the_line_is_said(owner: Owner) -> None:
    path = owner.home / ".config/guards/policy/context.toml"
    path.parent.mkdir(parents=True)
    path.write_text('dir = ".context"\n')
    done = owner.run("install", "--yes", "--harness", "claude", "--context")
    assert f"{path} is yours; to switch this guard on, set in it: off = false" in done.stdout
    assert path.read_text() == 'dir = ".context"\n'


def test_a_dry_run_writes_nothing(owner: Owner) -> None:
    done = owner.run("install", "--dry-run", "--harness", "claude", "--context")
    assert "context.toml: would be written" in done.stdout
    assert not (owner.home / ".config/guards/policy/context.toml").exists()


@pytest.mark.parametrize("harness", ["claude", "codex", "gemini"])
def test_the_gate_on_an_agents_own_switches_is_fired_both_ways(owner: Owner, harness: str) -> None:
    done = owner.run("install", "--yes", "--harness", harness, "--context")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(owner.run("fire", "--harness", harness, "--json").stdout)
    found = {row["expected"]: row["verdict"] for row in rows if row["guard"] == "switches"}
    assert found == {"deny": "deny", "pass": "pass"}
