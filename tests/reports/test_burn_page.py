"""The page of `guards burn`: one file, nothing from outside, and nothing of a transcript becomes markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from guards.reports import burn_page, burn_show, burn_svg
from guards.reports.burn_tally import SOURCES
from tests.reports.test_burn import folder, tally
from tests.reports.transcripts import Claude

EMPTY = {"area", "br", "hr", "img", "input", "link", "meta"}


class Checker(HTMLParser):
    """Counts what a page asks for, and whether every tag is closed in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.asks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        self.asks += [f"{tag} {name}={value}" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        self.asks += [f"{tag} {name}" for name, _ in attrs if name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag


def page(*paths: Path, top: int = 12) -> str:
    return burn_page.page(burn_show.report(tally(*paths), ""), top)


def checked(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    return checker


def test_the_page_is_whole_and_asks_for_nothing(tmp_path: Path) -> None:
    text = page(folder(tmp_path))
    checker = checked(text)
    assert checker.asks == []
    assert "script" not in checker.names
    assert "://" not in text
    assert "@import" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text
    assert "$" not in text
    for words in ("over time", "by source", "shell output, by program", "largest results", "sessions with most text"):
        assert words in text


def test_nothing_of_a_transcript_becomes_markup(tmp_path: Path) -> None:
    bad = "</td><script>alert(1)</script><img src=x onerror=y>&\"'"
    held = Claude(cwd=f"/srv/{bad}")
    held.call(bad, {"file_path": bad}, "x" * 100).call("Bash", {"command": f"'{bad}' {bad}"}, "x" * 5000)
    held.attachment("hook_additional_context", ["x"], hookName=bad).attachment(bad, ["x"])
    checker = checked(page(held.write(tmp_path / "a.jsonl")))
    assert checker.asks == []
    assert not {"script", "img"} & set(checker.names)


def test_the_bars_of_the_timeline_are_the_characters(tmp_path: Path) -> None:
    found = burn_show.report(tally(folder(tmp_path)), "")
    bins, unit = burn_page.timeline(found["hours"])
    assert unit == "hour"
    assert sum(sum(sizes.values()) for _, sizes in bins) == found["characters"]["total"]
    svg = burn_svg.stacked(bins, [row["name"] for row in found["sources"] if row["name"] != "image"], SOURCES)
    heights = [float(height) for height in re.findall(r'height="([0-9.]+)"/>', svg)]
    tallest = max(sum(sizes.values()) for _, sizes in bins)
    room = burn_svg.HEIGHT - burn_svg.TOP - burn_svg.BOTTOM
    assert sum(heights) == pytest.approx(found["characters"]["text"] / burn_svg.ceiling(tallest) * room, rel=0.01)


def hours(*marks: str) -> list[dict[str, Any]]:
    return [{"hour": mark, "characters": {"shell": 1}} for mark in marks]


@pytest.mark.parametrize(
    ("marks", "unit", "bars"),
    [
        (["2026-11-02T10"], "hour", 1),
        (["2026-11-02T10", "2026-11-02T15"], "hour", 6),
        (["2026-11-02T12", "2026-11-12T12"], "day", 11),
        (["2026-01-05T12", "2026-12-28T12"], "week", 52),
    ],
)
def test_time_is_cut_into_hours_days_or_weeks_with_the_empty_ones(
    marks: list[str], unit: str, bars: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    found, name = burn_page.timeline(hours(*marks))
    assert (name, len(found)) == (unit, bars)
    assert sum(sum(sizes.values()) for _, sizes in found) == len(marks)


def test_a_page_of_rows_without_a_time_still_stands(tmp_path: Path) -> None:
    held = Claude().user("x" * 5)
    held.lines[0] = held.lines[0].replace(b'"timestamp":"2026-11-01T00:01:00.000Z",', b"")
    found = burn_show.report(tally(held.write(tmp_path / "a.jsonl")), "")
    checked(burn_page.page(found, 5))


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1 k"),
        (1234, "1.23 k"),
        (99_960, "100 k"),
        (999_400, "999 k"),
        (3_200_000, "3.2 M"),
    ],
)
def test_numbers_are_shortened_to_what_one_reads(count: int, text: str) -> None:
    assert burn_svg.short(count) == text


@pytest.mark.parametrize("most", [0, 1, 99, 100, 101, 3999, 123_456, 9_999_999])
def test_the_scale_ends_at_a_round_number_above_the_tallest_bar(most: int) -> None:
    top = burn_svg.ceiling(most)
    assert top >= max(most, 1)
    assert top % 4 == 0
    assert most < 100 or top <= most * 1.7
