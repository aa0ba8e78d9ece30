"""Policy and the owner's word: faults, last good, approvals, what is off, who may write what gives permission."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator

from guards.compile import trust
from guards.compile.build import build
from guards.engine import switch
from guards.reports import approvals
from guards.reports.rows.record import FAIL, OK, WARN, Ground, Row
from guards.wiring import machine

MANY = 8  # faults that are listed one by one


def compiled(ground: Ground) -> Iterator[Row]:
    faults = ground.built.faults
    for fault in faults[:MANY]:
        yield Row("policy", FAIL, fault, "correct it; guards check tells when it is right.")
    if len(faults) > MANY:
        yield Row("policy", FAIL, f"{len(faults) - MANY} more faults", "guards check")
    if not faults:
        yield Row("policy", OK, f"{len(ground.built.sections)} policies compile")
    elif ground.tables is None:
        yield Row(
            "last-good", FAIL, "no last good policy is in force: every call before a tool is refused", "guards check"
        )
    else:
        yield Row("last-good", WARN, "the last good policy is in force, without your last edits", "guards check")
    for notice in ground.built.notices[:MANY]:
        yield Row("policy-notice", WARN, notice, "it means nothing as it stands.")


def repository(ground: Ground) -> Iterator[Row]:
    """The layer of the repository the doctor was asked in."""
    folder = ground.project
    while folder not in ("", "/") and not os.path.lexists(os.path.join(folder, ".git")):
        folder = os.path.dirname(folder)
    layer = os.path.join(folder, ".guards")
    if folder in ("", "/") or not os.path.isdir(layer):
        return
    built = build(ground.places, folder)
    for fault in built.repository[:MANY]:
        yield Row("repository", WARN, fault, "its last good layer counts until it is right.")
    if not built.repository:
        yield Row("repository", OK, f"{layer} compiles")


def off(ground: Ground) -> Iterator[Row]:
    until, why = switch.pause(ground.world)
    if until:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(until)) + (f" ({why})" if why else "")
        said = f"all guards are paused until {when}: only sealed and exact paths are refused"
        yield Row("pause", WARN, said, "guards pause --end")
    elif os.path.lexists(os.path.join(ground.places["state"], "pause")):
        yield Row("pause", OK, "the pause file is over or not yours, so it does not count")
    else:
        yield Row("pause", OK, "nothing is paused")
    if mine := machine.off(ground.places, ground.built):
        yield Row("off", WARN, f"switched off by you: {', '.join(mine)}", "take off = true out to have it back.")


def lines(ground: Ground) -> Iterator[Row]:
    """The approval file."""
    if not os.path.lexists(ground.places["approvals"]):
        yield Row("approvals", OK, "nothing is approved")
        return
    report = approvals.describe(ground.places)
    if report["trouble"]:
        yield Row("approvals", FAIL, report["trouble"], "until then nothing in it counts.")
    said = [(line["number"], text) for line in report["lines"] for text in (*line["faults"], *line["remarks"])]
    for number, text in said[:MANY]:
        yield Row("approvals", WARN, f"{report['path']}: line {number}: {text}", "guards approvals shows every line.")
    if len(said) > MANY:
        yield Row("approvals", WARN, f"{len(said) - MANY} more remarks", "guards approvals")
    if not report["trouble"] and not said:
        count = len(report["lines"])
        many = {0: "nothing is approved", 1: "1 line counts"}.get(count, f"{count} lines count")
        yield Row("approvals", OK, many)


def trusted(ground: Ground) -> Iterator[Row]:
    """Files that give permission, and the folder that remembers."""
    fine = True
    for path in (ground.places["state"], os.path.dirname(ground.places["approvals"]), ground.places["machine"]):
        try:
            info = os.stat(path)
        except OSError:
            continue
        why = trust.fault(path, info)
        if path == ground.places["state"] and stat.S_IMODE(info.st_mode) & 0o077 and not why:
            why = f"{path} can be read by others; run: chmod 700 {path}"
        if why:
            fine = False
            yield Row("untrusted", WARN, f"{path}: {why}" if not why.startswith(path) else why)
    if fine:
        yield Row("untrusted", OK, "policy, approvals and state are yours alone to write")
