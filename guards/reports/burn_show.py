"""The report of `guards burn` as one dictionary, and as tables with bars for a terminal."""

from __future__ import annotations

import marshal
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from guards.reports.burn_tally import IMAGE, MAIN, SOURCES, SUB, Tally, over, quantile

WIDTH = 24  # columns of a bar
_EIGHTHS = " ▏▎▍▌▋▊▉█"
Report = dict[str, Any]


# ---- the policy's part: how programs are named, and which bounds are in force
def policy() -> dict[str, Any]:
    """The section output-bound as it is in force; {} when it is off or does not compile. Writes nothing."""
    from guards.compile.build import build
    from guards.reports import here

    found = build(here.places(), names=["output-bound"]).sections.get("output-bound")
    return found if isinstance(found, dict) else {}


def names() -> dict[str, Any]:
    """What the output bound knows of wrappers, shells and programs that only set the stage."""
    talk = policy().get("talk")
    found: dict[str, Any] = marshal.loads(talk)["names"] if talk else {}
    return found or {"passing": frozenset(), "shells": frozenset(), "wrappers": {}}


def bounds() -> tuple[int, int, dict[str, int]]:
    """(characters of the shell, of any other tool, of tools with a bound of their own)."""
    rules = policy()
    if not rules:
        return 0, 0, {}
    rows = rules["exact"].get("claude", {})
    own = {tool: row["bound"][0] for tool, row in rows.items() if row["bound"]}
    return rules["bash"][0], rules["tool"][0], own


# ---- the report
def report(tally: Tally, since: str) -> Report:
    """Everything that was counted. Each list but `largest` and `sessions` adds up to what stands above it."""
    whole, text = tally.total(), tally.text
    sides = {
        side: {
            "characters": tally.total(lambda cell, side=side: cell[1] == side),  # type: ignore[misc]
            "sources": _rows(tally.by(lambda cell: cell[2], lambda cell, side=side: cell[1] == side), text),  # type: ignore[misc]
        }
        for side in (MAIN, SUB)
    }
    sessions = sorted(tally.sessions, key=lambda one: (-one.text, one.path))
    return {
        "since": since,
        "files": tally.files,
        "bytes": tally.bytes,
        "lines": tally.lines,
        "malformed": tally.malformed,
        "unread": tally.unread,
        "repeated": tally.repeated,
        "first": min((one.first for one in sessions), default=""),
        "last": max((one.last for one in sessions), default=""),
        "characters": {"total": whole, "text": text, "images": whole - text},
        "tokens": tally.tokens(),
        "sources": [
            {**row, "label": SOURCES.get(row["name"], row["name"])}
            for row in _rows(tally.by(lambda cell: cell[2]), text)
        ],
        "sides": sides,
        "programs": _outputs(tally, "shell", text),
        "tools": _outputs(tally, "tool", text),
        **{f"{source}s": _named(tally, source, text) for source in ("call", "hook", "image", "prompt")},
        "harness": _named(tally, "harness", text),
        "instructions": _named(tally, "instructions", text),
        "hours": _hours(tally),
        "sessions": [vars(one) for one in sessions],
        "largest": [
            {"characters": size, "source": source, "name": name, "hour": when, "what": called(what)}
            for size, source, name, when, what in sorted(tally.largest, reverse=True)
        ],
    }


def _rows(rows: list[tuple[str, int, int]], text: int) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "characters": size,
            "items": items,
            "share": None if name == IMAGE else round(size / text, 6) if text else 0.0,
        }
        for name, size, items in rows
    ]


def _named(tally: Tally, source: str, text: int) -> list[dict[str, Any]]:
    rows = _rows(tally.by(lambda cell: cell[3], lambda cell: cell[2] == source), text)
    return [{**row, "share": None} for row in rows] if source == IMAGE else rows


def _outputs(tally: Tally, source: str, text: int) -> list[dict[str, Any]]:
    """Results by program or tool, with the distribution of their sizes and how many were over today's bound."""
    shell, other, own = bounds()
    found = []
    for row in _named(tally, source, text):
        sizes = tally.sizes.get((source, row["name"]), {})
        bound = shell if source == "shell" else own.get(row["name"], other)
        steps = {f"p{share}": quantile(sizes, share / 100) for share in (50, 90, 95, 99)}
        found.append({**row, **steps, "bound": bound, "over": over(sizes, bound) if bound else 0})
    return found


def _hours(tally: Tally) -> list[dict[str, Any]]:
    hours: dict[str, dict[str, int]] = {}
    for (hour, _, source, _), (size, _) in tally.cells.items():
        held = hours.setdefault(hour, {})
        held[source] = held.get(source, 0) + size
    return [{"hour": hour, "characters": hours[hour]} for hour in sorted(hours)]


# ---- the terminal
@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar on standard error where that is a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def bar(share: float, width: int = WIDTH) -> str:
    """A bar in eighths of a column; anything above nothing shows."""
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    if (sys.stdout.encoding or "").lower().replace("-", "") not in ("utf8", "utf8sig"):
        return "#" * max(eighths // 8, 1 if share > 0 else 0)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def size(count: int) -> str:
    return f"{count:,}"


def share(value: float | None) -> str:
    return "" if value is None else f"{value * 100:.1f} %"


def tables(found: Report, top: int) -> None:
    console = Console(highlight=False)
    wide = WIDTH if console.width >= 100 else WIDTH // 2
    console.print(head(found))
    drawn = [
        _sources(found, wide),
        _list("shell output, by program", found["programs"], top, wide),
        _list("other tools' output", found["tools"], top, wide),
    ]
    if found["hooks"]:
        drawn.append(_list("hooks", found["hooks"], top, wide, spread=False))
    for table in [*drawn, _largest(found, top), _sessions(found, top)]:
        _hold(table)
        console.print(table)


def _hold(table: Table) -> None:
    """Keeps every column as wide as its cells but for the one that gives way."""
    for column in table.columns:
        if column.overflow != "ellipsis" or not column.ratio:
            column.min_width = max(len(str(cell)) for cell in (column.header, *column.cells))


_TROUBLE = {"malformed": "malformed", "unread": "files that cannot be read"}


def head(found: Report) -> str:
    """What was read, in a few lines."""
    count, tokens = found["characters"], found["tokens"]
    lines = [
        f"{found['files']:,} transcripts, {found['first'][:10]} to {found['last'][:10]}: {found['lines']:,} lines,"
        f" {found['bytes'] / 1e6:,.1f} MB"
        + "".join(f", {found[name]:,} {said}" for name, said in _TROUBLE.items() if found[name]),
        f"{count['text']:,} characters of text"
        + (f"; images apart: {count['images']:,} of base64" if count["images"] else ""),
    ]
    for side in (MAIN, SUB):
        used = tokens[side]
        if used["responses"]:
            lines.append(
                f"tokens, {side}: {used['input']:,} in, {used['cache_read']:,} from cache,"
                f" {used['cache_written']:,} to cache, {used['output']:,} out; {used['responses']:,} responses"
            )
    return "\n".join(lines)


def _table(title: str, **columns: str) -> Table:
    """Columns by name -> left, right or flex (the one that gives way)."""
    table = Table(
        title=f"\n{title}", title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim"
    )
    for name, how in columns.items():
        head = name.replace("_", " ").strip()
        if how == "flex":
            table.add_column(head, overflow="ellipsis", no_wrap=True, min_width=12, ratio=1)
        else:
            table.add_column(head, justify="left" if how == "left" else "right", no_wrap=True)
    return table


def _drawn(row: dict[str, Any], most: float, wide: int) -> Text:
    return Text(bar((row["share"] or 0) / most, wide).ljust(wide), style="cyan")


def _most(rows: list[dict[str, Any]]) -> float:
    return max((row["share"] or 0 for row in rows), default=0) or 1


def _sources(found: Report, wide: int) -> Table:
    table = _table(
        "where the characters went", put_there_by="flex", characters="right", share="right", _="left", items="right",
        subagents="right",
    )  # fmt: skip
    rows = found["sources"]
    most = _most(rows)
    under = {row["name"]: row["characters"] for row in found["sides"][SUB]["sources"]}
    for row in [*(row for row in rows if row["name"] != IMAGE), *(row for row in rows if row["name"] == IMAGE)]:
        below = size(under[row["name"]]) if row["name"] in under else ""
        items = size(row["items"])
        table.add_row(row["label"], size(row["characters"]), share(row["share"]), _drawn(row, most, wide), items, below)
    return table


def _list(title: str, rows: list[dict[str, Any]], top: int, wide: int, *, spread: bool = True) -> Table:
    """The first rows of a list, and the rest in one."""
    columns = {"p50": "right", "p95": "right", "over": "right"} if spread else {}
    table = _table(title, name="flex", characters="right", share="right", _="left", times="right", **columns)
    most = _most(rows)
    for row in rows[:top]:
        tail = (size(row["p50"]), size(row["p95"]), size(row["over"]) if row["over"] else "") if spread else ()
        counts = (size(row["characters"]), share(row["share"]), _drawn(row, most, wide), size(row["items"]))
        table.add_row(Text(clean(row["name"]) or "-"), *counts, *tail)
    rest = rows[top:]
    if rest:
        total, items = sum(row["characters"] for row in rest), sum(row["items"] for row in rest)
        table.add_row(f"{len(rest)} more", size(total), share(sum(row["share"] or 0 for row in rest)), "", size(items))
    return table


def _largest(found: Report, top: int) -> Table:
    table = _table("largest results", characters="right", name="left", hour="left", call="flex")
    for row in found["largest"][:top]:
        hour = row["hour"].replace("T", " ") + "h"
        table.add_row(size(row["characters"]), Text(clean(row["name"])[:24]), hour, Text(one_line(row["what"], 200)))
    return table


def _sessions(found: Report, top: int) -> Table:
    table = _table(
        "sessions with most text", directory="flex", characters="right", shell="right", responses="right",
        peak_tokens="right", begun="left",
    )  # fmt: skip
    for row in found["sessions"][:top]:
        part = row["shell"] / row["text"] if row["text"] else 0
        name = clean(row["project"]) + (" (subagent)" if row["side"] == SUB else "")
        begun = row["first"][:10]
        counts = (size(row["text"]), share(part), size(row["requests"]), size(row["peak"]))
        table.add_row(Text(name), *counts, begun)
    return table


_TELLING = re.compile(r'"(?:file_path|path|pattern|url|query|notebook_path|task_id)":\s*"((?:[^"\\]|\\.)*)"')


def called(what: str) -> str:
    """The telling part of a call's input, as far as it was kept: a command as it stands, else a path or a query."""
    found = _TELLING.search(what) if what.startswith("{") else None
    return found[1] if found else what


def one_line(text: str, width: int) -> str:
    text = clean(" ".join(text.split()))
    return text if len(text) <= width else text[: width - 1] + "…"


def clean(text: str) -> str:
    """Text of a transcript as it may be shown: nothing in it moves a cursor or sets a colour."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "·" for char in text)
