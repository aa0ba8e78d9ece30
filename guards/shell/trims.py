"""${x#…} ${x%…} ${x/…/…} ${x:…}: the forms of parameter expansion that cut and replace."""

from guards.shell import globs
from guards.shell.fields import BREAK, HOLE, LOOSE, TEXT, Hole, join
from guards.shell.lex import Lexer
from guards.shell.param import live, loose_scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pattern(m: "Any", text: str, inside: bool) -> "str | None":
    """An operand as a pattern: quoted parts stand for themselves; None when it is not static."""
    atoms: list[Any] = []
    loose_scan(m, text, atoms)  # quotes in it keep their meaning, even between double quotes
    out = []
    for atom in atoms:
        if atom[0] == HOLE or (not atom[-1] and atom[1] == "("):  # an extended pattern, perhaps
            return None
        if atom[0] != BREAK:
            out.append(globs.escaped(atom[1]) if atom[2] else atom[1].replace("\\", "\\\\"))
    return "".join(out)


def put(atoms: "list[Any]", text: str, inside: bool) -> None:
    atoms.append((TEXT, text, True) if inside else (LOOSE, text, False))


def trimmed(m: "Any", atoms: "list[Any]", found: str, raw: str, op: str, inside: bool) -> None:
    """${x#…} ${x##…} ${x%…} ${x%%…}"""
    double = op[:2] in ("##", "%%")
    glob = pattern(m, op[2:] if double else op[1:], inside)
    if glob is None or (len(found) > 400 and globs.literal(glob) is None):
        atoms.append((HOLE, Hole("a pattern that is not static", raw), inside))
        return
    head = op[0] == "#"
    literal = globs.literal(glob)
    if literal is not None:
        fits = found.startswith(literal) if head else found.endswith(literal)
        size = len(literal) if fits else 0
        put(atoms, found[size:] if head else found[: len(found) - size], inside)
        return
    cuts = range(len(found) + 1)
    lengths = reversed(cuts) if double else cuts  # the longest match first, or the shortest
    for k in lengths:
        if globs.match(glob, found[:k] if head else found[len(found) - k :]):
            put(atoms, found[k:] if head else found[: len(found) - k], inside)
            return
    put(atoms, found, inside)


def replaced(m: "Any", atoms: "list[Any]", found: str, raw: str, op: str, inside: bool) -> None:
    """${x/…/…} ${x//…/…} ${x/#…/…} ${x/%…/…}"""
    mode = op[1] if op[1:2] in ("/", "#", "%") and op[1:2] else ""
    rest = op[1 + len(mode) :]
    cut = operand_end(rest)
    glob = pattern(m, rest[:cut], inside)
    given = join(live(m, rest[cut + 1 :], inside))
    plain_text = globs.literal(glob) if glob is not None else None
    if glob is None or not isinstance(given, str) or (plain_text is None and len(found) > 140):
        atoms.append((HOLE, Hole("a replacement that is not static", raw), inside))
        return
    if glob == "" or (plain_text is not None and plain_text not in found):
        put(atoms, found, inside)
        return
    if plain_text is not None and mode in ("", "/"):
        m.spend(len(found) + len(given) * (found.count(plain_text) if mode else 1))
        put(atoms, found.replace(plain_text, given, -1 if mode else 1), inside)
        return
    out, i = [], 0
    done = False
    while i <= len(found):
        stops = () if done or (mode == "#" and i) else range(len(found), i, -1)
        for j in stops:
            if (mode != "%" or j == len(found)) and globs.match(glob, found[i:j]):
                out.append(given)
                i, done = j, mode != "/"
                break
        else:
            out.append(found[i : i + 1])
            i += 1
    put(atoms, "".join(out), inside)


def operand_end(text: str) -> int:
    """The slash that ends the pattern."""
    lexer = Lexer(text)
    i = 0
    while i < len(text):
        if text[i] == "/":
            return i
        i = lexer._step(i, 0, quoted=False) or i + 1
    return len(text)


def sliced(m: "Any", atoms: "list[Any]", found: str, raw: str, op: str, inside: bool) -> None:
    """${x:2} ${x:2:3} ${x: -1}"""
    from guards.shell import arith

    parts = op.split(":")
    numbers = [arith.evaluate(m, part) for part in parts[:2]]
    if None in numbers or len(parts) > 2 or not found.isascii():
        atoms.append((HOLE, Hole("a slice that is not static", raw), inside))
        return
    start = numbers[0] or 0
    start = start if start >= 0 else len(found) + start
    stop = len(found)
    if len(numbers) > 1:
        count = numbers[1] or 0
        stop = start + count if count >= 0 else len(found) + count
    put(atoms, found[start:stop] if 0 <= start <= stop else "", inside)
