"""Tcl: words stand bare, so its text is read as commands and words, brackets and braces inside them too."""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

DEPTH = 12
_WRITES = frozenset({"mkdir", "attributes", "mtime", "atime", "link", "tempfile"})
_SCRIPTS = frozenset(
    {
        "if",
        "else",
        "elseif",
        "while",
        "for",
        "foreach",
        "proc",
        "catch",
        "try",
        "eval",
        "uplevel",
        "then",
        "finally",
        "time",
        "after",
        "namespace",
        "switch",
    }
)


class Script:
    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]") -> None:
        self.walk = walk
        self.step = step
        self.names: dict[str, str] = {"argv0": (args[0].text or "") if args else ""}
        self.names["argv"] = " ".join([a.rough for a in args[1:]])

    def run(self, text: str, depth: int = 0) -> None:
        if depth > DEPTH:
            return
        for words in commands(text):
            self.command([self.value(w, depth) for w in words], words, depth)

    def value(self, word: str, depth: int) -> "str | None":
        """The word with its variables filled in; what stands in brackets is run and not known."""
        if word[:1] == "{":
            return word[1:-1]
        bare = word[1:-1] if word[:1] == '"' and word[-1:] == '"' else word
        known = True
        out, at = "", 0
        while at < len(bare):
            c = bare[at]
            if c == "\\" and at + 1 < len(bare):
                out += bare[at + 1]
                at += 2
            elif c == "[":
                end = closing(bare, at, "[", "]")
                self.run(bare[at + 1 : end], depth + 1)
                known = False
                at = end + 1
            elif c == "$":
                end = at + 1
                while end < len(bare) and (bare[end].isalnum() or bare[end] in "_:{}"):
                    end += 1
                value = self.names.get(bare[at + 1 : end].strip("{}"))
                known = known and value is not None
                out += value or ""
                at = end
            else:
                out += c
                at += 1
        return out if known else None

    def command(self, values: "list[str | None]", words: "list[str]", depth: int) -> None:
        name = (values[0] or "").removeprefix("::") if values else ""
        rest = values[1:]
        if name == "set" and len(rest) > 1 and rest[0] is not None:
            if rest[1] is None:
                self.names.pop(rest[0], None)
            else:
                self.names[rest[0]] = rest[1]
        elif name == "open" and rest:
            self._open(rest)
        elif name == "file" and len(rest) > 1:
            self._file(rest[0] or "", rest[1:])
        elif name in ("exec", "spawn"):
            self.walk.text(self.step, " ".join([v if v is not None else "$_" for v in rest]))
        elif name in _SCRIPTS:
            for word in words[1:]:
                if word[:1] == "{":
                    self.run(word[1:-1], depth + 1)

    def _open(self, rest: "list[str | None]") -> None:
        path, mode = rest[0], rest[1] if len(rest) > 1 else "r"
        if path is not None and path[:1] == "|":
            self.walk.text(self.step, path[1:])
        elif mode is None or set(mode) & set("wa+") or "WR" in mode or "CREAT" in mode:
            self._touched(path, "write", "open")

    def _file(self, verb: str, rest: "list[str | None]") -> None:
        operands = [r for r in rest if r is None or r[:1] != "-"]
        if verb in ("delete", "rename"):
            for path in operands if verb == "delete" else operands[:-1]:
                self._touched(path, "delete", f"file {verb}")
        if verb in ("rename", "copy") and len(operands) > 1:
            self._touched(operands[-1], "write", f"file {verb}")
        elif verb in _WRITES and (verb != "attributes" or len(operands) > 2):
            for path in operands if verb == "mkdir" else operands[:1]:
                self._touched(path, "write", f"file {verb}")

    def _touched(self, path: "str | None", act: str, cause: str) -> None:
        if path is None:
            self.walk.opaque(self.step, list(self.names.values()), f"tcl {cause} of a value that is not known")
        else:
            self.walk.path(self.step, path, act, cause=f"tcl {cause}", follow=act == "write", tree=act == "delete")


def closing(text: str, at: int, opening: str, close: str) -> int:
    """Where the bracket at `at` is closed."""
    depth = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == opening:
            depth += 1
        elif text[at] == close:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return len(text)


def commands(text: str) -> "list[list[str]]":
    """The words of each command, braces, quotes and brackets kept."""
    found: list[list[str]] = []
    words: list[str] = []
    at = 0
    while at <= len(text):
        c = text[at : at + 1]
        if c in ("", "\n", ";"):
            if words:
                found.append(words)
            words = []
            at += 1
        elif c in " \t":
            at += 1
        elif c == "\\" and text[at + 1 : at + 2] == "\n":
            at += 2
        elif c == "#" and not words:
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            start = at
            at = _word_end(text, at)
            words.append(text[start:at])
    return found


def _word_end(text: str, at: int) -> int:
    if text[at] == "{":
        return closing(text, at, "{", "}") + 1
    if text[at] == '"':
        at += 1
        while at < len(text) and text[at] != '"':
            at = closing(text, at, "[", "]") if text[at] == "[" else at + (text[at] == "\\")
            at += 1
        return at + 1
    while at < len(text) and text[at] not in " \t\n;":
        if text[at] == "\\":
            at += 1
        elif text[at] == "[":
            at = closing(text, at, "[", "]")
        at += 1
    return at


def read(walk: "Walk", step: "Step", text: str, args: "list[Word]") -> None:
    Script(walk, step, args or [words_of.plain("")]).run(text)
