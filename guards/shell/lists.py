"""xargs and parallel: a command for each of a list of names. Where the list is known, each command is read with its
names; where it is not, with one unknown name that comes from whatever made the list."""

from guards.shell import args as words_of
from guards.shell.programs import ASKS, named
from guards.shell.steps import Word
from guards.shell.wrappers import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step

ITEMS = 2000  # names taken of one list
RUNS = 300  # commands read for one list
REPLACE = ("-I", "-i", "--replace", "-J")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\0": "\0"}


def xargs(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row, stop=True)
    if args.has(ASKS):
        return
    file = args.value("-a", "--arg-file")
    text = walk.content(step, file)
    base = args.operands or [words_of.plain("echo")]
    holder = _holder(args)
    found = None if text is None else items(text, args, holder is not None)
    stdin = None if file is not None else ""
    if found is None:
        name = Word(None, "", "names that xargs reads", many=True)
        walk.inner(step, _put(base, holder, [name]), stdin=stdin)
        return
    size = _number(args, len(found), holder)
    for at in range(0, min(len(found), size * RUNS), size):
        walk.inner(step, _put(base, holder, [words_of.plain(i) for i in found[at : at + size]]), stdin=stdin)


def _holder(args: "Args") -> "str | None":
    """The text that is replaced, where one is."""
    for option, value in reversed(args.options):
        if option in REPLACE:
            return (value.text if value is not None else "") or "{}"
    return None


def _number(args: "Args", count: int, holder: "str | None") -> int:
    value = args.value("-n", "--max-args", "-L", "--max-lines")
    text = (value.text if value is not None else None) or ""
    if holder is not None:
        return 1
    return int(text) if text.strip("0").isdigit() else max(count, 1)


def items(text: str, args: "Args", lines: bool) -> "list[str]":
    """The names as xargs splits them."""
    delimiter = args.value("-d", "--delimiter")
    if args.has(("-0", "--null")):
        found = text.split("\0")
    elif delimiter is not None:
        found = text.split(_ESCAPES.get(delimiter.rough, delimiter.rough[:1] or "\n"))
    elif lines:
        found = [line.strip() for line in text.splitlines()]
    else:
        found = unquoted(text)
    return [i for i in found[:ITEMS] if i]


def unquoted(text: str) -> "list[str]":
    """Split at blanks; quotes and backslashes keep blanks, as xargs reads them."""
    found: list[str] = []
    now, inside, started = "", "", False
    at = 0
    while at < len(text):
        c = text[at]
        at += 1
        if inside:
            if c == inside:
                inside = ""
            else:
                now += c
        elif c in "'\"":
            inside, started = c, True
        elif c == "\\" and at < len(text):
            now += text[at]
            at += 1
        elif c in " \t\n":
            if now or started:
                found.append(now)
            now, started = "", False
        else:
            now += c
    return [*found, now] if now else found


def _put(base: "list[Word]", holder: "str | None", items: "list[Word]") -> "list[Word]":
    """The command with the names at its end, or in place of the holder."""
    if holder is None:
        return base + items
    return [replaced(word, holder, items[0]) if items else word for word in base]


def replaced(word: Word, holder: str, item: Word) -> Word:
    if word.text is None or holder not in word.text:
        return word
    if item.text is not None:
        return words_of.plain(word.text.replace(holder, item.text))
    parts = tuple([p for p in word.text.split(holder) if p])
    return Word(None, item.raw, item.cause, parts=parts, rough=word.text, many=False)


def parallel(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """GNU parallel: its command is shell text, its names stand behind `:::`, in a file behind `::::`, or arrive."""
    cut = next((i for i, w in enumerate(words) if w.text in (":::", "::::", ":::+", "::::+")), len(words))
    args = words_of.scan(words[:cut], row, stop=True)
    if args.has(("--dry-run", "--dryrun", *ASKS)):
        return
    named(walk, step, args, row)
    if args.value("-S", "--sshlogin") is not None:
        walk.leave("parallel: another machine")
        return
    items = _sources(walk, step, words[cut:]) if cut < len(words) else _lines(walk, step, args)
    if items is None:
        items = [Word(None, "", "names that parallel reads", many=True)]
    for item in items[:RUNS]:
        _parallel(walk, step, args.operands, item)


def _sources(walk: "Walk", step: "Step", words: "list[Word]") -> "list[Word] | None":
    found: list[Word] = []
    mode = ""
    for word in words:
        if word.text in (":::", "::::", ":::+", "::::+"):
            mode = word.text
        elif mode.startswith("::::"):
            text = walk.arriving(step) if word.text == "-" else walk.source(step, word.text or "")
            if text is None:
                return None
            found += [words_of.plain(line) for line in text.splitlines() if line]
        else:
            found.append(word)
    return found[:ITEMS]


def _lines(walk: "Walk", step: "Step", args: "Args") -> "list[Word] | None":
    file = args.value("-a", "--arg-file")
    text = walk.content(step, file)
    if text is None:
        return None
    pieces = text.split("\0") if args.has(("-0", "--null")) else text.splitlines()
    return [words_of.plain(p) for p in pieces[:ITEMS] if p]


def _parallel(walk: "Walk", step: "Step", base: "list[Word]", item: Word) -> None:
    if not base:
        walk.text(step, item.rough)
        return
    names = _forms(item)
    texts = [w.rough for w in base]
    if not any([form in text for text in texts for form in names]):
        texts.append("{}")
    if item.text is None:
        holder = next((f for f in names if any([f in t for t in texts])), "{}")
        walk.inner(step, [replaced(words_of.plain(t), holder, item) for t in texts])
        return
    for form, text in names.items():
        texts = [t.replace(form, quote(words_of.plain(text))) for t in texts]
    walk.text(step, " ".join(texts))


def _forms(item: Word) -> "dict[str, str]":
    """What parallel puts in place of its holders."""
    text = item.text or ""
    folder, _, name = text.rpartition("/")
    stem = text.rsplit(".", 1)[0] if "." in name else text
    return {"{}": text, "{.}": stem, "{//}": folder or ".", "{/.}": stem.rsplit("/", 1)[-1], "{/}": name, "{1}": text}
