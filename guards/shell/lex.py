"""Where the quoted and nested parts of shell text end. Text that does not close what it opens raises Unclosed."""

from guards.shell import documents
from guards.shell.syntax import Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.documents import Doc, Pending

WORK = 6_000_000  # characters looked at in one text; half a second
DEPTH = 100  # nested quotes and substitutions; people write three
SPECIAL = frozenset(" \t\n\\'\"`$#<>();&|?*+@!=")
ODD = frozenset("{}[]~%^@+?*,:!#")  # characters that trip a parser inside a word
BRACKETS = frozenset({"{", "}", "!", "[", "]", "[[", "]]"})  # words that a parser must see
# words after which a command can begin, so that `((`, `[[` and `case` are looked for behind them
OPENERS = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "time", "in", "coproc"})


def ansi_end(s: str, i: int) -> int:
    """`i` stands behind $' ; the index behind the closing quote."""
    n = len(s)
    while i < n:
        if s[i] == "\\":
            i += 2
        elif s[i] == "'":
            return i + 1
        else:
            i += 1
    raise Unclosed("a quote is not closed")


def backtick_end(s: str, i: int) -> int:
    """`i` stands behind the opening backtick."""
    n = len(s)
    while i < n:
        if s[i] == "\\":
            i += 2
        elif s[i] == "`":
            return i + 1
        else:
            i += 1
    raise Unclosed("a backtick is not closed")


def single_end(s: str, i: int) -> int:
    """`i` stands behind the opening quote."""
    end = s.find("'", i)
    if end < 0:
        raise Unclosed("a quote is not closed")
    return end + 1


class Lexer:
    """One pass over a text. `docs` are its here-documents at every depth, `marks` the masked parts of its top level
    as (kind, start, end): quote, expand, comment, "((", "[[", array."""

    def __init__(self, s: str) -> None:
        self.s = s
        self.docs: list[Doc] = []
        self.both: list[int] = []  # where `<>` stands, which tree-sitter-bash does not know
        self.seen: dict[tuple[int, bool], int] = {}  # ends that were found, by what starts where
        self.work = WORK  # characters that may still be looked at: what looks like arithmetic is looked at twice
        self.marks: list[tuple[str, int, int]] = []

    def single_end(self, i: int) -> int:
        return single_end(self.s, i)

    # ---- parts that close themselves; `i` stands behind their opening characters
    def double_end(self, i: int, depth: int) -> int:
        s, n = self.s, len(self.s)
        while i < n:
            c = s[i]
            if c == "\\":
                i += 2
            elif c == '"':
                return i + 1
            elif c == "$":
                i = self.dollar_end(i, depth + 1, quoted=True)
            elif c == "`":
                i = backtick_end(s, i + 1)
            else:
                i += 1
        raise Unclosed("a double quote is not closed")

    def dollar_end(self, i: int, depth: int, *, quoted: bool = False) -> int:
        """`i` stands on the dollar sign; behind a bare one or a plain name only the sign itself is skipped."""
        if depth > DEPTH:
            raise Unclosed("nested too deeply")
        s = self.s
        c = s[i + 1 : i + 2]
        if c == "(":
            if s.startswith("((", i + 1):
                end = self.arith_end(i + 3, depth)
                if end > 0:
                    return end
            return self.region(i + 2, depth + 1)
        if c == "{":
            return self.brace_end(i + 2, depth, quoted=quoted)
        if c == "[":
            return self.bracket_end(i + 2, depth)
        if c == "'" and not quoted:
            return ansi_end(s, i + 2)
        if c == '"' and not quoted:
            return self.double_end(i + 2, depth)
        return i + 2 if c == "$" else i + 1  # $$ is a parameter: what follows it is not expanded

    def _step(self, i: int, depth: int, *, quoted: bool) -> int:
        """Over one character or one nested part; 0 when the character is an ordinary one."""
        c = self.s[i]
        if c == "\\":
            return i + 2
        if c == "'" and not quoted:
            return single_end(self.s, i + 1)
        if c == '"':
            return self.double_end(i + 1, depth + 1)
        if c == "$":
            return self.dollar_end(i, depth + 1, quoted=quoted)
        if c == "`":
            return backtick_end(self.s, i + 1)
        if c in "<>" and not quoted and self.s.startswith("(", i + 1):
            return self.region(i + 2, depth + 1)
        return 0

    def brace_end(self, i: int, depth: int, *, quoted: bool) -> int:
        n = len(self.s)
        while i < n:
            if self.s[i] == "}":
                return i + 1
            i = self._step(i, depth, quoted=quoted) or i + 1
        raise Unclosed("${ is not closed")

    def bracket_end(self, i: int, depth: int) -> int:
        n = len(self.s)
        while i < n:
            if self.s[i] == "]":
                return i + 1
            i = self._step(i, depth, quoted=False) or i + 1
        raise Unclosed("$[ is not closed")

    def arith_end(self, i: int, depth: int) -> int:
        """Behind `))`, or -1 when what looked like arithmetic is a subshell."""
        found = self.seen.get((i, True))
        if found is None:
            found = self.seen[i, True] = self.sum_end(i, depth)
            self.spend((found if found > 0 else len(self.s)) - i)
        return found

    def spend(self, count: int) -> None:
        self.work -= count
        if self.work < 0:
            raise Unclosed("it takes too long to read")

    def sum_end(self, i: int, depth: int) -> int:
        s, n, level = self.s, len(self.s), 0
        while i < n:
            c = s[i]
            if c == "(":
                level += 1
                i += 1
            elif c == ")":
                if level == 0:
                    return i + 2 if s.startswith("))", i) else -1
                level -= 1
                i += 1
            else:
                i = self._step(i, depth, quoted=False) or i + 1
        return -1

    # ---- commands
    def region(self, i: int, depth: int = 0, *, top: bool = False) -> int:
        """Commands up to the closing parenthesis (behind it), or with `top` to the end of the text."""
        found = self.seen.get((i, False))
        if found is None:
            found = self.seen[i, False] = self.commands(i, depth, top)
            self.spend(found - i)
        return found

    def commands(self, i: int, depth: int, top: bool) -> int:
        if depth > DEPTH:
            raise Unclosed("nested too deeply")
        s, n = self.s, len(self.s)
        open_: list[str] = []
        pending: list[Pending] = []
        start = command = True
        while i < n:
            c = s[i]
            if c == "\n":
                i = documents.bodies(self, i + 1, pending) if pending else i + 1
                start = command = True
            elif c in " \t":
                i += 1
                start = True
            elif c in ";&|":
                i += 1
                start = command = True
            elif c == "#" and start:
                end = s.find("\n", i)
                end = n if end < 0 else end
                self.mark("comment", i, end, top)
                i = end
            elif c == "<" and s.startswith("<<", i) and not s.startswith("<<<", i):
                i = documents.opened(self, i, pending)
                start = False
            elif c in "<>":
                if s.startswith("(", i + 1):
                    end = self.region(i + 2, depth + 1)
                    self.mark("expand", i, end, top)
                    i, start = end, False
                else:
                    if s.startswith("<>", i):
                        self.both.append(i)
                    i += 3 if s.startswith("<<<", i) else 2 if s[i + 1 : i + 2] in (">", "&", "|") else 1
                    start = True
            elif c == "(":
                i, start = self.parenthesis(i, depth, open_, start, command, top)
                command = start
            elif c == ")":
                if not open_:
                    if top or pending:
                        raise Unclosed("a parenthesis too many" if top else "a here-document has no body")
                    return i + 1
                if open_[-1] == "(":
                    open_.pop()
                i += 1
                start = command = True
            else:
                i, command = self.piece(i, depth, open_, start, command, top)
                start = False
        if pending and top:  # the shell warns, and takes nothing for the body
            documents.bodies(self, n, pending)
        if pending or not top:
            raise Unclosed("a here-document has no body" if pending else "a parenthesis is not closed")
        return n

    def mark(self, kind: str, start: int, end: int, top: bool) -> None:
        if top:
            self.marks.append((kind, start, end))

    def parenthesis(
        self, i: int, depth: int, open_: "list[str]", start: bool, command: bool, top: bool
    ) -> "tuple[int, bool]":
        """An opening parenthesis: arithmetic, an array, an extended glob, or a subshell or function."""
        s = self.s
        if start and command and s.startswith("((", i):
            end = self.arith_end(i + 2, depth + 1)
            if end > 0:
                self.mark("((", i, end, top)
                return end, False
        negated = command and s[i - 1 : i] == "!"  # `!(…)` where a command begins: a subshell
        if not start and i and s[i - 1] in "=?*+@!" and not negated:
            end = self.region(i + 1, depth + 1)
            self.mark("array", i, end, top)
            return end, False
        open_.append("(")
        return i + 1, True

    def piece(
        self, i: int, depth: int, open_: "list[str]", start: bool, command: bool, top: bool
    ) -> "tuple[int, bool]":
        """A piece of a word; also whether a command can still begin behind it."""
        s, n = self.s, len(self.s)
        end = self._step(i, depth, quoted=False)
        if end:
            self.mark("quote" if s[i] in "\\'\"" else "expand", i, min(end, n), top)
            return end, command and s.startswith("\\\n", i)
        end = i + 1
        while end < n and s[end] not in SPECIAL:
            end += 1
        whole = start and (end >= n or s[end] in " \t\n;&|()<>")
        word = s[i:end]
        alone = word == "!" and s[end : end + 100].lstrip(" \t")[:1] in ("", "\n", ";", "&", "|", ")")
        kept = (whole and word in BRACKETS) or (word[0] == "{" and s[end : end + 1] in ("<", ">"))
        if alone or not (kept or ODD.isdisjoint(word)):
            self.mark("odd", i, end, top)
        if not (whole and command):
            return end, False
        if word == "case":
            open_.append("case")
            return end, False
        if word == "esac":
            if open_ and open_[-1] == "case":
                open_.pop()
            return end, False
        if word == "[[":
            close = self.test_end(end, depth)
            self.mark("[[", i, close, top)
            return close, False
        if word == "for":
            return self.counting(i, end, depth, top), False
        if word in ("time", "coproc"):
            end = self.prefix_end(end, word)
            self.mark("comment", i, end, top)
        return end, word in OPENERS

    def counting(self, i: int, end: int, depth: int, top: bool) -> int:
        """`for ((…))`"""
        j = end
        while self.s[j : j + 1] in (" ", "\t"):
            j += 1
        close = self.arith_end(j + 2, depth) if self.s.startswith("((", j) else -1
        if close < 0:
            return end
        self.mark("for((", i, close, top)
        return close

    def prefix_end(self, i: int, word: str) -> int:
        """Behind `time -p`, or behind `coproc` and the name it gives to a compound command."""
        s = self.s
        j = i
        while s[j : j + 1] in (" ", "\t"):
            j += 1
        end = j
        while end < len(s) and s[end] not in SPECIAL:
            end += 1
        if word == "time":
            return end if s[j:end] in ("-p", "--") else i
        rest = s[end:].lstrip(" \t")
        return end if s[j:end].isidentifier() and rest[:1] in ("{", "(") and s[j:end] not in OPENERS else i

    def test_end(self, i: int, depth: int) -> int:
        s, n = self.s, len(self.s)
        while i < n:
            if s.startswith("]]", i) and s[i - 1] in " \t\n" and (i + 2 >= n or s[i + 2] in " \t\n;&|)"):
                return i + 2
            i = self._step(i, depth, quoted=False) or i + 1
        raise Unclosed("[[ is not closed")
