"""Where the value of an unknown word comes from: the commands, lists and variables that lead to it.

What they are known to list counts as mentions, seen from the folder that the word begins with; where that is not
known, from here.
"""

from guards.engine.world import join
from guards.shell.mentions import DECLARES, LIMIT, LINES, LISTERS, crude, elsewhere, of_word, of_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word


LISTS = ("find", "fd", "fdfind", "ls", "rg", "grep", "git", "compgen")  # programs that print names of files
READS = ("read", "mapfile", "readarray")
OWN = ("TMP_", "SCRATCH")  # how variables begin that people name their temporary folders with


def of_target(walk: "Walk", step: "Step", word: "Word") -> "tuple[tuple[str, str], ...]":
    """The mentions of a target that is not known: its own parts, and where its value comes from."""
    if any(
        [s.name == "mktemp" and not any([w.text in ("-p", "--tmpdir") for w in s.argv]) for s in traced(walk, word)]
    ):
        return ()
    cwd = step.cwd or walk.event.cwd
    temporary = own(walk, word)
    found = of_origin(walk, step, word)
    found = tuple(dict.fromkeys([*found, *[(_altered(word, path), where) for path, where in found]]))
    base = "/tmp/" if temporary else folder(word)
    if base:
        found = tuple([(path.lstrip("/"), join(cwd, base)) for path, _ in found])
    return found if temporary else of_word(word, cwd, walk.world) + found


def _altered(word: "Word", path: str) -> str:
    """A name as `${f/A/B}`, `${f#A}` or `${f%A}` in the word makes it, where A and B are plain text."""
    for piece in (word.raw + word.rough).split("${")[1:]:
        body = piece.partition("}")[0]
        name = body[: len(body) - len(body.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"))]
        op = body[len(name) :]
        sought, _, made = op.lstrip("/").partition("/")
        if op[:1] == "/" and sought:
            return path.replace(sought, made)
        if op[:1] == "#":
            return path.removeprefix(op.lstrip("#"))
        if op[:1] == "%":
            return path.removesuffix(op.lstrip("%"))
    return path


def folder(word: "Word") -> str:
    """The folder that a word surely leads beneath, whatever its unknown part is; "" where there is none."""
    whole = word.rough.strip('"')
    if whole.startswith("$(dirname ") and whole.endswith(")") and ".." not in word.rough + word.raw:
        lead = whole[10:].lstrip(' "').partition("$")[0]
        return lead[: lead.rindex("/") + 1] if "/" in lead and not set("`;|&)") & set(lead) else ""
    first = word.parts[0] if word.parts else ""
    if "/" not in first or ".." in word.rough or ".." in word.raw or not word.rough.startswith(first):
        return ""
    return first[: first.rindex("/") + 1]


def own(walk: "Walk", word: "Word") -> bool:
    """Begins with a folder for temporary files, by the name of a variable that the text does not set."""
    begins, slash, _ = word.raw.lstrip("\"'").partition("/")
    if elsewhere(word):
        return bool(slash)
    name = begins.rstrip("\"'").lstrip("${").rstrip("}")
    if not slash or not name.startswith(OWN) or word.cause != "variable " + name:
        return False
    return not any([s.name in READS and any([w.text == name for w in s.argv]) for s in walk.history])


def of_origin(walk: "Walk", step: "Step", word: "Word") -> "tuple[tuple[str, str], ...]":
    """Where the value of an unknown word comes from: what the commands whose output it is list, or name.

    A variable is traced to its assignment, to the `read` that filled it, or to the list that a loop goes through.
    What a filter that is known hands on stands for what goes into it.
    """
    from guards.shell import outputs

    found: list[tuple[str, str]] = []
    steps = traced(walk, word)
    places = {id(each): at for at, each in enumerate(walk.history)}
    for at, earlier in enumerate(steps):
        later = steps[at + 1] if at + 1 < len(steps) else None
        behind = later is not None and places.get(id(later)) == places.get(id(earlier), -2) + 1
        if later is not None and behind and later.piped and later.name not in READS:
            if outputs.may(walk, later) is not None:
                continue
        found += _listed(walk, earlier)
    return tuple(dict.fromkeys(found[:LIMIT]))


def traced(walk: "Walk", word: "Word") -> "list[Step]":
    source = word.raw + "\n" + word.rough
    names = _variables(word.raw)
    declared: list[Step] = []
    for name in names:
        for at in range(len(walk.history) - 1, -1, -1):
            earlier = walk.history[at]
            if name in earlier.assigns:
                source += "\n" + earlier.assigns[name].raw
                break
            if earlier.name in DECLARES and any([w.raw.startswith(name + "=") for w in earlier.argv[1:]]):
                source += "\n" + "\n".join([w.raw for w in earlier.argv[1:]])
                declared.append(earlier)
                break
            if earlier.name in READS and any([w.text == name for w in earlier.argv[1:]]):
                return _sources_of_read(walk, at)
    found = [s for s in walk.history if s.argv and s.line and s.line in source and s not in declared]
    found = found or declared
    if word.cause.startswith("names that") and walk.history:
        found = pipeline(walk)
    if not found and (word.cause == "command substitution" or not names):
        found = [s for s in walk.history[-40:] if s.name in LISTERS]
    return found


def pipeline(walk: "Walk") -> "list[Step]":
    """The steps whose output a list of names comes from: back to the start of the pipe."""
    found: list[Step] = []
    for earlier in reversed(walk.history[-12:]):
        found.append(earlier)
        if not earlier.piped:
            break
    return found


def _sources_of_read(walk: "Walk", at: int) -> "list[Step]":
    """What `read` takes its lines from: the pipe before it, its own input, or that of the loop around it."""
    read = walk.history[at]
    if read.piped:
        first = at
        for earlier in range(at - 1, -1, -1):  # in later turns of a loop, its own body stands before it
            if not walk.history[earlier].piped:
                break
            first = earlier if walk.history[earlier].line == read.line else first
        return [*walk.history[max(0, first - 1) : first], read]
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
    takes = not step.argv or step.name in READS
    text = outputs.may(walk, step, takes)
    if text is None and step.piped and not takes:  # what a filter makes of names: its words count in pieces
        return of_words(step.argv[1:], cwd) + crude([w.rough for w in step.argv[1:]], cwd)
    if text is None:
        return of_words(step.argv[1:], cwd)
    return of_words(text.replace("\0", "\n").split("\n")[:LINES], cwd)


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
