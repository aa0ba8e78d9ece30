"""The guards' own loader: the same modules as the import system's, and never code that is not the source's own."""

from __future__ import annotations

import importlib.util
import os
import py_compile
from pathlib import Path

import pytest

from guards.engine import loader


def source(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mod.py"
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return str(path)


def value(path: str) -> object:
    room: dict[str, object] = {}
    exec(loader.code_of("guards.mod", path), room)
    return room["value"]


def cached(path: str) -> Path:
    return Path(importlib.util.cache_from_source(path))


def test_a_source_without_a_cache_is_compiled_and_used(tmp_path: Path) -> None:
    assert value(source(tmp_path, "value = 1\n")) == 1


def test_a_cache_of_this_source_is_used(tmp_path: Path) -> None:
    path = source(tmp_path, "value = 1\n")
    stamp = os.stat(path)
    other = str(tmp_path / "other.py")
    Path(other).write_text("value = 2\n")
    os.utime(other, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    py_compile.compile(other, cfile=str(cached(path)))
    assert value(path) == 2, "same time and size: it is taken for this source's, as the import system would"


@pytest.mark.parametrize("how", ["other time", "other size", "cut", "garbage", "other magic", "empty", "a folder"])
def test_a_cache_that_is_not_this_sources_is_not_used(tmp_path: Path, how: str) -> None:
    path = source(tmp_path, "value = 1\n")
    py_compile.compile(path, cfile=str(cached(path)))
    data = cached(path).read_bytes()
    if how == "other time":
        Path(path).write_text("value = 3\n")
        os.utime(path, (1, 1))
    elif how == "other size":
        times = os.stat(path)
        Path(path).write_text("value = 3 \n")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif how == "a folder":
        cached(path).unlink()
        cached(path).mkdir()
    else:
        broken = {
            "cut": data[:20],
            "garbage": data[:16] + b"\xff" * 50,
            "other magic": b"abcd" + data[4:],
            "empty": b"",
        }
        cached(path).write_bytes(broken[how])
    assert value(path) == (3 if how.startswith("other ") and how != "other magic" else 1)


def test_two_edits_of_one_size_in_one_second_are_told_apart(tmp_path: Path) -> None:
    path = source(tmp_path, "value = 1\n")
    os.utime(path)
    assert value(path) == 1
    times = os.stat(path)
    Path(path).write_text("value = 2\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    assert value(path) == 2


def test_a_source_that_does_not_parse_says_so(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError):
        value(source(tmp_path, "<<<<<<< HEAD\n"))


def test_a_source_that_is_gone_is_not_loaded_from_its_cache(tmp_path: Path) -> None:
    path = source(tmp_path, "value = 1\n")
    py_compile.compile(path, cfile=str(cached(path)))
    os.unlink(path)
    with pytest.raises(OSError, match=r"mod\.py"):
        value(path)


def test_other_packages_are_left_to_the_import_system() -> None:
    assert loader.Loader("/nowhere").find_spec("json") is None
    assert loader.Loader("/nowhere").find_spec("guardsman.x") is None
