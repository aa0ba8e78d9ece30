"""`guards wiring`: the wiring contract, for the CI of a config repository and for this machine.

Looks at every settings file with hooks below the given folders, at all hooks in them whatever they are written in, at
HOOKS.md and at dispatch. Starts nothing but `sh -n`. A run that examined nothing is no pass: it ends with 2.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from guards.engine import wired
from guards.engine.tables import NoTables, load
from guards.reports import here
from guards.reports.contract import commands, files, house, shape, together, values
from guards.reports.contract.commands import Ground
from guards.reports.contract.rules import FAIL, RULES, Finding


@dataclass
class Checked:
    """What was looked at, and what was found."""

    files: list[str] = field(default_factory=list)
    hooks: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def failing(self) -> int:
        return sum(finding.level == FAIL for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        status = "nothing examined" if not self.files else "fail" if self.failing else "pass"
        return {
            "status": status,
            "files": self.files,
            "hooks": self.hooks,
            "failing": self.failing,
            "findings": [finding.as_dict() for finding in self.findings],
        }


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="settings files or folders; this folder by default, the live settings where it has none"),
    ] = None,
    live: Annotated[bool, typer.Option("--live", help="this machine's live settings too")] = False,
    harness: Annotated[str, typer.Option(help="whose files these are, where their place does not tell")] = "",
    home: Annotated[Path | None, typer.Option(help="the home that $HOME and ~ stand for")] = None,
    moved: Annotated[list[str] | None, typer.Option("--map", help="FROM=TO: a folder that lies elsewhere here")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="a warning is a finding too")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="print the rules and end")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="the report as JSON")] = False,
) -> None:
    """Check that every hook in these settings would run, be heard, and be documented; exit 1 where one would not.

    Example: guards wiring --map '~/tools=shared/tools' --json .
    """
    if rules:
        for name, (level, text) in RULES.items():
            print(f"{level:<4}  {name:<18} {text}")
        return
    ground = ground_for((paths or [Path()])[0], home, moved or [])
    if not paths and not live and not _files([Path()]):
        live = True
        sys.stderr.write("no settings file with hooks lies below this folder; the live settings are checked.\n")
    given = list(paths or [Path()]) + ([*live_files(ground)] if live else [])
    checked = check(given, ground, harness)
    checked.findings += house.check(here.CHECKOUT, _places(ground))
    if as_json:
        print(json.dumps(checked.as_dict(), indent=1))
    else:
        show(checked)
    if not checked.files:
        raise typer.Exit(2)
    raise typer.Exit(1 if checked.failing or (strict and checked.findings) else 0)


def _places(ground: Ground) -> dict[str, str]:
    """This machine's places; a configuration that is checked brings the machine's policy layer with it."""
    own = ground.root / "policy"
    places = {**here.places(), "home": str(ground.home)}
    return {**places, "machine": str(own)} if own.is_dir() and ground.root != here.CHECKOUT else places


def ground_for(first: Path, home: Path | None, moved: Iterable[str]) -> Ground:
    """The owner's machine as these paths see it."""
    owner = (home or Path(here.places()["home"])).absolute()
    folder = first.absolute() if first.is_dir() else first.absolute().parent
    root = next((p for p in (folder, *folder.parents) if (p / ".git").exists()), folder)
    pairs = []
    for pair in moved:
        there, sign, where = pair.partition("=")
        if not sign or not there:
            raise ValueError(f"--map takes FROM=TO, not {pair!r}")
        there = str(owner) + there[1:] if there.startswith("~/") else there
        pairs.append((there, str((root / where).absolute())))
    named = {"CLAUDE_PROJECT_DIR": str(root), "GEMINI_PROJECT_DIR": str(root), "PWD": str(root)}
    return Ground(owner, root, os.environ.get("PATH", os.defpath), tuple(pairs), {"HOME": str(owner), **named})


def check(given: Iterable[Path], ground: Ground, harness: str = "") -> Checked:
    """Every rule on every hook of these files and folders."""
    checked = Checked()
    hooks: list[shape.Hook] = []
    subjects = []
    for path in _files(given):
        subject = files.read(path, ground.root, harness)
        subjects.append(subject)
        checked.files.append(str(path))
        hooks += shape.hooks(subject)
    for hook in hooks:
        values.check(hook, _tools(hook.subject.facts.name))
        commands.check(hook, ground)
    together.check(hooks, ground)
    checked.hooks = len(hooks)
    checked.findings = [finding for subject in subjects for finding in subject.findings]
    checked.findings += _own_manual(hooks, ground)
    return checked


def _files(given: Iterable[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in given:
        for one in files.discover(path) if path.is_dir() else [path]:
            found.setdefault(one.absolute())
    return list(found)


def live_files(ground: Ground) -> Iterable[Path]:
    for name, _ in wired.FILES:
        if (ground.home / name).exists():
            yield ground.home / name


def _tools(harness: str) -> Iterable[str]:
    """The tools of a harness that the policy names, exact or by prefix."""
    try:
        table = load(here.places()).get(f"harness/{harness}")
    except NoTables:
        table = None
    return list(table["tools"]) if table else []


def _own_manual(hooks: list[shape.Hook], ground: Ground) -> list[Finding]:
    """A repository with a HOOKS.md of its own: every script it wires has a heading there."""
    manual = ground.root / "HOOKS.md"
    if not manual.is_file() or (ground.root / "guards/hook.py").is_file():
        return []
    names = {path.name for hook in hooks if not hook.managed for path in commands.scripts(hook, ground)}
    return house.missing(manual, sorted(names), "hook")


def show(checked: Checked) -> None:
    """One line a finding, the worst first within a file."""
    for finding in sorted(checked.findings, key=lambda f: (f.file, f.level != FAIL, f.line)):
        spot = f"{finding.file}:{finding.line}" if finding.line else finding.file
        where = f" {finding.where}" if finding.where else ""
        print(f"{finding.level:<4}  {spot}:{where} {finding.text}  [{finding.rule}]")
    if not checked.files:
        print("NOT RUN: no settings file with hooks was found; name one.")
        return
    word = "1 file" if len(checked.files) == 1 else f"{len(checked.files)} files"
    warned = len(checked.findings) - checked.failing
    print(f"{word}, {checked.hooks} hooks, {checked.failing} failing, {warned} warnings")
