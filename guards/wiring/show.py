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
    """The probes, and below one that went wrong what it said."""
    head = ("harness", "event", "guard", "sent", "verdict", "ms", "")
    cells = [(r.harness, r.event, r.guard, r.what, _verdict(r), f"{r.milliseconds:.0f}", _mark(r)) for r in rows]
    first, *lines = table(head, cells).split("\n")
    said = [
        f"{line}\n    {row.reason}" if row.reason and not row.ok else line
        for line, row in zip(lines, rows, strict=True)
    ]
    return "\n".join([first, *said])


def closing(rows: list[Row]) -> str:
    """What the probes come to, in one line."""
    wrong = sum(not row.ok for row in rows)
    if not rows:
        return "nothing was fired: no harness here is wired."
    if wrong:
        return f"{wrong} of {len(rows)} probes did not answer as they must; see WRONG above. guards status says more."
    return "every wired gate refused what it must and let pass what it must."


def _verdict(row: Row) -> str:
    return row.verdict if row.ok else f"{row.verdict}, not {row.expected}"


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
