"""The way out works when nothing else does: no venv, another Python, half a package, no record."""

from __future__ import annotations

import ast
import glob
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.wiring.owner import ROOT, SETTINGS, Owner

SCRIPT = ROOT / "guards/wiring/unwire.py"
TEXT = '{\n  "model":  "opus"\n}\n'


def pythons() -> list[str]:
    """Every other Python 3 at hand."""
    found = [shutil.which(f"python3.{minor}") for minor in range(6, 16)] + [shutil.which("python3", path="/usr/bin")]
    found += glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3"))
    real = {os.path.realpath(name): name for name in found if name and "shims" not in name}
    return sorted(real) or [sys.executable]


def checkout(owner: Owner) -> Path:
    """A copy of the checkout without its venv."""
    copy = owner.home / "checkout"
    (copy / "guards").parent.mkdir(parents=True)
    shutil.copytree(ROOT / "guards", copy / "guards", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    return copy


def unwire(owner: Owner, *words: str, python: str = sys.executable, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, str(SCRIPT), *words], env=owner.env(**env), capture_output=True, text=True, timeout=60, check=False
    )


def test_make_unwire_takes_everything_out_with_the_venv_gone(owner: Owner) -> None:
    owner.settings.write_text(TEXT)
    owner.wired()
    copy = checkout(owner)
    shutil.rmtree(copy / "guards/engine")
    done = subprocess.run(
        ["make", "unwire"], cwd=copy, env=owner.env(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(owner.settings) in done.stdout
    assert owner.settings.read_text() == TEXT


@pytest.mark.parametrize("python", pythons())
def test_any_python_3_takes_everything_out(owner: Owner, python: str) -> None:
    owner.settings.write_text(TEXT)
    owner.wired()
    done = unwire(owner, python=python)
    assert done.returncode == 0, done.stderr
    assert owner.settings.read_text() == TEXT


def test_the_script_is_written_for_python_3_6_and_imports_the_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
    names = [n.name for node in ast.walk(tree) if isinstance(node, ast.Import) for n in node.names]
    assert set(names) <= sys.stdlib_module_names
    froms = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert set(froms) <= {"collections.abc", "typing"}


@pytest.mark.parametrize("source", SETTINGS[::3], ids=lambda path: path.stem)
def test_without_the_install_folder_nothing_of_ours_is_left_and_nothing_foreign_is_lost(
    owner: Owner, source: Path
) -> None:
    from guards.wiring import unwire as way_out

    owner.settings.write_bytes(source.read_bytes())
    owner.run("install", "--yes")
    assert owner.entries()
    shutil.rmtree(owner.install)
    done = unwire(owner)
    assert done.returncode == 0, done.stderr
    assert owner.entries() == {}
    before = way_out.parse(way_out.decode(source.read_bytes())).plain()
    after = way_out.parse(way_out.decode(owner.settings.read_bytes())).plain()
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    for key in set(before) - {"hooks", "permissions"}:
        assert after[key] == before[key]
    hooks = {event: groups for event, groups in before.get("hooks", {}).items() if groups}
    assert {event: groups for event, groups in after.get("hooks", {}).items() if groups} == hooks


def test_a_file_that_does_not_parse_is_named_and_the_others_are_still_cleaned(owner: Owner) -> None:
    other = owner.home / "work/settings.json"
    owner.wired()
    owner.wired(CLAUDE_CONFIG_DIR=str(other.parent))
    owner.settings.write_text(owner.settings.read_text()[:-3])
    done = unwire(owner)
    assert done.returncode == 1
    assert str(owner.settings) in done.stderr
    assert "Traceback" not in done.stderr
    assert not other.exists()


def test_a_settings_file_elsewhere_is_found_through_the_record(owner: Owner) -> None:
    other = owner.home / "work/settings.json"
    other.parent.mkdir()
    other.write_text(TEXT)
    owner.wired(CLAUDE_CONFIG_DIR=str(other.parent))
    assert unwire(owner).returncode == 0
    assert other.read_text() == TEXT


def test_an_install_folder_elsewhere_can_be_named(owner: Owner) -> None:
    owner.settings.write_text(TEXT)
    share = owner.home / "share"
    owner.wired(XDG_DATA_HOME=str(share))
    assert unwire(owner, "--install", str(share / "guards")).returncode == 0
    assert owner.settings.read_text() == TEXT


def test_where_nothing_is_wired_nothing_is_written(owner: Owner) -> None:
    owner.settings.write_text(TEXT)
    before = owner.snapshot()
    assert unwire(owner).returncode == 0
    assert owner.snapshot() == before


def test_other_harnesses_files_are_cleaned_too(owner: Owner) -> None:
    """Codex and Gemini share the shape; Cursor's entries stand right below the event."""
    line = "/x/py -IS /x/code/hook.py codex before-tool || exit 2  # guards:managed"
    codex = owner.home / ".codex/hooks.json"
    cursor = owner.home / ".cursor/hooks.json"
    for path in (codex, cursor):
        path.parent.mkdir()
    codex.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": line}]}]}}))
    cursor.write_text(json.dumps({"version": 1, "hooks": {"stop": [{"command": "mine"}, {"command": line}]}}))
    assert unwire(owner).returncode == 0
    assert json.loads(codex.read_text()) == {}
    assert json.loads(cursor.read_text()) == {"version": 1, "hooks": {"stop": [{"command": "mine"}]}}


def test_below_a_harness_it_changes_nothing(owner: Owner) -> None:
    owner.wired()
    before = owner.snapshot()
    done = unwire(owner, AI_AGENT="1")
    assert done.returncode == 2
    assert "owner" in done.stderr
    assert owner.snapshot() == before


def test_help_says_what_it_does() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "way out" in done.stdout
    done = subprocess.run([sys.executable, str(SCRIPT), "--wrong"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
