"""The text of a command with the parts masked that a parser stumbles over.

Both parsers get here-documents masked out (tree-sitter-bash loses commands after `<<'E' 2>&1 |`, bashlex refuses
`<<'E'`); their bodies are kept beside. Where a parser stumbles over a quoted part or an expansion, it gets a text in
which each of these is one plain word of the same length: what it must see is words, operators and keywords, and the
words are expanded from the real text anyway.
"""

from guards.shell.lex import ODD, Lexer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.documents import Doc

# what a mask covers: here-documents alone; also what bashlex does not know; also everything quoted or expanded
DOCS, FOREIGN, FULL = 0, 1, 2


def blank(s: str, start: int, end: int) -> str:
    """Spaces and newlines of the same length, so that offsets and lines stay."""
    return "".join(["\n" if c == "\n" else " " for c in s[start:end]])


UNKNOWN = frozenset({"comment", "((", "[[", "for(("})


def mask(s: str, level: int) -> "tuple[str, dict[int, Doc], dict[int, tuple[str, int]]]":
    """The text for a parser, of the same length: here-documents as `<zz`, their bodies blank; `<>` as `>`; what else
    the level covers as plain letters, comments blank. Also the documents by their place, and what stands behind a
    mask that is no ordinary word ("((", "[[", "for((", "<>"), by its place."""
    lexer = Lexer(s)
    lexer.region(0, top=True)
    spans = []
    for doc in lexer.docs:
        at, end, body, _, after = doc[:5]
        spans.append((at, end, "<" + "z" * (end - at - 1)))
        spans.append((body, after, blank(s, body, after)))
    spans.extend((at, at + 2, "> ") for at in lexer.both)
    marks = [mark for mark in lexer.marks if level == FULL or (level == FOREIGN and mark[0] in UNKNOWN)]
    spans.extend((start, end, covered(s, kind, start, end)) for kind, start, end in marks)
    out, last = [], 0
    for start, end, cover in sorted(spans):
        if start >= last:  # what lies inside a masked part is masked with it
            out.append(s[last:start])
            out.append(cover)
            last = end
    out.append(s[last:])
    kinds = {start: (kind, end) for kind, start, end in marks if kind in ("((", "[[", "for((")}
    kinds.update({at: ("<>", at + 2) for at in lexer.both})
    return "".join(out), {doc[0]: doc for doc in lexer.docs}, kinds


def covered(s: str, kind: str, start: int, end: int) -> str:
    if kind == "comment":
        return " " * (end - start)
    if kind == "for((":  # a list of words must be ended where `for ((…))` need not be
        ended = s[end : end + 100].lstrip(" \t")[:1] in (";", "\n")
        return "for z in " + "z" * (end - start - 9) if ended else "for z in" + " " * (end - start - 9) + ";"
    if s[start:end] == "\\\n":  # joins two lines: inside a word it is part of it, else it is a blank
        inside = start and s[start - 1] not in " \t\n;&|()<>" and s[end : end + 1] not in ("", " ", "\t", "\n")
        return "zz" if inside else "  "
    if kind == "odd":
        return "".join(["z" if c in ODD else c for c in s[start:end]])
    return "z" * (end - start)
