"""`guards approvals`, `approvals why` and `explain --path`: the same look as in a hook, told to the owner."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from guards.reports import approvals
from guards.reports.explain_path import explain
from guards.wiring import place
from tests.machine import ROOT, Machine, tool
from tests.reports.verbs import run


def lines(machine: Machine) -> dict[int, dict[str, object]]:
    return {line["number"]: line for line in approvals.describe(machine.places)["lines"]}


def test_every_line_is_listed_with_its_comment_and_its_faults(machine: Machine) -> None:
    machine.approve("# 2026-11-30: docs", "# for the week", "^/home/o/docs/.*$", "", "(", "# alone", "", "^/x$")
    found = lines(machine)
    assert sorted(found) == [3, 5, 8]
    assert found[3]["comment"] == "2026-11-30: docs for the week"
    assert found[8]["comment"] == ""
    assert re.search("does not parse", str(found[5]["faults"]))


@pytest.mark.parametrize("shipped", [place.APPROVALS, (ROOT / "approvals/human-lane").read_text(encoding="utf-8")])
def test_what_an_owner_appends_to_the_shipped_file_has_the_owners_comment_alone(machine: Machine, shipped: str) -> None:
    machine.approve(*shipped.splitlines(), "# CI this week", "^/x$")
    assert [line["comment"] for line in lines(machine).values()] == ["CI this week"]


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        (".*", "matches too much: 8 of 8 paths of a project that is not there"),
        (".*/\\.github/.*", "matches too much: 2 of 8 paths of a project that is not there"),
        ("^/a/b\\.md|c\\.md$", "^ and $ bind to one branch each; write ^(a|b)$"),
        ("^/a/b\\.md$  ", "the spaces around it are part of the pattern"),
        ("^/a/b\\.md$ # for now", "a comment behind a pattern is part of the pattern"),
        ("human/notes/.*", "does not begin with /: the whole absolute path must match"),
        (
            "^{home}/\\.claude/settings.json$",
            "matches {home}/.claude/settings.json, which only ^{home}/\\.claude/settings\\.json$ frees",
        ),
        ("^{home}/\\.config/guards/.*$", "matches {home}/.config/guards/policy, which no line frees"),
        ("^{home}/\\.config/guards$", "names a sealed path, which no line frees"),
    ],
)  # fmt: skip
def test_a_line_that_frees_something_else_than_it_seems_to_is_remarked_upon(
    machine: Machine, line: str, remark: str
) -> None:
    machine.approve(line.format(home=machine.home))
    assert remark.format(home=machine.home) in str(lines(machine)[1]["remarks"]).replace("\\\\", "\\")


@pytest.mark.parametrize("line", ["^/home/o/a\\.md$", "^/home/o/(a|b)\\.md$", "/home/o/[|]/.*", "^/home/o/x/.*$"])
def test_an_ordinary_line_is_not_remarked_upon(machine: Machine, line: str) -> None:
    machine.approve(line)
    assert lines(machine)[1]["remarks"] == []
    assert lines(machine)[1]["faults"] == []


def test_which_call_used_which_line_is_read_from_the_journal(machine: Machine, proj: Path) -> None:
    machine.approve(f"^{proj}/human/notes/.*$", "^/other$")
    assert machine.write("human/notes/x.md", cwd=proj).silent
    assert machine.write("human/notes/y.md", cwd=proj).silent
    found = lines(machine)
    assert found[1]["used"] == 2
    assert found[2]["used"] == 0
    text = "\n".join(approvals.told(approvals.describe(machine.places)))
    assert f"by claude Write (session 5f0c1e2a-0000-4000-8000-00000000a001) for {proj}/human/notes/y.md" in text
    assert "never used, as far as the journal goes" in text


def test_a_file_that_cannot_be_used_is_said(machine: Machine) -> None:
    machine.approve(".*").chmod(0o666)
    report = approvals.describe(machine.places)
    assert "can be written by everybody" in report["trouble"]
    assert report["lines"] == []


def test_the_verbs_end_with_what_they_found(machine: Machine, proj: Path) -> None:
    machine.approve(f"^{proj}/human/notes/.*$")
    fine = run(machine.home, "approvals", "--json")
    assert (fine.returncode, json.loads(fine.stdout)["lines"][0]["number"]) == (0, 1)
    refused = run(machine.home, "approvals", "why", str(proj / "human/plan.md"))
    assert refused.returncode == 1
    assert f"line 1    ^{proj}/human/notes/.*$  does not match" in refused.stdout
    assert "verdict: deny" in refused.stdout
    freed = run(machine.home, "approvals", "why", "human/notes/x.md", "--cwd", str(proj), "--json")
    assert freed.returncode == 0
    assert json.loads(freed.stdout)["lines"][0]["says"] == "frees it"
    machine.approve("(")
    assert run(machine.home, "approvals").returncode == 1


def test_the_reports_write_nothing(machine: Machine, proj: Path) -> None:
    machine.write("src/app.py", cwd=proj)
    before = sorted((path, path.stat().st_mtime_ns) for path in machine.state.rglob("*"))
    run(machine.home, "approvals")
    run(machine.home, "approvals", "why", str(proj / "human/x"))
    assert sorted((path, path.stat().st_mtime_ns) for path in machine.state.rglob("*")) == before


# ---- explain --path
@pytest.mark.parametrize("words", [["--path", ".github/workflows/ci.yml"], ["rm .github/workflows/ci.yml"]])
def test_a_pause_and_the_last_good_policy_stand_beside_the_verdict(
    machine: Machine, proj: Path, words: list[str]
) -> None:
    def explained() -> str:
        return run(machine.home, "explain", *words, "--cwd", str(proj)).stdout

    assert "paused" not in explained()
    assert "last good" not in explained()
    (machine.state / "pause").write_text(f"{time.time() + 900}\nmoving\n")
    (machine.state / "pause").chmod(0o600)
    machine.policy("human-lane", "strikt = true")
    said = explained()
    assert "verdict: none" in said
    assert "(moving): only sealed and exact paths are refused" in said
    assert "policy does not compile; the last good one is in force" in said


def test_a_path_is_explained_from_its_forms_to_its_verdict(machine: Machine, proj: Path) -> None:
    (proj / "lnk").symlink_to("human")
    machine.approve("(", f"^{proj}/human/notes/.*$")
    report, told = explain("lnk/plan.md", str(proj), machine.places)
    assert {form["text"] for form in report["forms"]} == {f"{proj}/lnk/plan.md", f"{proj}/human/plan.md"}
    assert report["roots"] == [{"path": str(proj), "why": "holds a .git"}]
    (lane,) = report["lanes"]
    assert (lane["lane"], lane["pattern"], lane["form"]) == ("human", "/human/", "entry")
    assert lane["rule"] == "~/.config/guards/policy/human-lane.toml: lane 'human'"
    assert [line["says"].partition(":")[0] for line in report["lines"]] == ["frees nothing", "does not match"]
    assert report["verdict"] == "deny"
    assert told[-1].startswith("(line 1 of")


def test_what_no_line_frees_is_explained(machine: Machine, proj: Path) -> None:
    machine.approve(".*")
    sealed, _ = explain(machine.places["approvals"], str(proj), machine.places)
    assert sealed["lines"][0]["says"] == "matches, but no line frees a sealed path"
    exact, _ = explain(".claude/settings.json", str(proj), machine.places)
    assert exact["lines"][0]["says"] == "matches, but an exact path is freed only by the line that is that path"
    assert (sealed["verdict"], exact["verdict"]) == ("deny", "deny")


def test_a_manifest_is_explained_by_its_fields(machine: Machine, proj: Path) -> None:
    report, told = explain("package.json", str(proj), machine.places)
    assert report["manifests"] == [
        {
            "manifest": "npm-release",
            "rule": "policy/human-lane.toml: manifest 'npm-release'",
            "fields": ["version", "publishConfig", "exports"],
        }
    ]
    assert report["verdict"] == "none"
    assert told[-1] == "verdict: none"


def test_a_tool_that_only_reads_is_said_to(machine: Machine, proj: Path) -> None:
    for name in ("Read", "mcp__fs__get_file"):
        report, told = explain("human/plan.md", str(proj), machine.places, name)
        assert report["verdict"] == "none"
        assert told[-1] == f"verdict: none, {name} only reads"
    assert explain("human/plan.md", str(proj), machine.places, "mcp__fs__put_file")[0]["verdict"] == "deny"


@pytest.mark.parametrize("path", ["human/plan.md", "src/app.py", "~/.bashrc", "config/new-secrets", ".github/x.yml"])
def test_the_explanation_and_the_hook_agree(machine: Machine, proj: Path, path: str) -> None:
    path = path.replace("~", str(machine.home))
    fired = machine.fire("before-tool", tool("Write", {"file_path": path, "content": "x"}, cwd=proj))
    report, _ = explain(path, str(proj), machine.places)
    assert (report["verdict"] == "deny") == fired.denied
    assert report["text"].strip() == fired.err.strip()


def test_the_guard_switched_off_is_said(machine: Machine, proj: Path) -> None:
    machine.policy("human-lane", "off = true\n")
    report, _ = explain("human/plan.md", str(proj), machine.places)
    assert report["verdict"] == "none"
