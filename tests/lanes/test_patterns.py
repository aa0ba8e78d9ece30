"""Compiled patterns against pathspec's GitIgnoreSpec, and against what gitignore's manual says where that differs."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from pathspec.patterns.gitwildmatch import GitWildMatchPattern

from guards.compile import gitignore
from guards.lanes import patterns
from guards.lanes.paths import fold
from tests.examples import examples


class Oracle(GitWildMatchPattern):
    """pathspec's pattern, but `[^a]` never matches a slash, as git itself has it (WM_PATHNAME)."""

    @staticmethod
    def _translate_segment_glob(pattern: str) -> str:
        found = GitWildMatchPattern._translate_segment_glob(pattern)
        return str(found.replace("[^", "[^/"))


def oracle(pattern: str, path: str) -> bool:
    """Case-folded and NFC on both sides; a folder pattern also matches the folder's own name."""
    if set(pattern.split("/")) <= {"", "**"}:  # pathspec reads `/**/` as nothing; git as every folder
        return True
    own = pattern
    while own.endswith(("/", "/**")):
        own = own.removesuffix("/").removesuffix("/**")
    if "/" in pattern.rstrip("/") and "/" not in own:
        own = "/" + own
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # `re` thinks of nested sets
        specs = [GitIgnoreSpec.from_lines([fold(text)], Oracle) for text in (pattern, own)]
    return any(spec.match_file(fold(path)) for spec in specs)


def ours(pattern: str, path: str) -> bool:
    parsed = gitignore.parse(pattern, "/home/o")
    parts = fold(path).split("/")
    found = patterns.match(gitignore.index([(parsed.tokens, 7)]), parts)
    assert {n for n, _ in found} <= {7}
    assert bool(found) == bool(patterns.accepts(parsed.tokens, parts)), "index and automaton differ"
    return bool(found)


NAMES = st.sampled_from(
    ["a", "b", "ab", "aB", "abc", "a.b", ".a", "secret", "my-Secrets.yml", "Ä", "a\u0308", "-", "]", "x y"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)
PIECES = st.sampled_from(
    [
        "a",
        "b",
        "B",
        "ab",
        "*",
        "?",
        ".",
        "secret",
        "[ab]",
        "[!a]",
        "[^a-b]",
        "[a-c]",
        "[]a]",
        "\\*",
        "\\a",
        "Ä",
        "-",
        "x y",
    ]
)
SEGMENTS = st.one_of(
    st.just("**"), st.just("*"), NAMES, st.lists(PIECES, min_size=1, max_size=4).map("".join)
)  # fmt: skip


@st.composite
def pattern_texts(draw: Any) -> str:
    body = "/".join(draw(st.lists(SEGMENTS, min_size=1, max_size=4)))
    before: str = draw(st.sampled_from(["", "/"]))
    after: str = draw(st.sampled_from(["", "", "/"]))
    return before + body + after


@examples(300)
@given(pattern_texts(), PATHS)
@example("**", "a")
@example("**/", "a")
@example("/**", "a/b")
@example("a/**", "a")
@example("a/**/b", "a/b")
@example("a/**/b", "a/x/y/b/c")
@example("**/a/b", "x/a/b/c")
@example("a/*", "a")
@example("*secret*", "x/my-Secrets.yml")
@example("[]a]", "]")
@example("a[b", "a[b")
def test_a_pattern_matches_what_gitignore_says(pattern: str, path: str) -> None:
    if gitignore.fault(pattern):
        return
    assert ours(pattern, path) == oracle(pattern, path)


@pytest.mark.slow
@settings(max_examples=20000, deadline=None)
@given(pattern_texts(), PATHS)
def test_many_patterns_match_what_gitignore_says(pattern: str, path: str) -> None:
    if gitignore.fault(pattern):
        return
    assert ours(pattern, path) == oracle(pattern, path)


@examples(100)
@given(st.lists(pattern_texts(), min_size=1, max_size=12), PATHS)
def test_an_index_of_many_finds_each_that_matches_alone(texts: list[str], path: str) -> None:
    good = [text for text in texts if not gitignore.fault(text)]
    parsed = [(gitignore.parse(text, "/home/o").tokens, n) for n, text in enumerate(good)]
    found = {n for n, _ in patterns.match(gitignore.index(parsed), fold(path).split("/"))}
    assert found == {n for n, text in enumerate(good) if oracle(text, path)}


def test_git_itself_agrees_on_a_table(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    rows = [
        ("auth/", "src/auth/login.py"), ("auth/", "src/author.py"), ("/content/", "content/a.md"),
        ("/content/", "src/content/a.md"), ("*.tf", "infra/prod.tf"), ("*.tf", "infra/prod.tfstate"),
        ("a/**/b", "a/b"), ("a/**/b", "a/x/b"), ("wrangler.*", "apps/x/wrangler.toml"), ("doc/*.md", "doc/x/a.md"),
        ("[!a]x", "bx"), ("[!a]x", "ax"), ("\\!x", "!x"), (".github/hooks/*.json", ".github/hooks/a.json"),
        (".github/hooks/*.json", "sub/.github/hooks/a.json"),
    ]  # fmt: skip
    for pattern, path in rows:
        (tmp_path / ".gitignore").write_text(pattern + "\n")
        git = subprocess.run(["git", "-C", str(tmp_path), "check-ignore", "-q", path], check=False).returncode == 0
        assert ours(pattern, path) == git, (pattern, path)


def test_a_folder_pattern_matches_the_folders_own_name() -> None:
    assert ours(".github/", ".github")
    assert ours("/content/", "content")


def test_a_name_with_a_line_break_is_one_name() -> None:
    assert not ours("human/", "docs/a\nhuman/plan.md")
    assert ours("human/", "a\nb/human/plan.md")
    assert not ours("human", "human\n")


def test_ignorable_code_points_hide_no_name() -> None:
    assert ours(".git", ".g\u200cit")
    assert ours("human/", "hum\ufeffan/x")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("!x", "'!x': a pattern cannot take back another one; use except"),
        ("# x", "'# x' is a comment in gitignore's language; write \\#"),
        (" x", "' x' has spaces around it"),
        ("x ", "'x ' has spaces around it"),
        ("/", "names nothing"),
        ("//", "names nothing"),
        ("a//b", "'a//b' has an empty part between slashes"),
        ("a/../b", "'..' as a part of a pattern matches no path"),
        ("./a", "'.' as a part of a pattern matches no path"),
        ("~o/x", "'~o/x': only ~/ is known, for the owner's own home"),
        ("a\\", "'a\\\\' ends in a backslash that escapes nothing"),
        ("[z-a]", "the range z-a in a bracket is empty"),
        ("[[:alpha:]]", "'[[:alpha:]]': neither backslashes nor classes such as [:alpha:] are known in a bracket"),
    ],
)
def test_a_pattern_that_says_something_else_than_it_seems_is_a_fault(text: str, why: str) -> None:
    assert gitignore.fault(text) == why


def test_two_slashes_and_a_tilde_are_absolute() -> None:
    assert gitignore.parse("//etc/passwd", "/home/o") == gitignore.Pattern(("etc", "passwd"), absolute=True)
    assert gitignore.parse("~/.bashrc", "/home/O") == gitignore.Pattern(("home", "o", ".bashrc"), absolute=True)
    assert gitignore.parse("~/x", "/home/a[b]*").tokens == ("home", "a[b]*", "x")
    assert not gitignore.parse("/x", "/home/o").absolute


@examples(150)
@given(st.lists(st.sampled_from(["a", "b", "*", "?"]), max_size=12).map("".join), st.text("ab", max_size=60))
def test_no_name_takes_long(pattern: str, text: str) -> None:
    items = gitignore._segment(pattern or "a")
    if isinstance(items, tuple):
        patterns.name(items, text)


def test_a_row_of_stars_is_quick() -> None:
    items = gitignore._segment("*a" * 30 + "b")
    assert not patterns.name(items, "a" * 4000)


def test_pending_says_where_something_below_can_still_match() -> None:
    def tokens(text: str) -> Any:
        return gitignore.parse(text, "/home/o").tokens

    assert patterns.pending(tokens("/deploy/prod/"), ["deploy"])
    assert patterns.pending(tokens("/deploy/prod/"), [])
    assert not patterns.pending(tokens("/deploy/prod/"), ["src"])
    assert patterns.pending(tokens("**/.claude/hooks/"), [".claude"])
    assert not patterns.pending(tokens("**/.claude/hooks/"), ["src"]), "a floating pattern that has not begun"
    assert not patterns.pending(tokens("Dockerfile"), ["src"])
