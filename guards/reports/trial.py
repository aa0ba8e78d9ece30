"""`make try`: recorded events of the real harnesses, judged in a throwaway home. Touches nothing else.

Each event goes to the very command line that `guards install` would wire, started the way its harness starts it. Then
the same calls again, aimed at paths that only the owner changes.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rich.console import Console
from rich.table import Table

from guards.compile.build import rebuild
from guards.reports.here import CHECKOUT
from guards.wiring import place
from guards.wiring.fire import judge
from guards.wiring.starter import start

PAYLOADS = CHECKOUT / "tests/payloads"
RECORDED_HOME = "/home/owner"
# how each program starts a hook: its shell, and what the three streams are
STARTS: dict[str, Any] = {
    "claude": SimpleNamespace(SHELL="/bin/sh", STREAMS="socket"),
    "codex": SimpleNamespace(SHELL="/bin/bash", STREAMS="pipe"),
    "gemini": SimpleNamespace(SHELL="/bin/bash", STREAMS="socket"),
}


@dataclass(frozen=True)
class Trial:
    """A recorded event (harness/file), the words for it, what is changed in it, and whether it must be refused."""

    recorded: str
    event: str
    what: str
    change: dict[str, str]
    refused: bool


CI = ".github/workflows/ci.yml"
TRIALS = (
    Trial("claude/SessionStart--none--startup", "session-start", "a session starts", {}, False),
    Trial("claude/UserPromptSubmit--none--print-mode", "prompt", "a prompt", {}, False),
    Trial("claude/PreToolUse--Write--create", "before-tool", "writes hello.py", {}, False),
    Trial("claude/PreToolUse--Edit--basic", "before-tool", "edits hello.py", {}, False),
    Trial("claude/PreToolUse--Bash--parallel", "before-tool", "an ordinary command", {}, False),
    Trial("claude/PostToolUse--Bash--stdout-and-stderr", "after-tool", "a command's output", {}, False),
    Trial("codex/PreToolUse--apply_patch--add-file", "before-tool", "a patch adds a file", {}, False),
    Trial("gemini/BeforeTool--write_file--basic", "before-tool", "writes hello.py", {}, False),
    Trial("claude/PreToolUse--Write--create", "before-tool", f"writes {CI}", {"file_path": CI}, True),
    Trial("claude/PreToolUse--Edit--basic", "before-tool", "edits its own settings", {"file_path": "~"}, True),
    Trial("claude/PreToolUse--Bash--parallel", "before-tool", f"cd .github; sed -i {CI}", {"command": "sed"}, True),
    Trial("codex/PreToolUse--apply_patch--add-file", "before-tool", f"a patch adds {CI}", {"command": "patch"}, True),
    Trial("gemini/BeforeTool--write_file--basic", "before-tool", f"writes {CI}", {"file_path": CI}, True),
)
COMMANDS = {
    "sed": "cd .github/workflows && sed -i 's/on: push/on: never/' ci.yml",
    "patch": f"*** Begin Patch\n*** Add File: {CI}\n+on: push\n*** End Patch\n",
}


def main() -> int:
    """Prints the table; 1 when a verdict is not the expected one."""
    with tempfile.TemporaryDirectory(prefix="guards-try.") as folder:
        base = os.path.realpath(folder)
        places = _home(base)
        if rebuild(places) is None:
            print("the bundled policy does not compile; run guards check", file=sys.stderr)
            return 2
        wrong = _show(base, places)
    print("\nnothing outside that throwaway home was touched. next: make test, then make install")
    return 1 if wrong else 0


def _home(base: str) -> dict[str, str]:
    home, project = f"{base}/home", f"{base}/home/project"
    for path, text in ((CI, "on: push\n"), ("hello.py", "print('hello')\nx = 1\n"), (".git/HEAD", "ref: x\n")):
        Path(project, path).parent.mkdir(parents=True, exist_ok=True)
        Path(project, path).write_text(text, encoding="utf-8")
    return place.lay(
        f"{home}/.local/share/guards",
        home=home,
        checkout=str(CHECKOUT),
        config=f"{home}/.config/guards",
        state=f"{home}/.local/state/guards",
        python=sys.executable,
    )


def _show(base: str, places: dict[str, str]) -> int:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("harness", "event", "call", "verdict", "ms"):
        table.add_column(name, justify="right" if name == "ms" else "left", no_wrap=name != "call")
    picture, wrong = "", 0
    for trial in TRIALS:
        harness = trial.recorded.partition("/")[0]
        line = place.command(places["install"], harness, trial.event)
        env = {"HOME": places["home"], "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        answer = start(STARTS[harness], line, _payload(base, trial), 30.0, f"{base}/home/project", env)
        verdict, _ = judge(answer)
        good = (verdict == "deny") is trial.refused
        wrong += not good
        shown = {"deny": "[red]refused[/red]", "pass": "silent"}.get(verdict, verdict)
        shown = shown if good else f"{verdict}, unexpected"
        table.add_row(harness, trial.event, trial.what, shown, f"{answer.milliseconds:.0f}")
        if trial.refused and not picture:
            picture = answer.err.decode("utf-8", "replace").replace(base + "/home", "~")
    console = Console()
    console.print(table)
    console.print("\n[bold]what the model is shown for the first refusal:[/bold]\n")
    console.print(picture.strip(), markup=False, highlight=False)
    return wrong


def _payload(base: str, trial: Trial) -> bytes:
    raw = (PAYLOADS / f"{trial.recorded}.json").read_text(encoding="utf-8")
    payload: dict[str, Any] = json.loads(raw.replace(RECORDED_HOME, f"{base}/home"))
    payload["session_id"] = "guards-try"
    for field, value in trial.change.items():
        known = {"~": f"{base}/home/.claude/settings.json", **COMMANDS}
        payload["tool_input"][field] = known.get(value, value)
    return json.dumps(payload).encode()


if __name__ == "__main__":
    sys.exit(main())
