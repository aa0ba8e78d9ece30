"""What is wired, what fires, what drifted, what is shadowed or doubled: read from the live files, never from memory.

An entry is `ok`, `missing`, `differs` (another install would write another line), `doubled`, `narrowed` (its matcher
keeps calls from it) or `stale` (an event that is no longer wired). The committed copy in the owner's repository is
only compared: live settings are the truth.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from guards.wiring import notices, record, unwire
from guards.wiring.fire import live
from guards.wiring.machine import Target

COPIES = ("claude/settings.json", ".claude/settings.json", "settings.json")
COUNTED = {"deny": "refused", "ask": "refused", "note": "noted", "watch": "watched", "error": "errors"}


@dataclass
class Line:
    """One event of one settings file."""

    event: str
    native: str
    state: str
    last: float | None  # when a hook of this event last ran, by its heartbeat


@dataclass
class Report:
    """One settings file; void: why the harness reads nothing of it, which is the first of the notes then."""

    harness: str
    version: str
    settings: str
    lines: list[Line]
    notes: list[str] = field(default_factory=list)
    void: str = ""

    @property
    def fine(self) -> bool:
        return not self.notes and all(line.state == "ok" for line in self.lines)

    @property
    def bare(self) -> bool:
        """Whether nothing of ours stands in the file."""
        return bool(self.lines) and all(line.state == "missing" for line in self.lines)


def of(places: dict[str, str], target: Target, project: str) -> Report:
    """Compares the live settings with what an install would write now."""
    version = ".".join(map(str, target.version)) or "unknown"
    void = notices.void(target)
    rest = [note for note in (*notices.of(places, target, project), *_copies(places, target)) if note != void]
    found = _entries(target)
    lines: list[Line] = []
    if found is None:
        return Report(target.form.NAME, version, target.path, lines, [void, *rest], void)
    for event, native in target.form.EVENTS.items():
        state = _state(target, native, [line for name, line in found if name == native])
        if state:
            lines.append(Line(event, native, state, _beat(places, target.form.NAME, event)))
    return Report(target.form.NAME, version, target.path, lines, [void, *rest] if void else rest, void)


def today(places: dict[str, str]) -> dict[str, dict[str, int]]:
    """What each guard said since midnight, from the journal."""
    midnight = time.mktime((*time.localtime()[:3], 0, 0, 0, 0, 0, -1))
    path = os.path.join(places["state"], "journal", time.strftime("%Y-%m.jsonl", time.gmtime()))
    counts: dict[str, dict[str, int]] = {}
    for line in _lines(path):
        kind = COUNTED.get(str(line.get("verdict")))
        if kind and float(line.get("t") or 0) >= midnight:
            of_guard = counts.setdefault(str(line.get("guard") or "guards"), {})
            of_guard[kind] = of_guard.get(kind, 0) + 1
    return counts


def as_dict(reports: list[Report], places: dict[str, str], paused: float, faults: list[str]) -> dict[str, Any]:
    return {
        "install": places["install"],
        "checkout": places["checkout"],
        "version": places["version"],
        "pinned": places["policy"] if "/pinned/" in places["policy"] else "",
        "paused_until": paused,
        "policy_faults": faults,
        "fine": not faults and all(report.fine for report in reports),
        "harnesses": [{**asdict(report), "fine": report.fine} for report in reports],
        "today": today(places),
    }


def _entries(target: Target) -> list[tuple[str, Any]] | None:
    """(event, entry) of ours, the entry None when its matcher keeps calls from it; None where the file is broken."""
    try:
        root = unwire.parse(unwire.decode(unwire.load(target.path)))
    except OSError:
        return []
    except unwire.Broken:
        return None
    found = []
    for way in unwire.ways(root, frozenset()):
        event = str(way[1][0].items[way[1][1]].key)
        entry = way[-1][0].items[way[-1][1]].node.plain()
        around = way[2][0].items[way[2][1]].node.plain() if len(way) > 2 else None
        found.append((event, entry if target.form.everything(around) else None))
    return found


def _state(target: Target, native: str, entries: list[Any]) -> str:
    wanted = target.wanted.get(native)
    if wanted is None:
        return "stale" if entries else ""
    if not entries:
        return "missing"
    if len(entries) > 1:
        return "doubled"
    if entries[0] is None:
        return "narrowed"
    return "ok" if entries[0] == wanted else "differs"


def _copies(places: dict[str, str], target: Target) -> list[str]:
    """The owner's committed settings, where `guards link` knows the repository: does it tell the same story?"""
    repo = record.load(places["install"]).get("repo")
    for name in COPIES if repo else ():
        path = os.path.join(str(repo), name)
        if not os.path.isfile(path) or os.path.realpath(path) == os.path.realpath(target.path):
            continue
        here, there = (len(live(t)) for t in (target, target.at(path)))
        if here and not there:
            return [f"{path}, the committed copy, has no entry of guards; the next copy to this machine unwires it."]
        if there and not here:
            return [f"{path}, the committed copy, still wires guards; the next copy to this machine brings it back."]
    return []


def _beat(places: dict[str, str], harness: str, event: str) -> float | None:
    try:
        return os.stat(os.path.join(places["state"], "beats", f"{harness}-{event}")).st_mtime
    except OSError:
        return None


def _lines(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            texts = handle.readlines()
    except OSError:
        return []
    found = []
    for text in texts:
        try:
            line = json.loads(text)
        except ValueError:
            continue  # a line that a crash cut short
        if isinstance(line, dict):
            found.append(line)
    return found
