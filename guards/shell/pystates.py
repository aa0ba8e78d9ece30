"""What the variables of a Python program hold at a place, and what they hold where ways meet again."""

from guards.shell import pyshapes
from guards.shell.pybinding import FUNCTIONS
from guards.shell.pysets import union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyshapes import Shape
    from guards.shell.pyvalues import Values

    State = tuple[dict[str, Value], dict[str, list[Shape]], dict[str, list[Any]]]


def state(values: "Values") -> "State":
    return dict(values.names), dict(values.shapes), dict(values.aliases)


def restore(values: "Values", held: "State") -> None:
    values.names, values.shapes, values.aliases = dict(held[0]), dict(held[1]), dict(held[2])


def meet(values: "Values", ways: "list[State]") -> None:
    """What holds after one of several ways. A name that a way does not set is not looked at behind it."""
    first = ways[0]
    for way in ways[1:]:
        first = _both(first, way)
    restore(values, first)


def _both(first: "State", other: "State") -> "State":
    names, lists, aliases = {**other[0], **first[0]}, {**other[1], **first[1]}, {**other[2], **first[2]}
    for name in other[0].keys() & first[0].keys():
        if other[0][name] != first[0][name]:
            names[name] = union([first[0][name], other[0][name]])
        if (name in other[1]) is not (name in first[1]):  # a list on one way only
            lists[name] = pyshapes.LOST
    for name in other[1].keys() & first[1].keys():
        if other[1][name] is not first[1][name]:
            lists[name] = pyshapes.either([first[1][name], other[1][name]])
    for name in other[2].keys() & first[2].keys():
        more = [each for each in other[2][name] if each not in first[2][name]]
        aliases[name] = [*first[2][name], *more][:FUNCTIONS]
    return names, lists, aliases
