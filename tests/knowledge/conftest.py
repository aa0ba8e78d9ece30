"""Fixtures of the knowledge tests."""

import pytest

from tests.knowledge.ground import Ground
from tests.machine import Machine


@pytest.fixture
def ground(machine: Machine) -> Ground:
    return Ground(machine)
