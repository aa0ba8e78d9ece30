"""bashlex: the second reader, and the one that is asked where tree-sitter-bash cannot.

It builds its parser's tables at import, which costs more than ten starts of the interpreter. So the tables are kept
in the state folder and put into place by a stand-in for its `yacc`; `inspect`, which only the building needs, is left
out. Without a state folder, or when the kept tables do not fit, it is imported as it is. Its tree is laid out flat and
grouped by the same rules as tree-sitter's; a text that it does not cover to its end raises Lost.
"""

import time

from guards.engine import packages
from guards.shell import blocks
from guards.shell.mask import FOREIGN, FULL, mask
from guards.shell.syntax import Compound, Late, Lost, Raw, Redir, Unclosed
from guards.shell.tree import DEPTH, Walker, document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World
    from guards.shell.syntax import Seq

LONGEST = 20_000  # characters: its tokenizer is slow, and it cannot be stopped
MEMORY = 1 << 30  # bytes of the process while it parses: a loop in it must not fill the machine
_bashlex: "Any" = None


def parse(source: str, world: "World", until: float) -> "Seq":
    """First as it stands, but for what it does not know; then with quoted parts and expansions masked."""
    if len(source) > LONGEST:
        raise Lost("it is too long for the second reader")
    module = _bashlex if _bashlex is not None else load(world.places.get("state", ""))
    fault: Exception | None = None
    for level in (FOREIGN, FULL):
        try:
            masked, docs, kinds = mask(source, level)
            return Flat(source, docs, kinds, masked, module, until).whole()
        except (Lost, Unclosed) as found:
            fault = fault or found
    raise fault or Lost("bashlex could not parse it")


def load(state: str) -> "Any":
    global _bashlex
    packages.use()
    from guards.shell import bashlex_tables

    _bashlex = bashlex_tables.load(state)
    return _bashlex


class Flat(Walker):
    """bashlex's nodes -> items."""

    def __init__(
        self,
        src: str,
        docs: "dict[int, Any]",
        kinds: "dict[int, tuple[str, int]]",
        masked: str,
        module: "Any",
        until: float,
    ) -> None:
        super().__init__(src, docs, kinds, masked)
        self.module = module
        self.until = until

    def whole(self) -> "Seq":
        """One line's list at a time, as bashlex parses."""
        nodes: list[Any] = []
        at, text = 0, self.masked
        while True:
            while at < len(text) and text[at] in " \t\n":
                at += 1
            if at >= len(text):
                return self.body(nodes, 0, len(text), 0)
            if time.process_time() > self.until:
                raise Late("the text takes too long to read")
            node = self.one(text[at:])
            if at:
                self.module.ast.posshifter(at).visit(node)
            if node.pos[1] <= at:
                raise Lost("bashlex stands still")
            nodes.append(node)
            at = node.pos[1]

    def one(self, text: str) -> "Any":
        from resource import RLIMIT_DATA, getrlimit, setrlimit

        soft, hard = getrlimit(RLIMIT_DATA)
        if soft < 0 or soft > MEMORY:
            setrlimit(RLIMIT_DATA, (MEMORY, hard))
        try:
            return self.parsed(text)
        finally:
            setrlimit(RLIMIT_DATA, (soft, hard))

    def parsed(self, text: str) -> "Any":
        try:
            # -1: words as they stand. they are expanded from the real text anyway, and bashlex's own way through an
            # expansion ends in a loop that fills the memory for a quoted `${`
            node = self.module.parsesingle(text, strictmode=True, expansionlimit=-1)
        except Exception as fault:  # noqa: BLE001 - it raises six kinds for what it does not know
            raise Lost("bashlex could not parse it: " + type(fault).__name__) from None
        if not hasattr(node, "kind"):
            raise Lost("bashlex found no command")
        return node

    def flat(self, children: "list[Any]", depth: int) -> "list[tuple[int, int, str, Any]]":
        if depth > DEPTH:
            raise Lost("nested too deeply")
        items: list[tuple[int, int, str, Any]] = []
        todo = children[::-1]
        while todo:
            node = todo.pop()
            kind = node.kind
            start, end = node.pos
            if kind in ("list", "pipeline", "command"):
                todo.extend(node.parts[::-1])
            elif kind == "operator" or kind == "pipe" or kind == "reservedword":
                op = node.op if kind == "operator" else node.pipe if kind == "pipe" else node.word
                if op != "\n":
                    items.append((start, end, "o", op))
            elif kind == "redirect":
                items.append((start, end, "r", self.redirection(node)))
            elif kind == "word" and start in self.kinds:
                items.append((start, end, "c", self.covered(start, end)))
            elif kind == "word" or kind == "assignment":
                items.append((start, end, kind[0], None))
            elif kind == "compound" or kind == "function":
                items.append((start, end, "c", self.made(node, depth + 1)))
            else:
                raise Lost("bashlex gave something unknown")
        return items

    def redirection(self, node: "Any") -> Redir:
        at = node.pos[0]
        while self.masked[at] not in "<>&":
            at += 1
        fd = node.input if isinstance(node.input, int) else None
        if at in self.docs:
            return Redir("<<", fd, None, document(self.src, self.docs[at]))
        if node.type in ("<<", "<<-"):
            raise Lost("a here-document was not expected")
        if not hasattr(node.output, "pos"):  # a descriptor or "-"
            end = at + len(node.type)
            while end < node.pos[1] and self.masked[end] in " \t":
                end += 1
            return Redir(node.type, fd, Raw(self.masked, end, node.pos[1]))
        return Redir("<>" if at in self.kinds else node.type, fd, Raw(self.masked, *node.output.pos))

    # ---- compound commands
    def made(self, node: "Any", depth: int) -> Compound:
        if node.kind == "function":
            return self.named(node, depth)
        first = node.list[0]
        if first.kind == "reservedword":
            made = self.compound_at("subshell" if first.word == "(" else "group", node)
            made.a = self.span(node.list, 0, len(node.list) - 1, depth)
        elif first.kind == "if":
            made = self.conditional(first, depth)
        elif first.kind in ("while", "until"):
            made = self.compound_at(first.kind, first)
            words = self.keywords(first.parts)
            made.a = self.span(first.parts, 0, words["do"][0], depth)
            made.b = self.span(first.parts, words["do"][0], len(first.parts) - 1, depth)
        elif first.kind == "for":
            made = self.loop(first, depth)
        else:
            raise Lost("bashlex gave something unknown")
        for redirect in node.redirects:
            redir = self.redirection(redirect)
            if redir.word is not None:
                redir.word.src = self.src
            made.redirs.append(redir)
        return made

    def compound_at(self, kind: str, node: "Any") -> Compound:
        return Compound(kind, self.src, *node.pos)

    def keywords(self, parts: "list[Any]") -> "dict[str, list[int]]":
        found: dict[str, list[int]] = {}
        for index, part in enumerate(parts):
            if part.kind == "reservedword":
                found.setdefault(part.word, []).append(index)
        return found

    def span(self, parts: "list[Any]", first: int, last: int, depth: int) -> "Seq":
        return self.body(parts[first + 1 : last], parts[first].pos[1], parts[last].pos[0], depth)

    def conditional(self, node: "Any", depth: int) -> Compound:
        made = self.compound_at("if", node)
        made.a = []
        parts = node.parts
        marks = [k for k, part in enumerate(parts) if part.kind == "reservedword"]
        for place, index in enumerate(marks):
            word = parts[index].word
            if word in ("if", "elif"):
                then = marks[place + 1]
                made.a.append((self.span(parts, index, then, depth), self.span(parts, then, marks[place + 2], depth)))
            elif word == "else":
                made.b = self.span(parts, index, marks[place + 1], depth)
        return made

    def loop(self, node: "Any", depth: int) -> Compound:
        made = self.compound_at("for", node)
        parts = node.parts
        words = self.keywords(parts)
        opening = words.get("do") or words.get("{")
        if not opening:
            raise Lost("a loop has no body")
        body = self.span(parts, opening[0], len(parts) - 1, depth)
        if made.start in self.kinds:
            return blocks.counting(self, made, body)
        made.a = self.src[parts[1].pos[0] : parts[1].pos[1]]
        made.c = body
        if "in" in words:
            listed = parts[words["in"][0] + 1 : opening[0]]
            made.b = [Raw(self.src, *part.pos) for part in listed if part.kind == "word"]
        return made

    def named(self, node: "Any", depth: int) -> Compound:
        made = self.compound_at("function", node)
        named = [part for part in node.parts if part.kind == "word"]
        bodies = [part for part in node.parts if part.kind == "compound"]
        if len(bodies) != 1 or len(named) != 1:
            raise Lost("a function has no body")
        made.a = self.src[named[0].pos[0] : named[0].pos[1]]
        made.b = self.made(bodies[0], depth)
        return made
