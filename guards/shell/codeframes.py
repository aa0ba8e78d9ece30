"""The functions and blocks of a program text that have parameters: where each body lies, and what its names are.

Found by the tokens: arrows, `function f(…) {…}`, methods, `def … end`, `do |x| … end`, `sub f {…}`, `catch (e) {…}`.
"""

from guards.shell.codetexts import UNKNOWN, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codetexts import Texts
    from guards.shell.codevalues import Values

_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "with", "foreach", "elseif", "elsif", "unless", "until", "return", "else"}
)
OPENS = {
    "ruby": frozenset({"if", "unless", "case", "while", "until", "begin", "for", "do", "def", "class", "module"}),
    "lua": frozenset({"function", "if", "do", "repeat"}),
}
_LEADING = frozenset(
    {"if", "unless", "case", "while", "until", "begin", "for", "class", "module"}
)  # in Ruby, else behind
_TYPED = frozenset({"compiled", "php", "powershell"})


class Frame:
    """params: names in order; owner: the function's name; each: the place of the call that it goes through."""

    __slots__ = ("defaults", "each", "end", "names", "owner", "params", "start", "taken")

    def __init__(self, start: int, end: int, params: "list[str]", owner: str = "", each: "int | None" = None) -> None:
        self.start = start
        self.end = end
        self.params = params
        self.owner = owner
        self.each = each
        self.names: dict[str, Texts] = {}
        self.taken = 0  # parameters that Perl's `shift` took
        self.defaults: dict[str, tuple[int, int]] = {}


def found(values: "Values") -> "dict[int, list[Frame]]":
    """The frames by where they start."""
    out: dict[int, list[Frame]] = {}
    ends = closed(values) if values.language in OPENS else {}
    for at, (kind, value) in enumerate(values.found):
        frame = None
        if kind == "mark":
            frame = _marked(values, at, value)
        elif kind == "name" and value == "do" and values.language == "ruby" and values.at(at + 1) == ("mark", "|"):
            frame = _block(values, at, ends.get(at, len(values.found)))
        elif kind == "name" and value in ("function", "def", "sub", "fn", "func", "catch"):
            frame = _function(values, at, ends)
        elif kind == "name" and values.at(at + 1) == ("mark", "(") and value not in _KEYWORDS:
            frame = _method(values, at)
        if frame is not None:
            out.setdefault(frame.start, []).append(frame)
    return out


def closed(values: "Values") -> "dict[int, int]":
    """Words that open a block → where its `end` is."""
    opens = OPENS[values.language]
    stack: list[int] = []
    ends: dict[int, int] = {}
    looping = False
    for at, (kind, value) in enumerate(values.found):
        if kind == "end":
            looping = False
        if kind != "name":
            continue
        before = values.at(at - 1)
        leads = before[0] in ("end", "") or before[1] in (";", "=", "(", "then", "else", "do", "{")
        if value in opens and (values.language == "lua" or value not in _LEADING or leads):
            if value == "do" and looping:
                looping = False
                continue
            looping = values.language == "ruby" and value in ("while", "until", "for")
            stack.append(at)
        elif value in ("end", "until" if values.language == "lua" else "end") and stack:
            ends[stack.pop()] = at
    return ends


def _marked(values: "Values", at: int, value: str) -> "Frame | None":
    if value == "=" and values.at(at + 1) == ("mark", ">") and values.language != "ruby":
        return _arrow(values, at) if values.language in ("javascript", "compiled") else None
    if value == "-" and values.language == "compiled" and values.at(at + 1) == ("mark", ">"):
        return _arrow(values, at)
    if value == "{" and values.language == "ruby" and values.at(at + 1) == ("mark", "|"):
        return _block(values, at, values.close(at))
    return None


def _arrow(values: "Values", at: int) -> Frame:
    """`p => …`, `(p, q) => {…}`"""
    before = at - 1
    params: list[str] = [values.at(before)[1]]
    defaults: dict[str, tuple[int, int]] = {}
    if values.at(before) == ("mark", ")"):
        opening = opened(values, before)
        params, defaults = _names(values, opening)
        before = opening
    body = at + 2
    end = values.close(body) + 1 if values.at(body) == ("mark", "{") else values.stop(body)
    start = before - 1 if values.at(before - 1) != ("name", "async") else before - 2
    sign = values.at(start)[1]
    owner = values.at(start - 1)[1] if sign in ("=", ":") and values.at(start - 1)[0] == "name" else ""
    frame = Frame(at, end, params, owner, _caller(values, start))
    frame.defaults = defaults
    return frame


def _caller(values: "Values", at: int) -> "int | None":
    """The name of the call that a function is the first argument of."""
    return at - 1 if values.at(at) == ("mark", "(") and values.at(at - 1)[0] == "name" else None


def _block(values: "Values", at: int, end: int) -> "Frame | None":
    """`{ |a, b| … }`, `do |a| … end`"""
    stop = next((i for i in range(at + 2, min(at + 40, len(values.found))) if values.at(i) == ("mark", "|")), 0)
    params = [value for kind, value in values.found[at + 2 : stop] if kind == "name"]
    return Frame(stop, end, params, "", at) if stop and params else None


def _function(values: "Values", at: int, ends: "dict[int, int]") -> "Frame | None":
    named = values.at(at + 1)[0] == "name"
    owner = values.at(at + 1)[1] if named and values.at(at)[1] != "catch" else ""
    opening = at + 2 if named and values.at(at)[1] != "catch" else at + 1
    params: list[str] = []
    defaults: dict[str, tuple[int, int]] = {}
    after = opening
    if values.at(opening) == ("mark", "("):
        params, defaults = _names(values, opening)
        after = values.close(opening) + 1
    if not owner and values.at(at - 1) == ("mark", "=") and values.at(at - 2)[0] == "name":
        owner = values.at(at - 2)[1]
    each = None if owner else _caller(values, at - 1 if values.at(at - 1) != ("name", "async") else at - 2)
    if values.language in OPENS:
        if at not in ends:
            return None
        frame = Frame(after, ends[at], params, owner, each)
    else:
        body = next((i for i in range(after, min(after + 12, len(values.found))) if values.at(i) == ("mark", "{")), 0)
        arrow = values.language == "php" and values.at(at)[1] == "fn"
        if not body and not arrow:
            return None
        frame = Frame(body or after, values.stop(after) if arrow else values.close(body) + 1, params, owner, each)
    frame.defaults = defaults
    return frame


def _method(values: "Values", at: int) -> "Frame | None":
    """`name(a, b) {…}` where it is no call: a body follows."""
    if values.language not in ("javascript", "compiled") or values.at(at - 1)[1] in ("function", "new", "."):
        return None
    stop = values.close(at + 1)
    after = stop + 1
    while values.language == "compiled" and values.at(after)[0] == "name" and after < stop + 6:  # throws X
        after += 1
    if values.at(after) != ("mark", "{"):
        return None
    params, defaults = _names(values, at + 1)
    frame = Frame(after, values.close(after) + 1, params, values.at(at)[1].lstrip("."))
    frame.defaults = defaults
    return frame


def _names(values: "Values", opening: int) -> "tuple[list[str], dict[str, tuple[int, int]]]":
    """The parameters in parentheses, and what they are when they are not given."""
    params, defaults = [], {}
    for start, end in values.split(opening + 1, ")"):
        equal = next((i for i in range(start, end) if values.at(i) == ("mark", "=")), end)
        colon = next((i for i in range(start, equal) if values.at(i) == ("mark", ":")), equal)
        names = [value for kind, value in values.found[start:colon] if kind == "name"]
        if values.at(start)[1] in "{[":
            params += ["", *names]  # taken apart: none of them is known by its place
            continue
        last = names[-1] if values.language in _TYPED else names[0] if names else ""
        params.append(last if names else "")
        if equal < end and names:
            defaults[last] = (equal + 1, end)
    return params, defaults


def opened(values: "Values", at: int) -> int:
    """The bracket that opens the one at a place."""
    from guards.shell.codespans import CLOSE, OPEN

    depth = 0
    for here in range(at, max(-1, at - (4000 if values.work > 0 else 8)), -1):
        values.work -= 1
        if values.found[here][0] == "mark":
            depth += (values.found[here][1] in CLOSE) - (values.found[here][1] in OPEN)
        if depth == 0:
            return here
    return 0


def receiver(values: "Values", at: int) -> "Texts":
    """What the call at a name goes through: `files.forEach`, `["a"].forEach`, `Dir["x"].each do`."""
    kind, value = values.at(at)
    start = end = at
    if kind == "name" and value[:1] != "." and value != "do":
        head = value.rpartition(".")[0]
        if value in ("foreach", "each") or not head:
            return UNKNOWN
        known = values.known(head)
        return known if known is not None else values.value(at, at + 1)
    while start > 0:
        before = values.at(start - 1)
        if before == ("mark", ")") or before == ("mark", "]"):
            start = opened(values, start - 1)
            if values.at(start - 1)[0] == "name" and values.at(start - 1)[1] not in _KEYWORDS:
                start -= 1
        elif before[0] in ("name", "text", "raw"):
            start -= 1
            while values.at(start)[0] == "text" and values.at(start - 1)[0] == "text":
                start -= 1
        elif before[0] == "end" and values.at(start)[1][:1] == ".":
            start -= 1
            continue
        if values.at(start)[0] != "name" or values.at(start)[1][:1] != ".":
            break
    return values.value(start, end) if start < end else UNKNOWN


def spread(each: "Texts", number: int) -> "list[Texts]":
    """A block's parameters that goes through texts: the first is one of them, the others are not known."""
    return [union(each)] + [UNKNOWN] * (number - 1)
