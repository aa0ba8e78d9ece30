"""Program texts in other languages, by their literals: which writing call gets which text.

The calls are data (policy/shell-lane.toml, `[[language]]`), in the marks that pycalls.py explains. A writing call
whose argument is no literal, nor a name that was given one, is an unknown effect; its mentions are the program's
literals and its arguments. A program without a writing call only reads.
"""

from guards.engine.event import OPAQUE, UNKNOWN, Effect
from guards.engine.world import normal
from guards.shell import args as words_of
from guards.shell import mentions, tokens
from guards.shell.codevalues import Values
from guards.shell.stepping import derive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codevalues import Span
    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

    Marks = tuple[tuple[str, int, tuple[str, ...]], ...]

MODE_WRITES = ("w", "a", "x", "+", ">", "c")
# calls whose first argument is only read or shown, by the last part of their names
READS = frozenset(
    {"readFileSync", "readFile", "existsSync", "statSync", "lstatSync", "accessSync", "createReadStream", "require",
     "readJson", "readJsonSync", "log", "error", "read", "readlines", "exist", "file_get_contents", "file_exists",
     "is_file", "readTextFile", "readTextFileSync", "ReadFile", "readString", "readAllLines", "read_to_string"}
)  # fmt: skip
FLAGS = ("WR", "CREAT", "TRUNC", "APPEND", *MODE_WRITES[:2])  # in a mode that is no literal


def read(walk: "Walk", step: "Step", text: str, args: "list[Word]", language: str) -> None:
    table = walk.languages.get(language) or walk.languages["other"]
    Program(walk, step, args, Values(tokens.split(text, table), table, language)).run()


class Program:
    """renamed: functions under another name; unsure: (act, call) of writes whose target is not known."""

    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", values: Values) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.values = values
        self.calls: dict[str, Marks] = values.table["calls"]
        self.renamed: dict[str, Marks] = {}
        self.unsure: list[tuple[str, str]] = []
        self.opaque = ""

    def run(self) -> None:
        values = self.values
        for at, (kind, value) in enumerate(values.found):
            if kind == "run":
                self.walk.text(self.step, value)
            elif kind == "text" and value in self.calls:  # fs["writeFileSync"](…)
                if (values.at(at + 1), values.at(at + 2)) == (("mark", "]"), ("mark", "(")):
                    self._call(at + 1, value, self.calls[value])
            elif kind == "name":
                self._assigned(at, value)
                marks = self._marks(value)
                if marks is not None:
                    self._call(at, value, marks)
        if values.language == "perl" and ("mark", "^") in values.found and ("name", "I") in values.found:
            self.opaque = "$^I edits files in place"
        if self.unsure or self.opaque:
            self._say()

    def _say(self) -> None:
        read = self._read()
        found = [
            self.values.partly(v) if k == "raw" else v
            for k, v in self.values.found
            if k == "raw" or (k == "text" and v not in read)
        ]
        plain = [mentions.decoded(x) for x in found if isinstance(x, str)]
        cwd = self.step.cwd or self.walk.event.cwd
        handed = mentions.handed(self.walk, self.step) if self.unsure else []
        named = mentions.of_words([*found, *plain, *self.args[1:], *handed], cwd)
        language = self.values.language
        for act, name in self.unsure:
            cause = f"{language}: {name} of a value that is not known"
            self.walk.add(Effect("", act, UNKNOWN, cwd, cause=cause, mentions=named))
        if self.opaque:
            self.walk.add(Effect("", "write", OPAQUE, cwd, cause=f"{language}: {self.opaque}", mentions=named))

    def _read(self) -> "set[str]":
        """Texts that stand nowhere but in a reading call: no mention of what is written."""
        if self.opaque:
            return set()
        places = [at for at, (kind, _) in enumerate(self.values.found) if kind == "text"]
        kept = {self.values.found[at][1] for at in places if not self._reads(at)}
        return {self.values.found[at][1] for at in places} - kept

    def _reads(self, at: int) -> bool:
        name, opening, after = self.values.at(at - 2), self.values.at(at - 1), self.values.at(at + 1)
        known = name[0] == "name" and name[1].rsplit(".", 1)[-1] in READS
        return known and opening == ("mark", "(") and after in (("mark", ")"), ("mark", ","))

    # ---- names
    def _assigned(self, at: int, name: str) -> None:
        """A name that is given a literal, or a function: remembered while the text goes on."""
        values = self.values
        sign = values.at(at + 1)[1]
        if sign not in ("=", ":", "as"):
            return
        start = at + 2
        kind, other = values.at(start)
        if kind == "name" and values.at(start + 1)[1] != "(":
            source, target = (other, name) if sign == "=" else (name, other)
            marks = self._marks(source)
            if marks is not None and target not in self.calls:
                self.renamed[target] = marks
        elif kind == "name" and sign == "=":
            self._taken_out(name, start)
        if (kind, other) == ("mark", "="):  # `==` compares, `:=` assigns
            if sign != ":":
                return
            start += 1
        value, end = values.value(start)
        if value is not None and (values.at(end)[0] in ("", "end") or values.at(end)[1] in ";,)}"):
            values.names[name] = value

    def _taken_out(self, name: str, at: int) -> None:
        """W = require('fs').writeFileSync: the function is what the expression ends with."""
        values = self.values
        while values.at(at + 1)[0] not in ("", "end") and values.at(at + 1)[1] not in (";", ","):
            at += 1
        kind, last = values.at(at)
        marks = self._marks(last) if kind == "name" else None
        if marks is not None and name not in self.calls:
            self.renamed[name] = marks

    def _marks(self, name: str) -> "Marks | None":
        if name in self.renamed:
            return self.renamed[name]
        *_, last = name.split(".")
        ways = [name.lstrip(".")]
        if "." in name:
            ways += ["." + last, ".".join(name.split(".")[-2:])]
        return next((self.calls[way] for way in [*ways, last] if way in self.calls), None)

    # ---- calls
    def _call(self, at: int, name: str, marks: "Marks") -> None:
        groups = self.values.groups(at + 1)
        if groups is None:
            if self._handed_on(at, name):
                self.unsure.append(("write", name))
            if self.values.table.get("bare") and any([place < 0 for _, place, _ in marks]):
                self.unsure.append(("delete", name))  # without words it takes what is at hand: unlink for $_
            return
        given = [self.values.value(a, b)[0] for a, b in groups]
        if not all([self._counts(given, groups, place) for mark, place, _ in marks if mark == "m"]):
            return
        for mark, place, _ in marks:
            if mark in "wdDi":
                self._touched(at, name, mark, place, given)
            elif mark in "tT":
                self._beneath(name, mark, given[place - 2 : place])
            elif mark == "s" and groups:
                self._command(given, groups, place)
            elif mark == "o":
                self.opaque = f"{name} runs text that is made at run time"
            elif mark == "q":
                self._perl_open(given, groups)
            elif mark == "c" and given and given[0] is not None:
                self.step = derive(self.step, self.step.argv, self.walk.full(self.step, given[0]))

    def _handed_on(self, at: int, name: str) -> bool:
        """Whether a writing function is given to another one: `names.forEach(fs.unlinkSync)`."""
        whole = "." in name.strip(".") or name.endswith("Sync")
        before, after = self.values.at(at - 1), self.values.at(at + 1)
        return whole and after == ("mark", ")") and (name[:1] == "." or before in (("mark", "("), ("mark", ",")))

    def _counts(self, given: "list[str | None]", groups: "list[Span]", place: int) -> bool:
        """Whether a mode asks to write."""
        if place > len(given):
            return False
        value = given[place - 1]
        if value is not None:
            return any([m in value for m in MODE_WRITES])
        start, end = groups[place - 1]
        return any([flag in text for _, text in self.values.found[start:end] for flag in FLAGS])

    def _touched(self, at: int, name: str, mark: str, place: int, given: "list[str | None]") -> None:
        act = "delete" if mark in "dD" else "write"
        chosen = [self._receiver(at)] if place == 0 else given if place < 0 else given[place - 1 : place]
        if place == 0 and chosen == [None]:
            return
        cause = f"{self.values.language} {name}"
        for value in chosen:
            if value is None:
                self.unsure.append((act, name))
                continue
            followed = name.endswith("writeFileSync") and self.values.language == "javascript"
            change = self._edit(value) if followed else None
            self.walk.path(self.step, value, act, cause=cause, follow=act == "write", tree=mark == "D", change=change)
            if mark == "i" and self.walk.is_dir(self.step, value) and given[0]:
                into = value.rstrip("/") + "/" + given[0].rstrip("/").rsplit("/", 1)[-1]
                self.walk.path(self.step, into, act, cause=cause)

    def _edit(self, value: str) -> "Change":
        """What the whole program makes of a file, worked out only where the file is a manifest."""
        path = normal(self.walk.full(self.step, value))

        def after(old: str) -> "str | None":
            from guards.shell import jsedits

            return jsedits.after(self, path, old)

        return after

    def _beneath(self, name: str, mark: str, given: "list[str | None]") -> None:
        """A folder that is moved or copied brings what lies in it."""
        source, target = given if len(given) == 2 else (None, None)
        if not source or not target:
            return
        last = source.rstrip("/").rsplit("/", 1)[-1]
        if mark == "T" and last != "." and self.walk.is_dir(self.step, target):
            target = f"{target.rstrip('/')}/{last}"
        from guards.shell import copying

        copying.beneath(self.walk, self.step, source, target, f"{self.values.language} {name}")

    def _receiver(self, at: int) -> "str | None":
        """The literal inside the parentheses before `.name`: Pathname("x").write"""
        if self.values.at(at - 1) != ("mark", ")"):
            return None
        kind, value = self.values.at(at - 2)
        return value if kind == "text" else None

    def _command(self, given: "list[str | None]", groups: "list[Span]", place: int) -> None:
        """Shell text, or a program with its words."""
        value = given[place - 1] if place <= len(given) else None
        found = self.values.found
        listed = [v for a, b in groups[place - 1 :] for k, v in found[a:b] if k in ("text", "raw")]
        if value is not None and len(groups) == place:
            self.walk.text(self.step, value)
        elif value is not None or listed:
            self.walk.inner(self.step, [words_of.plain(v) for v in listed])
            if value is not None and " " in value:
                self.walk.text(self.step, value)
        else:
            self.unsure.append(("write", "a command"))

    def _perl_open(self, given: "list[str | None]", groups: "list[Span]") -> None:
        """open(F, ">", "path") and open(F, ">path"); a pipe is a command."""
        if len(given) < 2:
            return
        mode = given[1]
        if mode is None:
            if self.values.at(groups[1][0])[1].lstrip()[:1] in (">", "+", "|"):
                self.unsure.append(("write", "open"))
            return
        path = given[2] if len(given) > 2 else mode.strip().lstrip("+<>| ").rstrip("| ")
        if "|" in mode:
            self.walk.text(self.step, path or "")
        elif ">" in mode or mode.strip()[:1] == "+":
            if path is None:
                self.unsure.append(("write", "open"))
            else:
                self.walk.path(self.step, path, cause=f"{self.values.language} open")
