"""Which tokens belong together: a call's arguments, a pair of brackets, an expression to its end.

Looking ahead is counted; a text that makes it go far too often is not followed to its end.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.tokens import Token

    Span = tuple[int, int]

MOST = 4000  # tokens of one call's arguments
WORK = 1_500_000  # tokens that are gone over for one program
OPEN, CLOSE = "([{", ")]}"
# words that end an expression without brackets, or cut it into what it may be
ENDS = frozenset({"if", "unless", "do", "for", "foreach", "while", "until", "then", "local", "and", "rescue", "as"})
_GOES_ON = frozenset("+.|?&=([{,:<-*/%")


class Spans:
    def __init__(self, found: "list[Token]", table: "dict[str, Any]") -> None:
        self.found = found
        self.table = table
        self.work = WORK

    def at(self, place: int) -> "Token":
        return self.found[place] if 0 <= place < len(self.found) else ("", "")

    def groups(self, at: int) -> "list[Span] | None":
        """The arguments behind a name as (start, end); None when it is no call."""
        if (self.at(at), self.at(at + 1), self.at(at + 2)) == (("mark", "?"), ("mark", "."), ("mark", "(")):
            at += 2  # fs.writeFileSync?.("x")
        kind, value = self.at(at)
        if (kind, value) == ("mark", "("):
            return self.split(at + 1, ")")
        bare = self.table.get("bare") and (kind in ("text", "raw", "run") or (kind == "name" and value not in ENDS))
        bare = bare or (self.table.get("bare") and (kind, value) == ("mark", ":") and self.at(at + 1)[0] == "name")
        return self.split(at, "") if bare else None

    def split(self, start: int, close: str) -> "list[Span]":
        groups: list[Span] = []
        begin, depth = start, 0
        gaps = self.table.get("spaced") and not close
        end = self.reach(start)
        for here in range(start, end):
            kind, value = self.found[here]
            if kind == "mark" and value in OPEN:
                depth += 1
            elif kind == "mark" and value in CLOSE:
                depth -= 1
                if depth < 0:
                    self.work -= here - start
                    return _with(groups, begin, here)
            elif depth == 0 and not close and self._stops(here, start):
                return _with(groups, begin, here)
            elif depth == 0 and (kind, value) == ("mark", ","):
                groups = _with(groups, begin, here)
                begin = here + 1
            if gaps and depth == 0 and kind in ("text", "raw", "name"):
                groups = _with(groups, begin, here + 1)
                begin = here + 1
        self.work -= end - start
        return _with(groups, begin, end)

    def _stops(self, at: int, start: int) -> bool:
        """Whether arguments without brackets end here."""
        kind, value = self.found[at]
        if kind == "end":
            return self.at(at - 1) != ("mark", ",") or at == start
        return (kind, value) == ("mark", ";") or (kind == "name" and value in (*ENDS, "or"))

    def stop(self, start: int) -> int:
        """Where the expression ends that starts here: before the comma, the semicolon, the bracket, the line's end."""
        depth = 0
        end = self.reach(start)
        for here in range(start, end):
            self.work -= 1
            kind, value = self.found[here]
            if kind == "mark" and value in OPEN:
                depth += 1
            elif kind == "mark" and value in CLOSE:
                depth -= 1
                if depth < 0:
                    return here
            elif (depth == 0 and kind == "mark" and value in ",;") or (
                depth == 0 and kind == "end" and here > start and not self._goes_on(here)
            ):
                return here
        return end

    def reach(self, start: int) -> int:
        """How far a look ahead may go; a text that makes it go far too often is not followed to its end."""
        return min(len(self.found), start + (MOST if self.work > 0 else 8))

    def _goes_on(self, at: int) -> bool:
        """Whether a line's end is within an expression."""
        before, after = self.at(at - 1), self.at(at + 1)
        while after[0] == "end":
            at += 1
            after = self.at(at + 1)
        return (before[0] == "mark" and before[1] in _GOES_ON) or (
            (after[0] == "mark" and after[1] in "+.|?:") or (after[0] == "name" and after[1][:1] == ".")
        )

    def close(self, at: int) -> int:
        """The bracket that closes the one at a place."""
        depth = 0
        for here in range(at, min(len(self.found), at + 10 * MOST) if self.work > 0 else self.reach(at)):
            self.work -= 1
            if self.found[here][0] == "mark":
                depth += (self.found[here][1] in OPEN) - (self.found[here][1] in CLOSE)
            if depth == 0:
                return here
        return len(self.found)


def _with(groups: "list[Span]", begin: int, end: int) -> "list[Span]":
    return [*groups, (begin, end)] if end > begin else groups
