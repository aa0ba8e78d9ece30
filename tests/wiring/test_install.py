"""`guards install` and `uninstall` on an owner's real-looking machine, from outside: processes, files, a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pexpect
import pytest

from guards.wiring import edit
from tests.wiring.owner import ROOT, SETTINGS, Owner

ALL = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart",
    "SubagentStop", "PreCompact", "Stop", "SessionEnd",
}  # fmt: skip
OLD = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Notification", "Stop", "SubagentStop",
    "PreCompact", "SessionEnd",
}  # fmt: skip


# Claude Code ignores a file with comments or trailing commas whole: it is wired, and the owner is told
LENIENT = {"09-comments", "10-trailing-commas", "22-comments-in-empty"}


@pytest.mark.parametrize("source", SETTINGS[::4], ids=lambda path: path.stem)
def test_an_owners_file_comes_back_to_the_byte(owner: Owner, source: Path) -> None:
    owner.settings.write_bytes(source.read_bytes())
    owner.settings.chmod(0o640)
    first = owner.run("install", "--yes")
    assert first.returncode == (1 if source.stem in LENIENT else 0), first.stdout + first.stderr
    assert {event: len(found) for event, found in owner.entries().items()} == dict.fromkeys(owner.entries(), 1)
    assert "PreToolUse" in owner.entries()
    assert owner.settings.stat().st_mode & 0o777 == 0o640
    wired = owner.settings.read_bytes()
    assert (owner.home / ".claude/settings.json.guards-backup").read_bytes() == source.read_bytes()
    seen = owner.settings.stat().st_mtime_ns
    owner.run("install", "--yes")
    assert owner.settings.read_bytes() == wired
    assert owner.settings.stat().st_mtime_ns == seen
    assert owner.run("uninstall", "--yes").returncode == 0
    assert owner.settings.read_bytes() == source.read_bytes()


def test_a_file_that_was_not_there_is_gone_again_after_uninstall(owner: Owner) -> None:
    owner.wired()
    assert owner.entries()["PreToolUse"][0]["onFailure"] == "block"
    assert owner.entries()["PreToolUse"][0]["timeout"] == 30
    owner.run("uninstall", "--yes")
    assert not owner.settings.exists()


def test_what_the_harness_added_to_a_new_file_stays_after_uninstall(owner: Owner) -> None:
    owner.wired()
    plain = json.loads(owner.settings.read_text())
    owner.settings.write_text(json.dumps({"model": "opus", **plain}))
    owner.run("uninstall", "--yes")
    assert json.loads(owner.settings.read_text()) == {"model": "opus"}


def test_the_change_is_shown_and_a_no_changes_nothing(owner: Owner) -> None:
    owner.settings.write_text('{\n  "model": "opus"\n}\n')
    before = owner.snapshot()
    child = owner.terminal("install")
    child.expect_exact('+    "PreToolUse": [')
    child.expect_exact("go on? [y/N]")
    child.sendline("n")
    child.expect_exact("nothing was changed")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 1
    assert owner.snapshot() == before


def test_a_yes_at_the_terminal_wires_and_says_which_guards_are_on(owner: Owner) -> None:
    child = owner.terminal("install")
    child.expect_exact("go on? [y/N]")
    child.sendline("y")
    child.expect_exact("settings.json: wired")
    child.expect_exact("asked at")
    child.expect_exact("every wired gate refused what it must")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    assert set(owner.entries()) <= ALL


def test_a_file_that_the_harness_ignores_is_wired_and_called_out(owner: Owner) -> None:
    owner.settings.write_text('// mine\n{\n  "model": "opus" /* keep */\n}\n')
    done = owner.run("install", "--yes")
    assert done.returncode == 1
    assert "line 1: a comment" in done.stderr
    assert "// mine" in owner.settings.read_text()
    assert owner.run("fire").returncode == 1
    assert owner.run("status").returncode == 1
    owner.settings.write_text(owner.settings.read_text().replace("// mine\n", "").replace(" /* keep */", ""))
    assert owner.run("fire").returncode == 0


def test_without_a_terminal_and_without_yes_it_stops_with_2_and_changes_nothing(owner: Owner) -> None:
    before = owner.snapshot()
    done = owner.run("install")
    assert done.returncode == 2
    assert "--yes" in done.stderr
    assert owner.snapshot() == before


def test_dry_run_shows_the_change_and_writes_nothing(owner: Owner) -> None:
    owner.settings.write_text("{}")
    before = owner.snapshot()
    done = owner.run("install", "--dry-run", CLAUDECODE="1")
    assert done.returncode == 0
    assert "hook.py claude before-tool" in done.stdout
    assert owner.snapshot() == before


@pytest.mark.parametrize("text", ["", "  \n", '{"model": "opus"', "{]", "not json", '{"a": 1} {"b": 2}', "{'a': 1}"])
def test_a_file_that_does_not_parse_is_named_and_left_alone(owner: Owner, text: str) -> None:
    owner.settings.write_text(text)
    before = owner.snapshot()
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert str(owner.settings) in done.stderr
    assert "Traceback" not in done.stderr
    assert owner.snapshot() == before


@pytest.mark.parametrize(
    "text", ['{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"permissions": null}', "[]", '{"hooks": null}']
)
def test_a_place_of_another_kind_stops_the_install(owner: Owner, text: str) -> None:
    owner.settings.write_text(text)
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert "changes nothing there" in done.stderr
    assert owner.settings.read_text() == text


@pytest.mark.parametrize("half", ["", '{"mod'])
def test_a_file_that_the_harness_is_writing_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, half: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(half)
    monkeypatch.setattr(time, "sleep", lambda _seconds: path.write_text('{"model": "opus"}'))
    assert edit.settled(str(path)) == b'{"model": "opus"}'


def test_settings_that_are_a_link_stay_a_link(owner: Owner) -> None:
    target = owner.home / "conf/claude/settings.json"
    target.parent.mkdir(parents=True)
    target.write_text("{}")
    owner.settings.symlink_to(target)
    owner.wired()
    assert owner.settings.is_symlink()
    assert "guards:managed" in target.read_text()
    owner.run("uninstall", "--yes")
    assert owner.settings.is_symlink()
    assert target.read_text() == "{}"


def test_hard_links_stay_linked(owner: Owner) -> None:
    owner.settings.write_text("{}\n")
    other = owner.home / "copy.json"
    os.link(owner.settings, other)
    owner.wired()
    assert other.stat().st_ino == owner.settings.stat().st_ino
    assert "guards:managed" in other.read_text()


def test_a_home_with_a_space_is_quoted_and_its_hooks_run(tmp_path: Path) -> None:
    owner = Owner(tmp_path / "Jo Doe")
    owner.wired()
    line = owner.entries()["PreToolUse"][0]["command"]
    assert f"'{owner.install}/py'" in line
    assert owner.run("fire").returncode == 0


def test_another_configuration_folder_is_honoured(owner: Owner) -> None:
    other = owner.home / "work claude"
    owner.wired(CLAUDE_CONFIG_DIR=str(other))
    assert owner.entries(other / "settings.json")
    assert not owner.settings.exists()
    assert owner.run("uninstall", "--yes").returncode == 0
    assert not (other / "settings.json").exists()


def test_under_umask_002_nothing_that_gives_permission_is_writable_by_others(owner: Owner) -> None:
    done = owner.run("install", "--yes", umask=0o002)
    assert done.returncode == 0, done.stderr
    assert owner.state.stat().st_mode & 0o777 == 0o700
    for path in (owner.install / "places", owner.install, owner.home / ".config/guards/approvals/human-lane"):
        assert path.stat().st_mode & 0o022 == 0, path
    assert owner.run("fire", umask=0o002).returncode == 0


@pytest.mark.parametrize(
    ("version", "events"),
    [
        ("2.1.332 (Claude Code)", ALL),
        ("2.0.76 (Claude Code)", ALL),
        ("2.0.40 (Claude Code)", OLD),
        ("1.0.128 (Claude Code)", OLD),
        ("who knows", OLD),
        (None, OLD),
    ],
)
def test_only_event_names_that_the_installed_version_knows_are_wired(
    tmp_path: Path, version: str | None, events: set[str]
) -> None:
    owner = Owner(tmp_path / "home", version)
    owner.wired()
    assert set(owner.entries()) <= events
    assert "PreToolUse" in owner.entries()


def test_of_two_installed_versions_the_older_decides(owner: Owner) -> None:
    local = owner.home / ".claude/local/claude"
    local.parent.mkdir(parents=True)
    local.write_text("#!/bin/sh\necho '2.0.40 (Claude Code)'\n")
    local.chmod(0o755)
    owner.wired()
    assert set(owner.entries()) <= OLD


def test_a_program_that_hangs_does_not_hold_the_install(owner: Owner) -> None:
    owner.program("#!/bin/sh\nexec sleep 600\n")
    owner.wired()
    assert set(owner.entries()) <= OLD


def test_a_newer_version_brings_its_events_with_the_next_install(tmp_path: Path) -> None:
    owner = Owner(tmp_path / "home", "2.0.40 (Claude Code)")
    owner.wired()
    before = set(owner.entries())
    Owner(owner.home, "2.1.332 (Claude Code)").wired()
    assert before < set(owner.entries())
    Owner(owner.home, "2.0.40 (Claude Code)").wired()
    assert set(owner.entries()) == before


def test_an_unknown_harness_is_named(owner: Owner) -> None:
    done = owner.run("install", "--yes", "--harness", "emacs")
    assert done.returncode == 2
    assert "emacs" in done.stderr


def test_a_machine_without_any_harness_is_told_so(tmp_path: Path) -> None:
    owner = Owner(tmp_path / "home", None)
    (owner.home / ".claude").rmdir()
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert "--harness" in done.stderr
    assert owner.run("install", "--yes", "--harness", "claude").returncode == 0


def test_an_older_approval_file_is_pointed_out_and_not_touched(owner: Owner) -> None:
    older = owner.home / ".claude/human-lane-approved"
    older.write_text("^/home/o/x$\n")
    done = owner.wired()
    assert str(older) in done.stdout
    assert older.read_text() == "^/home/o/x$\n"


def test_approvals_and_policy_of_the_owner_survive_install_and_uninstall(owner: Owner) -> None:
    owner.wired()
    approvals = owner.home / ".config/guards/approvals/human-lane"
    assert all(not line or line.startswith("#") for line in approvals.read_text().splitlines())
    approvals.write_text("^/home/o/x$\n")
    owner.wired()
    owner.run("uninstall", "--yes")
    assert approvals.read_text() == "^/home/o/x$\n"


def test_a_policy_with_a_typo_stops_the_install_before_anything_is_wired(owner: Owner) -> None:
    policy = owner.home / ".config/guards/policy/spawn-envelope.toml"
    policy.parent.mkdir(parents=True)
    policy.write_text("min_chrs = 3\n")
    before = owner.snapshot()
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert "min_chrs" in done.stderr
    assert owner.snapshot() == before


def test_a_real_folder_where_a_link_belongs_stops_the_install(owner: Owner) -> None:
    (owner.install / "code").mkdir(parents=True)
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert str(owner.install / "code") in done.stderr
    assert not owner.settings.exists()


def test_settings_that_cannot_be_written_are_named(owner: Owner) -> None:
    owner.settings.symlink_to("/proc/version")
    done = owner.run("install", "--yes")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_many_installs_at_once_leave_one_entry_per_event(owner: Owner) -> None:
    owner.settings.write_text('{\n  "model": "opus"\n}\n')
    argv = owner.argv("install", "--yes")
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = [subprocess.Popen(argv, cwd=ROOT, env=owner.env(), **quiet) for _ in range(4)]  # type: ignore[call-overload]
    assert [child.wait(120) for child in running] == [0, 0, 0, 0]
    assert all(len(found) == 1 for found in owner.entries().values())
    owner.run("uninstall", "--yes")
    assert owner.settings.read_text() == '{\n  "model": "opus"\n}\n'


def test_native_rules_are_added_once_and_only_ours_are_removed(owner: Owner) -> None:
    theirs = f"Edit(/{owner.state}/**)"
    owner.settings.write_text(json.dumps({"permissions": {"deny": ["Read(.env)", theirs]}}))
    owner.wired()
    deny = json.loads(owner.settings.read_text())["permissions"]["deny"]
    assert deny.count(theirs) == 1
    for folder in (owner.install, owner.home / ".config/guards/policy", ROOT / "guards", ROOT / "policy"):
        assert deny.count(f"Edit(/{folder}/**)") == 1
    owner.run("uninstall", "--yes")
    assert json.loads(owner.settings.read_text())["permissions"]["deny"] == ["Read(.env)", theirs]


def test_managed_wires_roots_own_file_and_takes_it_out_again(owner: Owner, tmp_path: Path) -> None:
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("needs root and a private mount namespace")
    owner.wired()
    etc, words = tmp_path / "etc", " ".join(owner.argv())
    script = f"cp -a /etc {etc} && mount --bind {etc} /etc && {words} install --managed --yes"
    script += f" && cp -a {etc}/claude-code {tmp_path}/seen && {words} fire && {words} status"
    script += f" && {words} uninstall --managed --yes"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-ec", script], cwd=ROOT, env=owner.env(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = tmp_path / "seen/managed-settings.json"
    assert owner.entries(seen)["PreToolUse"]
    assert seen.stat().st_mode & 0o777 == 0o644
    assert seen.parent.stat().st_mode & 0o777 == 0o755
    assert not (etc / "claude-code/managed-settings.json").exists()
    assert owner.entries()["PreToolUse"]


def test_managed_before_a_plain_install_says_what_comes_first(owner: Owner) -> None:
    done = owner.run("install", "--managed", "--yes")
    assert done.returncode == 2
    assert "first" in done.stderr
