"""What hangs on a value in a program text: methods, properties, an index, a block. And a call's arguments."""

from guards.shell.codeknown import ELSE, KEEPS
from guards.shell.codetexts import ANY, ELSEWHERE, OUTSIDE, UNKNOWN, beneath, last, mapped, parent, sure, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts
    from guards.shell.codevalues import Values

_PUT = ("replace", "replaceAll", "sub", "gsub", "tr", "delete_suffix", "sub_ext")


def method(values: "Values", known: "Texts", called: str, at: int) -> "tuple[Texts, int]":
    """A method, or a property, of what is known; `at` is its name."""
    spans = values.groups(at + 1) if values.at(at + 1) == ("mark", "(") else None
    after = behind(values, at, spans or [])
    given = spans or []
    if called in ("split", "explode") and given:
        return _split(known, values.value(*given[0])), after
    if called == "map" and given:
        found = values.names.arrow(values, given[0], known)
        return (found, after) if found is not None else (UNKNOWN, after)
    if called in ("join", "resolve") and given and values.language in ("ruby", "compiled", "other"):
        return beneath(known, union(*arguments(values, given))), after
    if called in ("child", "sibling", "append") and given and values.language == "perl":
        return beneath(known, values.value(*given[0])), after
    if called in ("basename", "getName", "getFileName", "name"):
        return mapped(known, last), after
    if called in ("dirname", "parent", "getParent"):
        return mapped(known, parent), after
    if called in _PUT:
        return _put(known, arguments(values, given)), after
    if called in ("slice", "substring", "substr") and any([sure(text) for text in known]):
        return UNKNOWN, after
    if called in KEEPS:
        return known, after
    whole = all([text[:1] == OUTSIDE for text in known])
    return (ELSEWHERE if whole or called.startswith(ELSE) or called in ELSE else UNKNOWN), after


def _split(known: "Texts", between: "Texts") -> "Texts":
    """The pieces of what is known."""
    cut = between[0] if len(between) == 1 and sure(between[0]) else "\n"
    found = [piece for text in known for piece in (text.split(cut) if cut else [ANY])]
    return union(tuple(found))


def _put(known: "Texts", given: "list[Texts]") -> "Texts":
    """A replacement of a plain text; where a part is not known, it may be there too."""
    if len(given) != 2 or any([len(each) != 1 or not sure(each[0]) for each in given]):
        return ELSEWHERE if known == ELSEWHERE and not any([ANY in t for each in given for t in each]) else UNKNOWN
    old, new = given[0][0], given[1][0]
    away = "/" in new or ".." in new
    open_ = away and not all([sure(text) for text in known])
    return union(mapped(known, lambda text: text.replace(old, new)), UNKNOWN if open_ else ())


def _called(values: "Values", found: "Texts", name: str, at: int, end: int) -> "tuple[Texts, int]":
    """`require("os").tmpdir()`: a known function of what is not known; else a method."""
    from guards.shell import codecalls

    if found == UNKNOWN and name in codecalls.EVERY:
        return codecalls.function(values, name, name, values.groups(at + 1), at, end)
    return method(values, found, name, at)


def hanging(values: "Values", found: "Texts", at: int, end: int) -> "tuple[Texts, int]":
    """What hangs on an operand: methods, an index, a block."""
    while at < end:
        kind, value = values.found[at]
        if kind == "end" and values.at(at + 1)[1][:1] == "." and values.at(at + 1)[0] == "name":
            at += 1
        elif kind == "name" and value[:1] == ".":
            for part in value[1:].split(".")[:-1]:
                found, _ = method(values, found, part, len(values.found))
            found, at = _called(values, found, value.rpartition(".")[2], at, end)
        elif (kind, value) == ("mark", "[") or ((kind, value) == ("mark", "{") and values.language == "perl"):
            key = values.known("." + values.at(at + 1)[1]) if values.at(at + 1)[0] in ("text", "name") else None
            found, at = key if key is not None else found, values.close(at) + 1
        elif kind == "mark" and value == "(":
            found, at = UNKNOWN, values.close(at) + 1
        elif kind == "mark" and value == "!" and values.language == "javascript":
            at += 1
        elif (kind, value) == ("mark", "{") and values.language == "ruby":
            at = values.close(at) + 1
        else:
            break
    return found, min(at, end)


def behind(values: "Values", at: int, spans: "list[Span] | None") -> int:
    """Where the call at a name ends."""
    if not spans:
        return values.close(at + 1) + 1 if values.at(at + 1) == ("mark", "(") else at + 1
    stop = spans[-1][1]
    if values.at(at + 1) == ("mark", "("):
        return values.close(at + 1) + 1
    return stop


def arguments(values: "Values", spans: "list[Span]") -> "list[Texts]":
    return [values.value(a, b) for a, b in spans]
