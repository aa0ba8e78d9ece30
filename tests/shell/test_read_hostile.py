"""Hostile texts end in a defined outcome in time: read to the end where that is honest, else unreadable and why."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from guards.shell import read
from tests.shell.said import argv, reading

if TYPE_CHECKING:
    from guards.shell.steps import Reading

M = 1_000_000
LIMIT = 2.0  # seconds of CPU time for one text

# each ends in a write that must not be missed
READ_TO_THE_END = {
    "250,000 words": "echo " + "abc " * (M // 4) + "> f",
    "a quoted megabyte": "echo '" + "x" * M + "' > f",
    "a megabyte between double quotes": 'echo "' + "x y $HOME " * (M // 11) + '" > f',
    "100,000 words": "rm " + " ".join(f"w{i}" for i in range(100_000)) + " > f",
    "a here-document of a megabyte": "cat <<'E'\n" + "line\n" * (M // 5) + "E\necho > f",
    "a live here-document of a megabyte": "cat <<E\n" + "li $HOME\n" * (M // 9) + "E\necho > f",
    "20,000 here-documents": "".join(f"cat <<E{i}\nx\nE{i}\n" for i in range(20_000)) + "> f",
    "50,000 stages": "a | " * 50_000 + "b > f",
    "20,000 commands": "echo x y;" * 20_000 + "echo z > f",
    "20,000 links of a list": "a && " * 20_000 + "b > f",
    "250,000 comments": "# x\n" * 250_000 + "echo > f",
    "100,000 lines that go on": "echo \\\n" * 100_000 + " > f",
    "a megabyte of blanks": " " * M + "echo > f",
    "a megabyte of newlines": "\n" * M + "echo > f",
    "30 substitutions in each other": "echo " + "$(echo " * 30 + "a" + ")" * 30 + " > f",
    "60 subshells in each other": "( " * 60 + "echo > f" + " )" * 60,
    "70 loops in each other": "while a; do " * 70 + "X=1; " + "done; " * 70 + "> f",
    "5,000 substitutions": "echo " + "$(echo a)" * 5_000 + " > f",
    "5,000 process substitutions": "cat " + "<(a) " * 5_000 + "> f",
    "20,000 branches": "case x in " + "a) b;; " * 20_000 + "esac > f",
    "50,000 assignments": " ".join(f"A{i}=1" for i in range(50_000)) + " c > f",
    "a sum of 100,000 numbers": "echo $((" + "1+" * 100_000 + "1)) > f",
    "a fork bomb": ":(){ :|:& };:\n> f",
    "six calls in six functions": "f() { f; f; f; f; f; f; }; f; > f",
    "a long pattern": "X=" + "a" * 4_000 + "; echo ${X##*a*a*a*a*b} ${X//a*a*b/c} > f",
    "carriage returns": "cd /tmp\r\necho x > f\r\n",
    "globs over everything": "echo " + "/*" * 20 + " > f",
}

UNREADABLE = {
    "a NUL": "a\0b > .github/ci.yml",
    "30 substitutions that are not closed": "$(" * 30 + " > .github/ci.yml",
    "400 substitutions": "echo " + "$(" * 400 + "a" + ")" * 400 + " > .github/ci.yml",
    "4,000 substitutions": "echo " + "$(" * 4_000 + "a" + ")" * 4_000 + " .github/ci.yml",
    "5 megabytes of quotes": '"' * 5 * M + " > .github/ci.yml",
    "an odd number of quotes": "'" * (M + 1) + " > .github/ci.yml",
    "100,000 parentheses": "(" * 100_000 + " .github/ci.yml",
    "100,000 braces": "{ " * 100_000 + " .github/ci.yml",
    "100,001 backticks": "`" * 100_001 + " .github/ci.yml",
    "5,000 expansions that are not closed": "${" * 5_000 + " .github/ci.yml",
    "5,000 sums that are not closed": "$((" * 5_000 + " .github/ci.yml",
    "50,000 braces of words": "echo " + "{a," * 50_000 + " .github/ci.yml",
    "a billion words of braces": "echo {1..1000000000} .github/ci.yml",
    "two to the thirtieth words of braces": "echo " + "{a,b}" * 30 + " .github/ci.yml",
    "a billion turns": "for i in {1..999}; do " * 3 + "rm .github/$i; " + "done; " * 3,
    "seven functions of ten calls each": "; ".join(
        f"{a}() {{ {(b + ';') * 10} }}" for a, b in zip("abcdefg", "bcdefgh", strict=True)
    )
    + "; h() { rm .github/ci.yml; }; a",
    "eval of itself": 'x=\'eval "$x"\'; eval "$x"; rm .github/ci.yml',
    "400 conditions in each other": "if a; then " * 400 + "rm .github/ci.yml; " + "fi; " * 400,
    "a variable that doubles": "A=aaaaaaaaaa;" + "A=$A$A$A$A$A$A$A$A$A$A;" * 12 + "rm .github/ci.yml",
    "20,000 exports": "; ".join(f"export A{i}=1" for i in range(20_000)) + "; rm .github/ci.yml",
    "3,000 directories that may not be there": "".join(f"cd d{i}; " for i in range(3_000)) + "rm .github/ci.yml",
}


def timed(text: str, reader: object = read.steps, limit: float = LIMIT) -> Reading:
    before = time.process_time()
    found = reading(text, reader=reader)
    assert time.process_time() - before < limit
    return found


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> float:
    """Less time for texts that use all they get; the limit that goes with it."""
    monkeypatch.setattr(read, "SECONDS", 0.3)
    return 0.3 + LIMIT - 1.4


def test_the_time_for_one_text_leaves_room_within_the_limit() -> None:
    assert read.SECONDS <= 1.4


@pytest.mark.parametrize("name", READ_TO_THE_END)
def test_a_long_or_deep_text_is_read_to_its_end(name: str) -> None:
    found = timed(READ_TO_THE_END[name])
    assert not found.unreadable
    assert "f" in [r.target.text for s in found.steps for r in s.redirects if r.target is not None]


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_says_why_and_which_paths_it_names(name: str, hasty: float) -> None:
    found = timed(UNREADABLE[name], limit=hasty)
    assert found.unreadable
    assert any(".github/" in word for word in found.mentions)


@pytest.mark.parametrize("name", [*READ_TO_THE_END, *UNREADABLE])
def test_the_second_reader_ends_in_time_too(name: str, hasty: float) -> None:
    timed({**READ_TO_THE_END, **UNREADABLE}[name], read.second, limit=hasty)


def test_a_text_that_takes_too_long_keeps_what_was_read() -> None:
    found = timed("rm first; for i in {1..999}; do for j in {1..999}; do for k in {1..999}; do rm x; done; done; done")
    assert found.unreadable == "it takes too long to read"
    assert [w.text for w in found.steps[0].argv] == ["rm", "first"]


def test_the_mentions_of_an_unreadable_text_are_its_words_without_quotes_and_operators() -> None:
    found = reading("cp \"a/b.txt\" >'.github/x y' $(z/q|w.r;`k/l`)\\ 'open")
    assert found.unreadable
    assert found.mentions == ("a/b.txt", ".github/x", "z/q", "w.r", "k/l")


def test_a_readable_text_has_no_mentions() -> None:
    assert reading("cp a/b c/d").mentions == ()


def test_an_empty_text_has_no_steps() -> None:
    for text in ("", " \n\t", "# only a comment", "\n# c\n\n", "\\\n"):
        assert argv(text) == []


def test_no_padding_pushes_a_path_out_of_the_mentions() -> None:
    found = timed("(" + " ".join(f"a/{i}" for i in range(50_000)) + " .github/ci.yml")
    assert found.unreadable
    assert found.mentions[-1] == ".github/ci.yml"
