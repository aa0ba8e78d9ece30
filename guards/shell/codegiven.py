"""How the names of a program text get their values: assignments, loops, lists that are taken apart, keys of objects."""

from guards.shell.codenames import DECLARES
from guards.shell.codetexts import ELSEWHERE, UNKNOWN, product, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codetexts import Texts
    from guards.shell.codevalues import Values

MAKERS = frozenset({"Pathname", "new", "path", "Path", "File", "all", "dir", "file"})
OBJECTS = frozenset({"Pathname", "Pathname.new", "path", "Path", "File", "IO.all", "dir"})
ARGV = ("process.argv", "ARGV", "@ARGV", "$argv", "os.Args", "Deno.args", "args", "Bun.argv")
_ASSIGNS = frozenset("+.|?/*-:&")


class Given:
    """objects: names that hold a path with methods that write; lists: names that hold a list, by its places."""

    def __init__(self, values: "Values") -> None:
        self.values = values
        self.objects: set[str] = set()
        self.lists: dict[str, tuple[int, int]] = {}

    def look(self, at: int) -> None:
        """Whether something is given a value at this token."""
        kind, value = self.values.found[at]
        if kind == "name":
            if value in ("for", "foreach"):
                self._loop(at)
            elif self.values.at(at + 1)[0] == "mark":
                self._named(at, value)
        elif kind == "text":
            self._key(at, value)
        elif (kind, value) == ("mark", "="):
            self._apart(at)

    def _declared(self, at: int) -> bool:
        before = self.values.at(at - 1)
        if before[0] == "name" and before[1] in DECLARES:
            return True
        local = self.values.language in ("php", "ruby") and any([f.owner for f, _ in self.values.names.stack[-1:]])
        return local or (self.values.language == "compiled" and before[0] == "name")

    def _named(self, at: int, name: str) -> None:
        values = self.values
        sign, extra, start = "", "", at + 1
        while values.at(start)[0] == "mark" and values.at(start)[1] in _ASSIGNS and start < at + 3:
            extra += values.at(start)[1]
            start += 1
        if values.at(start) == ("mark", "="):
            sign = extra + "="
        if extra[:1] == ":" and sign != ":=":  # a key, or a type: `p: string = "x"`
            typed = values.at(at + 2)[0] == "name" and values.at(at + 3) == ("mark", "=")
            if not typed or values.at(at + 4) == ("mark", ">"):
                self._key(at, name)
                return
            sign, start = "=", at + 3
        following = values.at(start + 1)
        if not sign or following in (("mark", "="), ("mark", ">"), ("mark", "~")):
            return
        self._put(at, name, sign, start + 1)

    def _put(self, at: int, name: str, sign: str, start: int) -> None:
        values = self.values
        stop = values.stop(start)
        value = values.value(start, stop)
        old = values.names.get(name) or UNKNOWN
        if sign in ("+=", ".=", "..="):
            value = product(old, value)
        elif sign in ("||=", "??=", "//=", "|="):
            value = union(values.names.get(name) or (), value)
        elif sign not in ("=", ":="):
            value = UNKNOWN
        values.names.put(name, value, declared=self._declared(at) and sign in ("=", ":="))
        if "." in name:
            self._property(name, value)
        first = values.at(start)
        if first[1] in ("new", "await"):
            first = values.at(start + 1)
        (self.objects.add if first[1] in OBJECTS else self.objects.discard)(name)
        if values.at(start)[1] in ("{", "[", "(") and values.at(start)[0] == "mark":
            self._table(name, start)
        if values.at(start) in (("mark", "["), ("mark", "(")) and values.close(start) + 1 >= stop:
            self.lists[name] = (start, stop)
        else:
            self.lists.pop(name, None)

    def _table(self, name: str, start: int) -> None:
        """`{ "a": "b" }`, `("a" => "b")`: the keys, and what stands at them."""
        values = self.values
        keys: list[Texts] = []
        held: list[Texts] = []
        for a, b in values.split(start + 1, ")"):
            sign = next((i for i in range(a, b) if values.at(i) in (("mark", ":"), ("mark", "="))), b)
            arrow = values.at(sign) == ("mark", "=") and values.at(sign + 1) == ("mark", ">")
            if sign == b or not (arrow or values.at(sign)[1] == ":"):
                return
            bare = sign == a + 1 and values.at(a)[0] == "name"
            keys.append((values.at(a)[1],) if bare else values.value(a, sign))
            held.append(values.value(sign + 1 + arrow, b))
        if keys:
            values.names.tables[name] = (union(*keys), union(*held))

    def _property(self, name: str, value: "Texts") -> None:
        key = "." + name.rpartition(".")[2]
        values = self.values
        values.names.put(key, union(values.names.get(key) or (), value), declared=False)

    def _key(self, at: int, name: str) -> None:
        """`{ out: "x" }`, `'out' => 'x'`"""
        values = self.values
        arrow = values.at(at + 1) == ("mark", "=") and values.at(at + 2) == ("mark", ">")
        colon = values.at(at + 1) == ("mark", ":") and values.at(at - 1)[1] in ("{", ",", "\n", "(")
        if arrow or colon:
            start = at + (3 if arrow else 2)
            self._property("." + name, values.value(start, values.stop(start)))

    # ---- loops
    def _loop(self, at: int) -> None:
        """`for (const f of …)`, `foreach (… as $f)`, `for my $f (…)`, `for _, f in ipairs(…) do`, `… for LIST`"""
        values = self.values
        opening = next((i for i in range(at + 1, at + 4) if values.at(i) == ("mark", "(")), 0)
        stop = (
            values.close(opening)
            if opening
            else next(
                (i for i in range(at, min(at + 200, len(values.found))) if values.at(i)[1] in ("do", "{", "\n")), at
            )
        )
        start = opening + 1 if opening else at + 1
        word = next(
            (i for i in range(start, stop) if values.at(i)[1] in ("of", "in", "as", ":") and values.at(i)[0] != "text"),
            0,
        )
        if values.language == "perl":
            name = values.at(opening - 1)[1] if opening and values.at(opening - 1)[1][:1] == "$" else "$_"
            inner = (opening + 1, stop) if opening else (at + 1, values.stop(at + 1))
            values.names.put(name, values.elements(*inner) if opening else values.value(*inner), declared=False)
        elif word and values.at(word)[1] == "as":
            self._each([v for k, v in values.found[word + 1 : stop] if k == "name"][-1:], values.value(start, word), at)
        elif word:
            names = [v for k, v in values.found[start:word] if k == "name" and v not in DECLARES]
            names = names[-1:] if values.language in ("compiled", "lua") else names
            self._each(names, values.value(word + 1, stop), at)

    def _each(self, names: "list[str]", value: "Texts", at: int) -> None:
        tables = self.values.names.tables
        inside = [v for k, v in self.values.found[at : at + 24] if k == "name" and v in tables]
        if len(names) == 2 and inside and ("name", "Object.entries") in self.values.found[at : at + 24]:
            for name, each in zip(names, tables[inside[0]], strict=True):
                self.values.names.put(name, each, declared=bool(self.values.names.stack))
            return
        for name in names:
            self.values.names.put(name, value, declared=bool(self.values.names.stack))

    # ---- lists and objects that are taken apart
    def _apart(self, at: int) -> None:
        """`const [a, b] = …`, `my ($a, $b) = @ARGV`, `a, b = ARGV`, `const {P} = process.env`"""
        from guards.shell import codeframes

        values = self.values
        kind, before = values.at(at - 1)
        following = values.at(at + 1)
        if following in (("mark", "="), ("mark", ">"), ("mark", "~")):
            return
        start, stop = at + 1, values.stop(at + 1)
        if kind == "mark" and before in ")]}":
            opening = codeframes.opened(values, at - 1)
            if values.at(opening - 1)[0] == "name" and values.at(opening - 1)[1] not in (*DECLARES, "list", "php"):
                return  # a key of something, a call
            spans = values.split(opening + 1, ")") if before != "]" else self._places(opening)
            if before == "}":
                self._keys(spans, start, stop)
                return
            names = [next((v for k, v in values.found[a:b] if k == "name" and v not in DECLARES), "") for a, b in spans]
        elif kind == "name" and values.at(at - 2) == ("mark", ","):
            names, place = [before], at - 2
            while values.at(place) == ("mark", ",") and values.at(place - 1)[0] == "name":
                names.insert(0, values.at(place - 1)[1])
                place -= 2
            while values.at(stop) == ("mark", ","):
                stop = values.stop(stop + 1)
        else:
            return
        self._places_get(names, start, stop)

    def _places(self, opening: int) -> "list[tuple[int, int]]":
        """The places of `[, , a, b]`, the empty ones too."""
        values = self.values
        spans, begin = [], opening + 1
        for at in range(opening + 1, values.close(opening) + 1):
            if values.at(at)[1] in (",", "]"):
                spans.append((begin, at))
                begin = at + 1
        return spans

    def _places_get(self, names: "list[str]", start: int, stop: int) -> None:
        values = self.values
        name = values.at(start)[1]
        cut = (
            values.split(start, ")") if values.at(start) != ("mark", "(") and values.at(start) != ("mark", "[") else []
        )
        cut = cut or values.split(start + 1, ")")
        cut = [(a, min(b, stop)) for a, b in cut if a < stop]
        from guards.shell.codeouter import ARGUMENTS

        root = name.removesuffix(".slice")
        skipped = int(values.at(start + 2)[1]) if root != name and values.at(start + 2)[1].isdigit() else 0
        whole = (
            values.value(start, stop) if root not in ARGUMENTS and name != "@_" and len(cut) < len(names) else ELSEWHERE
        )
        for place, each in enumerate(names):
            if root in ARGUMENTS:
                value = values.outer.argument(root, place + skipped)
            elif name == "@_":
                value = values.names.parameter(place)
            else:
                value = values.value(*cut[place]) if len(cut) >= len(names) else whole
            if each:
                values.names.put(each, value, declared=bool(values.names.stack))

    def _keys(self, spans: "list[tuple[int, int]]", start: int, stop: int) -> None:
        values = self.values
        env = values.at(start) == ("name", "process.env")
        for a, b in spans:
            names = [v for k, v in values.found[a:b] if k == "name"]
            if not names:
                continue
            found = values.outer.variable(names[0]) if env else values.known("." + names[0]) or UNKNOWN
            values.names.put(names[1] if len(names) > 1 and values.at(a + 1) == ("mark", ":") else names[0], found,
                             declared=bool(values.names.stack))  # fmt: skip
