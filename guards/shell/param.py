"""${…}: the forms of parameter expansion, as far as they are static."""

from guards.shell import expand
from guards.shell.expand import BREAK, HOLE, LOOSE, NAME, TEXT, Hole
from guards.shell.lex import Lexer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def braced(m: "Any", s: str, i: int, atoms: "list[Any]", inside: bool) -> int:
    """`i` stands on the dollar sign; the index behind the closing brace."""
    end = Lexer(s).brace_end(i + 2, 0, quoted=inside)
    body, raw = s[i + 2 : end - 1], s[i:end]
    length = body[:1] == "#" and len(body) > 1 and body[1] not in "#%:-=?+/"
    indirect = body[:1] == "!" and len(body) > 1
    rest = body[1:] if length or indirect else body
    name, index, op = split(rest)
    if not name or indirect or (length and op):
        live(m, op, inside)
        atoms.append((HOLE, Hole("indirect expansion" if indirect else "expansion " + raw[:20], raw), inside))
        return end
    found = element(m, name, index)
    if length:
        size(atoms, found, raw, index, inside)
    elif op == "":
        plain(m, atoms, found, raw, name, index, inside)
    else:
        operated(m, atoms, found, raw, name, op, inside)
    return end


def split(body: str) -> "tuple[str, str, str]":
    """The parameter's name, its index in brackets, and the operator with what follows."""
    end = 0
    while end < len(body) and body[end] in NAME:
        end += 1
    if end == 0 and body[:1] in expand.PARAMETERS and body[:1]:
        end = 1
    if body[:1].isdigit():
        end = 0
        while end < len(body) and body[end].isdigit():
            end += 1
    name, rest = body[:end], body[end:]
    if rest[:1] == "[":
        close = Lexer(rest).bracket_end(1, 0)
        return name, rest[1 : close - 1], rest[close:]
    return name, "", rest


def element(m: "Any", name: str, index: str) -> "Any":
    """The value: text, a tuple with holes, a list for @ and *, None where it is not known."""
    if name in ("@", "*"):
        return m.state.args
    if name.isdigit():
        args = m.state.args
        if args is None or name == "0":
            return None
        return args[int(name) - 1] if int(name) <= len(args) else ""
    if name in expand.PARAMETERS:
        args = m.state.args
        return str(len(args)) if name == "#" and args is not None else None
    found = m.lookup(name)
    if index in ("@", "*"):
        return found if found is None or isinstance(found, list) else [found]
    if index == "":
        return (found[0] if found else "") if isinstance(found, list) else found
    from guards.shell import arith

    at = arith.evaluate(m, index)
    if at is None or found is None:
        return None
    row = found if isinstance(found, list) else [found]
    return row[at] if -len(row) <= at < len(row) else ""


def plain(m: "Any", atoms: "list[Any]", found: "Any", raw: str, name: str, index: str, inside: bool) -> None:
    """${x}, ${1}, ${a[@]}."""
    if isinstance(found, list):
        joined = inside and (index == "*" or name == "*")
        expand.spread(m, atoms, found, inside, joined)
    elif found is None and ((index in ("@", "*") and index) or name in ("@", "*")):
        atoms.append((HOLE, Hole("variable " + name, raw, many=True), inside))
    else:
        expand.add(m, atoms, found, raw, ("parameter " if not name.isidentifier() else "variable ") + name, inside)


def size(atoms: "list[Any]", found: "Any", raw: str, index: str, inside: bool) -> None:
    if isinstance(found, list) and (index in ("@", "*") or raw in ("${#@}", "${#*}")):
        atoms.append((TEXT, str(len(found)), True))
    elif isinstance(found, str):
        atoms.append((TEXT, str(len(expand.real(found))), True))
    else:
        atoms.append((HOLE, Hole("a length", raw), inside))


def operated(m: "Any", atoms: "list[Any]", found: "Any", raw: str, name: str, op: str, inside: bool) -> None:
    """Everything with an operator behind the name."""
    known = isinstance(found, str)
    colon = op[0] == ":" and op[1:2] in ("-", "=", "?", "+") and len(op) > 1
    if colon or op[0] in "-=?+":
        default(m, atoms, found, raw, name, op[1:] if colon else op, colon, inside)
    elif known and op[0] in "#%":
        trimmed(m, atoms, found, raw, op, inside)
    elif known and op[0] == "/":
        replaced(m, atoms, found, raw, op, inside)
    elif known and op[0] == ":":
        sliced(m, atoms, found, raw, op[1:], inside)
    elif known and op in ("^^", ",,", "^", ",") and found.isascii():
        text = found.upper() if op[0] == "^" else found.lower()
        text = text if len(op) == 2 else text[:1] + found[1:]
        atoms.append((TEXT, text, True) if inside else (LOOSE, text, False))
    else:
        live(m, op, inside)
        cause = ("variable " if found is None else "expansion of ") + name
        many = isinstance(found, list) or name in ("@", "*")
        atoms.append((HOLE, Hole(cause, raw, many=many), inside))


def live(m: "Any", text: str, inside: bool) -> "list[Any]":
    """What stands behind an operator, expanded: the substitutions in it run in any case."""
    atoms: list[Any] = []
    if inside:
        expand.quoted(m, text, 0, atoms, "")
    else:
        loose_scan(m, text, atoms)
    return atoms


def loose_scan(m: "Any", text: str, atoms: "list[Any]") -> None:
    """An unquoted operand may hold blanks and operators: they are cut out before it is scanned as a word."""
    lexer = Lexer(text)
    i = start = 0
    while i < len(text):
        if text[i] in expand.OPERATORS:
            expand.scan(m, text[start:i], atoms, False, False)
            atoms.append((LOOSE, text[i], False))
            i += 1
            start = i
        else:
            i = lexer._step(i, 0, quoted=False) or i + 1
    expand.scan(m, text[start:], atoms, start == 0, False)


def default(
    m: "Any", atoms: "list[Any]", found: "Any", raw: str, name: str, op: str, colon: bool, inside: bool
) -> None:
    """${x:-…} ${x:=…} ${x:?…} ${x:+…}"""
    given = live(m, op[1:], inside)
    unset = isinstance(found, str) and found == "" and (colon or name not in m.state.vars)
    # a variable that neither the text nor the environment knows counts as unset here, where a default stands ready
    unset = unset or (found is None and absent(m, name))
    if op[0] == "+":
        if unset or found is None or isinstance(found, list):
            hole = Hole("variable " + name, raw, many=not inside, parts=static(given))
            if not unset:
                atoms.append((HOLE, hole, inside))
        else:
            atoms.extend(given)
    elif unset and op[0] in "-=":
        atoms.extend(given)
        if op[0] == "=" and name.isidentifier():
            m.state.assign(name, expand.join(given))
    elif found is None:
        atoms.append((HOLE, Hole("variable " + name, raw, many=name in "@*", parts=static(given)), inside))
    elif isinstance(found, list):
        expand.spread(m, atoms, found, inside, joined=False)
    else:
        expand.add(m, atoms, found, raw, "variable " + name, inside)


def absent(m: "Any", name: str) -> bool:
    state = m.state
    if name.isdigit() or not name.isidentifier():
        return False
    return name not in state.vars and name not in state.env and bool(state.env) and name not in DYNAMIC


DYNAMIC = frozenset(
    "RANDOM SECONDS LINENO BASHPID SRANDOM EPOCHSECONDS UID EUID PPID HOSTNAME OSTYPE SHLVL BASH PWD OLDPWD _".split()  # noqa: SIM905
)


def static(atoms: "list[Any]") -> "tuple[str, ...]":
    joined = expand.join(atoms)
    if isinstance(joined, str):
        return (joined,) if joined else ()
    return tuple([piece for piece in joined if isinstance(piece, str)])


def pattern(m: "Any", text: str, inside: bool) -> "str | None":
    """An operand as a pattern: quoted parts stand for themselves; None when it is not static."""
    from guards.shell import globs

    atoms: list[Any] = []
    loose_scan(m, text, atoms)  # quotes in it keep their meaning, even between double quotes
    out = []
    for atom in atoms:
        if atom[0] == HOLE:
            return None
        if atom[0] != BREAK:
            out.append(globs.escaped(atom[1]) if atom[2] else atom[1].replace("\\", "\\\\"))
    return "".join(out)


def put(atoms: "list[Any]", text: str, inside: bool) -> None:
    atoms.append((TEXT, text, True) if inside else (LOOSE, text, False))


def trimmed(m: "Any", atoms: "list[Any]", found: str, raw: str, op: str, inside: bool) -> None:
    """${x#…} ${x##…} ${x%…} ${x%%…}"""
    from guards.shell import globs

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
    from guards.shell import globs

    mode = op[1] if op[1:2] in ("/", "#", "%") and op[1:2] else ""
    rest = op[1 + len(mode) :]
    cut = operand_end(rest)
    glob = pattern(m, rest[:cut], inside)
    given = expand.join(live(m, rest[cut + 1 :], inside))
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
