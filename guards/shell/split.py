"""Words and redirections of a simple command or a list, cut without a parser: for `[ a > b ]`, where the grammar sees
a comparison and the shell a redirection, and for the words of an array."""

from guards.shell.lex import Lexer
from guards.shell.syntax import Lost, Raw, Redir, Simple

BLANKS = " \t\n"
REDIRECTS = ("&>>", "<<<", ">>", ">|", "&>", "<>", ">&", "<&", ">", "<")


def word_end(lexer: Lexer, i: int, end: int) -> int:
    """Behind the word that starts at `i`."""
    s = lexer.s
    while i < end and s[i] not in BLANKS and s[i] not in ";&|<>()":
        i = lexer._step(i, 0, quoted=False) or i + 1
    return i


def words(s: str) -> "list[str]":
    """The words of an array's text; comments and anything that is no word raise Lost."""
    lexer = Lexer(s)
    found: list[str] = []
    i, n = 0, len(s)
    while i < n:
        if s[i] in BLANKS:
            i += 1
            continue
        if s.startswith("\\\n", i):
            i += 2
            continue
        if s[i] == "#":
            end = s.find("\n", i)
            i = n if end < 0 else end
            continue
        end = word_end(lexer, i, n)
        if s.startswith(("<(", ">("), end):
            end = lexer.region(end + 2)
        if end == i:
            raise Lost("a list holds an operator")
        found.append(s[i:end])
        i = end
    return found


def simple(s: str, start: int, end: int) -> Simple:
    """A simple command between two places of the text."""
    node = Simple(s, start, end)
    lexer = Lexer(s)
    i = start
    while i < end:
        if s[i] in BLANKS:
            i += 1
            continue
        op = next((o for o in REDIRECTS if s.startswith(o, i)), "")
        if op and not s.startswith(("<(", ">("), i):
            i += len(op)
            while i < end and s[i] in BLANKS:
                i += 1
            stop = word_end(lexer, i, end)
            if stop == i:
                raise Lost("a redirection has no target")
            node.redirs.append(Redir(op, None, Raw(s, i, stop)))
        else:
            stop = lexer.region(i + 2) if op else word_end(lexer, i, end)
            if stop == i:
                raise Lost("a command holds an operator")
            if s[stop : stop + 1] in ("<", ">") and s[i:stop].isdigit():  # a descriptor
                i = stop
                continue
            node.words.append(Raw(s, i, stop))
        i = stop
    return node
