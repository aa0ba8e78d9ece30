"""A word as written -> the words a program gets: quotes, tilde, variables, substitutions, braces, globs.

A word that turns out to be no single word was cut wrongly by the parser: that raises Lost.
"""

from guards.shell.fields import HOLE, NAME, TEXT, Hole, fields, join, real, single
from guards.shell.quotes import backtick, dollar, process, quoted
from guards.shell.steps import Word
from guards.shell.syntax import Lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.fields import Value

SPECIAL = frozenset("\\'\"$`~*?[]{}()<>;&| \t\n=")  # a word without these stands for itself
OPERATORS = frozenset(" \t\n;&|<>()")


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


def atoms_of(m: "Any", text: str, equals: bool, assignment: bool = False) -> "list[Any]":
    atoms: list[Any] = []
    scan(m, text, atoms, equals, assignment)
    if len(atoms) > 1 and any([atom[0] == HOLE for atom in atoms]):
        from guards.shell import fresh

        return fresh.settle(m, atoms)
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
