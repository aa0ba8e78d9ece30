"""A machine with a repository whose lanes are known, and commands run in it inside the fence and outside."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine import ROOT, Machine

FILES = {
    ".github/workflows/ci.yml": "on: push\n",
    ".github/CONTRIBUTING.md": "be kind\n",
    "db/migrations/0001_init.sql": "create table a (id int);\n",
    "db/migrations/README.md": "how\n",
    "deploy/prod.tf": "count = 3\n",
    "config/secrets.yaml": "token: abc\n",
    "src/auth/login.py": "def login(): ...\n",
    "src/auth/roles.json": "{}\n",
    "src/app.py": "print('hello')\n",
    "notes.txt": "alpha\nbeta\n",
    ".env": "TOKEN=abc\n",
    ".env.example": "TOKEN=\n",
    "Makefile": "fix:\n\t@echo x >> .github/workflows/ci.yml\nok:\n\t@echo made > made.txt\n",
}
HELD = [".github/workflows/ci.yml", "db/migrations/0001_init.sql", "deploy/prod.tf", "config/secrets.yaml", ".env",
        "src/auth/roles.json", ".git/config"]  # fmt: skip


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


class Yard:
    """The machine, its repository, and two ways to run a text in it."""

    def __init__(self, machine: Machine, user: int | None = None) -> None:
        self.machine = machine
        self.user = user  # who runs the texts; None: who runs the tests
        self.repo = machine.repo("proj", dict(FILES), git=False)
        self.git("-c", "init.defaultBranch=main", "init", "-q")
        self.git("config", "user.name", "owner")
        self.git("config", "user.email", "owner@localhost")
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "-m", "first")

    def git(self, *argv: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *argv], cwd=cwd or self.repo, env=self.machine.env(), capture_output=True, text=True, check=True
        )
        return done.stdout

    def argv(self, *text: str) -> list[str]:
        """What a harness starts for a text; of several words, one command."""
        program = [str(self.machine.install / "py"), "-IS", str(self.machine.install / "code/fence/prefix.py")]
        return [*program, *(text if len(text) == 1 else ("--", *text))]

    def start(self, argv: list[str], cwd: Path | None = None, env: dict[str, str | None] | None = None) -> Done:
        done = subprocess.run(
            argv, cwd=cwd or self.repo, env=self.machine.env(**(env or {})), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", timeout=60, check=False, user=self.user, group=self.user,
            extra_groups=None if self.user is None else [],
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def fenced(self, text: str, cwd: Path | None = None, **env: str | None) -> Done:
        return self.start(self.argv(text), cwd, env)

    def bare(self, text: str, cwd: Path | None = None, **env: str | None) -> Done:
        return self.start(["/bin/sh", "-c", text], cwd, env)

    def held(self) -> dict[str, str]:
        """What the lanes' files say now; gone ones are missing."""
        return {name: (self.repo / name).read_text() for name in HELD if (self.repo / name).is_file()}


def refused() -> str:
    """Why no fence can be put up here; "" when it can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed here (apt-get install bubblewrap)"
    done = subprocess.run(
        ["bwrap", "--unshare-user", "--dev-bind", "/", "/", "true"], capture_output=True, text=True, check=False
    )
    return f"the kernel refuses bubblewrap here: {done.stderr.strip()}" if done.returncode else ""


@pytest.fixture(scope="session")
def fenceable() -> None:
    if why := refused():
        pytest.skip(why)


@pytest.fixture
def yard(machine: Machine, fenceable: None, monkeypatch: pytest.MonkeyPatch) -> Yard:
    made = Yard(machine)
    monkeypatch.chdir(made.repo)  # a harness runs where its session began
    return made


USER = 4321  # nobody's number
PYTHONS = (os.path.realpath(sys.executable), "/usr/bin/python3", "/usr/local/bin/python3")
COMPILES = "import sys; sys.path[:0] = {paths}; import guards.compile.build; print(sys.version_info >= (3, 11))"


def python_of_all(paths: list[str]) -> str:
    """An interpreter with which an ordinary user can run guards from here; "" when there is none."""
    for python in PYTHONS:
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-I", "-B", "-c", COMPILES.format(paths=paths)], user=USER, group=USER, extra_groups=[],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode == 0 and done.stdout == "True\n":
                return python
    return ""


@pytest.fixture(scope="module")
def commoner(fenceable: None) -> Iterator[Yard]:
    """A yard of an ordinary user, who has no rights of root's; where the tests run as one, simply theirs."""
    base = Path(tempfile.mkdtemp(prefix="guards-user."))
    made = Machine(base)
    if as_root():
        base.chmod(0o755)
        python = python_of_all([made.places["packages"], str(ROOT)])
        if not python:
            shutil.rmtree(base)
            pytest.skip("no interpreter here that an ordinary user can run guards with (the checkout is root's alone)")
        (made.install / "py").unlink()
        (made.install / "py").symlink_to(python)
    yard = Yard(made, USER if as_root() else None)
    for path in [base, *base.rglob("*")] if as_root() else []:
        os.chown(path, USER, USER, follow_symlinks=False)
    with contextlib.chdir(yard.repo):
        first = yard.fenced("true")
        assert first.code == 0, first.err
        yield yard
    shutil.rmtree(base)


def as_root() -> bool:
    return os.geteuid() == 0
