"""Session memory: marks made once, records whole, names that never leave the folder."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.engine.state import NAME_MAX, Session, escape


@given(st.text())
def test_any_text_becomes_one_harmless_file_name(key: str) -> None:
    name = escape(key)
    assert name
    assert "/" not in name
    assert "\0" not in name
    assert name not in {".", ".."}
    assert not name.startswith(".")
    assert len(name.encode()) <= NAME_MAX


@given(st.text(), st.text())
def test_two_keys_never_share_a_name(one: str, other: str) -> None:
    assert (escape(one) == escape(other)) == (one == other)


@pytest.mark.parametrize("session", ["../../etc", "a/b", "..", ".", "x" * 5000, "é\ud800\0"])
def test_a_session_id_never_leaves_the_state_folder(tmp_path: Path, session: str) -> None:
    memory = Session(str(tmp_path / "state"), session)
    assert memory.mark("told")
    assert Path(memory.folder).resolve().parent == tmp_path / "state/sessions"


def test_a_mark_is_made_by_exactly_one_of_many(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(lambda _: Session(str(tmp_path), "s").mark("bash:cat"), range(64)))
    assert won.count(True) == 1


def test_records_of_many_writers_are_all_there_and_whole(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: Session(str(tmp_path), "s").add("told", f"{n} " + "x" * 500), range(200)))
    found = Session(str(tmp_path), "s").records("told")
    assert sorted(int(line.split()[0]) for line in found) == list(range(200))
    assert all(line.endswith("x" * 500) for line in found)


def test_a_half_written_last_record_is_left_out(tmp_path: Path) -> None:
    memory = Session(str(tmp_path), "s")
    memory.add("told", "one")
    with open(f"{memory.folder}/told", "a") as handle:
        handle.write("tw")
    assert memory.records("told") == ["one"]


def test_a_record_with_a_newline_stays_one_record(tmp_path: Path) -> None:
    memory = Session(str(tmp_path), "s")
    memory.add("told", "a\nb")
    assert memory.records("told") == ["a b"]


def test_frozen_memory_reads_and_leaves_no_trace(tmp_path: Path) -> None:
    Session(str(tmp_path), "s").mark("told")
    frozen = Session(str(tmp_path), "s", frozen=True)
    assert frozen.marked("told")
    assert frozen.mark("other")
    frozen.add("records", "x")
    frozen.forget("told")
    assert os.listdir(frozen.folder) == ["once-told"]


def test_without_a_session_id_nothing_is_remembered(tmp_path: Path) -> None:
    memory = Session(str(tmp_path), "")
    assert memory.mark("told")
    memory.add("records", "x")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_said_and_forgotten(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way")
    memory = Session(str(tmp_path), "s")
    assert memory.mark("told")
    assert memory.broken


def test_probes_keep_their_memory_apart(tmp_path: Path) -> None:
    assert Session(str(tmp_path), "guards-fire-1").folder == f"{tmp_path}/probe/guards-fire-1"


def test_a_planted_link_in_place_of_a_record_is_not_followed(tmp_path: Path) -> None:
    memory = Session(str(tmp_path), "s")
    memory.mark("first")
    victim = tmp_path / "victim"
    victim.write_text("")
    os.symlink(victim, f"{memory.folder}/told")
    memory.add("told", "x")
    assert victim.read_text() == ""
    assert memory.broken
