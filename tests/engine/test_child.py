"""Bounded commands: never longer than their time, never more than their bytes, nothing left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from guards.engine import child


def run(
    argv: list[str], seconds: float = 5, limit: int = 1000, env: dict[str, str] | None = None
) -> tuple[int | None, bytes]:
    return child.run(argv, "/", seconds, limit, env)


def test_exit_code_and_both_streams_come_back() -> None:
    assert run(["sh", "-c", "echo out; echo err >&2; exit 3"]) == (3, b"out\nerr\n")


def test_a_program_that_is_not_there_could_not_run() -> None:
    assert run(["no-such-program-here"]) == (None, b"not found")
    assert run(["/no/such/program"])[0] is None


def test_a_folder_that_is_not_there_could_not_run() -> None:
    assert child.run(["true"], "/no/such/folder", 5, 100, None)[0] is None


@pytest.mark.parametrize("body", ["sleep 30", "exec >&- 2>&-; sleep 30", "sleep 30 & wait", "trap '' TERM; sleep 30"])
def test_time_is_up_for_whatever_hangs(body: str) -> None:
    started = time.monotonic()
    assert run(["sh", "-c", body], seconds=0.3) == (None, b"ran out of time")
    assert time.monotonic() - started < 3


def test_a_flood_is_cut_and_drained() -> None:
    code, out = run(["sh", "-c", "yes | head -c 3000000; exit 4"])
    assert code == 4
    assert len(out) == 1000


def test_what_it_leaves_running_in_its_group_is_ended(tmp_path: Path) -> None:
    mark = tmp_path / "late"
    run(["sh", "-c", f"(sleep 1; touch {mark}) >/dev/null 2>&1 &"])
    time.sleep(1.3)
    assert not mark.exists()


def test_there_is_no_input_and_the_environment_is_the_given_one() -> None:
    assert run(["sh", "-c", "cat; echo $X"], env={"X": "y", "PATH": os.environ["PATH"]}) == (0, b"y\n")
