"""A call in a Python program: whether it writes, by the list of calls in policy/shell-lane.toml.

A call's entry is a list of marks (kind, place, keywords): w writes, d deletes, D deletes what lies beneath too, i
goes into a folder or onto a file, s is a command (text or list), l the words of a command, p Python text; m, f, k
say when it counts: by a mode, by flags of open(2), by a keyword that is true. Place 0 is the object before the dot.
"""

from guards.shell import args as words_of
from guards.shell.pyparts import temporary
from guards.shell.pyvalues import kind
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.contents import Change
    from guards.shell.python import Program
    from guards.shell.pyvalues import Value

MODE = frozenset("rwaxbtU+")
WRITES = frozenset("wax+")
PARSERS = ("argparse.ArgumentParser", "ArgumentParser")
METHODS = frozenset(
    {"add_argument", "add_subparsers", "parse_args", "parse_known_args", "parse_intermixed_args", "set_defaults"}
)
EDITED = ("open", "write_text")  # calls whose result pyedits.py follows
COPIES = frozenset(["shutil.copy" + what for what in ("", "2", "file", "tree", "mode", "stat")])


def call(program: "Program", node: "Any") -> None:
    calls = program.walk.languages["python"]["calls"]
    node = _whole(program, node)
    name = program.values.dotted(node.func)
    marks = calls.get(name)
    attribute = kind(node.func) == "Attribute"
    own = node.func.id if kind(node.func) == "Name" else node.func.attr if attribute else ""
    if marks is None and own in program.functions:
        body(program, own, node)
        return
    if (attribute and node.func.attr in METHODS) or name in PARSERS:
        from guards.shell import pyargs

        pyargs.parser(program, node) if name in PARSERS else pyargs.call(program, node)
    if name in ("setattr", "vars"):
        program.values.given = None
    if marks is None and attribute:
        marks = calls.get("." + node.func.attr)
        if node.func.attr == "replace" and len(node.args) != 1:  # of texts
            marks = None
    if marks is None:
        _handed(program, node, calls)
    if marks is not None and _counts(program, node, marks):
        for mark, place, keywords in marks:
            if mark not in "mfk":
                _done(program, node, mark, place, keywords, own if own == "write_text" else name or own)


def _whole(program: "Program", node: "Any") -> "Any":
    """A call of what functools.partial made, with the arguments that were given before."""
    made = node.func if kind(node.func) == "Call" else program.values.partials.get(getattr(node.func, "id", ""))
    if made is None or not made.args or program.values.dotted(made.func) not in ("functools.partial", "partial"):
        return node
    return type(node)(made.args[0], [*made.args[1:], *node.args], [*node.keywords, *made.keywords])


def _handed(program: "Program", node: "Any", calls: "Any") -> None:
    """A writing function that is given to another one with what it is called with: map(os.remove, names)."""
    given = [*node.args, *[k.value for k in node.keywords if k.arg in ("target", "func", "function", "args")]]
    for at, argument_ in enumerate(given):
        if kind(argument_) in ("Name", "Attribute") and program.values.dotted(argument_) in calls and given[at + 1 :]:
            call(program, type(node)(argument_, given[at + 1 :], []))


def body(program: "Program", name: str, node: "Any") -> None:
    """A function of the program, with the values it is called with."""
    from guards.shell.pyfunctions import bind_parameters

    function = program.functions[name]
    if program.depth > 3 or program.left < 0:
        return
    held = dict(program.values.names)
    program.called.add(name)
    program.depth += 1
    try:
        bind_parameters(program.values, function, node)
        for statement in function.body:
            program.visit(statement)
    finally:
        program.depth -= 1
        program.values.names = held


def argument(node: "Any", place: int, keywords: "tuple[str, ...]") -> "Any":
    """The expression at a place, or behind one of the keywords; None when it is not given."""
    for keyword in node.keywords:
        if keyword.arg in keywords:
            return keyword.value
    if place == 0 and kind(node.func) == "Attribute":
        return node.func.value
    return node.args[place - 1] if 0 < place <= len(node.args) else None


def _counts(program: "Program", node: "Any", marks: "tuple[Any, ...]") -> bool:
    """Whether the call writes: by its mode, its flags, a keyword."""
    for mark, place, keywords in marks:
        given = argument(node, place, keywords) if mark in "mfk" else None
        if mark == "m":
            mode = program.values.text(given) if given is not None else "r"
            if mode is not None and (not set(mode) <= MODE or not set(mode) & WRITES or len(mode) > 4):
                return False
        elif (mark == "f" and given is not None and not _flags(given)) or (
            mark == "k" and (given is None or getattr(given, "value", True) in (False, None, 0))
        ):
            return False
    return True


def _flags(node: "Any") -> bool:
    """Whether flags of open(2) ask to write; not known counts as yes."""
    if kind(node) == "BinOp":
        return _flags(node.left) or _flags(node.right)
    return getattr(node, "attr", getattr(node, "id", "O_RDWR")) not in (
        "O_RDONLY",
        "O_CLOEXEC",
        "O_NOFOLLOW",
        "O_DIRECTORY",
        "O_NONBLOCK",
    )


def _done(program: "Program", node: "Any", mark: str, place: int, keywords: "tuple[str, ...]", name: str) -> None:
    given = argument(node, place, keywords)
    if mark == "l":
        _command(program, [_word(program, a) for a in node.args[place - 1 :]])
        return
    if given is None:
        return
    if mark == "s":
        _process(program, node, given)
    elif mark == "p":
        _inner(program, given)
    elif mark == "c":
        _into_folder(program, given)
    elif mark == "r":
        _file(program, given)
    elif mark in "tT":
        _beneath(program, given, argument(node, place - 1, ("src", "old")), mark, name)
    elif mark == "b":
        program.databases += program.values.of(given) or ()
    else:
        value = program.values.of(given)
        act = "delete" if mark in "dD" else "write"
        if value is None and name in COPIES:
            program.copied(act, name, argument(node, 1, ("src", "file1")), given)
            return
        if mark == "i":
            value = _into(program, value, argument(node, 1, ("src",)))
        _touch(program, value, act, mark == "D", name)


def _touch(program: "Program", value: "Value", act: str, tree: bool, name: str) -> None:
    if value is None:
        program.unsure.append((act, name))
        return
    for text, known in value:
        if not known and temporary(text):
            program.walk.leave("python: a folder for temporary files")
        elif known:
            edit = _edit(program, text) if name in EDITED and act == "write" and not program.depth else None
            follow = act == "write"
            program.walk.path(program.step, text, act, cause=f"python {name}", follow=follow, tree=tree, change=edit)
        else:
            word = Word(None, text, "a listing", parts=(text,), rough=text)
            program.walk.unknown(program.step, word, act, f"python {name}")


def _edit(program: "Program", text: str) -> "Change":
    """What the whole program makes of a file, worked out only where the file is a manifest."""
    from guards.engine.world import normal

    path = normal(program.walk.full(program.step, text))

    def after(old: str) -> "str | None":
        from guards.shell import pyedits

        return pyedits.after(program, path, old)

    return after


def _into(program: "Program", value: "Value", source: "Any") -> "Value":
    """A folder takes the file under its own name."""
    from guards.shell.pyvalues import last

    names = program.values.of(source) if source is not None else None
    found: list[tuple[str, bool]] = []
    for text, known in value or ():
        found.append((text, known))
        if names and known and program.walk.is_dir(program.step, text):
            found += [(text.rstrip("/") + "/" + last(name), also) for name, also in names]
    return tuple(found) or None


def _beneath(program: "Program", given: "Any", source: "Any", mark: str, name: str) -> None:
    """A folder that is moved or copied brings what lies in it."""
    from guards.shell import copying

    targets = program.values.of(given)
    if mark == "T":
        targets = _into(program, targets, source)
    for below, known in (program.values.of(source) if source is not None else None) or ():
        for target, sure in targets or ():
            if known and sure:
                copying.beneath(program.walk, program.step, below, target, f"python {name}")


def _word(program: "Program", node: "Any") -> Word:
    value = program.values.of(node)
    if value is None or len(value) != 1 or not value[0][1]:
        parts = tuple([text for text, _ in value or ()])[:1]
        return Word(None, "", "a value of the program", parts=parts, rough=parts[0] if parts else "")
    return words_of.plain(value[0][0])


def _process(program: "Program", node: "Any", given: "Any") -> None:
    """A command as a list of words or as shell text."""
    cwd_ = argument(node, 99, ("cwd",))
    cwd = program.values.text(cwd_) if cwd_ is not None else None
    where = program.walk.full(program.step, cwd) if cwd is not None else None
    if kind(given) in ("List", "Tuple"):
        program.walk.inner(program.step, [_word(program, e) for e in given.elts], where)
        return
    if kind(given) == "Call" and program.values.dotted(given.func) == "shlex.split" and given.args:
        given = given.args[0]
    value = program.values.of(given)
    if value is None:
        program.unsure.append(("write", "a command"))
        return
    for text, _known in value[:8]:
        program.walk.text(program.step, text, cwd=where)


def _command(program: "Program", words: "list[Word]") -> None:
    program.walk.inner(program.step, words)


def _into_folder(program: "Program", given: "Any") -> None:
    """What follows runs in another folder."""
    from guards.shell.stepping import derive

    folder = program.values.text(given)
    if folder is not None:
        program.step = derive(program.step, program.step.argv, program.walk.full(program.step, folder))


def _file(program: "Program", given: "Any") -> None:
    """Another program file, run from this one."""
    from guards.shell import inline

    path = program.values.text(given)
    if path is not None:
        inline.script(program.walk, program.step, words_of.plain(path), program.args[1:], "python")


def _inner(program: "Program", given: "Any") -> None:
    from guards.shell import python

    texts = [text for text, _ in program.values.of(given) or ()]
    if kind(given) == "Call" and kind(given.func) == "Attribute" and given.func.attr in ("read", "read_text"):
        of = given.func.value
        named = program.values.of(
            of.args[0] if kind(of) == "Call" and program.values.dotted(of.func) == "open" and of.args else of
        )
        texts += [program.walk.source(program.step, path) or "" for path, _ in named or ()]
    for text in texts[:4]:
        if program.depth < 4:
            tree = python.parse(text)
            program.depth += 1
            for statement in tree.body if tree is not None else ():
                program.visit(statement)
            program.depth -= 1
