"""`false && x` never runs x, nor does `true || x`: where the status is a word of the text that nothing could change."""

from __future__ import annotations

import pytest

from tests.shell.said import argv, steps

NEVER = ["false && c x", "true || c x", ": || c x", "false && true && c x", "true || false || c x"]
RUNS = [
    "true && c x",
    "false || c x",
    "false && true || c x",
    "alias false=true\nfalse && c x",
    "false() { true; }; false && c x",
    "grep -q a f && c x",
    "grep -q a f || c x",
    "! false && c x",
]


@pytest.mark.parametrize("text", NEVER)
def test_what_hangs_on_a_constant_that_says_no_is_not_read_as_run(text: str) -> None:
    assert ["c", "x"] not in argv(text)


@pytest.mark.parametrize("text", RUNS)
def test_what_may_run_is_read(text: str) -> None:
    assert ["c", "x"] in argv(text)


@pytest.mark.parametrize("text", ["sh -c 'c \"$0\"' x", "bash -c 'c $0 $1' x y"])
def test_the_word_behind_the_text_of_a_shell_is_its_zeroth_parameter(text: str) -> None:
    inner = 'c "$0"' if "sh -c 'c \"" in text else "c $0 $1"
    given = ["x"] if inner.startswith('c "') else ["x", "y"]
    assert argv(inner, args=given) == [["c", *given]]


def test_without_a_caller_the_zeroth_parameter_is_not_known() -> None:
    (step,) = steps('c "$0"')
    assert step.argv[1].text is None
