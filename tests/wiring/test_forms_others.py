"""Codex, Cursor and Copilot on an owner's machine: places, versions, what silences them, the way out, the contract."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guards.wiring.forms import FORMS, codex, copilot, cursor
from tests.wiring.owner import ROOT, Owner, trust_codex

FILES = {
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "copilot": ".copilot/hooks/guards.json",
}
EVERY = pytest.mark.parametrize("harness", list(FILES))


def ours(owner: Owner, harness: str, event: str = "before-tool") -> list[dict[str, Any]]:
    """Entries of ours at one event."""
    form = FORMS[harness]
    groups = json.loads((owner.home / FILES[harness]).read_text())["hooks"].get(form.EVENTS[event], [])
    every = [entry for group in groups for entry in group.get("hooks", [group])]
    return [entry for entry in every if entry[form.COMMAND].endswith("# guards:managed")]


def status(owner: Owner, harness: str, cwd: Path | None = None, **env: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        owner.argv("status", "--json", "--harness", harness), cwd=cwd or ROOT, capture_output=True, text=True,
        env={**owner.env(**env), "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)["harnesses"][0]


@EVERY
def test_status_finds_every_entry_as_it_must_be(owner: Owner, harness: str) -> None:
    owner.wired("--harness", harness)
    if harness == "codex":
        trust_codex(owner.home / FILES["codex"])
    code, report = status(owner, harness)
    assert {line["state"] for line in report["lines"]} == {"ok"}
    assert (code, report["notes"]) == (0, [])


@EVERY
def test_the_wired_files_keep_the_wiring_contract(owner: Owner, harness: str) -> None:
    owner.wired("--harness", harness)
    path = str(owner.home / FILES[harness])
    done = owner.run("wiring", "--json", "--home", str(owner.home), "--harness", harness, path)
    report = json.loads(done.stdout)
    assert report["files"] == [path]
    mine = [finding for finding in report["findings"] if finding["file"] == path]
    assert [finding for finding in mine if finding["level"] == "FAIL"] == []


@EVERY
def test_the_way_out_needs_nothing_but_some_python(owner: Owner, harness: str) -> None:
    path = owner.home / FILES[harness]
    path.parent.mkdir(parents=True, exist_ok=True)
    mine: object = {"type": "command", FORMS[harness].COMMAND: "mine.sh"}
    native = FORMS[harness].EVENTS["before-tool"]
    entry: object = mine if FORMS[harness].DEPTH == 3 else {"hooks": [mine]}
    before = json.dumps({"version": 1, "hooks": {native: [entry]}})
    path.write_text(before)
    owner.wired("--harness", harness)
    assert len(ours(owner, harness)) == 1
    script = [sys.executable, "-IS", str(ROOT / "guards/wiring/unwire.py")]
    done = subprocess.run(script, env=owner.env(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert path.read_text() == before


@EVERY
def test_a_file_that_was_not_there_is_gone_after_uninstall(owner: Owner, harness: str) -> None:
    owner.wired("--harness", harness)
    owner.run("uninstall", "--yes", "--harness", harness)
    assert not (owner.home / FILES[harness]).exists()


@EVERY
def test_a_second_install_touches_no_file(owner: Owner, harness: str) -> None:
    owner.wired("--harness", harness)
    path = owner.home / FILES[harness]
    before = (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
    owner.wired("--harness", harness)
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


@EVERY
def test_a_file_that_does_not_parse_is_named_and_left(owner: Owner, harness: str) -> None:
    path = owner.home / FILES[harness]
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {')
    done = owner.run("install", "--yes", "--harness", harness)
    assert done.returncode == 2
    assert str(path) in done.stderr
    assert path.read_text() == '{"hooks": {'


# ---------------------------------------------------------------- Codex


def test_codex_knows_what_it_was_told_to_trust_by_place_so_ours_come_last(owner: Owner) -> None:
    path = owner.home / FILES["codex"]
    path.parent.mkdir()
    mine = {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine.sh"}]}
    path.write_text(json.dumps({"hooks": {"PreToolUse": [mine]}}))
    owner.wired("--harness", "codex")
    groups = json.loads(path.read_text())["hooks"]["PreToolUse"]
    assert groups[0] == mine
    assert len(groups) == 2


def test_trust_is_said_and_never_written(owner: Owner) -> None:
    done = owner.wired("--harness", "codex")
    assert "type /hooks" in done.stdout
    assert not (owner.home / ".codex/config.toml").exists()
    code, report = status(owner, "codex")
    assert code == 1
    assert "PreToolUse" in report["notes"][0]


def test_an_entry_that_changed_since_it_was_trusted_waits_again(owner: Owner) -> None:
    owner.wired("--harness", "codex")
    path = owner.home / FILES["codex"]
    trust_codex(path)
    assert codex.waiting(str(path)) == []
    path.write_text(path.read_text().replace('"timeout": 30', '"timeout": 29', 1))
    assert len(codex.waiting(str(path))) == 1


def test_an_entry_that_is_switched_off_in_codex_waits_too(owner: Owner) -> None:
    owner.wired("--harness", "codex")
    path = owner.home / FILES["codex"]
    trust_codex(path)
    config = path.parent / "config.toml"
    config.write_text(config.read_text().replace("trusted_hash", "enabled = false\ntrusted_hash", 1))
    assert len(codex.waiting(str(path))) == 1


@pytest.mark.parametrize("text", ["", "broken [", "hooks = 1\n", "[hooks]\nstate = 3\n", "[hooks.state]\nx = 1\n"])
def test_a_config_that_says_nothing_of_use_means_nothing_was_trusted(owner: Owner, text: str) -> None:
    owner.wired("--harness", "codex")
    path = owner.home / FILES["codex"]
    (path.parent / "config.toml").write_text(text)
    assert "PreToolUse" in codex.waiting(str(path))


def test_the_fingerprint_is_the_one_that_codex_itself_reckons() -> None:
    """Taken from what codex 0.171.0 answered to hooks/list for these entries."""
    line = "/bin/true # guards:managed"
    made = {"type": "command", "command": line, "timeout": 30}
    assert codex.fingerprint("PreToolUse", made) == (
        "sha256:af909b741eb43b5705dd00d72c6b5d8f39d58a54f3196c841211e33c3d1c294e"
    )
    assert codex.fingerprint("SessionStart", made) == (
        "sha256:dfba94222a178c9a22d05917ac6fa5261b6bdea1ff8f20f4b1adf307c3bf6a92"
    )


# ---------------------------------------------------------------- Cursor


@pytest.mark.parametrize(
    ("editor", "agent", "known"),
    [
        ("3.12.29", None, True),
        ("2.3.41", None, False),
        (None, "2026.09.10-fd3934a", True),
        ("2.3.41", "2026.09.10-f", False),
    ],
)
def test_a_cursor_that_is_too_old_for_the_events_is_not_wired(
    owner: Owner, editor: str | None, agent: str | None, known: bool
) -> None:
    for name, says in (("cursor", editor), ("cursor-agent", agent)):
        if says:
            (owner.bin / name).write_text(f"#!/bin/sh\necho '{says}'\necho 0123abcd\necho x64\n")
            (owner.bin / name).chmod(0o755)
    version = cursor.installed(str(owner.home), owner.env())
    assert version is not None
    assert bool(cursor.knows(version)) is known
    done = owner.run("install", "--yes", "--harness", "cursor")
    assert (done.returncode == 0) is known, done.stdout + done.stderr
    assert (owner.home / FILES["cursor"]).exists() is known


def test_a_cursor_that_is_too_old_does_not_stop_the_others(owner: Owner) -> None:
    (owner.bin / "cursor").write_text("#!/bin/sh\necho 2.3.41\n")
    (owner.bin / "cursor").chmod(0o755)
    owner.wired()
    assert owner.settings.exists()
    assert not (owner.home / FILES["cursor"]).exists()


def test_cursors_file_has_its_version_and_flat_entries(owner: Owner) -> None:
    owner.wired("--harness", "cursor")
    plain = json.loads((owner.home / FILES["cursor"]).read_text())
    assert plain["version"] == 1
    assert set(plain["hooks"]) <= set(cursor.EVENTS.values())
    assert all("hooks" not in entry for entries in plain["hooks"].values() for entry in entries)


def test_an_empty_answer_before_a_tool_is_no_pass_in_cursor(owner: Owner) -> None:
    """The hook of a broken install that says nothing would refuse every call there; fire must not call it fine."""
    owner.wired("--harness", "cursor")
    path = owner.home / FILES["cursor"]
    plain = json.loads(path.read_text())
    plain["hooks"]["preToolUse"][0]["command"] = "cat >/dev/null; exit 0  # guards:managed"
    path.write_text(json.dumps(plain))
    rows = json.loads(owner.run("fire", "--json", "--harness", "cursor").stdout)
    gates = [row for row in rows if row["event"] == "before-tool"]
    assert gates
    assert {(row["verdict"], row["ok"]) for row in gates} == {("broken", False)}


# ---------------------------------------------------------------- Copilot


def test_copilots_home_is_honoured(owner: Owner) -> None:
    other = owner.home / "elsewhere"
    owner.wired("--harness", "copilot", COPILOT_HOME=str(other))
    assert (other / "hooks/guards.json").exists()
    assert not (owner.home / ".copilot").exists()


def test_a_matcher_that_looks_like_everything_keeps_a_copilot_entry_from_running() -> None:
    entry = copilot.entry("before-tool", "x")
    assert copilot.everything(entry)
    assert copilot.everything({**entry, "matcher": ".*"})
    assert not copilot.everything({**entry, "matcher": "*"})
    assert not copilot.everything({**entry, "matcher": ""})


@pytest.mark.parametrize("matcher", ["", "*"])
def test_the_contract_knows_that_such_a_matcher_is_dead_in_copilot(owner: Owner, matcher: str) -> None:
    path = owner.home / FILES["copilot"]
    path.parent.mkdir(parents=True)
    entry = {"type": "command", "matcher": matcher, "bash": "true", "timeoutSec": 5}
    path.write_text(json.dumps({"version": 1, "hooks": {"preToolUse": [entry]}}))
    done = owner.run("wiring", "--json", "--home", str(owner.home), "--harness", "copilot", str(path))
    assert "matcher-dead" in [finding["rule"] for finding in json.loads(done.stdout)["findings"]]


@pytest.mark.parametrize("harness", ["codex", "copilot", "gemini"])
def test_a_file_that_the_harness_cannot_read_for_its_byte_order_mark_is_called_out(owner: Owner, harness: str) -> None:
    path = owner.home / FILES[harness]
    path.parent.mkdir(parents=True)
    path.write_text("\ufeff{}\n", encoding="utf-8")
    done = owner.run("install", "--yes", "--harness", harness)
    assert done.returncode == 1
    assert "byte order mark" in done.stdout + done.stderr


@pytest.mark.parametrize("name", copilot.SILENCERS)
def test_a_project_that_silences_the_owners_copilot_hooks_is_named(owner: Owner, tmp_path: Path, name: str) -> None:
    owner.wired("--harness", "copilot")
    project = tmp_path / "project"
    (project / name).parent.mkdir(parents=True)
    (project / name).write_text('{"disableAllHooks": true}')
    code, report = status(owner, "copilot", project)
    assert code == 1
    assert any(name in note and "disableAllHooks" in note for note in report["notes"])
