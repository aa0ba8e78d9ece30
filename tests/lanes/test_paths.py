"""Every way to spell or reach a path in a lane, and near misses that must stay writable."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.engine.state import Session
from guards.engine.world import World
from guards.lanes import paths
from tests.examples import examples
from tests.lanes.judging import HUMAN, judge, refusal, says, write
from tests.machine import Machine


@pytest.mark.parametrize(
    "spelled",
    [
        "human/plan.md", "./human/plan.md", "src/../human/plan.md", "{p}//./human///plan.md", "human/", "human",
        "human/.",
        "human/new/deep/file.md", "HUMAN/Plan.md", "missing/../human/plan.md", "{p}/human/it's \"final\".md",
        "human/two\nlines.md", "human/a b.md", "human/\u00fc.md", "{p}/../proj/human/x", "/..{p}/human/x", "OWNER.md",
        "sub/owner.md", "human/x\0y", "human\\plan.md", "human./plan.md", "human /plan.md", " human/plan.md ",
        '"human/plan.md"', "file://{p}/human/plan.md", "FILE:{p}/human/plan.md", "file://localhost{p}/hum%61n/plan.md",
        "~/proj/human/plan.md", "$HOME/proj/human/plan.md", "${{HOME}}/proj/human/plan.md", "\u200bhuman/plan.md",
        "/proc/self/cwd/human/plan.md", "/proc/self/root{p}/human/plan.md", "/dev/fd/7", "/proc/self/fd/7",
        "src/" + "../src/" * 3000 + "../human/plan.md", "human/" + "x/" * 3000 + "y", "human/\udc80.md",
    ],
)  # fmt: skip
def test_a_path_into_the_lane_is_refused_however_it_is_spelled(machine: Machine, proj: Path, spelled: str) -> None:
    assert write(machine, spelled.format(p=proj), proj) == "deny"


@pytest.mark.parametrize(
    "spelled",
    [
        "src/app.py", "human/../src/app.py", "human-tools/run.py", "humans.md", "OWNER.md.template", "Readme.MD",
        "docs/a\nhuman/plan.md", "docs/human/plan.md", "{p}/src//new.py", "cafe\u0301/menu.md", "sub/NOT-OWNER.md",
        "src/a:b.py", "src/$x.py", "src/~x.py", "examples/settings.json", "/dev/null", "/dev/stdout", "/dev/fd/1",
        "/proc/self/fd/2", "src/file.",
    ],
)  # fmt: skip
def test_a_near_miss_stays_writable(machine: Machine, proj: Path, spelled: str) -> None:
    assert write(machine, spelled.format(p=proj), proj) == "none"


def test_composed_and_decomposed_names_are_one(machine: Machine) -> None:
    machine.policy("human-lane", '[[lane]]\nid = "h"\npaths = ["/pers\u00f6nlich/"]\nwhy = "mine"\n')
    root = machine.repo()
    assert write(machine, unicodedata.normalize("NFD", "pers\u00f6nlich/a.md"), root) == "deny"
    assert write(machine, "PERS\u00d6NLICH/a.md", root) == "deny"
    assert write(machine, "personlich/a.md", root) == "none"


# ---- links
def test_a_write_below_a_linked_folder_is_refused(machine: Machine, proj: Path) -> None:
    (proj / "lnk").symlink_to("human")
    assert write(machine, "lnk/plan.md", proj) == "deny"
    assert write(machine, "lnk/new/deeper/file.md", proj) == "deny"


def test_a_last_part_that_is_a_link_is_followed(machine: Machine, proj: Path) -> None:
    (proj / "notes.md").symlink_to("human/plan.md")
    (proj / "dangling.md").symlink_to("human/not-yet.md")
    assert write(machine, "notes.md", proj) == "deny"
    assert write(machine, "dangling.md", proj) == "deny"


def test_a_link_in_the_lane_that_leads_out_of_it_is_still_in_the_lane(machine: Machine, proj: Path) -> None:
    (proj / "human/out.md").symlink_to("../src/app.py")
    (proj / "human/away").symlink_to("../src")
    assert write(machine, "human/out.md", proj) == "deny"
    assert write(machine, "human/away/app.py", proj) == "deny"


def test_dots_after_a_link_lead_to_the_parent_of_its_target(machine: Machine, proj: Path) -> None:
    (proj / "deep").symlink_to(proj / "human/notes")
    assert write(machine, "deep/../plan.md", proj) == "deny"


def test_dots_after_a_missing_folder_are_taken_off_as_tools_do_and_then_links_count(
    machine: Machine, proj: Path
) -> None:
    (proj / "lnk").symlink_to("human")
    assert write(machine, "missing/../lnk/plan.md", proj) == "deny"
    assert write(machine, "src/app.py/../../lnk/plan.md", proj) == "deny"


def test_a_chain_of_links_and_links_in_a_circle(machine: Machine, proj: Path) -> None:
    (proj / "one").symlink_to("two")
    (proj / "two").symlink_to(proj / "human")
    (proj / "ring").symlink_to("gnir")
    (proj / "gnir").symlink_to("ring")
    assert write(machine, "one/x.md", proj) == "deny"
    assert write(machine, "ring/x.md", proj) == "none", "the kernel opens nothing there"
    (proj / "human/ring").symlink_to("ring")
    assert write(machine, "human/ring", proj) == "deny"


def test_a_project_reached_through_a_link_is_the_same_project(machine: Machine, proj: Path) -> None:
    link = machine.home / "projlink"
    link.symlink_to(proj)
    assert write(machine, link / "human/plan.md", link) == "deny"
    assert write(machine, "human/plan.md", link) == "deny"
    assert write(machine, "src/app.py", link) == "none"


def test_a_link_through_proc_is_refused(machine: Machine, proj: Path) -> None:
    (proj / "door").symlink_to("/proc/self/cwd")
    assert write(machine, "door/anything.md", proj) == "deny"


def test_a_line_for_the_file_that_proc_seems_to_be_frees_nothing(machine: Machine, proj: Path) -> None:
    there = os.getcwd()
    machine.approve(f"^{there}/src/new\\.md$", ".*")
    assert write(machine, "/proc/self/cwd/src/new.md", proj) == "deny"


def test_a_folder_whose_name_is_not_utf8_hides_nothing(machine: Machine, proj: Path) -> None:
    odd = os.fsencode(proj) + b"/od\xffd"
    os.mkdir(odd)
    os.symlink(os.fsencode(proj) + b"/human", odd + b"/in")
    os.symlink(b"od\xffd", os.fsencode(proj) + b"/way")
    assert write(machine, "way/in/plan.md", proj) == "deny"


# ---- the directory a path hangs on
def test_a_relative_path_hangs_on_the_events_directory_not_on_the_hooks(machine: Machine, proj: Path) -> None:
    os.makedirs(proj / "src/human", exist_ok=True)
    assert write(machine, "plan.md", proj / "human") == "deny"
    assert write(machine, "human/x.md", proj / "src") == "none"
    assert write(machine, "../human/x.md", proj / "src") == "deny"


def test_without_a_directory_the_project_is_taken(machine: Machine, proj: Path) -> None:
    (proj / "lnk").symlink_to("human")
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    from tests.lanes.judging import event

    call = event(machine, "Write", {"file_path": "lnk/x", "content": ""}, "")
    call.project = str(proj)
    from guards.engine import dispatch
    from guards.engine.tables import load

    dispatch.prepare(call, load(machine.places), world)
    assert dispatch.run(call, load(machine.places), world, "human-lane").verdicts


# ---- roots
def test_a_pattern_is_tried_from_every_repository_above_the_target(machine: Machine, proj: Path) -> None:
    machine.repo("proj/vendor/lib", {"human/x.md": "x"})
    assert write(machine, "vendor/lib/human/x.md", proj) == "deny", "the inner repository's own lane"
    assert write(machine, "vendor/human/x.md", proj) == "none"


def test_a_linked_worktree_has_the_lane_too(machine: Machine, proj: Path) -> None:
    tree = machine.home / "proj-wt/feat"
    tree.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {proj}/.git/worktrees/feat\n")
    assert write(machine, "human/plan.md", tree) == "deny"
    assert write(machine, "src/app.py", tree) == "none"


def test_making_a_repository_inside_one_is_refused_and_a_new_one_elsewhere_is_not(machine: Machine, proj: Path) -> None:
    assert write(machine, "human-tools/.git", proj) == "deny"
    assert write(machine, "src/.git/HEAD", proj) == "deny"
    assert write(machine, machine.home / "fresh/.git/HEAD", machine.home / "fresh") == "none"
    assert write(machine, ".git/COMMIT_EDITMSG", proj) == "none", "what lies in the repository's own .git is free"


def test_a_git_file_that_names_another_repository_is_not_rewritten(machine: Machine, proj: Path) -> None:
    sub = proj / "sub"
    sub.mkdir()
    (sub / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert write(machine, "sub/.git", proj) == "deny"
    assert write(machine, "sub/src/x.py", proj) == "none"


def test_outside_any_repository_the_project_is_the_root(machine: Machine) -> None:
    machine.policy("human-lane", HUMAN)
    plain = machine.repo("plain", git=False)
    assert write(machine, "human/x.md", plain) == "deny"
    assert write(machine, machine.home / "other/human/x.md", plain) == "none", "no root there, so no lane"
    assert write(machine, plain / "human/x.md", "/") == "none"


def test_a_worktrees_git_that_is_a_link_is_a_root(machine: Machine, proj: Path) -> None:
    other = machine.home / "linked"
    other.mkdir()
    (other / ".git").symlink_to(proj / ".git")
    assert write(machine, "human/x.md", other) == "deny"


# ---- other names of one file
def test_another_name_of_an_exact_file_is_refused(machine: Machine, proj: Path) -> None:
    settings_file = machine.home / ".claude/settings.json"
    settings_file.parent.mkdir()
    settings_file.write_text("{}")
    os.link(settings_file, proj / "notes.json")
    assert write(machine, "notes.json", proj) == "deny"
    machine.approve(".*")
    assert write(machine, "notes.json", proj) == "deny"
    assert write(machine, "other.json", proj) == "none"


def test_another_name_of_a_projects_settings_is_refused(machine: Machine, proj: Path) -> None:
    (proj / ".claude").mkdir()
    (proj / ".claude/settings.local.json").write_text("{}")
    os.link(proj / ".claude/settings.local.json", proj / "notes.json")
    os.link(proj / "src/app.py", proj / "src/two.py")
    assert write(machine, "notes.json", proj) == "deny"
    assert write(machine, "src/two.py", proj) == "none"


def test_another_name_of_the_approvals_is_refused(machine: Machine, proj: Path) -> None:
    os.link(machine.places["approvals"], proj / "notes.txt")
    assert "sealed" in refusal(machine, "notes.txt", proj)


# ---- windows spellings (a harness on the other side of WSL)
def test_a_drive_letter_and_git_bash_name_one_file(machine: Machine) -> None:
    machine.policy("human-lane", HUMAN)
    cwd = "C:\\Users\\dev\\proj"
    assert write(machine, "/c/Users/dev/proj/human/plan.md", cwd) == "deny"
    assert write(machine, cwd + "\\human\\plan.md", cwd) == "deny"
    assert write(machine, cwd + "\\humanities\\a.md", cwd) == "none"


# ---- tools
def test_a_notebook_is_judged_by_its_own_field(machine: Machine, proj: Path) -> None:
    cell = {"new_source": "open('human/plan.md')", "cell_type": "code", "edit_mode": "insert"}
    assert says(machine, "NotebookEdit", {"notebook_path": str(proj / "human/a.ipynb"), **cell}, proj) == "deny"
    assert says(machine, "NotebookEdit", {"notebook_path": str(proj / "docs/a.ipynb"), **cell}, proj) == "none"


def test_reading_is_never_refused(machine: Machine, proj: Path) -> None:
    assert says(machine, "Read", {"file_path": str(proj / "human/plan.md")}, proj) == "none"
    assert says(machine, "Grep", {"pattern": "x", "path": "human"}, proj) == "none"


def test_content_that_names_the_lane_is_only_content(machine: Machine, proj: Path) -> None:
    text = "never run: echo x > human/plan.md\nprotected: OWNER.md, ~/.claude/settings.json\n"
    assert write(machine, "docs/notes.md", proj, text) == "none"


def test_a_subagents_write_gets_the_same_verdict(machine: Machine, proj: Path) -> None:
    assert write(machine, "human/plan.md", proj, agent_id="a1", agent_type="general-purpose") == "deny"


def test_a_refusal_says_what_which_rule_and_what_next(machine: Machine, proj: Path) -> None:
    file = machine.places["approvals"]
    assert refusal(machine, "human/plan.md", proj) == (
        f"human/plan.md (that is {proj}/human/plan.md) is in a lane that only the owner changes:"
        " only a human writes here (~/.config/guards/policy/human-lane.toml: lane 'human')."
        " say what should change and why; if the owner agrees,"
        f" the owner adds this line to {file}:\n^{proj}/human/plan\\.md$"
    )


def test_several_lanes_of_one_call_are_told_together(machine: Machine, proj: Path) -> None:
    found = judge(machine, "mcp__fs__write_files", {"paths": ["human/a", "OWNER.md", "src/b"]}, proj)
    assert [verdict.path for verdict in found] == [f"{proj}/human/a", f"{proj}/OWNER.md"]


def test_many_paths_of_one_call_are_counted(machine: Machine, proj: Path) -> None:
    found = judge(machine, "mcp__fs__write_files", {"paths": [f"human/{i}" for i in range(40)]}, proj)
    assert len(found) == 8
    assert found[-1].text.endswith("(and 32 more paths of this call lie in lanes.)")


# ---- the walk itself
@examples(80)
@given(st.lists(st.sampled_from(["a", "b", "c", "..", ".", "", "lnk", "far", "loop"]), max_size=9))
def test_the_walk_is_the_kernels(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    base = tmp_path_factory.getbasetemp() / "walk"
    if not base.exists():
        (base / "a/b/c").mkdir(parents=True)
        (base / "b").mkdir()
        (base / "lnk").symlink_to("a/b")
        (base / "a/far").symlink_to(base / "b")
        (base / "loop").symlink_to("loop")
        (base / "a/b/lnk").symlink_to("..")
    path = str(base) + "/" + "/".join(parts)
    found = paths.walk(path)
    try:
        os.stat(path)
    except OSError:
        return
    assert found.real == os.path.realpath(path)
    if found.real != "/":
        assert found.ids[-1] == (os.stat(path).st_dev, os.stat(path).st_ino)
