"""Ordinary files with extraordinary fields: the edit is applied in memory, both sides are parsed, and only a change of
a listed field counts.

Where a side does not parse (or the edit cannot be applied) the text decides: whether what changes lies in, or names, a
listed field. A call that does not tell what it writes cannot be compared, and that is the reason given.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World

    Fields = tuple[tuple[str, ...], ...]

LIMIT = 4 << 20  # bytes of a manifest; the largest public ones are below 100 KB
_MISSING = object()
_SPACE = " \t\r\n"
_UNSHOWN = "does not show what it would write, so its "


class Unparsed(Exception):
    """A side that is no document of the manifest's format."""


class _Rules:
    """What `_json.make_scanner` asks of a decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}


def judge(change: "tuple[Any, ...] | None", act: str, path: str, kind: str, fields: "Fields", world: "World") -> str:
    """Why the call is refused: a phrase such as "changes version"; "" when it leaves the listed fields alone."""
    data = world.read(path, LIMIT)
    old = _text(data)
    if act == "delete":
        return _lost(old, kind, fields)
    if data is not None and len(data) > LIMIT:
        old = None
    later = change is not None and change[0] == "later"
    if change is None:
        return _UNSHOWN + _named(fields) + " cannot be compared"
    sides = [] if old is None else _played(old, change[1]) if later else _after(old, change)
    if old is None or not sides:
        return _UNSHOWN + _named(fields) + " cannot be compared" if later else _spoken(change, fields)
    for new in sides:
        why = compare(old, new, kind, fields)
        if why:
            return why
    return ""


def compare(old: str, new: str, kind: str, fields: "Fields") -> str:
    """The listed fields that differ between two texts of a manifest, as a phrase; "" when none does."""
    try:
        before, after = parse(old, kind), parse(new, kind)
    except Unparsed:
        touched = [field for field in fields if _touched(old, new, field)]
        return "touches the text of " + _named(tuple(touched)) + " in a file that does not parse" if touched else ""
    changed = tuple([field for field in fields if not _same(_get(before, field), _get(after, field))])
    return "changes " + _named(changed) if changed else ""


def parse(text: str, kind: str) -> "Any":
    """The document; an empty one counts as one without fields. Raises Unparsed."""
    text = text.removeprefix("\ufeff")
    if not text.strip(_SPACE):
        return {}
    return _toml(text) if kind == "toml" else _json(text)


def _json(text: str) -> "Any":
    from _json import make_scanner

    rules: Any = _Rules
    text = text.strip(_SPACE)
    try:
        value, end = make_scanner(rules)(text, 0)
    except (ValueError, StopIteration, SystemError, RecursionError) as fault:
        raise Unparsed from fault
    if end != len(text):
        raise Unparsed
    return value


def _toml(text: str) -> "Any":
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Unparsed from fault


def _text(data: bytes | None) -> str | None:
    """The file as the tools see it: line ends made one, "" for a file that is not there; None when it is no text."""
    if data is None:
        return ""
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def _after(old: str, change: "tuple[Any, ...]") -> "list[str]":
    """What the file may hold afterwards; [] when the edit cannot be applied to what is there."""
    how, what = change
    if how == "content":
        return [what.replace("\r\n", "\n")]
    first = every = old
    for before, after, everywhere in what:
        before, after = before.replace("\r\n", "\n"), after.replace("\r\n", "\n")
        if not before:
            if first:
                return []
            first = every = after
        elif before not in first or before not in every:
            return []
        else:
            first = first.replace(before, after, -1 if everywhere else 1)
            every = every.replace(before, after)
    return [first] if first == every else [first, every]


def _played(old: str, steps: "tuple[Any, ...]") -> "list[str]":
    """What the file holds after each change of a command, and what it would hold if only that one were made (any of
    them may not run); [] when one of them is not known."""
    now: str = old
    sides: list[str] = []
    for step in steps:
        after, alone = step(now), step(old)
        if after is None or alone is None:
            return []
        now = after
        sides += [now.replace("\r\n", "\n"), alone.replace("\r\n", "\n")]
    return list(dict.fromkeys(sides))


def _spoken(change: "tuple[Any, ...]", fields: "Fields") -> str:
    """By the edit's own words, where it cannot be applied."""
    how, what = change
    texts = [_unescaped(text) for text in ([what] if how == "content" else [t for pair in what for t in pair[:2]])]
    named = tuple([field for field in fields if any([_spans(text, field[-1]) for text in texts])])
    return "names " + _named(named) + " in an edit that does not fit the file" if named else ""


def _lost(old: str | None, kind: str, fields: "Fields") -> str:
    """Taking the file away takes its fields away."""
    if old == "":
        return ""
    try:
        document = parse(old or "", kind) if old is not None else {}
    except Unparsed:
        document = None
    if document is None or old is None:
        return "takes away a file that may hold " + _named(fields)
    held = tuple([field for field in fields if _get(document, field) is not _MISSING])
    return "takes away " + _named(held) if held else ""


def _get(document: "Any", field: "tuple[str, ...]") -> "Any":
    for key in field:
        if not isinstance(document, dict) or key not in document:
            return _MISSING
        document = document[key]
    return document


def _same(one: "Any", other: "Any") -> bool:
    """Equal as documents: the number 1 is not true, and the order of keys counts (`exports` is read in order)."""
    if one is _MISSING or other is _MISSING:
        return one is other
    return repr(one) == repr(other)


def _touched(old: str, new: str, field: "tuple[str, ...]") -> bool:
    """Whether the part in which two texts differ meets a place where the field is spelled, or its value."""
    old, new = _unescaped(old), _unescaped(new)
    if old == new:
        return False
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shortest - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    for text in (old, new):
        low, high = text.rfind("\n", 0, start) + 1, text.find("\n", len(text) - tail)
        high = len(text) if high < 0 else high
        if any([begin <= high and low <= end for begin, end in _spans(text, field[-1])]):
            return True
    return False


def _spans(text: str, key: str) -> "list[tuple[int, int]]":
    """(start, end) of every place that spells the key as a word, with the value that follows it."""
    spans: list[tuple[int, int]] = []
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        if not _wordy(text[at - 1 : at]) and not _wordy(text[end : end + 1]):
            spans.append((at, _value_end(text, end)))
        at = text.find(key, end)
    return spans


def _unescaped(text: str) -> str:
    """A letter of a key can be written by its code point."""
    if "\\u" not in text and "\\U" not in text:
        return text
    first, *pieces = text.replace("\\U0000", "\\u").split("\\u")
    out = first
    for piece in pieces:
        try:
            out += chr(int(piece[:4], 16)) + piece[4:]
        except ValueError:
            out += "\\u" + piece
    return out


def _wordy(char: str) -> bool:
    return char.isalnum() or char in ("_", "-") if char else False


def _value_end(text: str, at: int) -> int:
    """Where the value after a key ends: at a line's end outside of brackets, once it has begun."""
    while at < len(text) and text[at] in "\"' \t\r\n:=":
        at += 1
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "{[(":
            depth += 1
        elif char in "}])":
            depth -= 1
        if depth < 0 or (char == "\n" and depth == 0):
            break
        at += 1
    return at


def _named(fields: "Fields") -> str:
    names = [".".join(field) for field in fields]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
