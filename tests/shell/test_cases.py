"""Every recorded command gets the verdict its real effect deserves; and (slow) its real effect is what was recorded."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell import cases
from tests.shell.cases import Case
from tests.shell.ground import Ground, build, held, run

ALL = cases.read()
PORT = "8765"  # in the records; the served port takes its place
# programs that not every machine has: the first word of a command, or one it starts
EXTRA = (
    "gawk", "busybox", "zsh", "ksh", "ruby", "php", "lua5.4", "tclsh", "sponge", "chronic", "parallel", "7z",
    "bsdtar", "rsync", "setfacl", "setfattr", "sqlite3", "vim", "ed", "node", "npm", "xxd", "cpio", "patch", "zip",
    "unzip", "curl", "wget", "tmux", "screen", "interdiff", "lsdiff", "bc", "m4", "jq", "sudo", "flock", "script",
    "xz", "bzip2", "ex", "rg", "gdb", "cpp", "run-parts", "make", "pip",
)  # fmt: skip


def test_there_are_cases_of_every_kind_both_ways() -> None:
    kinds = {case.kind for case in ALL}
    assert len(kinds) >= 10
    assert sum(case.refused for case in ALL) > 300
    assert sum(not case.refused for case in ALL) > 300


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_command_gets_the_verdict_its_effect_deserves(ground: Ground, case: Case) -> None:
    said = ground.judge(case.command.replace("@B@", str(ground.base)), case.cwd)
    told = [f"{v.guard}: {v.path}" for v in said]
    assert bool(said) is case.refused, f"{case.command}\n{told}\n{ground.walk(case.command, case.cwd).effects}"


def test_few_harmless_commands_are_refused_and_each_is_known(ground: Ground) -> None:
    """One in a hundred at most, but for those where caution is meant and noted."""
    everyday = [case for case in ALL if case.kind == "everyday"]
    assert len(everyday) > 150
    assert not [case.command for case in everyday if case.refused]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    for name in ("ci.yml", "live.conf", "door.py", "new.yml", "keys.yaml", "x.sql"):
        (folder / name).write_text(f"from elsewhere: {name}\n")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *args: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield str(server.server_address[1])
    server.shutdown()
    thread.join(5)
    server.server_close()


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(an untouched world, where its copies are run)"""
    folder = tmp_path_factory.mktemp("real").resolve()
    build(folder / "work")
    subprocess.run(["cp", "-a", str(folder / "work"), str(folder / "pristine")], check=True)
    return folder / "pristine", folder / "work"


def lacking(command: str) -> list[str]:
    words = set(command.replace("|", " ").replace("(", " ").replace(";", " ").split())
    return [name for name in EXTRA if name in words and shutil.which(name) is None]


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted({case.kind for case in ALL if case.kind != "everyday"}))
def test_a_recorded_command_really_does_what_is_recorded(
    pristine: tuple[Path, Path], port: str, kind: str, request: pytest.FixtureRequest
) -> None:
    untouched, base = pristine
    wrong, left = [], []
    for case in [case for case in ALL if case.kind == kind]:
        if lacking(case.command):
            left.append((str(case), lacking(case.command)))
            continue
        command = case.command.replace(PORT, port).replace("@B@", str(base))
        command = command.replace("@R@", str(base / "repo")).replace("@H@", str(base / "home"))
        command = command.replace("@X@", str(base / "ext"))
        changed = run(untouched, base, command, case.cwd.replace("@R@", str(base / "repo")))
        if bool(held(changed)) is not case.changes:
            wrong.append((str(case), case.command, held(changed)))
    assert not wrong
    if left:
        pytest.skip(f"programs that are not here: {left}")
