"""${…}: the forms of parameter expansion, as far as they are static."""

from guards.shell import expand, quotes
from guards.shell.fields import HOLE, LOOSE, NAME, TEXT, Hole, join, nth, real, several
from guards.shell.fresh import marked, whole
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
    if indirect and name and not op and not index:
        named = element(m, name, "")
        if isinstance(named, str) and named.isidentifier():
            plain(m, atoms, element(m, named, ""), raw, named, "", inside)
            return end
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
    if end == 0 and body[:1] in quotes.PARAMETERS and body[:1]:
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
        if name == "0":
            return m.zero
        if args is None:
            return None
        return nth(args, int(name)) if name != "" else None
    if name in quotes.PARAMETERS:
        args = m.state.args
        known = name == "#" and args is not None and not any(several(a) for a in args)
        return str(len(args)) if known else None
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
        quotes.spread(m, atoms, found, inside, joined)
    elif found is None and ((index in ("@", "*") and index) or name in ("@", "*")):
        atoms.append((HOLE, Hole("variable " + name, raw, many=True), inside))
    else:
        quotes.add(m, atoms, found, raw, ("parameter " if not name.isidentifier() else "variable ") + name, inside)


def size(atoms: "list[Any]", found: "Any", raw: str, index: str, inside: bool) -> None:
    if isinstance(found, list) and (index in ("@", "*") or raw in ("${#@}", "${#*}")):
        atoms.append((TEXT, str(len(found)), True))
    elif isinstance(found, str) and not marked(found):
        atoms.append((TEXT, str(len(real(found))), True))
    else:
        atoms.append((HOLE, Hole("a length", raw), inside))


def operated(m: "Any", atoms: "list[Any]", found: "Any", raw: str, name: str, op: str, inside: bool) -> None:
    """Everything with an operator behind the name."""
    from guards.shell import trims

    known = isinstance(found, str)
    colon = op[0] == ":" and op[1:2] in ("-", "=", "?", "+") and len(op) > 1
    if colon or op[0] in "-=?+":
        default(m, atoms, found, raw, name, op[1:] if colon else op, colon, inside)
    elif known and op[0] in "#%/":
        made: list[Any] = []
        (trims.replaced if op[0] == "/" else trims.trimmed)(m, made, found, raw, op, inside)
        atoms.extend(made if whole(found, join(made)) else [(HOLE, Hole("expansion of " + name, raw), inside)])
    elif known and op[0] == ":" and not marked(found):
        trims.sliced(m, atoms, found, raw, op[1:], inside)
    elif known and op in ("@E", "@P") and not set("\\$`!") & set(found):
        atoms.append((TEXT, found, True) if inside else (LOOSE, found, False))
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
        quotes.quoted(m, text, 0, atoms, "")
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
            m.state.assign(name, join(given))
    elif found is None:
        atoms.append((HOLE, Hole("variable " + name, raw, many=name in "@*", parts=static(given)), inside))
    elif isinstance(found, list):
        quotes.spread(m, atoms, found, inside, joined=False)
    else:
        quotes.add(m, atoms, found, raw, "variable " + name, inside)


def absent(m: "Any", name: str) -> bool:
    state = m.state
    if name.isdigit() or not name.isidentifier():
        return False
    return name not in state.vars and name not in state.env and bool(state.env) and name not in DYNAMIC


DYNAMIC = frozenset(
    "RANDOM SECONDS LINENO BASHPID SRANDOM EPOCHSECONDS UID EUID PPID HOSTNAME OSTYPE SHLVL BASH PWD OLDPWD _".split()  # noqa: SIM905
)


def static(atoms: "list[Any]") -> "tuple[str, ...]":
    joined = join(atoms)
    if isinstance(joined, str):
        return (joined,) if joined else ()
    return tuple([piece for piece in joined if isinstance(piece, str)])
