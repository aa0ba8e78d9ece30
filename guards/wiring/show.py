"""What the wiring verbs print: differences, tables, the guards that are on."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from guards.compile.build import Built
from guards.wiring import samples, unwire
from guards.wiring.edit import Edit
from guards.wiring.fire import Row

WIDEST = 300  # characters of one line of a difference; settings written on one line are long


def difference(edit: Edit) -> str:
    """The change as a unified difference; a file that is not there is shown as empty."""
    before, after = (unwire.decode(data or b"").splitlines() for data in (edit.before, edit.after))
    lines = difflib.unified_diff(before, after, edit.path, edit.path, "now", "then", n=2, lineterm="")
    cut = (line if len(line) <= WIDEST else line[:WIDEST] + "…" for line in lines)
    return "\n".join(line.encode("utf-8", "replace").decode() for line in cut)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need to be, the last one open."""
    every = [list(head), *[list(row) for row in rows]]
    wide = [max(len(row[n]) for row in every) for n in range(len(head) - 1)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, wide, strict=False)), row[-1]]).rstrip()
        for row in every
    )


def fired(rows: list[Row]) -> str:
    head = ("harness", "event", "guard", "sent", "expected", "verdict", "ms", "", "first line of the reason")
    cells = [
        (r.harness, r.event, r.guard, r.what, r.expected, r.verdict, f"{r.milliseconds:.0f}", _mark(r), r.reason)
        for r in rows
    ]
    return table(head, cells)


def guards(built: Built) -> str:
    """Which guards are on, at which events, and what they do with a finding."""
    asked: dict[str, list[str]] = {}
    dispatch = dict(built.sections.get("dispatch") or {})
    commands = dispatch.pop("commands", {})
    for event, rows in dispatch.items():
        for row in rows:
            asked.setdefault(row[0], []).append(event)
    cells = [(row[0], "on", "a command", event) for event, rows in commands.items() for row in rows]
    for name, events in asked.items():
        action = samples.action(built, name) or "-"
        cells.append((name, _state(built, name), action, ", ".join(events)))
    return table(("guard", "is", "action", "asked at"), cells)


def _state(built: Built, name: str) -> str:
    """Whether a guard is on; one that is off may keep what no layer may touch."""
    if not (built.policies.get(name) or {"off": True})["off"]:
        return "on"
    return "off" if built.sections.get(name) is None else "off, but for sealed paths"


def _mark(row: Row) -> str:
    return "ok" if row.ok else "WRONG"


def plain(data: Any) -> str:
    import json

    return json.dumps(data, indent=1, ensure_ascii=False)
