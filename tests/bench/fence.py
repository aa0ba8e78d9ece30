"""The fence: what a fenced command costs before it begins, and what finding the held paths costs in a large repository.

A fenced `true`: what bubblewrap takes with the very same mounts is taken off, and what is left is counted in bare
interpreter starts. Finding is measured inside one process, when the folders were searched before.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.measure import sample
from tests.machine import Machine

PAIRS = 30
PREFIX_MOST, FIND_MOST, LARGE_MOST = 2.5, 1.0, 12.0
TITLE = """
## The fence

In bare starts: `true` inside the fence less bubblewrap with the same mounts, and finding the held paths.

| path | ratio | at most |
|---|---|---|
"""
FIND = """
import sys, time
sys.path.insert(0, {root!r})
from guards.engine.event import Event
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.fence import bubble, protect
import json
places = json.load(open({places!r}))
spent = []
for _ in range(7):
    start = time.perf_counter()
    world = World(places, Session("", ""))
    world.tables = load(places)
    event = Event("claude", "before-tool", {{}})
    event.cwd = event.project = world.project = {repo!r}
    mounts = protect.mounts(world, event, world.rules("fence"))
    spent.append(time.perf_counter() - start)
print(min(spent[2:]))
sys.stdout.flush()
open({mounts!r}, "wb").write(b"\\0".join(bubble.arguments(mounts, {root_user!r})))
"""


@dataclass(frozen=True)
class Ground:
    """A machine with a repository of so many files, ten in a folder."""

    machine: Machine
    repo: Path

    @staticmethod
    def make(base: Path, files: int) -> Ground:
        machine = Machine(base)
        held = {".github/workflows/ci.yml": "a", "db/migrations/1.sql": "a", ".env": "a", "certs/a.pem": "a"}
        repo = machine.repo(files=held)
        for n in range(files // 10):
            folder = repo / f"src/{n % 30}/{n}"
            folder.mkdir(parents=True)
            for m in range(10):
                (folder / f"file{m}.py").touch()
        subprocess.run(["git", "init", "-q"], cwd=repo, check=True, env=machine.env())
        subprocess.run(["git", "add", "-A"], cwd=repo, check=True, env=machine.env())
        return Ground(machine, repo)

    def find(self) -> float:
        """Seconds that finding takes when the folders are known; the mounts are left beside the machine."""
        from tests.fence.conftest import as_root
        from tests.machine import ROOT

        names = {"root": str(ROOT), "places": str(self.machine.install / "places"), "repo": str(self.repo)}
        text = FIND.format(**names, mounts=str(self.mounts), root_user=as_root())
        argv = [str(self.machine.install / "py"), "-I", "-c", text]
        env = self.machine.env()
        return float(subprocess.run(argv, env=env, check=True, capture_output=True, text=True).stdout)

    @property
    def mounts(self) -> Path:
        return self.machine.base / "mounts"

    def seconds(self, command: str) -> float:
        done = sample(command, b"", self.machine.env(), str(self.repo))
        if done.code or done.err:
            raise SystemExit(f"{command}: came back with {done.code} {done.err!r}; the row measures nothing")
        return done.seconds


def section() -> tuple[str, list[str]]:
    """(the table, what is over its ceiling)."""
    if shutil.which("bwrap") is None:
        return TITLE + "| not measured: bubblewrap is not installed here | | |\n", []
    rows = []
    with tempfile.TemporaryDirectory(prefix="guards-bench.") as base:
        for files, most in ((10_000, FIND_MOST), (200_000, LARGE_MOST)):
            ground = Ground.make(Path(base) / str(files), files)
            found = ground.find()
            with contextlib.chdir(ground.repo):  # as a harness, which runs where its session began
                bare, prefix = _prefix(ground)
            if files == 10_000:
                rows.append(("a fenced command, 10,000 files", prefix, PREFIX_MOST))
            rows.append((f"finding the held paths, {files:,} files", found / bare, most))
    table = "".join(f"| {name} | {value:.2f} | {most:.2f} |\n" for name, value, most in rows)
    return TITLE + table, [f"{name}: {value:.2f} is over {most}" for name, value, most in rows if value > most]


def _prefix(ground: Ground) -> tuple[float, float]:
    """(seconds of a bare start, what the prefix takes in bare starts)."""
    py, code = ground.machine.install / "py", ground.machine.install / "code/fence/prefix.py"
    bubble = f"exec bwrap --unshare-user --args 3 -- true 3< {ground.mounts}"
    bare, rest = [], []
    ground.seconds(f"{py} -IS {code} true")
    for _ in range(PAIRS):
        start = ground.seconds(f"{py} -I -S -c pass")
        walls = ground.seconds(bubble)
        bare.append(start)
        rest.append((ground.seconds(f"{py} -IS {code} true") - walls) / start)
    return median(bare), median(rest)
