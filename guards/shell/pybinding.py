"""What variables of a Python program are set to: targets of assignments and loops, and lists that are changed.

A variable has its texts, the lists that it may be, and the functions that it may stand for. Where ways part and meet
again, all of each counts.
"""

from guards.shell import pyparts, pyshapes
from guards.shell.pysets import union
from guards.shell.pyvalues import PARSED, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyshapes import Row, Shape
    from guards.shell.pyvalues import Values

    State = tuple[dict[str, Value], dict[str, list[Shape]], dict[str, list[Any]]]

_SETTINGS = frozenset({"default", "const", "dest", "nargs", "type", "action", "option_strings"})
FUNCTIONS = 60  # that one name may stand for


def assign(values: "Values", target: "Any", node: "Any") -> None:
    """`target = node`"""
    sides = [getattr(each, "elts", []) for each in (target, node)]
    if sides[0] and len(sides[0]) == len(sides[1]) and not any([kind(e) == "Starred" for e in sides[0] + sides[1]]):
        rows = [pyshapes.row(values, each) for each in sides[1]]
        for each, row, given in zip(sides[0], rows, sides[1], strict=True):
            put(values, each, row, given)
        return
    put(values, target, (None, values.of(node), pyshapes.of(values, node)), node)


def put(values: "Values", target: "Any", row: "Row", node: "Any" = None) -> None:
    form = kind(target)
    if form == "Name":
        if node is not None:
            values.pieces[target.id] = values.pieces.get(target.id, set()) | pyparts.within(values, node)
        _set(values, target.id, row, node)
    elif form == "Attribute":
        _on_object(values, target, row, node)
    elif form == "Subscript":
        _member(values, target, row)
    elif form in ("Tuple", "List"):
        _unpacked(values, target, row)
    elif form == "Starred":
        put(values, target.value, row)


def _set(values: "Values", name: str, row: "Row", node: "Any") -> None:
    values.names[name] = row[1]
    values.shapes.pop(name, None)
    if row[2] or row[2] is pyshapes.LOST or (node is not None and values.listed(node)):
        values.shapes[name] = row[2] or pyshapes.LOST
    known = functions(values, node) if node is not None else []
    if name in values.renamed:
        del values.mods[name], values.renamed[name]
    values.twins.pop(name, None)
    if node is not None and kind(node) == "Name" and node.id in values.names:
        values.twins[name] = node.id
    module = values.got(node) if node is not None and kind(node) == "Call" else ""
    if module and name[:1] != ".":
        values.mods[name] = values.renamed[name] = module
    values.aliases.pop(name, None)
    if known:
        values.aliases[name] = known


def _on_object(values: "Values", target: "Any", row: "Row", node: "Any") -> None:
    """`a.p = …`: attributes of a name are one, and those of several objects add up."""
    if values.dotted(target) == "sys.argv":
        values.moved, values.given = True, None
    if values.of(target.value) == PARSED:
        if values.given is not None:
            values.given[target.attr] = row[1]
        return
    name, owner = "." + target.attr, f"{values.dotted(target.value)} {values.program.made}"
    others = name in values.owners and values.owners[name] != owner
    before = values.names.get(name), values.shapes.get(name)
    _set(values, name, row, node)
    if others:
        values.names[name] = union([before[0], row[1]])
        values.shapes[name] = pyshapes.either([before[1] or [], row[2]])
    values.owners[name] = owner
    if target.attr in _SETTINGS:  # of an option, perhaps
        values.given = None


def _member(values: "Values", target: "Any", row: "Row") -> None:
    """`d['o'] = …`, `L[0] = …`, `os.environ['P'] = …`"""
    from guards.shell import pychanges

    name = values.dotted(target.value)
    if name == "os.environ":
        key = values.text(target.slice)
        if key is not None:
            pychanges.exported(values, key, row[1])
        return
    if name == "sys.argv":
        values.moved, values.given = True, None
        return
    if getattr(target.value, "attr", "") == "__dict__":
        values.given = None
    held = kept(target.value)
    if held is None:
        return
    values.names[held] = union([values.names.get(held, ()), row[1]])
    number = values.number(target.slice)
    found: list[Shape] = []
    for shape in values.shapes.get(held, []):
        if shape.keyed:
            found.append(pyshapes.Shape([*shape.rows, (values.of(target.slice), row[1], row[2])], keyed=True))
        elif number is not None and shape.at(number) is not None:
            rows = list(shape.rows)
            rows[number] = (None, row[1], row[2])
            found.append(pyshapes.Shape(rows))
    values.shapes[held] = found if len(found) == len(values.shapes.get(held, [])) else pyshapes.LOST
    echo(values, held)


def echo(values: "Values", name: str) -> None:
    """A list that is changed under one name is changed under the others that it has."""
    for other in [values.twins.get(name), *[each for each, source in values.twins.items() if source == name]]:
        if other is not None and other in values.names and other != name:
            values.names[other] = union([values.names[other], values.names.get(name)])
            values.shapes[other] = pyshapes.LOST


def kept(node: "Any") -> "str | None":
    """Under which name the list behind an expression is kept."""
    return node.id if kind(node) == "Name" else "." + node.attr if kind(node) == "Attribute" else None


def _unpacked(values: "Values", target: "Any", row: "Row") -> None:
    """`a, *b, c = …`: one by one where the list is known, else each may be any."""
    count, stars = len(target.elts), [at for at, each in enumerate(target.elts) if kind(each) == "Starred"]
    fitting = [
        shape.members() for shape in row[2] if len(shape.rows) == count or (stars and len(shape.rows) >= count - 1)
    ]
    if not fitting or len(fitting) != len(row[2]):
        for each in target.elts:
            put(values, each, (None, row[1], []))
        return
    for at, each in enumerate(target.elts):
        rows: list[Row] = []
        for members in fitting:
            if stars and at == stars[0]:
                middle = members[at : len(members) - (count - at - 1)]
                rows.append((None, union([m[1] for m in middle]), [pyshapes.Shape(middle)]))
            else:
                rows.append(members[at - count if stars and at > stars[0] else at])
        put(values, each, one(rows))


def one(rows: "list[Row]") -> "Row":
    """What may be any of several."""
    return None, union([row[1] for row in rows]), pyshapes.either([row[2] for row in rows])


def members(values: "Values", node: "Any") -> "list[Row] | None":
    """What a loop takes one by one; None where that is not known one by one."""
    held = pyshapes.of(values, node)
    return [row for shape in held for row in shape.members()] if held else None


def looped(values: "Values", target: "Any", node: "Any") -> None:
    """A loop's variable may be any of what it goes through."""
    _looped(values, target, node)
    known = functions(values, node) if kind(target) == "Name" else []
    if known:
        values.aliases[target.id] = known


def _looped(values: "Values", target: "Any", node: "Any") -> None:
    rows = members(values, node)
    if not rows:
        put(values, target, (None, values.of(node), []))
        return
    if kind(target) in ("Tuple", "List") and all([len(row[2]) == 1 for row in rows]):
        widths = [len(row[2][0].rows) for row in rows]
        if set(widths) == {len(target.elts)}:
            for at, each in enumerate(target.elts):
                put(values, each, one([row[2][0].members()[at] for row in rows]))
            return
    put(values, target, one(rows))


def functions(values: "Values", node: "Any") -> "list[Any]":
    """The functions that an expression may stand for: names of writing calls, of own ones, methods of a path."""
    form = kind(node)
    calls = values.program.walk.languages["python"]["calls"]
    if form == "Name" and node.id in values.aliases:
        return values.aliases[node.id]
    if form == "Name":
        return [node] if node.id in values.program.functions or values.dotted(node) in calls else []
    if form == "Lambda":
        return [node]
    if form == "Attribute":
        known = values.dotted(node) in calls or "." + node.attr in calls or node.attr in values.program.functions
        return [node] if (known and node.attr not in ("replace", "rename")) or values.dotted(node) in calls else []
    if form == "Call":
        name = values.dotted(node.func)
        if name in ("functools.partial", "partial"):
            return [node]
        return [node] if name == "getattr" and (values.dotted(node) in calls or _attribute(values, node)) else []
    if form == "Subscript":
        return functions(values, node.value)
    inner = {
        "IfExp": ("body", "orelse"), "BoolOp": ("values",), "Dict": ("values",), "List": ("elts",), "Tuple": ("elts",),
        "NamedExpr": ("value",),
    }.get(form, ())  # fmt: skip
    found: list[Any] = []
    for field in inner:
        part = getattr(node, field)
        for each in part if isinstance(part, list) else [part]:
            found += functions(values, each)
    return found[:FUNCTIONS]


def _attribute(values: "Values", node: "Any") -> bool:
    return len(node.args) > 1 and values.text(node.args[1]) is not None
