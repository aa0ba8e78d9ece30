"""Quotes, and what begins with a dollar sign, a backtick or <( inside a word: text and holes as atoms."""

from guards.shell.fields import BREAK, HOLE, LOOSE, NAME, TEXT, Hole, narrow, nth, several
from guards.shell.syntax import Lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.fields import Value

PARAMETERS = frozenset("@*#?-$!")


# ---- quotes
def quoted(m: "Any", s: str, i: int, atoms: "list[Any]", closer: str) -> int:
    """Text between double quotes, or a here-document's body when there is no closer."""
    n = len(s)
    begin = len(atoms)
    void = False
    while i < n:
        start = i
        while i < n and s[i] not in '"\\$`':
            i += 1
        if i > start:
            atoms.append((TEXT, s[start:i], True))
            continue
        c = s[i]
        if c == '"':
            if closer:
                if begin == len(atoms) and not void:
                    atoms.append((TEXT, "", True))
                return i + 1
            atoms.append((TEXT, c, True))
            i += 1
        elif c == "\\":
            after = s[i + 1 : i + 2]
            if after == "\n":
                pass
            elif after and (after in "$`\\" or (after == '"' and closer)):
                atoms.append((TEXT, after, True))
            else:
                atoms.append((TEXT, "\\" + after, True))
            i += 2
        elif c == "$":
            count = len(atoms)
            i = dollar(m, s, i, atoms, True)
            void = void or len(atoms) == count
        else:
            i = backtick(m, s, i, atoms, True)
    if closer:
        raise Lost("a double quote is not closed")
    return n


ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def ansi(s: str, i: int) -> "tuple[str, int]":
    """$'…': its text, and the index behind it. `i` stands behind the opening quote."""
    out: list[str] = []
    n = len(s)
    cut = False  # a NUL ends the text, not the quote
    while i < n:
        c = s[i]
        if c == "'":
            return "".join(out), i + 1
        if c != "\\" or i + 1 >= n:
            piece, i = c, i + 1
        else:
            piece, i = escape(s, i + 1)
        cut = cut or piece == "\0"
        if not cut:
            out.append(piece)
    raise Lost("a quote is not closed")


def escape(s: str, i: int) -> "tuple[str, int]":
    """One escape of $'…'; `i` stands behind the backslash."""
    c = s[i]
    if c in ESCAPES:
        return ESCAPES[c], i + 1
    if c in "\\'\"?":
        return c, i + 1
    if c in "01234567":
        return number(s, i, i + 3, 8, "\\")
    if c == "x":
        return number(s, i + 1, i + 3, 16, "\\x")
    if c in "uU":
        return number(s, i + 1, i + (5 if c == "u" else 9), 16, "\\" + c)
    if c == "c" and i + 1 < len(s):
        return chr(ord(s[i + 1].upper()) & 0x1F), i + 2
    return "\\" + c, i + 1


def number(s: str, i: int, stop: int, base: int, prefix: str) -> "tuple[str, int]":
    start = i
    digits = "01234567" if base == 8 else "0123456789abcdefABCDEF"
    while i < min(stop, len(s)) and s[i] in digits:
        i += 1
    if start == i:
        return prefix, i
    code = int(s[start:i], base)
    if prefix[1:] not in ("u", "U"):
        return chr(code & 0xFF), i
    return (narrow(chr(code)) if code < 0xD800 or 0xDFFF < code < 0x110000 else "?"), i


# ---- variables and substitutions
def dollar(m: "Any", s: str, i: int, atoms: "list[Any]", inside: bool) -> int:
    """`i` stands on the dollar sign; the index behind what it begins."""
    c = s[i + 1 : i + 2]
    if c in NAME and c and not c.isdigit():
        end = i + 2
        while end < len(s) and s[end] in NAME:
            end += 1
        add(m, atoms, m.lookup(s[i + 1 : end]), s[i:end], "variable " + s[i + 1 : end], inside)
        return end
    if c == "{":
        end = i + 2
        while end < len(s) and s[end] in NAME:
            end += 1
        if s[end : end + 1] == "}" and end > i + 2 and not s[i + 2].isdigit():
            add(m, atoms, m.lookup(s[i + 2 : end]), s[i : end + 1], "variable " + s[i + 2 : end], inside)
            return end + 1
        from guards.shell import param

        return param.braced(m, s, i, atoms, inside)
    if c == "(":
        return parenthesis(m, s, i, atoms, inside)
    if c == "'" and not inside:
        text, end = ansi(s, i + 2)
        atoms.append((TEXT, text, True))
        return end
    if c == '"' and not inside:
        return quoted(m, s, i + 2, atoms, '"')
    if c == "[":
        from guards.shell import lex

        end = lex.Lexer(s).bracket_end(i + 2, 0)
        atoms.append((HOLE, Hole("arithmetic", s[i:end]), inside))
        return end
    if c and (c in PARAMETERS or c.isdigit()):
        parameter(m, c, s[i : i + 2], atoms, inside)
        return i + 2
    atoms.append((TEXT, "$", inside))
    return i + 1


def add(m: "Any", atoms: "list[Any]", found: "Value | None", raw: str, cause: str, inside: bool) -> None:
    """A variable's value, or a hole where it is not known."""
    if isinstance(found, list):
        found = found[0] if found else ""
    m.spend(len(found) if found is not None else 0)
    if found is None:
        atoms.append((HOLE, Hole(cause, raw), inside))
    elif isinstance(found, str):
        atoms.append((TEXT, found, True) if inside else (LOOSE, found, False))
    else:
        for piece in found:
            if isinstance(piece, str):
                atoms.append((TEXT, piece, True) if inside else (LOOSE, piece, False))
            else:
                atoms.append((HOLE, piece, inside))


def parameter(m: "Any", c: str, raw: str, atoms: "list[Any]", inside: bool) -> None:
    """$1, $@ and the other parameters; the shell's own ($? $$ $! $- $_) are not known."""
    args = m.state.args
    if c in "@*":
        if args is None:
            atoms.append((HOLE, Hole("the parameters", raw, many=True), inside))
        else:
            spread(m, atoms, args, inside, joined=c == "*" and inside)
    elif c == "#" and args is not None and not any(several(a) for a in args):
        atoms.append((TEXT, str(len(args)), True))
    elif c.isdigit() and c != "0" and args is not None:
        add(m, atoms, nth(args, int(c)), raw, "parameter " + c, inside)
    elif c == "0":
        add(m, atoms, m.zero, raw, "parameter 0", inside)
    else:
        atoms.append((HOLE, Hole("parameter " + c, raw), inside))


def spread(m: "Any", atoms: "list[Any]", values: "list[Any]", inside: bool, joined: bool) -> None:
    """ "$@" and "${a[@]}" give a field each, "$*" one field of all, with the first character of IFS between them."""
    separators = m.separators() if joined else ""
    between = (HOLE, Hole("IFS", ""), True) if separators is None else (TEXT, separators[:1], True)
    for index, each in enumerate(values):
        if index:
            atoms.append(between if joined else (BREAK,))
        if inside and each == "":
            atoms.append((TEXT, "", True))
        else:
            add(m, atoms, each, "", "a parameter", inside)
    if joined and not values:
        atoms.append((TEXT, "", True))


def parenthesis(m: "Any", s: str, i: int, atoms: "list[Any]", inside: bool) -> int:
    """$(…) and $((…))."""
    from guards.shell import lex

    lexer = lex.Lexer(s)
    if s.startswith("((", i + 1):
        end = lexer.arith_end(i + 3, 0)
        if end > 0:
            from guards.shell import arith

            number = arith.evaluate(m, s[i + 3 : end - 2])
            if number is None:
                atoms.append((HOLE, Hole("arithmetic", s[i:end]), inside))
            else:
                atoms.append((TEXT, str(number), True))
            return end
    end = lexer.region(i + 2)
    substituted(m, s[i + 2 : end - 1], s[i:end], atoms, inside)
    return end


def substituted(m: "Any", code: str, raw: str, atoms: "list[Any]", inside: bool) -> None:
    text = m.substitute(code)
    if text is None:
        atoms.append((HOLE, Hole("command substitution", raw), inside))
    else:
        atoms.append((TEXT, text, True) if inside else (LOOSE, text, False))


def backtick(m: "Any", s: str, i: int, atoms: "list[Any]", inside: bool) -> int:
    r"""`…`: backslashes before $ ` \ (and " inside double quotes) are taken off before the text is read."""
    from guards.shell import lex

    end = lex.backtick_end(s, i + 1)
    code = s[i + 1 : end - 1]
    if "\\" in code:
        out: list[str] = []
        at = 0
        while at < len(code):
            if code[at] == "\\" and code[at + 1 : at + 2] in ('"$`\\' if inside else "$`\\"):
                at += 1
            out.append(code[at : at + 1])
            at += 1
        code = "".join(out)
    substituted(m, code, s[i:end], atoms, inside)
    return end


def process(m: "Any", s: str, i: int, atoms: "list[Any]") -> int:
    """<(…) and >(…): the program gets a descriptor's path."""
    from guards.shell import lex

    end = lex.Lexer(s).region(i + 2)
    feed = m.process(s[i + 2 : end - 1], s[i])
    atoms.append((HOLE, Hole("process substitution", s[i:end], parts=(feed,) if feed is not None else ()), True))
    return end
