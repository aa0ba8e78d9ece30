"""One git answer → files, front matter → entries, and what does not read as either is said, not guessed."""

from __future__ import annotations

import pytest

from guards.knowledge import entries, store

ANSWER = b"""diff --git a/c/a.md b/c/a.md
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/c/a.md
@@ -0,0 +1,3 @@
+---
+diff --git a/x b/x
+@@ -0,0 +1 @@
\\ No newline at end of file
diff --git a/c/link b/c/link
new file mode 120000
index 0000000..2222222
--- /dev/null
+++ b/c/link
@@ -0,0 +1 @@
+/etc/passwd
\\ No newline at end of file
diff --git a/c/empty.md b/c/empty.md
new file mode 100755
index 0000000..3333333
"""


def test_files_of_an_answer_links_and_empty_ones_left_out() -> None:
    assert entries.files(ANSWER) == [("c/a.md", "1111111", "---\ndiff --git a/x b/x\n@@ -0,0 +1 @@")]


@pytest.mark.parametrize("answer", [ANSWER[:130], b"warning: something\n" + ANSWER, b"fatal: no"])
def test_a_cut_or_mixed_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(store.Broken):
        entries.files(answer)


@pytest.mark.parametrize(
    ("text", "matter", "body"),
    [
        (
            "---\nid: A-1\npaths: [src/, 'a,b', \"{x,y}.py\", {p,q}/**]\n---\n\nbody\n",
            {"id": "A-1", "paths": ["src/", "a,b", "{x,y}.py", "{p,q}/**"]},
            "body",
        ),
        (
            "---\npaths:\n  - src/\n  - docs/\nstatus: accepted # yes\n---\nb",
            {"paths": ["src/", "docs/"], "status": "accepted"},
            "b",
        ),
        ("---\nid: x\nnever closed", {}, "---\nid: x\nnever closed"),
        ("# no front matter\n---\n", {}, "# no front matter\n---\n"),
        ("---\n# note\n\nTitle: \"A: b\"\n---\n", {"title": "A: b"}, ""),
    ],
)  # fmt: skip
def test_front_matter(text: str, matter: dict[str, object], body: str) -> None:
    assert entries.head(text) == (matter, body)


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "x" * 65, "a\nb", 7, None, "ä"])
def test_ids_that_cannot_be_shown_do_not_count(name: object) -> None:
    assert entries.known(name) == ""
