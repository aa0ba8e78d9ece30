"""Program texts in other languages, by their literals: which writing call gets which text.

The calls are data (policy/shell-lane.toml, `[[language]]`), in the marks that pycalls.py explains. A writing call whose
argument is no literal, nor a name that was given one, is an unknown effect; its mentions are the program's literals and its
arguments. A program without a writing call only reads.
"""

from guards.engine.event import OPAQUE, UNKNOWN, Effect
from guards.shell import args as words_of
from guards.shell import mentions, tokens
from guards.shell.stepping import derive
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step
    from guards.shell.tokens import Token
    from guards.shell.stepping import Walk

MODE_WRITES = ("w", "a", "x", "+", ">", "c")
_OPEN, _CLOSE = "([{", ")]}"


def read(walk: "Walk", step: "Step", text: str, args: "list[Word]", language: str) -> None:
    table = walk.table["languages"].get(language) or walk.table["languages"]["other"]
    Program(walk, step, args, table, language).run(text)


class Program:
    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", table: "dict[str, Any]", language: str) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.table = table
        self.language = language
        self.found: list[Token] = []
        self.names: dict[str, str] = {}
        self.renamed: dict[str, tuple[Any, ...]] = {}
        self.unsure: list[tuple[str, str]] = []
        self.opaque = ""

    def run(self, text: str) -> None:
        self.found = tokens.split(text, self.table)
        for at, (kind, value) in enumerate(self.found):
            if kind == "run":
                self.walk.text(self.step, value)
            elif kind == "text" and value in self.table["calls"] and self._marked(at + 1, "](") :
                self._call(at + 1, value, self.table["calls"][value])
            elif kind == "name":
                self._assigned(at, value)
                marks = self._marks(at, value)
                if marks is not None:
                    self._call(at, value, marks)
        self._say()

    def _say(self) -> None:
        literals = [value if kind == "text" else self._partly(value) for kind, value in self.found if kind in ("text", "raw")]
        words: list[Any] = [*literals, *[mentions.decoded(x) for x in literals if isinstance(x, str)], *self.args[1:]]
        cwd = self.step.cwd or self.walk.event.cwd
        if self.unsure or self.opaque:
            named = mentions.of_words(words, cwd)
            for act, name in self.unsure:
                self.walk.add(
                    Effect(
                        "",
                        act,
                        UNKNOWN,
                        cwd,
                        cause=f"{self.language}: {name} of a value that is not known",
                        mentions=named,
                    )
                )
            if self.opaque:
                self.walk.add(Effect("", "write", OPAQUE, cwd, cause=f"{self.language}: {self.opaque}", mentions=named))

    # ---- literals that are filled in at run time
    def _pieces(self, text: str) -> "list[tuple[bool, str]]":
        """(static?, piece) of a literal: `a${b}c`, "a$b c", "a#{b}c"."""
        found: list[tuple[bool, str]] = []
        at, static = 0, ""
        while at < len(text):
            mark = next((m for m in ("${", "#{", "{$") if text.startswith(m, at)), "")
            end = text.find("}", at) if mark else -1
            if mark and end > 0:
                found += [(True, static), (False, text[at + 2 : end])]
                static, at = "", end + 1
            elif text[at] in "$@" and text[at + 1 : at + 2].isidentifier() and text[at] in self.table.get("sigils", ""):
                end = at + 1
                while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                    end += 1
                found += [(True, static), (False, text[at:end])]
                static, at = "", end
            else:
                static += text[at]
                at += 1
        return [(s, p) for s, p in [*found, (True, static)] if p or not s]

    def _filled(self, text: str) -> "str | None":
        """The literal with known names filled in; None when one is not known."""
        out = ""
        for static, piece in self._pieces(text):
            known = piece if static else self.names.get(piece, self.names.get("$" + piece.strip("$ ")))
            if known is None:
                return None
            out += known
        return out

    def _partly(self, text: str) -> "Word | str":
        filled = self._filled(text)
        if filled is not None:
            return filled
        pieces = self._pieces(text)
        rough = "".join([p if s else "\0" for s, p in pieces])
        return Word(None, text, "a value of the program", parts=tuple([p for s, p in pieces if s]), rough=rough)

    # ---- names and calls
    def _assigned(self, at: int, name: str) -> None:
        """name = "literal" and name = function: remembered while the text goes on."""
        after = self._next(at + 1)
        if after is None or self.found[after][1] not in ("=", ":", "as"):
            return
        start = self._next(after + 1)
        other = self.found[start] if start is not None else ("", "")
        if start is not None and other[0] == "name" and (start + 1 >= len(self.found) or self.found[start + 1][1] != "("):
            source, target = (other[1], name) if self.found[after][1] == "=" else (name, other[1])
            marks = self._marks(0, source)
            if marks is not None and target not in self.table["calls"]:
                self.renamed[target] = marks
        if start is not None and self.found[start] == ("mark", "="):  # := and ==
            start = self._next(start + 1) if self.found[after][1] == ":" else None
        if start is not None:
            value, end = self._value(start)
            if value is not None and (
                end >= len(self.found) or self.found[end][0] == "end" or self.found[end][1] in ";,)}"
            ):
                self.names[name] = value

    def _marks(self, at: int, name: str) -> "tuple[Any, ...] | None":
        calls = self.table["calls"]
        if name in self.renamed:
            return self.renamed[name]
        last = name.rsplit(".", 1)[-1]
        marks = calls.get(name.lstrip(".")) or (calls.get("." + last) if "." in name else None)
        if marks is None and "." in name:
            marks = calls.get(".".join(name.split(".")[-2:]))
        return marks if marks is not None else calls.get(last)

    def _marked(self, at: int, marks: str) -> bool:
        return [v for k, v in self.found[at : at + len(marks)] if k == "mark"] == list(marks)

    def _next(self, at: int) -> "int | None":
        return at if at < len(self.found) else None

    def _call(self, at: int, name: str, marks: "tuple[Any, ...]") -> None:
        groups = self._groups(at + 1)
        if groups is None:
            return
        values = [self._value(a, b)[0] for a, b in groups]
        texts = [self.found[a:b] for a, b in groups]
        for mark, place, _ in marks:
            if mark == "m" and not self._mode(values, texts, place):
                return
        for mark, place, _ in marks:
            if mark in "wdDi":
                self._touched(at, name, mark, place, values, groups)
            elif mark == "s" and groups:
                self._command(values, groups, place)
            elif mark == "o":
                self.opaque = f"{name} runs text that is made at run time"
            elif mark == "q":
                self._perl_open(values, groups)
            elif mark == "c" and values and values[0] is not None:
                self.step = derive(self.step, self.step.argv, self.walk.full(self.step, values[0]))

    def _mode(self, values: "list[str | None]", texts: "list[list[Token]]", place: int) -> bool:
        if place > len(values):
            return False
        value = values[place - 1]
        if value is None:
            return any([c in v for _, v in texts[place - 1] for c in ("WR", "CREAT", "TRUNC", "APPEND", "w", "a")])
        return any([m in value for m in MODE_WRITES])

    def _touched(
        self, at: int, name: str, mark: str, place: int, values: "list[str | None]", groups: "list[tuple[int, int]]"
    ) -> None:
        act = "delete" if mark in "dD" else "write"
        chosen = [self._receiver(at)] if place == 0 else values if place < 0 else values[place - 1 : place]
        if place == 0 and chosen == [None]:
            return
        for value in chosen:
            if value is None:
                self.unsure.append((act, name))
                continue
            self.walk.path(
                self.step, value, act, cause=f"{self.language} {name}", follow=act == "write", tree=mark == "D"
            )
            if mark == "i" and self.walk.is_dir(self.step, value) and values[0]:
                into = value.rstrip("/") + "/" + values[0].rstrip("/").rsplit("/", 1)[-1]
                self.walk.path(self.step, into, act, cause=f"{self.language} {name}")

    def _receiver(self, at: int) -> "str | None":
        """The literal inside the parentheses before `.name`: Pathname("x").write"""
        if at < 3 or self.found[at - 1] != ("mark", ")"):
            return None
        kind, value = self.found[at - 2]
        return value if kind == "text" else None

    def _command(self, values: "list[str | None]", groups: "list[tuple[int, int]]", place: int) -> None:
        """Shell text, or a program with its words."""
        value = values[place - 1] if place <= len(values) else None
        rest = groups[place:]
        listed = [v for a, b in groups[place - 1 :] for k, v in self.found[a:b] if k in ("text", "raw")]
        if value is not None and not rest:
            self.walk.text(self.step, value)
        elif value is not None or listed:
            words = [words_of.plain(v) for v in listed]
            self.walk.inner(self.step, words)
            if value is not None and " " in value:
                self.walk.text(self.step, value)
        else:
            self.unsure.append(("write", "a command"))

    def _perl_open(self, values: "list[str | None]", groups: "list[tuple[int, int]]") -> None:
        """open(F, ">", "path") and open(F, ">path"); a pipe is a command."""
        if len(values) < 2:
            return
        if values[1] is None:
            raw = self.found[groups[1][0]][1].lstrip()
            if raw[:1] in (">", "+", "|"):
                self.unsure.append(("write", "open"))
            return
        mode, path = values[1].strip(), values[2] if len(values) > 2 else None
        if len(values) == 2:
            path = mode.lstrip("+<>| ").rstrip("| ")
        if "|" in mode:
            self.walk.text(self.step, path or "")
        elif ">" in mode or mode[:1] == "+":
            if path is None:
                self.unsure.append(("write", "open"))
            else:
                self.walk.path(self.step, path, cause=f"{self.language} open")

    # ---- arguments
    def _groups(self, at: int) -> "list[tuple[int, int]] | None":
        """The arguments behind a name as (start, end); None when it is no call."""
        found = self.found
        if at >= len(found):
            return None
        if found[at] == ("mark", "("):
            start, depth, close = at + 1, 0, ")"
        elif self.table.get("bare") and (
            found[at][0] in ("text", "raw", "run", "name") or found[at][1] in self.table.get("opens", "")
        ):
            start, depth, close = at, 0, ""
        else:
            return None
        groups: list[tuple[int, int]] = []
        begin = start
        gaps = bool(self.table.get("spaced"))
        for here in range(start, min(len(found), start + 4000)):
            kind, value = found[here]
            if kind == "mark" and value in _OPEN:
                depth += 1
            elif kind == "mark" and value in _CLOSE:
                depth -= 1
                if depth < 0:
                    return self._with(groups, begin, here)
            elif depth == 0 and not close and (kind == "end" or (kind == "mark" and value == ";")):
                return self._with(groups, begin, here)
            elif depth == 0 and kind == "mark" and value == ",":
                groups = self._with(groups, begin, here)
                begin = here + 1
            if gaps and depth == 0 and kind in ("text", "raw", "name"):
                groups = self._with(groups, begin, here + 1)
                begin = here + 1
        return self._with(groups, begin, len(found))

    @staticmethod
    def _with(groups: "list[tuple[int, int]]", begin: int, end: int) -> "list[tuple[int, int]]":
        return [*groups, (begin, end)] if end > begin else groups

    def _value(self, start: int, end: int = 1 << 30) -> "tuple[str | None, int]":
        """The text of an expression: literals and known names joined; and where it ends."""
        found, at, out = self.found, start, ""
        wants = True
        while at < min(end, len(found)):
            kind, value = found[at]
            if kind == "end" and at + 1 < end:
                at += 1
                continue
            filled = value if kind == "text" else self._filled(value) if kind == "raw" else None
            if wants and filled is not None:
                out += filled
            elif wants and kind == "name" and value in self.names:
                out += self.names[value]
            elif (
                wants
                and kind == "name"
                and value.rsplit(".", 1)[-1] in ("join", "resolve", "new", "Pathname", "String", "raw")
            ):
                inner, at = self._joined(at + 1, value)
                if inner is None:
                    return None, at
                out += inner
                wants = False
                continue
            elif not wants and kind == "mark" and value in self.table.get("joins", "+"):
                pass
            elif wants:
                return None, at
            else:
                break
            wants = not wants
            at += 1
        return (
            (None, at)
            if wants or (end < 1 << 30 and at < min(end, len(found)) and found[at][0] != "end")
            else (out, at)
        )

    def _joined(self, at: int, name: str) -> "tuple[str | None, int]":
        """path.join("a", "b"), Pathname.new("a")"""
        groups = self._groups(at)
        if not groups:
            return None, at
        values = [self._value(a, b)[0] for a, b in groups]
        if None in values:
            return None, at
        if name == "join" and self.language in ("perl", "php"):  # join(SEPARATOR, ...)
            return (values[0] or "").join([v or "" for v in values[1:]]), groups[-1][1] + 1
        out = ""
        for value in values:
            out = value or "" if not out or (value or "")[:1] == "/" else out.rstrip("/") + "/" + (value or "")
        return out, groups[-1][1] + 1
