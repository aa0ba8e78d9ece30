"""Every recorded command gets the verdict its real effect deserves; and (slow) its real effect is what was recorded."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell import cases
from tests.shell.cases import Case
from tests.shell.ground import Ground, build, held, run

ALL = cases.read()


def test_there_are_cases_of_every_kind_both_ways() -> None:
    kinds = {case.kind for case in ALL}
    assert len(kinds) >= 10
    assert sum(case.refused for case in ALL) > 300
    assert sum(not case.refused for case in ALL) > 300


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_command_gets_the_verdict_its_effect_deserves(ground: Ground, case: Case) -> None:
    said = ground.judge(case.command.replace("@B@", str(ground.base)), case.cwd)
    told = [f"{v.guard}: {v.path}" for v in said]
    assert bool(said) is case.refused, f"{case.command}\n{told}\n{ground.walk(case.command, case.cwd).effects}"


def test_few_harmless_commands_are_refused_and_each_is_known(ground: Ground) -> None:
    """One in a hundred at most, but for those where caution is meant and noted."""
    everyday = [case for case in ALL if case.kind == "everyday"]
    assert len(everyday) > 150
    assert not [case.command for case in everyday if case.refused]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with cases.served(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(an untouched world, where its copies are run)"""
    folder = tmp_path_factory.mktemp("real").resolve()
    build(folder / "work")
    subprocess.run(["cp", "-a", str(folder / "work"), str(folder / "pristine")], check=True)
    return folder / "pristine", folder / "work"


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({case.kind for case in ALL if case.kind != "everyday"}))
def test_a_recorded_command_really_does_what_is_recorded(
    pristine: tuple[Path, Path], port: str, kind: str, request: pytest.FixtureRequest
) -> None:
    untouched, base = pristine
    wrong, left = [], []
    for case in [case for case in ALL if case.kind == kind]:
        if case.lacks():
            left.append((str(case), case.lacks()))
            continue
        command, cwd = case.placed(base, port)
        changed = run(untouched, base, command, cwd)
        if bool(held(changed)) is not case.changes:
            wrong.append((str(case), case.command, held(changed)))
    assert not wrong
    if left:
        pytest.skip(f"programs that are not here: {left}")
