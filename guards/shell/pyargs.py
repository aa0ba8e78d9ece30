"""argparse in a Python program: what the words of the command make of the options it declares.

The words are gone through as argparse does. A word, an option or a parser that is not plainly understood leaves all of
them unknown, and so do words that are not known and settings that are changed behind its back.
"""

from guards.shell import pyshapes
from guards.shell.pysets import sure, union
from guards.shell.pyvalues import PARSED, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.python import Program

SAID = frozenset({"prog", "usage", "description", "epilog", "formatter_class", "add_help"})
PATHS = frozenset({"str", "os.path.abspath", "os.path.realpath", "pathlib.Path", "Path", "int", "float"})
PARSES = ("parse_args", "parse_known_args", "parse_intermixed_args")
TAKES = frozenset({"store", "append", "extend"})
FLAGS = frozenset({"store_true", "store_false", "count", "help", "version"})
CONSTANTS = frozenset({"store_const", "append_const"})
_KNOWN = frozenset(
    {"action", "dest", "default", "const", "nargs", "type", "help", "metavar", "required", "choices", "version"}
)  # fmt: skip


class Option:
    """One declared argument. many: its nargs, "" for one word; found: what the words give it."""

    __slots__ = ("action", "const", "default", "dest", "found", "many", "names", "opens", "plain")

    def __init__(self, names: "list[str]", dest: str, action: str, many: str) -> None:
        self.names, self.dest, self.action, self.many = names, dest, action, many
        self.default: Value = ()
        self.const: Value = ()
        self.plain = True  # whether its value is the word as it is
        self.opens = False  # whether the word is opened for writing
        self.found: list[Value] | None = None

    def value(self) -> "Value":
        if not self.plain:
            return None
        adds = self.action in ("append", "append_const", "extend")
        return self.default if self.found is None else union([*self.found, *([self.default] if adds else [])])


def call(program: "Program", node: "Any") -> None:
    """A method of a parser."""
    name = node.func.attr
    values = program.values
    if name == "add_argument":
        option = _declared(program, node)
        if option is None:
            values.given = None
        else:
            values.declared.append(option)
    elif name == "add_subparsers":
        values.placed = -1
    elif name == "set_defaults":
        values.given = None
    else:
        _parse(program, node)


def parser(program: "Program", node: "Any") -> None:
    """`argparse.ArgumentParser(…)`: one that takes options of another form, or from files, leaves all unknown."""
    if node.args or any([keyword.arg not in SAID for keyword in node.keywords]):
        program.values.given = None


def _declared(program: "Program", node: "Any") -> "Option | None":
    values = program.values
    texts = [values.text(each) for each in node.args]
    names = [text for text in texts if text]
    more = {keyword.arg: keyword.value for keyword in node.keywords}
    given = [values.text(more[key]) if key in more else "" for key in ("action", "dest", "nargs")]
    if len(names) != len(texts) or not set(more) <= _KNOWN or None in given:
        return None
    action, dest, many = given[0] or "store", given[1] or "", given[2] or ""
    if action not in TAKES | FLAGS | CONSTANTS:
        return None
    long = [name for name in names if name.startswith("--")] or names
    option = Option(names, dest or (long[0].lstrip("-").replace("-", "_") if long else ""), action, many)
    option.default = values.of(more["default"]) if "default" in more else ()
    option.const = values.of(more["const"]) if "const" in more else ()
    made = more.get("type")
    option.opens = (
        made is not None
        and kind(made) == "Call"
        and values.dotted(made.func).endswith("FileType")
        and _writes(program, made)
    )
    option.plain = made is None or option.opens or values.dotted(made) in PATHS
    return option


def _writes(program: "Program", node: "Any") -> bool:
    from guards.shell.pycalls import argument

    mode = program.values.text(argument(node, 1, ("mode",))) if node.args or node.keywords else "r"
    return mode is None or not set(mode) <= set("rbt")


def _parse(program: "Program", node: "Any") -> None:
    """What is declared so far, with the words that are parsed."""
    from guards.shell import pytargets

    values = program.values
    words = _words(program, node)
    options: list[Option] = values.declared
    for option in options:
        option.found = None
    known = words is not None and values.given is not None and _scan(words, options, values.placed < 0)
    if known:
        held: dict[str, list[Value]] = {}
        for option in options:
            held.setdefault(option.dest, []).append(option.value())
        values.given = {dest: union(found) for dest, found in held.items()}
    else:
        values.given = None
    for option in options:
        if option.opens:
            pytargets.touch(program, option.value() if known else None, "write", False, "argparse.FileType")
    row: Any = (None, PARSED, [])
    both = [pyshapes.Shape([row, (None, None, [])])]
    values.results[id(node)] = (PARSED, []) if node.func.attr != "parse_known_args" else (None, both)


def _words(program: "Program", node: "Any") -> "list[str] | None":
    """The words that are parsed; those of the command where no others are given."""
    values = program.values
    if len(node.args) + len(node.keywords) > 1:
        return None
    first = node.args[0] if node.args else node.keywords[0].value if node.keywords else None
    if first is None or (values.of(first) == () and not pyshapes.of(values, first)):
        shapes = [pyshapes.Shape(shape.rows[1:]) for shape in pyshapes.words(values)]
    else:
        shapes = pyshapes.of(values, first)
    if len(shapes) != 1:
        return None
    texts = [row[1][0][0] for row in shapes[0].rows if row[1] and len(row[1]) == 1 and row[1][0][1]]
    return texts if len(texts) == len(shapes[0].rows) else None


def _scan(words: "list[str]", options: "list[Option]", several: bool) -> bool:
    """Give every option what the words give it; False where that is not plain."""
    named: dict[str, Option] = {}
    for option in options:
        for name in option.names:
            other = named.get(name)
            if other is not None and (other.action, other.many, other.dest) != (
                option.action,
                option.many,
                option.dest,
            ):
                return False
            if name[:1] == "-":
                named[name] = option
    single = any([name[:2] != "--" and len(name) > 2 for name in named])
    placed: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word[:1] != "-" or word == "-":
            placed.append(word)
            continue
        found = _option(word, named, single)
        if found is None:
            return False
        for option, attached in found:
            taken = _take(option, attached, words, at)
            if taken is None:
                return False
            at += taken
    for option in named.values():  # declared for several commands of one program
        for twin in options:
            if twin is not option and set(twin.names) & set(option.names):
                twin.found = option.found
    return _places(placed, [option for option in options if not option.names or option.names[0][:1] != "-"], several)


def _option(word: str, named: "dict[str, Option]", single: bool) -> "list[tuple[Option, str | None]] | None":
    """The options that a word is, the last one with the value that is attached to it."""
    name, equals, value = word.partition("=")
    if word in named:
        return [(named[word], None)]
    if name in named:
        return [(named[name], value)]
    if word == "--" or single or word[1:2].isdigit():
        return None
    if word[:2] == "--":
        near = {id(option): option for known, option in named.items() if known.startswith(name)}
        return [(option, value if equals else None) for option in near.values()] if len(near) == 1 else None
    found: list[tuple[Option, str | None]] = []
    for place, letter in enumerate(word[1:], 2):
        option = named.get("-" + letter)
        if option is None:
            return None
        if option.action in TAKES:
            return [*found, (option, word[place:].removeprefix("=") if word[place:] else None)]
        found.append((option, None))
    return found


def _take(option: "Option", attached: "str | None", words: "list[str]", at: int) -> "int | None":
    """How many words behind it an option takes; None where that is not plain."""
    if option.action not in TAKES:
        if option.action in CONSTANTS:
            option.found = [*(option.found or []), option.const]
        return 0 if attached is None else None
    behind = words[at:]
    end = next((i for i, text in enumerate(behind) if text[:1] == "-" and text != "-"), len(behind))
    if attached is not None:
        given, taken = [attached], 0
    elif option.many in ("*", "+"):
        given, taken = behind[:end], end
    elif option.many == "?":
        given, taken = behind[: min(end, 1)], min(end, 1)
    else:
        taken = int(option.many) if option.many.isdigit() else 1 if not option.many else -1
        given = behind[: max(taken, 0)]
        if taken < 0 or taken > end:
            return None
    new = [sure(text) for text in given] if given or option.many != "?" else [option.const]
    option.found = new if option.action == "store" else [*(option.found or []), *new]
    return taken


def _places(words: "list[str]", options: "list[Option]", several: bool) -> bool:
    """Words that are no option's, in their order; one argument that takes several takes what the others leave."""
    if several or any([option.action not in TAKES for option in options]):
        for option in options:
            option.plain = False
        return True
    many = [at for at, option in enumerate(options) if option.many]
    free = len(words) - (len(options) - len(many))
    if len(many) > 1 or free < 0 or (not many and free):
        return False
    at = 0
    for option in options:
        count = free if option.many else 1
        if count:
            option.found = [sure(text) for text in words[at : at + count]]
        at += count
    return True
