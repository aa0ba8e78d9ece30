"""Every wired gate, both ways, through the command line that stands in the live settings.

The only proof that a gate is there: not the committed copy, not the installer's word, but a refusal that comes out
of what the harness would start. Nothing is counted, and no memory of the probe stays.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from guards.compile.build import Built
from guards.engine import switch
from guards.engine.state import Session
from guards.engine.world import World
from guards.wiring import samples, unwire
from guards.wiring.machine import Target
from guards.wiring.samples import Ground, Sample
from guards.wiring.starter import Answer, start

MARGIN = 5.0  # seconds beyond the wired timeout after which a probe is stopped
UNTIMED = 60.0


@dataclass(frozen=True)
class Row:
    """One probe: `ok` when the verdict is the expected one."""

    harness: str
    event: str
    guard: str
    what: str
    expected: str
    verdict: str
    reason: str
    milliseconds: float
    ok: bool


@dataclass(frozen=True)
class Wired:
    """One entry of ours in the live settings."""

    event: str  # the neutral name
    line: str
    timeout: float


def live(target: Target) -> list[Wired]:
    """Our entries as the harness would see them: of doubled keys the last, of comments nothing."""
    try:
        plain = unwire.parse(unwire.decode(unwire.load(target.path))).plain()
    except (OSError, unwire.Broken):
        return []
    hooks = plain.get("hooks") if isinstance(plain, dict) else None
    names = {native: event for event, native in target.form.EVENTS.items()}
    found = []
    for native, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else []:
            for entry in entries(group):
                if native in names and _marked(entry):
                    seconds = float(entry.get("timeout") or UNTIMED) * target.form.UNIT
                    found.append(Wired(names[native], entry["command"], seconds))
    return found


def unread(target: Target) -> str:
    """Why the harness ignores the whole settings file, though guards can read and edit it; empty when it does not."""
    if not target.form.STRICT:
        return ""
    try:
        json.loads(unwire.decode(unwire.load(target.path)).removeprefix("\ufeff"))
    except json.JSONDecodeError as fault:
        return f"line {fault.lineno}: a comment or a trailing comma, and {target.form.NAME} reads plain JSON alone"
    except OSError:
        return ""
    return ""


def wanted(target: Target) -> list[Wired]:
    """The entries as an install would write them."""
    names = {native: event for event, native in target.form.EVENTS.items()}
    return [
        Wired(names[native], entry["command"], entry["timeout"] * target.form.UNIT)
        for native, entry in target.wanted.items()
    ]


def rows(target: Target, wired: Iterable[Wired], ground: Ground) -> Iterator[Row]:
    """One row per probe; an event without a gate is only asked to answer well."""
    entries = list(wired)
    paused = bool(switch.paused_until(World(ground.places, Session(ground.places["state"], "", frozen=True))))
    gates = [entry for entry in entries if entry.event == "before-tool"]
    through = list(samples.before_tool(ground))
    if not gates or not through:
        what = "not wired" if not gates else "no gate is on"
        yield Row(target.form.NAME, "before-tool", "guards", "-", "deny", what, "", 0.0, ok=False)
    for entry in gates:
        for sample in through:
            yield _row(target, entry, sample, ground.cwd, paused)
    for entry in entries:
        if entry.event != "before-tool":
            for sample in samples.others(ground, [entry.event]):
                yield _row(target, entry, sample, ground.cwd, paused)


def run(target: Target, places: dict[str, str], built: Built, wired: Iterable[Wired]) -> list[Row]:
    """All rows, fired from an empty folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="guards-fire-") as folder:
        return list(rows(target, wired, Ground(target.form, places, built, os.path.realpath(folder))))


def settings(target: Target, places: dict[str, str], built: Built) -> list[Row]:
    """All rows of what stands in the live settings, and one more when the harness does not read them."""
    entries, why = live(target), unread(target)
    found = run(target, places, built, entries)
    if why and entries:
        found.insert(0, Row(target.form.NAME, "-", "guards", target.path, "read", "ignored", why, 0.0, ok=False))
    return found


def as_dicts(found: list[Row]) -> list[dict[str, Any]]:
    return [{**asdict(row), "milliseconds": round(row.milliseconds, 1)} for row in found]


def _row(target: Target, entry: Wired, sample: Sample, cwd: str, paused: bool) -> Row:
    data = json.dumps(sample.payload).encode() + b"\n"
    answer = start(target.form, entry.line, data, entry.timeout + MARGIN, cwd)
    verdict, reason = judge(answer)
    expected = "deny" if sample.refused else "pass"
    good = (verdict in ("deny", "ask")) if sample.refused else verdict in ("pass", "note")
    if sample.refused and paused and verdict == "pass":
        expected, good = "pass (paused)", True
    elif sample.refused and good and f"{sample.guard}.toml".encode() not in answer.err + answer.out:
        verdict, good = f"{verdict} by another", False
    name, took = target.form.NAME, answer.milliseconds
    return Row(name, entry.event, sample.guard, sample.what, expected, verdict, reason, took, good)


def judge(answer: Answer) -> tuple[str, str]:
    """(verdict, first line of the reason); anything a harness would not understand is `broken`."""
    err, out = answer.err.decode("utf-8", "replace").strip(), answer.out.decode("utf-8", "replace").strip()
    if answer.code is None:
        return "hung", "no answer in the time that is wired"
    if answer.code == 2 and err and not out:
        return ("did not run" if "guards did not run" in err else "deny"), _first(err)
    if answer.code != 0:
        return "broken", _first(err) or f"exit {answer.code}"
    if not out:
        return "pass", ""
    try:
        document = json.loads(out)
    except ValueError:
        return "broken", _first(out)
    return _said(document) if isinstance(document, dict) else ("broken", _first(out))


def _said(document: dict[str, Any]) -> tuple[str, str]:
    special = document.get("hookSpecificOutput")
    special = special if isinstance(special, dict) else {}
    word = special.get("permissionDecision") or document.get("decision") or ""
    reason = special.get("permissionDecisionReason") or document.get("reason") or special.get("additionalContext", "")
    verdict = {"deny": "deny", "block": "deny", "ask": "ask"}.get(word, "note")
    return verdict, _first(str(reason))


def _first(text: str) -> str:
    return text.strip().split("\n", 1)[0][:160]


def entries(group: Any) -> list[Any]:
    inner = group.get("hooks") if isinstance(group, dict) else None
    return inner if isinstance(inner, list) else [group]


def _marked(entry: Any) -> bool:
    line = entry.get("command") if isinstance(entry, dict) else None
    return isinstance(line, str) and unwire.MARKED.search(line) is not None
