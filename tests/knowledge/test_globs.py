"""Patterns of entries mean what gitignore's mean; `{a,b}` is written out; what says nothing usable is left out."""

from __future__ import annotations

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.knowledge import globs, matching

PARTS = ["src", "a", "b.py", "x.go", "*", "**", "*.py", "?", "[ab]", "src*", "*b*"]
pattern = st.builds(
    lambda lead, parts, end: lead + "/".join(parts) + end,
    st.sampled_from(["", "/"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=4),
    st.sampled_from(["", "/"]),
).filter(lambda text: bool(text.strip("/*")))
path = st.lists(st.sampled_from(["src", "a", "b.py", "x.go", "srcs", "c"]), min_size=1, max_size=5).map("/".join)


def matches(text: str, name: str) -> bool:
    return matching.match(globs.index([("other/x", 7), (text, 0)]), name) in ([0], [0, 7])


@given(pattern, path)
def test_patterns_mean_what_gitignores_mean(text: str, name: str) -> None:
    oracle = pathspec.GitIgnoreSpec.from_lines([text])
    # a folder's own name counts as the folder, and a pattern of nothing but stars is every file
    expected = oracle.match_file(name) or oracle.match_file(name + "/")
    assert matches(text, name) == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("src/{a,b}/*.{py,go}", "src/b/x.go", True),
        ("src/{a,b}/*.{py,go}", "src/c/x.go", False),
        ("{a,b", "{a,b", True),
        ("a{b}c", "a{b}c", True),
        ("**/*.py", "x.py", True),
        ("SRC/", "src/a", True),
        ("../x", "x", False),
        ("", "x", False),
        ("/", "x", False),
        ("[!a].py", "b.py", True),
        ("[!a].py", "a.py", False),
        ("[a-c].py", "b.py", True),
        ("[ab", "[ab", True),
    ],
)
def test_what_a_pattern_means(text: str, name: str, expected: bool) -> None:
    assert matches(text, name) is expected


def test_braces_are_bounded() -> None:
    assert len(globs.braces("{a,b}" * 8)) == globs.BRACES_MAX
