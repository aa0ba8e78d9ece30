"""What is wired: entries, drift, what doubles or shadows them, events, the contract, and the gates fired for real."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from guards.engine import health
from guards.reports import drift, reconcile, wiring
from guards.reports.contract.facts import HARNESSES
from guards.reports.contract.rules import FAIL as BROKEN
from guards.reports.rows.record import FAIL, NOT_RUN, OK, WARN, Ground, Row, hot
from guards.wiring import fire, place, status, unwire
from guards.wiring.machine import Target
from guards.wiring.text import Refused

MANY = 6
_BAD = {
    "missing": (FAIL, "has no entry of guards"),
    "differs": (WARN, "has an entry that this install would write otherwise"),
    "doubled": (WARN, "has guards twice: each call is judged twice"),
    "narrowed": (FAIL, "has guards in a group whose matcher keeps calls from it"),
    "stale": (FAIL, "has guards at an event that this version does not know or that no guard is asked at"),
}


def installed(ground: Ground) -> Iterator[Row]:
    """The install folder and what it leads to."""
    if not ground.installed:
        yield Row("install", FAIL, "guards is not installed here: no hook runs", "make install in the checkout")
        return
    install = ground.places["install"]
    for name, wanted in (("py", os.access), ("code/hook.py", os.access)):
        path = os.path.join(install, name)
        if not wanted(path, os.R_OK if name.endswith(".py") else os.X_OK):
            yield Row("install", FAIL, f"{path} leads nowhere: every call before a tool is refused", "make install")
    shot = os.path.dirname(ground.places["policy"])
    if shot != ground.places["checkout"] and os.path.isdir(shot):
        old = _differs(shot, ground.places["checkout"])
        if old:
            text = f"the pinned copy differs from the checkout in {len(old)} files ({old[0]}, …)"
            yield Row("pinned", WARN, text, "guards link --pinned makes a new one, after firing it.")
    now = place.version(ground.places["checkout"])
    if ground.places["version"] != now:
        text = f"installed as {ground.places['version']}, the checkout is {now}"
        yield Row("version", WARN, text, "make install")
    yield Row("install", OK, f"{install} → {ground.places['checkout']}")


def _differs(copy: str, checkout: str) -> list[str]:
    """Files of the copy that the checkout has otherwise."""
    found = []
    for part in ("guards", "policy"):
        for folder, names, files in os.walk(os.path.join(copy, part)):
            names[:] = [name for name in names if name != "__pycache__"]
            for name in files:
                one = os.path.join(folder, name)
                other = os.path.join(checkout, os.path.relpath(one, copy))
                if name.endswith((".py", ".toml")) and _read(one) != _read(other):
                    found.append(os.path.relpath(one, copy))
    return sorted(found)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as handle:
            return handle.read()
    except OSError:
        return None


def wired(ground: Ground) -> Iterator[Row]:
    """Live entries against what an install would write; what shadows or doubles them."""
    if not ground.targets:
        yield Row("wired", NOT_RUN, "no harness was found that guards can wire", "guards install --harness NAME")
    for target in ground.targets:
        report = status.of(ground.places, target, ground.project)
        bad = [line for line in report.lines if line.state != "ok"]
        for line in [] if report.bare else bad:
            mark, words = _BAD[line.state]
            yield Row("wired", mark, f"{target.path}: {line.native} {words}", "guards install shows the change first.")
        if report.bare:
            text = f"{target.path}: nothing of guards is wired"
            yield Row("wired", FAIL, text, "guards install shows the change first.")
        for note in report.notes:
            yield Row("shadowed", FAIL if note == report.void else WARN, note)
        if not bad and not report.void:
            yield Row("wired", OK, f"{report.harness} {report.version}: {len(report.lines)} events in {target.path}")


def events(ground: Ground) -> Iterator[Row]:
    """Event names, ours and others', that the installed version does not know."""
    for target in ground.targets:
        names = _events(target)
        facts = HARNESSES.get(target.form.NAME)
        if facts is None or not names:
            continue
        unknown = [n for n in names if n not in facts.events or (target.version and target.version < facts.events[n])]
        for name in unknown:
            version = ".".join(map(str, target.version)) or "of an unknown version"
            text = f"{target.path}: {target.form.NAME} {version} does not know {name}"
            yield Row("events", FAIL, text, "take the event out: some versions drop every hook for it.")
        if not unknown:
            yield Row("events", OK, f"{target.form.NAME} knows all {len(names)} event names of {target.path}")


def _events(target: Target) -> list[str]:
    try:
        plain = unwire.parse(unwire.decode(unwire.load(target.path))).plain()
    except (OSError, unwire.Broken):
        return []
    hooks = plain.get("hooks") if isinstance(plain, dict) else None
    return list(hooks) if isinstance(hooks, dict) else []


def contract(ground: Ground) -> Iterator[Row]:
    """The wiring contract on the live settings, whoever's hooks they are."""
    where = wiring.ground_for(Path(ground.project), Path(ground.places["home"]), [])
    live = {str(path): path for path in wiring.live_files(where)} | {t.path: Path(t.path) for t in ground.targets}
    checked = wiring.check([path for path in live.values() if path.exists()], where)
    bad = [finding for finding in checked.findings if finding.level == BROKEN]
    for finding in bad[:MANY]:
        text = ": ".join(part for part in (finding.file, finding.where, finding.text) if part) + f" [{finding.rule}]"
        yield Row("contract", FAIL, text, "guards wiring --live shows all.")
    if len(bad) > MANY:
        yield Row("contract", FAIL, f"{len(bad) - MANY} more", "guards wiring --live")
    warned = len(checked.findings) - len(bad)
    if warned:
        yield Row("contract", WARN, f"{warned} warnings about hooks in live settings", "guards wiring --live")
    if not checked.findings:
        yield Row("contract", OK, f"{checked.hooks} hooks in {len(checked.files)} files keep it")


def copies(ground: Ground) -> Iterator[Row]:
    """Live settings against the committed copy."""
    for target in ground.targets:
        try:
            pair = reconcile.files(target.form.NAME, "")
        except Refused:
            yield Row(
                "copy", NOT_RUN, f"no committed copy of {target.path} is known", "guards link names the repository."
            )
            continue
        try:
            found = pair.read()
        except Refused as fault:
            yield Row("copy", FAIL, str(fault))
            continue
        if found:
            yield Row("copy", WARN, f"{pair.copy} and {pair.live} differ in {_counted(found)}", "guards reconcile")
        else:
            yield Row("copy", OK, f"{pair.copy} says the same as {pair.live}")


def _counted(found: list[drift.Difference]) -> str:
    ours = sum(d.managed for d in found)
    many = f"{len(found)} entries" if len(found) > 1 else "1 entry"
    return f"{many}, {ours} of guards" if ours else many


def fired(ground: Ground) -> Iterator[Row]:
    """Every wired gate, both ways, through the command line in the live settings."""
    if not ground.fire:
        yield Row("fire", NOT_RUN, "gates were not fired", "guards fire")
        return
    for target in ground.targets:
        rows = fire.run(target, ground.places, ground.built, fire.live(target))
        for row in (row for row in rows if not row.ok):
            got = f"expected {row.expected}, got {row.verdict} ({row.reason[:120]})"
            yield Row(
                "fire",
                FAIL,
                f"{row.harness} {row.event}: {row.what}: {got}",
                "guards fire shows all; guards install wires anew.",
            )
        if rows and all(row.ok for row in rows):
            yield Row("fire", OK, f"{target.form.NAME}: {len(rows)} probes answered as they must")


def dead(ground: Ground) -> Iterator[Row]:
    """What the short form sees: dead entries, variables of ours in project settings, values that do not parse."""
    found = [row for look in (health._project, health._numbers) for row in look(ground.world, "")]
    found += [row for row in health._wiring(ground.world, "") if "dispatch" in row[2] or "entry before tools" in row[2]]
    yield from hot(iter(found))
    if not found:
        yield Row("environment", OK, "no variable of guards in this project's settings, and all values parse")
