"""Guards broken for real, and what the real Claude Code makes of it: a gate that cannot judge refuses and says so,
and the session goes on."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from guards.wiring import place
from tests.harness.model import turn
from tests.harness.rig import Rig, reason

pytestmark = pytest.mark.real

CI = ".github/workflows/ci.yml"


@pytest.fixture
def pinned(claude: Rig) -> Rig:
    """Guards running from a copy that a test may break."""
    machine = claude.machine
    where = {"home": str(machine.home), "config": str(machine.config), "state": str(machine.state)}
    machine.places = place.lay(
        str(machine.install), checkout=machine.places["checkout"], python=machine.places["python"], pinned=True, **where
    )
    return claude.install()


def code(rig: Rig) -> Path:
    return Path(os.path.realpath(rig.machine.install / "code"))


def no_interpreter(rig: Rig) -> None:
    (rig.machine.install / "py").unlink()
    (rig.machine.install / "py").symlink_to("/nowhere/python3")


def no_script(rig: Rig) -> None:
    (code(rig) / "hook.py").unlink()


def emptied_script(rig: Rig) -> None:
    (code(rig) / "hook.py").write_text("")


def merge_conflict(rig: Rig) -> None:
    hook = code(rig) / "hook.py"
    hook.write_text("<<<<<<< HEAD\n" + hook.read_text())


def half_a_package(rig: Rig) -> None:
    (code(rig) / "engine/dispatch.py").write_text("MODES = {}\n")


def no_code(rig: Rig) -> None:
    shutil.rmtree(code(rig))


def no_record(rig: Rig) -> None:
    (rig.machine.install / "places").unlink()


BREAKS = [no_interpreter, no_script, emptied_script, merge_conflict, half_a_package, no_code, no_record]


@pytest.mark.parametrize("break_it", BREAKS, ids=lambda f: f.__name__)
def test_what_cannot_judge_refuses_with_a_sentence_and_the_session_goes_on(
    pinned: Rig, break_it: Callable[[Rig], None]
) -> None:
    break_it(pinned)
    run = pinned.run(turn(pinned.write("a.txt")), turn(pinned.shell("touch b.txt")))
    assert not pinned.there("a.txt")
    assert not pinned.there("b.txt")
    for said in map(reason, run.results()):
        assert "guards" in said
        assert "make unwire" in said or "make install" in said
        assert "Traceback" not in said
    assert "please go on" in run.opening()  # the prompt of the owner was not swallowed
    assert run.of()[-1].parts[-1].role != "assistant"
