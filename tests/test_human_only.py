"""Commands that only a human runs: what widens is refused, what only looks or only talks passes."""

from __future__ import annotations

import pytest

from guards.engine.event import Event
from guards.reports import here
from tests.machine import ROOT, Machine

REFUSED = {
    "install": "guards install --yes",
    "pause by its path": "~/src/guards/.venv/bin/guards pause --for 1d --yes",
    "as a module": "python3 -m guards.cli uninstall --yes",
    "behind wrappers": "sudo -E env -i HOME=$HOME nice guards link ~/conf",
    "inside a shell": "sh -c 'cd / && guards pause --for 2h'",
    "after other commands": "ls; true && guards reconcile --to live",
    "in a substitution": "echo $(guards install --yes)",
    "make in the checkout": f"make -C {ROOT} unwire",
    "cd and make": f"cd {ROOT} && make install",
    "the way out by hand": f"python3 {ROOT}/guards/wiring/unwire.py",
    "a forged event": f"echo '{{}}' | python3 -IS {ROOT}/guards/hook.py claude after-tool",
    "an agent approving its own store": "kontext trust adapters",
    "an agent without hooks": "claude --bare -p 'go on'",
    "other settings": "claude --settings /tmp/s.json -p x",
    "another home": "HOME=/tmp/h claude -p x",
    "another configuration": "env CLAUDE_CONFIG_DIR=/tmp/c claude -p x",
    "another codex home": "CODEX_HOME=/tmp/c codex exec x",
    "a variable of guards": "GUARDS_OFF=all make test",
    "exported": "export AGENT_EXCLUDE_PREFIX=/home && ls",
    "hooks of git": "git config --global core.hooksPath /tmp/h",
}
PASSES = {
    "looking": "guards status && guards explain 'rm -rf x' && guards check && guards doctor",
    "help": "guards install --help",
    "a dry run": "guards install --dry-run",
    "make elsewhere": "cd /srv/app && make install",
    "make test": "make test",
    "a message that names it": "git commit -m 'guards install and guards pause are the owner\\'s'",
    "reading": "grep -rn 'guards pause' docs",
    "an agent": "claude -p 'fix the tests'",
    "a push": "git push origin main",
    "a publish": "npm publish",
    "printing a variable": "echo $GUARDS_OFF",
    "git reads": "git config --get core.hooksPath",
    "another program's trust": "mise trust",
    "the tests of python": "python3 -m pytest -q",
}


def said(machine: Machine, command: str) -> list[str]:
    event = Event("claude", "before-tool", {})
    event.tool, event.cwd, event.project = "Bash", str(machine.home), str(machine.home)
    event.input = {"command": command}
    outcome, _ = here.judge(event, machine.places)
    assert outcome.faults == []
    return [verdict.guard for verdict in outcome.verdicts if verdict.action == "deny"]


@pytest.mark.parametrize("command", REFUSED.values(), ids=REFUSED)
def test_what_widens_is_refused(machine: Machine, command: str) -> None:
    assert "human-only" in said(machine, command)


@pytest.mark.parametrize("command", PASSES.values(), ids=PASSES)
def test_what_looks_or_only_talks_passes(machine: Machine, command: str) -> None:
    assert said(machine, command) == []


def test_a_refusal_names_the_command_the_rule_and_who_runs_it(machine: Machine) -> None:
    fired = machine.bash("guards pause --for 1d", cwd=machine.home)
    assert fired.denied
    assert "`guards pause --for 1d` is a command that only a human runs" in fired.err
    assert "policy/human-only.toml: command 'guards-widen'" in fired.err
    assert "the owner runs it" in fired.err


def test_a_row_of_the_owners_adds_a_command(machine: Machine) -> None:
    row = '[[command]]\nid = "deploy"\nprograms = ["deploy"]\nverbs = ["prod"]\nwhy = "production is mine"\n'
    machine.policy("human-only", row)
    assert machine.bash("deploy prod --now", cwd=machine.home).denied
    assert machine.bash("deploy staging", cwd=machine.home).silent
