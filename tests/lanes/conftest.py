"""A machine whose owner keeps a lane of his own, and a repository with files in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lanes import judging
from tests.machine import Machine


@pytest.fixture
def proj(machine: Machine) -> Path:
    """The project `~/proj`, with `human/` and `OWNER.md` in the owner's lane."""
    machine.policy("human-lane", judging.HUMAN)
    return machine.repo("proj", judging.FILES)
