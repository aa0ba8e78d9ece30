"""Which code runs: the checkout as it is edited, or a copy made at one moment.

Either is tried first, from a throwaway install with this machine's policy; what does not answer as it must is never
pointed to. The flip itself is one rename.
"""

from __future__ import annotations

import compileall
import os
import shutil
import sys
import tempfile
from typing import Any

from guards.compile.build import rebuild
from guards.wiring import edit, fire, machine, place, show


def flip(places: dict[str, str], pinned: bool) -> int:
    """Point `code` at the checkout, or at a fresh copy that has passed its trial; then renew what hangs on it."""
    source = place.snapshot(places["install"], machine.CHECKOUT) if pinned else machine.CHECKOUT
    compileall.compile_dir(os.path.join(source, "guards"), quiet=2)
    wrong = _trial(source)
    if wrong:
        print(show.fired(wrong))
        if pinned:
            shutil.rmtree(source)
        sys.stderr.write("guards: those guards do not answer as they must; the code in use was not changed.\n")
        return 1
    now = place.lay(places["install"], **machine.where(), code=source)
    rebuild(now)
    prune(now["install"])
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


def prune(install: str, keep: int = 2) -> None:
    """Old snapshots, but for the newest ones and the one in use."""
    shelf = os.path.join(install, "pinned")
    if not os.path.isdir(shelf):
        return
    used = os.path.dirname(os.path.realpath(os.path.join(install, "code")))
    names = sorted(os.listdir(shelf), key=lambda name: os.stat(os.path.join(shelf, name)).st_mtime)
    for name in names[:-keep]:
        path = os.path.join(shelf, name)
        if os.path.realpath(path) != used:
            shutil.rmtree(path, ignore_errors=True)
