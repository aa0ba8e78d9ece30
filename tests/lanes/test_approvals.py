"""The owner's approval file: what a line frees, what it never frees, and what is said about lines that free nothing."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.lanes import approvals, ere
from tests.examples import examples
from tests.lanes.judging import judge, refusal, says, write
from tests.machine import Machine


def raw(machine: Machine, data: bytes) -> Path:
    path = Path(machine.places["approvals"])
    path.write_bytes(data)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    ("line", "path", "said"),
    [
        ("^{p}/human/notes/.*$", "human/notes/today.md", "none"),
        ("{p}/human/notes/.*", "human/notes/today.md", "none"),
        ("^{p}/human/notes/.*$", "human/plan.md", "deny"),
        ("^{p}/human/notes/.*$", "human/notes/../plan.md", "deny"),
        ("^{p}/human/notes/.*$", "lnk/notes/today.md", "none"),
        ("{p}/human/notes", "human/notes-secret/x.md", "deny"),
        ("plan", "human/plan.md", "deny"),
        ("^{p}/human/a\\.md|b\\.md$", "human/plan-b.md", "deny"),
        ("^{p}/human/(a|b)\\.md$", "human/b.md", "none"),
        ("^{p}/human/v1\\.2/.*$", "human/v1x2/a.md", "deny"),
        ("^{p}/human/v1\\.2/.*$", "human/v1.2/a.md", "none"),
        ("^{p}/human/NOTES/.*$", "human/notes/today.md", "deny"),
        ("^{p}/human/[[:alpha:]]+[.]md$", "human/plan.md", "none"),
        ("^{p}/human/[[:digit:]]+[.]md$", "human/plan.md", "deny"),
        ("^{p}/human/[0-9]{{4}}-[0-9]{{2}}\\.md$", "human/2026-11.md", "none"),
        ("^{p}/human/b\u00fccher/.*$", "human/bu\u0308cher/a.md", "none"),
        ("^{p}/human/.*$", "human/a\nb.md", "deny"),
        ("^{p}/human/a\\nb\\.md$", "human/a\nb.md", "none"),
        ("^{p}/human/a b\\.md$", "human/a b.md", "none"),
        (".*", "human/plan.md", "none"),
        ("# ^{p}/human/.*$", "human/plan.md", "deny"),
        ("   # ^{p}/human/.*$", "human/plan.md", "deny"),
        ("", "human/plan.md", "deny"),
        ("   \n\t", "human/plan.md", "deny"),
        ("^{p}/other\\.md$\n\n^{p}/more\\.md$", "human/plan.md", "deny"),
        ("*bad[\n^{p}/human/notes/.*$", "human/notes/today.md", "none"),
        ("(?i)^{p}/HUMAN/.*$", "human/plan.md", "deny"),
        ("^{p}/human/(?:plan.md){{e<=3}}$", "human/plen.md", "deny"),
    ],
)
def test_a_line_frees_the_whole_canonical_path_and_no_other(
    machine: Machine, proj: Path, line: str, path: str, said: str
) -> None:
    (proj / "lnk").symlink_to("human")
    machine.approve(line.format(p=proj))
    assert write(machine, path, proj) == said


@pytest.mark.parametrize(
    "data",
    [
        b"^P/human/notes/.*$\r\n",
        b"\xef\xbb\xbf^P/human/notes/.*$\n",
        b"^P/human/notes/.*$",
        b"\r\n# x\r\n^P/human/notes/.*$\r\n",
    ],
)
def test_line_ends_a_mark_at_the_start_and_a_missing_last_newline_are_tolerated(
    machine: Machine, proj: Path, data: bytes
) -> None:
    raw(machine, data.replace(b"P", str(proj).encode()))
    assert write(machine, "human/notes/x.md", proj) == "none"


def test_an_approval_holds_for_notebooks_and_counts_per_file_in_a_patch(machine: Machine, proj: Path) -> None:
    machine.approve(f"^{proj}/human/notes/.*$")
    assert says(machine, "NotebookEdit", {"notebook_path": "human/notes/a.ipynb", "new_source": "1"}, proj) == "none"
    patch = "*** Begin Patch\n*** Add File: human/notes/n.md\n+x\n*** Delete File: human/plan.md\n*** End Patch\n"
    assert says(machine, "apply_patch", {"command": patch}, proj, harness="codex") == "deny"


def test_a_link_in_the_lane_is_freed_by_the_line_for_the_link(machine: Machine, proj: Path) -> None:
    (proj / "human/out.md").symlink_to("../src/app.py")
    machine.approve(f"^{proj}/src/app\\.py$")
    assert write(machine, "human/out.md", proj) == "deny"
    machine.approve(f"^{proj}/human/out\\.md$")
    assert write(machine, "human/out.md", proj) == "none"


# ---- lines that free nothing are named
def test_a_line_that_does_not_parse_is_named_by_its_number(machine: Machine, proj: Path) -> None:
    file = machine.approve("# mine", f"^{proj}/human/(notes/.*$", "x{,3}", f"^{proj}/other$")
    text = refusal(machine, "human/notes/x.md", proj)
    assert re.search(rf"\(line 2 of {re.escape(str(file))} does not parse \(.*\), so it frees nothing\.\)", text)
    assert f"(line 3 of {file} has a {{ that is no repeat count; write \\{{, so it frees nothing.)" in text
    assert "line 1" not in text
    assert "line 4" not in text


def test_the_refusal_of_an_exact_path_names_broken_lines_too(machine: Machine, proj: Path) -> None:
    machine.approve("(")
    assert "line 1 of" in refusal(machine, ".claude/settings.json", proj)


@pytest.mark.parametrize("line", ["^/.*/(a|aa|aaa)*$", "^/.*/((a|aa)+)+$", "^/.*/(.|..|...)*[xyz]$"])
def test_no_line_can_hang_a_hook(machine: Machine, proj: Path, line: str) -> None:
    machine.approve(*[line] * 30, f"^{proj}/human/never$")
    start = time.monotonic()
    text = refusal(machine, "human/" + "a" * 200 + "b", proj)
    assert time.monotonic() - start < 4
    assert "took too long" in text
    assert "was not tried: the lines before it took too long" in text


def test_a_line_that_takes_too_long_is_named_and_the_good_ones_still_count(machine: Machine, proj: Path) -> None:
    path = "human/" + "a" * 200 + "b"
    file = machine.approve("^/.*/(a|aa|aaa)*$")
    assert f"(line 1 of {file} took too long on this path, so it frees nothing.)" in refusal(machine, path, proj)
    machine.approve("^/.*/(a|aa|aaa)*$", f"^{proj}/human/a+b$")
    assert write(machine, path, proj) == "none"


@pytest.mark.parametrize("line", ["(((a{1000}){1000}){1000})", "x" * 5000, "(" * 3000, "[[:nonsense:]]", "a{2", "\\"])
def test_a_line_that_could_not_be_built_is_a_fault_of_the_line(line: str) -> None:
    found = approvals.Line(1, line)
    found.compiled()
    assert found.fault


# ---- files that cannot be used
def test_a_folder_in_its_place_approves_nothing_and_says_so(machine: Machine, proj: Path) -> None:
    path = Path(machine.places["approvals"])
    path.unlink()
    path.mkdir()
    assert f"({path} is not a regular file, so nothing in it counts.)" in refusal(machine, "human/plan.md", proj)


def test_a_missing_file_approves_nothing(machine: Machine, proj: Path) -> None:
    Path(machine.places["approvals"]).unlink()
    assert write(machine, "human/plan.md", proj) == "deny"


def test_a_pipe_in_its_place_does_not_block(machine: Machine, proj: Path) -> None:
    path = Path(machine.places["approvals"])
    path.unlink()
    os.mkfifo(path)
    assert "is not a regular file" in refusal(machine, "human/plan.md", proj)


def test_a_file_that_others_can_write_approves_nothing_and_names_the_cure(machine: Machine, proj: Path) -> None:
    path = machine.approve(".*")
    path.chmod(0o666)
    assert f"({path} can be written by everybody, so nothing in it counts; run: chmod go-w {path}.)" in refusal(
        machine, "human/plan.md", proj
    )


def test_a_group_that_is_not_the_users_own_may_not_write_it(machine: Machine, proj: Path) -> None:
    path = machine.approve(".*")
    path.chmod(0o660)
    assert approvals.own_group(os.stat(path).st_gid, os.geteuid()) == (write(machine, "human/plan.md", proj) == "none")
    if os.geteuid() == 0:
        os.chown(path, -1, 12345)
        assert f"run: chmod g-w {path}" in refusal(machine, "human/plan.md", proj)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_approves_nothing(machine: Machine, proj: Path) -> None:
    path = machine.approve(".*")
    os.chown(path, 12345, -1)
    assert "belongs to another user" in refusal(machine, "human/plan.md", proj)


def test_text_that_is_not_utf8_or_too_large_approves_nothing(machine: Machine, proj: Path) -> None:
    raw(machine, b"\xff\xfe.\0*\0")
    assert "is not UTF-8" in refusal(machine, "human/plan.md", proj)
    raw(machine, b".*\n" * 100_000)
    assert "is larger than 256 KiB" in refusal(machine, "human/plan.md", proj)


def test_a_link_to_the_owners_repository_counts(machine: Machine, proj: Path) -> None:
    path = Path(machine.places["approvals"])
    kept = machine.home / "config/approvals"
    kept.parent.mkdir()
    kept.write_text(f"^{proj}/human/.*$\n")
    kept.chmod(0o600)
    path.unlink()
    path.symlink_to(kept)
    assert write(machine, "human/plan.md", proj) == "none"
    assert "sealed" in refusal(machine, kept, proj), "what the link leads to decides as well"


# ---- exact and sealed
def test_a_wide_line_frees_nothing_exact_or_sealed(machine: Machine, proj: Path) -> None:
    machine.approve(".*", f"^{machine.home}/\\.claude/settings.*$", f"^{proj}/\\.claude/settings.json$")
    for path in ("~/.claude/settings.json", "~/.claude/settings.local.json", ".claude/settings.json"):
        assert write(machine, path.replace("~", str(machine.home)), proj) == "deny", path
    for path in (
        machine.places["approvals"],
        machine.places["machine"] + "/human-lane.toml",
        machine.places["state"] + "/x",
    ):
        assert write(machine, path, proj) == "deny", path


def test_an_exact_path_is_freed_by_the_line_that_is_that_path(machine: Machine, proj: Path) -> None:
    path = machine.home / ".claude/settings.json"
    line = refusal(machine, path, proj).splitlines()[-1]
    assert line == f"^{machine.home}/\\.claude/settings\\.json$"
    machine.approve(line)
    assert write(machine, path, proj) == "none"
    assert write(machine, machine.home / ".claude/settings.local.json", proj) == "deny"


def test_the_line_for_a_sealed_path_frees_nothing(machine: Machine, proj: Path) -> None:
    path = machine.places["approvals"]
    machine.approve(ere.line_for(path))
    text = refusal(machine, path, proj)
    assert "no approval line can free it" in text
    assert not text.rstrip().endswith("$")


def test_an_approvals_file_that_was_used_is_told_to_the_journal(machine: Machine, proj: Path) -> None:
    machine.approve("# 2026-11-30 notes for the week", f"^{proj}/human/notes/.*$")
    (found,) = judge(machine, "Write", {"file_path": "human/notes/x.md", "content": "x"}, proj)
    assert found.action == "watch"
    assert found.path == f"{proj}/human/notes/x.md"
    line = f"^{proj}/human/notes/.*$"
    assert found.facts == {"verdict": "approved", "lane": "human", "approval": 2, "line": line}


def test_the_file_is_not_read_before_a_lane_is_hit(
    machine: Machine, proj: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(path: str) -> approvals.Approvals:
        raise AssertionError(path)

    monkeypatch.setattr(approvals, "read", never)
    assert write(machine, "src/app.py", proj) == "none"
    assert write(machine, machine.places["approvals"], proj) == "deny", "a sealed path asks no file either"


def test_plain_lines_do_not_load_regex(machine: Machine, proj: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ere, "built", lambda text: (_ for _ in ()).throw(AssertionError(text)))
    machine.approve(f"^{proj}/human/plan\\.md$", f"^{proj}/human/b\\.md$")
    assert write(machine, "human/b.md", proj) == "none"
    assert write(machine, "human/c.md", proj) == "deny"


# ---- the line that is printed
PATHS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)


@examples(150)
@given(PATHS)
def test_the_printed_line_frees_its_path_and_is_plain_text(text: str) -> None:
    path = "/home/o/" + text
    line = ere.line_for(path)
    if line:
        assert "\n" not in line
        assert ere.literal(line) == path
        pattern, fault = ere.built(line)
        assert not fault
        assert pattern.fullmatch(ere.composed(path))


def test_a_path_that_no_text_can_name_gets_no_line(machine: Machine, proj: Path) -> None:
    text = refusal(machine, "human/\x1b[2Jx", proj)
    assert "no line of text can name this path" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    "line", ["^/a.b$", "^/a*$", "^/a|b$", "/a$", "^/a", "^/[a]$", "^/\\d$", "^/a\\$", "^", "$", "^/(a)$"]
)
def test_a_line_that_could_match_more_is_no_plain_text(line: str) -> None:
    assert ere.literal(line) is None
