"""`guards uninstall`: takes the entries out again; state, policy and approvals stay where they are."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from guards.wiring import consent, edit, fenced, launcher, machine, place, record, show, team, unwire
from guards.wiring.commands.install import DryRun, Harnesses, Yes
from guards.wiring.forms import FORMS
from guards.wiring.text import Refused

Managed = Annotated[bool, typer.Option("--managed", help="out of root's own settings, with sudo")]
Repo = Annotated[str | None, typer.Option("--repo", help="out of a repository's committed hook files")]


def command(
    harness: Harnesses = None, yes: Yes = False, dry_run: DryRun = False, managed: Managed = False, repo: Repo = None
) -> None:
    """Take every entry of guards out of the harnesses' settings; every other byte stays.

    Example: guards uninstall --harness claude
    """
    if not dry_run:
        consent.refuse_agents("uninstall")
    if repo is not None:
        raise typer.Exit(team.uninstall(repo, harness or [], yes, dry_run))
    places = place.read(machine.folder()) or machine.proposed()
    paths = files(places, harness or [], managed)
    rules = unwire.rules(places)
    edits = [edit.plan(path, places["install"], rules, machine.take_out) for path in paths]
    changed = [made for made in edits if made.changes]
    for made in changed:
        print(show.difference(made))
    if not changed:
        print("nothing of guards is wired.")
    whole = not managed and not harness
    if dry_run or not (changed or (whole and launcher.ours(places))):
        raise typer.Exit(0)
    consent.agree("uninstall", "take these out?", yes)
    for made in changed:
        edit.apply(made.path, places["install"], rules, machine.take_out)
        print(f"{made.path}: the entries of guards are out")
    if not managed and (not harness or "claude" in harness):
        fenced.take(places["install"])
    if whole and (link := launcher.take(places)):
        print(f"{link}: the link to the command is out; {places['install']}/{launcher.NAME} still runs it")
    _remaining(places, [made.path for made in changed])


def files(places: dict[str, str], names: list[str], managed: bool) -> list[str]:
    """Settings that may hold something of ours: where the harnesses look, and where an install once wrote."""
    unknown = [name for name in names if name not in FORMS]
    if unknown:
        raise Refused(f"guards does not wire {unknown[0]!r}; it knows {', '.join(FORMS)}")
    forms = [form for name, form in FORMS.items() if not names or name in names]
    roots = [form.MANAGED for form in forms if form.MANAGED]
    found = [form.settings(places["home"], dict(os.environ)) for form in forms]
    if not names:
        found += [path for path in record.load(places["install"])["files"] if path not in roots]
    wanted = roots if managed else found
    return [path for path in dict.fromkeys(wanted) if os.path.exists(path)]


def _remaining(places: dict[str, str], changed: list[str]) -> None:
    for path in [form.MANAGED for form in FORMS.values() if form.MANAGED]:
        if path in record.load(places["install"])["files"]:
            print(f"note: {path} is still wired; sudo guards uninstall --managed takes it out")
    backups = [path + edit.BACKUP for path in changed if os.path.lexists(path + edit.BACKUP)]
    print(f"the install folder was left, and what was there before: {', '.join([places['install'], *backups])}")
    print(f"policy, approvals and state were left: {places['machine']}, {places['approvals']}, {places['state']}")
