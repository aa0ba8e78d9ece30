"""Every wired gate, both ways, through the command line that stands in the live settings.

The only proof that a gate is there: not the committed copy, not the installer's word, but a refusal that comes out
of what the harness would start. Nothing is counted, and no memory of the probe stays.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from types import ModuleType
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
OLD = 3600.0  # seconds after which no fire is still at work


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
            marked = [entry for entry in entries(group) if native in names and _marked(entry, target.form.COMMAND)]
            found += [_as_wired(target.form, names[native], entry) for entry in marked]
    return found


def _as_wired(form: ModuleType, event: str, entry: dict[str, Any]) -> Wired:
    return Wired(event, entry[form.COMMAND], float(entry.get(form.TIME) or UNTIMED) * form.UNIT)


def unread(target: Target) -> str:
    """Why the harness ignores the whole settings file, though guards can read and edit it; empty when it does not."""
    try:
        text = unwire.decode(unwire.load(target.path))
    except OSError:
        return ""
    if text.startswith("\ufeff") and not target.form.BOM:
        return f"line 1: a byte order mark, and {target.form.NAME} reads no file that begins with one"
    try:
        json.loads(text.removeprefix("\ufeff") if target.form.STRICT else "{}")
    except json.JSONDecodeError as fault:
        return f"line {fault.lineno}: a comment or a trailing comma, and {target.form.NAME} reads plain JSON alone"
    return ""


def wanted(target: Target) -> list[Wired]:
    """The entries as an install would write them."""
    names = {native: event for event, native in target.form.EVENTS.items()}
    return [_as_wired(target.form, names[native], entry) for native, entry in target.wanted.items()]


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
        ground = Ground(target.form, places, built, os.path.realpath(folder))
        os.symlink(ground.sealed, os.path.join(folder, samples.LINK))
        try:
            return list(rows(target, wired, ground))
        finally:
            _forget(os.path.join(places["state"], "probe"), ground.sessions)


def _forget(shelf: str, sessions: list[str]) -> None:
    """Takes away what the hooks remembered of these probes, and of others that were killed long ago."""
    names = os.listdir(shelf) if os.path.isdir(shelf) else []
    for name in names:
        path = os.path.join(shelf, name)
        with contextlib.suppress(OSError):
            if name in sessions or os.stat(path).st_mtime < time.time() - OLD:
                shutil.rmtree(path)
    with contextlib.suppress(OSError):  # another fire may be at it
        os.rmdir(shelf)


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
    verdict, reason = judge(answer, spoken=entry.event in target.form.SPOKEN)
    expected = "deny" if sample.refused else "pass"
    good = (verdict in ("deny", "ask")) if sample.refused else verdict in ("pass", "note")
    if sample.refused and paused and verdict == "pass":
        expected, good = "pass (paused)", True
    elif sample.refused and good and f"{sample.guard}.toml".encode() not in answer.err + answer.out:
        verdict, good = f"{verdict} by another", False
    name, took = target.form.NAME, answer.milliseconds
    return Row(name, entry.event, sample.guard, sample.what, expected, verdict, reason, took, good)


def judge(answer: Answer, spoken: bool = False) -> tuple[str, str]:
    """(verdict, first line of the reason); anything a harness would not understand is `broken`.

    spoken: the harness takes an empty answer to this event for a broken one
    """
    err, out = answer.err.decode("utf-8", "replace").strip(), answer.out.decode("utf-8", "replace").strip()
    if answer.code is None:
        return "hung", "no answer in the time that is wired"
    said = _said(out)
    if answer.code == 2 and err and (not out or said[0] == "deny"):
        return ("did not run" if "guards did not run" in err else "deny"), _first(err)
    if answer.code != 0:
        return "broken", _first(err) or f"exit {answer.code}"
    if not out:
        return ("broken", "an empty answer, which is taken for a refusal") if spoken else ("pass", "")
    return said


def _said(out: str) -> tuple[str, str]:
    """What a document says in the words of whichever harness."""
    try:
        document = json.loads(out)
    except ValueError:
        return "broken", _first(out)
    if not isinstance(document, dict):
        return "broken", _first(out)
    special = document.get("hookSpecificOutput")
    whole = {**document, **(special if isinstance(special, dict) else {})}
    word = whole.get("permissionDecision") or whole.get("permission") or whole.get("decision") or ""
    reasons = ("permissionDecisionReason", "reason", "agent_message", "additionalContext", "additional_context")
    reason = next((str(whole[name]) for name in reasons if whole.get(name)), "")
    return {"deny": "deny", "block": "deny", "ask": "ask", "allow": "pass"}.get(word, "note"), _first(reason)


def _first(text: str) -> str:
    return text.strip().split("\n", 1)[0][:160]


def entries(group: Any) -> list[Any]:
    inner = group.get("hooks") if isinstance(group, dict) else None
    return inner if isinstance(inner, list) else [group]


def _marked(entry: Any, key: str) -> bool:
    line = entry.get(key) if isinstance(entry, dict) else None
    return isinstance(line, str) and unwire.MARKED.search(line) is not None
