"""The wired command line on its own: whatever is missing or dies, before-tool refuses with a way out, and an
ordinary answer is not touched."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from guards.wiring import place

SHELLS = ("/bin/sh", "/bin/bash")
SENTENCE = "make unwire"


class Bench:
    """An install folder whose `py` is a script of ours that may do anything."""

    def __init__(self, folder: Path) -> None:
        self.install = folder / "in stall"
        (self.install / "code").mkdir(parents=True)
        self.hook = self.install / "code/hook.py"
        self.hook.write_text("pass\n")
        self.py = self.install / "py"
        self.interpreter("exit 0")

    def interpreter(self, body: str) -> None:
        self.py.unlink(missing_ok=True)
        self.py.write_text(f"#!/bin/sh\n{body}\n")
        self.py.chmod(0o755)

    def run(self, shell: str, event: str = "before-tool") -> subprocess.CompletedProcess[str]:
        line = place.command(str(self.install), "claude", event, "/home/o/my guards")
        return subprocess.run([shell, "-c", line], capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_refusal_reaches_the_harness_as_it_is(bench: Bench, shell: str) -> None:
    bench.interpreter("echo 'no: lane ci' >&2; exit 2")
    done = bench.run(shell)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "no: lane ci\n")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("event", ["before-tool", "prompt", "stop", "after-tool"])
def test_silence_stays_silence(bench: Bench, shell: str, event: str) -> None:
    done = bench.run(shell, event)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("event", ["before-tool", "prompt"])
def test_a_document_reaches_the_harness_as_it_is(bench: Bench, shell: str, event: str) -> None:
    bench.interpreter('printf \'{"decision":"block"}\'')
    done = bench.run(shell, event)
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"decision":"block"}', "")


def _no_interpreter(bench: Bench) -> None:
    bench.py.unlink()


def _dangling_interpreter(bench: Bench) -> None:
    bench.py.unlink()
    bench.py.symlink_to("/nowhere/python3")


def _not_executable(bench: Bench) -> None:
    bench.py.unlink()
    bench.py.write_text("#!/bin/sh\n")


def _no_install_folder(bench: Bench) -> None:
    bench.install.rename(bench.install.parent / "gone")


def _real_python(bench: Bench) -> None:
    bench.py.unlink()
    bench.py.symlink_to(os.path.realpath("/proc/self/exe"))


def _no_script(bench: Bench) -> None:
    _real_python(bench)
    bench.hook.unlink()


def _empty_script(bench: Bench) -> None:
    """What a full disk or a power cut leaves: Python runs it and ends with 0."""
    _real_python(bench)
    bench.hook.write_text("")


def _conflict(bench: Bench) -> None:
    _real_python(bench)
    bench.hook.write_text("<<<<<<< HEAD\nimport sys\n")


def _folder_for_script(bench: Bench) -> None:
    _real_python(bench)
    bench.hook.unlink()
    bench.hook.mkdir()


def _exit_1(bench: Bench) -> None:
    bench.interpreter("exit 1")


def _killed(bench: Bench) -> None:
    bench.interpreter("kill -9 $$")


def _clock(bench: Bench) -> None:
    bench.interpreter("kill -27 $$")


def _segfault(bench: Bench) -> None:
    bench.interpreter("kill -11 $$")


BREAKS = [
    _no_interpreter, _dangling_interpreter, _not_executable, _no_install_folder, _no_script, _empty_script, _conflict,
    _folder_for_script, _exit_1, _killed, _clock, _segfault,
]  # fmt: skip


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("broken", BREAKS)
def test_what_did_not_judge_refuses_and_names_the_way_out(bench: Bench, shell: str, broken: object) -> None:
    broken(bench)  # type: ignore[operator]
    done = bench.run(shell)
    assert done.returncode == 2
    assert SENTENCE in done.stderr
    assert "/home/o/my guards" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("broken", BREAKS)
@pytest.mark.parametrize("event", ["prompt", "stop", "session-start"])
def test_elsewhere_what_did_not_judge_lets_the_owner_go_on(
    bench: Bench, shell: str, broken: object, event: str
) -> None:
    broken(bench)  # type: ignore[operator]
    done = bench.run(shell, event)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_script_that_cannot_be_read_refuses(bench: Bench) -> None:
    _real_python(bench)
    bench.hook.chmod(0)
    done = bench.run("/bin/sh")
    assert done.returncode == 2
    assert done.stderr.strip()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_script_that_another_user_cannot_read_refuses(bench: Bench) -> None:
    bench.hook.chmod(0)
    line = place.command(str(bench.install), "claude", "before-tool", "/home/o/guards")
    for folder in [bench.install, *bench.install.parents][:-2]:
        folder.chmod(folder.stat().st_mode | 0o055)
    bench.interpreter('python3 -IS "$2" || exit 2')
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, user=65534, check=False)
    assert done.returncode == 2
    assert done.stderr.strip()


def test_the_line_is_one_short_line_that_ends_in_the_marker(tmp_path: Path) -> None:
    line = place.command("/home/o/.local/share/guards", "claude", "before-tool", "/home/o/guards")
    assert "\n" not in line
    assert len(line) < 400
    assert line.startswith(
        "/home/o/.local/share/guards/py -IS /home/o/.local/share/guards/code/hook.py claude before-tool"
    )
    assert line.endswith("|| exit 2  # guards:managed")
    assert "'" not in line.replace(line[line.index("echo '") :], "")


@pytest.mark.parametrize("name", ["a b", "it's", 'q"q', "$HOME", "jürgen", "a;b", "back`tick"])
def test_any_home_is_quoted_so_that_the_line_runs(tmp_path: Path, name: str) -> None:
    bench = Bench(tmp_path / name)
    bench.interpreter('printf %s "$2"')
    for shell in SHELLS:
        assert bench.run(shell).stdout == str(bench.hook)
