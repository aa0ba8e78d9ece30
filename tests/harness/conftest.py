"""A failed test shows what the model was shown: each run of a real program is kept beside its test."""

from collections.abc import Generator

import pytest

from .runs import Keep, Run

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
