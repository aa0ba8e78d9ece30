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


TRIES = (
    ("explain", "--path", "x"), ("explain", "ls"), ("check",), ("approvals", "audit"), ("wiring",), ("doctor",),
    ("status",), ("fire",), ("log",), ("burn",), ("context",), ("rules", "check"), ("replay", "."),
    ("exec", "--", "true"), ("reconcile",), ("install", "--yes"),
)  # fmt: skip


@pytest.mark.parametrize("words", TRIES, ids=" ".join)
def test_no_verb_answers_a_policy_that_never_compiled_with_a_traceback(tmp_path: Path, words: tuple[str, ...]) -> None:
    policy = tmp_path / ".config/guards/policy"
    policy.mkdir(parents=True)
    (policy / "output-bound.toml").write_text("nope = 1\n")
    done = guards(tmp_path, *words)
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode in (0, 1, 2)
