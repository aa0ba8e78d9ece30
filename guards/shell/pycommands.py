"""Commands and program texts that a Python program starts, and the folder that they start in.

A command is a list of words or a shell text. One whose first word is not known may be any program: it is opaque, and so
is a text that is run and not known.
"""

from guards.shell import args as words_of
from guards.shell import pyshapes
from guards.shell.pyparts import temporary
from guards.shell.pysets import HOLE, PART, holed, literal, lost, pieces
from guards.shell.pyvalues import kind
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.python import Program
    from guards.shell.steps import Step

PRINTED = frozenset({"subprocess.check_output", "subprocess.run", "subprocess.getoutput"})
COMMANDS = 24  # that one list of words may be
TEXTS = 60  # that one text may be


def process(program: "Program", node: "Any", given: "Any") -> None:
    """A command as a list of words or as shell text."""
    from guards.shell.pycalls import argument

    folder = argument(node, 99, ("cwd",))
    step = _placed(program, program.values.of(folder) if folder is not None else ())
    _surrounded(program, step, argument(node, 99, ("env",)))
    shapes = pyshapes.of(program.values, given)
    for shape in shapes:
        _run(program, step, [row[1] for row in shape.members()])
    if shapes:
        return
    if kind(given) in ("List", "Tuple"):
        _run(program, step, [program.values.of(each) for each in given.elts])
        program.unsure.append(("write", "a command"))
        return
    if kind(given) == "Call" and program.values.dotted(given.func) == "shlex.split" and given.args:
        given = given.args[0]
    value = program.values.of(given)
    if lost(value) or not value or program.values.listed(given):
        program.unsure.append(("write", "a command"))
    for text, _ in value or ():
        if holed(text):
            program.unsure.append(("write", "a command"))
        elif text.isalnum():  # a program, whether a shell starts it or not
            _run(program, step, [((text, True),)])
        else:
            program.walk.text(step, text)


def _surrounded(program: "Program", step: "Step", given: "Any") -> None:
    """`env={**os.environ, "P": …}`, `env=dict(os.environ, P=…)`"""
    values = program.values
    if given is None:
        return
    pairs: list[tuple[str | None, str | None]] = []
    for shape in pyshapes.of(values, given):
        pairs += [(row[0][0][0], row[1][0][0] if row[1] and row[1][0][1] else None) for row in shape.rows if row[0]]
    step.env = {**step.env, **{name: text for name, text in pairs if name}}


def words(program: "Program", given: "list[Any]") -> None:
    """A command whose words are the arguments of the call."""
    _run(program, program.step, [program.values.of(each) for each in given])


def _run(program: "Program", step: "Step", values: "list[Value]") -> None:
    """Each word may be one of several."""
    lists: list[list[Word]] = [[]]
    for value in values:
        found = [_word(text, known) for text, known in value] if value else [_word(HOLE, False)]
        if len(lists) * len(found) > COMMANDS:
            program.unsure.append(("write", "a command"))
            found = [Word(None, "$_", "a value of the program", rough="$_")]
        lists = [[*before, each] for before in lists for each in found]
    for argv in lists:
        _start(program, step, argv)


def _start(program: "Program", step: "Step", argv: "list[Word]") -> None:
    from guards.engine.event import UNKNOWN

    if argv and argv[0].text is None:
        program.walk.opaque(step, argv[1:], "python: a command that is not known")
    before = len(program.walk.effects)
    program.walk.inner(step, argv)
    unsure = any([word.text is None for word in argv])
    if unsure and any([effect.certainty == UNKNOWN for effect in program.walk.effects[before:]]):
        program.unsure.append(("write", "a command"))


def _word(text: str, known: bool) -> Word:
    if not holed(text) and (known or temporary(text)):
        return words_of.plain(text)
    rough = text.replace(HOLE, "$_").replace(PART, "$_")
    return Word(None, rough, "a value of the program", parts=tuple(pieces(text)), rough=rough)


def printed(program: "Program", node: "Any") -> "Value":
    """What a command is known to print: a listing, the root of the repository."""
    from guards.shell import outputs
    from guards.shell.pycalls import argument
    from guards.shell.stepping import derive

    shapes = pyshapes.of(program.values, argument(node, 1, ("args", "cmd")))
    folder = argument(node, 99, ("cwd",))
    words = [program.values.sole(row[1]) for shape in shapes for row in shape.rows]
    if len(shapes) != 1 or not words or None in words:
        return None
    argv = [words_of.plain(word) for word in words if word is not None]
    step = derive(_placed(program, program.values.of(folder) if folder is not None else ()), argv)
    text = outputs.of(program.walk, step) if step.cwd is not None else None
    return None if text is None else ((literal(text), True),)


def _placed(program: "Program", value: "Value") -> "Step":
    """The step in another folder; where that is not known, nowhere that is known."""
    from guards.shell.stepping import derive

    step = derive(program.step, program.step.argv)
    if value == ():
        return step
    sure = value is not None and len(value) == 1 and (value[0][1] or not holed(value[0][0]))
    if value is not None and sure:
        step.cwd = program.walk.full(program.step, value[0][0])
    elif value is not None and all([temporary(text) and HOLE not in text for text, _ in value]):
        step.cwd = value[0][0].replace(PART, "_")
    else:
        step.cwd = None
    return step


def into_folder(program: "Program", given: "Any") -> None:
    """What follows runs in another folder."""
    program.step = _placed(program, program.values.of(given))


def file(program: "Program", given: "Any") -> None:
    """Another program file, run from this one."""
    from guards.shell import inline

    for text, known in program.values.of(given) or ((HOLE, False),):
        if known:
            inline.script(program.walk, program.step, words_of.plain(text), program.args[1:], "python")
        else:
            program.unsure.append(("write", "a program file"))


def inner(program: "Program", given: "Any") -> None:
    """Program text that is run by the program."""
    from guards.shell import python

    texts = [(text, known) for text, known in _texts(program, given)]
    for text, known in texts[:TEXTS]:
        tree = python.parse(text) if known and program.depth < 4 else None
        if tree is None:
            program.walk.opaque(program.step, python.every(program.body), "python: a text that is run")
            continue
        program.depth += 1
        program.kept.append(tree)
        program.each(tree.body)
        program.depth -= 1


def _texts(program: "Program", given: "Any") -> "list[tuple[str, bool]]":
    """The texts that are run, also what a file holds that they are read from."""
    while kind(given) == "Call" and program.values.dotted(given.func) in ("compile", "ast.parse") and given.args:
        given = given.args[0]
    if kind(given) == "Call" and kind(given.func) == "Attribute" and given.func.attr in ("read", "read_text"):
        of = given.func.value
        opened = kind(of) == "Call" and program.values.dotted(of.func) in ("open", "io.open") and of.args
        named = program.values.of(of.args[0] if opened else of)
        return [(program.walk.source(program.step, path) or HOLE, known) for path, known in named or ((HOLE, False),)]
    return list(program.values.of(given) or ((HOLE, False),))
