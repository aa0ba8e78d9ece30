"""`guards fire`: every wired gate, both ways, through the live settings."""

from __future__ import annotations

from typing import Annotated

import typer

from guards.wiring import fire, machine, place, show
from guards.wiring.commands.install import Harnesses
from guards.wiring.text import Refused

Json = Annotated[bool, typer.Option("--json", help="rows as JSON")]


def command(harness: Harnesses = None, json: Json = False) -> None:
    """Send each wired gate a call that it must refuse and one that it must let pass; exit 1 if one does not.

    Example: guards fire --harness claude
    """
    found = place.read(machine.folder())
    if found is None:
        raise Refused("guards is not installed here; run make install in the checkout")
    rows = probe(found, harness or [])
    if json:
        print(show.plain(fire.as_dicts(rows)))
    else:
        print(show.fired(rows))
        print("\n" + show.closing(rows))
    raise typer.Exit(0 if rows and all(row.ok for row in rows) else 1)


def probe(places: dict[str, str], names: list[str]) -> list[fire.Row]:
    """Rows of the owner's settings, and of root's where we are wired there."""
    built = machine.policy(places)
    rows: list[fire.Row] = []
    for target in machine.targets(places, built, names):
        rows += fire.settings(target, places, built)
        managed = target.managed()
        if managed is not None and fire.live(managed):
            rows += fire.settings(managed, places, built)
    return rows
