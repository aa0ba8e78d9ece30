"""The syntax of a command as both readers give it, and the faults that end a reading."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Lost(Exception):
    """The parser's tree does not account for the whole text."""


class Unclosed(Exception):
    """Something is opened and not closed; its text says what."""


class Late(Exception):
    """The reading used up its CPU time."""


class Deep(Exception):
    """Code stands in code in code, deeper than anybody writes."""


class Raw:
    """A word as it stands in its source."""

    __slots__ = ("end", "src", "start")

    def __init__(self, src: str, start: int, end: int) -> None:
        self.src = src
        self.start = start
        self.end = end

    @property
    def text(self) -> str:
        return self.src[self.start : self.end]


class Redir:
    """A redirection. `doc` is (body, quoted) of a here-document, `word` the target of any other one."""

    __slots__ = ("doc", "fd", "op", "word")

    def __init__(self, op: str, fd: "int | None", word: "Raw | None", doc: "tuple[str, bool] | None" = None) -> None:
        self.op = op
        self.fd = fd
        self.word = word
        self.doc = doc


class Simple:
    """Assignments, words and redirections. Assignments are whole words (`X=…`, `X+=(…)`)."""

    __slots__ = ("assigns", "end", "redirs", "src", "start", "words")

    def __init__(self, src: str, start: int, end: int) -> None:
        self.src = src
        self.start = start
        self.end = end
        self.words: list[Raw] = []
        self.assigns: list[Raw] = []
        self.redirs: list[Redir] = []


class Compound:
    """subshell, group: a body · if: a [(condition, body)…], b else · while, until: a condition, b body ·
    for, select: a name, b words or None, c body · cfor: a arithmetic text, c body ·
    case: a word, b [(patterns, body, ending)…] · function: a name, b body · test, arith: a the inner text"""

    __slots__ = ("a", "b", "c", "end", "kind", "redirs", "src", "start")

    def __init__(self, kind: str, src: str, start: int, end: int) -> None:
        self.kind = kind
        self.src = src
        self.start = start
        self.end = end
        self.redirs: list[Redir] = []
        self.a: Any = None
        self.b: Any = None
        self.c: Any = None


class Pipe:
    __slots__ = ("bang", "parts")

    def __init__(self, parts: "list[Any]", bang: bool) -> None:
        self.parts = parts
        self.bang = bang


class AndOr:
    """`parts` are (operator before it, "&&" or "||" or "" for the first; what runs)."""

    __slots__ = ("parts",)

    def __init__(self, parts: "list[tuple[str, Any]]") -> None:
        self.parts = parts


class Seq:
    """`items` are (what runs, in the background)."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[tuple[Any, bool]] = []


def constant(node: "Any", state: "Any") -> bool:
    """Whether a status that is known is one by the text alone: `true`, `:` or `false`, unquoted, where no alias could
    make another word of it; a sum or a comparison of static words; a subshell that ends by number."""
    if type(node) is Compound:
        if node.kind == "subshell" and len(node.a.items) == 1:
            inner = node.a.items[0][0]
            return type(inner) is Simple and len(inner.words) == 2 and inner.words[0].text == "exit"
        return node.kind in ("arith", "test", "[")
    if type(node) is Simple and len(node.words) > 1 and node.words[0].text in ("test", "["):
        return not (state.aliases or node.words[0].text in state.funcs)
    if type(node) is not Simple or len(node.words) != 1 or node.redirs or node.assigns or state.aliases:
        return False
    text = node.src[node.words[0].start : node.words[0].end]
    return text in ("true", ":", "false") and text not in state.funcs
