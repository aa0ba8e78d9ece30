"""A house whose only policy is the sample of tests/compile/house.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from guards.compile import catalog
from tests.compile.house import SAMPLE, House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    for name in list(catalog.POLICIES):
        monkeypatch.delitem(catalog.POLICIES, name)
    monkeypatch.setitem(catalog.POLICIES, "sample", SAMPLE)
    return House(tmp_path)
