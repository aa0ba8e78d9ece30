"""The order in which a Python program runs: branches, loops, and what they leave behind.

Each way of a branch starts with what held before it, and behind it all of each counts. A loop over few members that
are lists themselves is gone through one by one; one whose variables change in a later turn is gone through twice.
"""

from guards.shell import pybinding, pystates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pystates import State
    from guards.shell.pyvalues import Values

TURNS = 100  # turns of loops within loops that are gone through one by one


class Flow:
    """What `Program` does with statements that part ways."""

    values: "Values"
    turning = 0  # loops around
    turns = 1  # of the loops around that are gone through one by one

    def visit(self, node: "Any") -> None:
        raise NotImplementedError

    def each(self, body: "list[Any]") -> None:
        for statement in body:
            self.visit(statement)

    def _way(self, held: "State", body: "list[Any]") -> "list[State]":
        """What holds after one way; none where the program ends in it."""
        pystates.restore(self.values, held)
        self.each(body)
        return [] if body and _ends(body[-1]) else [pystates.state(self.values)]

    def _meet(self, ways: "list[State]", held: "State") -> None:
        pystates.meet(self.values, ways or [held])

    def on_if(self, node: "Any") -> None:
        self.visit(node.test)
        held = pystates.state(self.values)
        self._meet(self._way(held, node.body) + self._way(held, node.orelse), held)

    def on_match(self, node: "Any") -> None:
        self.visit(node.subject)
        held = pystates.state(self.values)
        ways = [held]
        for case in node.cases:
            ways += self._way(held, [case.pattern, *([case.guard] if case.guard is not None else []), *case.body])
        self._meet(ways, held)

    def on_matchas(self, node: "Any") -> None:
        if node.name is not None:
            self.values.names[node.name] = None

    def on_try(self, node: "Any") -> None:
        held = pystates.state(self.values)
        ways = self._way(held, [*node.body, *node.orelse])
        self._meet([held, pystates.state(self.values)], held)
        between = pystates.state(self.values)
        for handler in node.handlers:
            if handler.name:
                between[0][handler.name] = None
            ways += self._way(between, handler.body)
        self._meet(ways, held)
        self.each(node.finalbody)

    on_trystar = on_try

    def on_while(self, node: "Any") -> None:
        self.visit(node.test)
        self._turns(node, lambda: self.visit(node.test))

    def on_for(self, node: "Any") -> None:
        self.visit(node.iter)
        rows = pybinding.members(self.values, node.iter)
        if rows and len(rows) * self.turns <= TURNS and (any([row[2] for row in rows]) or _carried(node.body)):
            self.turns *= len(rows)
            for row in rows:
                pybinding.put(self.values, node.target, row)
                self.each(node.body)
            self.turns //= len(rows)
            self.each(node.orelse)
            return
        self._turns(node, lambda: pybinding.looped(self.values, node.target, node.iter))

    on_asyncfor = on_for

    def _turns(self, node: "Any", start: "Any") -> None:
        held = pystates.state(self.values)
        self.turning += 1
        for _ in range(2 if _carried(node.body) else 1):
            start()
            self.each(node.body)
            self._meet([held, pystates.state(self.values)], held)
        self.turning -= 1
        self.each(node.orelse)


def _ends(node: "Any") -> bool:
    """Whether nothing runs behind a statement."""
    form = type(node).__name__
    if form == "Expr" and type(node.value).__name__ == "Call":
        func = node.value.func
        return getattr(func, "attr", getattr(func, "id", "")) in ("exit", "_exit", "quit")
    return form in ("Return", "Raise")


def _carried(body: "list[Any]") -> bool:
    """Whether a variable may be used before a turn sets it, with what an earlier turn left."""
    used: set[str] = set()
    todo = list(reversed(body))
    while todo:
        node = todo.pop()
        form = type(node).__name__
        if form == "Name":
            if type(node.ctx).__name__ == "Load":
                used.add(node.id)
            elif node.id in used:
                return True
        elif form == "AugAssign" or (form == "Call" and getattr(node.func, "attr", "") in ("append", "extend", "pop")):
            return True
        inner: list[Any] = []
        fields = ("value", "targets", "target") if form in ("Assign", "AnnAssign") else node._fields
        for field in fields:
            part = getattr(node, field, None)
            inner += [each for each in (part if isinstance(part, list) else [part]) if hasattr(each, "_fields")]
        todo += reversed(inner)
    return False
