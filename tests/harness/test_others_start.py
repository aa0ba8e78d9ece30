"""What Codex and Gemini CLI are told at the start of a session, and what comes of fields of their own."""

import pytest

from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = pytest.mark.real

BOTH = pytest.mark.parametrize("rig", ["codex", "gemini"], indirect=True)


@BOTH
def test_a_pause_is_told_at_the_start_and_nothing_is_refused(rig: Rig) -> None:
    rig.install()
    rig.guards("pause", "--for", "30m", "--yes")
    run = rig.run(turn(rig.write(".github/new.yml")))
    assert "the owner paused all guards" in run.opening()
    assert rig.there(".github/new.yml")


@BOTH
def test_a_machine_that_is_well_says_nothing_at_the_start(rig: Rig) -> None:
    rig.install()
    assert "guards" not in rig.run().opening()


@BOTH
def test_sealed_files_stay_closed_while_guards_are_paused(rig: Rig) -> None:
    rig.install()
    rig.guards("pause", "--for", "30m", "--yes")
    places = rig.machine.install / "places"
    before = places.read_bytes()
    run = rig.run(turn(rig.shell(f"echo x > '{places}'")))
    assert "sealed" in run.results()[0] or "human-lane" in run.results()[0]
    assert places.read_bytes() == before


@BOTH
def test_after_uninstall_nothing_stands_in_the_way(rig: Rig) -> None:
    rig.install()
    rig.uninstall()
    rig.run(turn(rig.write(".github/new.yml")))
    assert rig.there(".github/new.yml")
