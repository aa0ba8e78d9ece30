"""A text too long to show goes to a file, with read ranges that together return all of it."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from guards.engine import spilling
from guards.engine.state import Session
from guards.engine.world import World


@given(st.lists(st.integers(0, 60_000), max_size=12), st.integers(0, 4500))
def test_the_ranges_cover_every_line_once_and_fit_a_read(lengths: list[int], short: int) -> None:
    text = "\n".join(["x" * n for n in lengths] + ["y"] * short)
    lines = text.split("\n")
    following = 1
    for first, count in spilling.ranges(text):
        assert first == following
        following += count
        piece = lines[first - 1 : first - 1 + count]
        assert count <= spilling.READ_LINES
        assert count == 1 or sum(len(line) + 1 for line in piece) <= spilling.READ_BYTES
    assert following == len(lines) + 1


def test_the_pointer_names_a_private_file_that_holds_it_all(tmp_path: Path) -> None:
    world = World({"state": str(tmp_path)}, Session(str(tmp_path), "s"))
    text = "a line\n" * 5000
    pointer = spilling.spill(world, "context", text)
    path = Path(world.session.folder) / "notes/context.md"
    assert path.read_text() == text
    assert path.stat().st_mode & 0o777 == 0o600
    assert f"Read {path} offset 1 limit 2000" in pointer
    assert f"Read {path} offset 4001 limit 1001" in pointer


def test_when_it_cannot_be_written_there_is_no_pointer(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way")
    assert spilling.spill(World({"state": str(tmp_path)}, Session(str(tmp_path), "s")), "context", "x") == ""
    assert spilling.spill(World({"state": str(tmp_path)}, Session(str(tmp_path), "")), "context", "x") == ""
    assert os.listdir(tmp_path) == ["sessions"]
