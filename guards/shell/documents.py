"""Here-documents: `<<`, `<<-`, their delimiters in every form, and where their bodies end."""

from guards.shell.syntax import Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from guards.shell.lex import Lexer

    class Doc(NamedTuple):
        """Where its operator stands and ends, its body, the end of its last line, how it is read."""

        at: int
        end: int
        body: int
        close: int
        after: int
        quoted: bool
        strip: bool

    Pending = tuple[int, int, str, bool, bool]  # operator, its end, delimiter, quoted, strip


def opened(lexer: "Lexer", i: int, pending: "list[Pending]") -> int:
    """`<<`, `<<-` and the delimiter behind it, after quote removal."""
    s, n, at = lexer.s, len(lexer.s), i
    i += 2
    strip = s.startswith("-", i)
    i += strip
    while i < n and s[i] in " \t":
        i += 1
    begin, quoted, delimiter = i, False, ""
    while i < n and s[i] not in " \t\n;&|<>()":
        c = s[i]
        if c == "\\":
            delimiter += s[i + 1 : i + 2] if s[i + 1 : i + 2] != "\n" else ""
            quoted = quoted or s[i + 1 : i + 2] != "\n"
            i += 2
        elif c == "'" or s.startswith(("$'", '$"'), i):
            i += c == "$"
            end = lexer.single_end(i + 1) if s[i] == "'" else lexer.double_end(i + 1, 0)
            delimiter += s[i + 1 : end - 1]
            i, quoted = end, True
        elif c == '"':
            end = lexer.double_end(i + 1, 0)
            delimiter += s[i + 1 : end - 1]
            i, quoted = end, True
        else:
            delimiter += c
            i += 1
    if begin == i:
        raise Unclosed("a here-document names no delimiter")
    pending.append((at, min(i, n), delimiter, quoted, strip))
    return min(i, n)


def bodies(lexer: "Lexer", i: int, pending: "list[Pending]") -> int:
    """The bodies of the here-documents that were opened on the line that ends before `i`."""
    for at, end, delimiter, quoted, strip in pending:
        close, after = closing(lexer.s, i, delimiter, quoted, strip)
        lexer.docs.append((at, end, i, close, after, quoted, strip))  # type: ignore[arg-type]
        i = after
    pending.clear()
    return i


def closing(s: str, i: int, delimiter: str, quoted: bool, strip: bool) -> "tuple[int, int]":
    """Where the delimiter's line starts, and where the line after it does."""
    n, joined = len(s), False
    while i < n:
        end = s.find("\n", i)
        end = n if end < 0 else end
        line = s[i:end]
        if (line.lstrip("\t") if strip else line) == delimiter and not joined:
            return i, min(end + 1, n)
        if not quoted:  # a backslash before the newline joins the next line to this one
            joined = (len(line) - len(line.rstrip("\\"))) % 2 == 1
        i = end + 1
    return n, n  # the shell takes the rest of the text and warns
