"""`guards doctor`: everything about Guards on this machine that may not be as the owner believes, with the cure.

Each row is ok, warn, FAIL or not run. A look that fails is a row that was not run, never a pass and never a traceback.
It fixes nothing. Exit 1 when a row is FAIL; warnings alone end with 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Annotated

import typer

from guards.knowledge.report import plain
from guards.reports import here
from guards.reports.rows import checkout, fence, policy, settings, use
from guards.reports.rows.record import FAIL, NOT_RUN, OK, WARN, Ground, Look, Row
from guards.wiring import machine, place
from guards.wiring.commands.install import Harnesses

# in this order; a part that grows adds a row here
LOOKS: tuple[Look, ...] = (
    settings.installed,
    policy.compiled,
    policy.repository,
    policy.off,
    policy.lines,
    policy.trusted,
    settings.wired,
    settings.events,
    settings.contract,
    settings.copies,
    settings.dead,
    settings.fired,
    use.beats,
    use.errors,
    use.tools,
    use.state,
    fence.holds,
    fence.reach,
    fence.said,
    checkout.interpreter,
    checkout.compiled,
    checkout.behind,
)


def command(
    harness: Harnesses = None,
    fire: Annotated[bool, typer.Option(help="fire every wired gate both ways")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="without the rows that are ok")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="rows as JSON")] = False,
) -> None:
    """Look at everything about guards on this machine; each row with its cure. Exit 1 when one is FAIL.

    Example: guards doctor --quiet
    """
    rows = examine(ground(harness or [], fire))
    if as_json:
        print(json.dumps({"rows": [row.as_dict() for row in rows], "counts": counts(rows)}, indent=1))
    else:
        show(rows, quiet)
    raise typer.Exit(1 if any(row.mark == FAIL for row in rows) else 0)


def ground(harnesses: list[str], fire: bool) -> Ground:
    """This machine, asked from this folder."""
    record = place.read(machine.folder())
    places = record or machine.proposed()
    return Ground(
        here.places() if record else places, record is not None, os.getcwd(), harnesses, fire, dict(os.environ)
    )


def examine(ground: Ground) -> list[Row]:
    return [row for look in LOOKS for row in _safely(look, ground)]


def _safely(look: Look, ground: Ground) -> Iterator[Row]:
    try:
        yield from look(ground)
    except Exception as fault:  # noqa: BLE001 - a look that fails is told as one that was not run
        name = f"{look.__module__.rpartition('.')[2]}.{look.__name__}"
        yield Row(name, NOT_RUN, f"could not look: {type(fault).__name__}: {fault}")


def counts(rows: list[Row]) -> dict[str, int]:
    """The words of the summary line."""
    marks = [row.mark for row in rows]
    return {
        "checks": len(rows),
        "failing": marks.count(FAIL),
        "warn": marks.count(WARN),
        "not run": marks.count(NOT_RUN),
    }


def show(rows: list[Row], quiet: bool) -> None:
    for row in rows:
        if quiet and row.mark == OK:
            continue
        word = {OK: "ok  ", WARN: "warn", FAIL: "FAIL", NOT_RUN: "not run"}[row.mark]
        cure = f" → {row.cure}" if row.cure else ""
        print(plain(f"[{word}] {row.id}: {row.text}{cure}"))
    told = counts(rows)
    print(f"{told['checks']} checks, {told['failing']} failing, {told['warn']} due, {told['not run']} not run")
