"""Fixtures every test may use. Each end-to-end test brings its own policy on a machine of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A throwaway home with Guards installed in it."""
    return Machine(tmp_path)
