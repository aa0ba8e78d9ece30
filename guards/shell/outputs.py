"""What a step is known to print: the input of the next step of a pipeline. None when it is not known.

Listing programs are looked up on disk or asked of git, filters hand on what arrives (grep and the like may hand on
less: for names that is enough), decoders decode. Nothing is run but git, read-only and bounded.
"""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.steps import Step, Word
    from guards.shell.stepping import Walk

LIMIT = 256 << 10  # characters of one output
_FILTERS = frozenset(
    {"sort", "uniq", "tac", "grep", "egrep", "fgrep", "rg", "tee", "sponge", "shuf", "pv", "buffer", "xargs-echo"}
)
_HEADS = ("head", "tail")


def of(walk: "Walk", step: "Step") -> "str | None":
    name = (step.name or "").rsplit("/", 1)[-1]
    words = step.argv[1:]
    known = KNOWN.get(name)
    if known is None or len(walk.history) > 400:
        return None
    found = known(walk, step, words)
    return None if found is None or len(found) > LIMIT else found


def arrived(walk: "Walk", step: "Step") -> "str | None":
    """What arrives at a step that was walked already."""
    if step.stdin is not None or not step.piped or step not in walk.history:
        return walk.arriving(step)
    at = walk.history.index(step)
    later = walk.history[at:]
    del walk.history[at:]
    try:
        return walk.arriving(step)
    finally:
        walk.history += later


def _texts(words: "list[Word]") -> "list[str] | None":
    found = [w.text for w in words]
    return None if None in found else [t for t in found if t is not None]


def _echo(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    texts = _texts(words)
    if texts is None:
        return None
    raw = False
    while texts and len(texts[0]) > 1 and texts[0][0] == "-" and not texts[0][1:].strip("neE"):
        raw = raw or "e" in texts[0]
        texts = texts[1:]
    text = " ".join(texts)
    return escaped(text) if raw else text + "\n"


def escaped(text: str) -> str:
    for code, real in (("\\n", "\n"), ("\\t", "\t"), ("\\0", "\0"), ("\\\\", "\\")):
        text = text.replace(code, real)
    return text


def _printf(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    texts = _texts(words)
    if texts and texts[0] == "--":
        texts = texts[1:]
    if not texts or texts[0][:2] == "-v":
        return None
    form, values = escaped(texts[0]), texts[1:]
    pieces = form.split("%")
    out = ""
    for _ in range(200):
        out += pieces[0]
        for piece in pieces[1:]:
            kind = piece.lstrip("-0123456789.")[:1]
            rest = piece.lstrip("-0123456789.")[1:]
            if kind not in ("s", "b", "d", "q"):
                return None
            out += (values.pop(0) if values else "") + rest
        if not values or len(pieces) == 1:
            return out
    return None


def _cat(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {})
    if not args.operands:
        return arrived(walk, step)
    found = ""
    for word in args.operands:
        text = None if word.text is None else arrived(walk, step) if word.text == "-" else walk.source(step, word.text)
        if text is None:
            text = word.feed
        if text is None:
            return None
        found += text
    return found


def _seq(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    numbers = [w.text for w in words if w.text is not None and w.text.lstrip("-").isdigit()]
    if len(numbers) != len(words) or not 1 <= len(numbers) <= 3:
        return None
    values = [int(n) for n in numbers]
    first, by, last = (
        (1, 1, values[0]) if len(values) == 1 else (values[0], 1, values[1]) if len(values) == 2 else values
    )
    if by == 0 or abs(last - first) > 2000:
        return None
    return "".join([f"{n}\n" for n in range(first, last + (1 if by > 0 else -1), by)])


def _find(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    from guards.shell import finding

    names = finding.printed(walk, step, words)
    zero = any([w.text == "-print0" for w in words])
    return None if names is None else "".join([n + ("\0" if zero else "\n") for n in names])


def _ls(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {})
    if args.has(("-l", "-R")):
        return None
    names: list[str] = []
    for word in args.operands or [words_of.plain(".")]:
        if word.text is None:
            return None
        inner = None if args.has(("-d",)) else walk.world.listdir(walk.full(step, word.text))
        names += [word.text] if inner is None else sorted(inner)
    return "".join([n + "\n" for n in names])


_LISTS = {"ls-files": (), "rev-parse": (), "ls-tree": ("--name-only",), "grep": ("-l", "--files-with-matches", "--name-only")}
_PATCHES = ("diff", "show", "format-patch")
_RUNNING = ("-c", "--output", "-O", "--open-files", "--ext-diff", "--textconv", "--exec-path", "--git-dir", "--no-index", "-o")


def _git(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """Lists of files and patches, asked of git."""
    texts = _texts(words)
    where = step.cwd or walk.event.cwd
    while texts and texts[0] == "-C" and len(texts) > 1:
        where, texts = walk.full(step, texts[1]), texts[2:]
    if not texts or any([t.startswith(_RUNNING) for t in texts]):
        return None
    from guards.shell import gitask

    verb, rest = texts[0], texts[1:]
    needs = _LISTS.get(verb)
    if needs is not None and (not needs or set(needs) & set(rest)):
        return gitask.ask(walk, where, texts)
    if verb in _PATCHES and (verb != "format-patch" or "--stdout" in rest):
        return gitask.ask(walk, where, [verb, "--no-ext-diff", "--no-textconv", "--no-color", *rest])
    return None


def _filter(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """Hands on what arrives, or less of it. With files of its own, what it prints is not known."""
    args = words_of.scan(words, {"value": ("-e", "-f", "-k", "-t", "-n", "-A", "-B", "-C", "-m")})
    name = (step.name or "").rsplit("/", 1)[-1]
    files = len(args.operands)
    if "grep" in name or name == "rg":
        if args.has(("-c", "--count", "-l", "-L", "-q")):
            return None
        files -= 0 if args.values(("-e", "-f")) else 1
    elif name in ("tee", "sponge"):
        files = 0
    return arrived(walk, step) if files <= 0 else None


def _heads(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {"value": ("-n", "-c", "--lines", "--bytes")})
    return _cat(walk, step, args.operands) if not args.has(("-c", "--bytes")) else None


def _decode(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {"value": ("-w", "--wrap")})
    if not args.has(("-d", "-D", "--decode")):
        return None
    import binascii

    text = _cat(walk, step, args.operands)
    try:
        return None if text is None else binascii.a2b_base64(text.encode()).decode("utf-8", "replace")
    except ValueError:
        return None


def _hex(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {"value": ("-c", "-l", "-s")})
    text = _cat(walk, step, args.operands) if args.has(("-r",)) and args.has(("-p", "-ps")) else None
    try:
        return None if text is None else bytes.fromhex(text).decode("utf-8", "replace")
    except ValueError:
        return None


def _rev(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    text = _cat(walk, step, words)
    return None if text is None else "\n".join([line[::-1] for line in text.split("\n")])


def _tr(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """tr SET1 SET2 and tr -d SET with plain ranges (rot13)."""
    args = words_of.scan(words, {})
    sets = _texts(args.operands)
    text = arrived(walk, step)
    if text is None or not sets or any(["[:" in s for s in sets]) or args.has(("-c", "-C", "-s", "-t")):
        return None
    first = _set(escaped(sets[0]))
    if args.has(("-d", "--delete")):
        return "".join([c for c in text if c not in first])
    second = _set(escaped(sets[1])) if len(sets) > 1 else ""
    if not second:
        return None
    second += second[-1] * (len(first) - len(second))
    return text.translate(str.maketrans(first, second[: len(first)]))


def _set(text: str) -> str:
    out, at = "", 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text) and ord(text[at]) <= ord(text[at + 2]):
            out += "".join([chr(n) for n in range(ord(text[at]), ord(text[at + 2]) + 1)])
            at += 3
        else:
            out += text[at]
            at += 1
    return out


KNOWN: "dict[str, Callable[[Walk, Step, list[Word]], str | None]]" = {
    "echo": _echo, "print": _echo, "printf": _printf, "cat": _cat, "seq": _seq, "find": _find, "ls": _ls, "git": _git,
    "base64": _decode, "xxd": _hex, "rev": _rev, "tr": _tr, "head": _heads, "tail": _heads,
    **dict.fromkeys(_FILTERS, _filter),
}  # fmt: skip
