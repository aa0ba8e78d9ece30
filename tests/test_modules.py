"""What a hook loads: module names, not times. A silent call loads a short list, whatever guards are there."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.machine import Machine, tool

NEVER = {
    "json", "re", "os", "typer", "tomllib", "platformdirs", "dataclasses", "pathlib", "subprocess", "logging", "typing",
    "enum", "functools", "collections", "regex", "bashlex", "ast", "site", "_sre", "unicodedata",
}  # fmt: skip
# interpreter start-up with -I -S on the supported versions, besides what begins with guards.
BARE = {
    "_io", "marshal", "posix", "_frozen_importlib_external", "time", "zipimport", "_codecs", "codecs",
    "encodings.aliases", "encodings", "encodings.utf_8", "_signal", "_abc", "abc", "io", "_winapi", "winreg", "nt",
    "_frozen_importlib", "_imp", "_thread", "_warnings", "_weakref", "linecache",
    "encodings.ascii",
}  # fmt: skip
ENGINE = {
    "guards.engine.door", "guards.engine.dispatch", "guards.engine.fill", "guards.engine.event",
    "guards.engine.loader",
    "guards.engine.state", "guards.engine.world", "guards.engine.input", "guards.engine.tables",
    "guards.engine.packages",
    "guards.harness.claude", "guards.harness.common", "_json", "gc",
}  # fmt: skip


def loaded(machine: Machine, event: str, payload: dict[str, Any]) -> set[str]:
    """Names of the modules that one call imported, as the interpreter reports them."""
    argv = [
        str(machine.install / "py"),
        "-X",
        "importtime",
        "-IS",
        str(machine.install / "code/hook.py"),
        "claude",
        event,
    ]
    machine.fire(event, payload)  # tables and compiled files are made by the first call
    done = subprocess.run(
        argv, input=json.dumps(payload), capture_output=True, text=True, check=False, env=machine.env()
    )
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    return names - {"imported package"}


@pytest.mark.parametrize("name", ["Write", "Edit", "NotebookEdit"])
def test_a_silent_write_loads_only_the_engine_and_the_lanes(machine: Machine, name: str) -> None:
    proj = machine.repo()
    given = {
        "file_path": "src/app.py",
        "notebook_path": "src/a.ipynb",
        "content": "x",
        "old_string": "",
        "new_string": "",
    }
    names = loaded(machine, "before-tool", tool(name, given, cwd=proj))
    assert not names & NEVER
    extra = names - BARE - ENGINE
    assert all(module.startswith(("guards.lanes", "guards.human_lane")) for module in extra), sorted(extra)


@pytest.mark.parametrize("name", ["Read", "Grep", "TodoWrite", "WebFetch"])
def test_a_call_that_no_guard_judges_loads_only_the_engine(machine: Machine, name: str) -> None:
    names = loaded(machine, "before-tool", tool(name, {"file_path": "/etc/hosts"}, cwd=machine.repo()))
    assert not names & NEVER
    assert not names - BARE - ENGINE, sorted(names - BARE - ENGINE)


def test_a_silent_shell_command_loads_no_regular_expressions(machine: Machine) -> None:
    names = loaded(machine, "before-tool", tool("Bash", {"command": "git status && ls | head -3"}, cwd=machine.repo()))
    assert not names & NEVER, sorted(names & NEVER)
