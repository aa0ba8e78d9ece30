"""The window onto the machine: real paths as the kernel makes them, reads that never block."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.engine.state import Session
from guards.engine.world import World, encode, join, normal


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World({"home": str(tmp_path), "state": str(tmp_path)}, Session(str(tmp_path), "s"))


@given(st.lists(st.sampled_from(["a", "b", "..", ".", "", "c d"]), max_size=8))
def test_lexical_clean_up_agrees_with_the_library(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    assert normal(path) == os.path.normpath("/" + path.lstrip("/"))


NAMES = ["a", "b", "d", "l1", "l2", "l3", "l4", "..", "gone"]


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6))
def test_links_are_resolved_as_the_library_resolves_them(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = Path(os.path.realpath(tmp_path_factory.getbasetemp())) / "links"
    if not root.exists():
        (root / "a/b/d").mkdir(parents=True)
        for name, target in (("l1", "a"), ("a/l2", "b/d"), ("a/b/l3", str(root / "a")), ("l4", "l1/l2")):
            os.symlink(target, root / name)
    seen = World({}, Session("/nonexistent", ""))
    path = str(root / "/".join(parts))
    assert seen.real(path) == os.path.realpath(path)


def test_the_last_link_may_be_left_alone(world: World, tmp_path: Path) -> None:
    os.symlink("target", tmp_path / "link")
    os.symlink("d", tmp_path / "dir")
    (tmp_path / "d").mkdir()
    assert world.real(str(tmp_path / "link"), follow=False) == str(tmp_path / "link")
    assert world.real(str(tmp_path / "dir/x"), follow=False) == str(tmp_path / "d/x")


def test_links_in_a_circle_have_no_real_path(world: World, tmp_path: Path) -> None:
    os.symlink("b", tmp_path / "a")
    os.symlink("a", tmp_path / "b")
    assert world.real(str(tmp_path / "a/x")) is None


def test_devices_pipes_sockets_and_folders_are_not_read(world: World, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "sock"))
        for path in (tmp_path / "fifo", tmp_path / "sock", Path("/dev/zero"), tmp_path, tmp_path / "gone"):
            assert world.read(str(path)) is None


def test_reads_are_bounded(world: World, tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 100_000)
    assert world.read(str(tmp_path / "big"), 10) == b"x" * 11


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "x" * 10_000, ""])
def test_a_path_the_kernel_cannot_take_is_just_not_there(world: World, path: str) -> None:
    assert world.stat(path) is None
    assert world.lstat(path) is None
    assert world.read(path) is None
    assert world.listdir(path) is None
    assert world.readlink(path) is None


def test_lone_surrogates_become_what_a_harness_would_write() -> None:
    assert encode("a\ud800b") == "a\ufffdb".encode()
    assert encode("é") == "é".encode()


def test_joining_keeps_absolute_paths() -> None:
    assert join("/a", "b") == "/a/b"
    assert join("/", "b") == "/b"
    assert join("/a", "/b") == "/b"


def test_listing_is_bounded(world: World, tmp_path: Path) -> None:
    for n in range(20):
        (tmp_path / str(n)).touch()
    assert len(world.listdir(str(tmp_path), 7) or []) == 7
