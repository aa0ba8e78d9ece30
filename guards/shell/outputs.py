"""What a step is known to print: the input of the next step of a pipeline. None when it is not known.

What the text itself shows (echo, printf, cat of a file) the reader knows already. Here listings are looked up on
disk or asked of git, and filters hand on what arrives (filters.py). Nothing is run but git, read-only and bounded.
"""

from guards.shell import args as words_of
from guards.shell import filters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

LIMIT = 256 << 10  # characters of one output
HISTORY = 400  # steps of a command among which pipes are followed
_LISTS = {
    "ls-files": (), "rev-parse": (), "ls-tree": ("--name-only",), "diff": ("--name-only",),
    "grep": ("-l", "--files-with-matches", "--name-only"),
}  # fmt: skip
_PATCHES = ("diff", "show", "format-patch", "log", "stash", "diff-tree", "diff-index")
_PATCH = ("-p", "-u", "--patch")  # the last four print one only then
_RUNNING = ("-c", "--output", "-O", "--open-files", "--ext-diff", "--textconv", "--exec-path", "--git-dir", "-o")


def of(walk: "Walk", step: "Step") -> "str | None":
    name = (step.name or "").rsplit("/", 1)[-1]
    if len(walk.history) > HISTORY:
        return None
    known = KNOWN.get(name)
    if known is not None:
        found = known(walk, step, step.argv[1:])
    elif name in filters.KNOWN:
        text = _arrived(walk, step)
        found = None if text is None else filters.of(name, step.argv[1:], text)
    else:
        found = None
    return None if found is None or len(found) > LIMIT else found


def may(walk: "Walk", step: "Step", takes: bool = False) -> "str | None":
    """The same where only what may be in it is known: for mentions, never for names that are sure. `takes`: what it
    gets counts, not what it prints."""
    held, walk.loose = walk.loose, True
    try:
        return walk.arriving(step) if takes else of(walk, step)
    finally:
        walk.loose = held


def _arrived(walk: "Walk", step: "Step") -> "str | None":
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


def _cat(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    args = words_of.scan(words, {})
    found = "" if args.operands else _arrived(walk, step)
    for word in args.operands:
        text = _arrived(walk, step) if word.text == "-" else walk.source(step, word.text) if word.text else word.feed
        found = None if text is None or found is None else found + text
    return found


def _base64(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """base64 FILE, either way."""
    args = words_of.scan(words, {"value": ("-w", "--wrap")})
    text = walk.content(step, args.operands[0]) if args.operands else _arrived(walk, step)
    if text is None or args.has(("-d", "-D", "--decode")):
        return None if text is None else filters.of("base64", [words_of.plain("-d")], text)
    import binascii

    return binascii.b2a_base64(text.encode("utf-8", "replace")).decode()


def _seq(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    numbers = [w.text for w in words if w.text is not None and w.text.lstrip("-").isdigit()]
    if len(numbers) != len(words) or not 1 <= len(numbers) <= 3:
        return None
    values = [int(n) for n in numbers]
    first, by, last = [1, 1, *values] if len(values) == 1 else [values[0], 1, values[1]] if len(values) == 2 else values
    if by == 0 or abs(last - first) > 2000:
        return None
    return "".join([f"{n}\n" for n in range(first, last + (1 if by > 0 else -1), by)])


def _find(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    from guards.shell import finding

    names = finding.printed(walk, step, words)
    zero = any([w.text == "-print0" for w in words])
    run = next((i for i, w in enumerate(words) if w.text in ("-exec", "-execdir")), None)
    if run is not None and names is not None:
        argv = words[run + 1 : next((i for i, w in enumerate(words) if w.text in (";", "+") and i > run), len(words))]
        known = argv[-1:] and argv[-1].text == "{}" and KNOWN.get(argv[0].text or "") is _grep
        return _search(walk, step, [*argv[:-1], *[words_of.plain(n) for n in names]]) if known else None
    form = next((words[i + 1].text for i, w in enumerate(words[:-1]) if w.text == "-printf"), None)
    if form is not None and names is not None:
        from guards.shell import generated

        made = [generated.formatted(form, name) for name in names]
        return None if None in made else "".join([text for text in made if text is not None])
    return None if names is None else "".join([n + ("\0" if zero else "\n") for n in names])


def _jq(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    from guards.shell import generated

    found = generated.query_of(words)
    if found is None:
        return None
    text = walk.content(step, found[1]) if found[1] is not None else _arrived(walk, step)
    return None if text is None else generated.queried(text, found[0], True)


def _compgen(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """The form compgen -G PATTERN."""
    from guards.shell import globs

    texts = _texts(words)
    if texts is None or len(texts) != 2 or texts[0] != "-G":
        return None
    found = globs.expand(texts[1], step.cwd or walk.event.cwd, walk.world, [])
    return None if found is None else "".join([name + "\n" for name in found])


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


def _grep(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """The files that a search lists; else the lines that come through."""
    from guards.shell import searching

    name = (step.name or "").rsplit("/", 1)[-1]
    rg = name in ("rg", "ripgrep")
    args = searching.options(words, rg)
    if not searching.lists(args, rg):
        text = _arrived(walk, step) if step.piped or step.stdin is not None else None
        return None if text is None else filters.of(name, words, text)
    found = searching.listed(walk, step, args, name)
    if found is None or not (found[1] or walk.loose):
        return None
    zero = args.has(("--null", "-0" if rg else "-Z"))
    return "".join([n + ("\0" if zero else "\n") for n in found[0]])


def _xargs(walk: "Walk", step: "Step", words: "list[Word]") -> "str | None":
    """`… | xargs grep -l PATTERN`: what the search lists of the names that arrive."""
    from guards.shell import lists

    args = words_of.scan(words, walk.programs.get("xargs") or {}, stop=True)
    name = (args.operands[0].text or "").rsplit("/", 1)[-1] if args.operands else ""
    text = _arrived(walk, step) if KNOWN.get(name) is _grep else None
    if text is None or args.has(("-a", "--arg-file", *lists.REPLACE)):
        return None
    return _search(walk, step, [*args.operands, *[words_of.plain(n) for n in lists.items(text, args, False)]])


def _search(walk: "Walk", step: "Step", argv: "list[Word]") -> "str | None":
    """A search that another program starts with names of its own."""
    from guards.shell import searching
    from guards.shell.stepping import derive

    name = (argv[0].text or "").rsplit("/", 1)[-1]
    if not searching.lists(searching.options(argv[1:], name == "rg"), name == "rg"):
        return None
    return _grep(walk, derive(step, argv), argv[1:])


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
    flags = {"-" + c for t in rest if t[:1] == "-" and t[:2] != "--" for c in t[1:]} | set(rest)
    if needs is not None and (not needs or set(needs) & flags):
        return gitask.ask(walk, where, texts)
    if verb == "format-patch" and "--stdout" not in rest:
        return None
    if verb in _PATCHES[3:] and not (set(_PATCH) & flags and (verb != "stash" or rest[0] == "show")):
        return None
    if verb in _PATCHES:
        first = 1 if verb == "stash" else 0
        safe = ["--no-ext-diff", "--no-textconv", "--no-color"]
        return gitask.ask(walk, where, [verb, *rest[:first], *safe, *rest[first:]])
    return None


KNOWN: "dict[str, Callable[[Walk, Step, list[Word]], str | None]]" = {
    "base64": _base64, "cat": _cat, "seq": _seq, "find": _find, "ls": _ls, "git": _git, "grep": _grep, "egrep": _grep,
    "fgrep": _grep, "rg": _grep, "ripgrep": _grep, "xargs": _xargs, "gxargs": _xargs,
    "jq": _jq, "compgen": _compgen,
}  # fmt: skip
