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


def handed(walk: "Walk", step: "Step") -> "list[Word | str]":
    """What a program is given beside its words: the lines that arrive, and the variables that are set for it."""
    lines = (walk.arriving(step) or "").splitlines()[:LINES]
    said = [word.rough for word in step.argv[1:]]
    for path, text in step.files.items():  # what the text wrote to files that the program is told of
        if text and any([path.rpartition("/")[2] in words for words in said]):
            lines += text.splitlines()[:LINES]
    return [*[line.strip() for line in lines], *[word for word in step.assigns.values() if word.text is not None]]


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
