"""What well-known functions and methods of other languages give: joins, parts of paths, temporary folders, listings.

Their names are those of all languages together; none means something else in another.
"""

from guards.shell import codeouter
from guards.shell.codeknown import (
    BESIDE,
    ELSE,
    ENDS,
    GLOBS,
    HEADS,
    HERE,
    JOINS,
    KEEPS,
    LISTS,
    MADE,
    READS,
    SAME,
    SELF,
    TEMPLATES,
    TEMPORARY,
)
from guards.shell.codemethods import arguments, behind, method
from guards.shell.codetexts import (
    ELSEWHERE,
    UNKNOWN,
    beneath,
    last,
    mapped,
    parent,
    product,
    sure,
    union,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts
    from guards.shell.codevalues import Values


def name(values: "Values", called: str, at: int, end: int) -> "tuple[Texts, int]":
    """What a name gives that was given nothing: a function, a variable from outside, a property of what is known."""
    found = _outside(values, called, at)
    if found is not None:
        return found
    if called == "Dir" and values.at(at + 1) == ("mark", "["):
        return _globbed(values, called, values.split(at + 2, ")")), values.close(at + 1) + 1
    kept = _table(values, called, at)
    if kept is not None:
        return kept
    spans = values.groups(at + 1)
    head, _, tail = called.rpartition(".")
    if called in EVERY or (tail in EVERY and values.known(head) in (None, UNKNOWN)):  # path = require("path")
        return function(values, called, tail, spans, at, end)
    if head and values.known(head) is not None:  # files.filter(…), o.out
        known = values.known("." + tail) if tail not in KEEPS and spans is None else None
        return method(values, values.known(head) or UNKNOWN, tail, at) if known is None else (known, at + 1)
    if head and spans is None and (known := values.known("." + tail)) is not None:
        return known, at + 1
    root, _, rest = called.partition(".")
    outside = _outside(values, head, at) if head else None
    if outside is not None or (rest and values.known(root) is not None):
        return method(values, outside[0] if outside else values.known(root) or UNKNOWN, tail, at)
    return function(values, called, tail, spans, at, end)


def _table(values: "Values", called: str, at: int) -> "tuple[Texts, int] | None":
    """`Object.keys(o)`, `keys %o`, `$o{$k}`: of a name that holds keys."""
    tables = values.names.tables
    behind = at + 2 if values.at(at + 1) == ("mark", "(") else at + 1
    inner = values.at(behind)[1]
    if called in ("Object.keys", "keys", "array_keys", "Object.values", "values") and inner in tables:
        return tables[inner]["values" in called], behind + (behind - at)
    if called[:1] == "$" and "%" + called[1:] in tables and values.at(at + 1) == ("mark", "{"):
        return tables["%" + called[1:]][1], values.close(at + 1) + 1
    return None


def _outside(values: "Values", called: str, at: int) -> "tuple[Texts, int] | None":
    """process.env.NAME, ENV["NAME"], $ENV{NAME}, getenv("NAME"), process.argv[2], ARGV, __dirname"""
    outer, head, tail = values.outer, called.rpartition(".")[0], called.rpartition(".")[2]
    if head in ("process.env", "Bun.env", "import.meta.env", "$env"):
        return outer.variable(tail), at + 1
    if called in codeouter.ENVIRONMENT and values.at(at + 1)[1] in ("[", "{", "("):
        stop = values.close(at + 1)
        texts = values.elements(at + 2, stop) if values.at(at + 2)[0] != "name" else (values.at(at + 2)[1],)
        spans = values.split(at + 2, ")")
        default = values.value(*spans[1]) if called == "ENV.fetch" and len(spans) > 1 else ()
        return union(*[outer.variable(text) for text in texts[:1]], default), stop + 1
    if called in codeouter.ARGUMENTS:
        if called == "ARGV.shift":
            outer.shifted += 1
            return outer.argument("ARGV", outer.shifted - 1), at + 1
        number = values.at(at + 2)[1]
        if values.at(at + 1) == ("mark", "[") and number.isdigit():
            return outer.argument(called, int(number)), at + 4
        return outer.arguments(), at + 1
    if called == "shift" and values.language == "perl" and not values.names.inside():
        outer.shifted += 1
        return outer.argument("ARGV", outer.shifted - 1), at + 1
    if called == "shift" and values.language == "perl":
        return values.names.shifted(), at + 1
    if called in HERE or called in BESIDE or called in SELF:
        script = outer.script()
        found = outer.folder() if called in HERE else outer.beside() if called in BESIDE else (script or "-",)
        return found, behind(values, at, [])
    return None


def function(
    values: "Values", called: str, tail: str, spans: "list[Span] | None", at: int, end: int
) -> "tuple[Texts, int]":
    after = min(behind(values, at, spans), end)
    own = values.names.result(values, called, spans)
    if own is not None:
        return own, after
    for names, make in _KINDS:
        if called in names or (tail in names and called[:1] != "$"):
            return make(values, called, spans or []), after
    if called.startswith(ELSE) or tail in ELSE:
        return ELSEWHERE, after
    return UNKNOWN, after


def _join(values: "Values", called: str, spans: "list[Span]") -> "Texts":
    given = arguments(values, spans)
    if not given:
        return UNKNOWN
    if called == "join" and values.language in ("perl", "php"):  # join(SEPARATOR, …)
        out = given[1] if len(given) > 1 else UNKNOWN
        for more in given[2:]:
            out = product(out, more, given[0][0])
        return out
    out = ("",)
    for text in given:
        out = beneath(out, text, anew=called.endswith("resolve"))
    return out


def row_joined(values: "Values", at: int, stop: int) -> "Texts":
    """["a", "b"].join("/")"""
    spans = values.groups(stop + 2) or []
    between = values.value(*spans[0]) if spans else (",",)
    out: Texts = ()
    for a, b in values.split(at + 1, ")"):
        out = product(out, values.value(a, b), between[0]) if out else values.value(a, b)
    return out or UNKNOWN


def _same(values: "Values", called: str, spans: "list[Span]") -> "Texts":
    given = arguments(values, spans)
    if called.endswith("expand_path") and len(given) > 1:
        return beneath(given[1], given[0], anew=True)
    if called == "File" and len(given) > 1:  # new File(folder, name)
        return beneath(given[0], given[1])
    return union(*given) or ELSEWHERE


def _first(values: "Values", spans: "list[Span]") -> "Texts":
    return values.value(*spans[0]) if spans else (values.known("$_") or ELSEWHERE)


def _templated(values: "Values", _called: str, spans: "list[Span]") -> "Texts":
    """sprintf("%s/%s", a, b)"""
    out: Texts = ("",)
    given = arguments(values, spans)
    for text in given[0] if len(given) and len(given[0]) == 1 else ():
        pieces, at, place = text.split("%"), 1, 1
        out = (pieces[0],)
        for piece in pieces[1:]:
            kind = piece.lstrip("-+0123456789.")[:1]
            filled = given[place] if place < len(given) else UNKNOWN
            out = product(out, filled if kind in "sv" else ELSEWHERE)
            out = product(out, (piece.lstrip("-+0123456789.")[1:],))
            place, at = place + 1, at + 1
        return out
    return UNKNOWN


def _globbed(values: "Values", called: str, spans: "list[Span]") -> "Texts":
    found = [values.value(a, b) for a, b in spans] if called[:3] == "Dir" else [_first(values, spans)]
    return union(*[values.outer.matching(t) if sure(t) else (t,) for text in found for t in text]) or ELSEWHERE


def _read(values: "Values", _called: str, spans: "list[Span]") -> "Texts":
    return union(*[values.outer.content(text) if sure(text) else ELSEWHERE for text in _first(values, spans)])


def _made(values: "Values", called: str, spans: "list[Span]") -> "Texts":
    start = _first(values, spans)
    return product(start, ELSEWHERE, "/" if called.endswith("tempnam") else "")


def _temporary(values: "Values", called: str, spans: "list[Span]") -> "Texts":
    """A folder for temporary files; one that is made in a place that is given is there."""
    if called.endswith(("tmpdir", "temp_dir", "TempDir", "GetTempPath")) and not called.endswith("mktmpdir"):
        return values.outer.temporary()
    inside = any([values.at(i)[1] in ("dir", "DIR", "tmpdir") for a, b in spans for i in range(a, b)])
    return UNKNOWN if inside or len(spans) > 1 else product(values.outer.temporary(), ELSEWHERE, "/")


_KINDS = (
    (JOINS, _join), (TEMPORARY, _temporary), (MADE, _made), (GLOBS, _globbed), (READS, _read), (TEMPLATES, _templated),
    (ENDS, lambda values, _called, spans: mapped(_first(values, spans), last)),
    (HEADS, lambda values, _called, spans: mapped(_first(values, spans), parent)),
    (LISTS, lambda _values, _called, _spans: ELSEWHERE),
    (SAME, _same),
)  # fmt: skip


EVERY = frozenset().union(*[names for names, _ in _KINDS]) - KEEPS
