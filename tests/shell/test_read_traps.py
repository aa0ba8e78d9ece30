"""Where the parsers go wrong: what tree-sitter-bash and bashlex misread was measured, and is read right here.

Every case is one that a parser, a generated program or a real command showed.
"""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from guards.shell import read
from guards.shell.steps import Reading
from tests.shell.said import argv, ran, reading, steps, written


# ---- tree-sitter-bash
@pytest.mark.parametrize(
    ("text", "commands"),
    [
        # a newline behind a pipeline of three stages is swallowed when && || or a redirection follows
        ("a | b | c\nd x && e\nf", [["a"], ["b"], ["c"], ["d", "x"], ["e"], ["f"]]),
        ("a | b | c\nd x || e", [["a"], ["b"], ["c"], ["d", "x"], ["e"]]),
        ("a | b | c\nd x > f", [["a"], ["b"], ["c"], ["d", "x"]]),
        ("a | b | c | d\n\n  e && f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("{ a | b | c\nd && e; }", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        # commands behind a here-document with a redirection and a pipe are lost
        ("a <<'E' 2>&1 | b\nx\nE\nc", [["a"], ["b"], ["c"]]),
        ("a <<E 2>/dev/null | b > f && c\nx\nE\nd", [["a"], ["b"], ["c"], ["d"]]),
        ('a <<A <<-"B" | b\n1\nA\n\t2\n\tB\nc', [["a"], ["b"], ["c"]]),
        ("$(a <<'E' 2>&1 | b\nx\nE\n)", [["a"], ["b"], [None]]),
        # `|` is nested outside &&
        ("a && b | c && d", [["a"], ["b"], ["c"], ["d"]]),
        # words behind a target count as further targets
        ("a > f b > g c", [["a", "b", "c"]]),
        ("a 2>&1 b", [["a", "b"]]),
        # compound commands that it does not know as such
        ("time { a; }", [["a"]]),
        ("time -p (a)", [["a"]]),
        ("coproc { a; }", [["a"]]),
        ("X=1 > f", []),
        ("for x in 1; { a; }", [["a"]]),
        ("a <> f | b", [["a"], ["b"]]),
        (
            "for((j=0;j<1;j++))do a;done; for ((i=0;i<1;i++)) { b 'c\\n' \"$(d '\\\\')\"; }",
            [["a"], ["d", "\\\\"], ["b", "c\\n", None]],
        ),
        # a word that ends a loop's list with an escaped blank
        ('for x in 1 \\ ; do a "$x"; done', [["a", "1"], ["a", " "]]),
        # a word goes on behind a backslash and a newline
        ("a b\\\nc d", [["a", "bc", "d"]]),
        ("for x in p\\\nq; do a $x; done", [["a", "pq"]]),
        ("a \\\n  b", [["a", "b"]]),
        # braces and brackets in words
        ("{a b}", [["{a", "b}"]]),
        ("a {b [c d] }", [["a", "{b", "[c", "d]", "}"]]),
        ("a !(b) c", [["a", None, "c"]]),
        # what only looks like an assignment
        ("1= a; é=1 b; c=1 d", [["1=", "a"], ["é=1", "b"], ["d"]]),
        ("!a b; ![ c ]; ! d", [["!a", "b"], ["![", "c", "]"], ["d"]]),
        # a loop that counts by what is no sum
        ("case x in x) for ((i=0;i><2;i++)); do a;\ndone\n;; esac", [["a"]]),
        # a negation of nothing
        ("a\n!\nb; !; c && ! && d", [["a"], ["!"], ["b"], ["!"], ["c"], ["!"], ["d"]]),
    ],
)
def test_no_command_is_lost_and_none_swallows_another(text: str, commands: list[list[str | None]]) -> None:
    assert argv(text) == commands


@pytest.mark.parametrize(
    ("text", "where"),
    [
        # a redirection at the end of a list or pipeline is hung on the whole of it
        ("cd /tmp && echo x > f", [("/tmp", ">", "f")]),
        ("cd /tmp; cd / && a | b > f", [("/", ">", "f")]),
        ("a | b > x | c", [("/w", ">", "x")]),
        ("a && cd /tmp && b >> f 2> g", [("/tmp", ">>", "f"), ("/tmp", ">", "g")]),
        ("(cd /tmp; a) > f", [("/w", ">", "f")]),
        ("{ cd /tmp; a; } > f; b > g", [("/w", ">", "f"), ("/tmp", ">", "g")]),
        ("(cd /tmp && a) && b > f", [("/w", ">", "f")]),
        ("cd /tmp && { a; } > f", [("/tmp", ">", "f")]),
        ("! a > f", [("/w", ">", "f")]),
        ("cd /tmp && a <<E > f\nx\nE", [("/tmp", ">", "f")]),
    ],
)
def test_a_redirection_belongs_to_the_command_before_it(text: str, where: list[tuple[str, str, str]]) -> None:
    assert written(text) == where


def test_a_redirection_on_a_pipeline_is_said_once_and_on_its_last_command() -> None:
    assert [(s.name, len(s.redirects)) for s in steps("a | b > x | c 2>&1")] == [("a", 0), ("b", 1), ("c", 1)]


@pytest.mark.parametrize(
    "text",
    ["echo $((1<<2)); a", "((x<<=1)); a", "[[ a << b ]]; a", "echo '<<E'; a", "echo \"<<E\"; a", "# <<E\na",
     "echo ${x/<</}; a", "echo \\<<<x; a", "a <<<x", "let 'x=1<<2'; a", "echo `echo '<<E'`; a"],
)  # fmt: skip
def test_what_only_looks_like_a_here_document_is_none(text: str) -> None:
    found = reading(text)
    if "[[ a <<" in text:  # no valid text; what matters is that nothing is taken for a body
        assert ["a"] in [[w.text for w in s.argv] for s in found.steps] or found.unreadable
        return
    assert ["a"] in [[w.text for w in s.argv] for s in found.steps]


@pytest.mark.parametrize(
    "delimiter", ["E", "'E'", '"E"', "\\E", "E''", "$'E'", "'E F'", "-E", "- E", "-'E'", " E", "E1.x-y"]
)
def test_every_form_of_a_delimiter_ends_its_body(delimiter: str) -> None:
    bare = delimiter.lstrip("- ").replace("'", "").replace('"', "").replace("\\", "").replace("$", "")
    said = steps(f"a <<{delimiter} && b\n$(in)\n{bare}\nc")
    assert [s.name for s in said] == [*(["in"] if delimiter.strip("- ") in ("E", "E1.x-y") else []), "a", "b", "c"]
    assert next(s for s in said if s.name == "a").stdin == "$(in)\n"


def test_carriage_returns_before_newlines_are_read_as_line_ends() -> None:
    assert argv("cd /tmp\r\na <<E\r\nx\r\nE\r\nb > f\r\n") == [["cd", "/tmp"], ["a"], ["b"]]
    assert written("a > f\r\n") == [("/w", ">", "f")]


def test_a_carriage_return_inside_a_line_is_an_ordinary_character() -> None:
    assert argv("a b\rc")[0][0] == "a"
    assert argv("a b\rc")[0][-1] == "b\rc"


def test_only_space_tab_and_newline_part_words() -> None:
    assert argv("a b\x0bc\u00a0d") == [["a", "b\x0bc\u00a0d"]]


# ---- both readers
@pytest.mark.parametrize(
    "text",
    [
        "cd d && echo x > f | tee y; (a; b) & c",
        "for i in a 'b c'; do echo $i > $i.x; done",
        "if a; then b; elif c; then d > e; else f; fi",
        "while read x; do a $x; done <<< 'q r'",
        'f() { a "$1"; }; f x; function g { b; } > y; g',
        "cat <<'E' | sh\nrm $x\nE\nnext",
        "cat <<-E && a\n\t$(b)\n\tE",
        'X=1 Y="$X 2" a $X; export Z=(1 2)',
        "a $(b \"$(c 'd')\") `e \\`f\\``",
        "! a | b 2>&1 |& c &> d",
        "((i=1+2)); [[ -f x && y > z ]] && a $i",
        "for ((i=0;i<2;i++)); do a $i; done",
        "a {fd}> f 3<&- >&2 <> g # comment",
        "a \\\n  b \\\n  && c",
        "time a; coproc b",
        'a ${x:-$(b)} ${y//a/b} "${z[@]}"',
    ],
)
def test_the_second_reader_says_the_same(text: str) -> None:
    first, other = reading(text), reading(text, reader=read.second)
    assert not other.unreadable
    assert {s.reader for s in other.steps} == {"bashlex"}
    assert {s.reader for s in first.steps} == {"tree-sitter"}
    assert spelled(other) == spelled(first)


def spelled(found: Reading) -> list[object]:
    """All that two readers can differ in."""
    return [
        (
            [(w.text, w.rough, w.cause, w.quoted, w.many, w.glob) for w in s.argv],
            [(r.op, r.fd, r.target.text if r.target else None, r.body) for r in s.redirects],
            {k: (v.text, v.rough) for k, v in s.assigns.items()},
            s.cwd, s.sure, s.stdin, s.exact, s.piped, s.followed, dict(s.env), dict(s.files),
        )
        for s in found.steps
        if s.name != "["
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["case x in a) b;; esac", "select x in a; do b; done"])
def test_what_the_second_reader_does_not_know_it_says(text: str) -> None:
    found = reading(text, reader=read.second)
    assert found.unreadable
    assert found.steps == []


def test_where_the_first_reader_cannot_the_second_is_asked() -> None:
    found = reading("X=1 > f; a")
    assert (found.reader, written("X=1 > f; a")) == ("bashlex", [("/w", ">", "f")])


def test_one_text_that_only_the_second_reader_knows_leaves_the_rest_to_the_first() -> None:
    said = steps("a $(X=1 > f) b")
    assert [(s.name, s.reader) for s in said] == [(None, "bashlex"), ("a", "tree-sitter")]


# ---- found by running generated programs
def test_braces_do_not_reach_into_a_process_substitution() -> None:
    assert argv("c <(echo {a,b})")[-1] == ["c", "/dev/fd/63"]


def test_a_here_string_knows_no_tilde_behind_an_equals_sign() -> None:
    assert steps("c <<< a=~/x")[0].stdin == "a=~/x\n"


def test_cd_that_is_not_known_to_succeed_leaves_the_other_branch_open() -> None:
    assert {tuple(words) for _, words in ran("if cd -; then c 1; else c 2; fi")} == {("1",), ("2",)}


def test_shift_fails_where_there_is_nothing_to_shift() -> None:
    assert [s.sure for s in steps("set --; if shift; then c 1; else c 2; fi") if s.name == "c"] == [False, True]


def test_a_group_whose_target_is_ambiguous_changes_nothing() -> None:
    assert [cwd for cwd, _ in ran("X='a b'; { cd /tmp; } > $X; c")] == ["/w"]


def test_what_two_commands_write_to_one_file_is_not_claimed() -> None:
    assert steps("{ echo a > f; echo b; } > f; c")[-1].files == {"/w/f": None}
    assert steps("{ echo a > f; } > f; c")[-1].files == {"/w/f": "a\n"}
    assert steps("echo a > f; echo b > f > g; c")[-1].files == {"/w/f": "", "/w/g": "b\n"}


def test_a_line_that_goes_on_is_stripped_of_tabs_at_its_start_alone() -> None:
    assert steps("c <<-E\n\ta\\\n\tb\nE")[0].stdin == "a\tb\n"


def test_a_declaring_command_expands_braces_and_a_bare_assignment_does_not() -> None:
    assert argv("export A={x,y}; c $A; B={x,y}; c $B")[1:] == [["c", "y"], ["c", "{x,y}"]]


def test_an_empty_field_between_separators_is_kept() -> None:
    assert argv("IFS=:; X=a::b; c $X") == [["c", "a", "", "b"]]


def test_behind_the_number_of_the_process_nothing_is_expanded() -> None:
    assert argv('c "$$(rm x)" "$$({a"; d') == [["c", None, None], ["d"]]
    assert [w.parts for w in steps('c "$$(rm x)"')[0].argv[1:]] == [("(rm x)",)]


# ---- what long generated runs found
def test_a_redirection_that_cannot_be_opened_keeps_its_command_from_running(tmp_path: Path) -> None:
    (tmp_path / "d/d").mkdir(parents=True)
    (tmp_path / "here").touch()
    where = str(tmp_path)
    assert {cwd for cwd, _ in ran("{ cd d; } > none/o; c", cwd=where)} == {where, f"{where}/d"}
    assert {cwd for cwd, _ in ran("cd d < none; c", cwd=where)} == {where, f"{where}/d"}
    assert {cwd for cwd, _ in ran("{ cd d; } > d; c", cwd=where)} == {where, f"{where}/d"}
    assert {s.sure for s in steps("c 3< none", cwd=where)} == {False}
    assert {s.sure for s in steps('c > "$X"', cwd=where)} == {False}
    for text in ("c < here > o 2>> d/e", "c > /dev/null", "echo x > new; c < new", "mkdir n; c > n/x"):
        assert all(s.sure for s in steps(text, cwd=where)), text
    assert all(s.sure for s in steps("c < a > b", cwd=f"{where}/not/there"))  # nothing is known of that folder


def test_a_word_that_begins_like_a_test_is_a_command() -> None:
    assert argv("[[-n $A ]]\nc") == [["[[-n", None, "]]"], ["c"]]


def test_a_list_with_something_behind_it_is_not_known() -> None:
    assert argv("L=(a)ci; c $L") == [["c", None]]


@pytest.mark.parametrize("text", ["'${'+", "c 'a${'b", 'c "${"', "c '$(' \"`\"x"])
def test_a_quoted_beginning_of_an_expansion_ends(text: str) -> None:
    """Bashlex's own expansion of such a word is a loop that fills the memory; it is not used."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    reading(text, reader=read.second)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes
