"""How a program's words are taken apart, and that the policy's rows say what the readers can do."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest

from guards.compile.policies import shell_lane
from guards.shell import archive, args, filters, patching, tcl
from guards.shell.awk import tokens as awk_tokens
from guards.shell.programs import READERS
from guards.shell.steps import Step, Word
from tests.machine import ROOT, Machine
from tests.shell.ground import Ground

POLICY = tomllib.loads((ROOT / "policy/shell-lane.toml").read_text(encoding="utf-8"))


def words(text: str) -> list[Word]:
    return [Word(word) for word in text.split()]


def scanned(
    text: str, row: dict[str, tuple[str, ...]], *, stop: bool = False
) -> tuple[list[tuple[str, str | None]], list[str]]:
    found = args.scan(words(text), row, stop)
    return [(n, None if v is None else v.text) for n, v in found.options], [w.text or "" for w in found.operands]


@pytest.mark.parametrize(
    ("text", "row", "options", "operands"),
    [
        ("-a b", {}, [("-a", None)], ["b"]),
        ("-t d x", {"into": ("-t",)}, [("-t", "d")], ["x"]),
        ("-td x", {"into": ("-t",)}, [("-t", "d")], ["x"]),
        ("-rt d x", {"into": ("-t",)}, [("-r", None), ("-t", "d")], ["x"]),
        ("-i.bak x", {"glued": ("-i",)}, [("-i", ".bak")], ["x"]),
        ("-ni x", {"glued": ("-i",)}, [("-n", None), ("-i", "")], ["x"]),
        ("--out=x y", {"out": ("--out",)}, [("--out", "x")], ["y"]),
        ("--out x y", {"out": ("--out",)}, [("--out", "x")], ["y"]),
        ("--target-dir=d x", {"into": ("--target-directory",)}, [("--target-directory", "d")], ["x"]),
        ("--ta d x", {"into": ("--target-directory",)}, [("--target-directory", "d")], ["x"]),
        ("-out x y", {"out": ("-out",)}, [("-out", "x")], ["y"]),
        ("-- -a -b", {}, [], ["-a", "-b"]),
        ("x -a y", {}, [("-a", None)], ["x", "y"]),
        ("-", {}, [], ["-"]),
    ],
)
def test_options_come_in_every_form(
    text: str, row: dict[str, tuple[str, ...]], options: list[tuple[str, str | None]], operands: list[str]
) -> None:
    found, left = scanned(text, row)
    assert [o for o in found if o in options] == options
    assert left == operands


def test_a_wrappers_options_end_with_its_first_operand() -> None:
    assert scanned("-n 5 rm -rf x", {"value": ("-n",)}, stop=True) == ([("-n", "5")], ["rm", "-rf", "x"])
    assert scanned("-- rm -rf x", {}, stop=True) == ([], ["rm", "-rf", "x"])


def test_a_value_that_is_not_static_keeps_its_parts() -> None:
    word = Word(None, '--out="$D"/x', "variable D", parts=("--out=", "/x"), rough="--out=$D/x")
    (option,) = args.scan([word], {"out": ("--out",)}).options
    assert option[0] == "--out"
    assert option[1] is not None and option[1].text is None and option[1].parts == ("/x",)


# ---- the policy's rows
def test_every_reader_a_row_names_is_there() -> None:
    for name, module in READERS.items():
        assert callable(getattr(importlib.import_module("guards.shell." + module), name)), name
    assert {row["reader"] for row in POLICY["program"] if row["does"] == "own"} <= set(READERS)


def test_every_program_stands_once() -> None:
    names = [name for row in POLICY["program"] for name in row.get("names") or [row["id"]]]
    assert len(names) == len(set(names))
    assert len(names) > 1000


def test_adding_a_program_is_adding_a_row(machine: Machine, tmp_path: Path) -> None:
    repo = machine.repo("proj", {".github/ci.yml": "x\n"})
    assert machine.bash("stamp .github/ci.yml", cwd=repo).denied  # nobody knows it: it could write
    machine.policy("shell-lane", '[[program]]\nid = "stamp"\ndoes = "read"\n')
    assert machine.bash("stamp .github/ci.yml", cwd=repo).silent
    machine.policy("shell-lane", '[[program]]\nid = "stamp"\ndoes = "read"\nout = ["--to"]\n')
    assert machine.bash("stamp --to .github/ci.yml x", cwd=repo).denied


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ('[[program]]\nid = "x"\ndoes = "own"\nreader = "nobody"\n', "program[0].reader: 'nobody' is none of"),
        ('[[program]]\nid = "x"\ndoes = "code"\n', "program[0].language: a program that runs code needs one"),
        ('[[program]]\nid = "x"\ndoes = "code"\nlanguage = "klingon"\n', "there is no language 'klingon'"),
        ('[[program]]\nid = "x"\nnames = ["cp"]\ndoes = "read"\n', "'cp' stands in two rows: cp and x"),
        ('[[language]]\nid = "lua"\ncalls = ["io.open z1"]\n', "language[0].calls[0]: 'z1' is no mark"),
        ('unknown = "refuse"\n', "unknown: "),
    ],
)  # fmt: skip
def test_a_faulty_row_is_named_with_its_place(machine: Machine, toml: str, fault: str) -> None:
    from guards.compile.build import build

    machine.policy("shell-lane", toml)
    faults = build(machine.places, names=["shell-lane"]).faults
    assert any(fault in found for found in faults), faults


def test_marks_are_read_from_their_short_form() -> None:
    assert shell_lane.mark("w1") == ("w", 1, ())
    assert shell_lane.mark("m2:mode|flags") == ("m", 2, ("mode", "flags"))
    assert shell_lane.mark("d*") == ("d", -1, ())


# ---- small readers
def test_a_patch_names_files_in_its_headers_only() -> None:
    text = (
        "diff --git a/x/y.c b/x/y.c\n--- a/x/y.c\n+++ b/x/y.c\n@@ -1,2 +1,2 @@\n---- a/not\n++++ b/not\n ctx\n"
        "--- /dev/null\n+++ b/new.c\t2026-01-01\n@@ -0,0 +1 @@\n+x\n"
        "--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/o.c b/n.c\nrename from o.c\nrename to n.c\n"
        '--- "a/t\\303\\244b.c"\n+++ "b/t\\303\\244b.c"\n@@ -1 +1 @@\n-a\n+b\n'
    )
    found = patching.names(text, 1)
    assert found == {
        "x/y.c": "write", "new.c": "write", "gone.c": "delete", "o.c": "delete", "n.c": "write", "täb.c": "write"
    }  # fmt: skip
    assert patching.names("*** a/old.c\n--- b/old.c\n***************\n", 1) == {"old.c": "write"}


def test_archives_tell_their_members_and_broken_ones_tell_none(ground: Ground) -> None:
    read = (ground.repo / "bundle.tar").read_bytes()
    assert archive.headers(read) == [".github/workflows/ci.yml", "conf/keys.yaml"]
    plain = archive.unpacked((ground.repo / "bundle.tgz").read_bytes())
    assert plain is not None and archive.headers(plain) == archive.headers(read)
    assert archive.zip_names((ground.repo / "wf.zip").read_bytes()) == ["ci.yml", "nightly.yml"]
    assert archive.cpio_names((ground.repo / "bundle.cpio").read_bytes()) == [
        ".github/workflows/ci.yml", "conf/keys.yaml", ".github/CODEOWNERS"
    ]  # fmt: skip
    for junk in (b"", b"x" * 5000, b"PK\5\6", b"\x1f\x8bxx", b"070701" + b"g" * 200, b"\0" * 4096):
        assert not archive.headers(junk)
        assert not archive.zip_names(junk)
        assert not archive.cpio_names(junk)
    assert archive.unpacked(b"\x1f\x8bxx") is None


def test_a_long_name_in_a_tar_archive_is_whole(tmp_path: Path) -> None:
    import tarfile

    name = "a" * 60 + "/" + "b" * 90 + "/" + "c" * 120
    (tmp_path / "f").write_text("x")
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        with tarfile.open(tmp_path / "t", "w", format=form) as tar:
            tar.add(tmp_path / "f", name)
        assert archive.headers((tmp_path / "t").read_bytes()) == [name]


def test_an_archive_that_grows_without_end_is_left_alone() -> None:
    import gzip

    small = gzip.compress(b"\0" * (80 << 20))
    found = archive.unpacked(small)
    assert found is None or len(found) <= archive.UNPACKED


@pytest.mark.parametrize(
    ("command", "stdin", "expected"),
    [
        ("base64 -d", "YSBi", "a b"),
        ("base64 -d", "YSB", None),
        ("base64", "x", None),
        ("rev", "ab\ncd", "ba\ndc"),
        ("tr a-c x-z", "abcd", "xyzd"),
        ("tr -d b", "abc", "ac"),
        ("xxd -r -p", "6162", "ab"),
        ("head -n 1", "a\nb\n", "a\n"),
        ("tail -1", "a\nb\n", "b\n"),
        ("sort -u", "b\na\nb\n", "a\nb\n"),
        ("sort -k2", "b\n", None),
        ("uniq", "a\n", None),
        ("sort file", "b\n", None),
        ("grep a", "a\nb\nca\n", "a\nca\n"),
        ("grep -v ^a", "ab\nba\n", "ba\n"),
        ("grep -E x|y$", "xa\nay\nb\n", "xa\nay\n"),
        ("grep -F .", "a.\nab\n", "a.\n"),
        ("grep a.b", "axb\nab\n", "axb\n"),
        ("grep [ab]+", "z\n", ""),
        ("grep [ab]+", "xa+\nb\n", "xa+\n"),
        ("grep -E ^./(a|b)/", "./a/x\n./c/x\n", "./a/x\n"),
        ("grep -P [ab]+", "z\n", None),
        ("grep -c a", "a\n", None),
        ("awk 1", "a\n", None),
    ],
)
def test_a_filter_prints_what_it_prints_or_is_not_known(command: str, stdin: str, expected: str | None) -> None:
    step = Step(words(command), "/")
    step.stdin = stdin
    assert filters.output(step) == expected


@pytest.mark.parametrize("command", ["sort -k2", "uniq -c", "head -1", "grep -P [ab]+", "tail -n1", "shuf"])
def test_for_a_list_of_names_a_filter_hands_on_every_line_it_might(command: str) -> None:
    assert filters.of(command.split(maxsplit=1)[0], words(command)[1:], "b\na\n") == "b\na\n"


def test_tcl_is_split_into_commands_and_words() -> None:
    assert tcl.commands('set f [open a w]; puts $f "x; y"\nclose $f # no\n# comment\nif {1} {file delete b}') == [
        ["set", "f", "[open a w]"], ["puts", "$f", '"x; y"'], ["close", "$f", "#", "no"],
        ["if", "{1}", "{file delete b}"],
    ]  # fmt: skip


def test_awk_knows_a_pattern_from_a_division() -> None:
    marks = [value for kind, value in awk_tokens('/a>b/ { x = y / 2; print "c" > "d" }') if kind == "mark"]
    assert marks.count(">") == 1
    assert marks.count("/") == 1


@pytest.mark.parametrize(
    "command",
    [
        "ssh-keygen -t ed25519 -E sha256 -f ops/K -N x", "dos2unix ops/live.conf", "indent -i8 ops/live.conf",
        "zizmor --fix .github/workflows/ci.yml", "pinact run .github/workflows/ci.yml",
        "keytool -genkey -keystore ops/k",
        "pg_format -i schema/steps/0001_base.sql", "sql-formatter -o ops/x.sql notes.txt", "uconv -o ops/x notes.txt",
        "migrate create -ext sql -dir schema/steps more", "kaniko --tar-path ops/x.tar",
        "ansible-vault edit conf/keys.yaml",
        "eslint --fix-dry-run -o ops/live.conf src",
    ],
)  # fmt: skip
def test_what_else_such_a_program_can_do_is_refused(ground: Ground, command: str) -> None:
    assert ground.judge(command)


def test_what_starts_a_project_is_not_named_by_its_verb(ground: Ground) -> None:
    assert not [e for e in ground.walk("foreman start -e .env").effects if "(start)" in e.cause]
