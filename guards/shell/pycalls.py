"""A call in a Python program: whether it writes, by the list of calls in policy/shell-lane.toml.

A call's entry is a list of marks (kind, place, keywords): w writes, d deletes, D deletes what lies beneath too, i
goes into a folder or onto a file, n makes a file in a folder, y is a link that leads on, s is a command (text or list),
l the words of a command, L with its environment as the last one, p Python text, v settings that name files; m, f, k
say when it counts: by a mode, by flags of open(2), by a keyword that is true. Place 0 is the object before the dot.
"""

from guards.shell import pybinding, pybodies, pychanges, pycommands, pytargets
from guards.shell.pysets import sure
from guards.shell.pyvalues import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.python import Program

MODE = frozenset("rwaxbtU+")
WRITES = frozenset("wax+")
PARSERS = ("argparse.ArgumentParser", "ArgumentParser")
METHODS = frozenset(
    {"add_argument", "add_subparsers", "parse_args", "parse_known_args", "parse_intermixed_args", "set_defaults"}
)
FOLDERS = frozenset({"dir_fd", "src_dir_fd", "dst_dir_fd"})
COPIES = frozenset(["shutil.copy" + what for what in ("", "2", "file", "tree", "mode", "stat")])
_UNKNOWN = pybodies.Known((None, None, []))


def call(program: "Program", node: "Any") -> None:
    """All that a call may be: its function may have another name, or be one of several."""
    if kind(node.func) == "Name" and node.func.id == "next" and node.args:
        name = pybinding.kept(node.args[0])
        if name is not None:
            pychanges.taken(program.values, node, name)
    spread = pybodies.spread(program.values, node)
    ways = _ways(program, spread)
    for way in ways:
        one(program, way)
    found = [program.values.results[id(way)] for way in ways if id(way) in program.values.results]
    if found and ways != [node]:
        program.values.results[id(node)] = pybinding.one([(None, *each) for each in found])[1:]
    program.kept += ways  # so that no other node gets the number of one


def _ways(program: "Program", node: "Any", depth: int = 0) -> "list[Any]":
    """The call by the functions that its function may stand for, with what functools.partial was given before."""
    func = node.func
    if kind(func) == "Attribute" and program.values.dotted(func) in ("functools.partial", "partial"):
        return [node]
    known = pybinding.functions(program.values, func) if kind(func) != "Attribute" else []
    if not known or (known == [func] and kind(func) not in ("Call", "Lambda")):
        return [node]
    found: list[Any] = []
    for each in known:
        if kind(each) == "Call" and program.values.dotted(each.func) == "getattr":
            each = _attribute(program, each)
        elif kind(each) == "Call" and each.args and depth < 3:
            given = type(node)(each.args[0], [*each.args[1:], *node.args], [*node.keywords, *each.keywords])
            found += _ways(program, given, depth + 1)
            continue
        found.append(type(node)(each, node.args, node.keywords))
    return found


def _attribute(program: "Program", node: "Any") -> "Any":
    """getattr(p, "unlink") as p.unlink"""
    import _ast

    return _ast.Attribute(node.args[0], program.values.text(node.args[1]) or "", _ast.Load())


def one(program: "Program", node: "Any") -> None:
    values = program.values
    calls = program.walk.languages["python"]["calls"]
    name = values.dotted(node.func)
    marks = calls.get(name)
    attribute = kind(node.func) == "Attribute"
    own = node.func.id if kind(node.func) == "Name" else node.func.attr if attribute else ""
    if marks is None and _own(program, node, own):
        return
    if (attribute and node.func.attr in METHODS) or name in PARSERS:
        from guards.shell import pyargs

        pyargs.parser(program, node) if name in PARSERS else pyargs.call(program, node)
    if name in ("setattr", "vars"):
        values.given = None
    if attribute:
        pychanges.changed(values, node)
    if name == "os.putenv" and len(node.args) > 1:
        pychanges.exported(values, values.text(node.args[0]) or "", values.of(node.args[1]))
    if marks is None and attribute:
        marks = calls.get("." + node.func.attr)
        if node.func.attr == "replace" and len(node.args) != 1:  # of texts
            marks = None
    if marks is None:
        for each in pybodies.handed(program, node, calls):
            call(program, each)
    if marks is not None and _counts(program, node, marks):
        held = program.step
        folders = [k.value for k in node.keywords if k.arg in FOLDERS]
        if folders:
            pycommands.into_folder(program, folders[0])
        if any([k.arg == "opener" for k in node.keywords]):
            program.unsure.append(("write", name))
        for mark, place, keywords in marks:
            if mark not in "mfk":
                _done(program, node, mark, place, keywords, own if own == "write_text" else name or own)
        if folders:
            program.step = held


def _own(program: "Program", node: "Any", own: str) -> bool:
    """A function or a class of the program itself."""
    if kind(node.func) == "Lambda":
        pybodies.call(program, [node.func], node)
        return True
    if own in program.classes:
        pybodies.construct(program, program.classes[own], node)
        return True
    if own in program.functions:
        pybodies.call(program, program.functions[own], node)
        return True
    return False


def argument(node: "Any", place: int, keywords: "tuple[str, ...]") -> "Any":
    """The expression at a place, or behind one of the keywords; None when it is not given."""
    for keyword in node.keywords:
        if keyword.arg in keywords:
            return keyword.value
    if place == 0 and kind(node.func) == "Attribute":
        return node.func.value
    if 0 < place <= len(node.args):
        return node.args[place - 1]
    return _UNKNOWN if keywords and any([k.arg is None for k in node.keywords]) else None


def _counts(program: "Program", node: "Any", marks: "tuple[Any, ...]") -> bool:
    """Whether the call writes: by its mode, its flags, a keyword."""
    for mark, place, keywords in marks:
        given = argument(node, place, keywords) if mark in "mfk" else None
        if mark == "m":
            modes = program.values.of(given) if given is not None else sure("r")
            if modes and all([known and not _writing(mode) for mode, known in modes]):
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


def _writing(mode: str) -> bool:
    return set(mode) <= MODE and bool(set(mode) & WRITES) and len(mode) < 5


def _done(program: "Program", node: "Any", mark: str, place: int, keywords: "tuple[str, ...]", name: str) -> None:
    given = argument(node, place, keywords)
    if mark in "lL":
        pycommands.words(program, node.args[place - 1 : -1 if mark == "L" else None])
    elif mark == "n":
        pytargets.touch(program, program.values.of(node), "write", False, name)
    elif given is None:
        return
    elif mark == "s":
        pycommands.process(program, node, given)
    elif mark == "p":
        pycommands.inner(program, given)
    elif mark == "c":
        pycommands.into_folder(program, given)
    elif mark == "r":
        pycommands.file(program, given)
    elif mark in "tT":
        pytargets.beneath(program, given, argument(node, place - 1, ("src", "old")), mark, name)
    elif mark == "y":
        pytargets.link(program, given, argument(node, 1, ("src", "target")))
    elif mark == "v":
        pytargets.settings(program, given, name)
    elif mark == "b":
        program.databases += program.values.of(given) or ()
    else:
        _touched(program, node, given, mark, name)


def _touched(program: "Program", node: "Any", given: "Any", mark: str, name: str) -> None:
    value = program.values.of(given)
    act = "delete" if mark in "dD" else "write"
    if kind(given) == "Constant" and value == ():
        return
    if not value and name in COPIES:
        program.copied(act, name, argument(node, 1, ("src", "file1")), given)
        return
    if mark == "i":
        value = pytargets.into(program, value, argument(node, 1, ("src",)))
    pytargets.touch(program, value, act, mark == "D", name)
