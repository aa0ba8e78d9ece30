"""`guards link`: code, policy and approvals as links, so that the repository's history shows every edit."""

from __future__ import annotations

import compileall
import os
import shutil
import sys
import tempfile
from typing import Annotated, Any

import typer

from guards.compile.build import rebuild
from guards.wiring import consent, edit, fire, link, machine, place, record, show
from guards.wiring.commands.install import DryRun, Yes
from guards.wiring.text import Refused

Repo = Annotated[
    str | None,
    typer.Argument(help="folder of your own repository for policy/ and approvals/; remembered after the first time"),
]
Pinned = Annotated[bool, typer.Option("--pinned", help="run a copy made now, not the checkout as it is edited")]


def command(repo: Repo = None, pinned: Pinned = False, yes: Yes = False, dry_run: DryRun = False) -> None:
    """Link this machine's policy and approvals to your repository, and the code to the checkout or a copy of it.

    Example: guards link ~/config/guards --pinned
    """
    if not dry_run:
        consent.refuse_agents("link")
    places = place.read(machine.folder())
    if places is None:
        raise Refused("guards is not installed here; run make install in the checkout first")
    book = record.load(places["install"])
    folder = os.path.abspath(os.path.expanduser(repo)) if repo else book.get("repo")
    if folder and not os.path.isdir(folder):
        raise Refused(f"{folder} is no folder")
    steps = link.plan(places, folder, book.get("links", {})) if folder else []
    _show(places, steps, pinned)
    if dry_run:
        raise typer.Exit(0)
    consent.agree("link", "make these links?", yes)
    for step in steps:
        link.carry_out(step)
        book.setdefault("links", {})[step.here] = step.there
    if folder:
        record.save(places["install"], {**record.load(places["install"]), "repo": folder, "links": book["links"]})
    raise typer.Exit(_flip(places, pinned))


def _show(places: dict[str, str], steps: list[link.Step], pinned: bool) -> None:
    code = os.path.join(places["install"], "code")
    then = "a copy made now" if pinned else os.path.join(machine.CHECKOUT, "guards")
    now = os.readlink(code) if os.path.islink(code) else "nothing"
    rows = [("code", code, then, "already so" if now == then else f"leads to {now} now")]
    rows += [(step.name, step.here, step.there, step.says) for step in steps]
    print(show.table(("what", "on this machine", "will lead to", "direction"), rows))


def _flip(places: dict[str, str], pinned: bool) -> int:
    """Point `code` at the checkout, or at a fresh copy that has passed its trial; then renew what hangs on it."""
    source = place.snapshot(places["install"], machine.CHECKOUT) if pinned else machine.CHECKOUT
    compileall.compile_dir(os.path.join(source, "guards"), quiet=2)
    wrong = _trial(source)
    if wrong:
        print(show.fired(wrong))
        if pinned:
            shutil.rmtree(source)
        sys.stderr.write("guards link: those guards do not answer as they must; the code in use was not changed.\n")
        return 1
    now = place.lay(places["install"], **machine.where(), code=source)
    rebuild(now)
    link.prune(now["install"])
    built = machine.policy(now)
    rows: list[fire.Row] = []
    for target in machine.targets(now, built, []):
        if fire.live(target):
            edit.apply(target.path, now["install"], target.rules, target.put_in)
            rows += fire.settings(target, now, built)
    if rows:
        print(show.fired(rows))
    return 0 if all(row.ok for row in rows) else 1


def _trial(source: str) -> list[fire.Row]:
    """What answers wrongly when those guards are fired from a throwaway install with this machine's policy."""
    with tempfile.TemporaryDirectory(prefix="guards-link-") as folder:
        where: Any = {**machine.where(), "state": os.path.join(folder, "state")}
        trial = place.lay(os.path.join(folder, "install"), **where, code=source)
        built = machine.policy(trial)
        found: list[fire.Row] = []
        for target in machine.targets(trial, built, []):
            found += fire.run(target, trial, built, fire.wanted(target))
    return [row for row in found if not row.ok]
