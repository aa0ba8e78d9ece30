"""The recorded commands of tests/shell/cases, each run for real: inside the fence no lane changes, whatever the command
is; and one that changes no lane outside does inside what it does outside, to every file and with the same ending.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine import Machine
from tests.shell import cases
from tests.shell.cases import Case
from tests.shell.ground import LANES, build, environment, held, snapshot

ALL = cases.read()
SOME = 3  # of each kind by default; `make fuzz` takes all
# these would ask other machines
FAR = frozenset(("npm", "npx", "yarn", "pnpm", "docker", "gh", "cargo", "ssh", "curl", "wget", "pip", "push", "fetch"))
# a rename across a folder in which a lane lies (HOOKS.md); a change of a lane that is taken back; numbers of files and
# halves of seconds in archives
OTHERWISE = ("git mv conf/app.yaml src/", "set -f; touch ops/*", "cpio -o", "zipapp")
OUTSIDE_TOO = "home/.local"  # what guards keep for themselves


@dataclass(frozen=True)
class Field:
    """A world with guards installed in its home, a copy of it as it was, and a server."""

    base: Path
    pristine: Path
    machine: Machine
    port: str

    def run(self, case: Case, *, fenced: bool) -> tuple[int, list[str]]:
        """(exit code, what changed) of the command in a fresh copy; the copy lies where the first did."""
        shutil.rmtree(self.base)
        subprocess.run(["cp", "-a", str(self.pristine), str(self.base)], check=True)
        command, cwd = case.placed(self.base, self.port)
        install = self.machine.install
        prefix = [str(install / "py"), "-IS", str(install / "code/fence/prefix.py"), "--"] if fenced else []
        before = snapshot(self.base)
        with subprocess.Popen(
            [*prefix, "bash", "-c", command], cwd=cwd, env=environment(self.base / "home"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        ) as child:  # fmt: skip
            try:
                code = child.wait(20)
            except subprocess.TimeoutExpired:  # it tries until it may write
                os.killpg(child.pid, signal.SIGKILL)
                code = child.wait()
        after = snapshot(self.base)
        names = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        return code, [path for path in names if not path.startswith(OUTSIDE_TOO)]

    def content(self, changed: list[str]) -> dict[str, bytes | str]:
        """What the changed paths hold."""
        found: dict[str, bytes | str] = {}
        for name in changed:
            path = self.base / name
            if path.is_symlink() or not path.is_file():
                found[name] = str(path.readlink()) if path.is_symlink() else "folder" if path.is_dir() else "gone"
            else:
                found[name] = path.read_bytes()
        return found

    def fault(self, case: Case) -> str:
        """What the fence let happen, or kept from happening; "" when it is as it should be."""
        code, inside = self.seen(case, fenced=True)
        if code == 126 or held(list(inside)):
            return f"{case}: {case.command!r} ended with {code} and changed {held(list(inside))}"
        if case.changes or any(text in case.command for text in OTHERWISE):
            return ""
        outside = self.seen(case, fenced=False)
        if outside == (code, inside):
            return ""
        time.sleep(1.1)  # archives hold whole seconds
        again = self.seen(case, fenced=False)
        same = outside[1].items() & again[1].items()  # the rest is made up anew each time: a time, a number, a name
        differ = sorted(name for name, what in same if inside.get(name) != what)
        if differ or outside[0] != code:
            return f"{case}: {case.command!r} ended with {code}, outside {outside[0]}; {differ} differ"
        return ""

    def seen(self, case: Case, *, fenced: bool) -> tuple[int, dict[str, bytes | str]]:
        """(exit code, what the changed paths hold then)."""
        code, changed = self.run(case, fenced=fenced)
        return code, self.content(changed)


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory, fenceable: None) -> Iterator[Field]:
    folder = tmp_path_factory.mktemp("recorded").resolve()
    build(folder / "work")
    machine = Machine(folder / "work")
    machine.policy("human-lane", LANES)
    machine.compile()
    subprocess.run(["cp", "-a", str(folder / "work"), str(folder / "pristine")], check=True)
    (folder / "served").mkdir()
    with contextlib.chdir(folder), cases.served(folder / "served") as port:
        yield Field(folder / "work", folder / "pristine", machine, port)


def run(field: Field, some: list[Case]) -> None:
    here = [case for case in some if not case.lacks() and (cases.PORT in case.command or FAR.isdisjoint(_words(case)))]
    faults = [fault for case in here if (fault := field.fault(case))]
    assert not faults, "\n".join(faults)


def test_some_recorded_commands_of_every_kind_change_no_lane_and_else_what_they_change_outside(field: Field) -> None:
    some = [case for kind in sorted({case.kind for case in ALL}) for case in _of(kind)[1 :: len(_of(kind)) // SOME]]
    assert len({case.kind for case in some}) >= 10
    assert sum(case.changes for case in some) > 10
    assert sum(not case.changes for case in some) > 10
    run(field, some)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({case.kind for case in ALL}))
def test_every_recorded_command_changes_no_lane_and_else_what_it_changes_outside(field: Field, kind: str) -> None:
    run(field, _of(kind))


def _words(case: Case) -> list[str]:
    return case.command.replace("'", " ").replace('"', " ").replace("(", " ").replace(";", " ").split()


def _of(kind: str) -> list[Case]:
    return [case for case in ALL if case.kind == kind]
