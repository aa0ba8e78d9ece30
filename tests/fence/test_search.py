"""The kept search: whatever changed in the repository, it finds what a search from nothing finds."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from guards.engine.event import Event
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.fence import protect
from guards.lanes import standing
from tests.machine import Machine

FILES = {".github/workflows/ci.yml": "on: push\n", "db/migrations/1.sql": "x\n", "src/a/app.py": "x\n", ".env": "x\n"}
CHANGES = (
    "touch {f}/a.py", "touch {f}/k{n}.pem", "mkdir -p {f}/d{n}", "rm -rf {f}", "mv {f} {f}2", "rm -f {f}/*.pem",
    "mkdir -p {f}/.github && touch {f}/.github/x.yml", "git init -q {f}", "rm -rf {f}/.git", "chmod 755 {f}",
    "mkdir -p {f}/.guards && echo 'lane=[{{id=\"n{n}\",paths=[\"*.py\"],why=\"x\"}}]' > {f}/.guards/human-lane.toml",
    "mkdir -p {f}/node_modules/m && touch {f}/node_modules/m/a.pem", "touch {f}/a.pem && git add -f {f}/a.pem",
    "ln -sfn /nowhere {f}/id_rsa", "rm -f {f}/k*; mkdir -p {f}/db/migrations; touch {f}/db/migrations/{n}.sql",
    "touch -r . stamp && touch {f}/late.key && touch -r stamp {f}; rm -f stamp",
)  # fmt: skip


class Ground:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.repo = machine.repo("proj", FILES, git=False)
        self.run("git init -q && git add -A -f && mkdir -p lib/x lib/y/z")
        machine.compile()

    def run(self, text: str) -> None:
        subprocess.run(["sh", "-c", text], cwd=self.repo, env=self.machine.env(), capture_output=True, check=False)

    def mounts(self, *, keep: bool = True) -> tuple[list[tuple[str, str]], list[str]]:
        """What is found; without what was kept of the last search, when not keep."""
        kept = self.machine.state / "fence"
        if not keep:
            kept.rename(kept.with_name("aside"))
        places = dict(self.machine.places)
        world = World(places, Session("", ""), {})
        world.tables = load(places)
        event = Event("claude", "before-tool", {})
        event.cwd = event.project = world.project = str(self.repo)
        found = protect.found(world, event, world.rules("fence"), keep)
        if not keep:
            shutil.rmtree(kept, ignore_errors=True)
            kept.with_name("aside").rename(kept)
        return found.plan, found.links


@pytest.fixture
def ground(machine: Machine) -> Ground:
    return Ground(machine)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_what_a_search_from_nothing_finds(ground: Ground, seed: int) -> None:
    rnd = random.Random(seed)
    ground.mounts()
    for n in range(14):
        folders = [str(path.relative_to(ground.repo)) for path in ground.repo.rglob("*") if _plain(path)]
        text = rnd.choice(CHANGES).format(f=rnd.choice([*folders, "."]), n=n)
        ground.run(text)
        assert ground.mounts() == ground.mounts(keep=False), text
        if rnd.random() < 0.4:
            time.sleep(standing.RACY / 1e9)  # what has rested so long is not looked at again


def _plain(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and ".git" not in path.parts


def test_when_nothing_changed_no_folder_is_read(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    time.sleep(2 * standing.RACY / 1e9)
    first = ground.mounts()
    read: list[str] = []
    entries = standing._entries

    def noted(path: str) -> list[tuple[str, bool]]:
        read.append(path)
        return entries(path)

    monkeypatch.setattr(standing, "_entries", noted)
    assert ground.mounts() == first
    assert read == []
    ground.run("touch lib/y/b.py")
    assert ground.mounts() == first
    assert read == [str(ground.repo / "lib/y")]
    ground.run("touch lib/y/b.pem")
    assert ("hold", str(ground.repo / "lib/y/b.pem")) in ground.mounts()[0]
