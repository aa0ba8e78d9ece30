"""The journal: whole lines under any load, bounded, redacted."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.engine import journal, state


def lines(state: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in (state / "journal").iterdir() for line in path.read_text().splitlines()]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(PLAIN)
def test_what_is_dumped_is_the_json_of_the_value(value: Any) -> None:
    assert json.loads(journal.dump(value)) == value


def test_a_line_carries_the_time_and_leaves_out_what_is_empty(tmp_path: Path) -> None:
    assert journal.record(str(tmp_path), {"guard": "human-lane", "agent": "", "path": "/p", "n": 0})
    (line,) = lines(tmp_path)
    assert set(line) == {"t", "guard", "path", "n"}


def test_parallel_writers_lose_and_cut_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: journal.record(str(tmp_path), {"n": n, "path": "é" * 300}), range(300)))
    assert sorted(line["n"] for line in lines(tmp_path)) == list(range(300))


def test_values_and_lines_are_bounded(tmp_path: Path) -> None:
    journal.record(str(tmp_path), {"guard": "g", "verdict": "deny", **{f"k{n}": "\u3042" * 10_000 for n in range(30)}})
    (path,) = (tmp_path / "journal").iterdir()
    assert path.stat().st_size <= journal.LINE_MAX + 1
    assert lines(tmp_path)[0]["guard"] == "g"


SECRETS = [
    "curl -H 'Authorization: Bearer abcdefgh'",
    "API_TOKEN=abcdefgh make",
    "mysql --password abcdefgh -u root",
    "login password: abcdefgh",
    "x --api-key=abcdefgh",
]


@pytest.mark.parametrize("text", SECRETS)
def test_what_follows_a_word_for_a_secret_is_masked(text: str) -> None:
    assert "abcdefgh" not in journal.redact(text)


def test_a_path_that_is_named_for_a_secret_stays_readable() -> None:
    assert journal.redact("/home/o/proj/config/secrets.yaml") == "/home/o/proj/config/secrets.yaml"


def test_a_month_that_is_full_drops_lines_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journal.record(str(tmp_path), {"n": 1})
    monkeypatch.setattr(journal, "MONTH_MAX", 10)
    assert not journal.record(str(tmp_path), {"n": 2})
    assert [line["n"] for line in lines(tmp_path)] == [1]


def test_a_journal_that_cannot_be_written_is_told_and_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("in the way")
    assert not journal.record(str(tmp_path), {"n": 1})


def test_a_heartbeat_is_the_time_of_one_file(tmp_path: Path) -> None:
    assert state.beat(str(tmp_path), "claude", "before-tool")
    assert state.beat(str(tmp_path), "claude", "before-tool")
    (only,) = (tmp_path / "beats").iterdir()
    assert only.name == "claude-before-tool"
    assert only.stat().st_size == 0
