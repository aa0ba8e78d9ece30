"""The hooks of a repository for everyone who works in it: a committed file whose lines do nothing without Guards.

A line looks for Guards in the two places where an install lays it, and hands over to `team.sh` there; that one yields
where the machine itself is wired. What is wired, and how it is taken out again, is the machinery of the owner's own
settings; its record lies apart, so that unwiring a machine leaves its repositories alone.
"""

from __future__ import annotations

import os
from types import ModuleType

from guards.compile.build import Built
from guards.wiring import consent, edit, machine, place, show
from guards.wiring.forms import FORMS
from guards.wiring.machine import Target
from guards.wiring.text import Refused
from guards.wiring.wire import Wanted

RECORD = "teams"  # below the install folder
PLACES = '"${XDG_DATA_HOME:-$HOME/.local/share}" "$HOME/Library/Application Support"'


def line(form: ModuleType, event: str) -> str:
    """The committed command: the same on every machine, so that nobody's copy differs."""
    there = f'[ -f "$t" ] && exec sh "$t" {form.NAME} {event}'
    silent = 'echo \'{"permission":"allow"}\'; ' if event in form.SPOKEN else ""
    return f"for d in {PLACES}; do t=$d/guards/code/wiring/team.sh; {there}; done; {silent}exit 0  # {place.MARK}"


def target(form: ModuleType, repo: str, built: Built) -> Target:
    """The repository's file of one harness. Only events that every version knows: nobody knows the others' versions."""
    asked = machine.events(built)
    wanted: Wanted = {
        form.EVENTS[event]: form.entry(event, line(form, event)) for event in form.knows(()) if event in asked
    }
    return Target(form, os.path.join(repo, form.TEAM), (), wanted, [])


def root(folder: str) -> str:
    """The repository that was named, by its top folder."""
    path = os.path.realpath(os.path.expanduser(folder))
    if not os.path.isdir(path) or not os.path.lexists(os.path.join(path, ".git")):
        raise Refused(f"{path} is no top folder of a repository; name the one that holds .git")
    return path


def install(folder: str, names: list[str], yes: bool, dry_run: bool) -> int:
    """Put the lines into the repository's files, shown and agreed to; for the harnesses named, or those found here."""
    places = place.read(machine.folder()) or machine.proposed()
    built, repo = machine.policy(places), root(folder)
    forms = _named(names) or [made.form for made in machine.targets(places, built, [])]
    return _carry_out([target(form, repo, built) for form in forms], places, "install", yes, dry_run)


def uninstall(folder: str, names: list[str], yes: bool, dry_run: bool) -> int:
    """Take every line of ours out of the repository's files; every other byte stays."""
    places = place.read(machine.folder()) or machine.proposed()
    built, repo = machine.policy(places), root(folder)
    found = [target(form, repo, built) for form in _named(names) or FORMS.values()]
    return _carry_out([t for t in found if os.path.exists(t.path)], places, "uninstall", yes, dry_run)


def _named(names: list[str]) -> list[ModuleType]:
    unknown = [name for name in names if name not in FORMS]
    if unknown:
        raise Refused(f"guards does not wire {unknown[0]!r}; it knows {', '.join(FORMS)}")
    return [FORMS[name] for name in names]


def _carry_out(targets: list[Target], places: dict[str, str], verb: str, yes: bool, dry_run: bool) -> int:
    notes = os.path.join(places["install"], RECORD)
    changes = [(t.path, t.put_in if verb == "install" else machine.take_out) for t in targets]
    edits = [edit.plan(path, notes, [], change) for path, change in changes]
    for made in edits:
        print(show.difference(made) if made.changes else f"{made.path}: nothing to change")
    if not edits:
        print("no file of this repository holds hooks of guards.")
    if dry_run or not any(made.changes for made in edits):
        return 0
    consent.agree(verb, "write this into the repository?", yes)
    os.makedirs(notes, mode=0o700, exist_ok=True)
    for (path, change), made in zip(changes, edits, strict=True):
        if made.changes:
            edit.apply(path, notes, [], change, 0o644)
            print(f"{path}: {'wired; commit it' if verb == 'install' else 'the lines of guards are out'}")
    if verb == "install":
        _say(targets, places)
    return 0


def _say(targets: list[Target], places: dict[str, str]) -> None:
    """What the lines do here, so that nobody looks for a refusal that comes from elsewhere."""
    for made in targets:
        own = made.form.settings(places["home"], dict(os.environ))
        wired = os.path.exists(own) and edit.holds(edit.plan(own, places["install"], [], lambda text, _: text))
        if place.read(machine.folder()) is None:
            print(f"{made.form.NAME}: does nothing here, where guards is not installed")
        elif wired:
            print(f"{made.form.NAME}: yields here to {own}")
        else:
            print(f"{made.form.NAME}: judges here, with this machine's policy and approvals")
        if made.form.HINT and made.form.NAME == "codex":
            print("note: codex runs hooks of a project only when the project and each hook are trusted.")
