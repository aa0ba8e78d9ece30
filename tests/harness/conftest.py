"""A failed test shows what the model was shown: each run of a real program is kept beside its test."""

from collections.abc import Generator

import pytest

from tests.harness.rig import Rig
from tests.harness.runs import Keep, Run
from tests.harness.wall import Wall
from tests.machine import Machine

RUNS = pytest.StashKey[list[Run]]()


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Keep:
    """Remember a run for the report."""
    runs = request.node.stash.setdefault(RUNS, [])

    def kept(run: Run) -> Run:
        runs.append(run)
        return run

    return kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections += [("what the model was shown", run.story()) for run in item.stash.get(RUNS, [])]
    return report


@pytest.fixture
def claude(machine: Machine, keep: Keep) -> Rig:
    """A machine with Claude Code on it."""
    return Rig("claude", machine, keep)


@pytest.fixture
def codex(machine: Machine, keep: Keep) -> Rig:
    return Rig("codex", machine, keep)


@pytest.fixture
def gemini(machine: Machine, keep: Keep) -> Rig:
    return Rig("gemini", machine, keep)


@pytest.fixture
def rig(request: pytest.FixtureRequest, machine: Machine, keep: Keep) -> Rig:
    """For tests that go through several programs: indirect, by name."""
    return Rig(request.param, machine, keep)


@pytest.fixture
def wall(machine: Machine) -> Wall:
    """An /etc of the test's own."""
    wall = Wall(machine.base)
    if why := wall.refused():
        pytest.skip(why)
    return wall
