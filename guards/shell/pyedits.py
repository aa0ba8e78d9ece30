"""What a straight Python program leaves in a file that it reads, edits and writes back.

Asked only when the file is a manifest (contents.py). Known are texts that are read whole and changed by `replace`, and
JSON documents of which keys with plain names are set or taken away. A branch, a loop, a function, or a use of the
document that is not of this kind, and the result is not known.
"""

from guards.engine.world import normal
from guards.shell import contents
from guards.shell.pyvalues import _PATHS, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.python import Program

PLAIN_DUMP = frozenset({"indent", "ensure_ascii", "allow_nan", "fp", "obj"})
EDITS = frozenset({"update", "append", "extend", "insert", "remove", "sort", "add"})  # of what lies at a key
# names and attributes by which a program reaches its own names, or moves away from the folder it began in
UNDOES = frozenset(
    {"exec", "eval", "compile", "globals", "locals", "vars", "setattr", "__dict__", "__globals__", "modules", "chdir"}
)
OURS = frozenset({"open", "json", "Path", "pathlib", "print"})
SAYS = frozenset({"print", "close", "flush", "exit"})
INERT = frozenset({"Constant", "Name", "Load", "Subscript", "JoinedStr", "FormattedValue", "Attribute"})
STATEMENTS = frozenset({"Import", "ImportFrom", "Assign", "AugAssign", "Delete", "Expr", "With", "Pass", "AnnAssign"})


class Lost(Exception):
    """The program does what is not followed here."""


class Part:
    """A document, or what lies at a key of it."""

    __slots__ = ("document", "path")

    def __init__(self, document: "dict[str, Any]", path: "list[str]") -> None:
        self.document = document
        self.path = path


class File:
    """A path of the program, or an open file; mode "" for a path."""

    __slots__ = ("mode", "path")

    def __init__(self, path: str, mode: str) -> None:
        self.path = path
        self.mode = mode


def after(program: "Program", path: str, old: str) -> "str | None":
    """What becomes of the text at `path` (absolute)."""
    try:
        return Editing(program, path, old).run()
    except (Lost, RecursionError):
        return None


class Editing:
    """One run over the program's statements, with the file as it is."""

    def __init__(self, program: "Program", path: str, old: str) -> None:
        self.program = program
        self.target = path
        self.text = old
        self.known: dict[str, Any] = {}
        self.written = False

    def run(self) -> "str | None":
        for node in walked(self.program.body):
            if getattr(node, "id", getattr(node, "attr", "")) in UNDOES:
                raise Lost
        self.statements(self.program.body)
        return self.text if self.written else None

    def statements(self, body: "list[Any]") -> None:
        for statement in body:
            form = kind(statement)
            if form not in STATEMENTS:
                raise Lost
            getattr(self, "on_" + form.lower(), self.nothing)(statement)

    def nothing(self, _statement: "Any") -> None:
        """Imports and the like."""

    def on_with(self, node: "Any") -> None:
        for item in node.items:
            self.assign(item.optional_vars, self.value(item.context_expr))
        self.statements(node.body)

    def on_assign(self, node: "Any") -> None:
        if len(node.targets) != 1:
            raise Lost
        if kind(node.targets[0]) == "Subscript":
            self.edit(self.part(node.targets[0]), node.value)
        else:
            self.take(node.targets[0], node.value)

    def take(self, target: "Any", node: "Any") -> None:
        """A name for a value; what holds a document in another form could change it unseen."""
        value = self.value(node) if node is not None else None
        if value is None and node is not None and self.mentions(node):
            raise Lost
        self.assign(target, value)

    def on_annassign(self, node: "Any") -> None:
        self.take(node.target, node.value)

    def on_augassign(self, node: "Any") -> None:
        if kind(node.target) == "Subscript":
            self.edit(self.part(node.target), node.value)
        elif kind(node.target) == "Name":
            old, more = self.known.get(node.target.id), self.value(node.value)
            both = isinstance(old, str) and isinstance(more, str) and kind(node.op) == "Add"
            self.known[node.target.id] = f"{old}{more}" if both else None

    def on_delete(self, node: "Any") -> None:
        for target in node.targets:
            self.edit(self.part(target) if kind(target) == "Subscript" else None, None, delete=True)

    def on_expr(self, node: "Any") -> None:
        call = node.value
        if kind(call) == "Constant":
            return
        if kind(call) != "Call":
            raise Lost
        name, method = self.program.values.dotted(call.func), getattr(call.func, "attr", "")
        if name == "json.dump":
            self.dump(call)
        elif method in ("write", "write_text") and call.args:
            self.write(self.value(call.func.value), call.args[0])
        elif method in ("pop", *EDITS):
            self.method(call, method)
        elif name.rpartition(".")[2] not in SAYS or call.keywords or not inert(call.args):
            raise Lost

    # ---- what is done
    def assign(self, target: "Any", value: "Any") -> None:
        if target is None:
            return
        if kind(target) != "Name" or target.id in OURS:
            raise Lost
        self.known[target.id] = value

    def edit(self, part: "Part | None", value: "Any", *, delete: bool = False) -> None:
        if part is None or not part.path or (value is not None and self.mentions(value)):
            raise Lost
        contents._key(part.document, part.path, delete)

    def method(self, call: "Any", method: str) -> None:
        """`p.update(…)`, `p["a"].append(…)`, `p.pop("a")`"""
        part = self.value(call.func.value)
        if not isinstance(part, Part):
            if self.mentions(call):
                raise Lost
            return
        if part.path and method != "pop":
            self.edit(part, None)
            return
        keys = call.args[:1] if method == "pop" else getattr(call.args[0], "keys", []) if call.args else []
        names = [*[getattr(key, "value", None) for key in keys], *[keyword.arg for keyword in call.keywords]]
        if not names or not all([isinstance(name, str) for name in names]) or self.mentions(*call.args, *call.keywords):
            raise Lost
        for name in names:
            self.edit(Part(part.document, [*part.path, str(name)]), None, delete=method == "pop")

    def dump(self, call: "Any") -> None:
        if len(call.args) < 2:
            raise Lost
        self.put(self.value(call.args[1]), self.dumped(call))

    def write(self, file: "Any", node: "Any") -> None:
        self.put(file, self.value(node))

    def put(self, file: "Any", text: "Any") -> None:
        if not isinstance(file, File) or file.path != self.target:
            return
        if not isinstance(text, str) or file.mode not in ("", "w", "wt"):
            raise Lost
        again = self.written and file.mode != ""  # a second write to an open file goes behind the first
        self.text = self.text + text if again else text
        self.written = True

    # ---- values
    def value(self, node: "Any") -> "Any":
        """A text, a Part, a File; None for anything else."""
        form = kind(node)
        if form == "Constant":
            return node.value if isinstance(node.value, str) else None
        if form == "Name":
            return self.known.get(node.id)
        if form == "Subscript":
            return self.part(node)
        if form == "BinOp" and kind(node.op) in ("Add", "Div"):
            left, right = self.value(node.left), self.value(node.right)
            return left + right if isinstance(left, str) and isinstance(right, str) and kind(node.op) == "Add" else None
        return self.call(node) if form == "Call" else None

    def part(self, node: "Any") -> "Part | None":
        """`p["a"]["b"]`: what lies at a key; a key that is not plain leaves it at the one before."""
        whole = self.value(node.value)
        if not isinstance(whole, Part):
            return None
        key = getattr(node.slice, "value", None)
        if not isinstance(key, str):
            return whole
        return Part(whole.document, [*whole.path, key])

    def call(self, node: "Any") -> "Any":
        name, args = self.program.values.dotted(node.func), node.args
        if name == "open" or name in _PATHS:
            return self.file(node, name)
        if name in ("json.load", "json.loads") and node.keywords:
            raise Lost
        if name == "json.loads" and args:
            return self.document(self.value(args[0]))
        if name == "json.load" and args:
            return self.document(self.content(self.value(args[0])))
        if name == "json.dumps" and args:
            return self.dumped(node)
        if kind(node.func) != "Attribute":
            return None
        return self.of(self.value(node.func.value), node.func.attr, args)

    def of(self, here: "Any", method: str, args: "list[Any]") -> "Any":
        """A method of a text, a file or a part of a document."""
        texts = [self.value(arg) for arg in args]
        if isinstance(here, File):
            if method in ("read", "read_text", "open") and not (args and method == "read"):
                return self.content(here) if method != "open" else self.opened(here, texts)
        elif isinstance(here, str):
            if method == "replace" and len(texts) == 2 and all([isinstance(text, str) for text in texts]):
                return here.replace(texts[0], texts[1])
            if method in ("strip", "rstrip", "lstrip") and not texts:
                return getattr(here, method)()
        elif isinstance(here, Part) and method in ("get", "setdefault") and texts and isinstance(texts[0], str):
            there = Part(here.document, [*here.path, texts[0]])
            if method == "setdefault" and not held(there):
                self.edit(there, None)
            return there
        return None

    def file(self, node: "Any", name: str) -> "File | None":
        path = self.value(node.args[0]) if node.args else None
        path = path.path if isinstance(path, File) else path
        if not isinstance(path, str) or (name != "open" and len(node.args) != 1):
            return None
        made = File(normal(self.program.walk.full(self.program.step, path)), "")
        if name != "open":
            return made
        modes = node.args[1:2] or [k.value for k in node.keywords if k.arg == "mode"]
        return self.opened(made, [self.value(modes[0])] if modes else [])

    def opened(self, path: File, modes: "list[Any]") -> File:
        mode = modes[0] if modes else "r"
        if path.path == self.target and mode not in ("r", "rt", "w", "wt"):
            raise Lost
        return File(path.path, str(mode))

    def content(self, file: "Any") -> "str | None":
        read = isinstance(file, File) and file.path == self.target and file.mode in ("", "r", "rt")
        return self.text if read else None

    def document(self, text: "Any") -> "Part | None":
        from guards.lanes import manifests

        try:
            found = manifests.parse(text, "json") if isinstance(text, str) else None
        except manifests.Unparsed:
            found = None
        return Part(found, []) if isinstance(found, dict) else None

    def dumped(self, node: "Any") -> "str | None":
        part = self.value(node.args[0])
        plain = all([keyword.arg in PLAIN_DUMP for keyword in node.keywords])
        return contents._dumped(part.document) if isinstance(part, Part) and not part.path and plain else None

    def mentions(self, *nodes: "Any") -> bool:
        """Whether an expression uses a document or an open file of the program."""
        names = [node.id for node in walked(nodes) if kind(node) == "Name"]
        return any([isinstance(self.known.get(name), (Part, File)) for name in names])


def walked(nodes: "Any") -> "list[Any]":
    """Every node beneath these, themselves included."""
    found: list[Any] = []
    todo = list(nodes)
    while todo:
        node = todo.pop()
        found.append(node)
        for field in node._fields:
            inner = getattr(node, field, None)
            todo += [each for each in (inner if isinstance(inner, list) else [inner]) if hasattr(each, "_fields")]
    return found


def inert(nodes: "list[Any]") -> bool:
    """Whether looking at these changes nothing: no call, no walrus."""
    return all([kind(node) in INERT for node in walked(nodes)])


def held(part: Part) -> bool:
    """Whether there is something at a key."""
    here: Any = part.document
    for key in part.path:
        if not isinstance(here, dict) or key not in here:
            return False
        here = here[key]
    return True
