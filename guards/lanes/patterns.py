"""Which patterns of a compiled index a path matches: dictionary look-ups first, a small automaton for the rest.

gitignore's rules without negation, on folded parts: a pattern that matches a folder matches all that lies in it, and
`x/` also matches the name `x` itself. guards/compile/gitignore.py makes the index; nothing here loads `re`.

A pattern's tokens are one per part: None is `**`, a string a literal name, a tuple a name with wildcards, whose items
are a character, 0 for `*`, 1 for `?`, or (negated, characters, ranges) for a bracket.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Tokens = tuple[Any, ...]
    Index = dict[str, Any]


def match(index: "Index", parts: "list[str]") -> "list[tuple[int, int]]":
    """(pattern number, how many parts it needed) for every pattern that matches the path or a folder above it."""
    found: list[tuple[int, int]] = []
    names, inner, globs = index["names"], index["inner"], index["globs"]
    ends, starts = index["ends"], index["starts"]
    for i, part in enumerate(parts):
        if part in names:
            found += [(n, i + 1) for n in names[part]]
        if part in inner:
            for rest, n in inner[part]:
                if tuple(parts[i + 1 : i + 1 + len(rest)]) == rest:
                    found.append((n, i + 1 + len(rest)))
        if part in globs:
            _try(globs[part], parts, found)
        if part.endswith(ends):
            found += [(n, i + 1) for text, n in index["end"] if part.endswith(text)]
        if part.startswith(starts):
            found += [(n, i + 1) for text, n in index["start"] if part.startswith(text)]
    if index["holds"]:
        _holds(index["holds"], parts, found)
    if parts and parts[0] in index["firsts"]:
        _anchored(index["paths"], parts, found)
    _try(index["any"], parts, found)
    return found


def _holds(holds: "tuple[tuple[str, int], ...]", parts: "list[str]", found: "list[tuple[int, int]]") -> None:
    whole = "/".join(parts)
    for text, n in holds:
        if text in whole:
            found += [(n, i + 1) for i, part in enumerate(parts) if text in part]


def _anchored(paths: "dict[str, tuple[int, ...]]", parts: "list[str]", found: "list[tuple[int, int]]") -> None:
    path = ""
    for i, part in enumerate(parts):
        path = path + "/" + part if path else part
        if path in paths:
            found += [(n, i + 1) for n in paths[path]]


def _try(patterns: "tuple[tuple[Tokens, int], ...]", parts: "list[str]", found: "list[tuple[int, int]]") -> None:
    for tokens, n in patterns:
        depth = accepts(tokens, parts)
        if depth and (n, depth) not in found:
            found.append((n, depth))


def accepts(tokens: "Tokens", parts: "list[str]") -> int:
    """How many leading parts the pattern needs to match, 0 when it does not."""
    states = _spread({0}, tokens)
    for i, part in enumerate(parts):
        states = _step(states, tokens, part)
        if len(tokens) in states:
            return i + 1
        if not states:
            break
    return 0


def pending(tokens: "Tokens", parts: "list[str]") -> "set[int]":
    """Where in the pattern one stands after these parts, if something below them can still match.

    A pattern that may begin anywhere and has not begun yet does not count.
    """
    states = _spread({0}, tokens)
    for part in parts:
        states = _step(states, tokens, part)
    begun = 2 if tokens[0] is None else 0
    return {state for state in states if begun <= state < len(tokens)}


def step(states: "set[int]", tokens: "Tokens", part: str) -> "set[int]":
    """The places in the pattern after one more part."""
    return _step(_spread(states, tokens), tokens, part)


def _step(states: "set[int]", tokens: "Tokens", part: str) -> "set[int]":
    after: set[int] = set()
    for state in states:
        if state == len(tokens):
            continue
        token = tokens[state]
        if token is None:
            after.add(state)
        elif token == part if token.__class__ is str else name(token, part):
            after.add(state + 1)
    return _spread(after, tokens)


def _spread(states: "set[int]", tokens: "Tokens") -> "set[int]":
    """`**` also stands for no part at all."""
    for state in list(states):
        if state < len(tokens) and tokens[state] is None:
            states.add(state + 1)
    return states


def name(items: "tuple[Any, ...]", text: str) -> bool:
    """Whether one name matches: at most one step back to the last `*`, so the time is bounded by the product."""
    i = j = 0
    star = back = -1
    while j < len(text):
        item = items[i] if i < len(items) else None
        if item == 0 and item is not None:
            star, back = i, j
            i += 1
        elif item is not None and _one(item, text[j]):
            i += 1
            j += 1
        elif star >= 0:
            back += 1
            i, j = star + 1, back
        else:
            return False
    return all([item == 0 for item in items[i:]])


def _one(item: "Any", char: str) -> bool:
    if item == 1:
        return True
    if item.__class__ is str:
        return bool(item == char)
    negated, chars, ranges = item
    hit = char in chars or any([low <= char <= high for low, high in ranges])
    return bool(hit != negated)
