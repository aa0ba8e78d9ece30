"""`guards check`: what it prints, how it exits, and that cases go through the judges of a hook."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from guards import cli
from guards.compile import catalog
from guards.compile.build import rebuild
from guards.compile.policies import dispatch, harness
from guards.engine.event import Event, Verdict
from guards.reports import here
from tests.compile.house import SAMPLE, House

CI = '[[lane]]\nid = "ci"\npaths = ["ci.yml"]\n'
ROW = '[[guard]]\nid = "sample"\nmodule = "guards.sample"\nevents = ["before-tool", "prompt"]\n'
TOOLS = """
[[tool]]
name = "Write"
class = "write"
path = ["file_path"]
[[tool]]
name = "Bash"
class = "shell"
command = "command"
[[tool]]
name = "Agent"
class = "spawn"
prompt = "prompt"
"""

Judge = Callable[[Event, Any, Any], Any]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """The sample policy, a dispatch that asks its guard, a harness with three tools."""
    for name in list(catalog.POLICIES):
        monkeypatch.delitem(catalog.POLICIES, name)
    for name, module in {"dispatch": dispatch, "harness/claude": harness, "sample": SAMPLE}.items():
        monkeypatch.setitem(catalog.POLICIES, name, module)
    made = House(tmp_path)
    (tmp_path / "policy/dispatch.toml").write_text(ROW)
    (tmp_path / "policy/harness").mkdir()
    (tmp_path / "policy/harness/claude.toml").write_text(TOOLS)
    monkeypatch.setattr(here, "places", lambda: made.places)
    monkeypatch.chdir(made.repo)
    judged(monkeypatch, lambda event, rules, world: None)
    return made


def judged(monkeypatch: pytest.MonkeyPatch, judge: Judge) -> None:
    module = ModuleType("guards.sample")
    module.judge = judge  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "guards.sample", module)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.build(["check"]), ["check", *words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_a_sound_policy_has_nothing_to_say(house: House) -> None:
    house.bundled(CI)
    assert run() == (0, "the policy is fine: 3 files, 0 cases\n")


def test_every_fault_is_printed_with_its_place(house: House) -> None:
    house.bundled("limit = true\n" + CI)
    house.machine("limit = 3\nstirct = true\n")
    assert run() == (
        1,
        (
            "policy/sample.toml: limit: expected a whole number, found true\n"
            "~/m/sample.toml: stirct: unknown key 'stirct', the nearest known one is 'strict'\n"
            "the policy does not compile (2 to mend); there is no last good one: tools are refused\n"
        ),
    )


def test_it_says_whether_there_is_a_last_good_policy(house: House) -> None:
    house.bundled(CI)
    assert rebuild(house.places) is not None
    house.bundled("nope = 1")
    assert run()[1].endswith("the policy does not compile (1 to mend); the last good one is in force\n")


def test_notices_and_a_repositorys_faults_are_findings_too(house: House) -> None:
    house.bundled(CI)
    house.machine('disable = ["cj"]')
    house.repository("limit = 50\n")
    code, said = run()
    assert code == 1
    assert said == (
        "~/m/sample.toml: disable[0]: no row has the id 'cj'; the nearest is 'ci'\n"
        ".guards/sample.toml: limit: 50 is looser than the owner's 10; left out\n"
        "the policy is in force; 2 to look at\n"
    )
    house.repository("limit = 0\n")
    assert ".guards/sample.toml: limit: must be at least 1, is 0\n" in run()[1]


def test_the_repository_is_the_one_we_stand_in_or_the_one_named(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.bundled(CI)
    house.repository("limit = 50\n")
    inner = Path(house.repo) / "src/deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert run()[0] == 1
    monkeypatch.chdir(house.base)
    assert run()[0] == 0
    assert run("--repo", house.repo)[0] == 1


def test_a_mistyped_file_name_is_told_with_the_nearest_policy(house: House) -> None:
    house.bundled(CI)
    (house.base / "home/m/smaple.toml").write_text("")
    (house.base / "home/m/notes.md").write_text("")
    (Path(house.repo) / ".guards/dispatch.toml").write_text("")
    code, said = run()
    assert code == 1
    assert said == (
        f"{house.base}/home/m/smaple.toml: no policy of this name is read here; the nearest is 'sample'\n"
        f"{house.repo}/.guards/dispatch.toml: no policy of this name is read here; the nearest is 'sample'\n"
        "the policy is in force; 2 to look at\n"
    )


def test_json_has_the_same_findings(house: House) -> None:
    house.bundled("limit = true\n")
    code, said = run("--json")
    assert code == 1
    assert json.loads(said) == {
        "files": 3,
        "faults": ["policy/sample.toml: limit: expected a whole number, found true"],
        "repository": [],
        "notices": [],
        "cases": 0,
        "failed": [],
        "overridden": [],
        "last_good": False,
    }
    house.bundled(CI)
    code, said = run("--json")
    assert (code, json.loads(said)["faults"]) == (0, [])


def test_without_a_policy_folder_it_cannot_run(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.places["policy"] = str(house.base / "nowhere")
    monkeypatch.setattr(sys, "argv", ["guards", "check"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2


def test_it_writes_nothing(house: House) -> None:
    house.bundled(CI + '[[case]]\nverdict = "none"\npath = "x"\n')
    before = sorted(str(path) for path in house.base.rglob("*"))
    run()
    assert sorted(str(path) for path in house.base.rglob("*")) == before


def test_the_example_of_the_help_is_there(house: House) -> None:
    assert "Example: guards check" in run("--help")[1]


# ---- cases


def refuse_ci(event: Event, rules: Any, world: Any) -> Verdict | None:
    path = event.input.get("file_path", "") or event.command
    return Verdict("sample", "deny", "no") if "ci.yml" in path else None


def test_cases_that_come_out_as_written_are_counted(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, refuse_ci)
    house.bundled(
        CI
        + """
[[case]]
path = "ci.yml"
verdict = "deny"

[[case]]
path = "src/a.py"
verdict = "none"

[[case]]
command = "cat ci.yml"
verdict = "deny"
"""
    )
    house.machine('[[case]]\npath = "mine"\nverdict = "none"\n')
    assert run() == (0, "the policy is fine: 4 files, 4 cases\n")


def test_a_case_that_comes_out_otherwise_is_a_finding_with_its_place(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch, refuse_ci)
    house.bundled(CI + '[[case]]\npath = "ci.yml"\nverdict = "ask"\n')
    house.machine('[[case]]\ncommand = "ls"\nverdict = "deny"\n')
    assert run() == (
        1,
        (
            "policy/sample.toml: case[0]: sample says deny, not ask, to 'ci.yml'\n"
            "~/m/sample.toml: case[0]: sample says none, not deny, to 'ls'\n"
            "the policy is in force; 2 to look at\n"
        ),
    )


def test_a_guard_that_cannot_judge_never_passes_a_case(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(event: Event, rules: Any, world: Any) -> None:
        raise KeyError("x")

    judged(monkeypatch, broken)
    house.bundled(CI + '[[case]]\npath = "a"\nverdict = "deny"\n')
    assert "sample says no verdict (sample: KeyError: 'x'), not deny, to 'a'\n" in run()[1]


def test_a_case_becomes_the_event_a_harness_would_send(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []

    def look(event: Event, rules: Any, world: Any) -> None:
        assert os.path.isdir(event.cwd + "/.git")
        assert rules == {"lanes": [("ci", ["ci.yml"], "policy/sample.toml")], "limit": 10}
        seen.append((event.name, event.tool, event.kind, event.input, event.command, event.text))

    judged(monkeypatch, look)
    house.bundled(
        CI
        + """
[[case]]
path = "~/x"
verdict = "none"
[[case]]
command = "ls"
verdict = "none"
[[case]]
tool = "Agent"
text = "do it"
verdict = "none"
[[case]]
event = "prompt"
text = "hello"
verdict = "none"
[[case]]
tool = "mcp__x"
path = "/etc/x"
input = { cmd = "y" }
verdict = "none"
"""
    )
    assert run()[0] == 0
    home = house.places["home"]
    assert seen == [
        ("before-tool", "Write", "write", {"file_path": f"{home}/x"}, "", ""),
        ("before-tool", "Bash", "shell", {"command": "ls"}, "ls", ""),
        ("before-tool", "Agent", "spawn", {"prompt": "do it"}, "", "do it"),
        ("prompt", "", "", {"prompt": "hello"}, "", "hello"),
        ("before-tool", "mcp__x", "unknown", {"path": "/etc/x", "cmd": "y"}, "", ""),
    ]


def test_the_owners_approvals_do_not_count_in_cases(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(house.places["approvals"]).write_text("^.*$\n")

    def look(event: Event, rules: Any, world: Any) -> Verdict | None:
        free = os.path.exists(world.places["approvals"])
        return None if free else Verdict("sample", "deny", "no")

    judged(monkeypatch, look)
    house.bundled(CI + '[[case]]\npath = "a"\nverdict = "deny"\n')
    assert run()[0] == 0


def test_watched_verdicts_are_a_word_of_their_own(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, lambda event, rules, world: Verdict("sample", "watch", "hm"))
    house.bundled(CI + '[[case]]\npath = "a"\nverdict = "watch"\n')
    assert run()[0] == 0


def test_cases_of_a_guard_that_is_off_are_not_asked(house: House) -> None:
    house.bundled(CI + '[[case]]\npath = "a"\nverdict = "deny"\n')
    house.machine("off = true")
    assert run() == (0, "the policy is fine: 4 files, 0 cases\n")


def by_action(event: Event, rules: Any, world: Any) -> Verdict | None:
    """A guard that holds as many lanes as its policy has."""
    return Verdict("sample", "deny", "no") if rules["lanes"] and "ci.yml" in str(event.input) else None


def test_a_bundled_case_that_the_owner_overrode_is_skipped_and_counted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch, by_action)
    house.bundled(CI + '[[case]]\npath = "ci.yml"\nverdict = "deny"\n[[case]]\npath = "a"\nverdict = "none"\n')
    house.machine('disable = ["ci"]\n')
    assert run() == (
        0,
        (
            "the policy is fine: 4 files, 1 cases\n"
            "1 bundled case was skipped, since your own layer decides it otherwise: policy/sample.toml: case[0]\n"
        ),
    )
    house.machine('disable = ["ci"]\n[[case]]\npath = "ci.yml"\nverdict = "deny"\n')
    assert "~/m/sample.toml: case[0]: sample says none, not deny" in run()[1], "the owner's own case is never skipped"


def test_a_guard_that_cannot_judge_is_no_override(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(event: Event, rules: Any, world: Any) -> Verdict | None:
        if not rules["lanes"]:
            raise KeyError("x")
        return Verdict("sample", "deny", "no")

    judged(monkeypatch, broken)
    house.bundled(CI + '[[case]]\npath = "ci.yml"\nverdict = "deny"\n')
    house.machine('disable = ["ci"]\n')
    assert run()[0] == 1


def test_a_policys_own_cases_are_asked_through_the_same_judges(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, refuse_ci)

    def own(policy: dict[str, Any], run: Callable[[dict[str, Any]], str]) -> list[str]:
        return [f"{row['id']}: {run({'path': row['paths'][0]})}" for row in policy["lane"]]

    monkeypatch.setattr(SAMPLE, "check_cases", own, raising=False)
    house.bundled(CI)
    assert run() == (1, "ci: deny\nthe policy is in force; 1 to look at\n")


def test_a_case_of_a_repository_is_asked_with_its_layer_on_top(house: House) -> None:
    house.bundled(CI)
    house.repository('[[case]]\npath = "a"\nverdict = "deny"\n')
    assert ".guards/sample.toml: case[0]: sample says none, not deny, to 'a'\n" in run()[1]


def test_a_repository_alone_never_makes_check_fail_to_run(house: House) -> None:
    house.bundled(CI)
    for toml in (
        '[[case]]\nverdict = "none"\nharness = "\\u2028"\n',
        '[[case]]\nverdict = "none"\ninput = {a = "b"}\n',
    ):
        house.repository(toml)
        assert run()[0] in (0, 1)
