"""Pause and GUARDS_OFF, as far as no process is needed; the environment's side is in test_launch.py."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from guards.engine import switch
from guards.engine.state import Session
from guards.engine.world import World


def world(state: Path) -> World:
    return World({"state": str(state), "home": str(state)}, Session(str(state), "s"), environ={})


def pause(state: Path, text: str, mode: int = 0o600) -> Path:
    path = state / "pause"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_pause_holds_until_its_time_and_not_longer(tmp_path: Path) -> None:
    pause(tmp_path, f"{time.time() + 60}\nmoving house\n")
    assert world(tmp_path).off("human-lane")
    pause(tmp_path, f"{time.time() - 1}\n")
    assert not world(tmp_path).off("human-lane")


@pytest.mark.parametrize("text", ["", "forever\n", "inf\n", "nan\n", "1e300\n", "-1\n"])
def test_a_pause_without_a_near_end_is_none(tmp_path: Path, text: str) -> None:
    pause(tmp_path, text)
    assert not world(tmp_path).off("human-lane")


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_pause_that_others_can_write_is_none(tmp_path: Path, mode: int) -> None:
    pause(tmp_path, f"{time.time() + 60}\n", mode)
    assert switch.paused_until(world(tmp_path)) == 0.0


def test_a_link_is_no_pause(tmp_path: Path) -> None:
    pause(tmp_path, f"{time.time() + 60}\n").rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", tmp_path / "pause")
    assert switch.paused_until(world(tmp_path)) == 0.0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_pause_of_another_user_is_none(tmp_path: Path) -> None:
    os.chown(pause(tmp_path, f"{time.time() + 60}\n"), 12345, 12345)
    assert switch.paused_until(world(tmp_path)) == 0.0
