"""Atoms -> words: how the parts of an expanded word become the fields a program gets, and globs the paths they match.

Text is handled one character a byte (latin-1), as the kernel sees it, and becomes real text when a Word is made.
Values are text, or a tuple of text and Holes where a part is not known, or a list of such for an array. An atom is
(kind, text or Hole, whether quoted).
"""

from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Value = str | tuple[Any, ...] | list[Any]

TEXT, HOLE, BREAK, LOOSE = 0, 1, 2, 3  # LOOSE is what an unquoted expansion gave: it is split
BLANKS = " \t\n"
GLOBS = frozenset("*?[")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


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
    """Split at the characters of IFS: blanks in a row are one separator, any other ends a field, if an empty one."""
    separators = m.separators()
    if separators is None:
        rows[-1].append((HOLE, Hole("IFS", text, many=True), False))
        return
    piece = ""
    blank = False  # a field was ended by a blank: another separator behind it belongs to the same end
    for c in text:
        if c not in separators:
            piece += c
            blank = False
            continue
        if piece:
            rows[-1].append((TEXT, piece, False))
            piece = ""
        if c in BLANKS:
            if rows[-1]:
                rows.append([])
                blank = True
        elif blank and not rows[-1]:
            blank = False
        else:
            if not rows[-1]:
                rows[-1].append((TEXT, "", True))
            rows.append([])
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


def several(value: "Any") -> bool:
    """Whether a parameter may stand for several, or none."""
    return isinstance(value, tuple) and any(isinstance(piece, Hole) and piece.many for piece in value)


def nth(args: "list[Any]", n: int) -> "Any":
    """$n: behind a parameter that may be several it can be any of those."""
    for index, value in enumerate(args):
        if several(value) and index < n:
            return value
    return args[n - 1] if n <= len(args) else ""


def value_of(word: Word) -> "Any":
    """A word as the value of a variable."""
    if word.text is not None:
        return narrow(word.text)
    return (Hole(word.cause, narrow(word.rough), word.many, tuple([narrow(p) for p in word.parts])),)
