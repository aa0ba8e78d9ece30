"""The moment of writing: others write too, processes die, and nothing half-written is ever left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from guards.wiring import edit, record, unwire
from guards.wiring.forms import claude
from guards.wiring.text import Refused
from guards.wiring.wire import wire
from tests.wiring.owner import ROOT, SETTINGS, Owner
from tests.wiring.texts import RULES, WANTED


def put_in(text: str, kept: dict[str, Any]) -> str:
    return wire(text, claude, WANTED, RULES, kept)


@pytest.fixture
def install(tmp_path: Path) -> str:
    folder = tmp_path / "install"
    folder.mkdir()
    return str(folder)


@pytest.mark.parametrize("source", SETTINGS, ids=lambda path: path.stem)
def test_install_edit_reinstall_uninstall_leaves_the_file_and_the_edit(
    tmp_path: Path, install: str, source: Path
) -> None:
    path = tmp_path / "settings.json"
    before = source.read_bytes()
    path.write_bytes(before)
    assert edit.apply(str(path), install, RULES, put_in).changes
    path.write_bytes(with_mine(path.read_bytes()))
    assert not edit.apply(str(path), install, RULES, put_in).changes
    assert edit.apply(str(path), install, RULES, unwire.take_out).changes
    assert path.read_bytes() == with_mine(before)


def with_mine(data: bytes) -> bytes:
    """The owner puts something first into the file."""
    root = unwire.parse(unwire.decode(data))
    start = data.index(b"{", data.index(b"\n") if data.startswith(b"//") else 0) + 1
    mine = b'"mine": [1, {"x": "# guards:managed"}]' + (b"," if root.items else b"")
    return data[:start] + mine + data[start:]


def test_what_the_harness_wrote_between_read_and_rename_is_kept(tmp_path: Path, install: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"model": "opus"}')
    seen: list[str] = []

    def meanwhile(text: str, kept: dict[str, Any]) -> str:
        if not seen:
            path.write_text('{"model": "opus", "permissions": {"allow": ["Bash(npm test)"]}}')
        seen.append(text)
        return put_in(text, kept)

    edit.apply(str(path), install, RULES, meanwhile)
    plain = json.loads(path.read_text())
    assert plain["permissions"]["allow"] == ["Bash(npm test)"]
    assert len(plain["hooks"]["PreToolUse"]) == 1
    assert len(seen) > 1


def test_a_file_that_never_rests_is_given_up_with_nothing_changed(tmp_path: Path, install: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")

    def restless(text: str, kept: dict[str, Any]) -> str:
        path.write_text(json.dumps({"n": os.urandom(4).hex()}))
        return put_in(text, kept)

    with pytest.raises(Refused, match="keeps writing"):
        edit.apply(str(path), install, RULES, restless)
    assert "hooks" not in path.read_text()


def test_nothing_is_left_beside_the_file_but_the_backup(tmp_path: Path, install: str) -> None:
    path = tmp_path / "deep/settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    edit.apply(str(path), install, RULES, put_in)
    edit.apply(str(path), install, RULES, unwire.take_out)
    assert sorted(os.listdir(path.parent)) == ["settings.json", "settings.json.guards-backup"]
    assert os.listdir(install) == ["wired"]
    assert record.load(install) == {"files": {}}


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, install: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")

    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        unwire.replace(str(path), b"{}", b'{"a": 1}')
    assert path.read_text() == "{}"
    assert sorted(os.listdir(tmp_path)) == ["install", "settings.json"]


def test_the_mode_and_the_owner_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}")
    path.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
    before = path.stat()
    unwire.replace(str(path), b"{}", b'{"a": 1}')
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert path.read_text() == '{"a": 1}'


@pytest.mark.parametrize("moment", [0.1, 0.4, 0.7, 1.1, 1.6])
def test_an_install_killed_at_any_moment_leaves_the_old_file_or_the_new_one(owner: Owner, moment: float) -> None:
    text = '{\n  "model": "opus"\n}\n'
    owner.settings.write_text(text)
    child = subprocess.Popen(
        owner.argv("install", "--yes"), cwd=ROOT, env=owner.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(moment)
    child.send_signal(signal.SIGKILL)
    child.wait()
    left = owner.settings.read_text()
    assert left == text or owner.entries()["PreToolUse"]
    owner.wired()
    assert all(len(found) == 1 for found in owner.entries().values())
    assert owner.run("uninstall", "--yes").returncode == 0
    assert owner.settings.read_text() == text


@pytest.mark.parametrize("call", range(1, 12))
def test_killed_before_any_step_on_the_disk_the_next_run_puts_it_right(tmp_path: Path, install: str, call: int) -> None:
    """A process that dies before its n-th rename, unlink or fsync, for every n there is."""
    path = tmp_path / "settings.json"
    path.write_text('{\n  "hooks": {}\n}\n')
    body = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
count = 0
def deadly(name):
    real = getattr(os, name)
    def step(*args, **more):
        global count
        count += 1
        if count == {call}:
            os._exit(9)
        return real(*args, **more)
    return step
for name in ("replace", "unlink", "fsync", "chmod"):
    setattr(os, name, deadly(name))
from tests.wiring.test_writing import put_in, RULES
from guards.wiring import edit
edit.apply({str(path)!r}, {install!r}, RULES, put_in)
"""
    subprocess.run([sys.executable, "-c", body], check=False, timeout=60)
    assert path.read_text() == '{\n  "hooks": {}\n}\n' or len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    edit.apply(str(path), install, RULES, put_in)
    assert len(json.loads(path.read_text())["hooks"]["PreToolUse"]) == 1
    edit.apply(str(path), install, RULES, unwire.take_out)
    assert path.read_text() == '{\n  "hooks": {}\n}\n'
    assert sorted(os.listdir(tmp_path)) == ["install", "settings.json", "settings.json.guards-backup"]
