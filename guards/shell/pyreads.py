"""Texts of a Python program that go nowhere but into a call that reads or prints: no mention of what it may write.

Only asked when a write goes to a value that is not known. A text counts as read when each of its places in the program
is the path of a reading call, or a name that is used in such places alone. Where code is run from text, or an open
file is asked for its name, nothing is taken for read.
"""

from guards.shell.pyvalues import _PATHS, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pyvalues import Values

NODES = 20_000
READS = frozenset(
    {"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "os.listdir", "os.path.exists",
     "os.path.isfile", "os.path.isdir", "os.path.getsize", "os.path.getmtime", "os.stat",
     "tomllib.loads", "pandas.read_csv", "pandas.read_json", "pandas.read_excel", "pandas.read_parquet"}
)  # fmt: skip
OPENS = frozenset({"open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"})
METHODS = frozenset({"read_text", "read_bytes", "exists", "is_file", "is_dir", "stat"})
PRINTS = frozenset({"print", "sys.exit", "SystemExit", "ValueError", "RuntimeError", "FileNotFoundError"})
HELPS = frozenset({"help", "description", "epilog", "metavar", "usage"})
UNDOES = frozenset({"exec", "eval", "compile", "globals", "locals", "vars", "setattr"})
# attributes by which an open file, an error or a parser says what it was given
TELLS = frozenset(
    {"name", "fileno", "buffer", "raw", "filename", "filename2", "args", "description", "epilog", "usage", "getvalue",
     "format_help", "format_usage", "help", "metavar"}
)  # fmt: skip
PARSES = frozenset({"add_argument", "add_parser", "add_subparsers", "add_argument_group", "ArgumentParser"})


class _Uses:
    """sunk: constants in reading places; stores: name → what it was set to, None for anything but a constant."""

    def __init__(self, values: "Values") -> None:
        self.values = values
        self.constants: list[Any] = []
        self.sunk: set[int] = set()
        self.loads: dict[str, int] = {}
        self.read: dict[str, int] = {}
        self.stores: dict[str, list[Any]] = {}
        self.plain = True

    def look(self, body: "list[Any]") -> None:
        todo: list[Any] = list(body)
        while todo and self.plain:
            node = todo.pop()
            self._one(node)
            for field in node._fields:
                inner = getattr(node, field, None)
                todo += [each for each in (inner if isinstance(inner, list) else [inner]) if hasattr(each, "_fields")]
            self.plain = self.plain and len(self.constants) < NODES

    def _one(self, node: "Any") -> None:
        form = kind(node)
        if form == "Constant":
            self.constants.append(node)
        elif form == "Call":
            self._call(node)
        elif form == "Name":
            self.plain = self.plain and node.id not in UNDOES
            if kind(node.ctx) == "Load":
                self.loads[node.id] = self.loads.get(node.id, 0) + 1
            else:
                self.stores.setdefault(node.id, []).append(None)
        elif form == "Attribute":
            self.plain = self.plain and node.attr not in TELLS
        elif form == "arg":
            self.stores.setdefault(node.arg, []).append(None)
        elif form == "Assign" and len(node.targets) == 1 and kind(node.targets[0]) == "Name":
            self.stores.setdefault(node.targets[0].id, []).append(_constant(self.values, node.value))
            self.stores[node.targets[0].id].append(self)  # for the name itself, which is met as well

    def _call(self, node: "Any") -> None:
        name = self.values.dotted(node.func)
        self.plain = self.plain and not (name == "getattr" and self._told(node))
        for keyword in node.keywords:
            if keyword.arg in HELPS and (getattr(node.func, "attr", "") in PARSES or name.endswith("ArgumentParser")):
                self._sink(keyword.value)
        if name in PRINTS and not any([keyword.arg in ("file", None) for keyword in node.keywords]):
            for each in node.args:
                self._deep(each)
        elif node.args and (name in READS or (name in OPENS and _reading(self.values, node, 1))):
            self._sink(node.args[0])
        elif kind(node.func) == "Attribute" and (
            node.func.attr in METHODS or (node.func.attr == "open" and _reading(self.values, node, 0))
        ):
            self._sink(node.func.value)

    def _told(self, node: "Any") -> bool:
        """Whether an attribute that is asked for by its name may be one that tells."""
        name = self.values.text(node.args[1]) if len(node.args) > 1 else None
        return name is None or name in TELLS

    def _sink(self, node: "Any") -> None:
        node = _constant(self.values, node) or node
        if kind(node) == "Constant":
            self.sunk.add(id(node))
        elif kind(node) == "Name":
            self.read[node.id] = self.read.get(node.id, 0) + 1

    def _deep(self, node: "Any") -> None:
        """What is printed: also within a formatted text."""
        self._sink(node)
        for each in getattr(node, "values", ()) if kind(node) == "JoinedStr" else ():
            self._sink(each.value if kind(each) == "FormattedValue" else each)

    def names(self) -> None:
        """Constants that a name stands for which is only ever read."""
        for name, given in self.stores.items():
            kept = [each for each in given if each is not None and each is not self]
            if len(kept) * 3 == len(given) and 0 < self.loads.get(name, 0) == self.read.get(name, 0):
                self.sunk |= {id(each) for each in kept}


def _constant(values: "Values", node: "Any") -> "Any":
    """A text, or the text that a path is made of; None for anything else."""
    if kind(node) == "Call" and len(node.args) == 1 and not node.keywords and values.dotted(node.func) in _PATHS:
        node = node.args[0]
    return node if kind(node) == "Constant" and isinstance(node.value, str) else None


def _reading(values: "Values", node: "Any", place: int) -> bool:
    """Whether a call that opens names no mode, or one that only reads."""
    given = [k.value for k in node.keywords if k.arg == "mode"] or node.args[place : place + 1]
    return not given or values.text(given[0]) in ("r", "rb", "rt")


def only(values: "Values", body: "list[Any]") -> "set[str]":
    """The texts of a program that are only read."""
    uses = _Uses(values)
    uses.look(body)
    if not uses.plain:
        return set()
    uses.names()
    texts = [node for node in uses.constants if isinstance(node.value, str)]
    return {n.value for n in texts if id(n) in uses.sunk} - {n.value for n in texts if id(n) not in uses.sunk}
