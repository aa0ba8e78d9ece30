"""`guards log`: the journal, newest last. What was refused, asked, noted, what failed, which approval was used."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from guards.knowledge.report import plain
from guards.reports import here

VERDICTS = ("deny", "ask", "note", "watch", "error", "approved", "odd", "ignored")
SPANS = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def command(
    count: Annotated[int, typer.Option("--count", "-n", help="at most this many lines, the newest")] = 50,
    since: Annotated[str, typer.Option(help="30m, 12h, 7d, 4w")] = "",
    verdict: Annotated[str, typer.Option(help="only deny, ask, note, watch, error, approved, …")] = "",
    guard: Annotated[str, typer.Option(help="only this guard")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines as they stand in the journal")] = False,
) -> None:
    """What the guards did, the newest last; piped, one line an entry, parted by tabs.

    Example: guards log --since 1d --verdict deny
    """
    if count < 1:
        raise ValueError(f"-n {count} shows nothing; say how many lines, from 1")
    start = time.time() - span(since) if since else 0.0
    lines, broken = read(Path(here.places()["state"]), start)
    known(verdict, lines)
    wanted = [
        line
        for line in lines
        if (not verdict or line.get("verdict") == verdict) and (not guard or line.get("guard") == guard)
    ][-count:]
    if as_json:
        for line in wanted:
            print(json.dumps(line, ensure_ascii=False))
        return
    for text in show(wanted, sys.stdout.isatty()):
        print(text)
    if broken:
        sys.stderr.write(f"{broken} lines of the journal do not parse\n")


def span(text: str) -> float:
    """Seconds of `30m`, `12h`, `7d`. Raises ValueError naming the form."""
    number, unit = text[:-1], text[-1:]
    if unit not in SPANS or not number.isdigit():
        raise ValueError(f"{text!r} is no span of time; say 30m, 12h, 7d or 4w")
    return float(number) * SPANS[unit]


def read(state: Path, start: float = 0.0) -> tuple[list[dict[str, Any]], int]:
    """The journal's lines from `start` on, and how many do not parse."""
    found: list[dict[str, Any]] = []
    broken = 0
    for path in sorted((state / "journal").glob("*.jsonl")):
        with path.open(encoding="utf-8", errors="replace") as handle:
            for raw in handle:
                try:
                    line = json.loads(raw)
                except ValueError:
                    broken += 1
                    continue
                if isinstance(line, dict) and line.get("t", 0) >= start:
                    found.append(line)
    return found, broken


def show(lines: list[dict[str, Any]], terminal: bool) -> list[str]:
    """For a terminal an entry with its path on a line of its own; else one line an entry, parted by tabs. Unfolded."""
    said: list[str] = []
    for line in lines:
        when = time.strftime("%m-%d %H:%M:%S", time.localtime(float(line.get("t", 0))))
        head = [when, *(str(line.get(key, "")) for key in ("harness", "event", "guard", "verdict"))]
        what = [str(line[key]) for key in ("path", "rule", "why", "line") if line.get(key)]
        if not terminal:
            said.append("\t".join(plain(cell) for cell in (*head, "  ".join(what))))
            continue
        said.append("  ".join(plain(cell) for cell in (*head, *what[1 if line.get("path") else 0 :]) if cell))
        said += [f"    {plain(what[0])}"] if line.get("path") else []
    return said


def known(verdict: str, lines: list[dict[str, Any]]) -> None:
    """Raises ValueError for a word that no line of the journal can carry."""
    words = dict.fromkeys([*VERDICTS, *(str(line.get("verdict")) for line in lines)])
    if verdict and verdict not in words:
        raise ValueError(f"no verdict is called {verdict!r}; say one of {', '.join(words)}")
