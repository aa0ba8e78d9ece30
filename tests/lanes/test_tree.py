"""Removing, moving or replacing a folder takes the lanes in it along."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from guards.engine.event import DELETE, RESTORE, WRITE, Effect, Event
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.lanes import find, tracked
from guards.lanes.hits import Hit
from tests.machine import Machine


def touch(machine: Machine, path: str | Path, cwd: Path, act: str = DELETE, *, tree: bool = True) -> Hit | None:
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    world.tables = load(machine.places)
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = str(cwd)
    rules = world.rules("human-lane")
    effect = Effect(str(path), act, cwd=str(cwd), follow=False, tree=tree, expanded=True)
    return find.Look(event, world, rules).effect(effect)


def git(root: Path, *args: str) -> None:
    config = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", *config, "-C", str(root), *args], check=True, capture_output=True)


@pytest.fixture
def tracked_repo(machine: Machine) -> Path:
    files = {
        "infra/eu/prod.tf": "x", "infra/readme.txt": "x", "src/app.py": "x", ".github/workflows/ci.yml": "x",
        "config/secrets.yaml": "x", "app/auth/login.py": "x",
    }  # fmt: skip
    root = machine.repo("work", files, git=False)
    git(root, "init", "-q")
    git(root, "add", "-A")
    return root


@pytest.mark.parametrize(
    ("path", "lane"),
    [
        ("infra", "deploy"), ("infra/eu", "deploy"), ("config", "secrets"), (".", "startup"),
        (".github/workflows", "ci"), ("src", ""), ("app", ""), ("missing", ""), ("infra/readme.txt", ""),
        (".git", "git-root"),
    ],
)  # fmt: skip
def test_removing_a_folder_removes_the_tracked_lane_files_in_it(
    machine: Machine, tracked_repo: Path, path: str, lane: str
) -> None:
    hit = touch(machine, path, tracked_repo)
    assert (hit.lane if hit else "") == lane


def test_an_untracked_file_that_only_a_name_pattern_covers_is_not_looked_for(
    machine: Machine, tracked_repo: Path
) -> None:
    (tracked_repo / "node_modules/x").mkdir(parents=True)
    (tracked_repo / "node_modules/x/Dockerfile").write_text("x")
    assert touch(machine, "node_modules", tracked_repo) is None


def test_moving_and_modes_are_acts_on_what_lies_beneath(machine: Machine, tracked_repo: Path) -> None:
    assert touch(machine, "infra", tracked_repo, WRITE) is not None
    assert touch(machine, "infra", tracked_repo, WRITE, tree=False) is None
    assert touch(machine, "infra", tracked_repo, RESTORE) is None


def test_the_refusal_names_what_lies_in_the_folder(machine: Machine, tracked_repo: Path) -> None:
    hit = touch(machine, "infra", tracked_repo)
    assert hit is not None
    assert hit.below == f"{tracked_repo}/infra/eu/prod.tf"
    assert hit.line == f"^{tracked_repo}/infra$"
    machine.approve(hit.line)
    assert touch(machine, "infra", tracked_repo) is None
    machine.approve(f"^{tracked_repo}/infra/.*$")
    assert touch(machine, "infra", tracked_repo) is None, "a line for what lies in it frees it too"
    machine.approve(f"^{tracked_repo}/infra/us/.*$")
    assert touch(machine, "infra", tracked_repo) is not None


def test_a_folder_above_an_anchored_lane(machine: Machine) -> None:
    machine.policy("human-lane", '[[lane]]\nid = "h"\npaths = ["/a/b/human/"]\nwhy = "mine"\n')
    root = machine.repo("proj", {"a/b/human/x.md": "x", "a/c/x.md": "x"})
    assert touch(machine, "a", root) is not None
    assert touch(machine, "a/b", root) is not None
    assert touch(machine, "a/c", root) is None
    assert touch(machine, root, machine.home) is not None, "the whole repository"
    assert touch(machine, machine.home / "other", root) is None


def test_a_folder_above_an_absolute_lane(machine: Machine, proj: Path) -> None:
    (machine.home / ".config/fish").mkdir(parents=True)
    hit = touch(machine, machine.home / ".config", proj)
    assert hit is not None
    assert hit.approval == "never", "guards' own policy lies there"
    (machine.home / ".ssh").mkdir()
    assert touch(machine, machine.home / ".ssh", proj) is not None


def test_what_arrives_as_a_whole_may_bring_settings_with_it(machine: Machine, proj: Path) -> None:
    hit = touch(machine, ".claude", proj, WRITE)
    assert hit is not None
    assert hit.approval == "exact"
    assert hit.line == f"^{proj}/\\.claude$"
    assert touch(machine, ".claude", proj, WRITE, tree=False) is None, "mkdir is an ordinary act"
    assert touch(machine, ".claude/agents", proj, WRITE) is None


def test_a_folder_that_holds_repositories(machine: Machine, proj: Path) -> None:
    machine.repo("all/deep/one", {"human/x.md": "x"})
    machine.repo("plain/two", {"src/x.py": "x"})
    assert touch(machine, "all", machine.home) is not None
    assert touch(machine, "plain", machine.home) is None


def test_removing_a_link_to_a_lane_removes_only_the_link(machine: Machine, tracked_repo: Path) -> None:
    (tracked_repo / "lnk").symlink_to(".github")
    (tracked_repo / "whole").symlink_to(tracked_repo)
    assert touch(machine, "lnk", tracked_repo, tree=False) is None
    assert touch(machine, "lnk", tracked_repo) is None
    assert touch(machine, "whole", tracked_repo) is None
    assert touch(machine, "whole/", tracked_repo) is not None
    assert touch(machine, "lnk/", tracked_repo) is not None, "a slash at the end leads through it"


def test_content_is_only_kept_from_being_deleted(machine: Machine, proj: Path) -> None:
    (proj / "content").mkdir()
    (proj / "content/a.md").write_text("x")
    assert touch(machine, "content/a.md", proj, tree=False) is not None
    assert touch(machine, "content", proj) is not None
    assert touch(machine, "content/a.md", proj, WRITE, tree=False) is None


# ---- git's index
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_index_is_read_as_git_reads_it(machine: Machine, version: str) -> None:
    names = ["a", "a.b", "dir/x y", "dir/\u00fc.md", "dir/sub/z", "dirt", "e" * 200] + [
        f"many/f{i}" for i in range(300)
    ]
    root = machine.repo("idx", dict.fromkeys(names, "x"), git=False)
    git(root, "init", "-q")
    git(root, "config", "index.version", version)
    git(root, "add", "-A")
    if version == "3":
        (root / "later").write_text("x")
        git(root, "add", "-N", "later")
        names.append("later")
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    assert sorted(tracked.below(world, str(root), "") or ()) == sorted(names)
    assert sorted(tracked.below(world, str(root), "dir") or ()) == ["dir/sub/z", "dir/x y", "dir/\u00fc.md"]
    assert tracked.below(world, str(root), "none") == []


def test_an_index_with_long_hashes(machine: Machine) -> None:
    root = machine.repo("sha", {"a/b": "x", "c": "y"}, git=False)
    git(root, "init", "-q", "--object-format=sha256")
    git(root, "add", "-A")
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    assert tracked.below(world, str(root), "") == ["a/b", "c"]


def test_the_index_of_a_linked_worktree(machine: Machine, tracked_repo: Path) -> None:
    git(tracked_repo, "commit", "-q", "-m", "x")
    git(tracked_repo, "worktree", "add", "-q", str(machine.home / "wt"))
    assert touch(machine, "infra", machine.home / "wt") is not None


@pytest.mark.parametrize(
    "data", [b"", b"DIRC", b"DIRC\0\0\0\2\0\0\0\7", b"DIRC\0\0\0\4\0\0\0\1" + b"\xff" * 90, b"x" * 99]
)
def test_an_index_that_is_broken_answers_nothing(machine: Machine, data: bytes) -> None:
    root = machine.repo("broken")
    (root / ".git/index").write_bytes(data)
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    assert not tracked.below(world, str(root), "")


def test_a_tracked_file_is_held_under_its_other_names(tracked_repo: Path, machine: Machine) -> None:
    (tracked_repo / "plain").hardlink_to(tracked_repo / "infra/eu/prod.tf")
    (tracked_repo / "copy").hardlink_to(tracked_repo / "src/app.py")
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    world.tables = load(machine.places)
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = str(tracked_repo)
    look = find.Look(event, world, world.rules("human-lane"))

    def lane(name: str, act: str = WRITE, *, follow: bool = True) -> str:
        hit = look.effect(Effect(name, act, cwd=str(tracked_repo), follow=follow, expanded=True))
        return hit.lane if hit else ""

    assert lane("plain") == "deploy"
    assert lane("copy") == "", "its other name is in no lane"
    assert lane("plain", DELETE) == "", "the file stays where it is"
    assert lane("plain", follow=False) == "", "another file takes this name"
