"""A Python program text: what it writes, by its syntax tree.

The tree comes from the compiler itself (`compile` with the syntax-tree flag; `ast` is not loaded). Statements are
taken in their order; values are sets of texts, joined through variables, loops over literals, paths and formatting.
A write to a value that is not known is an unknown effect whose mentions are the program's literals and arguments.
"""

from guards.shell import pybinding, pybodies, pychanges, pyshapes
from guards.shell.pyflow import Flow
from guards.shell.pyparts import within
from guards.shell.pysets import filled
from guards.shell.pyvalues import Values, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pyshapes import Row
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TREE_ONLY = 0x400  # PyCF_ONLY_AST
CHANGES = ("create", "insert", "update", "delete", "drop", "alter", "replace")  # SQL that changes a database
NODES = 120_000  # syntax nodes visited of one program


def read(walk: "Walk", step: "Step", text: str, args: "list[Word]") -> None:
    tree = parse(text)
    if tree is None:
        from guards.shell import code

        code.read(walk, step, text, args, "python")
        return
    program = Program(walk, step, args)
    try:
        program.block(tree.body)
    except RecursionError:
        walk.opaque(step, [*program.literals, *args[1:]], "python: nested too deeply")


def parse(text: str) -> "Any":
    """The tree, or None for text that this interpreter does not take (another Python, a broken one)."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return compile(text.replace("\0", " "), "program", "exec", TREE_ONLY, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None


def every(body: "list[Any]") -> "list[str]":
    """All texts of a program."""
    found: list[str] = []
    todo = list(body)
    while todo:
        node = todo.pop()
        if kind(node) == "Constant" and isinstance(node.value, str):
            found.append(node.value)
        for field in node._fields:
            inner = getattr(node, field, None)
            todo += [each for each in (inner if isinstance(inner, list) else [inner]) if hasattr(each, "_fields")]
    return found


class Program(Flow):
    """One program text. functions, classes: name → what it is defined as, here or there."""

    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", depth: int = 0) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.depth = depth
        self.left = NODES
        self.body: list[Any] = []
        self.literals: list[str] = []
        self.functions: dict[str, list[Any]] = {}
        self.classes: dict[str, Any] = {}
        self.lambdas: list[Any] = []
        self.called: set[int] = set()
        self.active: list[int] = []  # functions that are being gone through
        self.returns: list[Row] = []
        self.made = 0  # the call of a class whose object is being made
        self.kept: list[Any] = []  # nodes that were made on the way
        self.deep = False  # whether calls were too deep to follow
        self.values = Values(self)
        self.unsure: list[tuple[str, str]] = []
        self.holes: list[tuple[str, str, str]] = []  # (act, cause, a text with holes)
        self.copies: list[tuple[str, str, set[str], set[str]]] = []  # (act, cause, source, parts of the target)
        self.databases: list[tuple[str, bool]] = []

    def block(self, body: "list[Any]") -> None:
        """The whole program. Functions that it never calls itself are looked into at its end: something else may."""
        self.body = body
        self.each(body)
        pybodies.unseen(self)
        if self.left < 0 or self.deep:
            self.literals = every(body)
            self.unsure.append(("write", "what is too long to follow"))
        if any([text.lstrip().lower().startswith(CHANGES) for text in self.literals]):
            for path, _ in self.databases:
                if path != ":memory:":
                    self.walk.path(self.step, path, cause="python sqlite3.connect")
        if self.unsure or self.copies or self.holes:
            self._doubts(body)

    def _doubts(self, body: "list[Any]") -> None:
        """What goes to values that are not known: the texts of the program that are more than read, and its words."""
        from guards.shell.mentions import decoded, handed
        from guards.shell.pyreads import only

        read = only(self.values, body)
        kept = [text for text in dict.fromkeys(self.literals) if text not in read]
        words: list[Any] = [*kept, *[decoded(x) for x in kept], *self.args[1:]]
        words += handed(self.walk, self.step)
        words += [text.lstrip("/") for text in kept if self._near(text)]
        words += [piece for text in kept if text.lstrip()[:1] in ("{", "[") for piece in text.split('"')]  # JSON
        for act, cause in dict.fromkeys(self.unsure):
            self._unknown(words, act, cause)
        for act, cause, source, parts in self.copies:
            gone = source - parts
            self._unknown([w for w in words if getattr(w, "text", w) not in gone], act, cause)
        for act, cause, text in dict.fromkeys(self.holes):
            self._unknown(filled(text, [getattr(w, "text", w) or "" for w in words]), act, cause)

    def _near(self, text: str) -> bool:
        """Whether a text with a slash first may be behind the folder we are in: f"{root}/ops/x"."""
        from guards.engine.world import join

        first = text.lstrip("/").partition("/")[0]
        cwd = self.step.cwd or self.walk.event.cwd
        return text[:1] == "/" and bool(first) and self.walk.world.lstat(join(cwd, first)) is not None

    def copied(self, act: str, cause: str, source: "Any", target: "Any") -> None:
        """A copy to where is not known: what it is made of is no mention of that, but for what its target shares."""
        self.copies.append((act, cause, within(self.values, source), within(self.values, target)))

    def _unknown(self, words: "list[Any]", act: str, cause: str) -> None:
        from guards.engine.event import UNKNOWN, Effect
        from guards.shell import mentions

        cwd = self.step.cwd or self.walk.event.cwd
        named = mentions.of_words(words, cwd)
        self.walk.add(
            Effect("", act, UNKNOWN, cwd, cause=f"python: {cause} of a value that is not known", mentions=named)
        )

    # ---- statements
    def visit(self, node: "Any") -> None:
        self.left -= 1
        if self.left < 0:
            return
        name = kind(node)
        handler = getattr(self, "on_" + name.lower(), None)
        if handler is not None:
            handler(node)
            return
        self.inside(node)

    def inside(self, node: "Any") -> None:
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                for item in value:
                    if hasattr(item, "_fields"):
                        self.visit(item)
            elif hasattr(value, "_fields"):
                self.visit(value)

    def on_import(self, node: "Any") -> None:
        for alias in node.names:
            self.values.mods[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )

    def on_importfrom(self, node: "Any") -> None:
        for alias in node.names:
            self.values.mods[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
            if alias.name == "*":
                start = f"{node.module or ''}."
                known = [call for call in self.walk.languages["python"]["calls"] if call.startswith(start)]
                self.values.mods.update({call[len(start) :]: call for call in known})

    def on_assign(self, node: "Any") -> None:
        self.visit(node.value)
        for target in node.targets:
            pybinding.assign(self.values, target, node.value)

    def on_annassign(self, node: "Any") -> None:
        if node.value is not None:
            self.visit(node.value)
            pybinding.assign(self.values, node.target, node.value)

    def on_namedexpr(self, node: "Any") -> None:
        self.visit(node.value)
        pybinding.assign(self.values, node.target, node.value)

    def on_augassign(self, node: "Any") -> None:
        self.visit(node.value)
        pychanges.add_to(self.values, node)

    def on_comprehension(self, node: "Any") -> None:
        self.visit(node.iter)
        pybinding.looped(self.values, node.target, node.iter)
        self.each(node.ifs)

    def _comprehension(self, node: "Any") -> None:
        self.each(node.generators)
        self.each([inner for field in ("elt", "key", "value") if (inner := getattr(node, field, None)) is not None])

    on_listcomp = on_setcomp = on_generatorexp = on_dictcomp = _comprehension

    def on_with(self, node: "Any") -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                pybinding.assign(self.values, item.optional_vars, item.context_expr)
        self.each(node.body)

    on_asyncwith = on_with

    def on_functiondef(self, node: "Any") -> None:
        self.each([each for each in [*node.args.defaults, *node.args.kw_defaults] if each is not None])
        known = self.functions.setdefault(node.name, [])
        if node not in known:
            known.append(node)

    on_asyncfunctiondef = on_functiondef

    def on_classdef(self, node: "Any") -> None:
        self.classes[node.name] = node
        self.each(node.body)

    def on_lambda(self, node: "Any") -> None:
        if node not in self.lambdas:
            self.lambdas.append(node)

    def on_return(self, node: "Any") -> None:
        if node.value is not None:
            self.visit(node.value)
            self.returns.append(pyshapes.row(self.values, node.value))

    on_yield = on_yieldfrom = on_return

    def on_constant(self, node: "Any") -> None:
        if isinstance(node.value, str):
            self.literals.append(node.value)

    def on_call(self, node: "Any") -> None:
        self.inside(node)
        from guards.shell import pycalls

        pycalls.call(self, node)
