"""The pair that HOOKS.md recommends: with the fence on, what nobody can read is a note, and the kernel holds."""

from __future__ import annotations

import pytest

from tests.fence.conftest import Yard
from tests.machine import ROOT

CI = ".github/workflows/ci.yml"
DOUBTFUL = {
    "an unknown word": f'rm "$NOWHERE/{CI}"',
    "an opaque program": f"ruby -e 'eval(gets); \"{CI}\"'",
    "a program nobody knows": f"mytool {CI}",
    "a text that does not parse": f"echo '{CI}",
}


def pair(yard: Yard) -> None:
    """Puts the very lines into the policy that the manual shows."""
    _, mark, after = (ROOT / "HOOKS.md").read_text(encoding="utf-8").partition("**Its pair.**")
    assert mark
    yard.machine.policy("shell-lane", after.partition("```toml\n")[2].partition("```")[0])


@pytest.mark.parametrize("text", DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_cannot_be_read_is_refused_alone_and_a_note_in_the_pair(yard: Yard, text: str) -> None:
    assert yard.machine.bash(text, cwd=yard.repo).denied
    pair(yard)
    assert "nothing is refused here" in yard.machine.bash(text, cwd=yard.repo).note


def test_what_is_certain_is_refused_in_the_pair_too(yard: Yard) -> None:
    pair(yard)
    assert yard.machine.bash(f"echo x > {CI}", cwd=yard.repo).denied
    assert yard.machine.write(CI, cwd=yard.repo).denied


def test_a_way_round_a_refusal_is_a_note_and_the_kernel_holds(yard: Yard) -> None:
    pair(yard)
    tool = yard.machine.home / "bin/mytool"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\necho x > "$1"\necho x > free.txt\n')
    tool.chmod(0o755)
    assert yard.machine.write(CI, cwd=yard.repo).denied
    assert yard.machine.bash(f"mytool {CI}", cwd=yard.repo).code == 0
    done = yard.fenced(f"PATH=~/bin:$PATH; mytool {CI}")
    assert "Read-only file system" in done.err
    assert (yard.repo / CI).read_text() == "on: push\n"
    assert (yard.repo / "free.txt").read_text() == "x\n"
