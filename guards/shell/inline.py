"""Interpreters: a program text in an option, on standard input or in a script at hand, and who reads it.

Shell text goes back to the walk, Python is read by its syntax tree, the others by their literals (code.py). A
script that is not at hand, or is too long, is opaque: its arguments are its mentions.
"""

from guards.shell import args as words_of
from guards.shell.stepping import FILTERS, RUNNER, Command, shaped
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step

HEAD = 256  # bytes in which a script's first line must end


class Call:
    """texts: program text from options; script: the file; rest: arguments; flags: options without a value."""

    __slots__ = ("flags", "module", "rest", "script", "texts")

    def __init__(self) -> None:
        self.texts: list[Word] = []
        self.script: Word | None = None
        self.rest: list[Word] = []
        self.flags: list[str] = []
        self.module: Word | None = None


def parse(words: "list[Word]", row: "dict[str, Any]") -> Call:
    """The command line of an interpreter. In a cluster the last letter may take a value: `-lc TEXT`, `-pe TEXT`."""
    call = Call()
    text_options, values = row.get("text", ()), words_of.taken(row)
    shell = row["language"] == "shell"
    wants = False
    at = 0
    while at < len(words):
        word = words[at]
        text = word.text if word.text is not None else ""
        if text[:1] not in ("-", "+") or text in ("-", "+"):
            break
        at += 1
        if text == "--":
            break
        name, equals, _ = text.partition("=")
        if equals and name in text_options:
            call.texts.append(words_of.tail(word, len(name) + 1))
        elif text == "-m" and row["language"] == "python":
            call.module = words[at] if at < len(words) else None
            call.rest = words[at + 1 :]
            return call
        elif text in values and not (shell and text in text_options):
            if text in text_options:
                call.texts += words[at : at + 1]
            at += 1
            if call.texts and row["language"] == "python":
                break
        elif text[:2] == "--":
            call.flags.append(name)
        else:
            taken, found = _cluster(word, text, words, at, text_options, values, shell)
            at += taken
            call.flags += ["-" + c for c in text[1:]]
            wants = wants or found == "wanted"
            if isinstance(found, Word):
                call.texts.append(found)
                if row["language"] == "python":
                    break
    call.rest = words[at:]
    if call.rest and (wants or (not call.texts and "*" in text_options)):
        call.texts.append(call.rest.pop(0))
    elif not call.texts and call.rest:
        call.script = call.rest.pop(0)
    return call


def _cluster(
    word: Word, text: str, words: "list[Word]", at: int, texts: "tuple[str, ...]", values: "set[str]", shell: bool
) -> "tuple[int, Word | str | None]":
    """(further words taken, program text found in it; "wanted" where a shell takes its first operand for it)"""
    found: Word | str | None = None
    for place in range(1, len(text)):
        name = "-" + text[place]
        if shell and name in texts:
            found = "wanted"
        elif name in values or name in texts:
            attached = not shell and place + 1 < len(text)
            value = words_of.tail(word, place + 1) if attached else words[at] if at < len(words) else None
            if name in texts and value is not None:
                found = value
            return 0 if attached else 1, found
    return 0, found


def interpreter(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    call = parse(words, row)
    language = row["language"]
    if any([flag in row.get("unless", ()) or flag in ("--help", "--version") for flag in call.flags]):
        return
    if language == "shell":
        _started_with(walk, step)
    elif "out" in row or "outdir" in row:
        from guards.shell.programs import named

        named(walk, step, words_of.scan(words, row, stop=True), row)
    if "early" in row:
        from guards.shell import early

        early.scripts(walk, step, words, row)
        if call.script is not None:
            call.script = early.whole(walk, step, call.script, row)
    if call.module is not None:
        _module(walk, step, call.module, call.rest)
        return
    for text in call.texts:
        given = call.rest if language == "shell" else [words_of.plain("-c"), *call.rest]
        code(walk, step, text.rough, given, language, known=text.text is not None)
    if call.texts:
        return
    if call.script is not None and call.script.text not in ("-", "/dev/stdin") and "-s" not in call.flags:
        script(walk, step, call.script, call.rest, language)
        return
    given = [call.script] if call.script is not None and "-s" in call.flags else []
    arrives(walk, step, given + call.rest, language)


PROFILES = (".bash_profile", ".bash_login", ".profile", ".bashrc", ".zshenv", ".zshrc", ".zprofile")


def _started_with(walk: "Walk", step: "Step") -> None:
    """BASH_ENV and ENV name a file that a shell reads first."""
    for name in ("BASH_ENV", "ENV"):
        word = step.assigns.get(name)
        path = word.text if word is not None else step.env.get(name)
        if path:
            script(walk, step, words_of.plain(path), [], "shell")
    for at, word in enumerate(step.argv[:-1]):
        if word.text in ("--rcfile", "--init-file"):
            script(walk, step, step.argv[at + 1], [], "shell")
    home = step.assigns["HOME"].text if "HOME" in step.assigns else step.env.get("HOME")
    for name in PROFILES if home else ():  # one that this text wrote
        if step.files.get(f"{home}/{name}"):
            script(walk, step, words_of.plain(f"{home}/{name}"), [], "shell")


def _module(walk: "Walk", step: "Step", name: Word, rest: "list[Word]") -> None:
    """Python -m NAME: a program of that name, or a module of the project."""
    if name.text == "code":
        arrives(walk, step, rest, "python")
        return
    if name.text == "pdb":  # its commands are Python as well
        for at, word in enumerate(rest[1:]):
            if rest[at].text in ("-c", "--command"):
                code(walk, step, word.rough.removeprefix("!"), [], "python")
    if name.text is None or name.text in walk.programs:
        walk.inner(step, [name, *rest])
        return
    if name.text == "timeit":
        for word in rest:
            code(walk, step, word.rough, [], "python")
        return
    base = name.text.replace(".", "/")
    for path in (base + ".py", base + "/__main__.py", "src/" + base + ".py"):
        if walk.exists(step, path):
            script(walk, step, words_of.plain(path), rest, "python")
            return
    walk.commands.append(Command([name, *rest], {}, step.cwd, step))
    walk.opaque(step, rest, f"{RUNNER} (python -m {name.text})")


def arrives(walk: "Walk", step: "Step", rest: "list[Word]", language: str) -> None:
    """The program comes on standard input."""
    text = walk.arriving(step)
    if text is not None:
        code(walk, step, text, [words_of.plain("-"), *rest], language, known=step.exact)
    elif step.piped:
        from guards.shell import generated, origins

        steps = origins.pipeline(walk) if walk.before(step) is not None else []
        words = [word for each in steps for word in each.argv[1:]]
        made = generated.pieces(walk, steps)
        walk.opaque(step, [*words, *_pieces(words), *made], "a program text that arrives through a pipe")
        for each in steps:
            sifted(walk, step, each, language)


def sifted(walk: "Walk", step: "Step", earlier: "Step", language: str) -> None:
    """A filter's output is code: what the whole file holds that it takes lines from is the most that may run."""
    if (earlier.name or "").rsplit("/", 1)[-1] not in FILTERS:
        return
    words = [*earlier.argv[1:], *[r.target for r in earlier.redirects if r.op == "<" and r.target is not None]]
    for word in words:
        text = walk.source(earlier, word.text) if word.text and shaped(word.text) else None
        if text and "\0" not in text[:1024] and (language != "shell" or _readable(walk, step, text)):
            code(walk, step, text, [words_of.plain("-")], language, known=False)


def _readable(walk: "Walk", step: "Step", text: str) -> bool:
    """Whether a file is shell code to its end; prose and data are left to what they are a filter's input for."""
    from guards.shell import read

    return not read.steps(text, step.cwd, step.env, walk.world, walk.table).unreadable


def _pieces(words: "list[Word]") -> "list[Word]":
    """The single words of what an unknown program text is made of."""
    return [words_of.plain(piece) for w in words if " " in w.rough for piece in w.rough.split()]


def script(walk: "Walk", step: "Step", name: Word, rest: "list[Word]", language: str) -> None:
    """A script file named in argv."""
    if name.feed is not None:
        code(walk, step, name.feed, [name, *rest], language)
        return
    if name.text is None:
        walk.opaque(step, rest, f"a script whose name is not known ({name.cause})")
        return
    text = walk.source(step, name.text)
    if text is None or "\0" in text[:1024]:
        walk.opaque(step, rest, f"a script that is not at hand ({name.text})")
        if name.cause == "process substitution":
            from guards.shell import origins

            for each in origins.traced(walk, name):
                sifted(walk, step, each, language)
        return
    code(walk, step, text, [name, *rest], language)


def code(walk: "Walk", step: "Step", text: str, args: "list[Word]", language: str, known: bool = True) -> None:
    """A program text with its arguments (the first is $0 or the script), to the reader of its language."""
    if language == "shell":
        walk.text(step, text, args)
    elif language == "python":
        from guards.shell import python

        python.read(walk, step, text, args)
    elif language == "tcl":
        from guards.shell import tcl

        tcl.read(walk, step, text, args)
    else:
        from guards.shell import code as literals

        literals.read(walk, step, text, args, language)


def started(walk: "Walk", step: "Step", argv: "list[Word]") -> bool:
    """A file started by its path: its first line says who reads it. False when it is no script at hand."""
    name = argv[0].text or ""
    here = walk.source(step, name)
    if here is None or "\0" in here[:1024]:
        return False
    first, _, _ = here[:HEAD].partition("\n")
    if first[:2] != "#!":
        code(walk, step, here, argv, "shell")
        return True
    words = [words_of.plain(w) for w in first[2:].split()]
    if words and (words[0].text or "").endswith("/env"):
        words = [w for w in words[1:] if (w.text or "")[:1] != "-" and "=" not in (w.text or "")] or words
    if not words:
        return False
    from guards.shell.programs import find

    row, _ = find(walk, words[0].text or "", [])
    if row is None or not row.get("language"):
        return False
    code(walk, step, here, argv, row["language"])
    return True


def sources(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """`go run x.go`: a compiler that starts what it made of a file; a folder is a project, and those are not read."""
    args = words_of.scan(words, row, stop=True).operands
    name = (args[0].text or "").rsplit("/", 1)[-1].partition("@") if args else ("", "", "")
    if name[1] and name[0] in walk.programs:  # go run golang.org/x/tools/cmd/goimports@latest
        walk.inner(step, args)
        return
    for at, word in enumerate(args):
        if not (word.text or "").endswith(row["endings"]) and word.text != "/dev/stdin":
            break
        text = walk.arriving(step) if word.text == "/dev/stdin" else walk.source(step, word.text or "")
        if text is not None and "\0" not in text[:1024]:
            code(walk, step, text, [word, *args[at + 1 :]], row["language"])
    from guards.shell.programs import named

    named(walk, step, words_of.scan(words, row), row)
    walk.leave(f"{row['id']}: {RUNNER}")
