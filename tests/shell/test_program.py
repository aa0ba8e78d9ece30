"""Whose output a shell call's output is: the first word that matters."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.compile.policies import output_bound
from guards.shell.program import every, first

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = output_bound.names(tomllib.loads((ROOT / "policy/output-bound.toml").read_text(encoding="utf-8")) | {
    "wrapper": [
        {"through": [], "values": [], "operands": 0, **row}
        for row in tomllib.loads((ROOT / "policy/output-bound.toml").read_text(encoding="utf-8"))["wrapper"]
    ]
})  # fmt: skip

FIRST = [
    # as it stands
    ("cat big", "cat", "big"),
    ("ls", "ls", ""),
    ("/usr/bin/git log", "git", "log"),
    ("./gradlew build", "gradlew", "build"),
    ("git -C /srv log --oneline", "git", "log"),
    ("git --no-pager diff", "git", "diff"),
    ("\\ls -la", "ls", ""),
    ("'my tool' x", "my tool", "x"),
    ('"cat" big', "cat", "big"),
    ("cat>f", "cat", ""),
    # what stands before it
    ("cd /srv && cat big", "cat", "big"),
    ("cd /srv; cd sub\nbun test", "bun", "test"),
    ("cd /a &&\\\n  rg foo", "rg", "foo"),
    ("# a note\ncat x", "cat", "x"),
    ("echo '== one'; cat big", "cat", "big"),
    ("mkdir -p out && make", "make", ""),
    ("FOO=1 BAR=$(date) make -j4", "make", ""),
    ("X=$(cat big)\ngrep y f", "grep", "y"),
    ("2>&1 make", "make", ""),
    (">out make", "make", ""),
    ("cd x <<EOF\nls\nEOF\ngrep y", "grep", "y"),
    ("cd x <<-'E O'\n\tls\n\tE O\ngrep y", "grep", "y"),
    # nothing else follows
    ("cd x", "cd", "x"),
    ("cd x && export A=1", "cd", "x"),
    ("echo hi", "echo", "hi"),
    # wrappers and rewriters
    ("rtk git status", "git", "status"),
    ("sudo -u bob timeout -k 5 30 pytest -q tests", "pytest", "tests"),
    ("env A=b C=d make", "make", ""),
    ("time -p make", "make", ""),
    ("nohup nice -n 10 make &", "make", ""),
    ("uv run --with x pytest", "pytest", ""),
    ("uv pip list", "uv", "pip"),
    ("python3 -m pytest tests", "pytest", "tests"),
    ("python3 -X dev -m http.server", "http.server", ""),
    ("python3 x.py", "python3", "x.py"),
    ("python3 - <<'E'\nprint(1)\nE", "python3", ""),
    ("npx -p x tsc", "tsc", ""),
    ("npm run build", "npm", "run"),
    ("sudo", "sudo", ""),
    ("timeout 5", "timeout", "5"),
    ("bash -lc 'cd a && npm test'", "npm", "test"),
    ('sh -c "cat big"', "cat", "big"),
    ("bash -c \"bash -c 'rg x'\"", "rg", "x"),
    ("bash script.sh", "bash", "script.sh"),
    ("bash -x script.sh", "bash", "script.sh"),
    # compounds
    ("(cd a; ls -la)", "ls", ""),
    ("{ ls; }", "ls", ""),
    ("! grep x y", "grep", "x"),
    ("for i in 1 2; do cat $i; done", "cat", ""),
    ("if test -f x; then cat x; fi", "cat", "x"),
    ("while read l; do jq . $l; done < f", "jq", "."),
    ("case $x in a) ls;; esac", "ls", ""),
    ("make 2>&1 | tail", "make", ""),
    ("&& x", "x", ""),
    # not plain text
    ("$CMD foo", "", ""),
    ('"$X"/bin/tool', "", ""),
    ("`which cat` big", "", ""),
    ("", "", ""),
    ("   \n", "", ""),
    ("# nothing", "", ""),
    ("A=1", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("command", "name", "operand"), FIRST)
def test_the_first_word_that_matters(command: str, name: str, operand: str) -> None:
    assert first(command, NAMES) == (name, operand)


EVERY = [
    ("cat x | grep y", ["cat"]),
    ("a || grep y; b && c", ["a", "grep", "b", "c"]),
    ("ps |\n grep x", ["ps"]),
    ("a |& b", ["a"]),
    ("cd x && rg foo | head; find .", ["cd", "rg", "find"]),
    ("(a | b) && c & d", ["a", "c", "d"]),
]


@pytest.mark.parametrize(("command", "names"), EVERY)
def test_every_program_but_those_that_read_a_pipe(command: str, names: list[str]) -> None:
    assert [name for name, _ in every(command, NAMES)] == names


@given(st.text(alphabet="ab -=$`'\"\\(){};&|<>#\n\tE", max_size=60))
def test_no_text_breaks_it(command: str) -> None:
    first(command, NAMES)
    every(command, NAMES)


def test_a_long_command_is_read_at_its_front_only() -> None:
    assert first("cat big " + "x " * 1_000_000, NAMES) == ("cat", "big")
    assert first("bash -c '" + "bash -c " * 100_000, NAMES)[0]
