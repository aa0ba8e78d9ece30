"""Program texts in other languages, by their literals: which writing call gets which text.

The calls are data (policy/shell-lane.toml, `[[language]]`), in the marks that pycalls.py explains. The text is gone
through from its top, first to learn what its names and functions are given (codegiven.py) and once for its effects. A
writing call whose argument stays open (codevalues.py) is an unknown effect; its mentions are what it may be made of
(codesaid.py). A program without a writing call only reads.
"""

from guards.engine.world import normal
from guards.shell import codegiven, codeindirect, coderuns, tokens
from guards.shell.codenames import Names
from guards.shell.codeouter import Outer
from guards.shell.codetexts import ANY, UNKNOWN, last, sure
from guards.shell.codevalues import Values
from guards.shell.stepping import derive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codespans import Span
    from guards.shell.codetexts import Texts
    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

    Marks = tuple[tuple[str, int, tuple[str, ...]], ...]

MODE_WRITES = ("w", "a", "x", "+", ">", "c")
FLAGS = ("WR", "CREAT", "TRUNC", "APPEND", *MODE_WRITES[:2])  # in a mode that is no literal
RUNS = 3  # over a text before the one that counts


def read(walk: "Walk", step: "Step", text: str, args: "list[Word]", language: str, depth: int = 0) -> None:
    table = walk.languages.get(language) or walk.languages["other"]
    outer, names = Outer(walk, step, args, language), Names()
    values = Values(tokens.settled(text, table, language), table, language, outer, names)
    names.prepare(values)
    Program(walk, step, args, values, depth).run()


class Program:
    """renamed: functions under another name; unsure: (act, call, text with marks) of writes whose target is open."""

    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", values: Values, depth: int = 0) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.values = values
        self.depth = depth
        self.calls: dict[str, Marks] = values.table["calls"]
        self.given = codegiven.Given(values)
        self.renamed: dict[str, Marks] = {}
        self.included = _included(values)
        self.unsure: list[tuple[str, str, str]] = []
        self.opaque = ""
        self.crude = False  # the opaque text is made of literals in which paths stand

    def run(self) -> None:
        values, names = self.values, self.values.names
        for _ in range(RUNS):
            for at in range(len(values.found)):
                names.move(values, at)
                names.nested(values, at)
                self.given.look(at)
                self._own(at)
            names.again()
            values.outer.shifted = 0
        for at, (kind, value) in enumerate(values.found):
            names.move(values, at)
            names.nested(values, at)
            self.given.look(at)
            if kind == "run":
                coderuns.text(self, values.filled(value))
            elif kind == "name":
                self._renamed(at, value)
                self._found(at, value)
            else:
                codeindirect.computed(self, at)
        if values.language == "perl" and ("mark", "^") in values.found and ("name", "I") in values.found:
            self.opaque = "$^I edits files in place"
        if self.unsure or self.opaque:
            from guards.shell import codesaid

            codesaid.say(self)

    def _own(self, at: int) -> None:
        kind, value = self.values.found[at]
        if kind == "name" and self.values.names.owners:
            spans = self.values.groups(at + 1) if self.values.at(at + 1) == ("mark", "(") else None
            if spans is None and self.values.table.get("bare") and self.values.at(at + 1)[0] in ("text", "raw"):
                spans = self.values.groups(at + 1)
            self.values.names.called(self.values, value, spans, at)

    def _found(self, at: int, value: str) -> None:
        """A name that may be a writing function."""
        if codeindirect.by_name(self, at, value):
            return
        marks = self.marks(value)
        if marks is not None and value not in self.values.names.owners:
            self.call(at, value, marks)

    # ---- names of functions
    def _renamed(self, at: int, name: str) -> None:
        """A name that is given a function: W = fs.writeFileSync, {writeFileSync: W}, import {writeFileSync as W}."""
        values = self.values
        sign = values.at(at + 1)[1]
        if sign not in ("=", ":", "as"):
            return
        start = at + 2
        kind, other = values.at(start)
        if kind == "name" and values.at(start + 1)[1] not in ("(", "["):
            source, target = (other, name) if sign == "=" else (name, other)
            for one, new in ((source, target), (other, name)):
                marks = self.marks(one)
                if marks is not None and new not in self.calls and new != one:
                    self.renamed[new] = marks
        if kind == "name" and sign == "=":
            self._taken_out(name, start)

    def _taken_out(self, name: str, at: int) -> None:
        """W = require('fs').writeFileSync: the function is what the expression ends with."""
        values = self.values
        stop = values.stop(at)
        while stop > at and values.at(stop - 1)[0] == "end":
            stop -= 1
        kind, ending = values.at(stop - 1)
        marks = self.marks(ending) if kind == "name" and stop - 1 >= at else None
        if marks is not None and name not in self.calls:
            self.renamed[name] = marks

    def marks(self, name: str) -> "Marks | None":
        *_, tail = name.split(".")
        for own in (name, tail):
            if own in self.renamed:
                return self.renamed[own]
        ways = [name.lstrip(".")]
        if "." in name:
            ways += ["." + tail, ".".join(name.split(".")[-2:])]
        ways += [tail, *[f"{module}.{name}" for module in self.included]]
        return next((self.calls[way] for way in ways if way in self.calls), None)

    # ---- calls
    def call(self, at: int, name: str, marks: "Marks", groups: "list[Span] | None" = None) -> None:
        groups = self.values.groups(at + 1) if groups is None else groups
        if groups is None:
            codeindirect.without(self, at, name, marks)
            return
        given = self._arguments(groups)
        if coderuns.opened(self, name, given, marks):
            return
        if not all([self._counts(given, groups, place) for mark, place, _ in marks if mark == "m"]):
            return
        for mark, place, _ in marks:
            if mark in "wdDi":
                self._touched(at, name, mark, place, given)
            elif mark in "tT":
                self._beneath(name, mark, given[place - 2 : place])
            elif mark == "s" and groups:
                coderuns.command(self, given, groups, place)
            elif mark == "o":
                coderuns.code(self, name, given, groups)
            elif mark == "q":
                coderuns.perl_open(self, given, groups)
            elif mark == "c" and given and len(given[0]) == 1 and sure(given[0][0]):
                self.step = derive(self.step, self.step.argv, self.walk.full(self.step, given[0][0]))
                self.values.outer.step = self.step

    def _arguments(self, groups: "list[Span]") -> "list[Texts]":
        """What stands in each place; a list that is spread over the places fills them."""
        found: list[Texts] = []
        for a, b in groups:
            while b - a > 1 and self.values.at(a) in (("mark", "."), ("mark", "*")):
                a += 1
            spread = self.values.at(a)[1].lstrip(".") if self.values.at(a - 1)[1] in ("*", ".") or b - a == 1 else ""
            if spread.partition(".slice")[0] in ("@ARGV", "process.argv", "ARGV") and spread != "process.argv":
                found += [(w.text,) if w.text is not None else UNKNOWN for w in self.args[1:]]
            elif spread in self.given.lists and (self.values.at(a - 1)[1] in ("*", ".") or spread[:1] == "@"):
                start, stop = self.given.lists[spread]
                found += [self.values.value(*span) for span in self.values.split(start + 1, ")") if span[1] <= stop]
            else:
                found.append(self.values.value(a, b))
        return found

    def _counts(self, given: "list[Texts]", groups: "list[Span]", place: int) -> bool:
        """Whether a mode asks to write."""
        if place > len(given):
            return False
        known = [text for text in given[place - 1] if sure(text)]
        start, end = groups[place - 1]
        if any([_writes(text) for text in known]):
            return True
        return any([flag in text for kind, text in self.values.found[start:end] if kind == "name" for flag in FLAGS])

    def _touched(self, at: int, name: str, mark: str, place: int, given: "list[Texts]") -> None:
        act = "delete" if mark in "dD" else "write"
        chosen = [self._receiver(at, name)] if place == 0 else given if place < 0 else given[place - 1 : place]
        if name == "write" and self._handle(at):
            return
        for text in [text for value in chosen for text in value]:
            if not sure(text):
                self.doubt(act, name, text)
                continue
            cause = f"{self.values.language} {name}"
            followed = name.endswith("writeFileSync") and self.values.language == "javascript"
            change = self._edit(text) if followed else None
            self.walk.path(self.step, text, act, cause=cause, follow=act == "write", tree=mark == "D", change=change)
            if mark == "i" and self.walk.is_dir(self.step, text):
                for source in given[0]:
                    self.into(f"{text.rstrip('/')}/{last(source)}", act, name)

    def _handle(self, at: int) -> bool:
        """`open(…) do io; write(io, …)`: an open file, which was judged where it was opened."""
        found, (kind, name) = self.values.found, self.values.at(at + 2)
        return kind == "name" and any(
            [found[i] == ("name", "do") and found[i + 1] == (kind, name) for i in range(len(found) - 1)]
        )

    def into(self, path: str, act: str, name: str) -> None:
        """A file that is put into a folder."""
        if sure(path):
            self.walk.path(self.step, path, act, cause=f"{self.values.language} {name}")
        else:
            self.doubt(act, name, path)

    def doubt(self, act: str, name: str, text: str = ANY) -> None:
        if (act, name, text) not in self.unsure:
            self.unsure.append((act, name, text))

    def _edit(self, value: str) -> "Change":
        """What the whole program makes of a file, worked out only where the file is a manifest."""
        path = normal(self.walk.full(self.step, value))

        def after(old: str) -> "str | None":
            from guards.shell import jsedits

            return jsedits.after(self, path, old)

        return after

    def _beneath(self, name: str, mark: str, given: "list[Texts]") -> None:
        """A folder that is moved or copied brings what lies in it."""
        if len(given) != 2:
            return
        from guards.shell import copying

        for source in [text for text in given[0] if text and sure(text)]:
            for target in [text for text in given[1] if text and sure(text)]:
                end = source.rstrip("/").rsplit("/", 1)[-1]
                inside = mark == "T" and end != "." and self.walk.is_dir(self.step, target)
                into = f"{target.rstrip('/')}/{end}" if inside else target
                copying.beneath(self.walk, self.step, source, into, f"{self.values.language} {name}")

    def _receiver(self, at: int, name: str) -> "Texts":
        """What lies before `.name`: Pathname("x").write, a variable that holds a path."""
        values = self.values
        head = name.rpartition(".")[0]
        if head in self.given.objects:
            return values.known(head) or ()
        if values.at(at - 1) != ("mark", ")") or name[:1] != ".":
            return ()
        from guards.shell import codeframes

        opening = codeframes.opened(values, at - 1)
        maker = values.at(opening - 1)
        if maker[0] != "name" or maker[1].rpartition(".")[2] not in codegiven.MAKERS:
            return ()
        start = opening - 1 - (values.at(opening - 2) == ("name", "new"))
        return tuple([text for text in values.value(start, at) if text != ANY]) or UNKNOWN


def _included(values: Values) -> "list[str]":
    """Modules whose functions are called without their name: `include FileUtils`, `extend FileUtils`."""
    found = values.found
    return [found[at + 1][1] for at in range(len(found) - 1) if found[at] in (("name", "include"), ("name", "extend"))]


def _writes(mode: str) -> bool:
    """`w`, `r+`, and numbers with a bit for writing."""
    if mode[:1].isdigit():
        try:
            return bool(int(mode, 0) & 0o3103)
        except ValueError:
            return False
    return any([m in mode for m in MODE_WRITES])
