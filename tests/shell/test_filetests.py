"""`[ -f x ]`: the disk decides, and only where nothing could have changed it between the look and the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.said import argv


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "there").write_text("x")
    (tmp_path / "empty").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    return tmp_path


@pytest.mark.parametrize(
    "text",
    ["[ -f there ] || c", "[ -e none ] && c", "if [ -d none ]; then c; fi", "[[ -f there ]] || c", "test -f there || c",
     "test ! -f there && c", "[ ! -e there ] && c", "[ -s empty ] && c", "[ -d there ] && c", "[ -f sub ] && c",
     "[ -L there ] && c", "[ -h link ] || c", "[ -e link ] && c", "cd sub && [ -f there ] && c",
     "X=none; [ -f $X ] && c",
     "ls; cat there | wc -l; git status --short 2>/dev/null; [ -f none ] && c", "while [ -f none ]; do c; done",
     "if [ -f there ]; then :; else c; fi", "test -z x && c", "for i in 1 2; do [ -f none ] && c; done",
     "[ -d sub ] && [ -f sub/none ] && c"],
)  # fmt: skip
def test_a_file_that_is_or_is_not_there_keeps_a_command_from_running(text: str, folder: Path) -> None:
    assert ["c"] not in argv(text, cwd=str(folder))


@pytest.mark.parametrize(
    "text",
    ["touch none; [ -f none ] && c", "echo x > none; [ -f none ] && c", "make; [ -f none ] && c",
     "sleep 1; [ -f none ] && c", "d & [ -f none ] && c", "[ -f none ] && c & touch none",
     "touch none | [ -f none ] && c",
     "[ -f none ] | { [ -f none ] && c; }", "while :; do [ -f none ] && c; done", "until d; do [ -f none ] && c; done",
     "for i in $D; do [ -f none ] && c; done", "for ((;X;)); do [ -f none ] && c; done", "A=$(d); [ -f none ] && c",
     "trap '[ -f none ] && c' EXIT; touch none", "f() { touch none; }; f; [ -f none ] && c", "$X; [ -f none ] && c",
     "for i in 1 2; do [ -f none ] && c; touch none; done", "[ -f $X ] && c", "[ -x there ] || c", "[ -f no* ] && c",
     "test() { :; }; test -f none && c", "alias test=true\ntest -f none && c",
     "git pull; [ -f none ] && c", "env d; [ -f none ] && c", "read A; [ -f none ] && c", "cd $X; [ -f none ] && c"],
)  # fmt: skip
def test_where_anything_else_may_have_come_between_both_ways_count(text: str, folder: Path) -> None:
    assert ["c"] in argv(text, cwd=str(folder))


def test_in_code_inside_the_code_the_disk_says_nothing(folder: Path) -> None:
    assert ["c"] in argv("[ -f none ] && c", cwd=str(folder), files={})


def test_in_a_folder_that_is_not_there_the_disk_says_nothing(tmp_path: Path) -> None:
    assert ["c"] in argv("[ -f none ] && c", cwd=str(tmp_path / "gone"))
    assert ["c"] not in argv(f"[ -f {tmp_path}/none ] && c", cwd=str(tmp_path / "gone"))
