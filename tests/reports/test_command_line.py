"""The command line as a newcomer meets it: its version, its help, and the words it does not know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from guards.cli import COMMANDS
from tests.reports.verbs import ROOT, env


def guards(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "guards.cli", *words]
    return subprocess.run(
        argv, cwd=home, env=env(home), input="{}", capture_output=True, text=True, timeout=60, check=False
    )


def test_the_version_and_the_checkout_are_said(tmp_path: Path) -> None:
    done = guards(tmp_path, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("guards 0.")
    assert str(ROOT) in done.stdout


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_every_verb_has_an_example(tmp_path: Path, verb: str) -> None:
    done = guards(tmp_path, verb, "--help")
    assert done.returncode == 0
    assert f"Example: guards {verb}" in done.stdout or f"| guards {verb}" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["claude", "frob"], "no event is called 'frob'; say one of before-tool, "),
        (["clod", "before-tool"], "no harness is called 'clod'; say one of claude, codex"),
    ],
)
def test_run_names_the_words_it_knows(tmp_path: Path, words: list[str], said: str) -> None:
    done = guards(tmp_path, "run", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
