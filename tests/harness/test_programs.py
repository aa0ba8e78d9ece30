"""What the hooks stand on, seen in the real programs without any guard: a hand-made hook per test.

When one of these fails after a new version of a program, the wired command or the adapter rests on something
that no longer holds.
"""

import json
import os

import pytest

from . import drive
from .forms import Call, Json, Turn
from .model import turn
from .runs import Keep, Run

pytestmark = pytest.mark.real

REFUSE = "cat >/dev/null; echo 'not this file' >&2; exit 2"
PATCH = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch\n"


class Place:
    """A home and a project, with one hook wired by hand in the harness's own form."""

    FILES = {
        "claude": ".claude/settings.json",
        "codex": ".codex/hooks.json",
        "gemini": ".gemini/settings.json",
    }
    TOOL = {"claude": "PreToolUse", "codex": "PreToolUse", "gemini": "BeforeTool"}

    def __init__(self, base: str, keep: Keep) -> None:
        self.home, self.project = os.path.join(base, "home"), os.path.join(base, "project")
        self.keep = keep
        os.makedirs(self.home)
        os.makedirs(self.project)

    def wire(self, harness: str, event: str, command: str) -> None:
        path = os.path.join(self.home, self.FILES[harness])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        settings: Json = drive.GEMINI_SETTINGS if harness == "gemini" else {}
        entry = {"type": "command", "command": command, "timeout": 10000 if harness == "gemini" else 10}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**settings, "hooks": {event: [{"hooks": [entry]}]}}, file)

    def run(self, harness: str, *script: Turn) -> Run:
        start = drive.Start(self.home, self.project)
        if harness == "claude":
            return self.keep(drive.claude(start, script))
        return self.keep((drive.codex if harness == "codex" else drive.gemini)(start, script))

    def file(self, name: str = "a.txt") -> str:
        return os.path.join(self.project, name)

    def write(self, harness: str) -> Turn:
        """The call that makes a file in this harness."""
        if harness == "codex":
            return turn(Call("apply_patch", PATCH))
        name = {"claude": "Write", "gemini": "write_file"}[harness]
        return turn(Call(name, {"file_path": self.file(), "content": "hello\n"}))


@pytest.fixture
def place(tmp_path: object, keep: Keep) -> Place:
    return Place(str(tmp_path), keep)


HARNESSES = pytest.mark.parametrize("harness", ["claude", "codex", "gemini"])


@HARNESSES
def test_exit_2_with_a_reason_stops_the_call_and_reaches_the_model(place: Place, harness: str) -> None:
    place.wire(harness, place.TOOL[harness], REFUSE)
    run = place.run(harness, place.write(harness))
    assert run.code == 0
    assert not os.path.exists(place.file())
    assert "not this file" in run.results()[0]


@HARNESSES
def test_a_silent_hook_leaves_the_call_alone(place: Place, harness: str) -> None:
    place.wire(harness, place.TOOL[harness], "cat >/dev/null")
    run = place.run(harness, place.write(harness))
    assert run.code == 0
    assert os.path.exists(place.file())
