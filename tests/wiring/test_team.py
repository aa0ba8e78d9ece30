"""A repository's committed hooks: nothing without Guards, yielding where the machine is wired, judging elsewhere."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from guards.wiring import team
from guards.wiring.forms import FORMS
from tests.machine import ROOT, Fired, Machine, fire
from tests.wiring.owner import Owner

EVERY = pytest.mark.parametrize("harness", list(FORMS))
CI = ".github/workflows/ci.yml"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "team repo"
    (root / CI).parent.mkdir(parents=True)
    (root / CI).write_text("on: push\n")
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return root


def committed(owner: Owner, repo: Path, *harnesses: str) -> None:
    words = [word for name in harnesses for word in ("--harness", name)]
    done = owner.run("install", "--yes", "--repo", str(repo), *words)
    assert done.returncode == 0, done.stdout + done.stderr


def line_of(repo: Path, harness: str, event: str = "before-tool") -> str:
    form = FORMS[harness]
    [group] = json.loads((repo / form.TEAM).read_text())["hooks"][form.EVENTS[event]]
    entry = group["hooks"][0] if "hooks" in group else group
    return str(entry[form.COMMAND])


def sent(harness: str, repo: Path, path: str, event: str = "before-tool") -> bytes:
    """A write of a file, in the harness's own words."""
    form = FORMS[harness]
    return json.dumps(form.payload(event, str(repo), "s", **form.write(path))).encode()


def start(line: str, data: bytes, env: Mapping[str, str], repo: Path, harness: str) -> Fired:
    form = FORMS[harness]
    return fire([form.SHELL, "-c", line], data, streams=form.STREAMS, cwd=str(repo), env=dict(env))


def passes(fired: Fired, harness: str, event: str = "before-tool") -> bool:
    """Nothing was said, or what stands for it there."""
    spoken = event in FORMS[harness].SPOKEN
    return fired.code == 0 and not fired.err and fired.out.strip() == ('{"permission":"allow"}' if spoken else "")


@EVERY
def test_on_a_machine_without_guards_the_line_does_nothing(
    owner: Owner, repo: Path, harness: str, tmp_path: Path
) -> None:
    committed(owner, repo, harness)
    bare = tmp_path / "bare"
    bare.mkdir()
    for event in ("before-tool", "session-start"):
        fired = start(line_of(repo, harness, event), b"not even json", owner.env(HOME=str(bare)), repo, harness)
        assert passes(fired, harness, event), fired


@EVERY
def test_on_a_machine_with_guards_that_is_not_wired_it_judges(
    owner: Owner, machine: Machine, repo: Path, harness: str
) -> None:
    committed(owner, repo, harness)
    line = line_of(repo, harness)
    refused = start(line, sent(harness, repo, CI), machine.env(), repo, harness)
    assert refused.code == 2
    assert "lane 'ci'" in refused.err
    assert passes(start(line, sent(harness, repo, "src/a.py"), machine.env(), repo, harness), harness)


@EVERY
def test_where_the_machine_is_wired_it_yields(owner: Owner, repo: Path, harness: str) -> None:
    owner.wired("--harness", harness)
    committed(owner, repo, harness)
    for event in ("before-tool", "session-start"):
        line = line_of(repo, harness, event)
        assert passes(start(line, sent(harness, repo, CI, event), owner.env(), repo, harness), harness, event)
    owner.run("uninstall", "--yes", "--harness", harness)
    assert start(line_of(repo, harness), sent(harness, repo, CI), owner.env(), repo, harness).code == 2


@EVERY
def test_to_be_wired_for_another_harness_is_no_reason_to_yield(owner: Owner, repo: Path, harness: str) -> None:
    other = "gemini" if harness != "gemini" else "codex"
    owner.wired("--harness", other)
    committed(owner, repo, harness)
    assert start(line_of(repo, harness), sent(harness, repo, CI), owner.env(), repo, harness).code == 2


@pytest.mark.parametrize(
    ("variable", "harness", "file"),
    [
        ("CLAUDE_CONFIG_DIR", "claude", "settings.json"),
        ("CODEX_HOME", "codex", "hooks.json"),
        ("COPILOT_HOME", "copilot", "hooks/guards.json"),
    ],
)
def test_it_looks_for_the_machines_settings_where_the_installer_puts_them(
    owner: Owner, repo: Path, variable: str, harness: str, file: str
) -> None:
    """The script cannot import the forms; what it says must be what they say."""
    elsewhere = str(owner.home / "else where")
    owner.wired("--harness", harness, **{variable: elsewhere})
    assert (Path(elsewhere) / file).exists()
    committed(owner, repo, harness)
    line = line_of(repo, harness)
    assert passes(start(line, sent(harness, repo, CI), owner.env(**{variable: elsewhere}), repo, harness), harness)


def test_the_script_knows_every_form_and_its_files() -> None:
    text = (ROOT / "guards/wiring/team.sh").read_text()
    for form in FORMS.values():
        assert f"    {form.NAME})" in text
        assert form.MANAGED is None or f"root={form.MANAGED}" in text
        own = form.settings("/home/o", {}).removeprefix("/home/o/")
        assert own.rpartition("/")[2] in text
    for name in ("cursor", "copilot"):
        assert f"team={FORMS[name].TEAM}" in text


def test_the_script_is_plain_sh() -> None:
    script = str(ROOT / "guards/wiring/team.sh")
    assert subprocess.run(["dash", "-n", script], check=False).returncode == 0
    assert subprocess.run(["bash", "--posix", "-n", script], check=False).returncode == 0


def test_a_repository_that_is_somebodys_home_does_not_yield_to_itself(owner: Owner) -> None:
    (owner.home / ".git").mkdir()
    owner.wired("--harness", "gemini")
    committed(owner, owner.home, "claude")
    fired = start(line_of(owner.home, "claude"), sent("claude", owner.home, CI), owner.env(), owner.home, "claude")
    assert fired.code == 2


# ---------------------------------------------------------------- a broken install


def test_a_guards_that_cannot_run_refuses_and_says_what_to_do(owner: Owner, machine: Machine, repo: Path) -> None:
    committed(owner, repo, "claude")
    (machine.install / "py").unlink()
    fired = start(line_of(repo, "claude"), sent("claude", repo, "src/a.py"), machine.env(), repo, "claude")
    assert fired.code == 2
    assert "guards did not run" in fired.err
    quiet = start(line_of(repo, "claude", "session-start"), b"{}", machine.env(), repo, "claude")
    assert quiet.silent


def test_an_install_folder_whose_code_is_gone_counts_as_none(owner: Owner, machine: Machine, repo: Path) -> None:
    committed(owner, repo, "claude")
    (machine.install / "code").unlink()
    assert start(line_of(repo, "claude"), sent("claude", repo, CI), machine.env(), repo, "claude").silent


# ---------------------------------------------------------------- programs that run each other's files


def under(program: str, owner_env: Mapping[str, str], repo: Path) -> dict[str, str]:
    """The environment in which that program starts the project hooks of Claude Code."""
    named = {"cursor": {"CURSOR_VERSION": "3.12.29"}, "copilot": {"COPILOT_CLI": "1"}}[program]
    return {**owner_env, **named, "CLAUDE_PROJECT_DIR": str(repo)}


@pytest.mark.parametrize("program", ["cursor", "copilot"])
def test_claudes_file_run_by_another_program_is_judged_as_that_programs_call(
    owner: Owner, machine: Machine, repo: Path, program: str
) -> None:
    committed(owner, repo, "claude")
    env = under(program, machine.env(), repo)
    refused = start(line_of(repo, "claude"), sent(program, repo, CI), env, repo, program)
    assert refused.code == 2
    assert "lane 'ci'" in refused.out
    assert passes(start(line_of(repo, "claude"), sent(program, repo, "a.py"), env, repo, program), program)


@pytest.mark.parametrize("program", ["cursor", "copilot"])
def test_claudes_file_yields_to_the_file_of_the_program_that_runs_it(
    owner: Owner, machine: Machine, repo: Path, program: str
) -> None:
    committed(owner, repo, "claude", program)
    env = under(program, machine.env(), repo)
    assert passes(start(line_of(repo, "claude"), sent(program, repo, CI), env, repo, program), program)
    assert start(line_of(repo, program), sent(program, repo, CI), env, repo, program).code == 2


def test_a_claude_code_that_copilot_started_is_still_claude_code(owner: Owner, machine: Machine, repo: Path) -> None:
    committed(owner, repo, "claude", "copilot")
    env = {**under("copilot", machine.env(), repo), "CLAUDECODE": "1"}
    fired = start(line_of(repo, "claude"), sent("claude", repo, CI), env, repo, "claude")
    assert (fired.code, fired.out) == (2, "")


# ---------------------------------------------------------------- the repository's files


@EVERY
def test_the_files_other_bytes_stay_and_uninstall_gives_them_back(owner: Owner, repo: Path, harness: str) -> None:
    path = repo / FORMS[harness].TEAM
    path.parent.mkdir(parents=True, exist_ok=True)
    before = '{\n    "version": 1,\n    "hooks": {}\n}'
    path.write_text(before)
    committed(owner, repo, harness)
    assert json.loads(path.read_text())["hooks"]
    done = owner.run("uninstall", "--yes", "--repo", str(repo))
    assert done.returncode == 0, done.stderr
    assert path.read_text() == before


@EVERY
def test_a_file_that_install_made_is_gone_after_uninstall(owner: Owner, repo: Path, harness: str) -> None:
    committed(owner, repo, harness)
    assert (repo / FORMS[harness].TEAM).stat().st_mode & 0o777 == 0o644
    owner.run("uninstall", "--yes", "--repo", str(repo))
    assert not (repo / FORMS[harness].TEAM).exists()


def test_unwiring_the_machine_leaves_its_repositories_alone(owner: Owner, repo: Path) -> None:
    owner.wired()
    committed(owner, repo, "claude")
    before = (repo / ".claude/settings.json").read_bytes()
    owner.run("uninstall", "--yes")
    owner.run("unwire")
    assert (repo / ".claude/settings.json").read_bytes() == before


def test_every_machine_commits_the_same_bytes(owner: Owner, repo: Path, tmp_path: Path) -> None:
    committed(owner, repo, *FORMS)
    first = {form.TEAM: (repo / form.TEAM).read_bytes() for form in FORMS.values()}
    owner.run("uninstall", "--yes", "--repo", str(repo))
    other = Owner(tmp_path / "another home", "2.0.76 (Claude Code)")
    committed(other, repo, *FORMS)
    assert {form.TEAM: (repo / form.TEAM).read_bytes() for form in FORMS.values()} == first


def test_a_second_install_changes_nothing(owner: Owner, repo: Path) -> None:
    committed(owner, repo, *FORMS)
    before = {form.TEAM: (repo / form.TEAM).stat().st_mtime_ns for form in FORMS.values()}
    committed(owner, repo, *FORMS)
    assert {form.TEAM: (repo / form.TEAM).stat().st_mtime_ns for form in FORMS.values()} == before


def test_without_a_name_the_harnesses_of_this_machine_are_meant(owner: Owner, repo: Path) -> None:
    committed(owner, repo)
    assert (repo / ".claude/settings.json").exists()
    assert not (repo / ".codex").exists()


def test_a_dry_run_writes_nothing(owner: Owner, repo: Path) -> None:
    done = owner.run("install", "--dry-run", "--repo", str(repo))
    assert done.returncode == 0
    assert "team.sh" in done.stdout
    assert not (repo / ".claude").exists()


def test_without_a_terminal_and_without_yes_it_stops(owner: Owner, repo: Path) -> None:
    done = owner.run("install", "--repo", str(repo))
    assert done.returncode == 2
    assert not (repo / ".claude").exists()


def test_an_agent_does_not_wire_a_repository(owner: Owner, repo: Path) -> None:
    done = owner.run("install", "--yes", "--repo", str(repo), CLAUDECODE="1")
    assert done.returncode == 2
    assert not (repo / ".claude").exists()


@pytest.mark.parametrize("what", ["nowhere", "a file", "no repository"])
def test_what_is_no_repository_is_refused(owner: Owner, tmp_path: Path, what: str) -> None:
    path = tmp_path / "x"
    if what == "a file":
        path.write_text("")
    elif what == "no repository":
        path.mkdir()
    done = owner.run("install", "--yes", "--repo", str(path))
    assert done.returncode == 2
    assert "repository" in done.stderr


@EVERY
def test_the_committed_file_keeps_the_wiring_contract(owner: Owner, repo: Path, harness: str) -> None:
    committed(owner, repo, harness)
    path = str(repo / FORMS[harness].TEAM)
    done = owner.run("wiring", "--json", "--home", str(owner.home), "--harness", harness, path)
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    assert [finding for finding in found if finding["file"] == path and finding["level"] == "FAIL"] == []


def test_the_line_names_no_machine() -> None:
    for form in FORMS.values():
        line = team.line(form, "before-tool")
        assert "/home/" not in line.replace("$HOME/", "")
        assert str(ROOT) not in line
