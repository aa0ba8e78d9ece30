"""Text → steps: what runs, where, with which input and redirections, and how sure that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell.said import argv, ran, reading, steps, written


# ---- lists, pipelines, background, comments
def test_every_command_of_a_list_and_a_pipeline_is_a_step_in_order() -> None:
    assert argv("a 1; b | c |& d && e || f & g # h\ni") == [
        ["a", "1"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"], ["i"],
    ]  # fmt: skip


def test_only_what_runs_in_any_case_is_sure() -> None:
    said = {s.name: s.sure for s in steps("a && b || c; d; if e; then f; else g; fi; while h; do i; done; ! j; k & l")}
    assert [name for name, sure in said.items() if sure] == ["a", "d", "e", "j", "k", "l"]


def test_what_the_words_true_and_false_keep_from_running_does_not_count() -> None:
    assert argv("true && a; : || b; false && c; false || d") == [["true"], ["a"], [":"], ["false"], ["false"], ["d"]]
    assert argv("if true; then a; else b; fi; if false; then c; fi") == [["true"], ["a"], ["false"]]


def test_a_function_or_an_alias_named_false_decides_nothing() -> None:
    assert ["c"] in argv("false() { :; }; false && c")
    assert ["c"] in argv("alias false=true\nfalse && c")


@pytest.mark.parametrize(
    "text",
    ["(( 0 )) && c", "(( 1 )) || c", "if (( 0 )); then c; fi", "[ 1 -eq 2 ] && c", "[ a = b ] && c", "[ -z x ] && c",
     '[ "" ] && c', "[[ a == b ]] && c", "[ ! a = a ] && c", "X=1; [ $X = 2 ] && c", "X=1; [[ $X != 1 ]] && c",
     "(exit 1) && c", "while false; do c; done", "until true; do c; done", "case x in y) c;; esac",
     "case x in x) :;; y) c;; esac", "if true; then :; elif c; then c; else c; fi", "[ 3 -gt 2 ] || c"],
)  # fmt: skip
def test_what_the_text_alone_keeps_from_running_does_not_count(text: str) -> None:
    assert ["c"] not in argv(text)


@pytest.mark.parametrize(
    "text",
    ["(false) && c", "test x -a y || c", "[ -f x ] && c", "[ -x / ] || c", "[[ a == a* ]] || c", "[[ a =~ b ]] && c",
     "[ $UNSET = 1 ] && c", "[ a -nt b ] && c", "[ a = b -o c ] && c", "[[ a == b || x ]] && c", "[ $(date) ] || c",
     "cd / || c", "read X; case $X in y) c;; esac", "shopt -s nocasematch; case X in x) c;; esac", "[ ! ] || c",
     "case x in @(x|y)) c;; esac", "[ 1 -eq x ] && c", "(( UNSET )) && c", "while date; do c; done"],
)  # fmt: skip
def test_what_hangs_on_anything_else_counts_and_is_not_sure(text: str) -> None:
    said = {s.sure for s in steps(text) if [w.text for w in s.argv] == ["c"]}
    assert said == {False}


def test_nothing_behind_exit_runs_unless_it_may_not_exit() -> None:
    assert argv("a; exit 1; b") == [["a"], ["exit", "1"]]
    assert ["b"] in argv("a || exit 1; b")
    assert argv("(exit 1); b") == [["exit", "1"], ["b"]]


def test_time_and_negation_are_no_commands() -> None:
    assert argv("time a; time -p b | c; ! d; time { e; }; coproc f; coproc N { g; }") == [
        ["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"],
    ]  # fmt: skip


# ---- directories
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("cd d && c", ["/w/d"]),
        ("cd /x/./y/../z && c", ["/x/z"]),
        ("cd && c", ["/home/o"]),
        ("cd ~/p && c", ["/home/o/p"]),
        ("cd /tmp; cd /; cd -; c", ["/tmp"]),
        ("(cd /tmp; c); c", ["/tmp", "/w"]),
        ("cd /tmp | c; c", ["/w", "/w"]),
        ("{ cd /tmp; }; c", ["/tmp"]),
        ("$(cd /tmp; c); c", ["/tmp", "/w"]),
        ('D=/tmp; cd "$D"; c', ["/tmp"]),
        ("cd -- /tmp; cd -P /; c", ["/"]),
        ("pushd /tmp >/dev/null; c; popd; c", ["/tmp", "/w"]),
        ("cd /tmp & c", ["/w"]),
        ("command cd /tmp; c", ["/tmp"]),
        ("builtin cd /tmp; c", ["/tmp"]),
        ("cd /dev/null; c", ["/w"]),
        ("for d in /tmp /; do cd $d; c; done", ["/tmp", "/"]),
        ("f() { cd /tmp; c; }; f; c", ["/tmp", "/tmp"]),
        ("f() (cd /tmp; c); f; c", ["/tmp", "/w"]),
        ("mkdir -p new/er && cd new/er && c", ["/w/new/er"]),
    ],
)
def test_a_command_runs_where_the_text_went(text: str, where: list[str]) -> None:
    assert [cwd for cwd, _ in ran(text)] == where


def test_a_directory_that_is_not_there_leaves_both_possible() -> None:
    assert [(s.cwd, s.sure) for s in steps("cd nowhere; c") if s.name == "c"] == [("/w/nowhere", False), ("/w", False)]
    assert [cwd for cwd, _ in ran("cd nowhere && c")] == ["/w/nowhere"]
    assert [cwd for cwd, _ in ran("cd nowhere || exit; c")] == ["/w/nowhere"]


def test_an_unknown_directory_is_not_known_until_an_absolute_one_is_entered() -> None:
    assert [cwd for cwd, _ in ran('cd "$X"; c; cd sub; c; cd /tmp; c')] == [None, None, "/tmp"]


def test_cdpath_leads_where_something_is(tmp_path: Path) -> None:
    (tmp_path / "far/sub").mkdir(parents=True)
    assert [cwd for cwd, _ in ran("CDPATH=far; cd sub; c", cwd=str(tmp_path))] == [str(tmp_path / "far/sub")]


def test_a_link_is_kept_in_the_name_of_the_directory_and_resolved_with_p(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert [cwd for cwd, _ in ran("cd link; c", cwd=str(tmp_path))] == [str(tmp_path / "link")]
    assert [cwd for cwd, _ in ran("cd -P link; c", cwd=str(tmp_path))] == [str(tmp_path / "real")]


def test_a_variable_and_a_directory_of_one_branch_go_together() -> None:
    text = "if a; then D=/x; F=1; else D=/y; F=2; fi; c $D/$F"
    assert [words for _, words in ran(text)] == [["/x/1"], ["/y/2"]]


# ---- redirections
@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("c > f", [(">", "f")]),
        ("c >f >>g 2>h", [(">", "f"), (">>", "g"), (">", "h")]),
        ("> f", [(">", "f")]),
        ("X=1 > f", [(">", "f")]),
        (">f c", [(">", "f")]),
        ("c >| f", [(">|", "f")]),
        ("c &> f; c &>> g", [("&>", "f"), ("&>>", "g")]),
        ("c >& f", [("&>", "f")]),
        ("c 2>&1 >&2 3>&- 4<&0 >&-", []),
        ("c 2>&1 > f", [(">", "f")]),
        ("c <> f", [("<>", "f")]),
        ("c 3<> f 12> g", [("<>", "f"), (">", "g")]),
        ("c {fd}> f", [(">", "f")]),
        ("c < in <<< s", []),
        ("c>f", [(">", "f")]),
        ("c a2>f", [(">", "f")]),
        ("c 'a'2>f", [(">", "f")]),
        ("exec > f", [(">", "f")]),
        ("{ c; } > f; (c) >> g", [(">", "f"), (">>", "g")]),
        ("for i in 1; do c; done > f", [(">", "f")]),
        ("while c; do c; done 2> f", [(">", "f")]),
        ("if c; then c; fi > f", [(">", "f")]),
        ("f() { c; } > f; f", [(">", "f")]),
        ("case x in x) c;; esac > f", [(">", "f")]),
        ("[[ a ]] > f", [(">", "f")]),
        ("(( 1 )) > f", [(">", "f")]),
        ("[ a > f ]", [(">", "f")]),
        ("test a > f", [(">", "f")]),
        ("c > \"a b\"'c'\\ d", [(">", "a bc d")]),
        ("c > $'x\\ty'", [(">", "x\ty")]),
        ("X=f; c > $X.txt", [(">", "f.txt")]),
        ("c > $UNSET", [(">", None)]),
    ],
)
def test_every_redirection_is_said_with_its_target(text: str, files: list[tuple[str, str | None]]) -> None:
    assert [(op, target) for _, op, target in written(text)] == files


def test_the_descriptor_of_a_redirection_is_kept() -> None:
    assert [(r.op, r.fd) for r in steps("c 2>a 12>>b 3<c >d 2>&1")[0].redirects] == [
        (">", 2), (">>", 12), ("<", 3), (">", None), (">&", 2),
    ]  # fmt: skip


def test_a_target_that_becomes_several_words_is_ambiguous_and_the_command_does_not_run() -> None:
    said = steps("X='a b'; c > $X && d")
    assert said[1].redirects[0].target is not None
    assert said[1].redirects[0].target.cause == "an ambiguous redirection"
    assert said[1].redirects[0].target.parts == ("a", "b")
    assert not said[1].sure


# ---- here-documents and standard input
@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("c <<E\na $SET\\$x `echo b`\nE", "a set$x b\n"),
        ("c <<'E'\na $SET\nE", "a $SET\n"),
        ('c <<"E"\n$(x)\nE', "$(x)\n"),
        ("c <<\\E\n$(x)\nE", "$(x)\n"),
        ("c <<E'F'\n$x\nEF", "$x\n"),
        ("c <<-E\n\t\ta\n\tb\n\tE", "a\nb\n"),
        ("c <<- 'E'\n\ta\nE", "a\n"),
        ("c << E\na\\\nb\nE", "ab\n"),
        ("c <<E\nE", ""),
        ("c <<E\nno end", "no end"),
        ("c <<A <<B\n1\nA\n2\nB", "2\n"),
        ("c <<< 'a b'", "a b\n"),
        ('c <<< $SET"x"', "setx\n"),
        ("echo a b | c", "a b\n"),
        ("echo -n a | c", "a"),
        ("echo -e 'a\\tb' | c", "a\tb\n"),
        ("printf '%s,%s\\n' a b | c", "a,b\n"),
        ("printf 'x\\n' | cat | tee /dev/null | c", "x\n"),
        ("cat <<E | c\nbody\nE", "body\n"),
        ("{ echo a; echo b; } | c", "a\nb\n"),
        ("(echo a; cd /; pwd) | c", "a\n/\n"),
        ("f() { echo f; }; f | c", "f\n"),
        ("for i in 1 2; do echo $i; done | c", "1\n2\n"),
        ("{ c; } <<< x", "x\n"),
        ("if c; then d; fi <<< x", "x\n"),
    ],
)
def test_what_is_known_to_arrive_on_standard_input_is_kept(text: str, given: str) -> None:
    step = next(s for s in steps(text) if s.name == "c")
    assert (step.stdin, step.exact) == (given, True)


def test_a_body_with_an_unknown_part_keeps_it_as_it_was_written() -> None:
    step = steps("sh <<E\necho $UNSET > $(date)/f\nE")[-1]
    assert (step.stdin, step.exact) == ("echo $UNSET > $(date)/f\n", False)


def test_what_is_not_known_to_arrive_is_none_and_a_pipe_is_told() -> None:
    step = steps("date | c")[-1]
    assert (step.stdin, step.piped) == (None, True)
    assert not steps("c < f")[-1].piped


def test_substitutions_in_a_body_run_and_those_in_a_literal_body_do_not() -> None:
    assert argv("c <<E\n$(rm x) `rm y`\nE") == [["rm", "x"], ["rm", "y"], ["c"]]
    assert argv("c <<'E'\n$(rm x) `rm y`\nE") == [["c"]]


def test_a_file_at_hand_arrives_through_cat(tmp_path: Path) -> None:
    (tmp_path / "x.sh").write_text("rm y\n")
    assert steps("cat x.sh | sh", cwd=str(tmp_path))[-1].stdin == "rm y\n"


def test_what_an_earlier_command_wrote_is_what_a_later_one_finds() -> None:
    said = steps("cat > x.sh <<'E'\nrm y\nE\necho z >> x.sh; date > d.sh; sh x.sh")
    assert said[-1].files == {"/w/x.sh": "rm y\nz\n", "/w/d.sh": None}
    assert said[1].files == {"/w/x.sh": "rm y\n"}


def test_a_copy_through_tee_and_a_group_is_followed_too() -> None:
    assert steps("echo a | tee p q > r; c")[-1].files == {"/w/p": "a\n", "/w/q": "a\n", "/w/r": "a\n"}
    assert steps("{ echo a; echo b; } > x; c")[-1].files == {"/w/x": "a\nb\n"}


# ---- substitutions, functions, code in code
def test_the_commands_of_a_substitution_run_before_the_command_itself() -> None:
    text = 'c "$(a "$(b)")" `d` <(e) >(f) $((1 + $(g))) ${X:-$(h)} ${X#$(i)}'
    assert argv(text)[:-1] == [["b"], ["a", None], ["d"], ["e"], ["f"], ["g"], ["h"], ["i"]]


@pytest.mark.parametrize(
    "text",
    ["X=$(a)", "[[ $(a) ]]", "[ $(a) ]", "(( $(a) ))", "for x in $(a); do :; done", "case $(a) in x) ;; esac",
     "c <<< $(a)", "c > $(a)", "L=($(a))", "export X=$(a)", "for ((i=$(a);0;)); do :; done", "echo {$(a),b}",
     'case x in "$(a)") ;; esac', "c ${X:=$(a)}", "until $(a); do :; done", "local_=$(a) c", "[[ x =~ $(a) ]]"],
)  # fmt: skip
def test_a_substitution_runs_wherever_it_stands(text: str) -> None:
    assert ["a"] in argv(text)


@pytest.mark.parametrize(
    "text", ["c '$(a)'", "c '`a`'", "# $(a)", "c $'$(a)'", "[[ '$(a)' ]]", 'c "\\$(a)"', 'c "\\`a\\`"', "c x#$'`a`'"]
)
def test_a_substitution_that_is_quoted_does_not_run(text: str) -> None:
    assert ["a"] not in argv(text)


def test_a_function_that_is_defined_does_not_run_and_one_that_is_called_does() -> None:
    assert argv("f() { rm x; }") == []
    assert argv('f() { rm "$1" $#; return; rm z; }; f a b') == [["f", "a", "b"], ["rm", "a", "2"], ["return"]]
    assert argv("function f { rm x; }; f; unset -f f; f")[1:] == [["rm", "x"], ["unset", "-f", "f"], ["f"]]


def test_a_function_has_its_own_parameters_and_local_variables() -> None:
    assert argv("set -- o; X=1; f() { local X=2; c $1 $X; }; f i; c $1 $X")[-3:] == [
        ["local", "X=2"], ["c", "i", "2"], ["c", "o", "1"],
    ]  # fmt: skip


def test_a_function_in_itself_ends_and_its_last_call_knows_no_parameters() -> None:
    said = argv('f() { rm "$1"; f "$1/x"; }; f a')
    assert ["rm", "a"] in said
    assert ["rm", "a/x/x"] in said
    assert ["rm", None] in said


def test_eval_is_read_in_place_and_what_is_not_known_in_it_is_said() -> None:
    assert argv('X="rm"; eval "$X" y \'z w\'') == [["eval", "rm", "y", "z w"], ["rm", "y", "z", "w"]]
    said = steps('eval "cd /tmp; rm $UNSET/x"')
    assert [(s.name, s.cwd, s.followed) for s in said] == [
        ("eval", "/w", False), ("cd", "/w", False), ("rm", "/tmp", False),
    ]  # fmt: skip
    assert said[-1].argv[1].parts == ("/x",)
    assert [s.followed for s in steps('eval "$(date)"') if s.name == "eval"] == [False]


def test_a_file_that_is_sourced_is_read_where_it_is_at_hand(tmp_path: Path) -> None:
    (tmp_path / "e.sh").write_text('X=in; cd /tmp; rm "$1"\n')
    assert argv(". ./e.sh arg; c $X", cwd=str(tmp_path)) == [
        [".", "./e.sh", "arg"], ["cd", "/tmp"], ["rm", "arg"], ["c", "in"],
    ]  # fmt: skip
    assert [s.followed for s in steps("source nowhere.sh")] == [False]
    assert argv("echo 'rm x' > n.sh; . ./n.sh")[-1] == ["rm", "x"]
    assert argv("source <(echo rm x)")[-1] == ["rm", "x"]
    assert argv(". /dev/stdin <<< 'rm x'")[-1] == ["rm", "x"]


def test_a_trap_runs_at_its_end_or_perhaps() -> None:
    said = steps("trap 'rm a' EXIT; trap 'rm b' ERR; cd /tmp")
    assert [(s.argv[1].text, s.cwd, s.sure) for s in said if s.name == "rm"] == [
        ("b", "/w", False),
        ("a", "/tmp", True),
    ]
    assert [s.cwd for s in steps("(trap 'rm a' 0; cd /tmp); cd /") if s.name == "rm"] == ["/tmp"]
    assert ["rm", "a"] not in argv("trap 'rm a' EXIT; trap - EXIT")


@pytest.mark.parametrize("sender", ["kill -USR1 $$", "pkill -f x", "sh -c 'kill -USR1 $PPID'", "timeout 1 x", '"$X" y'])
def test_a_trap_for_a_signal_counts_where_the_text_may_send_one(sender: str) -> None:
    assert ["rm", "a"] not in argv("trap 'rm a' USR1 TERM; sleep 1")
    assert ["rm", "a"] in argv(f"trap 'rm a' USR1; {sender}")


def test_an_alias_counts_as_what_it_stands_for_and_as_itself() -> None:
    said = steps("alias q='rm -rf'\nq x; unalias q; q y")
    assert [[w.text for w in s.argv] for s in said] == [
        ["alias", "q=rm -rf"], ["q", "x"], ["rm", "-rf", "x"], ["unalias", "q"], ["q", "y"],
    ]  # fmt: skip
    assert not said[2].sure


# ---- loops and branches
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("for x in a 'b c' {d,e}; do c $x; done", [["a"], ["b", "c"], ["d"], ["e"]]),
        ("set -- p q; for x; do c $x; done", [["p"], ["q"]]),
        ("for x in a b; do for y in 1 2; do c $x$y; done; done", [["a1"], ["a2"], ["b1"], ["b2"]]),
        ("for x in a b c; do c $x; break; done", [["a"]]),
        ("for x in a b; do continue; c $x; done", []),
        ("for ((i=0; i<3; i++)); do c $i; done", [["0"], ["1"], ["2"]]),
        ("for ((i=0; i<9; i+=4)) { c $i; }", [["0"], ["4"], ["8"]]),
        ("while read x y; do c $y $x; done <<< 'a b'", [["b", "a"]]),
        ("printf '%s\\n' a b | while read -r x; do c $x; done", [["a"], ["b"]]),
        ("printf 'a:b\\n' | while IFS=: read x y; do c $x $y; done", [["a", "b"]]),
        ("case ab in a*) c 1;; *) c 2;; esac", [["1"]]),
        ("case a in a) c 1;& b) c 2;; esac", [["1"], ["2"]]),
        ("select x in a b; do c $x; break; done", [["a"]]),
        ("i=0; while t; do c $i; i=$((i+1)); done", [["0"], [None]]),
        ("for x in $(date); do c $x; done", [[None]]),
    ],
)
def test_loops_and_branches_run_with_the_values_that_are_known(text: str, words: list[list[str | None]]) -> None:
    assert [found for _, found in ran(text)] == words


def test_a_branch_that_is_known_is_sure() -> None:
    said = steps("X=b; case $X in a) c 1;; b) c 2;; *) c 3;; esac; case $UNSET in a) c 4;; esac")
    assert [(s.argv[1].text, s.sure) for s in said if s.name == "c"] == [("2", True), ("4", False)]


def test_a_variable_that_a_loop_changes_is_not_known_behind_it() -> None:
    assert argv("D=a; while t; do D=$D/b; done; c $D")[-1] == ["c", None]


def test_a_loop_over_what_may_be_nothing_leaves_both_directories() -> None:
    assert [cwd for cwd, _ in ran('for d in "$@"; do cd /tmp; done; c')] == ["/tmp", "/w"]


# ---- what a child gets
def test_a_child_gets_what_is_exported_and_what_stands_before_it() -> None:
    said = steps("A=1; export B=2; C=3 c; SET=new d; export A; e; unset SET; g")
    env = {s.name: dict(s.env) for s in said if s.name in ("c", "d", "e", "g")}
    assert (env["c"].get("A"), env["c"]["B"], env["c"]["C"]) == (None, "2", "3")
    assert (env["d"]["SET"], env["e"]["A"], env["e"]["SET"]) == ("new", "1", "set")
    assert "C" not in env["d"]
    assert "SET" not in env["g"]
    assert steps("export X=$(date); c")[-1].env["X"] is None


def test_assignments_are_said_with_their_values() -> None:
    step = steps('X=1 Y="a $(date)" Z=~/z c')[-1]
    assert {k: (v.text, v.cause) for k, v in step.assigns.items()} == {
        "X": ("1", ""), "Y": (None, "command substitution"), "Z": ("/home/o/z", ""),
    }  # fmt: skip


def test_inner_code_gets_its_parameters_files_and_input() -> None:
    found = reading('c "$1" "$0"; . ./x; read L; c $L', args=["sh", "one"], files={"/w/x": "c in"}, stdin="line\n")
    assert [[w.text for w in s.argv] for s in found.steps if s.name == "c"] == [
        ["c", "one", "sh"], ["c", "in"], ["c", "line"],
    ]  # fmt: skip


def test_a_directory_may_be_unknown_from_the_start() -> None:
    assert [(s.cwd, s.argv[1].text) for s in steps("c $PWD; cd /tmp; c $PWD", cwd=None) if s.name == "c"] == [
        (None, None), ("/tmp", "/tmp"),
    ]  # fmt: skip


def test_the_line_of_a_step_is_its_source() -> None:
    assert [s.line for s in steps("a  'b' > c; (d; e) >f")] == ["a  'b' > c", "(d; e) >f", "d", "e"]


def test_a_parameter_that_may_be_several_hides_those_behind_it_only() -> None:
    said = steps('f() { c "$1" "$2" $#; shift; c "$1"; }; f a $UNSET b')
    words = [s.argv[1:] for s in said if s.name == "c"]
    assert [w.text for w in words[0]] == ["a", None, None]
    assert words[0][1].cause == "variable UNSET"
    assert [w.text for w in words[1]] == [None]
    assert argv("set -- x $UNSET; c $1")[-1] == ["c", "x"]


def test_a_file_at_hand_is_what_arrives_through_its_redirection(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("a b\nc\n")
    assert steps("c < names", cwd=str(tmp_path))[0].stdin == "a b\nc\n"
    assert [words for _, words in ran("while read x y; do c $x; done < names", cwd=str(tmp_path))] == [["a"], ["c"]]
    assert [words for _, words in ran("c $(<names)", cwd=str(tmp_path))] == [["a", "b", "c"]]
    assert steps("echo new > names; c < names", cwd=str(tmp_path))[-1].stdin == "new\n"
    assert steps("c < nowhere")[0].stdin is None


def test_what_a_filter_prints_of_known_text_is_known() -> None:
    assert steps("echo cm0geA== | base64 -d | c")[-1].stdin == "rm x"
    assert argv('eval "$(echo cm0geA== | base64 -d)"')[-1] == ["rm", "x"]
    assert argv("c $(printf 'b\\na\\n' | sort | head -1)")[-1] == ["c", "a"]


def test_a_search_path_for_directories_may_stand_before_cd(tmp_path: Path) -> None:
    (tmp_path / "far/sub").mkdir(parents=True)
    assert [cwd for cwd, _ in ran("CDPATH=far cd sub && c", cwd=str(tmp_path))] == [str(tmp_path / "far/sub")]
