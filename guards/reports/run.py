"""`guards run`: the hook by hand. One event from standard input, judged by the installed code, a throwaway state."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from guards.engine.event import MODES
from guards.reports import here
from guards.wiring import place
from guards.wiring.forms import FORMS


def command(
    harness: Annotated[str, typer.Argument(help="claude, codex, gemini, cursor or copilot")],
    event: Annotated[str, typer.Argument(help="before-tool, after-tool, prompt, session-start, …")],
    guard: Annotated[str, typer.Argument(help="one guard alone; all of the event's by default")] = "",
) -> None:
    """The hook by hand: prints exactly what the harness would get, and exits as the hook does.

    Example: echo '{"tool_name":"Write","tool_input":{"file_path":".github/x"},"cwd":"/src/p"}' | guards run claude
    before-tool
    """
    _known("harness", harness, FORMS)
    _known("event", event, MODES)
    record = here.places()
    base = tempfile.mkdtemp(prefix="guards-run.")
    try:
        lay(record, Path(base))
        line = [
            f"{base}/install/py",
            "-IS",
            f"{base}/install/code/hook.py",
            harness,
            event,
            *([guard] if guard else []),
        ]
        done = subprocess.run(line, check=False, stdin=sys.stdin)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    raise typer.Exit(done.returncode)


def _known(what: str, word: str, words: Iterable[str]) -> None:
    """Raises ValueError for a word that a hook would not understand, with those that it does."""
    if word not in words:
        raise ValueError(f"no {what} is called {word!r}; say one of {', '.join(words)}")


def lay(record: dict[str, str], base: Path) -> dict[str, str]:
    """An install folder beside the real one: same code, policy and approvals, a state of its own."""
    real = place.read(record["install"])
    config = Path(record["machine"]).parent
    made = place.lay(
        str(base / "install"),
        home=record["home"],
        checkout=record["checkout"],
        config=str(base / "config"),
        state=str(base / "state"),
        python=(real or {}).get("python") or sys.executable,
    )
    made.update(machine=record["machine"], approvals=record["approvals"], policy=record["policy"])
    if not config.exists():
        made["machine"] = str(base / "config/policy")
    import json

    place.write_whole(str(base / "install/places"), json.dumps(made) + "\n", 0o644)
    return made
