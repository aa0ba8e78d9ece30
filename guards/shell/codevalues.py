"""Expressions in the token lists of tokens.py: a call's arguments, literals joined, names that were given one."""

from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.tokens import Token

    Span = tuple[int, int]

MOST = 4000  # tokens of one call's arguments
_OPEN, _CLOSE = "([{", ")]}"
_JOINS = ("join", "resolve", "new", "Pathname", "String", "raw", "catfile")
_PATHS = ("Path.of", "Paths.get", "Path.new", "filepath.Join")
_END = 1 << 30


class Values:
    """found: the tokens; names: what a name was given, while the text goes on."""

    def __init__(self, found: "list[Token]", table: "dict[str, Any]", language: str) -> None:
        self.found = found
        self.table = table
        self.language = language
        self.names: dict[str, str] = {}

    def at(self, place: int) -> "Token":
        return self.found[place] if 0 <= place < len(self.found) else ("", "")

    # ---- literals that are filled in at run time
    def pieces(self, text: str) -> "list[tuple[bool, str]]":
        """(static?, piece) of a literal: `a${b}c`, "a$b c", "a#{b}c"."""
        found: list[tuple[bool, str]] = []
        at, static = 0, ""
        while at < len(text):
            mark = next((m for m in ("${", "#{", "{$") if text.startswith(m, at)), "")
            end = text.find("}", at) if mark else -1
            if end > 0:
                name, end = text[at + 2 : end], end + 1
            elif text[at] in "$@" and text[at] in self.table.get("sigils", ""):
                end = at + 1
                while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                    end += 1
                name = text[at:end] if end > at + 1 else ""
            else:
                name = ""
            if name:
                found += [(True, static), (False, name)]
                static, at = "", end
            else:
                static += text[at]
                at += 1
        return [(s, p) for s, p in [*found, (True, static)] if p]

    def filled(self, text: str) -> "str | None":
        """The literal with known names filled in; None when one is not known."""
        out = ""
        for static, piece in self.pieces(text):
            known = piece if static else self.names.get(piece, self.names.get("$" + piece.strip("$ ")))
            if known is None:
                return None
            out += known
        return out

    def partly(self, text: str) -> "Word | str":
        """The literal as a text, or as a word that is not static."""
        filled = self.filled(text)
        if filled is not None:
            return filled
        pieces = self.pieces(text)
        rough = "".join([p if s else "\0" for s, p in pieces])
        return Word(None, text, "a value of the program", parts=tuple([p for s, p in pieces if s]), rough=rough)

    # ---- arguments
    def groups(self, at: int) -> "list[Span] | None":
        """The arguments behind a name as (start, end); None when it is no call."""
        kind, value = self.at(at)
        if (kind, value) == ("mark", "("):
            return self._split(at + 1, ")")
        bare = self.table.get("bare") and kind in ("text", "raw", "run", "name")
        return self._split(at, "") if bare else None

    def _split(self, start: int, close: str) -> "list[Span]":
        groups: list[Span] = []
        begin, depth = start, 0
        gaps = bool(self.table.get("spaced"))
        end = min(len(self.found), start + MOST)
        for here in range(start, end):
            kind, value = self.found[here]
            if kind == "mark" and value in _OPEN:
                depth += 1
            elif kind == "mark" and value in _CLOSE:
                depth -= 1
                if depth < 0:
                    return _with(groups, begin, here)
            elif depth == 0 and not close and (kind == "end" or (kind, value) == ("mark", ";")):
                return _with(groups, begin, here)
            elif depth == 0 and (kind, value) == ("mark", ","):
                groups = _with(groups, begin, here)
                begin = here + 1
            if gaps and depth == 0 and kind in ("text", "raw", "name"):
                groups = _with(groups, begin, here + 1)
                begin = here + 1
        return _with(groups, begin, end)

    def value(self, start: int, end: int = _END) -> "tuple[str | None, int]":
        """The text of an expression, literals and known names joined; and where it ends."""
        at, out, wants = start, "", True
        last = min(end, len(self.found))
        while at < last:
            kind, value = self.found[at]
            if kind == "end" and at + 1 < last:
                at += 1
                continue
            if not wants:
                if kind != "mark" or value not in self.table.get("joins", "+"):
                    break
            else:
                known, at = self._one(at, kind, value)
                if known is None:
                    return None, at
                out += known
            wants = not wants
            at += 1
        cut = end < _END and at < last and self.found[at][0] != "end"
        return (None if wants or cut else out), at

    def _one(self, at: int, kind: str, value: str) -> "tuple[str | None, int]":
        """One operand, and its last token."""
        if kind == "text":
            return value, at
        if kind == "raw":
            return self.filled(value), at
        if kind == "name" and value in self.names:
            return self.names[value], at
        if kind == "name" and (value.rsplit(".", 1)[-1] in _JOINS or value in _PATHS):
            return self._joined(at, value)
        return None, at

    def _joined(self, at: int, name: str) -> "tuple[str | None, int]":
        """path.join("a", "b"), Pathname.new("a")"""
        groups = self.groups(at + 1) or []
        values = [self.value(a, b)[0] for a, b in groups]
        texts = [v for v in values if v is not None]
        if not texts or len(texts) < len(values):
            return None, at
        end = groups[-1][1]
        end = end if self.at(end) == ("mark", ")") else end - 1
        if name == "join" and self.language in ("perl", "php"):  # join(SEPARATOR, ...)
            return texts[0].join(texts[1:]), end
        out = ""
        for text in texts:
            out = text if not out or text[:1] == "/" else out.rstrip("/") + "/" + text
        return out, end


def _with(groups: "list[Span]", begin: int, end: int) -> "list[Span]":
    return [*groups, (begin, end)] if end > begin else groups
