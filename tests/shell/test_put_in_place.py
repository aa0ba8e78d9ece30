"""Folders that come to a lane's place as a whole, where nothing is there yet: moved, renamed, copied on and on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.machine import Machine
from tests.shell.ground import Ground, build, held, run


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A world whose lanes are empty."""
    base = tmp_path_factory.mktemp("bare").resolve()
    build(base / "world")
    shutil.rmtree(base / "world/repo/ops")
    shutil.rmtree(base / "world/home/.claude")
    shutil.copytree(base / "world", base / "pristine", symlinks=True)
    return Ground(base / "world", Machine(base / "machine"))


REFUSED = (
    "mkdir pre; echo x > pre/live.conf; mv pre/ ops/",
    "mkdir a; echo x > a/settings.json; mv a @H@/.claude",
    "mkdir a; echo x > a/settings.json; cp -r a @H@/.claude",
    "mv drafts p3 && mv p3 @H@/.claude",
    "cp -r drafts x && mv x ops",
    "cp -r drafts x; mkdir -p ops; cp -r x/. ops/",
    "cp -r drafts/ ops/",
    "mkdir pre; mv pre/ @H@/.claude/",
)
PASSES = (
    "mkdir pre; echo x > pre/live.conf; mv pre/ opsy/",
    "cp -r drafts/ docs/; mv docs/drafts/ new/",
    "mkdir -p site/ops; cp -r drafts/. site/ops/; mv site/ public/",
)


@pytest.mark.parametrize("command", REFUSED)
def test_a_folder_put_in_place_of_a_lane_is_refused(bare: Ground, command: str) -> None:
    assert bare.judge(command)


@pytest.mark.parametrize("command", PASSES)
def test_a_folder_put_elsewhere_passes(bare: Ground, command: str) -> None:
    assert not bare.judge(command)


@pytest.mark.slow
@pytest.mark.parametrize("command", [*REFUSED, *PASSES])
def test_it_really_changes_what_is_said(bare: Ground, command: str) -> None:
    pristine: Path = bare.base.parent / "pristine"
    changed = run(pristine, bare.base, bare.words(command), str(bare.repo))
    assert bool(held(changed)) is (command in REFUSED)
