"""Lists and dicts of a Python program whose members are known one by one, in their order.

An expression may be one of several of them; none: it is no list, or its members are not known in their order, and
then only the set of texts counts that may be in it (pyvalues.py).
"""

from guards.shell.pysets import holed, sure, union, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyvalues import Values

    Row = tuple[Value, Value, "list[Shape]"]  # (its key in a dict, its texts, what it is as a list)

MOST = 8  # lists that one expression may be
LONGEST = 400  # members of one
_SAME = frozenset({"list", "tuple", "iter", "set", "dict", "frozenset", "collections.deque"})
_CUTS = frozenset({"split", "splitlines", "rsplit", "partition", "rpartition"})


class Shape:
    """Rows in their order. `keyed`: of a dict, which a loop goes through by its keys."""

    __slots__ = ("keyed", "rows")

    def __init__(self, rows: "list[Row]", keyed: bool = False) -> None:
        self.rows = rows
        self.keyed = keyed

    def members(self) -> "list[Row]":
        return [(key, key, []) for key, _, _ in self.rows] if self.keyed else self.rows

    def at(self, index: int) -> "Row | None":
        return self.rows[index] if -len(self.rows) <= index < len(self.rows) else None

    def named(self, key: str) -> "list[Row]":
        """The rows that a key may mean, the one that was set last alone where it is sure."""
        found: list[Row] = []
        for row in reversed(self.rows):
            if row[0] == sure(key):
                return [*found, row]
            if row[0] is None or any([not known for _, known in row[0]]):
                found.append(row)
        return found


LOST: "list[Shape]" = []  # a list whose members are not known in their order, as this very object


def row(values: "Values", node: "Any") -> "Row":
    return None, values.of(node), of(values, node)


def of(values: "Values", node: "Any") -> "list[Shape]":
    reader = _READERS.get(type(node).__name__)
    found: list[Shape] = reader(values, node) if reader is not None else []
    return found if len(found) <= MOST and all([len(shape.rows) <= LONGEST for shape in found]) else LOST


def texts(value: "Value") -> "Shape":
    """A list of one member."""
    return Shape([(None, value, [])])


def joined(left: "list[Shape]", right: "list[Shape]") -> "list[Shape]":
    """Every left list with every right one behind it."""
    found = [Shape([*a.rows, *b.rows], a.keyed) for a in left for b in right]
    if not found and not any([side or side is LOST for side in (left, right)]):
        return []  # no lists
    return found if found and len(found) <= MOST else LOST


def either(ways: "list[list[Shape]]") -> "list[Shape]":
    """One of several; not known where one of them is not, and where there are too many."""
    if not any([way or way is LOST for way in ways]):
        return []
    found = [shape for way in ways for shape in way]
    return found if all(ways) and len(found) <= MOST else LOST


def _list(values: "Values", node: "Any") -> "list[Shape]":
    found = [Shape([])]
    for each in node.elts[: LONGEST + 1]:
        inner = of(values, each.value) if type(each).__name__ == "Starred" else [Shape([row(values, each)])]
        found = joined(found, inner)
    return found


def _dict(values: "Values", node: "Any") -> "list[Shape]":
    found = [Shape([], keyed=True)]
    for key, value in zip(node.keys, node.values, strict=True):
        one = of(values, value)
        found = joined(found, [Shape([(values.of(key), values.of(value), one)])] if key is not None else one)
    return found


def _name(values: "Values", node: "Any") -> "list[Shape]":
    return values.shapes.get(node.id, [])


def _attribute(values: "Values", node: "Any") -> "list[Shape]":
    name = values.dotted(node)
    if name == "sys.argv":
        return words(values)
    if name == "os.environ":  # what is set in it
        return [Shape([], keyed=True)]
    return values.shapes.get("." + node.attr, [])


def words(values: "Values") -> "list[Shape]":
    """What `sys.argv` holds."""
    args = values.program.args
    if values.moved or any([word.text is None for word in args]):
        return []
    return [Shape([(None, sure(word.text or ""), []) for word in args])]


def _binop(values: "Values", node: "Any") -> "list[Shape]":
    if type(node.op).__name__ not in ("Add", "BitOr"):
        return []
    return joined(of(values, node.left), of(values, node.right))


def _ifexp(values: "Values", node: "Any") -> "list[Shape]":
    return either([of(values, node.body), of(values, node.orelse)])


def _boolop(values: "Values", node: "Any") -> "list[Shape]":
    return either([of(values, each) for each in node.values])


def _subscript(values: "Values", node: "Any") -> "list[Shape]":
    held = of(values, node.value)
    if type(node.slice).__name__ == "Slice":
        cut = values.cut(node.slice)
        return [] if cut is None else [Shape(shape.rows[cut]) for shape in held if not shape.keyed]
    return either([row[2] for row in picked(values, held, node.slice) or ()])


def picked(values: "Values", held: "list[Shape]", at: "Any") -> "list[Row] | None":
    """The rows that an index or a key may mean, none where there is no such member; None where that is not known."""
    number = values.number(at)
    key = values.text(at)
    found: list[Row] = []
    for shape in held:
        if shape.keyed and key is not None:
            found += shape.named(key) or [(None, None, [])]
        elif not shape.keyed and number is not None:
            row = shape.at(number)
            found += [row] if row is not None else []
        else:
            return None
    return found


def _call(values: "Values", node: "Any") -> "list[Shape]":
    from guards.shell import pywords

    if id(node) in values.results:
        return values.results[id(node)][1]
    name, args = values.dotted(node.func), node.args
    if name in _SAME and len(args) == 1 and not node.keywords:
        return of(values, args[0])
    if name == "sorted" and len(args) == 1 and not node.keywords:
        return either([pywords.ordered(shape) for shape in of(values, args[0])])
    if name == "reversed" and args:
        return [Shape(shape.rows[::-1]) for shape in of(values, args[0])]
    if name == "dict" and len(args) < 2 and all([k.arg for k in node.keywords]):
        rows: list[Row] = [(sure(k.arg), values.of(k.value), of(values, k.value)) for k in node.keywords]
        return joined(of(values, args[0]) if args else [Shape([], keyed=True)], [Shape(rows)])
    if name == "zip":
        return _zipped([of(values, each) for each in args])
    if name == "enumerate" and args:
        return [Shape([_numbered(n, row) for n, row in enumerate(s.members())]) for s in of(values, args[0])]
    if name == "shlex.split" and args:
        return pywords.split(values.text(args[0]))
    return _method(values, node) if type(node.func).__name__ == "Attribute" else []


def _numbered(number: int, row: "Row") -> "Row":
    return None, union([sure(str(number)), row[1]]), [_pair(sure(str(number)), row)]


def _pair(first: "Value", row: "Row") -> Shape:
    return Shape([(None, first, []), (None, row[1], row[2])])


def _zipped(lists: "list[list[Shape]]") -> "list[Shape]":
    if not all([len(shapes) == 1 for shapes in lists]):
        return []
    rows = zip(*[shapes[0].members() for shapes in lists], strict=False)
    return [Shape([(None, union([r[1] for r in each]), [Shape(list(each))]) for each in rows])]


def _method(values: "Values", node: "Any") -> "list[Shape]":
    attr = node.func.attr
    if attr in _CUTS:
        return cut(values, node)
    held = of(values, node.func.value)
    if attr == "copy":
        return held
    if attr in ("keys", "values", "items") and all([shape.keyed for shape in held]):
        if attr == "keys":
            return [Shape(shape.members()) for shape in held]
        if attr == "values":
            return [Shape([(None, row[1], row[2]) for row in shape.rows]) for shape in held]
        return [Shape([(None, union(row[:2]), [_pair(row[0], row)]) for row in shape.rows]) for shape in held]
    return []


def cut(values: "Values", node: "Any") -> "list[Shape]":
    """A text that is known, in its pieces."""
    held = values.of(node.func.value)
    given = [values.text(each) if values.number(each) is None else values.number(each) for each in node.args]
    if held is None or None in given or node.keywords or any([holed(text) for text, _ in held]):
        return []
    found = []
    for text, known in held[: MOST + 1]:
        try:
            pieces = getattr(text, node.func.attr)(*given)
        except (TypeError, ValueError):
            return []
        found.append(Shape([(None, sure(piece) if known else unsure(sure(piece)), []) for piece in pieces]))
    return found


def whole(shapes: "list[Shape]") -> "Value":
    """All texts that may be in any of them."""
    return union([row[1] for shape in shapes for row in shape.rows if row[1] != sure("")])


_READERS: "dict[str, Any]" = {
    "List": _list, "Tuple": _list, "Set": _list, "Dict": _dict, "Name": _name, "Attribute": _attribute,
    "BinOp": _binop, "IfExp": _ifexp, "BoolOp": _boolop, "Subscript": _subscript, "Call": _call,
    "Known": lambda _values, node: node.row[2],
    "Starred": lambda values, node: of(values, node.value),
    "NamedExpr": lambda values, node: of(values, node.value),
}  # fmt: skip
