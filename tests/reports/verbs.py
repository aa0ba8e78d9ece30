"""Runs one verb of the command line on a home of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = """
import sys
from guards import cli
verb, module = sys.argv[1:3]
cli.COMMANDS[verb] = module
sys.argv[1:] = [verb, *sys.argv[3:]]
cli.main()
"""


def argv(verb: str, *words: str) -> list[str]:
    return [sys.executable, "-c", CODE, verb, f"guards.reports.{verb}:command", *words]


def env(home: Path, **more: str) -> dict[str, str]:
    path = f"{home}/bin:/usr/local/bin:/usr/bin:/bin"
    return {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "COLUMNS": "200", **more}


def run(home: Path, verb: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv(verb, *words),
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env=env(home, **more),
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
