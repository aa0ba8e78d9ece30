"""Third-party packages are found in the recorded folder first, and it goes onto the path once and last."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from guards.engine import packages


def test_the_recorded_folder_is_put_at_the_end_of_the_path_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", ["/a"])
    monkeypatch.setattr(packages, "path", str(tmp_path))
    packages.use()
    packages.use()
    assert sys.path == ["/a", str(tmp_path)]


def test_without_a_record_the_path_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/a"])
    monkeypatch.setattr(packages, "path", "")
    packages.use()
    assert sys.path == ["/a"]


def test_a_package_is_looked_for_in_the_recorded_folder_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for place in ("recorded", "other"):
        (tmp_path / place / "pack").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", ["", "/nowhere", str(tmp_path / "other")])
    monkeypatch.setattr(packages, "path", str(tmp_path / "recorded"))
    assert packages.folder("pack") == str(tmp_path / "recorded/pack")
    monkeypatch.setattr(packages, "path", "/gone")
    assert packages.folder("pack") == str(tmp_path / "other/pack")
    assert packages.folder("none") == ""
