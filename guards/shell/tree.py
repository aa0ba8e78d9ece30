"""tree-sitter's tree -> syntax. The tree is taken for where things stand, not for how they belong together.

Lists, pipelines, redirected statements and commands are laid out flat, in the order of the text, and grouped anew
(syntax.py says why). Anything the tree marks as an error, or that is not known here, raises Lost.
"""

from guards.shell.grouping import Grouper, newline
from guards.shell.syntax import Compound, Lost, Raw, Redir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.syntax import Seq

DEPTH = 80  # compound commands in each other; people write five
FLAT = frozenset(
    {"list", "pipeline", "redirected_statement", "negated_command", "command", "variable_assignments",
     "declaration_command", "unset_command"}
)  # fmt: skip
COMPOUND = frozenset(
    {"subshell", "compound_statement", "test_command", "if_statement", "while_statement", "for_statement",
     "c_style_for_statement", "case_statement", "function_definition"}
)  # fmt: skip
OPERATORS = frozenset({"&&", "||", "|", "|&", ";", "&", "!", ";;", "\n"})
BEHIND = frozenset({"", " ", "\t", "\n", "(", ";", "&", "|", ")"})  # what may follow a negation
REDIRECTS = frozenset({">", ">>", ">|", "&>", "&>>", "<", "<>", ">&", "<&", "<&-", ">&-", "<<<"})


class Walker:
    """`src` is the real text, one character a byte; `docs` and `kinds` what the mask covers (lex.mask)."""

    def __init__(self, src: str, docs: "dict[int, Any]", kinds: "dict[int, tuple[str, int]]", masked: str) -> None:
        self.src = src
        self.docs = docs
        self.kinds = kinds
        self.masked = masked

    def program(self, root: "Any") -> "Seq":
        if root.has_error:
            raise Lost("the text could not be parsed")
        return self.body(root.children, 0, len(self.src), 0)

    def body(self, children: "list[Any]", start: int, end: int, depth: int) -> "Seq":
        """The gaps are looked at in the masked text, where the bodies of here-documents are blank."""
        seq = Grouper(self.masked).run(self.flat(children, depth), start, end)
        if self.masked is not self.src:
            self.unmask(seq)
        return seq

    def unmask(self, seq: "Seq") -> None:
        """Words and sources point into the real text."""
        todo: list[Any] = [item for item, _ in seq.items]
        while todo:
            node = todo.pop()
            name = type(node).__name__
            if name == "AndOr":
                todo.extend(part for _, part in node.parts)
            elif name == "Pipe":
                todo.extend(node.parts)
            else:
                node.src = self.src
                if name == "Simple":
                    for raw in (*node.words, *node.assigns):
                        raw.src = self.src
                for redir in node.redirs:
                    if redir.word is not None:
                        redir.word.src = self.src

    def flat(self, children: "list[Any]", depth: int) -> "list[tuple[int, int, str, Any]]":
        if depth > DEPTH:
            raise Lost("nested too deeply")
        items: list[tuple[int, int, str, Any]] = []
        todo = children[::-1]
        kinds = self.kinds
        while todo:
            node = todo.pop()
            kind = node.type
            if kind in FLAT:
                todo.extend(node.children[::-1])
                continue
            start, end = node.start_byte, node.end_byte
            if kind == "file_redirect" or kind == "herestring_redirect":
                items.extend(self.redirect(node, start))
            elif kind in OPERATORS and not node.is_named:
                if kind == "!" and self.masked[end : end + 1] not in BEHIND:
                    items.append((start, end, "w", None))  # the beginning of a word
                elif kind != "\n":
                    items.append((start, end, "o", kind))
            elif kind == "variable_assignment":
                items.append((start, end, "a", None))
            elif kind == "comment":
                items.append((start, end, "#", None))
            elif kind in COMPOUND:
                from guards.shell import blocks

                items.append((start, end, "c", blocks.BUILD[kind](self, node, depth + 1)))
            elif kind == "heredoc_redirect" or kind == "ERROR" or start == end:
                raise Lost("a here-document was not expected" if kind[0] == "h" else "the tree has an error")
            elif start in kinds:
                items.append((start, end, "c", self.covered(start, end)))
            else:
                items.append((start, end, "w", None))
        return items

    def covered(self, start: int, end: int) -> Compound:
        """`((…))` or `[[…]]` behind a mask."""
        kind, close = self.kinds[start]
        if close != end:
            raise Lost("a masked word was split")
        node = Compound("arith" if kind == "((" else "test", self.src, start, end)
        node.a = self.src[start + 2 : end - 2]
        return node

    def redirect(self, node: "Any", start: int) -> "list[tuple[int, int, str, Any]]":
        """The redirection, and the words behind its target that the tree counts as further targets."""
        fd: int | None = None
        op = ""
        at = last = start
        words: list[tuple[int, int]] = []
        for child in node.children:
            kind = child.type
            if kind == "file_descriptor":
                fd = int(self.masked[child.start_byte : child.end_byte])
            elif not op and kind in REDIRECTS:
                op, at, last = kind, child.start_byte, child.end_byte
            elif kind == "variable_name" and not op:
                continue
            elif kind == "ERROR" or not op:
                raise Lost("a redirection could not be parsed")
            else:
                words.append((child.start_byte, child.end_byte))
        if op.endswith("&-"):
            return [(start, node.end_byte, "r", Redir(op[:-1], fd, None))]
        if not words:
            raise Lost("a redirection has no target")
        newline(self.masked, last, words[0][0])
        doc = self.docs.get(at)
        if at in self.kinds:
            op = "<>"
        if doc is not None:
            redir = Redir("<<", fd, None, document(self.src, doc))
        else:
            redir = Redir(op, fd, Raw(self.masked, *words[0]))
        rest = [(begin, end, "w", None) for begin, end in words[1:]]
        return [(start, words[0][1], "r", redir), *rest]


def document(src: str, doc: "Any") -> "tuple[str, bool]":
    """A here-document's body without its closing line, tabs taken off for `<<-`; and whether it is literal."""
    _, _, body, close, _, quoted, strip = doc
    text = src[body:close]
    if strip:
        rows = []
        joined = False  # a line that goes on is stripped at its start alone
        for line in text.split("\n"):
            rows.append(line if joined else line.lstrip("\t"))
            joined = not quoted and (len(line) - len(line.rstrip("\\"))) % 2 == 1
        text = "\n".join(rows)
    return text, quoted
