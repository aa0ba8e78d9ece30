"""The text of an apply_patch call → the paths it touches.

Read as leniently as the most lenient applier does: headers with odd spacing or indentation count, in whatever order. A
line that begins with `+`, `-` or a space inside a hunk is content and names nothing.
"""

from guards.engine.event import DELETE, UNREADABLE, WRITE, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINES_MAX = 200_000  # a patch with more is not read to its end, and says so
_HEADERS = (
    ("update file", "update"), ("add file", "add"), ("create file", "add"), ("delete file", "delete"),
    ("remove file", "delete"), ("move to", "move"), ("rename to", "move"), ("move file", "update"),
)  # fmt: skip


class _Part:
    """One file of the patch: its hunks as (old text, new text) pairs, or the text of a new file."""

    __slots__ = ("act", "added", "moved", "new", "old", "pairs", "path", "strange")

    def __init__(self, act: str, path: str) -> None:
        self.act = act
        self.path = path
        self.moved = ""
        self.added: list[str] = []
        self.old: list[str] = []
        self.new: list[str] = []
        self.pairs: list[tuple[str, str, bool]] = []
        self.strange = False

    def line(self, text: str) -> None:
        """One line of the part's body."""
        mark, rest = text[:1], text[1:]
        if text.startswith("@@"):
            self.close()
        elif mark == "+":
            self.added.append(rest)
            self.new.append(rest)
        elif mark == "-":
            self.old.append(rest)
        elif mark in (" ", ""):
            self.old.append(rest)
            self.new.append(rest)
        else:
            self.strange = True

    def close(self) -> None:
        """Ends a hunk."""
        if self.old or self.new:
            self.pairs.append(("\n".join(self.old), "\n".join(self.new), False))
        self.old, self.new = [], []

    def change(self) -> "tuple[Any, ...] | None":
        """What it would do to the file's text, where that can be told."""
        if self.strange:
            return None
        if self.act == "add":
            return ("content", "".join([line + "\n" for line in self.added]))
        return ("edits", tuple(self.pairs)) if self.pairs else None


def read(text: str) -> "list[Effect]":
    """Every path that the patch would write, delete or move."""
    parts: list[_Part] = []
    lines = text.split("\n", LINES_MAX)
    for line in lines[:LINES_MAX]:
        line = line.removesuffix("\r")
        header = _header(line, bool(parts) and parts[-1].act == "update")
        if header is None:
            if parts and not line.startswith("***"):
                parts[-1].line(line)
        elif header[0] == "move" and parts:
            parts[-1].moved = header[1]
        else:
            parts.append(_Part(*header))
    effects: list[Effect] = []
    for part in parts:
        part.close()
        effects += _effects(part)
    if not parts:
        effects = _unified(lines)
    if not effects or len(lines) > LINES_MAX:
        why = "a patch that is too long to be read whole" if effects else "a patch without a file header"
        effects.append(Effect("", WRITE, UNREADABLE, cause=why))
    return effects


def _header(line: str, hunk: bool) -> "tuple[str, str] | None":
    """(act, path) of a line such as `*** Update File: a.py`, however it is spaced; None for any other line.

    hunk: inside a file's hunks a line that begins with a space is content.
    """
    bare = line.strip()
    if not bare.startswith("***") or line[:1] in ("+", "-") or (hunk and line[:1] == " "):
        return None
    words, colon, path = bare[3:].partition(":")
    spoken = " ".join(words.strip("* \t").lower().split())
    for name, act in _HEADERS:
        if colon and spoken == name:
            return act, path.strip()
    return None


def _effects(part: _Part) -> "list[Effect]":
    if part.act == "delete":
        return [Effect(part.path, DELETE, follow=False, cause="deleted by a patch")]
    if part.moved:
        return [
            Effect(part.path, DELETE, follow=False, cause="moved away by a patch"),
            Effect(part.moved, WRITE, cause="moved there by a patch"),
        ]
    cause = "added by a patch" if part.act == "add" else "updated by a patch"
    return [Effect(part.path, WRITE, change=part.change(), cause=cause)]


def _unified(lines: "list[str]") -> "list[Effect]":
    """The files of a unified diff: as spelled, and without the first folder (`a/`, `b/`)."""
    paths: list[str] = []
    for line in lines:
        if line.startswith(("--- ", "+++ ")):
            path = line[4:].partition("\t")[0].strip().strip('"')
            paths += [path, path.partition("/")[2]]
    kept = dict.fromkeys([path for path in paths if path and path not in ("/dev/null", "dev/null", "null")])
    return [Effect(path, WRITE, cause="changed by a patch") for path in kept]
