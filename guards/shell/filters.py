"""What filters print when what arrives is known: decoders, and programs that hand on lines or fewer of them.

Patterns are read without regular expressions: plain text, `.`, anchors and alternatives. With any other pattern a
filter counts as handing on every line; for lists of names that is more than it would, never less.
"""

from guards.shell import args as words_of
from guards.shell import fresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.args import Args
    from guards.shell.steps import Step, Word

_GREP = {"value": ("-e", "--regexp", "-f", "--file", "-m", "--max-count", "-A", "-B", "-C", "--color", "--label")}


def output(step: "Step") -> "str | None":
    """What the step prints, exactly; None when that is not known."""
    known = KNOWN.get((step.name or "").rsplit("/", 1)[-1])
    text = step.stdin if known is not None else None
    if known is None or text is None or fresh.marked(text):
        return None
    return known(step.argv[1:], text, True)


def of(name: str, words: "list[Word]", text: str) -> "str | None":
    """The same for lists of names: every line it may print, perhaps more."""
    known = KNOWN.get(name)
    return None if known is None else known(words, text, False)


def _texts(words: "list[Word]") -> "list[str] | None":
    found = [w.text for w in words]
    return None if None in found else [t for t in found if t is not None]


def _base64(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    args = words_of.scan(words, {"value": ("-w", "--wrap")})
    if not args.has(("-d", "-D", "--decode")) or args.operands:
        return None
    import binascii

    try:
        return binascii.a2b_base64(text.encode()).decode("utf-8", "replace")
    except ValueError:
        return None


def _xxd(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    args = words_of.scan(words, {"value": ("-c", "-l", "-s")})
    if not (args.has(("-r",)) and args.has(("-p", "-ps"))) or [w for w in args.operands if w.text != "-"]:
        return None
    try:
        return bytes.fromhex(text).decode("utf-8", "replace")
    except ValueError:
        return None


def _rev(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    return None if words else "\n".join([line[::-1] for line in text.split("\n")])


def _tr(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    """Tr SET1 SET2 and tr -d SET with plain ranges (rot13)."""
    args = words_of.scan(words, {})
    sets = _texts(args.operands)
    if not sets or any(["[:" in s for s in sets]) or args.has(("-c", "-C", "-s", "-t")):
        return None
    first = _set(sets[0])
    if args.has(("-d", "--delete")):
        return "".join([c for c in text if c not in first])
    second = _set(sets[1]) if len(sets) > 1 else ""
    if not second:
        return None
    second += second[-1] * (len(first) - len(second))
    return text.translate(str.maketrans(first, second[: len(first)]))


def _set(text: str) -> str:
    for code, real in (("\\n", "\n"), ("\\t", "\t"), ("\\0", "\0"), ("\\\\", "\\")):
        text = text.replace(code, real)
    out, at = "", 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text) and ord(text[at]) <= ord(text[at + 2]):
            out += "".join([chr(n) for n in range(ord(text[at]), ord(text[at + 2]) + 1)])
            at += 3
        else:
            out += text[at]
            at += 1
    return out


def _sort(words: "list[Word]", text: str, exact: bool) -> "str | None":
    """Operands would be files of their own; an order by anything but the whole line is not worked out."""
    args = words_of.scan(words, {"value": ("-k", "-t", "-n", "-S", "-T", "-o", "--key", "--field-separator")})
    if [w for w in args.operands if w.text != "-"]:
        return None
    if not exact:
        return text
    if any([name not in ("-u", "-r", "-ur", "-ru") for name, _ in args.options]):
        return None
    lines = sorted(text.splitlines(), reverse=args.has(("-r",)))
    lines = list(dict.fromkeys(lines)) if args.has(("-u",)) else lines
    return "".join([line + "\n" for line in lines])


def _lines(words: "list[Word]", text: str, exact: bool) -> "str | None":
    """uniq, shuf: the same lines, in some order."""
    return None if exact or [w for w in words if (w.text or "-")[:1] != "-"] else text


def _tac(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    return None if words else "".join(reversed(text.splitlines(keepends=True)))


def _same(_words: "list[Word]", text: str, _exact: bool) -> "str | None":
    return text


def _own_files(words: "list[Word]") -> bool:
    """Whether head or tail has files of its own, or counts bytes."""
    args = words_of.scan(words, {"value": ("-n", "-c", "--lines", "--bytes")})
    return bool([w for w in args.operands if w.text != "-"]) or args.has(("-c", "--bytes"))


def _head(words: "list[Word]", text: str, exact: bool) -> "str | None":
    count = _count(words)
    if _own_files(words):
        return None
    return text if count is None or not exact else "".join(text.splitlines(keepends=True)[:count])


def _tail(words: "list[Word]", text: str, exact: bool) -> "str | None":
    count = _count(words)
    if _own_files(words):
        return None
    return text if not count or not exact else "".join(text.splitlines(keepends=True)[-count:])


def _count(words: "list[Word]") -> "int | None":
    """-n 3, -n3, -3"""
    texts = [w.text or "" for w in words]
    for at, text in enumerate(texts):
        number = (
            texts[at + 1]
            if text == "-n" and at + 1 < len(texts)
            else text[2:]
            if text[:2] == "-n"
            else text[1:]
            if text[:1] == "-"
            else ""
        )
        if number.isdigit():
            return int(number)
    return None if texts else 10


def _grep(words: "list[Word]", text: str, exact: bool) -> "str | None":
    args = words_of.scan(words, _GREP)
    if args.has(("-c", "--count", "-l", "-L", "-q", "-o", "--only-matching", "-n", "-H", "-f", "--file")):
        return None
    patterns = [v.text for v in args.values(("-e", "--regexp"))]
    operands = args.operands
    if not patterns and operands:
        patterns, operands = [operands[0].text], operands[1:]
    if [w for w in operands if w.text != "-"]:
        return None
    fixed = args.has(("-F", "--fixed-strings"))
    tests = [_pattern(p, fixed, args.has(("-E", "--extended-regexp"))) for p in patterns]
    if None in tests or args.has(("-w", "-x", "-z", "-P")):
        return _by_expression(args, text, exact)
    wanted = [alternative for test in tests for alternative in test or ()]
    fold = args.has(("-i", "--ignore-case"))
    back = args.has(("-v", "--invert-match"))
    kept = [
        line
        for line in text.splitlines(keepends=True)
        if any([_found(w, line.rstrip("\n"), fold) for w in wanted]) != back
    ]
    return "".join(kept)


def _by_expression(args: "Args", text: str, exact: bool) -> "str | None":
    """More than a plain pattern: held against each line as far as it is decided."""
    from guards.shell.patterns import Pattern

    pattern = Pattern(args, "grep", lines=True)
    end = "\0" if args.has(("-z", "--null-data")) else "\n"
    back = args.has(("-v", "--invert-match"))
    lines = text.removesuffix(end).split(end) if text else []
    answers = [pattern.line(line) for line in lines]
    if exact and None in answers:
        return None
    return "".join([line + end for line, found in zip(lines, answers, strict=True) if found is None or found != back])


def _egrep(words: "list[Word]", text: str, exact: bool) -> "str | None":
    return _grep([words_of.plain("-E"), *words], text, exact)


def _fgrep(words: "list[Word]", text: str, exact: bool) -> "str | None":
    return _grep([words_of.plain("-F"), *words], text, exact)


def _pattern(pattern: "str | None", fixed: bool, extended: bool) -> "list[str] | None":
    """The alternatives of a plain pattern, as shell patterns; None for anything more."""
    if pattern is None:
        return None
    if fixed:
        return ["*" + _plain(line) + "*" for line in pattern.split("\n")]
    found = []
    for piece in pattern.split("|" if extended else "\\|"):
        start, end = piece[:1] == "^", piece[-1:] == "$" and piece[-2:] != "\\$"
        body, out, at = piece[start : len(piece) - end], "", 0
        while at < len(body):
            c = body[at]
            if c == "\\" and at + 1 < len(body) and not body[at + 1].isalnum():
                at += 1
                out += _plain(body[at])
            elif c == "." and body[at + 1 : at + 2] == "*":
                at += 1
                out += "*"
            elif c == ".":
                out += "?"
            elif c in "\\*[]()" + "+?{}|" * extended:
                return None
            else:
                out += _plain(c)
            at += 1
        found.append(("" if start else "*") + out + ("" if end else "*"))
    return found


def _plain(text: str) -> str:
    return "".join(["\\" + c if c in "*?[\\" else c for c in text])


def _found(pattern: str, line: str, fold: bool) -> bool:
    from guards.shell.globs import match

    return match(pattern.lower(), line.lower()) if fold else match(pattern, line)


def _sed(words: "list[Word]", text: str, exact: bool) -> "str | None":
    from guards.shell import generated

    return generated.sed(words, text, exact)


KNOWN: "dict[str, Callable[[list[Word], str, bool], str | None]]" = {
    "base64": _base64, "xxd": _xxd, "rev": _rev, "tr": _tr, "head": _head, "tail": _tail, "grep": _grep,
    "egrep": _egrep, "fgrep": _fgrep, "rg": _egrep, "ripgrep": _egrep, "sort": _sort, "gsort": _sort, "uniq": _lines,
    "shuf": _lines, "tac": _tac, "sed": _sed, "gsed": _sed,
    **dict.fromkeys(("tee", "sponge", "pv", "cat"), _same),
}  # fmt: skip
