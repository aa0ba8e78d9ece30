"""Lists, dicts and the environment of a Python program that are changed where they are: added to, taken from."""

from guards.shell import pybinding, pyshapes
from guards.shell.pysets import beneath, product, union
from guards.shell.pyvalues import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyvalues import Values

_CHANGES = frozenset(
    {"append", "add", "extend", "update", "insert", "pop", "popleft", "remove", "clear", "sort", "reverse",
     "setdefault", "appendleft", "__setitem__"}
)  # fmt: skip


def add_to(values: "Values", node: "Any") -> None:
    """`p += …`, `p /= …`"""
    name = pybinding.kept(node.target)
    if name is None:
        pybinding.put(values, node.target, (None, values.of(node.value), []))
        return
    old, new = values.names.get(name), values.of(node.value)
    if name in values.shapes or values.listed(node.value):
        values.shapes[name] = pyshapes.joined(values.shapes.get(name, []), pyshapes.of(values, node.value))
        values.names[name] = union([values.names.get(name, ()), new])
        return
    form = kind(node.op)
    values.names[name] = product(old, new) if form == "Add" else beneath(old, new) if form == "Div" else None


def changed(values: "Values", node: "Any") -> None:
    """`L.append(…)` and its like."""
    attr = node.func.attr
    name = pybinding.kept(node.func.value)
    if attr not in _CHANGES or name is None:
        return
    if values.dotted(node.func.value) == "sys.argv":
        values.moved, values.given = True, None
        return
    if values.dotted(node.func.value) == "os.environ":
        _environment(values, node)
        return
    if getattr(node.func.value, "attr", "") == "__dict__":
        values.given = None
    if attr in ("pop", "popleft"):
        taken(values, node, name)
        return
    if name not in values.names and name not in values.shapes:
        return
    given = [*node.args, *[k.value for k in node.keywords]]
    values.names[name] = union([values.names.get(name, ()), *[values.of(each) for each in given]])
    before = values.shapes.get(name, [])
    if attr in ("append", "add") and given:
        values.shapes[name] = pyshapes.joined(before, [pyshapes.Shape([pyshapes.row(values, given[0])])])
    elif attr in ("extend", "update") and node.args:
        values.shapes[name] = pyshapes.joined(before, pyshapes.of(values, given[0]))
    elif attr == "insert" and len(given) == 2 and values.number(given[0]) is not None:
        at, row = values.number(given[0]), pyshapes.row(values, given[1])
        values.shapes[name] = [pyshapes.Shape([*s.rows[:at], row, *s.rows[at:]]) for s in before]
    else:
        values.shapes[name] = pyshapes.LOST
    pybinding.echo(values, name)


def _environment(values: "Values", node: "Any") -> None:
    """`os.environ.update(P=…)`"""
    shapes = pyshapes.of(values, node.args[0]) if node.args else []
    for shape in shapes:
        for key, value, _ in shape.rows:
            if key and shape.keyed:
                exported(values, key[0][0], value)
    for keyword in node.keywords:
        if keyword.arg:
            exported(values, keyword.arg, values.of(keyword.value))


def exported(values: "Values", name: str, value: "Value") -> None:
    """A variable that is set for this program and for what it starts."""
    from guards.shell.stepping import derive

    values.names["$" + name] = value
    step = derive(values.program.step, values.program.step.argv)
    step.env = {**step.env, name: value[0][0] if value and len(value) == 1 and value[0][1] else None}
    values.program.step = step


def taken(values: "Values", node: "Any", name: str) -> None:
    """`L.pop(0)`, `next(it)`: what is taken away is gone; in a loop it may be any."""
    shapes = values.shapes.get(name, [])
    at = values.number(node.args[0]) if kind(node.func) == "Attribute" and node.args else -1
    if kind(node.func) == "Name" or node.func.attr == "popleft":
        at = 0
    rows = [shape.at(at) for shape in shapes if at is not None and not shape.keyed]
    known = [row for row in rows if row is not None]
    if values.program.turning or not known or len(known) != len(shapes):
        values.results[id(node)] = union([values.names.get(name), *[r[1] for r in known]]), []
        values.shapes[name] = pyshapes.LOST
        return
    found = pybinding.one(known)
    values.results[id(node)] = found[1], found[2]
    index = at or 0
    values.shapes[name] = [
        pyshapes.Shape([row for n, row in enumerate(s.rows) if n != index % len(s.rows)]) for s in shapes
    ]
