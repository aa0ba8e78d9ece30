"""The values of Python expressions, as far as they are texts: sets of (text, whether it is sure) (pysets.py).

Paths count as texts. A list, a tuple and a dict count as what they hold; where their members are known one by one,
pyshapes.py has them too. A listing of a folder gives one sample name beneath it that is not sure.
"""

from guards.shell import pyparts, pyshapes
from guards.shell.pysets import (
    HOLE,
    beneath,
    last,
    literal,
    lost,
    mapped,
    parent,
    product,
    stem,
    sure,
    union,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyshapes import Shape
    from guards.shell.python import Program

_SAME = frozenset(
    {"str", "os.fspath", "os.fsdecode", "os.fsencode", "os.path.normpath",
     "os.path.normcase", "repr", "sorted", "list", "tuple", "set", "reversed", "iter", "enumerate", "zip", "dict",
     "pathlib.Path.resolve", "shlex.quote", "bytes"}
)  # fmt: skip
_SAME_METHODS = frozenset(
    {"resolve", "absolute", "as_posix", "encode", "items", "keys", "values", "copy", "__str__", "__fspath__",
     "expanduser"}
)  # fmt: skip
_PATHS = frozenset(
    {"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath", "Path", "py.path.local"}
)
_BENEATH = frozenset({"iterdir", "rglob", "glob", "walk"})


def kind(node: "Any") -> str:
    return type(node).__name__


class Values:
    """names: variable → its texts; shapes: variable → the lists that it may be; aliases: → the functions."""

    def __init__(self, program: "Program") -> None:
        self.program = program
        self.names: dict[str, Value] = {}
        self.shapes: dict[str, list[Shape]] = {}
        self.aliases: dict[str, list[Any]] = {}
        self.twins: dict[str, str] = {}  # a variable → the other one that it was set to
        self.owners: dict[str, str] = {}  # ".attribute" → the object that it was last set on
        self.results: dict[int, tuple[Value, list[Shape]]] = {}  # what calls were found to give
        self.moved = False  # whether sys.argv is changed
        self.mods: dict[str, str] = {}
        self.renamed: dict[str, str] = {}  # those of them that stand for what a call gave
        self.given: dict[str, Value] | None = {}  # what argparse makes of the command's words; None: not known
        self.declared: list[Any] = []  # the options that it is told of
        self.placed = 0  # -1: it takes commands with arguments of their own
        self.pieces: dict[str, set[str]] = {}  # the texts in what a name was set to

    # ---- names
    def dotted(self, node: "Any") -> str:
        """What a function is called, through imports: "os.path.join"; "" when it cannot be told."""
        name = self._spelled(node).removeprefix("__builtins__.").removeprefix("builtins.")
        if name.startswith(("posix.", "_io.", "nt.")):
            name = ("io." if name[:1] == "_" else "os.") + name.partition(".")[2]
        end = ".".join(name.rsplit(".", 2)[-2:])  # shutil.os.remove
        return end if end != name and end in self.program.walk.languages["python"]["calls"] else name

    def _spelled(self, node: "Any") -> str:
        form = kind(node)
        if form == "Name":
            return self.mods.get(node.id, str(node.id))
        if form in ("Attribute", "Subscript"):
            before = self._spelled(node.value)
            if form == "Subscript":
                of_module = before.endswith(".__dict__")
                name = self.text(node.slice) if of_module or before in ("__builtins__", "sys.modules") else None
                before = "" if before == "sys.modules" else before.removesuffix(".__dict__")
                return f"{before}.{name}".lstrip(".") if name else ""
            return f"{before}.{node.attr}" if before else ""
        return self.got(node) if form == "Call" else ""

    def got(self, node: "Any") -> str:
        """A module or a function that a call gives."""
        name = self.dotted(node.func)
        if name in ("__import__", "importlib.import_module") and node.args:
            return self.text(node.args[0]) or ""
        if name == "getattr" and len(node.args) > 1:
            before, attr = self._spelled(node.args[0]), self.text(node.args[1])
            return f"{before}.{attr}" if before and attr else ""
        if name == "vars" and node.args and kind(node.args[0]) == "Name":
            return f"{self._spelled(node.args[0])}.__dict__"
        return OBJECTS.get(name, "")

    def text(self, node: "Any") -> "str | None":
        """The one sure text of an expression."""
        return self.sole(self.of(node))

    def sole(self, value: "Value") -> "str | None":
        return value[0][0] if value and len(value) == 1 and value[0][1] else None

    def number(self, node: "Any") -> "int | None":
        """A whole number that is written out."""
        sign = -1 if kind(node) == "UnaryOp" and kind(node.op) == "USub" else 1
        found = getattr(node.operand if sign < 0 else node, "value", None)
        return sign * found if isinstance(found, int) and not isinstance(found, bool) else None

    def cut(self, node: "Any") -> "slice | None":
        """A slice whose ends are written out."""
        ends = [(part, self.number(part)) for part in (node.lower, node.upper, node.step)]
        return None if any([part is not None and n is None for part, n in ends]) else slice(*[n for _, n in ends])

    # ---- expressions
    def of(self, node: "Any") -> "Value":
        self.program.left -= 1
        if node is None or self.program.left < 0:
            return None
        found: Value = getattr(self, "_" + kind(node).lower(), self._unknown)(node)
        return found

    def _unknown(self, _node: "Any") -> "Value":
        return None

    def _constant(self, node: "Any") -> "Value":
        if isinstance(node.value, str):
            return sure(literal(node.value))
        if isinstance(node.value, bytes):
            return sure(literal(node.value.decode("utf-8", "replace")))
        return sure(str(node.value)) if isinstance(node.value, int) and not isinstance(node.value, bool) else ()

    def _name(self, node: "Any") -> "Value":
        if node.id == "__file__" and self.program.args:
            return sure(self.program.args[0].text or "")
        return self.names.get(node.id)

    def _joinedstr(self, node: "Any") -> "Value":
        found: Value = sure("")
        for piece in node.values:
            found = product(found, self.of(piece))
        return found

    def _formattedvalue(self, node: "Any") -> "Value":
        return self.of(node.value) if node.format_spec is None else None

    def _binop(self, node: "Any") -> "Value":
        form = kind(node.op)
        if form == "Add":
            if self.listed(node.left) or self.listed(node.right):
                return union([self.of(node.left), self.of(node.right)])
            return product(self.of(node.left), self.of(node.right))
        if form == "Div":
            return beneath(self.of(node.left), self.of(node.right))
        if form == "Mod":
            parts = node.right.elts if kind(node.right) == "Tuple" else [node.right]
            return self.filled(self.of(node.left), [self.of(p) for p in parts], "%")
        if form == "BitOr":
            return union([self.of(node.left), self.of(node.right)])
        return self.of(node.left) if form == "Mult" and self.listed(node.left) else None

    def listed(self, node: "Any") -> bool:
        """Whether it is a list, as far as the text shows."""
        if kind(node) in ("List", "Tuple", "ListComp", "Set", "Dict"):
            return True
        if kind(node) == "Name" and node.id in self.shapes:
            return True
        if kind(node) == "BinOp":
            return self.listed(node.left) or self.listed(node.right)
        found = pyshapes.of(self, node)
        return bool(found) or found is pyshapes.LOST

    def filled(self, form: "Value", values: "list[Value]", mark: str) -> "Value":
        """Formatting with `%` or `.format`, with plain holders only."""
        if form is None:
            return None
        found: list[Value] = []
        for text, known in form:
            pieces = text.replace("%r", "%s").split("%s") if mark == "%" else text.replace("{0}", "{}").split("{}")
            if len(pieces) != len(values) + 1 or (mark == "%" and "%" in "".join(pieces)):
                return None
            built: Value = ((pieces[0], known),)
            for value, piece in zip(values, pieces[1:], strict=True):
                built = product(product(built, value), sure(piece))
            found.append(built)
        return union(found)

    def _ifexp(self, node: "Any") -> "Value":
        return union([self.of(node.body), self.of(node.orelse)])

    def _boolop(self, node: "Any") -> "Value":
        """`a or b`: one that is surely a text is the last that may be meant."""
        found: list[Value] = []
        for each in node.values:
            value = self.of(each)
            found.append(value)
            if kind(node.op) == "Or" and value and all([known and text for text, known in value]):
                break
        return union(found)

    def _list(self, node: "Any") -> "Value":
        return union([self.of(v) for v in node.elts])

    _tuple = _set = _list

    def _dict(self, node: "Any") -> "Value":
        return union([self.of(v) for v in [*node.keys, *node.values]])

    def _known(self, node: "Any") -> "Value":
        """An argument that was worked out before."""
        found: Value = node.row[1]
        return found

    def _starred(self, node: "Any") -> "Value":
        return self.of(node.value)

    _await = _starred

    def _namedexpr(self, node: "Any") -> "Value":
        return self.of(node.value)

    def _comprehension(self, node: "Any") -> "Value":
        from guards.shell import pybinding

        for generator in node.generators:
            pybinding.looped(self, generator.target, generator.iter)
        return self.of(node.elt)

    _listcomp = _generatorexp = _setcomp = _comprehension

    def _subscript(self, node: "Any") -> "Value":
        name = self.dotted(node.value)
        if name == "os.environ":
            return self.environ(self.text(node.slice))
        held = pyshapes.of(self, node.value)
        if kind(node.slice) == "Slice":
            if held or self.listed(node.value):
                cut = pyshapes.of(self, node)
                return pyshapes.whole(cut) if cut else self.of(node.value)
            return self._part(self.of(node.value), node.slice)
        rows = pyshapes.picked(self, held, node.slice) if held else None
        if rows is not None:
            return union([row[1] for row in rows])
        return union([self.of(node.value), None]) if held else self.of(node.value)

    def _part(self, value: "Value", at: "Any") -> "Value":
        """Some letters of a text."""
        cut = self.cut(at)
        if cut is None or lost(value):
            return None
        return mapped(value, lambda text: text[cut] if HOLE not in text else HOLE)

    def environ(self, name: "str | None") -> "Value":
        step = self.program.step
        if name is not None and "$" + name in self.names:
            return self.names["$" + name]
        value = step.env.get(name) if name else None
        if value is None and name == "HOME":
            value = self.program.walk.world.home
        if value is None and name == "PWD":
            value = step.cwd
        if value is None and name in pyparts.TEMPORARY:
            return ((pyparts.ELSEWHERE, False),)
        return sure(value) if value else None

    def _attribute(self, node: "Any") -> "Value":
        name = self.dotted(node)
        if name == "sys.argv":
            words = [None if word.text is None else sure(word.text) for word in self.program.args[1:]]
            return None if self.moved else union(words)
        if name in _FIXED:
            return sure(_FIXED[name])
        value = self.of(node.value)
        if value == PARSED:
            return self.given.get(node.attr) if self.given else None
        if value is None:
            return self.names.get("." + node.attr)
        if node.attr == "parent":
            return mapped(value, parent)
        if node.attr == "name" and all([text == pyparts.ELSEWHERE for text, _ in value]):
            return value  # of a temporary file or folder: its path
        if node.attr in ("name", "stem"):
            return _ended(value, last if node.attr == "name" else stem)
        if node.attr == "stdout":  # of a command that has run
            return value
        return self.names.get("." + node.attr) if kind(node.value) == "Name" else None

    def _call(self, node: "Any") -> "Value":
        from guards.shell import pyfunctions

        if id(node) in self.results:
            return self.results[id(node)][0]
        return pyfunctions.value(self, node)


_TREE = "xml.etree.ElementTree.ElementTree"
_FIXED = {"os.sep": "/", "os.path.sep": "/", "sys.executable": "python3", "os.curdir": ".", "os.pardir": "..",
          "os.devnull": "/dev/null"}  # fmt: skip


# calls that give an object whose methods write
OBJECTS = {"xml.etree.ElementTree.parse": _TREE, "xml.etree.ElementTree.ElementTree": _TREE}
PARSED: "Value" = ((HOLE + "arguments", False),)  # what argparse gives


def _ended(value: "Value", change: "Any") -> "Value":
    """The last part of paths: whatever the path is, it does not lead up."""
    return None if value is None else tuple([(change(text), known) for text, known in value])
