"""Which paths a word that is not exact names: path-shaped words and literals, each judged later as a path.

A mention is never a substring: a message that talks about a path is one word with blanks in it, and no path. Only in
text that could not be read do crude pieces count.
"""

from guards.engine.world import join
from guards.shell.stepping import shaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.engine.world import World
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

LIMIT = 20_000  # mentions of one effect; what is longer runs out of time, and that refuses
LINES = 6000  # names of a listing that are looked at
TEMPORARY = ("TMPDIR", "TMP", "TEMP", "RUNNER_TEMP", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "BATS_TMPDIR")
# programs whose output is a list of names; what they were asked for is where an unknown target comes from
LISTERS = frozenset(
    {"find", "fd", "fdfind", "ls", "rg", "grep", "egrep", "fgrep", "ag", "git", "cat", "echo", "printf", "dirname",
     "basename", "realpath", "readlink"}
)  # fmt: skip
DECLARES = ("declare", "local", "typeset", "export", "readonly")
_SPLIT = str.maketrans(dict.fromkeys("\"'`$(){}[]<>|&;,=:\\!*?#^@%~\n\t\r", " "))


def of_words(words: "Iterable[Word | str]", cwd: str) -> "tuple[tuple[str, str], ...]":
    """The mentions among words: whole words, the value behind `=`, the value of an attached option."""
    found: list[tuple[str, str]] = []
    for word in words:
        if isinstance(word, str):
            found += _of_text(word, cwd)
        elif word.text is not None:
            found += _of_text(word.text, cwd)
        else:
            found += of_word(word, cwd)
        if len(found) > LIMIT:
            break
    return tuple(dict.fromkeys(found[:LIMIT]))


def _of_text(text: str, cwd: str) -> "list[tuple[str, str]]":
    found = []
    if shaped(text):
        found.append((text, cwd))
    if "=" in text:
        value = text.split("=", 1)[1]
        if shaped(value):
            found.append((value, cwd))
    return found


def of_word(word: "Word", cwd: str, world: "World | None" = None) -> "tuple[tuple[str, str], ...]":
    """A word that is not static, with `_` for what is not known: "deploy/$X" is a path below deploy.

    One that begins with what is not known may be seen from here ("$ROOT/deploy/x"), but only where something of that
    name is there, or from the root when the variable is empty; folders for temporary files are elsewhere.
    """
    if not word.parts or elsewhere(word):
        return ()
    sample = "_".join(word.parts)
    if not word.rough.endswith(word.parts[-1]):
        sample += "_"
    if word.rough.startswith(word.parts[0]):
        found = [sample]
    elif sample[:1] != "/":
        found = ["_" + sample]
    else:
        first = sample.lstrip("/").partition("/")[0]
        near = world is None or world.lstat(join(cwd, first)) is not None
        found = [sample.lstrip("/"), sample] if near else [sample]
    return tuple([(path, cwd) for path in found if shaped(path)])


def elsewhere(word: "Word") -> bool:
    """Begins with a folder for temporary files."""
    name = word.raw.lstrip("\"'").lstrip("${")
    return any(
        [
            name.startswith(known)
            and not (name[len(known) : len(known) + 1].isalnum() or name[len(known) : len(known) + 1] == "_")
            for known in TEMPORARY
        ]
    )


def of_target(walk: "Walk", step: "Step", word: "Word") -> "tuple[tuple[str, str], ...]":
    """The mentions of a target that is not known: its own parts, and where its value comes from."""
    if any(
        [s.name == "mktemp" and not any([w.text in ("-p", "--tmpdir") for w in s.argv]) for s in traced(walk, word)]
    ):
        return ()
    return of_word(word, step.cwd or walk.event.cwd, walk.world) + of_origin(walk, step, word)


def of_origin(walk: "Walk", step: "Step", word: "Word") -> "tuple[tuple[str, str], ...]":
    """Where the value of an unknown word comes from: what the commands whose output it is list, or name.

    A variable is traced to its assignment, to the `read` that filled it, or to the list that a loop goes through.
    """
    found: list[tuple[str, str]] = []
    for earlier in traced(walk, word):
        found += _listed(walk, earlier)
    return tuple(dict.fromkeys(found[:LIMIT]))


def handed(walk: "Walk", step: "Step") -> "list[Word | str]":
    """What a program is given beside its words: the lines that arrive, and the variables that are set for it."""
    lines = (walk.arriving(step) or "").splitlines()[:LINES]
    return [*[line.strip() for line in lines], *[word for word in step.assigns.values() if word.text is not None]]


def traced(walk: "Walk", word: "Word") -> "list[Step]":
    source = word.raw
    names = _variables(word.raw)
    for name in names:
        for at in range(len(walk.history) - 1, -1, -1):
            earlier = walk.history[at]
            if name in earlier.assigns:
                source += "\n" + earlier.assigns[name].raw
                break
            if earlier.name in DECLARES and any([w.raw.startswith(name + "=") for w in earlier.argv[1:]]):
                return [earlier]
            if earlier.name in ("read", "mapfile", "readarray") and any([w.text == name for w in earlier.argv[1:]]):
                return _sources_of_read(walk, at)
    found = [s for s in walk.history if s.argv and s.line and s.line in source]
    if word.cause.startswith("names that") and walk.history:
        found = _pipeline(walk)
    if not found and (word.cause == "command substitution" or not names):
        found = [s for s in walk.history[-40:] if s.name in LISTERS]
    return found


def _pipeline(walk: "Walk") -> "list[Step]":
    """The steps whose output a list of names comes from: back to the start of the pipe."""
    found: list[Step] = []
    for earlier in reversed(walk.history[-12:]):
        found.append(earlier)
        if not earlier.piped:
            break
    return found


def _sources_of_read(walk: "Walk", at: int) -> "list[Step]":
    """What `read` takes its lines from: the pipe before it, its own input, or that of the loop around it."""
    if walk.history[at].piped:
        return walk.history[max(0, at - 1) : at + 1]
    loop = next(
        (s for s in reversed(walk.history[:at]) if not s.argv and any([r.op == "<" for r in s.redirects])), None
    )
    return [walk.history[at], loop] if loop is not None else [walk.history[at]]


def _listed(walk: "Walk", step: "Step") -> "tuple[tuple[str, str], ...]":
    """The names that a step is known to print or to take in; where that is not known, the words it was given."""
    from guards.shell import outputs

    cwd = step.cwd or walk.event.cwd
    if step.name in DECLARES:
        return crude([w.raw for w in step.argv[1:]], cwd)
    if step.name == "basename":  # it prints last parts of names
        ends = [w.text if w.text is not None else w.parts[-1] if w.parts else "" for w in step.argv[1:]]
        return of_words([end.rstrip("/").rpartition("/")[2] for end in ends], cwd)
    takes = not step.argv or step.name in ("read", "mapfile", "readarray")
    text = outputs.may(walk, step, takes)
    if text is None and step.piped and not takes:  # what a filter makes of names: its words count in pieces
        return of_words(step.argv[1:], cwd) + crude([w.rough for w in step.argv[1:]], cwd)
    if text is None:
        return of_words(step.argv[1:], cwd)
    return of_words(text.replace("\0", "\n").split("\n")[:LINES], cwd)


def decoded(text: str) -> str:
    """A literal that is base64 of plain text, as that text; else ""."""
    if (
        not 8 <= len(text) <= 4096
        or len(text) % 4
        or not text.rstrip("=").replace("+", "a").replace("/", "a").isalnum()
    ):
        return ""
    import binascii

    try:
        found = binascii.a2b_base64(text.encode()).decode("ascii")
    except ValueError:
        return ""
    return found if found.isprintable() else ""


def _variables(raw: str) -> "list[str]":
    """The names of the variables in a word's source text."""
    names = []
    for piece in raw.split("$")[1:]:
        piece = piece.lstrip("{")
        end = 0
        while end < len(piece) and (piece[end].isalnum() or piece[end] == "_"):
            end += 1
        if end:
            names.append(piece[:end])
    return names


def crude(words: "Iterable[str]", cwd: str) -> "tuple[tuple[str, str], ...]":
    """The pieces of unreadable text."""
    found: dict[tuple[str, str], None] = {}
    for word in words:
        for piece in (word, *word.translate(_SPLIT).split()):
            if shaped(piece):
                found[piece, cwd] = None
        if len(found) > LIMIT:
            break
    return tuple(found)
