"""`guards install --fence`: one variable in Claude Code's settings, put in and taken out like all that is ours."""

from __future__ import annotations

import json

import pytest

from guards.wiring import fenced, unwire, wire
from guards.wiring.forms import claude
from guards.wiring.text import Refused
from tests.wiring.owner import Owner

TEXTS = [
    "{}\n", '{"env": {}}', '{\n  "env": {\n    "A": "1"\n  },\n  "model": "x"\n}\n', '{"a":1,"env":{"A":"1"}}',
    "{\n}\n",
]  # fmt: skip
VALUE = "/home/o/.local/share/guards/py -IS /home/o/.local/share/guards/code/fence/prefix.py"


def put(text: str, env: dict[str, str], record: dict[str, object]) -> str:
    return wire.wire(text, claude, {}, [], record, env)


@pytest.mark.parametrize("text", TEXTS)
def test_it_goes_in_and_out_to_the_byte(text: str) -> None:
    record: dict[str, object] = {"made": [], "gaps": {}, "rules": []}
    wired = put(text, {fenced.VARIABLE: VALUE}, record)
    assert json.loads(wired)["env"][fenced.VARIABLE] == VALUE
    assert put(wired, {fenced.VARIABLE: VALUE}, record) == wired
    assert unwire.take_out(wired, record) == text
    assert put(wired, {}, record) == text


def test_an_older_value_of_ours_is_replaced_where_it_stands() -> None:
    old = VALUE.replace("/home/o/", "/home/old/")
    text = '{"env": {"' + fenced.VARIABLE + '": "' + old + '", "A": "1"}}'
    assert put(text, {fenced.VARIABLE: VALUE}, {}) == text.replace(old, VALUE)


def test_another_programs_prefix_stops_the_install() -> None:
    text = '{"env": {"' + fenced.VARIABLE + '": "/usr/bin/nice"}}'
    with pytest.raises(Refused, match="/usr/bin/nice"):
        put(text, {fenced.VARIABLE: VALUE}, {})
    assert unwire.take_out(text, {}) == text


@pytest.mark.parametrize("folder", ["/home/a b/.local/share/guards", "/home/o'k -x/.local/share/guards"])
def test_a_folder_with_a_blank_gets_a_script_for_a_program(folder: str) -> None:
    value = fenced.value(folder)
    assert value == f"{folder}/fenced"
    assert unwire.FENCED.search(value)


def test_from_install_to_unwire(owner: Owner) -> None:
    before = owner.settings.read_bytes() if owner.settings.exists() else None
    assert owner.run("install", "--yes", "--harness", "claude", "--fence").returncode == 0
    wired = json.loads(owner.settings.read_text())
    assert wired["env"][fenced.VARIABLE] == fenced.value(str(owner.install))
    lines = (owner.install / "fence").read_text().splitlines()
    hooks = [hook["command"] for groups in wired["hooks"].values() for group in groups for hook in group["hooks"]]
    assert set(hooks) <= set(lines)
    text = owner.settings.read_text()
    assert owner.run("install", "--yes", "--harness", "claude").returncode == 0
    assert owner.settings.read_text() == text, "a later install leaves the fence as it is"
    assert owner.run("install", "--yes", "--harness", "claude", "--no-fence").returncode == 0
    assert "env" not in json.loads(owner.settings.read_text())
    assert not (owner.install / "fence").exists()
    assert owner.run("install", "--yes", "--harness", "claude", "--fence").returncode == 0
    assert owner.run("uninstall", "--yes").returncode == 0
    assert (owner.settings.read_bytes() if owner.settings.exists() else None) == before
    assert not (owner.install / "fence").exists()


@pytest.mark.parametrize("harness", ["codex", "gemini"])
def test_a_harness_with_a_sandbox_of_its_own_is_told_what_to_hold_in_it(owner: Owner, harness: str) -> None:
    (owner.home / ".bashrc").write_text("mine\n")
    done = owner.run("install", "--yes", "--harness", harness, "--fence")
    held = done.stdout.partition(f"{harness} has a sandbox of its own")[2].splitlines()
    assert f"  {owner.home}/.bashrc" in held, done.stdout + done.stderr
    assert f"  {owner.install}" in held
    assert not (owner.install / "fence").exists(), "nothing of theirs starts commands through the prefix"
    assert "a sandbox of its own" not in owner.run("install", "--yes", "--harness", harness).stdout
