"""Every row of the doctor both ways: on a healthy machine it is fine, on one that is broken so it says so."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guards.reports import doctor
from guards.reports.rows import checkout, policy, settings, use
from guards.reports.rows.record import Ground, Look, Row
from guards.wiring import machine as here
from guards.wiring import place
from tests.machine import SESSION, Machine, tool
from tests.reports import verbs


class Desk:
    """A home that is wired for Claude Code as an install leaves it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.settings = machine.home / ".claude/settings.json"
        self.settings.parent.mkdir()
        self.root = machine.repo()
        self.rewire()

    def ground(self, **more: Any) -> Ground:
        given = {"harnesses": ["claude"], "fire": False, "environ": {}, **more}
        return Ground(self.machine.places, True, str(self.root), **given)

    def rewire(self) -> None:
        target = here.targets(self.machine.places, self.ground().built, ["claude"])[0]
        self.settings.write_text(target.put_in("{}\n", {}))
        (self.machine.install / "wired").write_text(json.dumps({"files": {str(self.settings): {}}}))

    def edit(self, **hooks: Any) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.settings.read_text())
        found["hooks"] = {**found["hooks"], **hooks}
        self.settings.write_text(json.dumps(found))
        return found

    @property
    def hooks(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.settings.read_text())["hooks"]
        return found

    def look(self, look: Look, **more: Any) -> list[Row]:
        return list(look(self.ground(**more)))


@pytest.fixture
def desk(machine: Machine) -> Desk:
    return Desk(machine)


def said(rows: list[Row], id_: str, mark: str) -> str:
    """All texts of rows with this id and mark; there must be one."""
    found = [f"{row.text} → {row.cure}" for row in rows if (row.id, row.mark) == (id_, mark)]
    assert found, rows
    return "\n".join(found)


def test_a_healthy_machine_has_no_row_that_is_not_fine(desk: Desk) -> None:
    desk.machine.fire("before-tool", tool("Read", {"file_path": "x"}, cwd=desk.root))
    rows = doctor.examine(desk.ground())
    unfit = {row.id for row in rows if row.mark in ("warn", "FAIL")}
    assert not unfit, [row for row in rows if row.mark != "ok"]
    assert {row.id for row in rows if row.mark == "not run"} <= {"copy", "fire", "behind", "heartbeat"}
    assert all(row.text for row in rows)


# ---- the install


def test_a_machine_without_an_install_is_said(tmp_path: Path) -> None:
    places = {"install": str(tmp_path), "checkout": "/c", "policy": "/c/policy", "version": "0"}
    assert "not installed" in said(list(settings.installed(Ground(places, False, "/"))), "install", "FAIL")


def test_an_interpreter_or_script_that_leads_nowhere_is_said(desk: Desk) -> None:
    for name, target in (("py", "/gone/python"), ("code", "/gone/guards")):
        link = desk.machine.install / name
        link.unlink()
        link.symlink_to(target)
    text = said(desk.look(settings.installed), "install", "FAIL")
    assert "/py leads nowhere" in text
    assert "/code/hook.py leads nowhere" in text
    assert "does not start" in said(desk.look(checkout.interpreter), "python", "FAIL")


def test_a_pinned_copy_that_is_older_than_the_checkout_is_said(desk: Desk, tmp_path: Path) -> None:
    shot = tmp_path / "shot"
    for part in ("guards", "policy"):
        (shot / part).mkdir(parents=True)
    (shot / "guards/hook.py").write_text("old")
    desk.machine.places["policy"] = str(shot / "policy")
    assert "guards/hook.py" in said(desk.look(settings.installed), "pinned", "warn")


def test_a_package_that_is_missing_is_said(desk: Desk, tmp_path: Path) -> None:
    desk.machine.places["packages"] = str(tmp_path)
    assert "bashlex, regex" in said(desk.look(checkout.interpreter), "packages", "FAIL")


# ---- policy and permission


def test_policy_faults_and_the_last_good_are_said(desk: Desk) -> None:
    desk.machine.fire("before-tool", tool("Read", {}, cwd=desk.root))
    desk.machine.policy("session-doctor", "secands = 5\nrows = true")
    rows = desk.look(policy.compiled)
    text = said(rows, "policy", "FAIL")
    assert "session-doctor.toml: secands: unknown key" in text
    assert "rows: expected a whole number, found true" in text
    assert "without your last edits" in said(rows, "last-good", "warn")


def test_with_no_last_good_policy_it_says_what_that_means(desk: Desk) -> None:
    desk.machine.policy("session-doctor", "rows = 0")
    assert "every call before a tool is refused" in said(desk.look(policy.compiled), "last-good", "FAIL")


def test_a_word_in_policy_that_means_nothing_is_said(desk: Desk) -> None:
    desk.machine.policy("session-doctor", 'disable = ["nosuchrung"]')
    assert "nosuchrung" in said(desk.look(policy.compiled), "policy-notice", "warn")


def test_a_repositorys_layer_is_looked_at_where_the_doctor_is_asked(desk: Desk) -> None:
    desk.machine.repo(files={".guards/human-lane.toml": "strikt = true\n"})
    assert "strikt" in said(desk.look(policy.repository), "repository", "warn")
    desk.machine.repo(files={".guards/human-lane.toml": "strict = true\n"})
    assert "compiles" in said(desk.look(policy.repository), "repository", "ok")


def test_a_pause_and_guards_that_are_off_are_said(desk: Desk) -> None:
    (desk.machine.state / "pause").write_text(f"{time.time() + 900}\n")
    (desk.machine.state / "pause").chmod(0o600)
    desk.machine.policy("session-doctor", "off = true")
    rows = desk.look(policy.off)
    assert "guards pause --end" in said(rows, "pause", "warn")
    assert "session-doctor" in said(rows, "off", "warn")


def test_a_lane_that_is_off_is_said_although_its_sealed_paths_stay(desk: Desk) -> None:
    desk.machine.policy("human-lane", "off = true")
    assert "human-lane (what is sealed stays closed)" in said(desk.look(policy.off), "off", "warn")


def test_a_pause_that_is_over_is_no_finding(desk: Desk) -> None:
    (desk.machine.state / "pause").write_text("1\n")
    assert "does not count" in said(desk.look(policy.off), "pause", "ok")


def test_lines_that_free_nothing_or_everything_are_said(desk: Desk) -> None:
    desk.machine.approve("^/a/b$", "^/a/[b$", ".*", "^/home/o/proj/[a-z]+\\.sql$")
    text = said(desk.look(policy.lines), "approvals", "warn")
    assert "line 2: does not parse" in text
    assert "line 3: matches too much" in text
    assert "line 1" not in text
    assert "line 4" not in text


def test_files_that_others_can_write_are_said(desk: Desk) -> None:
    desk.machine.approve("^/a$").chmod(0o666)
    assert "chmod go-w" in said(desk.look(policy.lines), "approvals", "FAIL")
    (desk.machine.config / "policy").mkdir(parents=True, exist_ok=True)
    (desk.machine.config / "policy").chmod(0o777)
    desk.machine.state.chmod(0o755)
    text = said(desk.look(policy.trusted), "untrusted", "warn")
    assert "chmod o-w" in text or "chmod go-w" in text
    assert f"chmod 700 {desk.machine.state}" in text


# ---- wiring

BREAKS: dict[str, tuple[Any, str, str]] = {
    "missing": (lambda h: [], "has no entry of guards", "FAIL"),
    "differs": (lambda h: [{"hooks": [{**h[0]["hooks"][0], "timeout": 31}]}], "would write otherwise", "warn"),
    "doubled": (lambda h: h + h, "has guards twice", "warn"),
    "narrowed": (lambda h: [{"matcher": "Write", **h[0]}], "keeps calls from it", "FAIL"),
}


@pytest.mark.parametrize(("change", "words", "mark"), BREAKS.values(), ids=BREAKS)
def test_entries_that_are_not_as_installed_are_said(desk: Desk, change: Any, words: str, mark: str) -> None:
    desk.edit(PreToolUse=change(desk.hooks["PreToolUse"]))
    text = said(desk.look(settings.wired), "wired", mark)
    assert "PreToolUse" in text
    assert words in text


def test_settings_that_the_harness_ignores_whole_are_a_failure(desk: Desk) -> None:
    desk.settings.write_text("// mine\n" + desk.settings.read_text())
    rows = desk.look(settings.wired)
    assert "line 1: a comment" in said(rows, "shadowed", "FAIL")
    assert not [row for row in rows if row.mark == "ok"]


def test_settings_that_do_not_parse_are_one_row_with_the_line(desk: Desk) -> None:
    desk.settings.write_text('{"hooks": {,}}')
    rows = desk.look(settings.wired)
    assert "does not parse (line 1" in said(rows, "shadowed", "FAIL")
    assert len(rows) == 1
    assert ": :" not in said(desk.look(settings.contract), "contract", "FAIL")


def test_settings_without_any_entry_of_ours_are_one_row(desk: Desk) -> None:
    desk.settings.write_text("{}")
    rows = desk.look(settings.wired)
    assert "nothing of guards is wired" in said(rows, "wired", "FAIL")
    assert len(rows) == 1


def test_a_project_that_silences_hooks_is_said(desk: Desk) -> None:
    desk.machine.repo(files={".claude/settings.json": '{"disableAllHooks": true}'})
    assert "disableAllHooks" in said(desk.look(settings.wired), "shadowed", "warn")


def test_an_event_that_the_harness_does_not_know_is_said(desk: Desk) -> None:
    desk.edit(PreTool=[])
    assert "does not know PreTool" in said(desk.look(settings.events), "events", "FAIL")


def test_an_event_too_new_for_the_installed_version_is_said(desk: Desk) -> None:
    claude = desk.machine.home / ".local/bin/claude"
    claude.parent.mkdir(parents=True, exist_ok=True)
    claude.write_text("#!/bin/sh\necho 2.0.76\n")
    claude.chmod(0o755)
    desk.edit(PostToolBatch=[])
    assert "claude 2.0.76 does not know PostToolBatch" in said(desk.look(settings.events), "events", "FAIL")


def test_anothers_dead_hook_in_the_live_settings_is_said(desk: Desk) -> None:
    desk.edit(Notification=[{"hooks": [{"type": "command", "command": "/gone/bell", "timeout": 5}]}])
    text = said(desk.look(settings.contract), "contract", "FAIL")
    assert "/gone/bell" in text
    assert "[gone]" in text


def test_a_committed_copy_that_drifted_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(here, "folder", lambda: str(desk.machine.install))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    copy = desk.machine.home / "conf/claude/settings.json"
    copy.parent.mkdir(parents=True)
    copy.write_text(desk.settings.read_text())
    (desk.machine.install / "wired").write_text(json.dumps({"files": {}, "repo": str(desk.machine.home / "conf")}))
    assert "says the same" in said(desk.look(settings.copies), "copy", "ok")
    copy.write_text('{"model": "opus"}')
    text = said(desk.look(settings.copies), "copy", "warn")
    assert "of guards" in text
    assert "guards reconcile" in text


def test_with_no_committed_copy_that_row_was_not_run(desk: Desk) -> None:
    assert "no committed copy" in said(desk.look(settings.copies), "copy", "not run")


def test_gates_are_fired_through_the_live_settings(desk: Desk) -> None:
    assert "answered as they must" in said(desk.look(settings.fired, fire=True), "fire", "ok")


def test_a_gate_that_does_not_refuse_its_probe_is_said(desk: Desk) -> None:
    entry = desk.hooks["PreToolUse"][0]["hooks"][0]
    desk.edit(PreToolUse=[{"hooks": [{**entry, "command": "exit 0  # guards:managed"}]}])
    assert "expected deny, got pass" in said(desk.look(settings.fired, fire=True), "fire", "FAIL")


def test_variables_of_ours_in_project_settings_and_dead_commands_are_said(desk: Desk) -> None:
    desk.machine.repo(files={".claude/settings.json": '{"env": {"GUARDS_OFF": "all"}}'})
    row = 'id = "lint"\nrun = ["/gone/lint"]\nevents = ["stop"]\nharnesses = ["claude"]\n'
    desk.machine.policy("dispatch", "[[command]]\n" + row)
    rows = desk.look(settings.dead, environ={"BASH_OUTPUT_MAX": "4k"})
    assert "GUARDS_OFF" in said(rows, "project", "warn")
    assert "BASH_OUTPUT_MAX=4k" in said(rows, "value", "warn")
    assert "/gone/lint" in said(rows, "wiring", "FAIL")


# ---- use


def transcript(desk: Desk, age: float = 0.0, begun: float | None = None) -> None:
    """A session that wrote its last line `age` seconds ago, and its first when it began."""
    path = desk.machine.home / ".claude/projects/p/s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    first = time.strftime("%Y-%m-%dT%H:%M:%S.5Z", time.gmtime(time.time() - (age if begun is None else begun)))
    path.write_text(json.dumps({"type": "summary"}) + "\n" + json.dumps({"timestamp": first}) + "\n")
    os.utime(path, (time.time() - age, time.time() - age))


def wired_since(desk: Desk, age: float) -> None:
    os.utime(desk.machine.install / "wired", (time.time() - age, time.time() - age))


def test_sessions_that_ran_without_any_hook_are_said(desk: Desk) -> None:
    wired_since(desk, 90_000)
    transcript(desk)
    assert "no hook ever ran" in said(desk.look(use.beats), "heartbeat", "FAIL")
    desk.machine.fire("session-start", {"session_id": SESSION, "hook_event_name": "SessionStart", "source": "startup"})
    assert "hooks saw a session begin at" in said(desk.look(use.beats), "heartbeat", "ok")


def test_a_session_that_goes_on_for_hours_owes_no_second_start(desk: Desk) -> None:
    wired_since(desk, 90_000)
    desk.machine.fire("session-start", {"session_id": SESSION, "hook_event_name": "SessionStart", "source": "startup"})
    beat = desk.machine.state / "beats/claude-session-start"
    os.utime(beat, (time.time() - 30_000, time.time() - 30_000))
    transcript(desk, age=0, begun=30_000)
    assert said(desk.look(use.beats), "heartbeat", "ok")
    transcript(desk, age=0, begun=100)
    assert "a session began at" in said(desk.look(use.beats), "heartbeat", "FAIL")


def test_sessions_from_before_the_install_owe_no_heartbeat(desk: Desk) -> None:
    transcript(desk, age=90_000)
    assert "no session yet" in said(desk.look(use.beats), "heartbeat", "ok")


def test_a_harness_whose_sessions_nobody_can_see_is_not_called_healthy(desk: Desk) -> None:
    assert "nobody can say" in said(desk.look(use.beats), "heartbeat", "not run")


def test_errors_deadlines_and_changes_of_the_week_are_said(desk: Desk) -> None:
    for guard, why in (
        ("human-lane", "ran out of time"),
        ("shell-lane", "KeyError: 'x'"),
        ("shell-lane", "KeyError: 'x'"),
    ):
        journal(desk, guard=guard, verdict="error", why=why)
    journal(desk, verdict="odd", harness="claude", tool="Write", fields=["file_path"])
    journal(desk, verdict="ignored", why="GUARDS_OFF is not the owner's")
    journal(desk, guard="old", verdict="error", why="old", t=time.time() - 8 * 86400)
    rows = desk.look(use.errors)
    assert "human-lane could not judge once in a week: ran out of time" in said(rows, "errors", "FAIL")
    assert "shell-lane could not judge 2 times in a week: KeyError" in said(rows, "errors", "warn")
    assert "claude Write: file_path" in said(rows, "changed", "warn")
    assert "GUARDS_OFF" in said(rows, "ignored", "warn")
    assert "old" not in json.dumps([row.as_dict() for row in rows])


def journal(desk: Desk, **fields: Any) -> None:
    path = desk.machine.state / f"journal/{time.strftime('%Y-%m', time.gmtime())}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        handle.write(json.dumps({"t": time.time(), **fields}) + "\n")


def test_lines_of_the_journal_that_a_crash_cut_do_no_harm(desk: Desk) -> None:
    journal(desk, guard="x", verdict="error", why="y")
    path = next((desk.machine.state / "journal").iterdir())
    path.write_bytes(path.read_bytes() + b'{"t": 1\n[]\n\xff\n' + b'"x"\n')
    assert "x could not judge once" in said(desk.look(use.errors), "errors", "warn")


def test_tools_of_mcp_servers_are_counted_and_no_warning(desk: Desk) -> None:
    for number in range(12):
        desk.machine.fire("before-tool", tool(f"mcp__files__list_{number}", {"q": "x"}, cwd=desk.root))
    rows = desk.look(use.tools)
    assert "12 tools of MCP servers were called; each is judged by its shape" in said(rows, "tools", "ok")
    assert [row.mark for row in rows] == ["ok"]


def test_tools_that_no_table_names_are_shown(desk: Desk) -> None:
    assert "classified" in said(desk.look(use.tools), "tools", "ok")
    desk.machine.fire("before-tool", tool("mcp__desk__write/../it", {"n": 1}, cwd=desk.root))
    desk.machine.fire("before-tool", tool("Read", {"file_path": "x"}, cwd=desk.root))
    text = said(desk.look(use.tools), "tools", "warn")
    assert "mcp__desk__write" in text
    assert "Read" not in text
    assert all("/" not in p.name for p in (desk.machine.state / "beats").iterdir())


def test_state_that_cannot_be_written_is_said(desk: Desk) -> None:
    desk.machine.state.rmdir() if not any(desk.machine.state.iterdir()) else subprocess.run(
        ["rm", "-r", str(desk.machine.state)], check=True
    )
    assert "not there yet" in said(desk.look(use.state), "state", "not run")
    desk.machine.state.write_text("")
    assert "is not writable" in said(desk.look(use.state), "state", "FAIL")


def test_a_journal_that_is_nearly_full_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    journal(desk, verdict="note")
    monkeypatch.setattr("guards.engine.journal.MONTH_MAX", 10)
    assert "lines are dropped" in said(desk.look(use.state), "journal", "warn")


# ---- the checkout


def git(folder: Path, *words: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "o", "GIT_AUTHOR_EMAIL": "o@x"}
    env |= {"GIT_COMMITTER_NAME": "o", "GIT_COMMITTER_EMAIL": "o@x"}
    subprocess.run(["git", "-C", str(folder), *words], check=True, env=env, capture_output=True)


def test_a_checkout_behind_its_upstream_is_told_in_numbers(desk: Desk, tmp_path: Path) -> None:
    up, mine = tmp_path / "up", tmp_path / "mine"
    up.mkdir()
    git(up, "init", "-q", "-b", "main")
    git(up, "commit", "-q", "--allow-empty", "-m", "one")
    git(tmp_path, "clone", "-q", str(up), str(mine))
    desk.machine.places["checkout"] = str(mine)
    assert "level with origin/main" in said(desk.look(checkout.behind), "behind", "ok")
    for _ in range(3):
        git(up, "commit", "-q", "--allow-empty", "-m", "more")
    assert "level" in said(desk.look(checkout.behind), "behind", "ok")  # as fetched: nothing opens the network
    git(mine, "fetch", "-q")
    assert "is 3 commits behind origin/main" in said(desk.look(checkout.behind), "behind", "warn")


def test_what_is_unknown_is_never_zero(desk: Desk, tmp_path: Path) -> None:
    desk.machine.places["checkout"] = str(tmp_path)
    assert "unknown" in said(desk.look(checkout.behind), "behind", "not run")
    git(tmp_path, "init", "-q")
    assert "unknown" in said(desk.look(checkout.behind), "behind", "not run")


# ---- the whole


def test_a_look_that_fails_was_not_run_and_shows_no_traceback(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Ground) -> Iterator[Row]:
        yield Row("first", "ok", "fine")
        raise RuntimeError("half way")

    monkeypatch.setattr(doctor, "LOOKS", (broken,))
    rows = doctor.examine(desk.ground())
    assert [row.mark for row in rows] == ["ok", "not run"]
    assert "could not look: RuntimeError: half way" in rows[1].text


def test_rows_are_shown_with_mark_cure_and_count(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row("a", "ok", "fine"), Row("b", "FAIL", "bad\x1b[2J\nx", "mend it."), Row("c", "not run", "no")]
    doctor.show(rows, quiet=True)
    assert capsys.readouterr().out.splitlines() == [
        "[FAIL] b: bad x → mend it.",
        "[not run] c: no",
        "3 checks, 1 failing, 0 due, 1 not run",
    ]


def test_the_session_doctor_reads_this_doctors_report(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The two speak the same shape, so an owner may set this doctor as a repository's."""
    from guards.knowledge.report import read

    rows = [Row("a", "ok", "fine"), Row("b", "FAIL", "bad"), Row("c", "not run", "no"), Row("d", "warn", "old")]
    doctor.show(rows, quiet=False)
    rules = desk.ground().built.sections["session-doctor"]
    found = read(capsys.readouterr().out.encode(), rules, lambda _: None)
    assert [severity for severity, _ in found.rows] == ["FAIL", "not run", "warn"]
    assert found.counts == {"checks": 4, "failing": 1, "due": 1}


def test_the_command_ends_with_1_when_a_row_fails_and_tells_all_in_json(tmp_path: Path) -> None:
    done = verbs.run(tmp_path, "doctor", "--json", "--no-fire")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["counts"]["failing"] >= 1
    assert {"id", "mark", "text", "cure"} == set(told["rows"][0])
    assert not (tmp_path / ".local/state/guards").exists()


def test_the_version_of_the_install_and_of_the_checkout_are_compared(desk: Desk) -> None:
    desk.machine.places["version"] = "0.0.1"
    assert place.version(desk.machine.places["checkout"]) in said(desk.look(settings.installed), "version", "warn")
