"""No way round from inside: what an agent with a shell, or with root's shell, would try."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.fence.conftest import Yard

CI = ".github/workflows/ci.yml"

WAYS = {
    "moving the lane's folder": "mv .github g && sed -i s/push/never/ g/workflows/ci.yml",
    "moving the repository": "mv ../proj ../p && sed -i s/push/never/ ../p/.github/workflows/ci.yml",
    "moving the home": "mv ~ ~/../h2",
    "exchanging two folders": "mkdir -p other/workflows && mv -T --exchange other .github || mv -Tf other .github",
    "a folder over it": "rm -rf .github; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml",
    "a link over its folder": "ln -sfn /tmp .github; rm -f .github/workflows/ci.yml",
    "a hard link to it": f"ln {CI} alias && echo x > alias",
    "a link to it": f"ln -s {CI} alias && echo x > alias",
    "a mode and an owner": f"chmod 666 {CI}; chown 12345 {CI}; echo x > {CI}",
    "taking the mount away": "umount .github; umount -l .github; echo x > " + CI,
    "mounting it again, writable": f"mount -o remount,rw,bind .github; mount -o remount,rw $PWD/.github; echo x > {CI}",
    "a mount of its own over it": f"mount -t tmpfs none .github; mount --bind /tmp .github; echo x > {CI}",
    "a bind of the repository elsewhere": "mkdir -p m; mount --bind . m; echo x > m/" + CI,
    "a namespace of its own": f"unshare -Urm sh -c 'umount .github; mount -o remount,rw,bind .github; echo x > {CI}'",
    "a namespace and a bind": "mkdir -p m; unshare -Urm sh -c 'mount --bind . m; echo x > m/" + CI + "'",
    "a namespace and a recursive bind": "mkdir -p m; unshare -Urm sh -c 'mount --rbind . m && umount -l m/.github;"
    f" echo x > m/{CI}'",
    "a namespace and another root": f"unshare -Urm chroot / sh -c 'echo x > {{repo}}/{CI}'",
    "two namespaces": f"unshare -Urm unshare -Urm sh -c 'umount {{repo}}/.github; echo x > {{repo}}/{CI}'",
    "a second fence without policy": f"bwrap --dev-bind / / sh -c 'echo x > {{repo}}/{CI}'",
    "a second root": f"bwrap --bind / / --bind {{repo}} /mnt sh -c 'echo x > /mnt/{CI}'",
    "another process's root": f"echo x > /proc/{{outside}}/root{{repo}}/{CI}",
    "another process's folder": f"echo x > /proc/{{outside}}/cwd/{CI}",
    "the first process's root": f"echo x > /proc/1/root{{repo}}/{CI}",
    "the parents' roots": f"for p in $(ps -eo pid=); do echo x > /proc/$p/root{{repo}}/{CI}; done",
    "another process's namespace": f"nsenter -t {{outside}} -m sh -c 'echo x > {{repo}}/{CI}'",
    "another process's user namespace": f"nsenter -t {{outside}} -U -m sh -c 'echo x > {{repo}}/{CI}'",
    "the memory of another process": "head -c 1 /proc/{outside}/mem",
    "sudo": f"sudo -n sh -c 'umount .github; echo x > {CI}'",
    "a program that is root's": f"cp /bin/sh s && chmod 6755 s; ./s -p -c 'umount {{repo}}/.github; echo x > {CI}'",
    "its own fence's prefix": f"{{prefix}} 'echo x > {CI}'",
    "a forged policy": "{prefix} 'cd ~/.config/guards; mkdir -p policy; echo off = true > policy/fence.toml'",
    "another install folder": "mkdir i; cp -r ~/.local/share/guards/. i/; i/py -IS i/code/fence/prefix.py"
    f" 'echo x > {CI}'",
    "the newer calls for mounts": f"python3 {{calls}} {{repo}} {CI}; unshare -Urm python3 {{calls}} {{repo}} {CI}",
    "an overlay whose upper folder is the repository": "unshare -Urm sh -c 'mount -t tmpfs t /mnt && mkdir /mnt/m &&"
    f" mount -t overlay o -o lowerdir=/etc,upperdir={{repo}},workdir={{repo}}/w /mnt/m && echo x > /mnt/m/{CI}'",
    "attributes, holes and times": f"setfacl -m u:1:rwx {CI}; chattr +i {CI}; fallocate -p -l 3 {CI}; touch {CI};"
    f" setfattr -n user.x -v 1 {CI}",
    "variables for its own interpreter": "PYTHONHOME=/nowhere PYTHONPATH=. LD_PRELOAD=./x.so {prefix}"
    f" 'echo x > {CI}'",
    "the compiled policy and what the search keeps": "cd ~/.local/state/guards && rm -rf fence tables;"
    " mv ~/.local/state/guards ~/gone; mv ~/.local/state ~/gone; echo x > tables/machine",
    "the index of git": f"echo x > blob; git update-index --add --cacheinfo 100644,$(git hash-object -w blob),{CI};"
    f" git checkout -f -- {CI}",
}


# clones of the repository's mounts, with and without those below; a mount made writable, moved, taken away
CALLS = """
import ctypes, os, sys
libc, repo, name = ctypes.CDLL(None, use_errno=True), sys.argv[1].encode(), sys.argv[2].encode()
writable = (ctypes.c_uint64 * 4)(0, 1, 0, 0)
for flags in (1, 0x8001, 0):
    fd = libc.syscall(428, -100, repo, flags)
    libc.syscall(442, fd, b"", 0x9000, writable, 32)
    libc.syscall(429, fd, b"", -100, b"/mnt", 4)
    for place in (fd, libc.open(b"/mnt", 0)):
        file = libc.openat(place, name, 1)
        file >= 0 and os.write(file, b"x")
libc.syscall(442, -100, repo + b"/.github", 0x8000, writable, 32)
libc.umount2(repo + b"/.github", 2)
open(repo + b"/" + name, "w").write("x")
"""


@pytest.fixture
def outside(yard: Yard) -> Iterator[int]:
    """A process of the same user that runs outside the fence, in the repository."""
    child = subprocess.Popen(["sleep", "60"], cwd=yard.repo)
    yield child.pid
    child.kill()
    child.wait()


def placed(yard: Yard, text: str, outside: int) -> str:
    """The text, for this yard and a process outside of its fence."""
    calls = yard.machine.home / "calls.py"
    if not calls.exists():
        calls.write_text(CALLS)
    marks = {"repo": yard.repo, "outside": outside, "prefix": " ".join(yard.argv("")[:-1]), "calls": calls}
    for mark, value in marks.items():
        text = text.replace("{" + mark + "}", str(value))
    return text


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_no_way_round(yard: Yard, outside: int, text: str) -> None:
    before, mode = yard.held(), (yard.repo / CI).stat()
    done = yard.fenced(placed(yard, text, outside))
    assert yard.held() == before
    after = (yard.repo / CI).stat()
    assert (after.st_mode, after.st_uid, after.st_nlink) == (mode.st_mode, mode.st_uid, 1)
    assert not (yard.machine.home / ".config/guards/policy/fence.toml").exists()
    assert (yard.machine.state / "tables/machine").stat().st_size > 1000
    assert done.err or done.code or "git" in text


ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="what only root could try")

ROOTS = {
    "a program the kernel starts": "echo '|/bin/true' > /proc/sys/kernel/core_pattern",
    "a program for modules": "echo /bin/true > /proc/sys/kernel/modprobe",
    "the kernel's magic keys": "echo h > /proc/sysrq-trigger",
    "the file system of devices": "echo x > /sys/kernel/uevent_helper || echo 1 > /sys/kernel/profiling",
    "a device of its own": "mknod d b 7 0",
    "a disk": "for d in /dev/loop0 /dev/sda /dev/vda /dev/nvme0n1; do [ -b $d ] && exit 0; done; exit 1",
    "opening by handle": "python3 -c \"import ctypes, sys; c = ctypes.CDLL(None, use_errno=True);"
    " sys.exit(c.open_by_handle_at(3, b'x' * 64, 0) == -1)\"",
    "other root": "chroot /proc/1/root true",
    "a swap of the root": "mkdir -p r; pivot_root . r",
    "a module": "insmod /dev/null",
}  # fmt: skip


@ROOT
@pytest.mark.parametrize("text", ROOTS.values(), ids=ROOTS)
def test_root_has_no_way_round(yard: Yard, text: str) -> None:
    assert yard.fenced(text).code != 0


@ROOT
def test_as_another_user_root_reaches_no_process_outside(yard: Yard) -> None:
    """A process outside that holds no rights, looked at by root in its clothes: its root folder is the way back."""
    child = subprocess.Popen(["sleep", "60"], user=65534, group=65534, extra_groups=[])
    code = f"""
import os
os.setresgid(65534, 65534, 0); os.setresuid(65534, 65534, 0)
fd = os.open("/proc/{child.pid}/root", os.O_RDONLY)
os.setresuid(0, 0, 0)
open(f"/proc/self/fd/{{fd}}{yard.repo}/{CI}", "w").write("x")
"""
    done = yard.start(yard.argv(sys.executable, "-c", code))
    child.kill()
    child.wait()
    assert "PermissionError" in done.err
    assert (yard.repo / CI).read_text() == "on: push\n"


@ROOT
def test_roots_ordinary_work_is_what_it_was(yard: Yard) -> None:
    text = "chown 1234:4321 notes.txt && stat -c %u:%g notes.txt && install -o nobody -m 600 notes.txt n2 && kill -0 1"
    done = yard.fenced(f"{text} && setpriv --reuid=65534 --clear-groups id -u && stat -c %U /etc/hostname")
    assert (done.code, done.out.split()) == (0, ["1234:4321", "65534", "root"]), done.err


def test_an_open_folder_of_the_harness_is_no_way_back(yard: Yard) -> None:
    fd = os.open(yard.repo, os.O_RDONLY)
    done = subprocess.run(
        yard.argv(f"echo x > /proc/self/fd/{fd}/{CI}"), pass_fds=[fd], env=yard.machine.env(), cwd=yard.repo,
        check=False, capture_output=True,
    )  # fmt: skip
    os.close(fd)
    assert done.returncode != 0
    assert (yard.repo / CI).read_text() == "on: push\n"


def test_a_fence_in_a_fence_holds_and_lets_work(yard: Yard) -> None:
    prefix = " ".join(yard.argv("")[:-1])
    done = yard.fenced(f"{prefix} 'echo a > free.txt; echo x > {CI}; echo x > .env; exit 5'")
    assert done.code == 5
    assert (yard.repo / "free.txt").read_text() == "a\n"
    assert yard.held()[".env"] == "TOKEN=abc\n"
    assert (yard.repo / CI).read_text() == "on: push\n"


def test_a_second_place_of_the_same_files_is_held_too(yard: Yard) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can mount a folder a second time here")
    twin = yard.machine.base / "twin"
    twin.mkdir()
    argv = ["unshare", "--mount", "sh", "-c", f'mount --bind "{yard.repo}" "{twin}" && exec "$@"', "sh"]
    yard.start([*argv, *yard.argv(f"echo x > {twin}/{CI}; echo x > {twin}/new.txt")])
    assert (yard.repo / CI).read_text() == "on: push\n"
    assert (yard.repo / "new.txt").read_text() == "x\n"


def test_a_closed_socket_is_out_of_reach(yard: Yard) -> None:
    import socket

    path = str(yard.machine.home / "daemon.sock")
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    code = f"import socket; socket.socket(socket.AF_UNIX).connect({path!r})"
    assert yard.start(yard.argv(sys.executable, "-c", code)).code == 0
    yard.machine.policy("fence", 'closed = ["~/daemon.sock"]\n')
    assert yard.start(yard.argv(sys.executable, "-c", code)).code != 0
    server.close()


def test_a_terminal_of_another_session_cannot_be_typed_into(yard: Yard) -> None:
    master, slave = os.openpty()
    code = f"import fcntl, os, termios; fcntl.ioctl(os.open({os.ttyname(slave)!r}, os.O_RDWR), termios.TIOCSTI, b'x')"
    done = yard.start(yard.argv(sys.executable, "-c", code))
    os.close(master)
    os.close(slave)
    assert "PermissionError" in done.err or "OSError" in done.err


def test_variables_of_the_harness_lead_guards_own_interpreter_nowhere(yard: Yard) -> None:
    """A project's settings can set them; what the shell inside makes of its own is the command's affair."""
    for name in ("marshal.py", "posix.py", "guards/__init__.py", "sitecustomize.py", "rc"):
        path = yard.repo / "evil" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("open('.env', 'w').write('x')\n" if name != "rc" else "echo x > .env\n")
    evil = str(yard.repo / "evil")
    env: dict[str, str | None] = {"PYTHONPATH": evil, "PYTHONHOME": evil, "PYTHONINSPECT": "1"}
    env |= {"PYTHONSTARTUP": evil + "/marshal.py", "BASH_ENV": evil + "/rc", "ENV": evil + "/rc"}
    env |= {"LD_LIBRARY_PATH": evil, "PATH": evil + ":/usr/bin:/bin", "LC_ALL": "nowhere"}
    done = yard.start(yard.argv("echo ran; echo $LC_ALL $PYTHONHOME"), env=env)
    assert (done.code, done.out.split()) == (0, ["ran", "nowhere", evil])
    assert yard.held()[".env"] == "TOKEN=abc\n"
