"""Words: what the reader says a program gets is what bash gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell import real
from tests.shell.said import HOME, argv, steps

SAME = [
    "c1 'a b' \"c d\" e\\ f",
    "c1 a'b'\"c\"d\\e",
    "c1 '' \"\" x''",
    "c1 'it'\\''s'",
    'c1 "a\\"b\\$c\\\\d\\`e\\xf"',
    'c1 "one\\\ntwo" thr\\\nee',
    "c1 $'a\\tb\\n\\x41\\101\\u00e9\\U0001F600\\cA\\e\\E\\?\\'\\\"\\\\\\q'",
    "c1 $'cut\\0here'tail",
    'c1 $"locale $E1"',
    'c1 "a\'b" \'c"d\' "it\'s $E1"',
    'c1 $E1 "$E1" ${E2}x ${E2}/$E2',
    'X=\'a  b\'; c1 $X "$X" x$X"y"',
    "X=' a '; c1 p$X'q'",
    "IFS=:; X=a:b::c; c1 $X",
    "IFS=; X='a b'; c1 $X",
    "c1 {a,b}{1..3} x{,y}z {a} {a,{b,c}} {01..03} {c..a} {3..1..2} '{a,b}' {a,'b c'} \\{a,b} {a,b\\,c}",
    "c1 {a,b",
    "c1 a{b,c}d{e,f} ${E2}{1,2}",
    "c1 ~ ~/x ~+/y a=~/x a~ '~' \\~ ~nosuchuser/x",
    "A=~/x:~/y; c1 $A",
    "c1 * f* ?1 [fg]* d/* */f1 .h* [!f]* nope* '*' \\* \"f*\" d*/",
    "X='f*'; c1 $X \"$X\"",
    "set -f; c1 *",
    "shopt -s nullglob; c1 nope* f*",
    "touch made.log; c1 *.log",
    "A=ab.c.d/e.f; c1 ${A#*.} ${A##*.} ${A%.*} ${A%%.*} ${A##*/} ${A%/*} ${#A} ${A:2} ${A:1:3} ${A: -2} ${A:0:-1}",
    "A=abcabc; c1 ${A/b/X} ${A//b/X} ${A/#a/X} ${A/%c/X} ${A//b} ${A/?c/-} ${A^^} ${A^} ${A,,}",
    'A="a b"; c1 ${A:-x} "${A:+y z}" ${N:-d e} "${N:-d e}" ${N-f} ${A+g} "${A%b}"',
    "c1 ${N:=new} $N; c1 $N",
    "A='x*'; c1 ${A%'*'} ${A%\\*} \"${A%\"*\"}\"",
    "c1 $((1+2*3)) $((2**10)) $((7/2)) $((-7%3)) $((0x1f)) $((010)) $((1<2&&3>2)) $((1?4:5)) $((!0)) $(((1+1)*3))",
    "N=4; c1 $((N+1)) $((++N)) $N $((N+=2)) $N",
    'c1 $(echo a b) "$(echo a b)" `echo c` "`echo \\"d e\\"`" `echo \\`echo n\\``',
    "c1 $(printf '%s-%s\\n' a b c) $(basename a/b.txt .txt) $(dirname a/b/c) \"$(echo; echo x; echo)\"",
    'c1 "$(echo "in $(echo "deep $E1")")"',
    "c1 $(pwd) $(cd d && pwd)",
    'c1 $(cat f1) $(<f1) "$(cat f1 d/f1)"',
    'set -- \'a b\' c; c1 "$@" $@ "$*" $# $1 "$2" x"$@"y; shift; c1 "$@"',
    'set --; c1 "$@" x "$*"',
    'L=(a \'b c\' d); c1 "${L[@]}" ${L[1]} "${L[*]}" ${#L[@]} $L; L+=(e); c1 ${L[3]} ${L[-1]}',
    "A=1; A+=2; c1 $A",
    "c1 a#b # not this\nc1 '#' \\# x",
    "c1 é 'ü' \"日本\" $'\\xc3\\xa9'",
    "c1 -- -n --x=y a=b +z",
    'A=\'a b\'; B=$A; c1 "$B"; C=$A"$B" c2; unset A; c1 x$A',
    "f() { c1 \"$1\" $#; local A=in; c2 $A; }; A=out; f 'p q' r; c1 $A",
    'read A B <<< \'one two three\'; c1 "$A" "$B"',
    'IFS=, read A B <<< \'one,two\'; c1 "$A" "$B"',
    "printf -v A '%s/%s' x y; c1 $A",
    "mapfile -t L <<< $'p\\nq r'; c1 \"${L[@]}\"",
    "c1 $[1+1]x",
    'export A=\'a b\' B=c; c1 "$A" $B; declare C=$A; c1 "$C"; readonly D=d; c1 $D',
    "export A={a,b}; c1 $A; B={a,b}; c1 $B",
    "c1 a\\\n  b \\\n  c",
    "\"c1\" 'x'; c'1' y; \\c1 z; X=c1; $X w",
    "let A=2+3; c1 $A; (( A *= 2 )); c1 $A",
]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> real.Ground:
    return real.Ground(Path(tmp_path_factory.mktemp("words")))


@pytest.mark.parametrize("text", SAME)
def test_the_words_are_those_that_bash_gives(ground: real.Ground, text: str) -> None:
    assert not real.faults(ground, "bash", text)
    said = {tuple(w.text for w in s.argv) for s in real.read_once(ground, text) if s.name in ("c1", "c2")}
    ran = {call[1] for call in ground.calls()}
    if "$[" not in text:  # old arithmetic is left unknown
        assert said == ran


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("c $UNSET/x", "variable UNSET"),
        ("c $?", "parameter ?"),
        ("c $1", "parameter 1"),
        ('c "$@"', "the parameters"),
        ("c $(date)", "command substitution"),
        ("c `date`", "command substitution"),
        ("c ${!X}", "indirect expansion"),
        ("c $((RANDOM+1))", "arithmetic"),
        ("read X; c $X", "variable X"),
        ("X=$(date); c $X", "command substitution"),
        ("shopt -s extglob\nc !(a|b).yml", "extended glob"),
    ],
)
def test_what_is_not_static_names_its_cause(text: str, cause: str) -> None:
    word = steps(text)[-1].argv[1]
    assert (word.text, word.cause) == (None, cause)


def test_an_unknown_word_keeps_its_static_parts_and_its_rough_form() -> None:
    word = steps('c "$UNSET"/.github/$(date).yml')[-1].argv[1]
    assert word.parts == ("/.github/", ".yml")
    assert word.rough == "$UNSET/.github/$(date).yml"
    assert word.many


def test_an_unknown_part_of_a_variable_keeps_what_is_known_of_it() -> None:
    word = steps("D=$(whereabouts)/deploy; c $D/prod.tf")[-1].argv[1]
    assert word.parts == ("/deploy/prod.tf",)


def test_a_default_of_a_variable_that_nobody_set_is_what_it_gives() -> None:
    assert argv("c ${OUT:-deploy/prod.tf}") == [["c", "deploy/prod.tf"]]


def test_a_default_is_mentioned_where_the_variable_is_not_known() -> None:
    word = steps("read OUT; c ${OUT:-deploy/prod.tf}")[-1].argv[1]
    assert (word.text, word.parts) == (None, ("deploy/prod.tf",))


def test_home_is_the_one_that_was_recorded_when_the_environment_names_none() -> None:
    assert argv("c ~/x $HOME", env={"PATH": "/bin"}) == [["c", HOME + "/x", HOME]]


def test_a_variable_whose_value_is_not_known_hides_the_one_of_the_environment() -> None:
    assert argv("c $SET", env={"SET": None}) == [["c", None]]


def test_a_glob_in_an_unknown_directory_stays_a_pattern() -> None:
    word = steps('cd "$UNSET"; c *.yml')[-1].argv[1]
    assert (word.text, word.glob) == ("*.yml", True)


def test_a_glob_that_matches_more_than_is_listed_stays_a_pattern(tmp_path: Path) -> None:
    for index in range(300):
        (tmp_path / f"d{index}").mkdir()
    word = steps("c */*", cwd=str(tmp_path))[-1].argv[1]
    assert (word.text, word.glob) == ("*/*", True)


def test_options_that_widen_a_glob_leave_it_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    word = steps("shopt -s globstar; c **", cwd=str(tmp_path))[-1].argv[1]
    assert (word.text, word.glob) == ("**", True)


def test_a_process_substitution_is_a_descriptor_and_tells_what_it_prints() -> None:
    word = steps("c <(echo hi)")[-1].argv[1]
    assert (word.text, word.cause, word.feed) == ("/dev/fd/63", "process substitution", "hi\n")


def test_bytes_that_are_no_utf_8_and_lone_surrogates_are_words_like_any_other() -> None:
    assert argv("c $'\\xff' x") == [["c", "\udcff", "x"]]
    assert argv("c \ud800") == [["c", "?"]] or argv("c \ud800") == [["c", "\ufffd"]]
