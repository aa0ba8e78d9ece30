"""The owner's repository and this machine: which side a thing lies on, and the links that make them one.

Two things can lie in a repository of the owner's: the machine's policy (a folder) and the approvals (a file). A link
replaces what is on the machine only where nothing is lost: it is a link of ours, it is as shipped, or it says the
same; what only the machine has moves into the repository first. Two sides that differ stop the work.
"""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

from guards.wiring import place
from guards.wiring.edit import BACKUP
from guards.wiring.text import Refused


@dataclass
class Step:
    """One link: `here` on the machine will lead to `there` in the repository."""

    name: str
    here: str
    there: str
    says: str = ""
    moves: list[tuple[str, str]] = field(default_factory=list)  # machine → repository, before the link
    fresh: bool = False  # neither side had it: made in the repository
    done: bool = False


def plan(places: dict[str, str], repo: str, ours: dict[str, str]) -> list[Step]:
    """What would happen; raises where the two sides differ. `ours` are links made earlier: path → target."""
    steps = [
        Step("policy", places["machine"], os.path.join(repo, "policy")),
        Step("approvals", places["approvals"], os.path.join(repo, "approvals", "human-lane")),
    ]
    if os.path.realpath(repo) == os.path.realpath(places["checkout"]):
        steps = steps[1:]  # the checkout's own policy/ is the bundled layer, and cannot be the machine's too
    for step in steps:
        _decide(step, ours)
    return steps


def _decide(step: Step, ours: dict[str, str]) -> None:
    here, there = step.here, step.there
    if os.path.islink(here):
        target = os.readlink(here)
        step.done = target == there
        if not step.done and ours.get(here) != target:
            raise Refused(f"{here} leads to {target}, and guards did not make that link; nothing was changed")
        step.says = "already so" if step.done else f"led to {target} until now"
        if not step.done:
            step.fresh = not os.path.lexists(there)
    elif not os.path.lexists(here):
        step.fresh = not os.path.lexists(there)
        step.says = "new on both sides" if step.fresh else "repository → machine"
    else:
        step.moves = list(_moves(step))
        names = ", ".join(os.path.basename(target) for _, target in step.moves)
        step.says = f"machine → repository: {names}" if step.moves else "repository → machine"
        step.fresh = not step.moves and not os.path.lexists(there)


def _moves(step: Step) -> Iterator[tuple[str, str]]:
    """What only the machine has; raises on what both sides have and differs."""
    if step.name == "approvals":
        pairs = [(step.here, step.there)]
    else:
        pairs = [(os.path.join(step.here, n), os.path.join(step.there, n)) for n in sorted(os.listdir(step.here))]
    for source, target in pairs:
        if not os.path.lexists(target) or (_silent(target) and not _silent(source)):
            yield source, target
        elif not _silent(source) and not filecmp.cmp(source, target, shallow=False):
            raise Refused(f"{source} and {target} differ; make them say the same, or move one away")


def _silent(path: str) -> bool:
    """Whether a file says nothing: blank lines and comments only."""
    if not os.path.isfile(path):
        return False
    with open(path, encoding="utf-8", errors="replace") as handle:
        return all(not line.strip() or line.lstrip().startswith("#") for line in handle)


def carry_out(step: Step) -> None:
    """Copy what moves, then put the link where the thing was; the thing itself stays beside it as the backup."""
    if step.done:
        return
    for source, target in step.moves:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    _make(step)
    if os.path.lexists(step.here) and not os.path.islink(step.here):
        _aside(step.here)
    os.makedirs(os.path.dirname(step.here), exist_ok=True)
    place.point(step.here, step.there)


def _make(step: Step) -> None:
    if os.path.lexists(step.there):
        return
    os.makedirs(os.path.dirname(step.there), exist_ok=True)
    if step.name == "policy":
        os.makedirs(step.there)
    else:
        place.write_whole(step.there, place.APPROVALS, 0o600)


def _aside(path: str) -> None:
    backup = path + BACKUP
    if os.path.isdir(backup) and not os.path.islink(backup):
        shutil.rmtree(backup)
    elif os.path.lexists(backup):
        os.unlink(backup)
    os.rename(path, backup)
