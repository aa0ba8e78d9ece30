"""Expressions in the token lists of tokens.py: every text that one can have, as codetexts.py writes it.

Literals are joined, names give what they were given, lists count as what they hold, known functions as what they
give (codecalls.py). Whatever else stands there, and the part is ANY: it may be made of any literal of the program.
"""

from guards.shell import codecalls, codemethods
from guards.shell.codespans import CLOSE, ENDS, OPEN, Spans
from guards.shell.codetexts import ANY, ELSEWHERE, UNKNOWN, beneath, product, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.codenames import Names
    from guards.shell.codeouter import Outer
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts
    from guards.shell.tokens import Token


BUDGET = 60_000  # operands that are looked at for one program
DEPTH = 24  # expressions within expressions
_FAILS = frozenset(
    {"die", "exit", "raise", "abort", "throw", "return", "croak", "confess", "process.exit", "error", "warn"}
)
_BEFORE = frozenset({"new", "await", "return", "my", "our", "var", "let", "const", "ref", "in", "of", "typeof", "void"})
_NOTHING = frozenset({"null", "undefined", "nil", "true", "false", "None", "undef", "NULL", "TRUE", "FALSE", "this"})


class Values(Spans):
    """found: the tokens; names: what they were given, as far as the text has gone."""

    def __init__(
        self, found: "list[Token]", table: "dict[str, Any]", language: str, outer: "Outer", names: "Names"
    ) -> None:
        super().__init__(found, table)
        self.language = language
        self.outer = outer
        self.names = names
        self.left = BUDGET
        self.depth = 0

    def known(self, name: str) -> "Texts | None":
        """What a name was given; with or without its sigil, in a literal often without."""
        found = self.names.get(name)
        if found is None and name[:1] == "@":
            found = self.names.get("$" + name[1:])
        return self.names.get("@" + name[1:]) if found is None and name[:1] == "$" else found

    # ---- literals that are filled in at run time
    def pieces(self, text: str) -> "list[tuple[bool, str]]":
        """(static?, piece) of a literal: `a${b}c`, "a$b c", "a#{b}c"."""
        found: list[tuple[bool, str]] = []
        at, static = 0, ""
        while at < len(text):
            mark = next((m for m in ("${", "#{", "{$", "@{[") if text.startswith(m, at)), "")
            end = _closed(text, at + text[at : at + 2].find("{")) if mark else -1
            if end > 0:
                name, end = text[at + len(mark) - (mark == "{$") : end], end + 1
            elif text[at] in "$@" and text[at] in self.table.get("sigils", ""):
                end = _variable(text, at)
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

    def filled(self, text: str) -> "Texts":
        """The literal with what its parts may be."""
        out: Texts = ("",)
        for static, piece in self.pieces(text):
            out = product(out, (piece,) if static else self._part(piece))
        return out

    def _part(self, piece: str) -> "Texts":
        """A name, or an expression, within a literal."""
        for name in (piece, "$" + piece.strip("$ ")):
            found = self.known(name)
            if found is not None:
                return found
        if self.depth > DEPTH:
            return UNKNOWN
        from guards.shell import tokens

        inner = Values(
            tokens.settled(piece, self.table, self.language), self.table, self.language, self.outer, self.names
        )
        inner.left, inner.depth = min(self.left, 400), self.depth + 1
        return inner.value(0, len(inner.found))

    # ---- expressions
    def value(self, start: int, end: int) -> "Texts":
        """All that the expression between two places can be."""
        while start < end and (self.at(start)[0] == "end" or self.at(start) in (("mark", "..."), ("mark", "."))):
            start += 1
        self.work -= end - start
        if self.depth > DEPTH or start >= end or self.work < 0:
            return UNKNOWN
        self.depth += 1
        try:
            found = [self._joined(a, b) for a, b in self._choices(start, end)]
        finally:
            self.depth -= 1
        return union(*found) or ELSEWHERE

    def _choices(self, start: int, end: int) -> "list[Span]":
        """`a || b`, `a ?? b`, `c ? a : b`, `a or die`: the parts it may be; conditions are none."""
        parts: list[Span] = []
        begin, depth, asked, here = start, 0, 0, start
        while here < end:
            kind, value = self.found[here]
            if kind == "mark" and value in OPEN + CLOSE:
                depth += 1 if value in OPEN else -1
            elif depth == 0:
                two = self.at(here + 1) == (kind, value) and kind == "mark" and here + 1 < end
                if (two and value in "|?") or (two and value == "/" and self.language == "perl"):
                    parts.append((begin, here))
                    here += 1
                    begin = here + 1
                elif (kind, value) == ("name", "or") or (asked and (kind, value) == ("mark", ":")):
                    parts.append((begin, here))
                    asked -= value == ":"
                    begin = here + 1
                elif two and value == "&":
                    here += 1
                    begin = here + 1
                elif (kind, value) == ("mark", "?") and self.at(here + 1) == ("mark", ":"):  # a ?: b
                    parts.append((begin, here))
                    here += 1
                    begin = here + 1
                elif (kind, value) == ("mark", "?") and self.at(here + 1) != ("mark", "."):
                    asked += 1
                    begin = here + 1
                elif kind == "name" and value in ENDS and here > begin:
                    end = here
                    break
            here += 1
        parts.append((begin, end))
        return [(a, b) for a, b in parts if a < b and not (self.at(a)[1] in _FAILS and a > start)]

    def _joined(self, at: int, end: int) -> "Texts":
        """Operands with what joins them between."""
        out: Texts = ("",)
        between = ""
        while at < end:
            if self.found[at][0] == "end":
                at += 1
                continue
            value, at = self.operand(at, end)
            out = beneath(out, value) if between == "/" else product(out, value)
            while at < end and self.found[at][0] == "end":
                at += 1
            if at >= end:
                break
            kind, between = self.found[at]
            if kind in ("name", "text", "raw"):
                break  # what stands beside it is no part of it
            if kind != "mark" or not (between in self.table.get("joins", "+") or between == "/"):
                return UNKNOWN
            at += 1
            while at < end and self.found[at] == ("mark", between):
                at += 1
        return out

    def operand(self, at: int, end: int) -> "tuple[Texts, int]":
        """One operand with what hangs on it, and where it ends."""
        self.left -= 1
        if self.left < 0:
            return UNKNOWN, end
        found, at = self._primary(at, end)
        return codemethods.hanging(self, found, at, end)

    def _primary(self, at: int, end: int) -> "tuple[Texts, int]":
        kind, value = self.found[at]
        if kind in ("text", "raw"):
            found: Texts = self.filled(value) if kind == "raw" else (value,)
            while self.language in ("perl", "ruby") and at + 1 < end and self.found[at + 1][0] == "text":  # qw(a b)
                at += 1
                found = union(found, (self.found[at][1],))
            return found, at + 1
        if kind == "name":
            return self._name(at, end)
        if value in OPEN:
            stop = self.close(at)
            object_ = value == "{" and self.language not in ("lua", "perl", "compiled")
            if value == "[" and self.at(stop + 1)[1] == ".join" and self.at(stop + 2) == ("mark", "("):
                return codecalls.row_joined(self, at, stop), self.close(stop + 2) + 1
            return (UNKNOWN if object_ else self.elements(at + 1, stop)), min(stop + 1, end)
        if value == ":" and self.at(at + 1)[0] == "name":
            return (self.at(at + 1)[1],), at + 2
        if value == "<" and self.language == "perl":
            stop = next((i for i in range(at, min(end, at + 12)) if self.found[i] == ("mark", ">")), at)
            return ELSEWHERE, stop + 1
        if value in "\\&@%*$!" and at + 1 < end:
            return self._primary(at + 1, end)
        return UNKNOWN, end

    def elements(self, start: int, end: int) -> "Texts":
        """What a list holds."""
        return union(*[self.value(a, b) for a, b in self.split(start, ")") if b <= end]) or ELSEWHERE

    def _name(self, at: int, end: int) -> "tuple[Texts, int]":
        name = self.found[at][1]
        if self.at(at - 1) == ("mark", "."):  # `...files`
            name = name.lstrip(".")
        if name in _BEFORE and at + 1 < end:
            return self.operand(at + 1, end)
        if name in _NOTHING:
            return ELSEWHERE, at + 1
        called = self.at(at + 1) == ("mark", "(")
        known = None if called else self.known(name)
        if known is not None:
            return known, at + 1
        if name.isdigit():
            return (name,), at + 1
        return codecalls.name(self, name, at, end)


def marked(value: "Texts") -> bool:
    return any([ANY in text for text in value])


def _closed(text: str, at: int) -> int:
    """The brace that closes the one at a place; -1 when there is none."""
    depth = 0
    for here in range(at, len(text)):
        depth += (text[here] == "{") - (text[here] == "}")
        if depth == 0:
            return here
    return -1


def _variable(text: str, at: int) -> int:
    """Where a variable in a literal ends, with the index behind it: $f, $ARGV[0], $ENV{X}, $o->{x}."""
    end = at + 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    arrow = 2 if text.startswith("->", end) and text[end + 2 : end + 3] in ("[", "{") else 0
    close = {"[": "]", "{": "}"}.get(text[end + arrow : end + arrow + 1])
    stop = text.find(close, end) if close and end > at + 1 else -1
    inside = text[end + arrow + 1 : stop].strip("'\"$-")
    return stop + 1 if stop > 0 and inside.replace("_", "a").isalnum() else end
