"""A fenced command is the process it would have been: ids, signals, streams, environment, terminal, ending."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fence.conftest import Yard

# what the process says of itself; dates and its own numbers left out
SELF = """
import os, signal, resource, sys
print(sorted((k, v) for k, v in os.environb.items()))
print(os.getcwd(), os.umask(0o22), os.getpriority(os.PRIO_PROCESS, 0), os.getuid(), os.getgid(), sorted(os.getgroups()))
print([resource.getrlimit(n) for n in (resource.RLIMIT_NOFILE, resource.RLIMIT_CORE, resource.RLIMIT_STACK)])
print(sorted(int(n) for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n)))
print([line for line in open('/proc/self/status') if line.startswith('Sig') and 'SigQ' not in line])
"""


def popen(yard: Yard, *text: str, session: bool = False) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        yard.argv(*text), cwd=yard.repo, env=yard.machine.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=session,
    )  # fmt: skip


def test_a_program_finds_itself_as_it_would_outside(yard: Yard) -> None:
    odd = {"FOO.BAR": "1", "BASH_FUNC_f%%": "() { echo hi; }", "EMPTY": "", "UMLAUT": "ä\n"}
    env = {key: value for key, value in yard.machine.env(**odd).items() if key != "LANG"}
    both = [
        subprocess.run(argv, cwd=yard.repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
        for argv in ([sys.executable, "-c", SELF], yard.argv(sys.executable, "-c", SELF))
    ]
    assert both[1].decode() == both[0].decode()


def test_the_shell_has_the_process_id_the_parent_and_the_group_of_the_prefix(yard: Yard) -> None:
    text = "echo $$ $PPID $(ps -o pgid=,sid= -p $$); sleep 0.2; ps -o pid=,comm= --ppid $$"
    child = popen(yard, text, session=True)
    out = child.communicate(timeout=30)[0].decode().split("\n")
    pid = str(child.pid)
    assert out[0].split() == [pid, str(os.getpid()), pid, pid]
    assert [line.split()[1] for line in out[1:] if line.strip()] == ["ps"]  # nothing of the fence is left below it


@pytest.mark.parametrize("code", [0, 1, 7, 126, 127, 137, 255])
def test_exit_codes_come_through(yard: Yard, code: int) -> None:
    assert yard.fenced(f"exit {code}").code == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGPIPE, signal.SIGSEGV])
def test_a_signal_that_ends_it_is_seen_as_one(yard: Yard, number: signal.Signals) -> None:
    assert yard.fenced(f"kill -{int(number)} $$").code == -number


def test_signals_that_are_ignored_outside_are_ignored_inside(yard: Yard) -> None:
    """And the fence goes up where the ends of children are ignored, too."""
    text = "grep SigIgn /proc/self/status"
    ignored = "trap '' CHLD TERM USR1; exec \"$@\""
    inside = yard.start(["bash", "-c", ignored, "sh", *yard.argv("grep", "SigIgn", "/proc/self/status")])
    assert (inside.code, inside.err) == (0, "")
    assert inside.out == yard.start(["bash", "-c", ignored, "sh", *text.split()]).out


def test_a_signal_from_outside_reaches_the_shell_itself(yard: Yard) -> None:
    with popen(yard, "trap 'echo caught; exit 3' TERM; echo up; while :; do sleep 0.05; done") as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
        child.send_signal(signal.SIGTERM)
        assert child.stdout.read() == b"caught\n"
        assert child.wait(10) == 3


def test_the_group_can_be_killed_as_a_whole(yard: Yard) -> None:
    with popen(yard, "sleep 50 & echo $!; sleep 51", session=True) as child:
        assert child.stdout is not None
        inner = int(child.stdout.readline())
        os.killpg(child.pid, signal.SIGKILL)
        assert child.wait(10) == -signal.SIGKILL
    for _ in range(100):
        if not Path(f"/proc/{inner}").exists() or "Z" in Path(f"/proc/{inner}/stat").read_text().split(")")[1][:3]:
            return
        time.sleep(0.05)
    pytest.fail("the background process outlived its group")


def test_a_background_process_outlives_the_command_and_stays_inside(yard: Yard) -> None:
    text = "(sleep 1; echo x > .env; echo x > late.txt) > /dev/null 2>&1 &"
    started = time.monotonic()
    assert yard.fenced(text).code == 0
    assert time.monotonic() - started < 1.0 or (yard.repo / "late.txt").exists() is False
    for _ in range(100):
        if (yard.repo / "late.txt").exists():
            break
        time.sleep(0.05)
    assert (yard.repo / "late.txt").read_text() == "x\n"
    assert yard.held()[".env"] == "TOKEN=abc\n"


def test_streams_are_handed_on(yard: Yard) -> None:
    child = subprocess.Popen(
        yard.argv("cat; echo err >&2"), cwd=yard.repo, env=yard.machine.env(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    data = os.urandom(300_000)
    assert child.communicate(data, timeout=30) == (data, b"err\n")


def test_a_reader_that_leaves_ends_the_writer(yard: Yard) -> None:
    done = yard.fenced("bash -c 'set -o pipefail; yes | head -1; echo ${PIPESTATUS[0]} $?'")
    assert done.out.split() == ["y", "141", "141"]


def test_it_has_the_terminal(yard: Yard) -> None:
    text = "tty; [ -t 0 ] && [ -t 1 ] && stty size; ps -o tpgid=,pgid= -p $$"
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(yard.repo)
        argv = yard.argv(text)
        os.execve(argv[0], argv, yard.machine.env())
    out = b""
    try:
        while piece := os.read(fd, 1024):
            out += piece
    except OSError:
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    lines = out.decode().split("\r\n")
    assert lines[0].startswith("/dev/pts/")
    front, group = lines[2].split()
    assert front == group == str(pid)


def test_names_and_words_of_any_kind_come_through(yard: Yard) -> None:
    odd = yard.repo / "a b'c\"d\n ä"
    odd.mkdir()
    done = yard.start(yard.argv("printf", "%s|", "", " a ", "x\ny", "ü", "$HOME", "'", "--"), cwd=odd)
    assert done.out == "| a |x\ny|ü|$HOME|'|--|"
    argv = yard.argv("printf '\\377' > $(printf 'n\\376'); ls")
    raw = subprocess.run(argv, cwd=odd, env=yard.machine.env(), capture_output=True, check=True)
    assert raw.stdout == b"n\xfe\n"


def test_a_folder_whose_name_is_no_text_is_searched_too(yard: Yard) -> None:
    folder = os.fsencode(yard.repo) + b"/n\xfe"
    os.mkdir(folder)
    with open(folder + b"/a.pem", "w") as handle:
        handle.write("mine\n")
    yard.fenced("for d in n*; do echo x > $d/a.pem; done")
    with open(folder + b"/a.pem") as handle:
        assert handle.read() == "mine\n"


def test_a_program_that_is_not_there_ends_like_in_a_shell(yard: Yard) -> None:
    assert yard.start(yard.argv("no-such-program", "x")).code == 127


def test_nothing_of_the_fence_stays_behind(yard: Yard) -> None:
    yard.fenced("true")
    for _ in range(100):
        left = [p for p in Path("/proc").glob("[0-9]*/cmdline") if str(yard.repo).encode() in _read(p)]
        if not left:
            return
        time.sleep(0.05)
    pytest.fail(f"{left} still run")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


SNAPSHOT = (
    "source /home/o/.claude/shell-snapshots/snapshot-{}-1.sh 2>/dev/null || true && eval '{}' < /dev/null"
    " && pwd -P >| /dev/null"
)


@pytest.mark.parametrize(("kind", "shell"), [("bash", "/bin/bash"), ("zsh", "/bin/zsh")])
def test_a_tools_text_runs_under_the_shell_it_was_made_for(yard: Yard, kind: str, shell: str) -> None:
    if not Path(shell).exists():
        pytest.skip(f"there is no {shell} here")
    name = "${ZSH_VERSION:+zsh}${BASH_VERSION:+bash}"
    for own in ("/bin/zsh", "/bin/bash", "/bin/dash", None):
        done = yard.fenced(SNAPSHOT.format(kind, f"echo {name}"), SHELL=own)
        assert done.out.strip() == kind, own


def test_without_a_snapshot_the_owners_shell_is_taken(yard: Yard) -> None:
    text = SNAPSHOT.partition(" && ")[2].format("echo ${BASH_VERSION:+bash}")
    assert yard.fenced(text, SHELL="/bin/bash").out.strip() == "bash"
    assert yard.fenced(text, SHELL=None).out.strip() == "bash"
