"""The program's own functions and classes: a call of one is its body, with the values it is called with.

What it gives is all that its returns may give. A call too deep, or one whose function is not known, gives nothing that
is known.
"""

from guards.shell import pybinding, pyshapes, pystates
from guards.shell.pysets import sure, union
from guards.shell.pyvalues import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pyshapes import Row
    from guards.shell.python import Program
    from guards.shell.pyvalues import Values

DEPTH = 8  # calls within calls


class Known:
    """Stands in a call for an argument whose value is known already."""

    _fields = ()

    def __init__(self, row: "Row") -> None:
        self.row = row


def spread(values: "Values", node: "Any") -> "Any":
    """The call with what `*list` and `**dict` stand for, as far as that is known; what is not stands as unknown."""
    if not any([kind(a) == "Starred" for a in node.args]) and all([k.arg for k in node.keywords]):
        return node
    args: list[Any] = []
    for each in node.args:
        shapes = pyshapes.of(values, each.value) if kind(each) == "Starred" else []
        if kind(each) != "Starred":
            args.append(each)
        elif len(shapes) == 1:
            args += [Known(row) for row in shapes[0].members()]
        else:
            args += [Known((None, values.of(each.value), []))] * 3
    keywords: list[Any] = []
    for keyword in node.keywords:
        shapes = pyshapes.of(values, keyword.value) if keyword.arg is None else []
        if keyword.arg is None and len(shapes) == 1 and all([r[0] and len(r[0]) == 1 for r in shapes[0].rows]):
            keywords += [_keyword(keyword, row) for row in shapes[0].rows]
        else:
            keywords.append(keyword)
    return type(node)(node.func, args, keywords)


def _keyword(keyword: "Any", row: "Row") -> "Any":
    made = type(keyword)()
    made.arg, made.value = row[0][0][0] if row[0] else None, Known((None, row[1], row[2]))
    return made


def call(program: "Program", functions: "list[Any]", node: "Any", *, made: int = 0) -> None:
    """Any of several functions with one name."""
    found: list[Row] = []
    for function in functions:
        if program.depth > DEPTH or program.active.count(id(function)) > 1 or program.left < 0:
            program.deep = program.deep or program.depth > DEPTH
            found.append((None, None, []))
            continue
        found.append(_run(program, function, node, made))
    if found:
        program.values.results[id(node)] = pybinding.one(found)[1:]


def _run(program: "Program", function: "Any", node: "Any", made: int) -> "Row":
    values = program.values
    held, before = pystates.state(values), (program.returns, program.made)
    program.called.add(id(function))
    program.active.append(id(function))
    program.depth += 1
    program.returns = []
    program.made = made
    try:
        bind(values, function, node)
        if kind(function) == "Lambda":
            program.visit(function.body)
            program.returns.append(pyshapes.row(values, function.body))
        else:
            program.each(function.body)
        return pybinding.one(program.returns) if program.returns else (None, (), [])
    finally:
        program.depth -= 1
        program.active.pop()
        program.returns, program.made = before
        _leave(values, function, held)


def construct(program: "Program", made: "Any", node: "Any") -> None:
    """An object of a class: its `__init__` runs; a class that only lists its fields takes them in their order."""
    values = program.values
    begins = [each for each in made.body if kind(each) == "FunctionDef" and each.name in ("__init__", "__post_init__")]
    plain = [each.target for each in made.body if kind(each) == "AnnAssign" and kind(each.target) == "Name"]
    spelled = spread(values, node)
    given = dict(zip([each.id for each in plain], spelled.args, strict=False))
    given.update({k.arg: k.value for k in spelled.keywords if k.arg})
    if not any([each.name == "__init__" for each in begins]):
        for each in plain:
            if each.id in given:
                row = _row(values, given[each.id])[0]
                before = values.names.get("." + each.id, ())
                values.names["." + each.id] = union([before, row[1]]) if made.name in values.owners else row[1]
        values.owners[made.name] = ""
    for function in begins:
        call(program, [function], node if function.name == "__init__" else type(node)(node.func, [], []), made=id(node))
    values.results[id(node)] = None, []


def _leave(values: "Values", function: "Any", held: "pystates.State") -> None:
    """Its own variables end with it; attributes, the environment, and what belongs to the program stay changed."""
    own = _own(function)
    after = pystates.state(values)
    kept: list[dict[str, Any]] = []
    for old, new in zip(held, after, strict=True):
        stays = {name: each for name, each in new.items() if name not in own}  # type: ignore[attr-defined]
        kept.append({**{name: each for name, each in old.items() if name in own}, **stays})  # type: ignore[attr-defined]
    pystates.restore(values, (kept[0], kept[1], kept[2]))


def _own(function: "Any") -> "set[str]":
    found = {each.arg for each in parameters(function)}
    outside: set[str] = set()
    todo = [*function.body] if isinstance(function.body, list) else [function.body]
    while todo:
        node = todo.pop()
        form = kind(node)
        if form == "Name" and kind(node.ctx) != "Load":
            found.add(node.id)
        elif form in ("Global", "Nonlocal"):
            outside |= set(node.names)
        for field in node._fields:
            part = getattr(node, field, None)
            todo += [each for each in (part if isinstance(part, list) else [part]) if hasattr(each, "_fields")]
    return found - outside


def parameters(function: "Any") -> "list[Any]":
    given = function.args
    rest = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def bind(values: "Values", function: "Any", node: "Any") -> None:
    """Parameters, each with what it is called with, else with its default; else it is not known. node: None where
    nobody knows how it is called."""
    given = function.args
    names = [each.arg for each in [*given.posonlyargs, *given.args]]
    bound: dict[str, Any] = dict(zip(names[len(names) - len(given.defaults) :], given.defaults, strict=True))
    bound.update({a.arg: d for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is not None})
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    args = spread(values, node).args if node is not None else []
    keywords = spread(values, node).keywords if node is not None else []
    known = [each.arg for each in parameters(function)]
    named = {k.arg: k.value for k in keywords if k.arg in known}
    rest, more = args[len(names) :], [k for k in keywords if k.arg not in known]
    rows = {
        name: _row(values, each) for name, each in {**bound, **dict(zip(names, args, strict=False)), **named}.items()
    }
    unsure = node is None or any([k.arg is None for k in more])
    for each in parameters(function):
        row, source = rows.get(each.arg, ((None, None, []), None))
        if unsure and each.arg in bound and each.arg not in named:
            row = (None, union([row[1], None]), [])
        pybinding.put(values, Target(each.arg), row)
        if source is not None and kind(source) != "Known":
            known_as = pybinding.functions(values, source)
            if known_as:
                values.aliases[each.arg] = known_as
            if kind(source) == "Name" and source.id != each.arg:
                values.twins[each.arg] = source.id
    if given.vararg is not None and node is not None:
        found = [_row(values, each)[0] for each in rest]
        shape = pyshapes.Shape([(None, row[1], row[2]) for row in found])
        pybinding.put(values, Target(given.vararg.arg), (None, pyshapes.whole([shape]), [shape]))
    if given.kwarg is not None and node is not None and all([k.arg for k in more]):
        rows_ = [(sure(k.arg), *_row(values, k.value)[0][1:]) for k in more]
        shape = pyshapes.Shape(rows_, keyed=True)
        pybinding.put(values, Target(given.kwarg.arg), (None, pyshapes.whole([shape]), [shape]))


def _row(values: "Values", node: "Any") -> "tuple[Row, Any]":
    return (node.row, node) if kind(node) == "Known" else (pyshapes.row(values, node), node)


class Name:
    """A variable that something is put into."""

    _fields = ()

    def __init__(self, name: str) -> None:
        self.id = name


Target = Name


def unseen(program: "Program") -> None:
    """Functions that nothing was seen to call: something else may, with anything."""
    every = [each for functions in program.functions.values() for each in functions] + program.lambdas
    for function in every:
        if id(function) not in program.called:
            held = pystates.state(program.values)
            program.called.add(id(function))
            bind(program.values, function, None)
            if kind(function) == "Lambda":
                program.visit(function.body)
            else:
                program.each(function.body)
            _leave(program.values, function, held)


def handed(program: "Program", node: "Any", calls: "Any") -> "list[Any]":
    """Calls of functions that are given to another one, with what they are called with: map(os.remove, names)."""
    named = {k.arg: k.value for k in node.keywords if k.arg in ("target", "func", "function", "initializer")}
    spelled = next((k.value for k in node.keywords if k.arg in ("args", "initargs")), None)
    behind = getattr(spelled, "elts", [] if spelled is None else [spelled])
    found: list[Any] = []
    for at, each in enumerate(node.args):
        if kind(each) in ("Name", "Attribute", "Lambda", "Call", "Subscript", "IfExp"):
            rest = [*node.args[at + 1 :], *behind]
            found += [type(node)(f, rest, []) for f in pybinding.functions(program.values, each) if rest]
    for each in named.values():
        rest = behind or node.args
        found += [type(node)(f, rest, []) for f in pybinding.functions(program.values, each) if rest]
    return found
