"""The sealed closure: computed from the places and the interpreter, wherever the owner's links lead."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from guards.compile import sealed
from guards.compile.build import build
from tests.lanes.judging import refusal, write
from tests.machine import ROOT, Machine


def deciding(machine: Machine) -> dict[str, Path]:
    """What decides on this machine, one path each."""
    venv = Path(sys.prefix)
    return {
        "the install folder": machine.install / "new",
        "the record of places": machine.install / "places",
        "the link to the code": machine.install / "code",
        "the code through that link": machine.install / "code/lanes/find.py",
        "the code itself": ROOT / "guards/hook.py",
        "a module that would be new": ROOT / "guards/lanes/new.py",
        "the bundled policy": ROOT / "policy/human-lane.toml",
        "the interpreter's link": machine.install / "py",
        "the venv": venv / "pyvenv.cfg",
        "its packages": Path(machine.places["packages"]) / "regex/__init__.py",
        "the machine's policy": machine.config / "policy/human-lane.toml",
        "a policy that would be new": machine.config / "policy/new.toml",
        "the approvals": Path(machine.places["approvals"]),
        "their folder": Path(machine.places["approvals"]).parent / "other",
        "guards' own folder of settings": machine.config / "x",
        "the state": machine.state / "tables/machine",
    }


def test_everything_that_decides_is_sealed(machine: Machine) -> None:
    root = machine.repo()
    machine.approve(".*")
    said = {name: "is sealed" in refusal(machine, path, root) for name, path in deciding(machine).items()}
    assert [name for name, told in said.items() if not told] == []


def test_the_rest_of_the_checkout_and_other_clones_are_ordinary(machine: Machine) -> None:
    assert write(machine, ROOT / "tests/new_test.py", ROOT) == "none"
    assert write(machine, ROOT / "README.md", ROOT) == "none"
    clone = machine.repo("guards", {"guards/hook.py": "x", "policy/x.toml": "x"})
    assert write(machine, "guards/hook.py", clone) == "none"
    assert write(machine, "policy/x.toml", clone) == "none"


@pytest.mark.skipif(not os.access(os.path.realpath(sys.executable), os.W_OK), reason="the base interpreter is not ours")
def test_a_base_interpreter_that_the_user_could_write_is_sealed(machine: Machine) -> None:
    root = machine.repo()
    real = os.path.realpath(sys.executable)
    assert "is sealed" in refusal(machine, real, root)
    assert "is sealed" in refusal(machine, os.path.join(os.path.dirname(os.__file__), "posixpath.py"), root)


def test_what_an_interpreter_is_linked_with_is_sealed_where_the_user_could_write_it(machine: Machine) -> None:
    """A program of a version manager is small: the interpreter is the library beside it, read by every hook."""
    names = ("bin/python3.11", "lib/libpython3.11.so.1.0", "lib/python3.11/os.py")
    made = machine.repo("py", dict.fromkeys(names, "x"))
    (made / "lib/libpython3.11.so").symlink_to("libpython3.11.so.1.0")
    machine.places["python"] = str(made / "bin/python3.11")
    found = sealed.paths(machine.places)
    for name in ("bin/python3.11", "lib/libpython3.11.so.1.0", "lib/libpython3.11.so", "lib/python3.11"):
        assert str(made / name) in found, name
    assert str(made / "lib") not in found


def test_what_the_owners_links_lead_to_is_sealed(machine: Machine) -> None:
    config = machine.repo("config", {"policy/human-lane.toml": "strict = false\n", "one/spawn-envelope.toml": ""})
    folder = machine.config / "policy"
    folder.rmdir()
    folder.symlink_to(config / "policy")
    (config / "policy/spawn-envelope.toml").symlink_to(config / "one/spawn-envelope.toml")
    for path in ("policy/human-lane.toml", "policy/new.toml", "one/spawn-envelope.toml"):
        assert "is sealed" in refusal(machine, config / path, config), path
    assert write(machine, config / "one/other.toml", config) == "none"


def test_a_link_made_after_the_tables_still_counts_by_the_file_it_leads_to(machine: Machine) -> None:
    root = machine.repo("proj", {"kept": f"^{machine.home}/nothing$\n"})
    assert write(machine, "kept", root) == "none"
    path = Path(machine.places["approvals"])
    path.unlink()
    path.symlink_to(root / "kept")
    (root / "kept").chmod(0o600)
    assert "is sealed" in refusal(machine, "kept", root)


def test_a_home_reached_through_a_link_has_one_set_of_lanes(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    machine = Machine(tmp_path / "link")
    root = machine.repo()
    real = tmp_path / "real/home"
    for path in (".bashrc", ".claude/settings.json", ".local/state/guards/x", ".config/systemd/user/x.service"):
        assert write(machine, machine.home / path, root) == "deny", path
        assert write(machine, real / path, root) == "deny", path


def test_a_shell_start_up_file_that_is_a_link_holds_at_its_end_too(machine: Machine) -> None:
    dots = machine.repo("dots", {"bashrc": "x"})
    (machine.home / ".bashrc").symlink_to(dots / "bashrc")
    assert write(machine, dots / "bashrc", dots) == "deny"


def test_a_harness_folder_that_stands_elsewhere_is_exact_when_it_is_recorded(machine: Machine) -> None:
    machine.places.update(claude=str(machine.home / "cfg"), copy=str(machine.home / "repo/settings.json"))
    table = build(machine.places, names=["human-lane"]).sections["human-lane"]
    marked = {path for path, _ in table["marked"]}
    assert {f"{machine.home}/{path}" for path in ("cfg/settings.json", "cfg/hooks", "repo/settings.json")} <= marked


@pytest.mark.parametrize(
    ("wired", "held", "open_"),
    [
        ("settings.json", ["settings.json", "settings.local.json", "hooks/x.sh"], "CLAUDE.md"),
        ("hooks.json", ["hooks.json", "config.toml", "rules/x.rules"], "AGENTS.md"),
        ("hooks/guards.json", ["hooks/guards.json", "hooks/x.json", "config.json", "settings.json"], "agents/a.md"),
    ],
)
def test_settings_that_were_wired_elsewhere_are_exact_with_what_lies_beside_them(
    machine: Machine, wired: str, held: list[str], open_: str
) -> None:
    """CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME at install: the record of what was wired names the file."""
    root = machine.repo()
    assert write(machine, machine.home / "cfg" / wired, root) == "none"
    files: dict[str, dict[str, list[str]]] = {f"{machine.home}/cfg/{wired}": {"made": []}}
    (machine.install / "wired").write_text(json.dumps({"files": files}))
    machine.approve(".*")
    for path in held:
        assert write(machine, machine.home / "cfg" / path, root) == "deny", path
    assert write(machine, machine.home / "cfg" / open_, root) == "none"
    (machine.install / "wired").write_text("{")
    assert write(machine, machine.home / "cfg" / wired, root) == "none"


def test_places_that_are_no_places_seal_nothing() -> None:
    odd = {"home": "/home/o", "install": "", "state": "/home/o", "policy": "relative", "machine": "/"}
    assert sealed.paths(odd) == []


def test_every_link_on_the_way_counts(tmp_path: Path) -> None:
    (tmp_path / "end").write_text("x")
    (tmp_path / "mid").symlink_to("end")
    (tmp_path / "start").symlink_to(tmp_path / "mid")
    assert set(sealed.ways(str(tmp_path / "start"))) == {str(tmp_path / name) for name in ("start", "mid", "end")}
    (tmp_path / "ring").symlink_to("ring")
    assert str(tmp_path / "ring") in sealed.ways(str(tmp_path / "ring"))
