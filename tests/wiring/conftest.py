from __future__ import annotations

import pytest

from tests import kept
from tests.wiring.owner import Owner


@pytest.fixture
def owner(tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """An empty home with a current Claude Code."""
    return Owner(kept.fresh(tmp_path_factory.getbasetemp() / "owner") / "home")
