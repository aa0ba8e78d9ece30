from __future__ import annotations

from pathlib import Path

import pytest

from tests.wiring.owner import Owner


@pytest.fixture
def owner(tmp_path: Path) -> Owner:
    """An empty home with a current Claude Code."""
    return Owner(tmp_path / "home")
