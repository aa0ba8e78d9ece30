"""`guards reconcile`: the live settings against the owner's committed copy, entry by entry, either way.

The live file is the truth about what runs; a harness rewrites it in place, so it is copied, not linked, and the two
drift. Nothing is moved without being shown and agreed to. Guards' own entries are only ever taken over into the copy:
what wires this machine is for `guards install` to say.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from guards.engine import wired
from guards.reports import drift
from guards.reports.drift import Difference
from guards.wiring import consent, edit, machine, place, record, show, unwire
from guards.wiring.commands.install import DryRun, Yes
from guards.wiring.edit import Edit
from guards.wiring.forms import FORMS
from guards.wiring.text import Refused

TRIES = 10


class To(StrEnum):
    """Where every difference is taken."""

    ask = "ask"
    copy = "copy"
    live = "live"


@dataclass
class Pair:
    """The two files, as they were read."""

    live: str
    copy: str
    raw: tuple[bytes | None, bytes | None] = (None, None)

    def read(self) -> list[Difference]:
        self.raw = (edit.settled(self.live), edit.settled(self.copy))
        return drift.compare(*self.texts)

    @property
    def texts(self) -> tuple[str, str]:
        live, copy = (edit.NEW if data is None else unwire.decode(data) for data in self.raw)
        return live, copy


def command(
    copy: Annotated[str, typer.Option(help="the committed copy; the repository of guards link by default")] = "",
    harness: Annotated[str, typer.Option(help="whose settings")] = "claude",
    to: Annotated[To, typer.Option(help="take every difference there, or ask for each")] = To.ask,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Annotated[bool, typer.Option("--json", help="the differences as JSON; nothing is changed")] = False,
) -> None:
    """Compare the live settings with the committed copy and move entries either way; exit 1 where they still differ.

    Example: guards reconcile --to copy --dry-run
    """
    looking = dry_run or as_json
    if not looking:
        consent.refuse_agents("reconcile")
    pair = files(harness, copy)
    found = pair.read()
    if as_json:
        print(show.plain({"live": pair.live, "copy": pair.copy, "differences": [d.as_dict() for d in found]}))
        raise typer.Exit(1 if found else 0)
    _show(pair, found)
    if not found:
        raise typer.Exit(0)
    if to is To.ask and looking:
        raise typer.Exit(1)
    if to is To.ask and (yes or not consent.terminal()):
        raise Refused("says of each difference where it goes: run it in a terminal, or with --to copy or --to live")
    choices = _asked(found) if to is To.ask else {d.name: to.value for d in found if _may(d, to.value)}
    edits = [planned(pair, found, choices, side) for side in ("live", "copy")]
    for made in edits:
        print(show.difference(made) if made.changes else f"{made.path}: nothing to change")
    if dry_run or not any(made.changes for made in edits):
        raise typer.Exit(1 if found else 0)
    consent.agree("reconcile", "write this?", yes)
    carry_out(pair, choices)
    left = pair.read()
    print(f"{len(found) - len(left)} taken over, {len(left)} left as they are.")
    raise typer.Exit(1 if left else 0)


def files(harness: str, copy: str) -> Pair:
    """The two paths. The copy is named, or found in the repository that `guards link` knows."""
    places = place.read(machine.folder()) or machine.proposed()
    form = FORMS.get(harness)
    if form is None:
        raise Refused(f"guards does not know {harness!r}; it knows {', '.join(FORMS)}")
    live = form.settings(places["home"], dict(os.environ))
    if not copy:
        copy = _found(record.load(places["install"]).get("repo"), harness, os.path.basename(live))
    copy = os.path.abspath(os.path.expanduser(copy))
    if os.path.realpath(copy) == os.path.realpath(live):
        raise Refused(f"{live} leads to {copy} itself: there is only one file, and nothing to reconcile")
    if not os.path.isfile(copy):
        raise Refused(f"there is no {copy}")
    return Pair(live, copy)


def _found(repo: str | None, harness: str, name: str) -> str:
    if not repo:
        raise Refused("which committed copy? name it with --copy, or tell guards link the repository once")
    for folder in (harness, f".{harness}", f"shared/{harness}", "."):
        path = os.path.join(repo, folder, name)
        if os.path.isfile(path):
            return path
    raise Refused(f"{repo} holds no {harness}/{name}; name the copy with --copy")


def _may(difference: Difference, to: str) -> bool:
    """Guards' own entries are not written into the live file, nor taken out of it, from here."""
    return to == "copy" or not difference.managed


def _show(pair: Pair, found: list[Difference]) -> None:
    print(f"live  {pair.live}\ncopy  {pair.copy}")
    if not found:
        print("they say the same.")
        return
    rows = [(d.state, d.name, d.words()) for d in found]
    print("\n" + show.table(("where", "entry", "says"), rows))
    for d in found:
        if d.managed and d.state != "only live":
            print(f"note: {d.name} wires guards in the copy; what wires this machine is for guards install.")
    for line in _dead(pair):
        print(f"note: {line}")


def _dead(pair: Pair) -> list[str]:
    """Foreign entries that cannot run; they are the owner's, so they are only told."""
    home = str(Path.home())
    said = []
    for path, text in zip((pair.live, pair.copy), pair.texts, strict=True):
        for entry in wired.entries(unwire.parse(text).plain(), path, "claude"):
            gone = wired.missing(entry.command, {"HOME": home}, os.path.exists, _which)
            if gone and not entry.managed:
                said.append(f"{path}: the {entry.event} entry `{entry.command[:60]}` would start {gone}")
    return said


def _which(name: str) -> str:
    import shutil

    return shutil.which(name) or ""


def _asked(found: list[Difference]) -> dict[str, str]:
    choices: dict[str, str] = {}
    keys = {"c": "copy", "l": "live"}
    for d in found:
        print(f"\n{d.name} ({d.state})")
        for side, value in (("live", d.live), ("copy", d.copy)):
            print(f"  {side}: {'nothing' if value is None else json.dumps(value, ensure_ascii=False)[:400]}")
        offer = "[c] as in live, into the copy" + ("" if d.managed else ", [l] as in the copy, into live")
        answer = input(f"  {offer}, [s] leave, [q] stop: ").strip().lower()[:1]
        if answer == "q":
            break
        if answer in keys and _may(d, keys[answer]):
            choices[d.name] = keys[answer]
    return choices


def planned(pair: Pair, found: list[Difference], choices: dict[str, str], side: str) -> Edit:
    """What the choices make of one of the files."""
    number = 0 if side == "live" else 1
    path, before, text = (pair.live, pair.copy)[number], pair.raw[number], pair.texts[number]
    after = text
    for d in found:
        if choices.get(d.name) == side:
            after = drift.carry(after, d, d.copy if side == "live" else d.live)
    return Edit(path, before, before if after == text else unwire.encode(after))


def carry_out(pair: Pair, choices: dict[str, str]) -> None:
    """Writes both files, each whole or not at all, on fresh text if somebody wrote in between."""
    for side, path in (("copy", pair.copy), ("live", pair.live)):
        folder = os.path.dirname(os.path.realpath(path))
        with unwire.Lock(folder):
            for _ in range(TRIES):
                made = planned(pair, pair.read(), choices, side)
                if not made.changes:
                    break
                try:
                    edit.backup(made)
                    unwire.replace(path, made.before, made.after)
                    break
                except unwire.Changed:
                    continue
            else:
                raise Refused(f"{path}: something else keeps writing it; run this again")
