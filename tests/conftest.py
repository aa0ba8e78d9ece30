"""Fixtures every test may use. Each end-to-end test brings its own policy on a machine of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.machine import Machine

# a run in the background ignores the interrupt, and so would every shell that a test starts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# a default run tries the same examples every time; `make fuzz` looks for new ones
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", derandomize=False, deadline=None)
settings.load_profile("same")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A throwaway home with Guards installed in it."""
    return Machine(tmp_path)
