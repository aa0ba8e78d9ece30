"""The values of Python expressions, as far as they are texts: sets of (text, whether it is sure).

Paths count as texts. A list, a tuple and a dict count as what they hold. A listing of a folder gives one sample name
beneath it that is not sure. None: not known.
"""

from guards.shell import pyparts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.python import Program

    Value = tuple[tuple[str, bool], ...] | None

MOST = 60  # texts of one value
_SAME = frozenset(
    {"str", "os.fspath", "os.fsdecode", "os.fsencode", "os.path.abspath", "os.path.normpath", "os.path.realpath",
     "os.path.normcase", "repr", "sorted", "list", "tuple", "set", "reversed", "iter", "enumerate", "zip", "dict",
     "pathlib.Path.resolve", "shlex.quote", "bytes"}
)  # fmt: skip
_SAME_METHODS = frozenset(
    {"resolve", "absolute", "as_posix", "encode", "items", "keys", "values", "copy", "__str__", "__fspath__",
     "expanduser", "splitlines", "split"}
)  # fmt: skip
_PATHS = frozenset(
    {"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath", "Path", "py.path.local"}
)
_BENEATH = frozenset({"iterdir", "rglob", "glob", "walk"})


def kind(node: "Any") -> str:
    return type(node).__name__


def sure(text: str) -> "Value":
    return ((text, True),)


def union(values: "list[Value]") -> "Value":
    """All of them; what is not known among them is left out, unless nothing is known."""
    found: dict[tuple[str, bool], None] = {}
    for value in values:
        for pair in value or ():
            found[pair] = None
    return tuple(found)[:MOST] or None


def product(left: "Value", right: "Value", between: str = "") -> "Value":
    """Every left with every right."""
    if left is None or right is None:
        return None
    pairs = [(a + between + b, x and y) for a, x in left for b, y in right]
    return tuple(pairs[:MOST])


def beneath(left: "Value", right: "Value") -> "Value":
    """Every right as a path seen from every left."""
    if left is None or right is None:
        return None
    pairs = [(b if b[:1] == "/" else a.rstrip("/") + "/" + b if a else b, x and y) for a, x in left for b, y in right]
    return tuple(pairs[:MOST])


def mapped(value: "Value", change: "Any") -> "Value":
    return None if value is None else tuple([(change(text), known) for text, known in value])


def parent(text: str) -> str:
    head = text.rstrip("/").rpartition("/")
    return head[0] or ("/" if text[:1] == "/" else ".")


def last(text: str) -> str:
    return text.rstrip("/").rpartition("/")[2]


class Values:
    def __init__(self, program: "Program") -> None:
        self.program = program
        self.names: dict[str, Value] = {}
        self.mods: dict[str, str] = {}
        self.given: dict[str, Value] | None = {}  # what argparse makes of the command's words; None: not known
        self.placed = 0  # words of the command that argparse's plain arguments took; -1: not known
        self.partials: dict[str, Any] = {}  # a name → the call of functools.partial that it stands for
        self.pieces: dict[str, set[str]] = {}  # the texts in what a name was set to

    # ---- names
    def dotted(self, node: "Any") -> str:
        """What a function is called, through imports: "os.path.join"; "" when it cannot be told."""
        return self._spelled(node).removeprefix("__builtins__.").removeprefix("builtins.")

    def _spelled(self, node: "Any") -> str:
        form = kind(node)
        if form == "Name":
            return self.mods.get(node.id, str(node.id))
        if form in ("Attribute", "Subscript"):
            before = self._spelled(node.value)
            name = node.attr if form == "Attribute" else self.text(node.slice) if before == "__builtins__" else None
            return f"{before}.{name}" if before and name else ""
        if form == "Call":
            name = self.dotted(node.func)
            if name in ("__import__", "importlib.import_module") and node.args:
                return self.text(node.args[0]) or ""
            if name == "getattr" and len(node.args) > 1:
                before, attr = self._spelled(node.args[0]), self.text(node.args[1])
                return f"{before}.{attr}" if before and attr else ""
        return ""

    def text(self, node: "Any") -> "str | None":
        """The one sure text of an expression."""
        value = self.of(node)
        return value[0][0] if value and len(value) == 1 and value[0][1] else None

    def bind(self, target: "Any", value: "Value", node: "Any") -> None:
        form = kind(target)
        if form == "Name":
            if node is not None:
                self.pieces[target.id] = self.pieces.get(target.id, set()) | pyparts.within(self, node)
            self.names[target.id] = union([self.names.get(target.id), value]) if self.program.branch else value
        elif form == "Attribute":
            if self.dotted(target) == "sys.argv":
                self.program.args, self.given = self.program.args[:1], None
            self.names["." + target.attr] = value
        elif form == "Subscript" and getattr(target.value, "attr", "") == "__dict__":
            self.given = None
        elif form == "Subscript" and self.dotted(target.value) == "sys.argv":
            self.program.args, self.given = self.program.args[:1], None
        elif form in ("Tuple", "List"):
            given = getattr(node, "elts", None)
            for at, inner in enumerate(target.elts):
                known = given is not None and len(given) == len(target.elts)
                self.bind(
                    inner, self.of(given[at]) if given and known else value, given[at] if given and known else None
                )
        elif form == "Starred":
            self.bind(target.value, value, None)

    def rename(self, node: "Any") -> None:
        """W = open, w = partial(open, mode="w"): a function under another name."""
        if kind(node.value) == "Call" and self.dotted(node.value.func) in ("functools.partial", "partial"):
            self.partials.update({t.id: node.value for t in node.targets if kind(t) == "Name"})
        name = self.dotted(node.value)
        if name in self.program.walk.languages["python"]["calls"]:
            for target in node.targets:
                if kind(target) == "Name":
                    self.mods[target.id] = name

    def add_to(self, node: "Any") -> None:
        if kind(node.target) == "Name":
            old, new = self.names.get(node.target.id), self.of(node.value)
            joined = (
                product(old, new) if kind(node.op) == "Add" else beneath(old, new) if kind(node.op) == "Div" else None
            )
            self.names[node.target.id] = union([joined, new]) if self.program.branch else joined

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
            return sure(node.value)
        if isinstance(node.value, bytes):
            return sure(node.value.decode("utf-8", "replace"))
        return sure(str(node.value)) if isinstance(node.value, int) and not isinstance(node.value, bool) else None

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
            if kind(node.left) in ("List", "Tuple") or kind(node.right) in ("List", "Tuple"):
                return union([self.of(node.left), self.of(node.right)])
            return product(self.of(node.left), self.of(node.right))
        if form == "Div":
            return beneath(self.of(node.left), self.of(node.right))
        if form == "Mod":
            parts = node.right.elts if kind(node.right) == "Tuple" else [node.right]
            return self._filled(self.of(node.left), [self.of(p) for p in parts], "%")
        return None

    def _filled(self, form: "Value", values: "list[Value]", mark: str) -> "Value":
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
        return union([self.of(v) for v in node.values])

    def _list(self, node: "Any") -> "Value":
        return union([self.of(v) for v in node.elts[:MOST]])

    _tuple = _set = _list

    def _dict(self, node: "Any") -> "Value":
        return union([self.of(v) for v in [*node.keys[:MOST], *node.values[:MOST]]])

    def _starred(self, node: "Any") -> "Value":
        return self.of(node.value)

    def _namedexpr(self, node: "Any") -> "Value":
        return self.of(node.value)

    def _comprehension(self, node: "Any") -> "Value":
        for generator in node.generators:
            self.bind(generator.target, self.each(generator.iter), None)
        return self.of(node.elt)

    _listcomp = _generatorexp = _setcomp = _comprehension

    def _subscript(self, node: "Any") -> "Value":
        name = self.dotted(node.value)
        if name == "os.environ":
            return self.environ(self.text(node.slice))
        if name == "sys.argv":
            return self._argument(node.slice)
        if kind(node.slice) == "Slice":
            cut = self._cut(node.slice)
            return None if cut is None else mapped(self.of(node.value), lambda text: text[cut])
        return self.of(node.value)

    def _cut(self, node: "Any") -> "slice | None":
        numbers = []
        for part in (node.lower, node.upper, node.step):
            sign = -1 if kind(part) == "UnaryOp" and kind(part.op) == "USub" else 1
            number = getattr(part.operand if sign < 0 else part, "value", None)
            if part is not None and not isinstance(number, int):
                return None
            numbers.append(sign * number if isinstance(number, int) else None)
        return slice(*numbers)

    def environ(self, name: "str | None") -> "Value":
        step = self.program.step
        value = step.env.get(name) if name else None
        if value is None and name == "HOME":
            value = self.program.walk.world.home
        if value is None and name == "PWD":
            value = step.cwd
        if value is None and name in pyparts.TEMPORARY:
            return ((pyparts.ELSEWHERE, False),)
        return sure(value) if value else None

    def _argument(self, at: "Any") -> "Value":
        args = self.program.args
        number = getattr(at, "value", None)
        if kind(at) == "Constant" and isinstance(number, int):
            text = args[number].text if -len(args) <= number < len(args) else None
            return sure(text) if text is not None else None
        return union([sure(a.text) for a in args[1:] if a.text is not None])

    def _attribute(self, node: "Any") -> "Value":
        name = self.dotted(node)
        if name == "sys.argv":
            return self._argument(None)
        if name in ("os.sep", "os.path.sep"):
            return sure("/")
        value = self.of(node.value)
        if value is None:
            known = self.names.get("." + node.attr)
            return known if known is not None or not self.given else self.given.get(node.attr)
        if node.attr == "parent":
            return mapped(value, parent)
        if node.attr == "name" and all([text == pyparts.ELSEWHERE for text, _ in value]):
            return value  # of a temporary file or folder: its path
        if node.attr in ("name", "stem"):
            return mapped(value, last if node.attr == "name" else lambda t: last(t).rpartition(".")[0] or last(t))
        return None

    def each(self, node: "Any") -> "Value":
        """What a loop over the expression takes, one by one."""
        return self.of(node)

    def _call(self, node: "Any") -> "Value":
        from guards.shell import pyfunctions

        return pyfunctions.value(self, node)

    def _await(self, node: "Any") -> "Value":
        return self.of(node.value)
