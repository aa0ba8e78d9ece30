"""A repository's committed hooks in the real programs: judging where the machine is not wired, else yielding."""

import json

import pytest

from tests.harness.copilot import Rig as Copilot
from tests.harness.model import turn
from tests.harness.rig import Rig
from tests.harness.runs import Keep
from tests.machine import Machine

pytestmark = pytest.mark.real

TRUSTED = {"COPILOT_ALLOW_ALL": "true"}


def committed(rig: Rig, *harnesses: str) -> None:
    words = [word for name in harnesses for word in ("--harness", name)]
    rig.guards("install", "--yes", "--repo", str(rig.project), *words)


def refusals(rig: Rig) -> list[str]:
    return [line["harness"] for line in rig.machine.journal() if line.get("verdict") == "deny"]


def test_in_claude_code_it_judges_until_the_machine_is_wired(claude: Rig) -> None:
    committed(claude, "claude")
    run = claude.run(turn(claude.write(".github/a.yml")))
    assert "lane 'ci'" in run.results()[0]
    assert not claude.there(".github/a.yml")
    assert refusals(claude) == ["claude"]
    claude.install()
    run = claude.run(turn(claude.write(".github/b.yml")))
    assert "lane 'ci'" in run.results()[0]
    assert refusals(claude) == ["claude"] * 2  # once for each call


def test_in_copilot_each_call_is_judged_once_though_it_runs_both_files(machine: Machine, keep: Keep) -> None:
    copilot = Copilot(machine, keep)
    committed(copilot, "claude", "copilot")
    run = copilot.run(turn(copilot.write(".github/a.yml")), turn(copilot.write("a.txt")), env=TRUSTED)
    assert "policy/human-lane.toml: lane 'ci'" in run.results()[0]
    assert not copilot.there(".github/a.yml")
    assert copilot.there("a.txt")
    assert refusals(copilot) == ["copilot"]
    copilot.install()
    copilot.run(turn(copilot.write(".github/b.yml")), env=TRUSTED)
    assert refusals(copilot) == ["copilot"] * 2


@pytest.mark.parametrize("patches", [False, True])
def test_claude_codes_file_alone_holds_in_copilot_too(machine: Machine, keep: Keep, patches: bool) -> None:
    copilot = Copilot(machine, keep, patches)
    committed(copilot, "claude")
    run = copilot.run(turn(copilot.write(".github/a.yml")), turn(copilot.shell("rm -rf .github")), env=TRUSTED)
    assert all("lane 'ci'" in result for result in run.results())
    assert refusals(copilot) == ["copilot"] * 2


def test_where_guards_is_not_there_nothing_is_judged_and_nothing_said(claude: Rig) -> None:
    committed(claude, "claude")
    (claude.machine.install / "code").unlink()
    run = claude.run(turn(claude.write(".github/a.yml")))
    assert claude.there(".github/a.yml")
    assert "hook" not in run.shown()


def trusted(rig: Rig) -> None:
    """The person has told the program to trust this folder."""
    if rig.harness == "codex":
        table = f'[projects.{json.dumps(str(rig.project))}]\ntrust_level = "trusted"\n'
        (rig.home / ".codex/config.toml").write_text(table)
    else:
        (rig.home / ".gemini/trustedFolders.json").write_text(json.dumps({str(rig.project): "TRUST_FOLDER"}))


@pytest.mark.parametrize("rig", ["codex", "gemini"], indirect=True)
def test_in_a_trusted_folder_codex_and_gemini_are_judged_once_before_and_after_an_install(rig: Rig) -> None:
    committed(rig, rig.harness)
    trusted(rig)
    run = rig.run(turn(rig.write(".github/a.yml")), turn(rig.write("a.txt")))
    assert "lane 'ci'" in run.results()[0]
    assert not rig.there(".github/a.yml")
    assert rig.there("a.txt")
    assert refusals(rig) == [rig.harness]
    rig.install()
    run = rig.run(turn(rig.write(".github/b.yml")))
    assert "lane 'ci'" in run.results()[0]
    assert refusals(rig) == [rig.harness] * 2
