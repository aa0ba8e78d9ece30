"""The text of apply_patch: every header that some applier would read, and no content taken for one."""

from __future__ import annotations

import pytest

from guards.engine.event import DELETE, EXACT, UNREADABLE, WRITE
from guards.lanes.patches import read


def touched(body: str) -> list[tuple[str, str]]:
    return [(effect.act, effect.path) for effect in read(f"*** Begin Patch\n{body}\n*** End Patch\n")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("*** Update File: a.py\n@@\n-a\n+b", [(WRITE, "a.py")]),
        ("*** Add File: a b.py\n+x", [(WRITE, "a b.py")]),
        ("*** Delete File: a.py", [(DELETE, "a.py")]),
        ("*** Update File: a.py\n*** Move to: b.py\n@@\n-a\n+b", [(DELETE, "a.py"), (WRITE, "b.py")]),
        (
            "*** Update File: a.py\n@@\n-a\n+b\n*** Add File: human/new.md\n+x",
            [(WRITE, "a.py"), (WRITE, "human/new.md")],
        ),
        ("***Update File: a.py\n@@\n-a\n+b", [(WRITE, "a.py")]),
        ("***  update   file :a.py", [(WRITE, "a.py")]),
        ("\t*** Delete File: a.py", [(DELETE, "a.py")]),
        ("*** Delete File: a.py\n  *** Delete File: b.py", [(DELETE, "a.py"), (DELETE, "b.py")]),
        ("*** Add File: a.py\n+x\n *** Delete File: b.py", [(WRITE, "a.py"), (DELETE, "b.py")]),
        ("*** Update File: a.py\r\n@@\r\n-a\r\n+b\r", [(WRITE, "a.py")]),
        ("*** Update File: doc.md\n@@\n-old\n+*** Update File: human/plan.md\n+rm x", [(WRITE, "doc.md")]),
        ("*** Update File: doc.md\n@@\n *** Delete File: human/plan.md\n-x", [(WRITE, "doc.md")]),
        ("*** Add File: doc.md\n+*** Delete File: human/plan.md", [(WRITE, "doc.md")]),
        ("*** Add File: a:b.md\n+x", [(WRITE, "a:b.md")]),
    ],
)
def test_headers(body: str, expected: list[tuple[str, str]]) -> None:
    assert touched(body) == expected


def test_what_would_be_written_is_told() -> None:
    (added,) = read("*** Begin Patch\n*** Add File: a\n+one\n+two\n*** End Patch")
    assert added.change == ("content", "one\ntwo\n")
    (updated,) = read("*** Begin Patch\n*** Update File: a\n@@ def x\n one\n-two\n+2\n@@\n-x\n+y\n*** End Patch")
    assert updated.change == ("edits", (("one\ntwo", "one\n2", False), ("x", "y", False)))
    (strange,) = read("*** Begin Patch\n*** Update File: a\n@@\n?one\n*** End Patch")
    assert strange.change is None


def test_a_unified_diff_names_its_files() -> None:
    text = "diff --git a/x b/x\n--- a/human/plan.md\t2026\n+++ b/human/plan.md\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n"
    assert {effect.path for effect in read(text)} == {"a/human/plan.md", "b/human/plan.md", "human/plan.md"}


def test_a_text_without_a_header_is_unreadable() -> None:
    for text in ("", "hello", "*** Begin Patch\n*** End Patch"):
        (only,) = read(text)
        assert only.certainty == UNREADABLE


def test_a_patch_that_is_too_long_is_read_as_far_as_it_goes() -> None:
    found = read("*** Add File: a\n" + "+x\n" * 300_000)
    assert [effect.certainty for effect in found] == [EXACT, UNREADABLE]
