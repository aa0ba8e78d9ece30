"""`guards link`: code, policy and approvals as links, so that the repository's history shows every edit."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from guards.wiring import consent, link, machine, pin, place, record, show
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
    raise typer.Exit(pin.flip(places, pinned))


def _show(places: dict[str, str], steps: list[link.Step], pinned: bool) -> None:
    code = os.path.join(places["install"], "code")
    then = "a copy made now" if pinned else os.path.join(machine.CHECKOUT, "guards")
    now = os.readlink(code) if os.path.islink(code) else "nothing"
    rows = [("code", code, then, "already so" if now == then else f"leads to {now} now")]
    rows += [(step.name, step.here, step.there, step.says) for step in steps]
    print(show.table(("what", "on this machine", "will lead to", "direction"), rows))
