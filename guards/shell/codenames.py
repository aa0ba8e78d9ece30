"""The names of a program text while it is read from its top: what each was given, in the function where that holds.

A parameter is what the calls in the same text give it. Within a function a name from outside is all that it is ever
given; behind a branch it is what it was before, or what the branch gave it.
"""

from guards.shell import codeframes
from guards.shell.codetexts import ELSEWHERE, UNKNOWN, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codeframes import Frame
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts
    from guards.shell.codevalues import Values

DECLARES = frozenset({"const", "let", "var", "my", "local", "our", "String", "Path", "File", "auto", "val", "final"})
DEPTH = 6  # functions that call functions
DEEPEST = 60  # functions that stand in functions


class Names:
    def __init__(self) -> None:
        self.base: dict[str, Texts] = {}
        self.everywhere: dict[str, Texts] = {}
        self.earlier: dict[str, Texts] | None = None  # everywhere, as the run before found it
        self.stack: list[tuple[Frame, int]] = []
        self.blocks = 0
        self.frames: dict[int, list[Frame]] = {}
        self.owners: dict[str, Frame] = {}
        self.given: dict[str, list[Texts]] = {}  # what the calls of a function give it
        self.asked: dict[str, list[Texts]] = {}
        self.depth = 0
        self.tables: dict[
            str, tuple[Texts, Texts]
        ] = {}  # names of objects with keys: the keys, and what stands at them
        self.opens: frozenset[int] = frozenset()  # places of words that open a block, and of those that end one
        self.closes: frozenset[int] = frozenset()

    def prepare(self, values: "Values") -> None:
        ends = codeframes.closed(values) if values.language in codeframes.OPENS else {}
        self.opens, self.closes = frozenset(ends), frozenset(ends.values())
        self.frames = codeframes.found(values)
        self.owners = {frame.owner: frame for row in self.frames.values() for frame in row if frame.owner}

    def again(self) -> None:
        """The next run over the text, with what this one has learned."""
        self.earlier, self.everywhere, self.base, self.stack, self.blocks = self.everywhere, {}, {}, [], 0
        self.asked, self.given = self.given, {}

    # ---- where the reader is
    def move(self, values: "Values", at: int) -> None:
        while self.stack and self.stack[-1][0].end <= at:
            self.stack.pop()
        for frame in self.frames.get(at, ()) if len(self.stack) < DEEPEST else ():
            frame.names, frame.taken = self._parameters(values, frame), 0
            body = at + 2 if values.at(at) == ("mark", "=") else at
            self.stack.append((frame, self.blocks + (values.at(body) == ("mark", "{"))))

    def nested(self, values: "Values", at: int) -> None:
        """Counts the blocks that are open."""
        kind, value = values.found[at]
        if kind == "mark" and value in "{}":
            self.blocks += 1 if value == "{" else -1
        elif kind == "name" and at in self.opens:
            self.blocks += 1
        elif kind == "name" and at in self.closes:
            self.blocks -= 1

    def inside(self) -> bool:
        return bool(self.stack)

    def _parameters(self, values: "Values", frame: "Frame") -> "dict[str, Texts]":
        given = list(self.asked.get(frame.owner, ()))
        missing = ELSEWHERE if frame.owner and self.earlier is None else UNKNOWN  # the calls are still to come
        if values.at(frame.end) == ("mark", ")") and values.at(frame.end + 1) == ("mark", "("):  # (function (a) {…})(x)
            here = [values.value(a, b) for a, b in values.split(frame.end + 2, ")")]
            given = [union(each, *given[place : place + 1]) for place, each in enumerate(here)]
        if frame.each is not None and frame.params:
            through = codeframes.receiver(values, frame.each)
            given = codeframes.spread(through, len(frame.params))
        out: dict[str, Texts] = {}
        for place, name in enumerate(frame.params):
            out[name] = given[place] if place < len(given) else missing
            if name in frame.defaults:
                default = values.value(*frame.defaults[name])
                out[name] = union(out[name], default) if place < len(given) else default
        return out

    def parameter(self, place: int) -> "Texts":
        """In Perl: what the sub was given at a place."""
        given = self.asked.get(self.stack[-1][0].owner, []) if self.stack else []
        return given[place] if place < len(given) else UNKNOWN

    def shifted(self) -> "Texts":
        frame = self.stack[-1][0]
        frame.taken += 1
        return self.parameter(frame.taken - 1)

    # ---- names
    def get(self, name: str) -> "Texts | None":
        for frame, _ in reversed(self.stack):
            if name in frame.names:
                return frame.names[name]
        if self.stack and self.earlier is not None:
            return self.earlier.get(name)
        return self.base.get(name)

    def put(self, name: str, value: "Texts", *, declared: bool) -> None:
        branch = self.blocks > (self.stack[-1][1] if self.stack else 0)
        if declared and self.stack:
            self.stack[-1][0].names[name] = value
            return
        for place in range(len(self.stack) - 1, -1, -1):
            held = self.stack[place][0].names
            if name in held:
                last = place == len(self.stack) - 1 and not branch
                held[name] = value if last else union(held[name], value)
                return
        self.everywhere[name] = union(self.everywhere.get(name, ()), value)
        self.base[name] = union(self.base.get(name, ()), value) if self.stack or branch else value

    # ---- functions of the text itself
    def called(self, values: "Values", name: str, spans: "list[Span] | None", at: int) -> None:
        """Remembers what a function of the text is given; where it is handed on, what it goes through."""
        owner = name.rpartition(".")[2] if name not in self.owners else name
        if values.at(at - 1) == ("name", "new") and owner not in self.owners:
            owner = "constructor"
        frame = self.owners.get(owner)
        if frame is None or values.at(at - 1)[1] in ("function", "def", "sub", "func", "fn"):
            return
        if frame.start <= at <= frame.end and values.at(at + 1) != ("mark", "("):
            return
        if spans is not None:
            if values.at(values.close(at + 1) + 1) == ("mark", "{") and values.at(at + 1) == ("mark", "("):
                return  # where it is defined
            given = [values.value(a, b) for a, b in spans]
        elif values.at(at - 1) in (("mark", "("), ("mark", ",")):
            given = [codeframes.receiver(values, at - 2)] if values.at(at - 1)[1] == "(" else [UNKNOWN]
        else:
            return
        held = self.given.setdefault(owner, [])
        for place, value in enumerate(given):
            if place < len(held):
                held[place] = union(held[place], value)
            else:
                held.append(value)

    def result(self, values: "Values", name: str, spans: "list[Span] | None") -> "Texts | None":
        """What a function of the text gives back; None for any other."""
        tail = name.rpartition(".")[2] if name.startswith(("this.", "self.", "$this.")) else name
        frame = self.owners.get(tail)
        if frame is None:
            return None
        given = [values.value(a, b) for a, b in spans or ()]
        return self._returned(values, frame, given)

    def arrow(self, values: "Values", span: "Span", each: "Texts") -> "Texts | None":
        """What a function that stands in an argument makes of each."""
        start, end = span
        for at in range(start, min(end, start + 12)):
            for frame in self.frames.get(at, ()):
                return self._returned(values, frame, codeframes.spread(each, max(1, len(frame.params))))
        return None

    def _returned(self, values: "Values", frame: "Frame", given: "list[Texts]") -> "Texts":
        if self.depth >= DEPTH:
            return UNKNOWN
        kept = frame.names
        frame.names = {p: given[i] if i < len(given) else UNKNOWN for i, p in enumerate(frame.params)}
        self.stack.append((frame, self.blocks))
        self.depth += 1
        try:
            return self._body(values, frame)
        finally:
            self.depth -= 1
            self.stack.pop()
            frame.names = kept

    def _body(self, values: "Values", frame: "Frame") -> "Texts":
        start = frame.start
        if values.at(start) == ("mark", "=") or values.at(start) == ("mark", "-"):
            start += 2
            if values.at(start) != ("mark", "{"):
                return values.value(start, frame.end)
        found = [
            values.value(at + 1, values.stop(at + 1))
            for at in range(start, frame.end)
            if values.found[at] == ("name", "return")
        ]
        local = any([values.found[at] == ("mark", "=") for at in range(start + 2, frame.end)])
        return union(*found) if found and not local else UNKNOWN
