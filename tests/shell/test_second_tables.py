"""bashlex: its tables are built once and kept; whatever is wrong with what is kept, the reading is the same."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from guards.engine import packages
from guards.shell import read, second
from tests.shell.said import reading

ROOT = Path(__file__).resolve().parent.parent.parent
# reads one text with the second reader in an interpreter as bare as the hook's, and says what it loaded
BARE = """
import sys
sys.path.insert(0, {root!r})
from guards.engine import packages
packages.path = {packages!r}
from guards.engine.world import World
from guards.shell import read
found = read.second("a > f | b", "/w", {{"HOME": "/h"}}, World({{"home": "/h", "state": {state!r}}}, None, {{}}), None)
print([s.name for s in found.steps], found.reader, found.unreadable)
print("inspect" in sys.modules, "bashlex.parser" in sys.modules)
"""
SAID = "['a', 'b'] bashlex "


def bare(state: Path | str) -> list[str]:
    folder = str(Path(packages.folder("bashlex")).parent)
    code = BARE.format(root=str(ROOT), packages=folder, state=str(state))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_tables_are_kept_and_the_next_reading_needs_no_building(tmp_path: Path) -> None:
    assert bare(tmp_path) == [SAID, "True True"]
    kept = tmp_path / "bashlex.tables"
    assert kept.stat().st_mode & 0o777 == 0o600
    stamp = kept.stat().st_mtime_ns
    assert bare(tmp_path) == [SAID, "False True"]
    assert kept.stat().st_mtime_ns == stamp
    assert os.listdir(tmp_path) == ["bashlex.tables"]


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "folder", "open", "link", "none"])
def test_tables_that_cannot_be_used_are_built_again(tmp_path: Path, damage: str) -> None:
    bare(tmp_path)
    kept = tmp_path / "bashlex.tables"
    data = kept.read_bytes()
    if damage == "cut":
        kept.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        kept.write_bytes(b"")
    elif damage == "other":  # made for another interpreter or another bashlex
        kept.write_bytes(changed(data))
    elif damage == "folder":
        kept.unlink()
        kept.mkdir()
    elif damage == "open":
        kept.chmod(0o666)
    elif damage == "link":
        kept.rename(tmp_path / "far")
        kept.symlink_to("far")
    else:
        kept.unlink()
    assert bare(tmp_path) == [SAID, "True True"]
    if damage != "folder":
        assert bare(tmp_path) == [SAID, "False True"]


def changed(data: bytes) -> bytes:
    import marshal

    stamp, tables = marshal.loads(data)
    return marshal.dumps(((stamp[0] + 1, *stamp[1:]), tables))


def test_tables_that_fit_by_name_alone_are_not_trusted(tmp_path: Path) -> None:
    import marshal

    bare(tmp_path)
    kept = tmp_path / "bashlex.tables"
    stamp, _ = marshal.loads(kept.read_bytes())
    kept.write_bytes(marshal.dumps((stamp, marshal.dumps(({}, {}, [("a", ("b",), 1, 0, "p_nowhere", 1)])))))
    assert bare(tmp_path)[0] == SAID


@pytest.mark.parametrize("state", ["", "/nowhere/at/all"])
def test_without_a_state_folder_it_reads_all_the_same(state: str) -> None:
    assert bare(state) == [SAID, "True True"]


def test_a_parser_that_fills_the_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Greedy:
        def parsesingle(self, *_: object, **__: object) -> object:
            return bytearray(1 << 31)

    monkeypatch.setattr(second, "_bashlex", Greedy())
    before = resource.getrlimit(resource.RLIMIT_DATA)
    assert "MemoryError" in reading("echo x", reader=read.second).unreadable
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
