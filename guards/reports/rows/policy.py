"""Policy and the owner's word: faults, last good, approvals, what is off, who may write what gives permission."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator

from guards.compile import trust
from guards.compile.build import build
from guards.engine import switch
from guards.lanes import approvals
from guards.reports.rows.record import FAIL, OK, WARN, Ground, Row

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
    until = switch.paused_until(ground.world)
    if until:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(until))
        yield Row("pause", WARN, f"all guards are paused until {when}: nothing is refused", "guards pause --end")
    elif os.path.lexists(os.path.join(ground.places["state"], "pause")):
        yield Row("pause", OK, "the pause file is over or not yours, so it does not count")
    else:
        yield Row("pause", OK, "nothing is paused")
    out = sorted(name for name, section in ground.built.sections.items() if section is None)
    if out:
        yield Row("off", WARN, f"switched off in policy: {', '.join(out)}", "take off = true out to have it back.")


def lines(ground: Ground) -> Iterator[Row]:
    """The approval file."""
    found = approvals.read(ground.places["approvals"])
    found.compile()
    if found.trouble:
        yield Row("approvals", FAIL, found.trouble, "until then nothing in it counts.")
    for line in found.broken()[:MANY]:
        text = f"{found.path}: line {line.number} frees nothing: it {line.fault}"
        yield Row("approvals", WARN, text, "guards approvals shows every line.")
    wide = [line for line in found.lines if not line.fault and line.pattern and _wide(line)]
    for line in wide[:MANY]:
        text = f"{found.path}: line {line.number} ({line.text[:60]}) matches paths all over the machine"
        yield Row("approvals-wide", WARN, text, "write the path, not a wildcard.")
    if not found.trouble and not found.broken() and not wide:
        many = {0: "nothing is approved", 1: "1 line counts"}.get(len(found.lines), f"{len(found.lines)} lines count")
        yield Row("approvals", OK, many)


CANARIES = ("/a", "/home/nobody/x/y.txt", "/srv/z/Dockerfile", "/etc/q.conf")


def _wide(line: approvals.Line) -> bool:
    """Whether a line matches most paths that nobody can have meant."""
    hits = 0
    for path in CANARIES:
        try:
            hits += line.pattern.fullmatch(path, timeout=approvals.SECONDS) is not None
        except TimeoutError:
            return False
    return hits >= len(CANARIES) - 1


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
