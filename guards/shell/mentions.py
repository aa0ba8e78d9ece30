"""Which paths a word that is not exact names: path-shaped words and literals, each judged later as a path.

A mention is never a substring: a message that talks about a path is one word with blanks in it, and no path. Only in
text that could not be read do crude pieces count.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.shell.steps import Step, Word
    from guards.shell.stepping import Walk

LIMIT = 400  # mentions of one effect
LONGEST = 1024  # characters of one
_BLANK = " \t\n\r\x0b\x0c"
# programs whose output is a list of names; what they were asked for is where an unknown target comes from
LISTERS = frozenset(
    {"find", "fd", "fdfind", "ls", "rg", "grep", "egrep", "fgrep", "ag", "git", "cat", "echo", "printf", "dirname", "basename", "realpath", "readlink"}
)  # fmt: skip
_SPLIT = str.maketrans(dict.fromkeys("\"'`$(){}[]<>|&;,=:\\!*?\n\t\r", " "))


def shaped(text: str) -> bool:
    """Whether a word can be a path at all."""
    if not text or len(text) > LONGEST or text[0] == "-" or "://" in text[:16] or "\0" in text:
        return False
    return not any([c in text for c in _BLANK])


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


def of_word(word: "Word", cwd: str) -> "tuple[tuple[str, str], ...]":
    """A word that is not static, with `_` for what is not known: "deploy/$X" is a path below deploy, and "$X/ci.yml"
    may be ci.yml seen from here."""
    if not word.parts:
        return ()
    sample = "_".join(word.parts)
    starts = word.rough.startswith(word.parts[0])
    if not word.rough.endswith(word.parts[-1]):
        sample += "_"
    found = []
    if starts:
        found.append((sample, cwd))
    else:
        found.append(("_" + sample, cwd))
        slash = sample.find("/")
        if slash >= 0:
            found += [(sample[slash:].lstrip("/"), cwd), (sample[slash:], cwd)]
    return tuple([(path, where) for path, where in found if shaped(path)])


def of_origin(walk: "Walk", step: "Step", word: "Word") -> "tuple[tuple[str, str], ...]":
    """Where the value of an unknown word comes from: what the commands whose output it is list, or name.

    A variable is traced to its assignment, to the `read` that filled it, or to the list that a loop goes through.
    """
    found: list[tuple[str, str]] = []
    for earlier in _traced(walk, word):
        found += _listed(walk, earlier)
    return tuple(dict.fromkeys(found[:LIMIT]))


def _traced(walk: "Walk", word: "Word") -> "list[Step]":
    source = word.raw
    names = _variables(word.raw)
    for name in names:
        for at in range(len(walk.history) - 1, -1, -1):
            earlier = walk.history[at]
            if name in earlier.assigns:
                source += "\n" + earlier.assigns[name].raw
                break
            if earlier.name in ("read", "mapfile", "readarray") and any([w.text == name for w in earlier.argv[1:]]):
                return walk.history[max(0, at - 1) : at + 1] if earlier.piped else [earlier]
    traced = [s for s in walk.history if s.argv and s.line and s.line in source]
    if not traced and (word.cause == "command substitution" or not names):
        traced = [s for s in walk.history[-40:] if s.name in LISTERS]
    return traced


def _listed(walk: "Walk", step: "Step") -> "tuple[tuple[str, str], ...]":
    """The names that a step is known to print or to take in; where that is not known, the words it was given."""
    from guards.shell import outputs

    cwd = step.cwd or walk.event.cwd
    text = walk.arriving(step) if step.name in ("read", "mapfile", "readarray") else outputs.of(walk, step)
    if text is None:
        return of_words(step.argv[1:], cwd)
    return of_words(text.replace("\0", "\n").split("\n")[: LIMIT * 2], cwd)


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
        if len(found) > LIMIT * 4:
            break
    return tuple(found)
