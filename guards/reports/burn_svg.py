"""One chart: stacked bars over time, as inline SVG coloured by the page's own style."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

WIDTH, HEIGHT = 1060, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 6, 8, 26
LABELS = 9  # of the time axis, at most

Bins = list[tuple[str, dict[str, int]]]


def stacked(bins: Bins, order: list[str], labels: Mapping[str, str]) -> str:
    """A bar for each bin, its sources from the bottom in this order."""
    totals = [sum(sizes.get(name, 0) for name in order) for _, sizes in bins]
    top = ceiling(max(totals, default=0))
    parts = [_grid(top)]
    if bins:
        step = (WIDTH - LEFT - RIGHT) / len(bins)
        width = min(max(step - min(4.0, step * 0.25), 1.0), 46.0)
        for at, (when, sizes) in enumerate(bins):
            x = LEFT + step * at + (step - width) / 2
            parts.append(_bar(x, width, when, sizes, order, labels, top))
        parts.append(_axis(bins, step))
    drawn = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="characters over time">{drawn}</svg>'


def _bar(
    x: float, width: float, when: str, sizes: dict[str, int], order: list[str], labels: Mapping[str, str], top: int
) -> str:
    held = [(name, sizes[name]) for name in order if sizes.get(name)]
    whole = sum(size for _, size in held)
    if not whole:
        return ""
    listed = sorted(held, key=lambda entry: -entry[1])
    lines = [f"{when}: {whole:,} characters", *(f"{labels[name]} {size:,}" for name, size in listed)]
    parts = [f"<title>{escape(chr(10).join(lines))}</title>"]
    base = float(HEIGHT - BOTTOM)
    for name, size in held:
        tall = size / top * (HEIGHT - TOP - BOTTOM)
        base -= tall
        parts.append(f'<rect class="{name}" x="{x:.1f}" y="{base:.2f}" width="{width:.1f}" height="{tall:.2f}"/>')
    return f"<g>{''.join(parts)}</g>"


def _grid(top: int) -> str:
    parts = []
    for at in range(5):
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * at / 4
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(top * at // 4)}</text>')
    return "".join(parts)


def _axis(bins: Bins, step: float) -> str:
    """A label under every so many bars; the year only where it changes."""
    every = -(-len(bins) // LABELS)
    years = {when[-4:] for when, _ in bins}
    parts = []
    for at in range(0, len(bins), every):
        when = bins[at][0]
        x = min(max(LEFT + step * (at + 0.5), LEFT + 20), WIDTH - RIGHT - 24)
        text = when.removesuffix(f" {when[-4:]}") if len(years) == 1 and when[-4:].isdigit() else when
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(text)}</text>')
    return "".join(parts)


def ceiling(most: int) -> int:
    """The next round number whose quarters are round as well."""
    unit = 4
    while unit * 25 < most:
        unit *= 10
    for factor in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25):
        if unit * factor >= most:
            return unit * factor
    return unit * 25


def short(count: int) -> str:
    """A number in at most four digits: 950, 12.3 k, 4.56 M."""
    value = float(count)
    for mark in ("", " k", " M", " G"):
        if value < 999.5 or mark == " G":
            if not mark:
                return f"{count:,}"
            digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
            text = f"{value:.{digits}f}"
            return (text.rstrip("0").rstrip(".") if "." in text else text) + mark
        value /= 1000
    return ""
