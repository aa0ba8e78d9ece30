"""The compiled file: what the hot reader gets, and what is left when the writer is killed or many write at once."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guards.compile import store
from guards.engine import tables

ROOT = Path(__file__).resolve().parent.parent.parent
SECTIONS = {"a": b"1", "b": b"2"}


def key(*paths: Path) -> store.Key:
    return store.key([(str(path), tables.identity(str(path))) for path in paths])


def test_the_hot_reader_reads_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "state/tables/machine"
    store.write(str(path), key(ROOT), SECTIONS)
    assert tables.read(str(path)) == (key(ROOT), SECTIONS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_key_is_fresh_until_a_source_changes_comes_or_goes(tmp_path: Path) -> None:
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.write_text("x")
    first = key(there, absent)
    assert tables.fresh(first)
    absent.write_text("")
    assert not tables.fresh(first)
    absent.unlink()
    assert tables.fresh(first)
    there.chmod(0o600 if stat.S_IMODE(there.stat().st_mode) != 0o600 else 0o644)
    assert not tables.fresh(first)
    second = key(there, absent)
    there.unlink()
    assert not tables.fresh(second)


def test_a_key_of_another_version_or_interpreter_is_not_fresh() -> None:
    version, runtime, sources = key()
    assert tables.fresh((version, runtime, sources))
    assert not tables.fresh((version + "x", runtime, sources))
    assert not tables.fresh((version, runtime + "x", sources))


KILLED = """
import os, signal
from guards.compile import store
def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)
{what}
store.write({path!r}, ("v", "r", ()), {{"a": b"new" * 100000}})
"""
MIDDLE = """
real = os.fdopen
class Half:
    def __init__(self, out): self.out = out
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def write(self, data): self.out.write(data[:len(data) // 2]); self.out.flush(); kill()
os.fdopen = lambda *given: Half(real(*given))
"""


@pytest.mark.parametrize("what", [MIDDLE, "os.replace = kill"])
def test_a_writer_killed_in_the_middle_leaves_the_old_file(tmp_path: Path, what: str) -> None:
    path = tmp_path / "machine"
    store.write(str(path), key(), SECTIONS)
    script = KILLED.format(what=what, path=str(path))
    done = subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert tables.read(str(path)) == (key(), SECTIONS)
    (left,) = [entry for entry in tmp_path.iterdir() if entry.name.endswith(".tmp")]
    store.write(str(path), key(), SECTIONS)
    assert left.exists(), "somebody may still be writing it"
    os.utime(left, (time.time() - 2 * store.LEFTOVER,) * 2)
    store.write(str(path), key(), SECTIONS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["machine"]


def test_killed_at_any_moment_the_file_is_one_or_the_other(tmp_path: Path) -> None:
    path = tmp_path / "machine"
    script = (
        "from guards.compile import store\nn = 0\nwhile True:\n n += 1\n"
        f" store.write({str(path)!r}, ('v', 'r', ()), {{'a': bytes([n % 251]) * 300000}})\n"
    )
    for wait in (0.0, 0.003, 0.007, 0.02):
        child = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
        while not path.exists():
            time.sleep(0.005)
        time.sleep(wait)
        child.kill()
        child.wait()
        found = tables.read(str(path))
        assert found is not None
        assert len(found[1]["a"]) == 300000
        assert len(set(found[1]["a"])) == 1


def test_a_write_that_fails_leaves_no_scrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        store.write(str(tmp_path / "machine"), key(), SECTIONS)
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "machine").symlink_to("precious")
    store.write(str(tmp_path / "machine"), key(), SECTIONS)
    assert (tmp_path / "precious").read_text() == "mine"
    assert tables.read(str(tmp_path / "machine")) == (key(), SECTIONS)


def test_the_fault_file_is_text_one_line_for_each_fault(tmp_path: Path) -> None:
    path = tmp_path / "fault"
    store.write_fault(str(path), ["policy/x.toml: a: b", "two\nlines \ud800"], ("v", "r", ()))
    assert path.read_text() == "policy/x.toml: a: b\ntwo lines \\ud800\n\nkey ('v', 'r', ())\n"
    store.remove(str(path))
    store.remove(str(path))
    assert not path.exists()
