"""The values of awk expressions, as codetexts.py writes them: all the texts that one can have.

awk goes through its rules again and again, so a name is all that it is ever given. Parameters are what the calls in
the program give them, `split` gives pieces, `$1` what the input at hand has there, numbers are OUTSIDE.
"""

from guards.shell.codetexts import ANY, ELSEWHERE, OUTSIDE, UNKNOWN, product, sure, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codetexts import Texts
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

    Token = tuple[str, str]

DEPTH = 12
WORK = 400_000  # tokens that are gone over for one program
LINES = 60  # of the input
LONGEST = 8000  # characters of it
_ENDS = frozenset({";", "}", ")", "|", "|&", ",", "{", "]", ":"})
_SAME = frozenset({"tolower", "toupper", "strtonum", "mktime"})
_NUMBERS = frozenset(
    {"length", "index", "int", "rand", "srand", "systime", "strftime", "match", "NR", "NF", "FNR", "sin", "cos", "exp",
     "log", "sqrt", "RSTART", "RLENGTH", "close"}
)  # fmt: skip


class Values:
    """given: what -v and operands set; rows: the words of the input's lines, where that is known."""

    def __init__(
        self, walk: "Walk", step: "Step", found: "list[Token]", given: "dict[str, str | None]", files: "list[Word]"
    ) -> None:
        self.walk = walk
        self.step = step
        self.found = found
        self.files = files
        self.names: dict[str, Texts] = {name: UNKNOWN if value is None else (value,) for name, value in given.items()}
        self.functions: dict[str, tuple[int, int, list[str]]] = {}
        self.params: dict[str, list[Texts]] = {}
        self.where = 0  # the token that is looked at
        self.depth = 0
        self.work = WORK
        self.rows: list[list[str]] | None = None

    def at(self, place: int) -> "Token":
        return self.found[place] if 0 <= place < len(self.found) else ("", "")

    def learn(self) -> None:
        """What the names and the parameters are given, gone over twice for those that hang on one another."""
        for at in range(len(self.found)):
            if self.found[at] in (("name", "function"), ("name", "func")) and self.at(at + 2) == ("mark", "("):
                stop = self.close(at + 2)
                body = next((i for i in range(stop, min(stop + 4, len(self.found))) if self.at(i)[1] == "{"), stop)
                names = [value for kind, value in self.found[at + 3 : stop] if kind == "name"]
                self.functions[self.at(at + 1)[1]] = (body, self.close(body), names)
        for _ in range(2):
            for at, (kind, value) in enumerate(self.found):
                self.where = at
                if kind == "name":
                    self._look(at, value)

    def close(self, at: int) -> int:
        depth = 0
        for here in range(at, len(self.found)):
            self.work -= 1
            if self.found[here][0] == "mark":
                depth += (self.found[here][1] in "([{") - (self.found[here][1] in ")]}")
            if depth == 0 or self.work < 0:
                return here
        return len(self.found)

    def _put(self, name: str, value: "Texts") -> None:
        self.names[name] = union(self.names.get(name, ()), value)

    def _look(self, at: int, name: str) -> None:
        behind = self.close(at + 1) + 1 if self.at(at + 1) == ("mark", "[") else at + 1
        if self.at(behind) == ("mark", "=") and self.at(behind + 1) not in (("mark", "="), ("mark", "~")):
            self._put(name, self.expression(behind + 1))
        elif name == "getline" and self.at(at + 1)[0] == "name":
            file = self.expression(at + 3) if self.at(at + 2) == ("mark", "<") else UNKNOWN
            self._put(self.at(at + 1)[1], union(*[self._lines(text) for text in file]))
        elif name == "in" and self.at(at - 1)[0] == "name":
            self._put(self.at(at - 1)[1], UNKNOWN)
        elif self.at(at + 1) == ("mark", "(") and self.at(at - 1)[1] not in ("function", "func"):
            self._called(at, name)

    def _called(self, at: int, name: str) -> None:
        if name in self.functions:
            held = self.params.setdefault(name, [])
            for place, value in enumerate(self.arguments(at + 1)):
                if place < len(held):
                    held[place] = union(held[place], value)
                else:
                    held.append(value)
        elif name == "split":
            stop = self.close(at + 1)
            spans = self._spans(at + 2, stop)
            if len(spans) > 1:
                cut = self.expression(spans[2]) if len(spans) > 2 else (" ",)
                between = None if cut == (" ",) else cut[0] if len(cut) == 1 and sure(cut[0]) and cut[0] else "\n"
                pieces = [piece for text in self.expression(spans[0]) for piece in text.split(between)]
                self._put(self.at(spans[1])[1], tuple(pieces[:LINES]))
        elif name in ("sub", "gsub"):
            spans = self._spans(at + 2, self.close(at + 1))
            if len(spans) > 2:
                self._put(self.at(spans[2])[1], UNKNOWN)

    def _spans(self, start: int, stop: int) -> "list[int]":
        """Where the arguments begin."""
        found, depth = [start], 0
        for at in range(start, stop):
            if self.found[at][0] == "mark":
                depth += (self.found[at][1] in "([{") - (self.found[at][1] in ")]}")
            if depth == 0 and self.found[at] == ("mark", ","):
                found.append(at + 1)
        return found if stop > start else []

    def arguments(self, opening: int) -> "list[Texts]":
        return [self.expression(at) for at in self._spans(opening + 1, self.close(opening))]

    def _lines(self, path: str) -> "Texts":
        text = self.walk.source(self.step, path) if sure(path) else None
        if path[:1] == ANY:
            return UNKNOWN
        return tuple((text or "").splitlines()[:LINES]) if text and len(text) < LONGEST else ELSEWHERE

    # ---- expressions
    def expression(self, at: int) -> "Texts":
        """Operands side by side are joined; `c ? a : b` is a or b; what is reckoned is a number."""
        if self.depth > DEPTH:
            return UNKNOWN
        self.depth += 1
        out: Texts = ("",)
        number = False
        try:
            while at < len(self.found) and self.work > 0:
                self.work -= 1
                kind, value = self.found[at]
                if (kind, value) == ("mark", "?"):
                    return union(self.expression(at + 1), self._otherwise(at))
                if kind == "end" or (kind == "mark" and value in _ENDS) or (kind, value) == ("name", "in"):
                    break
                found, at = self._operand(at, kind, value)
                number = number or found == ()
                out = product(out, found or ("",))
        finally:
            self.depth -= 1
        return ELSEWHERE if number else out

    def _otherwise(self, at: int) -> "Texts":
        depth = 0
        for here in range(at, min(at + 400, len(self.found))):
            kind, value = self.found[here]
            if kind == "mark":
                depth += (value in "([{") - (value in ")]}")
            if depth == 0 and (kind, value) == ("mark", ":"):
                return self.expression(here + 1)
        return UNKNOWN

    def _operand(self, at: int, kind: str, value: str) -> "tuple[Texts, int]":
        """One operand and where it ends; nothing for a sign that reckons or compares."""
        if kind == "text":
            return (value,), at + 1
        if kind == "pattern":
            return (), at + 1
        if kind == "mark":
            if value == "(":
                return self.expression(at + 1), self.close(at) + 1
            if value == "$":
                return self._field(at + 1), self.close(at + 1) + 1
            return (), at + 1
        if self.at(at + 1) == ("mark", "("):
            return self._function(at, value), self.close(at + 1) + 1
        behind = self.close(at + 1) + 1 if self.at(at + 1) == ("mark", "[") else at + 1
        return self._name(at, value), behind

    def _name(self, at: int, name: str) -> "Texts":
        key = self.at(at + 2) if self.at(at + 1) == ("mark", "[") else ("", "")
        if name == "ENVIRON":
            return self._variable(key[1]) if key[0] == "text" else UNKNOWN
        if name in ("FILENAME", "ARGV"):
            place = int(key[1]) - 1 if key[1].isdigit() else -1
            words = self.files[place : place + 1] if place >= 0 else self.files
            return union(*[UNKNOWN if w.text is None else (w.text,) for w in words]) or ELSEWHERE
        for function, (start, stop, params) in self.functions.items():
            if start <= self.where <= stop and name in params:
                given = self.params.get(function, [])
                place = params.index(name)
                return union(given[place] if place < len(given) else (), self.names.get(name, ())) or ELSEWHERE
        return (name,) if name.isdigit() else self.names.get(name, ELSEWHERE)

    def _variable(self, name: str) -> "Texts":
        word = self.step.assigns.get(name)
        value = word.text if word is not None else self.step.env.get(name, OUTSIDE)
        return UNKNOWN if value is None else (value,)

    def _function(self, at: int, name: str) -> "Texts":
        given = self.arguments(at + 1)
        if name == "sprintf" and given and len(given[0]) == 1:
            pieces = given[0][0].split("%")
            out: Texts = (pieces[0],)
            for place, piece in enumerate(pieces[1:], 1):
                kind = piece.lstrip("-+0123456789.")
                filled = given[place] if place < len(given) else UNKNOWN
                out = product(product(out, filled if kind[:1] == "s" else ELSEWHERE), (kind[1:],))
            return out
        if name in _SAME and given:
            return given[0]
        if name in self.functions:
            start, stop, _ = self.functions[name]
            kept, self.where = self.where, start
            found = [self.expression(i + 1) for i in range(start, stop) if self.found[i] == ("name", "return")]
            self.where = kept
            return union(*found) or ELSEWHERE
        return ELSEWHERE if name in _NUMBERS else UNKNOWN

    def _field(self, at: int) -> "Texts":
        """`$1` of the lines that arrive, or of the files, where they are at hand and cut at blanks."""
        if self.rows is None:
            texts = [self.walk.arriving(self.step)] if not self.files else []
            texts += [self.walk.source(self.step, word.text) for word in self.files if word.text]
            lines = [line for text in texts if text and len(text) < LONGEST for line in text.splitlines()]
            self.rows = [line.split() for line in lines[:LINES]]
        number = self.at(at)[1]
        if "FS" in self.names:
            return UNKNOWN if self.rows else ELSEWHERE
        if number == "0":
            return union(tuple([" ".join(row) for row in self.rows]), ELSEWHERE)
        if not number.isdigit():
            return union(tuple([word for row in self.rows for word in row]), ELSEWHERE)
        place = int(number) - 1
        return union(tuple([row[place] for row in self.rows if place < len(row)]), ELSEWHERE)
