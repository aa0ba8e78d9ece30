"""The command can be typed after an install: a script that runs this checkout, a link where PATH looks, both sealed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guards.wiring import launcher
from tests.machine import Machine
from tests.wiring.owner import ROOT, Owner


def link(owner: Owner) -> Path:
    return owner.home / ".local/bin/guards"


def typed(owner: Owner, *words: str) -> subprocess.CompletedProcess[str]:
    """As an owner types it, from a folder that holds a package of the same name."""
    (owner.home / "src/guards").mkdir(parents=True, exist_ok=True)
    (owner.home / "src/guards/__init__.py").write_text("raise SystemExit('the wrong guards')\n")
    (owner.home / "src/json.py").write_text("raise SystemExit('the wrong json')\n")
    env = owner.env(PATH=f"{owner.home}/.local/bin:{owner.bin}:/usr/bin:/bin", PYTHONPATH=str(owner.home / "src"))
    argv = ["/bin/sh", "-c", 'exec "$0" "$@"', *words]
    return subprocess.run(argv, cwd=owner.home / "src", env=env, capture_output=True, text=True, check=False)


def test_the_command_lies_in_the_install_folder_and_install_says_where(owner: Owner) -> None:
    done = owner.wired()
    assert f"the command is {owner.install}/guards; where {owner.home}/.local/bin exists" in done.stdout
    assert not os.path.lexists(link(owner))
    said = typed(owner, str(owner.install / "guards"), "status")
    assert said.returncode == 0, said.stdout + said.stderr
    assert f"laid out in {owner.install}" in said.stdout


def test_the_link_is_made_where_path_looks_and_uninstall_takes_it(owner: Owner) -> None:
    done = owner.wired(PATH=f"{owner.home}/.local/bin:{owner.bin}:/usr/bin:/bin")
    assert f"the command is guards ({link(owner)})" in done.stdout
    assert typed(owner, "guards", "status").returncode == 0
    assert "Usage: guards log" in typed(owner, "guards", "log", "--help").stdout
    done = owner.run("uninstall", "--yes")
    assert f"{link(owner)}: the link to the command is out" in done.stdout
    assert not os.path.lexists(link(owner))
    assert (owner.install / "guards").exists()


def test_a_folder_that_is_there_gets_the_link_and_unwire_takes_it(owner: Owner) -> None:
    link(owner).parent.mkdir(parents=True)
    assert "is not on your PATH yet" in owner.wired().stdout
    assert os.readlink(link(owner)) == str(owner.install / "guards")
    argv = [sys.executable, str(ROOT / "guards/wiring/unwire.py")]
    done = subprocess.run(argv, env=owner.env(), capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert not os.path.lexists(link(owner))


@pytest.mark.parametrize("kind", ["file", "link"])
def test_another_guards_is_left_alone(owner: Owner, kind: str) -> None:
    link(owner).parent.mkdir(parents=True)
    link(owner).symlink_to("/opt/guards") if kind == "link" else link(owner).write_text("#!/bin/sh\n")
    assert "is not from guards and was left as it is" in owner.wired().stdout
    owner.run("uninstall", "--yes")
    subprocess.run([sys.executable, str(ROOT / "guards/wiring/unwire.py")], env=owner.env(), check=False)
    assert os.path.lexists(link(owner))


def test_without_its_interpreter_the_script_names_the_cure(tmp_path: Path) -> None:
    script = tmp_path / "guards"
    script.write_text(launcher.text({"python": "/gone/it's/python", "checkout": "/home/o/my guards"}))
    done = subprocess.run(["/bin/sh", str(script), "status"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "run make install in /home/o/my guards" in done.stderr


def test_script_and_link_are_sealed(machine: Machine) -> None:
    machine.repo()
    (machine.home / ".local/bin").mkdir(parents=True)
    assert not machine.write(machine.home / ".local/bin/guards").denied, "no link of ours stands there"
    launcher.lay(machine.places, "")
    machine.approve(".*")
    for path in (machine.install / "guards", machine.home / ".local/bin/guards"):
        fired = machine.write(path)
        assert fired.denied, path
        assert "sealed" in fired.err
