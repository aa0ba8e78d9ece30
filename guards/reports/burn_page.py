"""The report of `guards burn` as one page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from guards.reports import burn_svg
from guards.reports.burn_show import clean, one_line, share, size
from guards.reports.burn_tally import IMAGE, SOURCES, SUB

TEMPLATE = Path(__file__).with_suffix(".html")
Report = dict[str, Any]


def page(found: Report, top: int) -> str:
    """The whole page."""
    bins, unit = timeline(found["hours"])
    order = [row["name"] for row in found["sources"] if row["name"] != IMAGE]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        colours="\n".join(f".{name} {{ fill: var(--{name}); background: var(--{name}); }}" for name in SOURCES),
        period=escape(_period(found)),
        cards="".join(f"<div class='card'><b>{escape(b)}</b><span>{escape(s)}</span></div>" for b, s in _cards(found)),
        timenote=f"characters of text put into contexts, each {unit}",
        legend="".join(f"<span>{_chip(name)}{escape(SOURCES[name])}</span>" for name in order),
        timeline=burn_svg.stacked(bins, order, SOURCES),
        sources=_sources(found),
        programs=_outputs(found["programs"], "shell", top),
        tools=_outputs(found["tools"], "tool", top),
        shellnote=_bound(found["programs"], "results over it in red"),
        toolnote=_bound(found["tools"], "results over it in red; some tools have their own"),
        largest=_largest(found["largest"][:top]),
        sessions=_sessions(found["sessions"][:top]),
        hooks=_outputs(found["hooks"], "hook", top) if found["hooks"] else "<p class='soft'>none</p>",
        others=_outputs(sorted(found["harness"] + found["instructions"], key=_most), "harness", top),
        counted=_counted(found),
    )


def _most(row: dict[str, Any]) -> tuple[int, str]:
    return -row["characters"], row["name"]


def timeline(hours: list[dict[str, Any]]) -> tuple[list[tuple[str, dict[str, int]]], str]:
    """(label, characters by source) for every hour, day or week of the span, empty ones too; and which it is."""
    times = [(_local(row["hour"]), row["characters"]) for row in hours if len(row["hour"]) == 13]
    if not times:
        return [], "day"
    first, last = times[0][0], times[-1][0]
    days = (last - first).days
    unit, step = ("hour", timedelta(hours=1)) if days < 3 else ("day", timedelta(days=1))
    if days > 150:
        unit, step = "week", timedelta(days=7)
    start = first.replace(minute=0) if unit == "hour" else first.replace(hour=0, minute=0)
    if unit == "week":
        start -= timedelta(days=start.weekday())
    count = int((last - start) / step) + 1
    bins: list[dict[str, int]] = [{} for _ in range(count)]
    for when, sizes in times:
        held = bins[int((when - start) / step)]
        for source, number in sizes.items():
            held[source] = held.get(source, 0) + number
    form = "%d %b %H:00" if unit == "hour" else "%d %b %Y"
    return [((start + step * at).strftime(form), held) for at, held in enumerate(bins)], unit


def _local(hour: str) -> datetime:
    """The hour in local time, without its zone so that days are days across a change of the clocks."""
    return datetime.fromisoformat(hour + ":00:00+00:00").astimezone().replace(tzinfo=None)


# ---- parts
def _period(found: Report) -> str:
    first, last = found["first"][:10], found["last"][:10]
    when = first if first == last else f"{first} to {last}"
    return f"{found['files']:,} transcripts, {when}, {found['bytes'] / 1e6:,.1f} MB on disk"


def _cards(found: Report) -> Iterable[tuple[str, str]]:
    text = found["characters"]["text"] or 1
    below = sum(row["characters"] for row in found["sides"][SUB]["sources"] if row["name"] != IMAGE)
    used = [found["tokens"][side] for side in found["tokens"]]
    by = {row["name"]: row for row in found["sources"]}
    yield burn_svg.short(found["characters"]["text"]), "characters of text"
    yield share(by["shell"]["share"] if "shell" in by else 0.0), "of it shell output"
    yield share(below / text), "put there by subagents"
    yield burn_svg.short(sum(one["responses"] for one in used)), "responses"
    yield burn_svg.short(sum(one["output"] for one in used)), "tokens written"
    yield burn_svg.short(sum(one["cache_read"] for one in used)), "tokens read from cache"
    yield size(by[IMAGE]["items"] if IMAGE in by else 0), "images, billed by area"


def _chip(name: str) -> str:
    return f"<i class='chip {name}'></i>"


def _track(parts: list[tuple[str, float, float]]) -> str:
    """A bar of (class, share of the width, opacity)."""
    inner = "".join(
        f"<i class='{name}' style='width:{part * 100:.2f}%;opacity:{opacity}'></i>"
        for name, part, opacity in parts
        if part
    )
    return f"<div class='track'>{inner}</div>"


def _table(heads: list[str], rows: list[str]) -> str:
    """`heads` that begin with # are numbers."""
    head = "".join(f"<th class='n'>{h[1:]}</th>" if h.startswith("#") else f"<th>{h}</th>" for h in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _cells(*cells: tuple[str, str]) -> str:
    return "<tr>" + "".join(f"<td class='{kind}'>{text}</td>" for kind, text in cells) + "</tr>"


def _sources(found: Report) -> str:
    rows = [row for row in found["sources"] if row["name"] != IMAGE]
    under = {row["name"]: row["characters"] for row in found["sides"][SUB]["sources"]}
    most = max((row["characters"] for row in rows), default=1) or 1
    out = []
    for row in rows:
        below = under.get(row["name"], 0)
        bar = _track([(row["name"], (row["characters"] - below) / most, 1), (row["name"], below / most, 0.45)])
        out.append(
            _cells(
                ("name", _chip(row["name"]) + escape(row["label"])),
                ("n", size(row["characters"])),
                ("n", share(row["share"])),
                ("bar", bar),
                ("n", size(row["items"])),
                ("n", size(below) if below else ""),
            )
        )
    return _table(["", "#characters", "#share", "", "#items", "#subagents"], out)


def _outputs(rows: list[dict[str, Any]], source: str, top: int) -> str:
    """A list with bars; with sizes where results have them."""
    spread = bool(rows) and "p50" in rows[0]
    most = max((row["characters"] for row in rows), default=1) or 1
    out = []
    for row in rows[:top]:
        cells = [("name", f"<code>{escape(clean(row['name']) or '-')}</code>"), ("n", size(row["characters"]))]
        cells.append(("bar", _track([(source, row["characters"] / most, 1)])))
        cells.append(("n", size(row["items"])))
        if spread:
            hot = f"<span class='hot'>{size(row['over'])}</span>" if row["over"] else ""
            cells += [("n", size(row["p50"])), ("n", size(row["p95"])), ("n", hot)]
        out.append(_cells(*cells))
    if rows[top:]:
        rest = rows[top:]
        total, items = sum(row["characters"] for row in rest), sum(row["items"] for row in rest)
        cells = [("name rest", f"{len(rest)} more"), ("n rest", size(total)), ("", ""), ("n rest", size(items))]
        out.append(_cells(*cells, *([("", "")] * 3 if spread else [])))
    return _table(["", "#characters", "", "#times", *(["#p50", "#p95", "#over"] if spread else [])], out)


def _bound(rows: list[dict[str, Any]], more: str) -> str:
    bounds = [row["bound"] for row in rows if row["bound"]]
    if not bounds:
        return "p50 and p95: half, and nineteen in twenty, of the results are shorter"
    usual = max(set(bounds), key=bounds.count)
    return f"p50 and p95: half, and nineteen in twenty, are shorter. the bound is {usual:,} today, {more}"


def _largest(rows: list[dict[str, Any]]) -> str:
    out = [
        _cells(
            ("n", size(row["characters"])),
            ("name", f"{_chip(row['source'])}<code>{escape(clean(row['name']))}</code>"),
            ("soft", escape(_local(row["hour"]).strftime("%Y-%m-%d %H h") if len(row["hour"]) == 13 else "")),
            ("wide", f"<code>{escape(one_line(row['what'], 120))}</code>"),
        )
        for row in rows
    ]
    return _table(["#characters", "of", "when", "call"], out)


def _sessions(rows: list[dict[str, Any]]) -> str:
    most = max((row["text"] for row in rows), default=1) or 1
    out = []
    for row in rows:
        part = row["shell"] / row["text"] if row["text"] else 0.0
        bar = _track([("shell", row["shell"] / most, 1), ("harness", (row["text"] - row["shell"]) / most, 0.45)])
        name = escape(clean(row["project"])) + (" <span class='soft'>subagent</span>" if row["side"] == SUB else "")
        out.append(
            _cells(
                ("name", name),
                ("n", size(row["text"])),
                ("bar", bar),
                ("n", share(part)),
                ("n", size(row["requests"])),
                ("n", size(row["peak"])),
                ("soft", escape(row["first"][:16].replace("T", " "))),
            )
        )
    return _table(["", "#characters", "", "#shell", "#responses", "#largest request", "begun (UTC)"], out)


def _counted(found: Report) -> str:
    text, images = found["characters"]["text"], found["characters"]["images"]
    said = f"{found['lines']:,} lines were read, {text:,} characters of text counted"
    if images:
        said += f", and {images:,} of base64 in images apart"
    if found["malformed"]:
        said += f"; {found['malformed']:,} lines could not be read"
    if found["repeated"]:
        said += f"; {found['repeated']:,} rows stood there twice"
    return escape(said + ".")
