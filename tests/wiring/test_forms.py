"""What is particular to each harness stands in its form, and agrees with what the rest of the house knows of it."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from guards.engine.event import MODES
from guards.wiring import samples
from guards.wiring.forms import FORMS
from tests.wiring.owner import ROOT, Owner, trust_codex

EVERY = pytest.mark.parametrize("form", list(FORMS.values()), ids=list(FORMS))


@EVERY
def test_a_form_names_the_events_that_its_policy_names(form: ModuleType) -> None:
    rows = tomllib.loads((ROOT / f"policy/harness/{form.NAME}.toml").read_text())["event"]
    known = {row["name"]: row["wire"] for row in rows}
    assert {event: native for event, native in form.EVENTS.items() if event in known} == known
    assert set(form.EVENTS) <= set(MODES)


@EVERY
def test_an_entry_has_a_timeout_of_seconds_that_the_hook_itself_stays_below(form: ModuleType) -> None:
    from guards.engine.door import WALL_SECONDS

    for event in form.EVENTS:
        entry = form.entry(event, "x")
        assert entry["type"] == "command"
        seconds = entry[form.TIME] * form.UNIT
        assert seconds > WALL_SECONDS or event == "session-end"
        assert form.everything(form.group(entry))


def test_every_gate_of_the_policy_has_a_sample() -> None:
    """Who adds a gate adds how `guards fire` shows that it refuses."""
    rows = tomllib.loads((ROOT / "policy/dispatch.toml").read_text())["guard"]
    gates = {row["id"] for row in rows if "before-tool" in row["events"]}
    assert gates - samples.SPEAKS <= set(samples.GATES)


@pytest.mark.parametrize("harness", list(FORMS))
def test_every_harness_is_wired_fired_and_unwired(owner: Owner, harness: str) -> None:
    form: Any = FORMS[harness]
    done = owner.run("install", "--yes", "--harness", harness)
    assert done.returncode == 0, done.stdout + done.stderr
    path = form.settings(str(owner.home), {})
    plain = json.loads(Path(path).read_text())
    [group] = plain["hooks"][form.EVENTS["before-tool"]]
    entry = group["hooks"][0] if "hooks" in group else group
    assert f" {harness} before-tool " in entry[form.COMMAND]
    rows = json.loads(owner.run("fire", "--json", "--harness", harness).stdout)
    assert {row["harness"] for row in rows} == {harness}
    assert all(row["ok"] for row in rows), rows
    assert owner.run("uninstall", "--yes", "--harness", harness).returncode == 0
    assert not os.path.exists(path)


def test_harnesses_that_are_on_the_machine_are_wired_without_being_named(owner: Owner) -> None:
    (owner.home / ".codex").mkdir()
    owner.wired()
    assert (owner.home / ".codex/hooks.json").exists()
    assert not (owner.home / ".gemini").exists()


def test_codex_is_wired_in_its_own_home_and_the_review_it_asks_for_is_named_until_it_is_given(owner: Owner) -> None:
    other = owner.home / "codex home"
    first = owner.wired("--harness", "codex", CODEX_HOME=str(other))
    assert "type /hooks" in first.stdout
    path = other / "hooks.json"
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    second = owner.wired("--harness", "codex", CODEX_HOME=str(other))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert "type /hooks" in second.stdout
    trust_codex(path)
    third = owner.wired("--harness", "codex", CODEX_HOME=str(other))
    assert "type /hooks" not in third.stdout
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_gemini_settings_with_comments_are_read_by_it_and_kept(owner: Owner) -> None:
    path = owner.home / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  // mine\n  "theme": "x",\n}\n')
    owner.wired("--harness", "gemini")
    assert "// mine" in path.read_text()
    owner.run("uninstall", "--yes")
    assert path.read_text() == '{\n  // mine\n  "theme": "x",\n}\n'
