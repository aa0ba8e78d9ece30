"""A word as written -> the words a program gets: quotes, tilde, variables, substitutions, braces, globs.

Text is handled one character a byte (latin-1), as the kernel sees it, and becomes real text when a Word is made.
Values are text, or a tuple of text and Holes where a part is not known, or a list of such for an array. A word that
turns out to be no single word was cut wrongly by the parser: that raises Lost.
"""

from guards.shell.steps import Word
from guards.shell.syntax import Lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Value = str | tuple[Any, ...] | list[Any]

SPECIAL = frozenset("\\'\"$`~*?[]{}()<>;&| \t\n=")  # a word without these stands for itself
BLANKS = " \t\n"
OPERATORS = frozenset(" \t\n;&|<>()")
GLOBS = frozenset("*?[")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
PARAMETERS = frozenset("@*#?-$!")

TEXT, HOLE, BREAK, LOOSE = 0, 1, 2, 3  # kinds of atoms; LOOSE is what an unquoted expansion gave: it is split

# ways to expand
WORDS, ONE, DOC = 0, 1, 2


class Hole:
    """A part of a word that is not known: why, how it was written, and static text inside it (a default value)."""

    __slots__ = ("cause", "many", "parts", "raw")

    def __init__(self, cause: str, raw: str, many: bool = False, parts: "tuple[str, ...]" = ()) -> None:
        self.cause = cause
        self.raw = raw
        self.many = many
        self.parts = parts


def real(text: str) -> str:
    """Bytes as characters -> the text they spell."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


def narrow(text: str) -> str:
    """Text -> its bytes as characters."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    except UnicodeEncodeError:  # other lone surrogates; a harness's own runtime hands on U+FFFD
        return text.encode("utf-8", "replace").decode("latin-1")


# ---- a whole word
def words(m: "Any", text: str) -> "list[Word]":
    """The fields a word of a command gives."""
    if SPECIAL.isdisjoint(text):
        return [Word(real(text))]
    if "{" in text and ("," in text or ".." in text):
        from guards.shell import braces

        made: list[Word] = []
        for each in braces.expand(text):
            made.extend(fields(m, atoms_of(m, each, "=" in each), each))
        return made
    return fields(m, atoms_of(m, text, "=" in text), text)


def one(m: "Any", text: str) -> Word:
    """A word where no splitting takes place: an assignment's value, a here-string, the word of a case."""
    if SPECIAL.isdisjoint(text):
        return Word(real(text))
    return single(atoms_of(m, text, False), text)


def value(m: "Any", text: str) -> "Value":
    """The value an assignment gives to a variable."""
    if SPECIAL.isdisjoint(text):
        return text
    return join(atoms_of(m, text, True, assignment=True))


def join(atoms: "list[Any]") -> "Value":
    pieces: list[Any] = []
    for atom in atoms:
        if atom[0] == HOLE:
            pieces.append(atom[1])
        elif atom[0] == BREAK:
            pieces.append(" ")
        else:
            pieces.append(atom[1])
    for piece in pieces:
        if not isinstance(piece, str):
            return tuple(merged(pieces))
    return "".join(pieces)


def merged(pieces: "list[Any]") -> "list[Any]":
    """Neighbouring text joined."""
    out: list[Any] = []
    for piece in pieces:
        if isinstance(piece, str) and out and isinstance(out[-1], str):
            out[-1] += piece
        else:
            out.append(piece)
    return out


def atoms_of(m: "Any", text: str, equals: bool, assignment: bool = False) -> "list[Any]":
    atoms: list[Any] = []
    scan(m, text, atoms, equals, assignment)
    return atoms


def scan(m: "Any", s: str, atoms: "list[Any]", equals: bool, assignment: bool) -> None:
    """The parts of one word outside quotes, in order."""
    i, n = 0, len(s)
    tilde = True  # a tilde here would stand at the start of the word, or behind = or : of an assignment
    named = assignment
    while i < n:
        c = s[i]
        if c == "\\":
            if i + 1 >= n:
                atoms.append((TEXT, "\\", True))
            elif s[i + 1] != "\n":
                atoms.append((TEXT, s[i + 1], True))
            i += 2
        elif c == "'":
            end = s.find("'", i + 1)
            if end < 0:
                raise Lost("a quote is not closed")
            atoms.append((TEXT, s[i + 1 : end], True))
            i = end + 1
        elif c == '"':
            i = quoted(m, s, i + 1, atoms, '"')
        elif c == "$":
            i = dollar(m, s, i, atoms, False)
        elif c == "`":
            i = backtick(m, s, i, atoms, False)
        elif c == "~" and tilde:
            i = tilde_part(m, s, i, atoms, named)
        elif c in "<>" and s.startswith("(", i + 1):
            i = process(m, s, i, atoms)
        elif c == "(" and i and s[i - 1] in "?*+@!":
            i = extended(s, i, atoms)
        elif c in OPERATORS:
            raise Lost("a word holds an operator")
        else:
            if equals and c == "=":
                named = named or name_before(s, i)
                equals = False
                atoms.append((TEXT, c, False))
                i += 1
                tilde = named
                continue
            end = i + 1
            while end < n and s[end] not in SPECIAL and s[end] != ":":
                end += 1
            atoms.append((TEXT, s[i:end], False))
            tilde = c == ":" and named and end == i + 1
            i = end
            continue
        tilde = False


def name_before(s: str, i: int) -> bool:
    """Whether `s` up to the equals sign is a variable's name, so that a tilde behind it is expanded."""
    name = s[: i - 1] if s[i - 1 : i] == "+" else s[:i]
    return bool(name) and NAME.issuperset(name) and not name[0].isdigit()


def tilde_part(m: "Any", s: str, i: int, atoms: "list[Any]", named: bool) -> int:
    end = i + 1
    while end < len(s) and (s[end] in NAME or s[end] in "+-.") and s[end] != "/":
        end += 1
    if end < len(s) and s[end] != "/" and not (named and s[end] == ":"):
        atoms.append((TEXT, s[i:end], False))  # quotes or the like follow: no tilde prefix
        return end
    home = m.tilde(s[i + 1 : end])
    if home is None:
        atoms.append((TEXT, s[i:end], False))
    elif isinstance(home, str):
        atoms.append((TEXT, home, True))
    else:
        atoms.extend([(HOLE, part, True) if isinstance(part, Hole) else (TEXT, part, True) for part in home])
    return end


def extended(s: str, i: int, atoms: "list[Any]") -> int:
    """An extended glob: what it matches is not worked out."""
    from guards.shell import lex

    end = lex.Lexer(s).region(i + 1)
    atoms.append((HOLE, Hole("extended glob", s[i:end], many=True), False))
    return end


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
    elif c == "#" and args is not None:
        atoms.append((TEXT, str(len(args)), True))
    elif c.isdigit() and c != "0" and args is not None:
        add(m, atoms, args[int(c) - 1] if int(c) <= len(args) else "", raw, "parameter " + c, inside)
    else:
        atoms.append((HOLE, Hole("parameter " + c, raw), inside))


def spread(m: "Any", atoms: "list[Any]", values: "list[Any]", inside: bool, joined: bool) -> None:
    """ "$@" and "${a[@]}" give a field each, "$*" one field of all."""
    for index, each in enumerate(values):
        if index:
            atoms.append((TEXT, " ", True) if joined else (BREAK,))
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


# ---- from atoms to words
def single(atoms: "list[Any]", raw: str) -> Word:
    """All atoms as one word."""
    return build([atom if atom[0] != BREAK else (TEXT, " ", True) for atom in atoms], raw)


def fields(m: "Any", atoms: "list[Any]", raw: str) -> "list[Word]":
    """Split where an unquoted expansion gave blanks; then the globs."""
    rows: list[list[Any]] = [[]]
    for atom in atoms:
        if atom[0] == BREAK:
            rows.append([])
        elif atom[0] == LOOSE:
            loose(m, atom[1], rows)
        else:
            rows[-1].append(atom)
    made: list[Word] = []
    for row in rows:
        if not row:
            continue
        if any(a[0] != HOLE and not a[2] and not GLOBS.isdisjoint(a[1]) for a in row):
            made.extend(globbed(m, row, raw))
        else:
            made.append(build(row, raw))
    return made


def loose(m: "Any", text: str, rows: "list[list[Any]]") -> None:
    blanks = m.separators()
    if blanks is None:
        rows[-1].append((HOLE, Hole("IFS", text, many=True), False))
        return
    piece = ""
    for c in text:
        if c in blanks:
            if piece:
                rows[-1].append((TEXT, piece, False))
            piece = ""
            if rows[-1] or c not in BLANKS:
                rows.append([])
        else:
            piece += c
    if piece:
        rows[-1].append((TEXT, piece, False))


def build(row: "list[Any]", raw: str) -> Word:
    """One field."""
    holes = [a[1] for a in row if a[0] == HOLE]
    marked = any(a[0] != HOLE and a[2] for a in row)
    if not holes:
        return Word(real("".join([a[1] for a in row])), real(raw), quoted=marked)
    if len(row) == 1 and holes[0].cause == "process substitution":
        feed = real(holes[0].parts[0]) if holes[0].parts else None
        return Word("/dev/fd/63", real(raw), holes[0].cause, rough=real(raw), feed=feed)
    parts: list[str] = []
    rough: list[str] = []
    run = ""
    many = False
    for atom in row:
        if atom[0] == HOLE:
            hole = atom[1]
            parts.extend([p for p in (run, *hole.parts) if p])
            rough.append(hole.raw)
            run = ""
            many = many or hole.many or not atom[2]
        else:
            run += atom[1]
            rough.append(atom[1])
    if run:
        parts.append(run)
    return Word(
        None,
        real(raw),
        holes[0].cause,
        parts=tuple([real(p) for p in parts]),
        quoted=marked,
        rough=real("".join(rough)),
        many=many,
    )


def globbed(m: "Any", row: "list[Any]", raw: str) -> "list[Word]":
    """A field with unquoted * ? [: the paths it matches, or itself where it matches nothing."""
    from guards.shell import globs

    if any(a[0] == HOLE for a in row):
        word = build(row, raw)
        word.glob = True
        return [word]
    if m.state.noglob:
        return [build(row, raw)]
    if m.state.oddglob:  # dotglob and the like match more than is worked out here
        word = build(row, raw)
        word.glob = True
        return [word]
    pattern = real("".join([globs.escaped(a[1]) if a[2] else a[1].replace("\\", "\\\\") for a in row]))
    found = globs.expand(pattern, m.state.cwd, m.world, m.made())
    if found:
        return [Word(path, real(raw)) for path in found]
    word = build(row, raw)
    word.glob = not (found is not None and m.state.nullglob)
    return [word] if word.glob else []
