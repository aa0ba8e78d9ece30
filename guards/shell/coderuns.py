"""Commands that a program text starts, and text that it runs: shell text, a program with its words, code.

Words that are not known stand as shell variables that nobody set, so that the shell's own rules for such words hold.
"""

from guards.shell import args as words_of
from guards.shell.codetexts import ANY, OUTSIDE, sure
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.code import Marks, Program
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts

DEPTH = 3  # texts that are run within texts
RUNS = frozenset({"eval", "Function", "runInThisContext", "runInNewContext", "runInContext", "Script", "instance_eval",
                  "class_eval", "load", "loadstring", "Worker", "assert"})  # fmt: skip
SELF = {
    "process.execPath": "node",
    "RbConfig.ruby": "ruby",
    "PHP_BINARY": "php",
    "$^X": "perl",
    "process.argv0": "node",
}


def text(program: "Program", found: "Texts") -> None:
    """Shell text; one that is not known at all is an unknown write."""
    for each in found:
        if each.strip(ANY + OUTSIDE):
            program.walk.text(program.step, each.replace(ANY, '"$__"').replace(OUTSIDE, '"$__"'))
            if ANY in each:
                program.doubt("write", "a command", each if each[:1] != ANY else ANY)
        elif ANY in each:
            program.doubt("write", "a command")


def command(program: "Program", given: "list[Texts]", groups: "list[Span]", place: int) -> None:
    """Shell text, or a program with its words."""
    if place > len(given):
        return
    values = program.values
    words: list[list[Word]] = [_words(program, *groups[place - 1])]
    stdin = None
    for a, b in groups[place:]:
        if values.at(a) == ("mark", "{") or (values.at(a)[0] == "name" and values.at(a + 1) == ("mark", ":")):
            stdin = _input(program, a, b) or stdin
        elif values.at(a) == ("mark", "(") and values.at(b - 1)[1] in "})":
            continue  # a function that is called back
        else:
            words.append(_words(program, a, b))
    argv = [word for row in words for word in row]
    first = given[place - 1]
    begin = groups[place - 1][0]
    while values.at(begin) in (("mark", "*"), ("mark", ".")):
        begin += 1
    listed = values.at(begin) == ("mark", "[") or values.at(begin)[1] in (*program.given.lists, "@ARGV")
    itself = values.at(begin)[1] in SELF
    if len(words) == 1 and not listed and not itself:
        if stdin is None or len(first) > 1 or not sure(first[0]):
            text(program, first)
        else:
            program.walk.inner(program.step, [words_of.plain(w) for w in first[0].split()], stdin=stdin)
        return
    for name in (argv[0].text or ANY,) if argv and (listed or itself) else first:
        if sure(name):
            program.walk.inner(program.step, [words_of.plain(name), *argv[1:]], stdin=stdin)
            if " " in name:
                program.walk.text(program.step, name)
        else:
            program.doubt("write", "a command")


def _words(program: "Program", start: int, end: int) -> "list[Word]":
    """One argument as the words that it stands for: a list, a name that holds one, a text."""
    values = program.values
    while start < end and values.at(start)[1] in ("...", ".", "*", "@") and values.at(start)[0] == "mark":
        start += 1
    kind, name = values.at(start)
    if kind == "name" and name in program.given.lists and end == start + 1:
        start, end = program.given.lists[name]
    if values.at(start)[1] in ("[", "(") and values.at(start)[0] == "mark" and values.close(start) + 1 >= end:
        inner = values.split(start + 1, ")")
        return [word for a, b in inner if b <= end for word in _words(program, a, b)]
    if kind == "name" and name in SELF:
        return [words_of.plain(SELF[name])]
    if all([k == "text" for k, _ in values.found[start:end]]):
        return [words_of.plain(v) for _, v in values.found[start:end]]  # qw(a b)
    return [_word(each) for each in values.value(start, end)]


def _word(each: str) -> Word:
    if sure(each):
        return words_of.plain(each)
    parts = tuple([part for part in each.replace(OUTSIDE, ANY).split(ANY) if part])
    return Word(None, each, "a value of the program", parts=parts, rough=each)


def _input(program: "Program", start: int, end: int) -> "str | None":
    """`{ input: "…" }`"""
    values = program.values
    for at in range(start, end):
        if values.at(at)[1] in ("input", "stdin_data") and values.at(at + 1) == ("mark", ":"):
            found = values.value(at + 2, values.stop(at + 2))
            return found[0] if len(found) == 1 and sure(found[0]) else None
    return None


def code(program: "Program", name: str, given: "list[Texts]", groups: "list[Span]") -> None:
    """Text that is run as code of the same language: read where it is known, opaque where it is not."""
    from guards.shell import code as programs

    runs = name.rpartition(".")[2] in RUNS
    if name.rpartition(".")[2] == "Worker" and not [
        1 for a, b in groups for i in range(a, b) if program.values.at(i)[1] == "eval"
    ]:
        return  # a script of its own
    found = given[-1] if name.endswith("Function") and given else given[0] if given else ()
    known = runs and found and all([sure(each) for each in found])
    names = {*program.renamed, *program.values.names.owners}
    if known and program.depth < DEPTH:
        for each in found:
            programs.read(program.walk, program.step, each, program.args, program.values.language, program.depth + 1)
        if not any([own in each for own in names for each in found]):
            return
    program.opaque = program.opaque or f"{name} runs text that is made at run time"
    program.crude = program.crude or runs


def opened(program: "Program", name: str, given: "list[Texts]", marks: "Marks") -> bool:
    """`open("|tee x", "w")` in Ruby, `IO::File->new(">x")` in Perl: the mode stands before the path."""
    if program.values.language not in ("ruby", "perl") or not given or not any([mark == "m" for mark, _, _ in marks]):
        return False
    for each in given[0]:
        if each[:1] == "|":
            text(program, (each[1:],))
        elif program.values.language == "perl" and len(given) == 1 and each.strip()[:1] in (">", "+"):
            program.into(each.strip().lstrip("+<>| "), "write", name)
    return any([each[:1] in "|>+" for each in given[0]])


def perl_open(program: "Program", given: "list[Texts]", groups: "list[Span]") -> None:
    """open(F, ">", "path") and open(F, ">path"); a pipe is a command."""
    if len(given) < 2:
        return
    for mode in given[1]:
        sign = mode.strip()
        if "|" in sign[:2] or sign.endswith("|"):
            if len(given) > 2:
                command(program, given, groups, 3)
            else:
                text(program, (sign.strip("| -"),))
            continue
        if sign[:1] not in (">", "+"):
            if sign[:1] == ANY:
                program.doubt("write", "open")
            continue
        for path in given[2] if len(given) > 2 else (sign.lstrip("+<>| "),):
            if sure(path):
                program.walk.path(program.step, path, cause=f"{program.values.language} open")
            else:
                program.doubt("write", "open", path)
