"""The recovery table of HOOKS.md, row by row: each thing is broken for real, and the cure is typed as written.

The owner's checkout here is a copy with a repository of its own, so that `git checkout -- guards` and `make install`
are the very commands of the manual.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests import kept
from tests.machine import ROOT, Fired, fire, tool

MANUAL = (ROOT / "HOOKS.md").read_text(encoding="utf-8")
PARTS = ("guards", "policy", "approvals", "Makefile", "pyproject.toml", "README.md")


class Owner:
    """A home with a checkout of its own, wired by `make install` at a terminal."""

    def __init__(self, base: Path) -> None:
        self.home, self.checkout = base / "home", base / "checkout"
        self.settings, self.project = self.home / ".claude/settings.json", self.home / "proj"
        kept.once(base, "", self._made)

    def _made(self) -> None:
        self.settings.parent.mkdir(parents=True)
        self.settings.write_text('{\n  "model": "opus"\n}\n')
        self.checkout.mkdir()
        for part in PARTS:
            source = ROOT / part
            skip = shutil.ignore_patterns("*.pyc.*")  # a compiled file in the making
            shutil.copytree(source, self.checkout / part, ignore=skip) if source.is_dir() else shutil.copy2(
                source, self.checkout / part
            )
        self._venv()
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=o", "-c", "user.email=o@o", "commit", "-qm", "x"],
        ):
            subprocess.run(["git", *words], cwd=self.checkout, env=self.env(), check=True)
        (self.project / ".git").mkdir(parents=True)
        self.type("make install")

    def _venv(self) -> None:
        """Stands for the built venv: the same interpreter and packages, and the checkout's own code."""
        venv = self.checkout / ".venv"
        (venv / "bin").mkdir(parents=True)
        os.symlink(os.path.realpath(sys.executable), venv / "bin/python3")
        shutil.copy2(Path(sys.prefix) / "pyvenv.cfg", venv / "pyvenv.cfg")
        os.symlink(Path(sys.prefix) / "lib", venv / "lib")
        os.symlink("python3", venv / "bin/python")
        command = venv / "bin/guards"
        command.write_text(f'#!/bin/sh\nPYTHONPATH="{self.checkout}" exec "{venv}/bin/python" -m guards.cli "$@"\n')
        command.chmod(0o755)
        (venv / ".built").touch()
        (self.checkout / ".gitignore").write_text(".venv\n__pycache__\n")

    def env(self) -> dict[str, str]:
        python = os.path.dirname(os.path.realpath(sys.executable))
        path = f"{self.checkout}/.venv/bin:{python}:/usr/local/bin:/usr/bin:/bin"
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb", "COLUMNS": "300"}

    def type(self, line: str) -> str:
        """Types a line at a terminal in the checkout, says yes to a question, and gives back what was shown."""
        child = pexpect.spawn(
            "/bin/bash", ["-c", line], cwd=str(self.checkout), env=self.env(), timeout=120, encoding="utf-8",
            dimensions=(50, 300),
        )  # fmt: skip
        said = ""
        while child.expect([r"\[y/N\] ", pexpect.EOF]) == 0:
            said += child.before
            child.sendline("y")
        child.close()
        return f"{said}{child.before}"

    def line(self, event: str) -> str:
        for group in json.loads(self.settings.read_text())["hooks"][event]:
            for entry in group["hooks"]:
                return str(entry["command"])
        raise AssertionError(f"nothing is wired at {event}")

    def write(self, path: str) -> Fired:
        """A Write call through the live settings."""
        payload = tool("Write", {"file_path": path, "content": "x"}, cwd=self.project)
        return fire(["/bin/sh", "-c", self.line("PreToolUse")], json.dumps(payload).encode(), cwd="/", env=self.env())

    def well(self) -> bool:
        """Whether the guards judge again, both ways."""
        refused, passed = self.write(".github/x.yml"), self.write("src/app.py")
        return refused.denied and "lane 'ci'" in refused.err and passed.silent and "(guards:" not in refused.err

    def policy(self, name: str) -> Path:
        path = self.home / f".config/guards/policy/{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@pytest.fixture
def owner(tmp_path_factory: pytest.TempPathFactory) -> Owner:
    made = Owner(kept.fresh(tmp_path_factory.getbasetemp() / "recovery/base"))
    assert made.well()
    return made


def rows() -> dict[str, tuple[str, str]]:
    """From what broke to (sign, cure), as the manual has them."""
    section = MANUAL.split("## How you come back", 1)[1].split("\n## ", 1)[0]
    found = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| ") else []
        if len(cells) == 3 and cells[0] != "what broke":
            found[cells[0]] = (cells[1], cells[2])
    return found


def commands(cure: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cure)


ROWS = rows()


def row(start: str) -> tuple[str, list[str]]:
    """The sign and the typed commands of the row that begins so."""
    (found,) = [cells for what, cells in ROWS.items() if what.startswith(start)]
    return found[0], commands(found[1])


@pytest.mark.parametrize("what", ["the folder", "the code link", "the interpreter link", "the record"])
def test_the_install_folder_or_a_link_in_it_is_gone(owner: Owner, what: str) -> None:
    folder = owner.home / ".local/share/guards"
    part = {"the code link": "code", "the interpreter link": "py", "the record": "places"}.get(what)
    (folder / part).unlink() if part else shutil.rmtree(folder)
    fired = owner.write("src/app.py")
    assert fired.denied
    assert "make unwire" in fired.err or "make install" in fired.err
    _, cure = row("the install folder")
    assert cure == ["make install"]
    owner.type(cure[0])
    assert owner.well()


@pytest.mark.parametrize("how", ["missing", "empty", "conflict"])
def test_hook_py_is_missing_empty_or_holds_a_merge_conflict(owner: Owner, how: str) -> None:
    hook = owner.checkout / "guards/hook.py"
    text = hook.read_text()
    hook.unlink()
    if how != "missing":
        hook.write_text("" if how == "empty" else f"<<<<<<< HEAD\n{text}=======\n>>>>>>> other\n")
    fired = owner.write("src/app.py")
    assert fired.denied
    assert how == "conflict" or "make unwire" in fired.err
    _, cure = row("`hook.py` is missing")
    assert cure == ["git checkout -- guards", "guards fire"]
    for line in cure:
        owner.type(line)
    assert owner.well()


def test_the_package_is_half_updated(owner: Owner) -> None:
    door = owner.checkout / "guards/engine/door.py"
    door.write_text(door.read_text().replace("from guards.engine.world import", "from guards.engine.moved import"))
    fired = owner.write("src/app.py")
    assert fired.denied
    assert "guards could not judge this call (" in fired.err
    _, cure = row("the package is half-updated")
    assert "engine/door.py" in owner.type(cure[0])
    owner.type("git checkout -- guards")  # the pull is undone
    assert "ok" in owner.type(cure[1])
    assert owner.well()


def test_a_guard_raises(owner: Owner) -> None:
    guard = owner.checkout / "guards/human_only.py"
    guard.write_text("def judge(event, rules, world):\n    raise KeyError('x')\n")
    payload = tool("Bash", {"command": "git status"}, cwd=owner.project)
    argv = ["/bin/sh", "-c", owner.line("PreToolUse")]
    fired = fire(argv, json.dumps(payload).encode(), cwd="/", env=owner.env())
    sign, cure = row("a guard raises")
    assert "the guard human-only could not judge this call" in fired.err
    assert sign.strip("`").replace("X", "human-only") in fired.err
    assert cure[:2] == ["off = true", "~/.config/guards/policy/X.toml"]
    owner.policy("human-only").write_text(cure[0] + "\n")
    assert "fine" in owner.type(cure[2]) or "no fault" in owner.type(cure[2])
    assert fire(argv, json.dumps(payload).encode(), cwd="/", env=owner.env()).silent


def test_the_policy_has_a_fault(owner: Owner) -> None:
    owner.policy("human-lane").write_text("[[lane]\n")
    fired = owner.write(".github/x.yml")
    sign, cure = ROWS["the policy has a fault"][0], commands(ROWS["the policy has a fault"][1])
    assert "the last good one is in force" in sign
    assert "does not compile; the last good one is in force" in fired.err
    assert "human-lane.toml" in owner.type(cure[0])
    owner.policy("human-lane").write_text("")
    assert owner.well()


def test_the_policy_has_a_fault_and_nothing_good_is_left(owner: Owner) -> None:
    owner.policy("human-lane").write_text("[[lane]\n")
    shutil.rmtree(owner.home / ".local/state/guards/tables")
    fired = owner.write("src/app.py")
    assert fired.denied
    assert "guards check" in fired.err
    assert "human-lane.toml" in owner.type("guards check")
    owner.policy("human-lane").write_text("")
    assert owner.well()


def test_approvals_are_writable_by_others(owner: Owner) -> None:
    approvals = owner.home / ".config/guards/approvals/human-lane"
    approvals.write_text(f"^{re.escape(str(owner.project))}/\\.github/x\\.yml$\n")
    approvals.chmod(0o666)
    fired = owner.write(".github/x.yml")
    assert fired.denied
    found = re.search(r"chmod [^\s,;]+ [^\s,;]+", fired.err)
    assert found, fired.err
    owner.type(found[0].rstrip(".)"))
    assert owner.write(".github/x.yml").silent


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes into read-only folders; the full disk below covers it")
def test_the_state_folder_is_read_only(owner: Owner) -> None:
    state = owner.home / ".local/state/guards"
    for folder in [*state.rglob("*/"), state]:
        folder.chmod(0o500)
    assert "judged without memory" in owner.write(".github/x.yml").err
    owner.type(row("the disk is full")[1][1])
    assert owner.write(".github/x.yml").denied


@pytest.mark.skipif(os.geteuid() != 0, reason="a disk of its own needs root")
def test_the_disk_is_full(owner: Owner) -> None:
    state = owner.home / ".local/state/guards"
    shutil.rmtree(state / "journal", ignore_errors=True)
    (state / "journal").mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(state / "journal")], check=False)
    if mounted.returncode:
        pytest.skip("the kernel does not let this process mount a small disk")
    try:
        full = state / "journal/full"
        with pytest.raises(OSError, match="No space"), full.open("wb", buffering=0) as handle:
            while True:
                handle.write(b"x" * 4096)
        fired = owner.write(".github/x.yml")
        assert fired.denied
        assert "judged without memory" in fired.err
        assert owner.write("src/app.py").silent
        full.unlink()  # the disk is freed
        assert owner.well()
    finally:
        subprocess.run(["umount", str(state / "journal")], check=True)


def test_the_settings_file_does_not_parse(owner: Owner) -> None:
    owner.settings.write_text("{ half")
    sign, cure = row("the settings file does not parse")
    for command in commands(sign):
        assert "settings.json" in owner.type(command)
    for line in cure:
        owner.type(line)
    assert owner.well()


@pytest.mark.parametrize("how", ["taken out", "doubled", "changed"])
def test_an_entry_was_changed(owner: Owner, how: str) -> None:
    live = json.loads(owner.settings.read_text())
    groups = live["hooks"]["PreToolUse"]
    if how == "taken out":
        del live["hooks"]["PreToolUse"]
    elif how == "doubled":
        groups.append(json.loads(json.dumps(groups[0]).replace("claude before-tool", "claude  before-tool")))
    else:
        groups[0]["hooks"][0]["timeout"] = 1
    owner.settings.write_text(json.dumps(live))
    sign, cure = row("an entry was taken out")
    said = owner.type(commands(sign)[0])
    assert any(word in said for word in ("missing", "doubled", "differs"))
    owner.type(cure[0])
    assert owner.well()
    assert owner.settings.read_text().count("claude before-tool") == 1


def test_the_harness_was_upgraded(owner: Owner) -> None:
    program = owner.checkout / ".venv/bin/claude"
    program.write_text("#!/bin/sh\necho '2.1.332 (Claude Code)'\n")
    program.chmod(0o755)
    sign, cure = row("the harness was upgraded")
    said = owner.type(commands(sign)[0])
    assert any(word in said for word in commands(sign)[1:])
    owner.type(cure[0])
    assert owner.well()
    assert not any(word in owner.type(commands(sign)[0]) for word in commands(sign)[1:])


def test_guards_refuses_what_it_should_not_and_there_is_no_time(owner: Owner) -> None:
    _, cure = row("guards refuses what it should not")
    owner.type(cure[0])
    assert owner.write(".github/x.yml").silent
    assert owner.write(str(owner.settings)).denied, "sealed and exact paths stay closed"


@pytest.mark.parametrize("which", [0, 1])
def test_nothing_helps(owner: Owner, which: int) -> None:
    shutil.rmtree(owner.checkout / ".venv")
    assert owner.write("src/app.py").denied
    _, cure = row("nothing helps")
    owner.type(cure[which])
    assert owner.settings.read_text() == '{\n  "model": "opus"\n}\n'


@pytest.mark.slow
def test_the_venv_is_gone(owner: Owner) -> None:
    shutil.rmtree(owner.checkout / ".venv")
    assert "make unwire" in owner.write("src/app.py").err
    _, cure = row("the venv is gone")
    for line in cure:
        owner.type(line)
    assert owner.well()


def test_every_row_of_the_table_is_broken_here() -> None:
    starts = set(re.findall(r'(?:row|ROWS)[(\[]"([^"]+)"', Path(__file__).read_text(encoding="utf-8")))
    starts |= {"the policy has a fault and nothing good is left", "approvals are writable by others"}
    for what in ROWS:
        assert any(what.startswith(start) for start in starts), what
    assert len(ROWS) == 14


def test_no_row_promises_what_cannot_be_typed() -> None:
    typed: dict[str, Callable[[], Any]] = {}
    for what, (_, cure) in ROWS.items():
        assert commands(cure) or cure in ("that `chmod`", "that chmod", "the same"), (what, typed)
