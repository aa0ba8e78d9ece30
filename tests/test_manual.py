"""HOOKS.md and README.md are true: examples run, policies compile, the lists are the lists of the code."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib

import pytest

from guards.cli import COMMANDS
from guards.compile.build import build
from guards.engine.event import MODES
from tests.machine import ROOT, Machine

MANUAL = (ROOT / "HOOKS.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCES = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
POLICY = re.compile(r"# ~/\.config/guards/policy/([\w-]+)\.toml")


def blocks(kind: str) -> list[str]:
    return [body for found, body in FENCES.findall(MANUAL) if found == kind]


def policies() -> list[tuple[str, str]]:
    """TOML examples that say which file of the machine layer they are."""
    return [(found[1], body) for body in blocks("toml") if (found := POLICY.match(body))]


@pytest.mark.parametrize(("name", "body"), policies(), ids=[name for name, _ in policies()])
def test_a_policy_example_compiles_and_is_understood(machine: Machine, name: str, body: str) -> None:
    machine.policy(name, body)
    built = build(machine.places)
    assert built.faults == []
    assert built.notices == []


def sessions() -> list[tuple[str, str]]:
    """`$ command` lines of console examples, each with the output that follows it."""
    found = []
    for body in blocks("console"):
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip()))
    return found


@pytest.mark.parametrize(("command", "output"), sessions(), ids=[c for c, _ in sessions()])
def test_a_console_example_prints_what_the_manual_shows(machine: Machine, command: str, output: str) -> None:
    project = machine.repo("proj", {".github/workflows/ci.yml": "on: push\n", "src/app.py": "x = 1\n"})
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    env = machine.env(PATH=f"{ROOT / '.venv/bin'}:/usr/bin:/bin", COLUMNS="200", NO_COLOR="1")
    done = subprocess.run(command, shell=True, cwd=project, env=env, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).replace(str(machine.home), "~")
    for line in output.splitlines():
        for piece in line.split("…"):
            assert piece.strip() in said, f"{piece.strip()!r} is not in:\n{said}"


def test_every_command_every_event_and_every_variable_has_its_place_in_the_manual() -> None:
    for verb in COMMANDS:
        assert f"guards {verb}" in MANUAL, verb
    for event in MODES:
        assert f"`{event}`" in MANUAL, event
    variables = ["AGENT_EXCLUDE_PREFIX", "GUARDS_OFF", "PANTRY_CLI", "SPAWN_ENVELOPE_MIN_CHARS"]
    variables += ["SKILL_CONTEXT_INDEX", "SKILL_CONTEXT_MAP"]
    for name in [*variables, "BASH_OUTPUT_MAX", "TOOL_OUTPUT_MAX", "CODE_DISCOVERY_SWEEP"]:
        assert f"`{name}`" in MANUAL, name


def test_every_guard_says_what_it_fires_on_what_it_does_what_it_cannot_do_and_how_to_turn_it_off() -> None:
    names = [row["id"] for row in tomllib.loads((ROOT / "policy/dispatch.toml").read_text())["guard"]]
    for name in names:
        found = re.search(rf"^## {name}\b.*?(?=^## )", MANUAL, re.MULTILINE | re.DOTALL)
        assert found, f"no heading for {name}"
        for words in ("Fires on", "oes", "annot", "urn"):
            assert words in found[0], f"{name}: no {words!r}"


def test_the_readmes_commands_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    asked = set(re.findall(r"(?:^|`)make ([a-z-]+)", README + MANUAL, re.MULTILINE))
    assert asked <= targets, asked - targets


def test_the_readmes_picture_is_what_a_refusal_says(machine: Machine) -> None:
    project = machine.repo("src/shop", {".github/workflows/ci.yml": "on: push\n"})
    fired = machine.write(".github/workflows/ci.yml", cwd=project)
    assert fired.denied
    said = re.sub(
        r"\s+", " ", fired.err.replace(str(machine.home), "/home/o").replace(re.escape(str(machine.home)), "/home/o")
    )
    picture = next(body for kind, body in FENCES.findall(README) if kind == "text")
    assert re.sub(r"\s+", " ", picture).strip() in said


def test_links_in_the_documents_lead_somewhere() -> None:
    for name in ("README.md", "HOOKS.md", "CHANGELOG.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            assert "://" in target or os.path.exists(ROOT / target), f"{name}: {target}"


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of a machine it was made on, no registry host."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    forbidden = [
        b"/wo" + b"rk/",
        b".." + b"/shared",
        b"/root" + b"/.pyenv",
        b"files.python" + b"hosted",
        b"registry.npm" + b"js",
    ]
    for path in tracked:
        file = ROOT / path.decode()
        if path and file.is_file():
            data = file.read_bytes()
            assert not [word for word in forbidden if word in data], path
