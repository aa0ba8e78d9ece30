"""How a row of words and operators becomes syntax.

A parser is believed for where words, operators, redirections and compound commands stand. How they belong together is
worked out here from their order alone, since tree-sitter-bash gets that wrong in places: it hangs a redirection that
ends a list on the whole list, nests `|` outside `&&`, and takes a new line for arguments of the line before. Whatever
stands between two items must be blanks: text that the parser lost raises Lost, and the next reader is asked.
"""

from guards.shell.fields import NAME
from guards.shell.syntax import AndOr, Lost, Pipe, Raw, Redir, Seq, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# first words that a parser must have recognised: as a plain command they show that it did not
RESERVED = frozenset(
    "{ } then fi do done esac if while until for case function select elif else [[ (( ! coproc".split()  # noqa: SIM905
)


def newline(src: str, start: int, end: int) -> bool:
    """Whether the text between two items holds a newline; it may hold nothing but blanks."""
    seen = False
    i = start
    while i < end:
        c = src[i]
        if c == "\\" and src.startswith("\\\n", i):
            i += 2
            continue
        if c == "\n":
            seen = True
        elif c not in " \t":
            raise Lost("text between two words was lost")
        i += 1
    return seen


def names(src: str, start: int) -> bool:
    """Whether an assignment begins with a name: `1=` and `é=` are commands."""
    end = start
    while end < len(src) and src[end] in NAME:
        end += 1
    return end > start and not src[start].isdigit() and src[end : end + 1] in ("=", "+", "[")


def goes_on(src: str, start: int, end: int) -> bool:
    """Whether nothing but backslashes before newlines stands between: the word goes on in the next line."""
    if src[start] != "\\":
        return False
    return src[start:end] == "\\\n" * ((end - start) // 2)


class Grouper:
    """A row of items (start, end, kind, payload) -> a Seq. Kinds: w a word, a an assignment, r a redirection,
    o an operator, c a compound command, # a comment."""

    __slots__ = ("andor", "bang", "op", "pipe", "seq", "src", "unit")

    def __init__(self, src: str) -> None:
        self.src = src
        self.seq = Seq()
        self.andor: list[tuple[str, Any]] = []
        self.op = ""
        self.pipe: list[Any] = []
        self.bang = False
        self.unit: Any = None

    def run(self, items: "list[tuple[int, int, str, Any]]", start: int, end: int) -> Seq:
        src, last, before = self.src, start, "o"
        for at, stop, kind, payload in items:
            glued = at == last
            if not glued:
                if before in "war" and kind in "wa" and self.unit is not None and goes_on(src, last, at):
                    self.glue(stop)
                    last = stop
                    continue
                if src[last:at] != " " and newline(src, last, at):
                    self.line_end()
                    before = "o"
            elif before in "war" and kind in "wa" and self.unit is not None and at > start:
                self.glue(stop)
                last = stop
                continue
            if kind == "w":
                unit = self.unit
                if type(unit) is not Simple:
                    unit = self.simple(at, stop)
                unit.words.append(Raw(src, at, stop))
                unit.end = stop
            else:
                self.take(at, stop, kind, payload, glued and before == "w")
            last, before = stop, kind
        newline(src, last, end)
        self.close_list(background=False)
        return self.seq

    def take(self, start: int, end: int, kind: str, payload: "Any", glued: bool) -> None:
        if kind == "o":
            self.operator(payload)
        elif kind == "r":
            self.redirect(payload, start, end, glued)
        elif kind == "c":
            if self.unit is not None:
                raise Lost("a compound command stands among words")
            self.unit = payload
        elif kind == "a":
            unit = self.simple(start, end)
            as_word = unit.words or not names(self.src, start)
            (unit.words if as_word else unit.assigns).append(Raw(self.src, start, end))
            unit.end = end

    def simple(self, start: int, end: int) -> Simple:
        if self.unit is None:
            self.unit = Simple(self.src, start, end)
        elif not isinstance(self.unit, Simple):
            raise Lost("words stand behind a compound command")
        return self.unit

    def glue(self, end: int) -> None:
        """The parser split one word in two: nothing stands between the item before and this one."""
        unit = self.unit
        if not isinstance(unit, Simple):
            raise Lost("words stand behind a compound command")
        targets = [r.word for r in unit.redirs if r.word is not None]
        last = max([*unit.words, *unit.assigns, *targets], key=lambda raw: raw.end)
        last.end = end
        unit.end = max(unit.end, end)

    def redirect(self, redir: Redir, start: int, end: int, glued: bool) -> None:
        unit = self.unit
        if unit is None:
            unit = self.simple(start, end)
        if glued and isinstance(unit, Simple) and unit.words and redir.fd is None:
            before = unit.words[-1].text
            if before.isdigit() and before.isascii() and len(before) < 6:
                redir.fd = int(unit.words.pop().text)
            elif before[:1] == "{" and before[-1:] == "}" and before[1:-1].isidentifier():
                unit.words.pop()
        unit.redirs.append(redir)
        unit.end = end

    def operator(self, op: str) -> None:
        if op == "!":
            if self.unit is not None:
                raise Lost("! stands among words")
            self.bang = not self.bang
        elif op in ("|", "|&"):
            self.close_unit()
            if op == "|&":
                self.pipe[-1].redirs.append(Redir(">&", 2, None))
        elif op in ("&&", "||"):
            self.close_pipe()
            self.op = op
        elif op in (";", "&"):
            self.close_list(background=op == "&")
        else:
            raise Lost("an operator stands where none can")

    def line_end(self) -> None:
        """A newline ends a command; behind an operator it is a blank."""
        if self.unit is not None:
            self.close_list(background=False)

    def close_unit(self) -> None:
        unit = self.unit
        if unit is None:
            raise Lost("an operator stands where a command is due")
        if isinstance(unit, Simple) and unit.words:
            self.keywords(unit)
        self.pipe.append(unit)
        self.unit = None

    def keywords(self, unit: Simple) -> None:
        """`time` is taken off; any other reserved word in a command's place was not recognised."""
        if unit.assigns:
            return
        first = unit.words[0]
        text = self.src[first.start : first.end]
        if text == "time":
            unit.words.pop(0)
            while unit.words and unit.words[0].text in ("-p", "--"):
                unit.words.pop(0)
            if unit.words:
                self.keywords(unit)
        elif text in RESERVED:
            raise Lost("a reserved word stands as a command")

    def close_pipe(self) -> None:
        if self.unit is None and self.bang and not self.pipe:  # `!` alone is a command
            self.unit = Simple(self.src, 0, 0)
        self.close_unit()
        node = self.pipe[0] if len(self.pipe) == 1 and not self.bang else Pipe(self.pipe, self.bang)
        self.andor.append((self.op, node))
        self.pipe = []
        self.bang = False
        self.op = ""

    def close_list(self, background: bool) -> None:
        unit = self.unit
        if not self.pipe and not self.op and not self.bang:
            if unit is None:
                if background:
                    raise Lost("& stands where a command is due")
                return
            if not self.andor:  # a command alone, the usual case
                if type(unit) is Simple and unit.words:
                    self.keywords(unit)
                self.seq.items.append((unit, background))
                self.unit = None
                return
        self.close_pipe()
        node = self.andor[0][1] if len(self.andor) == 1 else AndOr(self.andor)
        self.seq.items.append((node, background))
        self.andor = []
