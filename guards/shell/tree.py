"""tree-sitter's tree -> syntax. The tree is taken for where things stand, not for how they belong together.

Lists, pipelines, redirected statements and commands are laid out flat, in the order of the text, and grouped anew
(syntax.py says why). Anything the tree marks as an error, or that is not known here, raises Lost.
"""

from guards.shell.syntax import Compound, Grouper, Lost, Raw, Redir, newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.syntax import Seq

DEPTH = 80  # compound commands in each other; people write five
FLAT = frozenset(
    {"list", "pipeline", "redirected_statement", "negated_command", "command", "variable_assignments",
     "declaration_command", "unset_command"}
)  # fmt: skip
OPERATORS = frozenset({"&&", "||", "|", "|&", ";", "&", "!", ";;", "\n"})
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
                if kind != "\n":
                    items.append((start, end, "o", kind))
            elif kind == "variable_assignment":
                items.append((start, end, "a", None))
            elif kind == "comment":
                items.append((start, end, "#", None))
            elif kind in BUILD:
                items.append((start, end, "c", BUILD[kind](self, node, depth + 1)))
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

    # ---- compound commands
    def between(self, children: "list[Any]", first: int, last: int, depth: int) -> "Seq":
        """The commands between two children that are its brackets or keywords."""
        return self.body(children[first + 1 : last], children[first].end_byte, children[last].start_byte, depth)

    def compound(self, kind: str, node: "Any") -> Compound:
        return Compound(kind, self.src, node.start_byte, node.end_byte)

    def group(self, node: "Any", depth: int) -> Compound:
        children = node.children
        opening = children[0].type
        if opening == "((":
            made = self.compound("arith", node)
            made.a = self.src[children[0].end_byte : children[-1].start_byte]
            return made
        made = self.compound("subshell" if opening == "(" else "group", node)
        made.a = self.between(children, 0, len(children) - 1, depth)
        return made

    def test(self, node: "Any", _: int) -> Compound:
        """`[` is an ordinary command, in which < and > redirect; `[[` is not."""
        children = node.children
        made = self.compound("[" if children[0].type == "[" else "test", node)
        made.a = self.src[children[0].end_byte : children[-1].start_byte]
        return made

    def if_(self, node: "Any", depth: int) -> Compound:
        made = self.compound("if", node)
        made.a = []
        children = node.children
        self.clause(made, children, depth)
        for child in children:
            if child.type == "elif_clause":
                self.clause(made, child.children, depth)
            elif child.type == "else_clause":
                inner = child.children
                made.b = self.body(inner[1:], inner[0].end_byte, child.end_byte, depth)
        return made

    def clause(self, made: Compound, children: "list[Any]", depth: int) -> None:
        kinds = [child.type for child in children]
        then = kinds.index("then")
        stop = len(children)
        for ending in ("elif_clause", "else_clause", "fi"):
            if ending in kinds:
                stop = min(stop, kinds.index(ending))
        end = children[stop].start_byte if stop < len(children) else children[-1].end_byte
        body = self.body(children[then + 1 : stop], children[then].end_byte, end, depth)
        made.a.append((self.between(children, 0, then, depth), body))

    def while_(self, node: "Any", depth: int) -> Compound:
        children = node.children
        made = self.compound(children[0].type, node)
        made.a = self.between(children, 0, len(children) - 1, depth)
        made.b = self.do(children[-1], depth)
        return made

    def do(self, node: "Any", depth: int) -> "Seq":
        children = node.children
        if node.type not in ("do_group", "compound_statement"):
            raise Lost("a loop has no body")
        return self.between(children, 0, len(children) - 1, depth)

    def for_(self, node: "Any", depth: int) -> Compound:
        children = node.children
        made = self.compound("for", node)
        if node.start_byte in self.kinds:
            return self.counting(made, self.do(children[-1], depth))
        made.a = self.src[children[1].start_byte : children[1].end_byte]
        made.c = self.do(children[-1], depth)
        if children[2].type == "in":
            made.b = self.words(children[3:], children[2].end_byte)
        return made

    def counting(self, made: Compound, body: "Seq") -> Compound:
        """`for ((…))` behind a mask."""
        start, end = made.start, self.kinds[made.start][1]
        made.kind = "cfor"
        made.a = self.src[self.src.index("((", start) + 2 : end - 2]
        made.c = body
        return made

    def words(self, nodes: "list[Any]", start: int) -> "list[Raw]":
        """The words of a loop's list, which a semicolon or a newline ends."""
        raws: list[Raw] = []
        for node in nodes:
            if node.type in (";", "\n") or node is nodes[-1]:
                newline(self.masked, start, node.start_byte)
                break
            if node.type == "comment":
                start = node.end_byte
                continue
            if raws and raws[-1].end == node.start_byte:
                raws[-1].end = node.end_byte
            else:
                if newline(self.masked, start, node.start_byte):
                    raise Lost("a loop's list spans lines")
                raws.append(Raw(self.src, node.start_byte, node.end_byte))
            start = node.end_byte
        return raws

    def cfor(self, node: "Any", depth: int) -> Compound:
        children = node.children
        made = self.compound("cfor", node)
        kinds = [child.type for child in children]
        made.a = self.src[children[kinds.index("((")].end_byte : children[kinds.index("))")].start_byte]
        made.c = self.do(children[-1], depth)
        return made

    def case(self, node: "Any", depth: int) -> Compound:
        made = self.compound("case", node)
        children = node.children
        kinds = [child.type for child in children]
        stop = kinds.index("in")
        made.a = Raw(self.src, children[1].start_byte, children[stop - 1].end_byte)
        made.b = [self.item(child, depth) for child in children[stop + 1 :] if child.type == "case_item"]
        return made

    def item(self, node: "Any", depth: int) -> "tuple[list[Raw], Seq, str]":
        children = node.children
        kinds = [child.type for child in children]
        close = kinds.index(")")
        patterns: list[Raw] = []
        fresh = True
        for child in children[:close]:
            if child.type in ("(", "|"):
                fresh = True
            elif fresh:
                patterns.append(Raw(self.src, child.start_byte, child.end_byte))
                fresh = False
            else:
                patterns[-1].end = child.end_byte
        ended = kinds[-1] in (";;", ";&", ";;&")
        stop = len(children) - ended
        end = children[stop].start_byte if ended else node.end_byte
        body = self.body(children[close + 1 : stop], children[close].end_byte, end, depth)
        return patterns, body, kinds[-1] if ended else ";;"

    def function(self, node: "Any", depth: int) -> Compound:
        made = self.compound("function", node)
        children = node.children
        named = [child for child in children if child.type == "word"]
        bodies = [child for child in children if child.type in BUILD]
        if len(bodies) != 1 or not named:
            raise Lost("a function has no body")
        made.a = self.src[named[0].start_byte : named[0].end_byte]
        made.b = BUILD[bodies[0].type](self, bodies[0], depth)
        for child in children:
            if child.type in ("file_redirect", "herestring_redirect"):
                for _, _, kind, redir in self.redirect(child, child.start_byte):
                    if kind != "r":
                        raise Lost("words stand behind a function")
                    if redir.word is not None:
                        redir.word.src = self.src
                    made.b.redirs.append(redir)
        return made


BUILD: "dict[str, Any]" = {
    "subshell": Walker.group,
    "compound_statement": Walker.group,
    "test_command": Walker.test,
    "if_statement": Walker.if_,
    "while_statement": Walker.while_,
    "for_statement": Walker.for_,
    "c_style_for_statement": Walker.cfor,
    "case_statement": Walker.case,
    "function_definition": Walker.function,
}


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
