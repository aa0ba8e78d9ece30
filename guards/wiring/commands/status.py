"""`guards status`: what is wired, what fires today, what drifted, what is shadowed or doubled."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Annotated

import typer

from guards.compile.build import Built, build
from guards.engine import switch
from guards.engine.state import Session
from guards.engine.world import World
from guards.wiring import fire, machine, place, show, status
from guards.wiring.commands.install import Harnesses

Json = Annotated[bool, typer.Option("--json", help="the report as JSON")]
MANY = 8  # faults of the policy that are told one by one


def command(harness: Harnesses = None, json: Json = False) -> None:
    """Compare the live settings with what an install would write; exit 1 where they differ.

    Example: guards status --json
    """
    places = place.read(machine.folder())
    if places is None:
        print("guards is not installed here; make install in the checkout wires it.")
        raise typer.Exit(1)
    built = build(places)
    reports = gather(places, machine.in_force(places, built), harness or [])
    world = World(places, Session(places["state"], "", frozen=True))
    paused = switch.paused_until(world)
    if json:
        print(show.plain(status.as_dict(reports, places, paused, built.faults)))
    else:
        print("\n".join(_head(places, built, paused)))
        for report in reports:
            _print(report)
        _today(places)
    raise typer.Exit(0 if not built.faults and all(report.fine for report in reports) else 1)


def gather(places: dict[str, str], built: Built, names: list[str]) -> list[status.Report]:
    """The owner's settings of each harness, and root's where we are in them."""
    targets = machine.targets(places, built, names)
    every = [root for target in targets if (root := target.managed()) is not None and fire.live(root)]
    return [status.of(places, target, os.getcwd()) for target in [*targets, *every]]


def _head(places: dict[str, str], built: Built, paused: float) -> Iterator[str]:
    """What holds for every harness: where guards lies, and what keeps it from doing all it should."""
    yield f"guards {places['version']} from {places['checkout']}, laid out in {places['install']}"
    if paused:
        yield f"PAUSED until {time.strftime('%Y-%m-%d %H:%M', time.localtime(paused))}: guards pause --end ends it"
    if mine := machine.off(places, built):
        yield f"switched off by you: {', '.join(mine)}"
    if built.faults:
        none = "there is no last good one, so calls before a tool are refused"
        force = none if machine.last_good(places) is None else "the last good one is in force"
        yield f"the policy does not compile; the hooks are live and {force}. guards check tells when this is right:"
        yield from (f"  {fault}" for fault in built.faults[:MANY])


def _print(report: status.Report) -> None:
    print(f"\n{report.harness} {report.version}: {report.settings}")
    if report.bare:
        print("nothing of guards is wired here; guards install wires it and shows the change first.")
    elif report.lines:
        rows = [(line.event, line.native, line.state, _ago(line.last)) for line in report.lines]
        print(show.table(("event", "its name there", "entry", "last fired"), rows))
        if any(line.state != "ok" for line in report.lines):
            print("guards install puts this right and shows the change first.")
    for note in report.notes:
        print(f"note: {note}")


def _today(places: dict[str, str]) -> None:
    counts = status.today(places)
    kinds = ("refused", "noted", "watched", "errors")
    if counts:
        cells = [(guard, *(str(of.get(kind, 0)) for kind in kinds)) for guard, of in sorted(counts.items())]
        print("\n" + show.table(("today", *kinds), cells))
    else:
        print("\ntoday no guard said anything.")


def _ago(moment: float | None) -> str:
    if moment is None:
        return "never"
    there = time.localtime(moment)
    same = there[:3] == time.localtime()[:3]
    return time.strftime("today %H:%M" if same else "%Y-%m-%d", there)
