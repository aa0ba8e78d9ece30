"""The ground that commands are held against: built once, judged where it stands, run for real in copies."""

from __future__ import annotations

import pytest

from tests.machine import Machine
from tests.shell.ground import Ground, build


@pytest.fixture(scope="session")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    base = tmp_path_factory.mktemp("ground").resolve()
    build(base / "world")
    return Ground(base / "world", Machine(base / "machine"))
