"""An agent that wants past its lanes, one step at a time; and an owner whose ordinary work must not be in the way."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from guards.engine.event import WRITE, Effect, Event
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.lanes import find
from guards.lanes.hits import Hit
from tests.lanes.judging import edit, says, write
from tests.machine import ROOT, Machine


def effect(machine: Machine, root: Path, path: str | Path, **more: Any) -> Hit | None:
    """One effect as a shell reader would give it."""
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    world.tables = load(machine.places)
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = str(root)
    return find.Look(event, world, world.rules("human-lane")).effect(Effect(str(path), cwd=str(root), **more))


# ---- links and places
@pytest.mark.parametrize("cause", ["ln", "python os.symlink", "node symlinkSync"])
@pytest.mark.parametrize("path", [".claude", "~/.codex", ".github/hooks", "~/.config/guards", "~/.gemini"])
def test_a_link_in_the_place_of_a_settings_folder_is_refused(
    machine: Machine, proj: Path, path: str, cause: str
) -> None:
    path = path.replace("~", str(machine.home))
    assert effect(machine, proj, path, cause=cause, follow=False, expanded=True) is not None
    assert effect(machine, proj, "src/lnk", cause=cause, follow=False, expanded=True) is None


def test_an_mcp_link_in_the_place_of_a_settings_folder_is_refused(machine: Machine, proj: Path) -> None:
    assert says(machine, "mcp__fs__create_symlink", {"target": "../x", "link_path": ".claude"}, proj) == "deny"
    assert says(machine, "mcp__fs__create_directory", {"path": ".claude"}, proj) == "none"
    assert says(machine, "mcp__fs__create_directory", {"path": "src/permissions"}, proj) == "none"


def test_settings_through_a_folder_that_is_linked_already(machine: Machine, proj: Path) -> None:
    (proj / "cfg").mkdir()
    (proj / ".claude").symlink_to("cfg")
    (proj / "cfg/settings.json").write_text("{}")
    assert write(machine, ".claude/settings.json", proj) == "deny"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_bind_mount_is_no_way_round(machine: Machine, proj: Path) -> None:
    (machine.home / ".claude/hooks/deep").mkdir(parents=True)
    (machine.home / ".claude/settings.json").write_text("{}")
    other = machine.home / "other"
    other.mkdir()
    mount = f'mount --bind {machine.home}/.claude {other} && cd / && exec "$@"'
    probe = subprocess.run(["unshare", "-m", "sh", "-c", mount, "sh", "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"no mount namespaces here: {probe.stderr.decode().strip()}")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path;"
        "from tests.machine import Machine; from tests.lanes.judging import write;"
        "m = Machine(Path(sys.argv[2])); root = Path(sys.argv[3]);"
        "print([write(m, str(m.home / 'other' / p), root) for p in sys.argv[4:]])"
    )
    argv = [machine.places["python"], "-c", code, str(ROOT), str(machine.base), str(proj)]
    argv += ["settings.json", "hooks/new", "hooks/deep/new", "x"]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mount, "sh", *argv], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "['deny', 'deny', 'deny', 'none']", done.stderr


def test_a_repository_that_is_planted_takes_no_lane_away(machine: Machine, proj: Path) -> None:
    (proj / "human/.git").mkdir()
    (proj / "human/sub").mkdir()
    assert write(machine, "human/sub/x.md", proj) == "deny"
    assert write(machine, "human/sub/x.md", proj / "human") == "deny"


def test_the_roots_own_git_is_not_taken_away(machine: Machine, proj: Path) -> None:
    assert says(machine, "mcp__fs__move_file", {"source": ".git", "destination": "/tmp/x"}, proj) == "deny"
    assert says(machine, "mcp__fs__delete_directory", {"path": str(proj / ".git")}, proj) == "deny"
    assert says(machine, "mcp__fs__delete_directory", {"path": str(proj)}, proj) == "deny", "settings may lie in it"


def test_a_hard_link_to_what_decides_counts_behind_a_link(machine: Machine, proj: Path) -> None:
    (proj / "a/b").mkdir(parents=True)
    os.link(machine.places["approvals"], proj / "a/b/notes")
    (proj / "lnk").symlink_to("a/b")
    assert write(machine, "lnk/notes", proj) == "deny"
    assert write(machine, "lnk/other", proj) == "none"


# ---- spellings
@pytest.mark.parametrize(
    "home", ["~/.claude/settings.json", "$HOME/.claude/settings.json", "${HOME}/.claude/settings.json"]
)
def test_a_home_that_the_harness_was_given_is_one_more_reading(machine: Machine, proj: Path, home: str) -> None:
    other = machine.home / "elsewhere"
    seen = World(machine.places, Session(machine.places["state"], "s"), {b"HOME": os.fsencode(other)})
    assert write(machine, home, proj, world=seen) == "deny"
    assert write(machine, home.replace(".claude/settings.json", "x/y"), proj, world=seen) == "none"


def test_a_variable_of_the_harness_is_expanded(machine: Machine, proj: Path) -> None:
    seen = World(machine.places, Session(machine.places["state"], "s"), {b"CLAUDE_PROJECT_DIR": os.fsencode(proj)})
    assert write(machine, "$CLAUDE_PROJECT_DIR/human/x", "/", world=seen) == "deny"


def test_a_million_characters_end_in_time(machine: Machine, proj: Path) -> None:
    for path in ("a/../" * 200_000 + "human/x", "/" * 1_000_000 + str(proj) + "/human/x", "./" * 500_000 + "human/x"):
        start = time.monotonic()
        assert write(machine, path, proj) == "deny"
        assert time.monotonic() - start < 10


def test_a_field_of_any_name_that_holds_a_rooted_path_counts(machine: Machine, proj: Path) -> None:
    for value in (str(proj / "human/x"), "./human/x", "../proj/human/x", "~/proj/human/x", f"file://{proj}/human/x"):
        assert says(machine, "mcp__notes__put", {"name": value}, proj) == "deny", value
    assert says(machine, "mcp__notes__put", {"title": "human/x", "body": "/see human/x"}, proj) == "none"
    assert says(machine, "mcp__notes__put", {"content": str(proj / "human/x")}, proj) == "none"
    assert says(machine, "mcp__notes__get", {"name": str(proj / "human/x")}, proj) == "none"


# ---- manifests, in several edits
def test_a_version_is_not_changed_in_steps_through_a_broken_file(machine: Machine) -> None:
    root = machine.repo("proj", {"package.json": '{\n  "name": "x",\n  "version":\n    "1.0.0"\n}\n'})
    file = root / "package.json"
    assert edit(machine, "package.json", root, ('"name": "x",', '// "x"\n  "name": "x",')) == "none"
    file.write_text(file.read_text().replace('"name": "x",', '// "x"\n  "name": "x",'))
    assert edit(machine, "package.json", root, ('"1.0.0"\n', '"1.0.0",\n  "\\u0076ersion": "9"\n')) == "deny"
    assert edit(machine, "package.json", root, ('"1.0.0"', '"9.0.0"')) == "deny"
    assert edit(machine, "package.json", root, ('"name": "x"', '"name": "y"')) == "none"


# ---- what an owner and an agent do all day
@pytest.mark.parametrize(
    "path",
    [
        "~/.claude/CLAUDE.md", "~/.claude/plans/a.md", "~/.claude/projects/p/memory/MEMORY.md",
        "~/.claude/todos/x.json", "~/.claude/skills/x/SKILL.md", ".claude/skills/x/SKILL.md", ".claude/rules.md",
        ".claude/worktrees/f/src/a.py", "/tmp/scratch.py", "/tmp/x/out.json", "~/notes.md", "~/.cache/x",
        "~/.config/app/settings.json", "/dev/null", ".gitignore", ".gitattributes", ".editorconfig",
        ".vscode/settings.json", "tsconfig.json", "uv.lock", "Makefile", "src/permissions.py", "src/auth/index.ts",
        "src/billing/tax.rs", "app/models/payment.rb", "lib/credentials.go", "tests/fixtures/secrets.json",
        "docs/secrets.md", "spec/payment_spec.rb", "README.md", "compose.yaml", "src/components/AuthForm.tsx",
        "pkg/secret/secret.go", "test/sql/x.sql", "src/content/post.md", "content/new.md",
        ".github/CONTRIBUTING.md", "src/hooks/useAuth.ts", "hooks/x.sh", "src/config.toml", "settings.json",
        "hooks.json", "src/proc/x.c", "environments/dev.py", "src/.envs.py",
    ],
)  # fmt: skip
def test_ordinary_work_is_not_in_the_way(machine: Machine, path: str) -> None:
    root = machine.repo()
    assert write(machine, path.replace("~", str(machine.home)), root) == "none"


def test_a_new_repository_a_new_folder_and_a_clone_are_ordinary(machine: Machine, proj: Path) -> None:
    new = machine.home / "new"
    assert effect(machine, new, new / ".git", act=WRITE, cause="git init", expanded=True) is None
    assert effect(machine, proj, ".claude", act=WRITE, cause="mkdir", expanded=True) is None
    assert effect(machine, proj, "src/new", act=WRITE, cause="mkdir", expanded=True) is None
