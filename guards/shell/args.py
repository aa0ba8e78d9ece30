"""A program's words → its options and operands, by the program's row. Knows nothing of any single program.

Options come as short ones, alone or in a cluster with the value attached or behind (`-Ei.bak`, `-t dir`), as long
ones with `=` or a value behind, shortened as getopt_long allows (`--target-dir=x`), or as long ones with one dash
(`-out f`). `--` ends them. A word that is not static and does not begin like an option counts as an operand.
"""

import marshal

from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

TAKES = ("value", "out", "outdir", "into", "chdir", "text", "early")  # keys of a row whose options take a value
PLAIN = ("glued", "tree", "when", "unless", "pairs")


class Rows:
    """The rows of programs by name: a text of names for each first letter, and packed rows. A command needs few."""

    __slots__ = ("_names", "_open", "_rows")

    def __init__(self, table: "dict[str, Any]") -> None:
        self._names: dict[str, str] = table.get("names", {})
        self._rows: tuple[bytes, ...] = table.get("rows", ())
        self._open: dict[str, dict[str, Any] | None] = {}

    def get(self, name: str) -> "dict[str, Any] | None":
        if name not in self._open:
            names = self._names.get(name[:1], "")
            at = names.find(f"\n{name}\t") if name else -1
            row = None
            if at >= 0:
                start = at + len(name) + 2
                row = marshal.loads(self._rows[int(names[start : names.index("\n", start)])])
            self._open[name] = row
        return self._open[name]

    def __contains__(self, name: str) -> bool:
        return f"\n{name}\t" in self._names.get(name[:1], "")


class Args:
    """options: (name, value Word or None) in order; operands: what is left; rest: what followed `--`."""

    __slots__ = ("ended", "operands", "options")

    def __init__(self) -> None:
        self.options: list[tuple[str, Word | None]] = []
        self.operands: list[Word] = []
        self.ended = False

    def has(self, names: "Iterable[str]") -> bool:
        """Whether one was given; `--mode=check` among the names asks for the value too."""
        return any([n in names or (v is not None and f"{n}={v.text}" in names) for n, v in self.options])

    def values(self, names: "Iterable[str]") -> "list[Word]":
        return [value for name, value in self.options if value is not None and name in names]

    def value(self, *names: str) -> "Word | None":
        """The last one given, as programs take it."""
        found = self.values(names)
        return found[-1] if found else None


def tail(word: Word, cut: int) -> Word:
    """The word without its first `cut` characters, which are static."""
    if word.text is not None:
        return Word(word.text[cut:], word.raw, quoted=word.quoted, glob=word.glob)
    first = word.parts[0][cut:] if word.parts else ""
    parts = ((first,) if first else ()) + word.parts[1:]
    return Word(None, word.raw, word.cause, parts=parts, rough=word.rough[cut:], many=word.many)


def plain(text: str) -> Word:
    return Word(text)


def scan(words: "list[Word]", row: "dict[str, Any]", stop: bool = False) -> Args:
    """`stop`: the first operand ends the options (wrappers: what follows belongs to the inner command)."""
    takes = taken(row)
    glued = row.get("glued", ())
    longs = [n for n in takes if n[:2] == "--"]
    longs += [n for key in PLAIN for n in row.get(key, ()) if n[:2] == "--"]
    args = Args()
    at, end = 0, len(words)
    while at < end:
        word = words[at]
        at += 1
        text = word.text if word.text is not None else word.rough if _optionlike(word) else ""
        if text[:1] != "-" or text == "-" or args.ended:
            args.operands.append(word)
            if stop:
                args.operands += words[at:]
                return args
        elif text == "--":
            args.ended = True
            if stop:
                args.operands += words[at:]
                return args
        elif text in takes:
            args.options.append((text, words[at] if at < end else None))
            at += 1
        elif text[:2] == "--":
            at += _long(args, word, text, takes, longs, words, at)
        else:
            at += _short(args, word, text, takes, glued, words, at)
    return args


def _optionlike(word: Word) -> bool:
    """A word that is not static but begins with a static dash: --output=$X, -o"$X"."""
    return bool(word.parts) and word.parts[0][:1] == "-" and word.rough[:1] == "-"


def _long(
    args: Args, word: Word, text: str, takes: "set[str]", longs: "list[str]", words: "list[Word]", at: int
) -> int:
    """Adds a long option; says how many further words it took."""
    name, equals, _ = text.partition("=")
    if name not in takes:
        name = _whole(name, longs)
    if equals:
        args.options.append((name, tail(word, text.index("=") + 1)))
    elif name in takes:
        args.options.append((name, words[at] if at < len(words) else None))
        return 1
    else:
        args.options.append((name, None))
    return 0


def _whole(name: str, longs: "list[str]") -> str:
    """The one known option that `name` is the beginning of, else `name` itself."""
    if name in longs or len(name) < 4:
        return name
    found = {known for known in longs if known.startswith(name)}
    return found.pop() if len(found) == 1 else name


def _short(
    args: Args, word: Word, text: str, takes: "set[str]", glued: "Iterable[str]", words: "list[Word]", at: int
) -> int:
    name, equals, _ = text.partition("=")
    if equals and len(name) > 2 and name in takes:  # -out=FILE, -sOutputFile=FILE
        args.options.append((name, tail(word, len(name) + 1)))
        return 0
    for place in range(1, len(text)):
        name = "-" + text[place]
        if name in takes:
            if place + 1 < len(text):
                args.options.append((name, tail(word, place + 1)))
                return 0
            args.options.append((name, words[at] if at < len(words) else None))
            return 1
        if name in glued:
            args.options.append((name, tail(word, place + 1)))
            return 0
        args.options.append((name, None))
    if len(text) > 2:
        args.options.append((text, None))  # also whole, for programs whose long options have one dash
    return 0


def taken(row: "dict[str, Any]") -> "set[str]":
    """The options of a row that take a value."""
    return {name for key in TAKES for name in row.get(key, ())}
