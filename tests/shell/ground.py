"""A repository with lanes, links, archives, patches and a second branch, and commands held against it.

`judge` asks the guards in this process; `run` runs a command for real in a copy and says what changed. Where the two
differ, the reader is wrong.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from guards.engine import dispatch
from guards.engine.event import Event, Verdict
from guards.engine.state import Session
from guards.engine.tables import Tables, load
from guards.engine.world import World
from guards.shell import effects
from guards.shell.stepping import Walk
from tests.machine import Machine

LANES = """
disable = ["ci", "migrations", "auth", "permissions", "secrets", "keys", "billing", "deploy", "content", "startup"]
[[lane]]
id    = "ours"
paths = ["/.github/", "/schema/steps/", "/src/gate/", "/ops/", "/conf/keys.yaml", "/.env", "/.git/hooks/",
         "/.git/config", "~/.claude/", "~/.config/guards/"]
acts  = ["write", "delete", "restore"]
why   = "only a human changes it"
"""
HELD = (".github", "schema/steps", "src/gate", "ops", "conf/keys.yaml", ".env", ".git/hooks", ".git/config")
HELD_HOME = (".claude", ".config/guards")
FILES = {
    ".github/workflows/ci.yml": "name: ci\non: push\njobs:\n  test:\n    runs-on: ubuntu-22.04\n",
    ".github/workflows/release.yml": "name: release\non: push\n",
    ".github/CODEOWNERS": "* @owners\n",
    "schema/steps/0001_base.sql": "CREATE TABLE account (id INTEGER);\n",
    "schema/steps/0002_more.sql": "ALTER TABLE account ADD COLUMN tier TEXT;\n",
    "src/gate/door.py": "def enter(user):\n    # TODO limit\n    return user == 'root'\n",
    "src/gate/hours.py": "TTL = 900\n",
    "src/app.py": "import sys\n\ndef main():\n    print('hello')\n",
    "src/util.py": "def add(a, b):\n    return a + b\n",
    "conf/keys.yaml": "db: hunter2\ntoken: abc\n",
    "conf/app.yaml": "debug: false\nworkers: 2\n",
    "ops/live.conf": 'unit "x" "live" {\n  count = 3\n}\n',
    "ops/stage.conf": 'unit "x" "stage" {\n  count = 1\n}\n',
    ".env": "TOKEN=abc\nPORT=8080\n",
    ".env.example": "TOKEN=\nPORT=8080\n",
    ".gitignore": ".env\n",
    "README.md": "# demo\n",
    "notes.txt": "alpha\nbeta\ngamma\n",
    "Makefile": 'test:\n\t@echo ok\n\nfix-ci:\n\t@echo "# x" >> .github/workflows/ci.yml\n',
    "package.json": '{"name": "demo", "version": "0.0.1", "scripts": {"bump": "echo x >> ops/live.conf"}}\n',
    "scripts/fix.sh": '#!/bin/bash\necho "# fixed" >> .github/workflows/ci.yml\n',
    "scripts/gen.py": 'open("ops/live.conf", "a").write("# gen\\n")\n',
    "drafts/ci.yml": "name: ci\non: never\n",
    "drafts/workflows/ci.yml": "name: ci\non: never\n",
    "drafts/workflows/nightly.yml": "name: nightly\n",
    "drafts/door.py": "def enter(user): return False\n",
    "drafts/live.conf": "# live v2\n",
    "drafts/keys.yaml": "db: new\n",
    "targets.txt": ".github/workflows/ci.yml\nsrc/app.py\n",
    "one.txt": "ops/live.conf\n",
    "out/.keep": "keep\n",
    "build/x": "x\n",
    "docs/a.md": "a\n",
    "tests/t.py": "pass\n",
}
HOME = {
    ".gitconfig": (
        "[user]\n\tname = A\n\temail = a@example.test\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n"
    ),
    ".claude/settings.json": '{"hooks": {}}\n',
    ".claude/CLAUDE.md": "# notes\n",
    ".claude/hooks/guard.py": "pass\n",
    ".config/guards/approved": "^x$\n",
    ".config/guards/policy.toml": "a = 1\n",
}
OLD = (1_700_000_000, 1_700_000_000)


def environment(home: Path) -> dict[str, str]:
    when = "2026-01-02T03:04:05Z"
    return {
        "HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "USER": "dev", "LANG": "C.UTF-8",
        "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "TMPDIR": str(home.parent / "tmp"),
    }  # fmt: skip


def build(base: Path) -> None:
    """base/home, base/repo, base/ext, base/tmp."""
    home, repo = base / "home", base / "repo"
    for folder in (home, repo, base / "ext", base / "tmp"):
        folder.mkdir(parents=True)
    for root, files in ((home, HOME), (repo, FILES)):
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
    (repo / "scripts/fix.sh").chmod(0o755)
    for name, target in (
        ("wf", ".github/workflows"),
        ("link.yml", ".github/workflows/ci.yml"),
        ("plain.txt", "conf/keys.yaml"),
    ):
        (repo / name).symlink_to(target)

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=repo, env=environment(home), check=True, capture_output=True, text=True
        )
        return done.stdout

    git("init", "-q")
    for key, value in (("gc.auto", "0"), ("core.checkStat", "minimal"), ("core.trustctime", "false")):
        git("config", key, value)
    git("add", "-A")
    git("commit", "-qm", "start")
    _second_branch(repo, git)
    _archives(repo)
    git("add", "-A")
    git("commit", "-qm", "packs")
    with (repo / "src/gate/door.py").open("a") as file:
        file.write("# put aside\n")
    git("stash", "-q")
    with (repo / "src/app.py").open("a") as file:
        file.write("# here\n")
    (repo / "scratch.txt").write_text("x\n")
    (repo / "ops/extra.conf").write_text("# u\n")
    for path in [*repo.rglob("*"), *home.rglob("*")]:
        if ".git" not in path.relative_to(base).parts:
            newer = (OLD[0] + 86400,) * 2 if "drafts" in path.parts else OLD
            os.utime(path, newer, follow_symlinks=False)
    git("add", "--refresh", "-A")


def _second_branch(repo: Path, git: object) -> None:
    """feature: other content in two lanes, and patches of it."""
    assert callable(git)
    git("checkout", "-qb", "feature")
    ci = repo / ".github/workflows/ci.yml"
    ci.write_text(ci.read_text().replace("on: push", "on: never"))
    (repo / "src/gate/door.py").write_text("def enter(user): raise NotImplementedError\n")
    (repo / "docs/feature.md").write_text("new\n")
    git("add", "-A")
    git("commit", "-qm", "feature work")
    (repo.parent / "tmp/ci.patch").write_text(git("diff", "main", "feature", "--", ".github/workflows/ci.yml"))
    (repo.parent / "tmp/door.diff").write_text(git("diff", "main", "feature", "--", "src/gate/door.py"))
    git("format-patch", "-q", "-1", "-o", str(repo.parent / "tmp/fp"))
    git("checkout", "-q", "main")
    (repo / "patches").mkdir()
    for source, target in (("ci.patch", "ci.patch"), ("door.diff", "door.diff")):
        shutil.copy(repo.parent / "tmp" / source, repo / "patches" / target)
    shutil.copy(next((repo.parent / "tmp/fp").iterdir()), repo / "patches/0001-feature.patch")
    (repo / "patches/util.diff").write_text(
        "--- src/util.py\n+++ src/util.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a + b\n+    return b + a\n"
    )


def _archives(repo: Path) -> None:
    members = [".github/workflows/ci.yml", "conf/keys.yaml"]
    for name, mode in (("bundle.tar", "w"), ("bundle.tgz", "w:gz")):
        with tarfile.open(repo / name, mode) as tar:  # type: ignore[call-overload]
            for member in members:
                tar.add(repo / member, member)
    with zipfile.ZipFile(repo / "bundle.zip", "w") as packed:
        for member in members:
            packed.write(repo / member, member)
    with tarfile.open(repo / "wf.tar", "w") as tar, zipfile.ZipFile(repo / "wf.zip", "w") as packed:
        for member in ("ci.yml", "nightly.yml"):
            tar.add(repo / "drafts/workflows" / member, member)
            packed.write(repo / "drafts/workflows" / member, member)
    (repo / "bundle.cpio").write_bytes(
        _newc({name: (repo / name).read_bytes() for name in [*members, ".github/CODEOWNERS"]})
    )


def _newc(files: dict[str, bytes]) -> bytes:
    """A cpio archive in the new ASCII form."""
    out = b""
    for name, data in [*files.items(), ("TRAILER!!!", b"")]:
        fields = [1, 0o100644, 0, 0, 1, OLD[0], len(data), 0, 0, 0, 0, len(name) + 1, 0]
        out += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + data
        out += b"\0" * (-len(out) % 4)
    return out


@dataclass
class Ground:
    """A built world and a machine whose lanes hold it. `words` puts @R@ and @H@ into a command."""

    base: Path
    machine: Machine
    tables: Tables = field(init=False)

    def __post_init__(self) -> None:
        self.home, self.repo = self.base / "home", self.base / "repo"
        self.machine.policy("human-lane", LANES.replace('"~/', f'"/{self.home}/'))
        self.tables = load(self.machine.places)

    def words(self, command: str) -> str:
        return (
            command.replace("@R@", str(self.repo)).replace("@H@", str(self.home)).replace("@X@", str(self.base / "ext"))
        )

    def event(self, command: str, cwd: str = "@R@") -> Event:
        event = Event("claude", "before-tool", {})
        event.tool, event.input = "Bash", {"command": self.words(command)}
        event.cwd, event.project = self.words(cwd), str(self.repo)
        return event

    def world(self, session: Session | None = None) -> World:
        env = {name.encode(): value.encode() for name, value in environment(self.home).items()}
        return World({**self.machine.places, "home": str(self.home)}, session or Session("", ""), env)

    def judge(self, command: str, cwd: str = "@R@", guard: str = "", session: Session | None = None) -> list[Verdict]:
        """Every refusal of the command; a fault of a guard fails the test."""
        event, world = self.event(command, cwd), self.world(session)
        dispatch.prepare(event, self.tables, world)
        outcome = dispatch.run(event, self.tables, world, guard)
        assert not outcome.faults
        return [v for v in outcome.verdicts if v.action in ("deny", "ask")]

    def walk(self, command: str, cwd: str = "@R@") -> Walk:
        """Steps and effects of the command."""
        event, world = self.event(command, cwd), self.world()
        dispatch.prepare(event, self.tables, world)
        return effects.walk(event, world)

    def touched(self, command: str, cwd: str = "@R@") -> set[tuple[str, str]]:
        """(act, path seen from the repository) of every exact effect."""
        found = set()
        for effect in self.walk(command, cwd).effects:
            if effect.certainty == "exact":
                path = os.path.normpath(os.path.join(effect.cwd, effect.path))
                found.add((effect.act, os.path.relpath(path, self.repo) if path.startswith(str(self.repo)) else path))
        return found


# ---- for real
Seen = dict[str, tuple[object, ...]]


def snapshot(base: Path) -> Seen:
    """Everything that a command could change, but for git's own files."""
    found: Seen = {}
    for top in ("repo", "home", "ext"):
        for folder, folders, files in os.walk(base / top):
            inside = os.path.relpath(folder, base)
            if inside.startswith("repo/.git/") and not inside.startswith("repo/.git/hooks"):
                continue
            for name in [*folders, *files]:
                if inside == "repo/.git" and name not in ("config", "hooks"):
                    continue
                found[f"{inside}/{name}"] = _look(os.path.join(folder, name))
    return found


def _look(path: str) -> tuple[object, ...]:
    info = os.lstat(path)
    if os.path.islink(path):
        return (info.st_mode, os.readlink(path), info.st_ino)
    if os.path.isdir(path):
        return (info.st_mode, info.st_uid, info.st_gid)
    return (info.st_mode, info.st_uid, info.st_gid, info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_nlink)


def run(pristine: Path, base: Path, command: str, cwd: str) -> list[str]:
    """What the command changes in a fresh copy; paths as in `snapshot`. The copy lies where the original did."""
    shutil.rmtree(base, ignore_errors=True)
    subprocess.run(["cp", "-a", str(pristine), str(base)], check=True)
    before = snapshot(base)
    try:
        subprocess.run(
            ["bash", "-c", command], cwd=cwd, env=environment(base / "home"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ["timeout"]
    after = snapshot(base)
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def held(changed: list[str]) -> list[str]:
    """Those of the changes that lie in a lane."""
    found = []
    for path in changed:
        top, _, inside = path.partition("/")
        lanes = HELD if top == "repo" else HELD_HOME if top == "home" else ()
        if any(inside == lane or inside.startswith(lane + "/") for lane in lanes):
            found.append(path)
    return found
