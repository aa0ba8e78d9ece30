"""Tcl: words stand bare, so its text is read as commands and words, brackets and braces inside them too."""

from guards.shell import args as words_of
from guards.shell import codeouter
from guards.shell.codetexts import (
    ANY,
    ELSEWHERE,
    OUTSIDE,
    UNKNOWN,
    beneath,
    last,
    mapped,
    named,
    parent,
    product,
    sure,
    union,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codetexts import Texts
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

DEPTH = 12
STEPS = 20_000  # commands that are followed
_MARKS = str.maketrans(dict.fromkeys('{}[]"$;', " "))
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
    """names: what the variables can be; procs: the parameters and the body of each."""

    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", text: str) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.literals = [piece for piece in text.translate(_MARKS).split() if piece]
        self.names: dict[str, Texts] = {"argv0": ((args[0].text or "") if args else "",)}
        self.names["argv"] = tuple([ANY if a.text is None else a.text for a in args[1:]]) or ELSEWHERE
        self.procs: dict[str, tuple[list[str], str]] = {}
        self.left = STEPS

    def run(self, text: str, depth: int = 0) -> "Texts":
        """Goes through the commands; what the last one gives."""
        found: Texts = UNKNOWN
        for words in commands(text) if depth <= DEPTH else ():
            self.left -= 1
            if self.left < 0:
                break
            found = self.command([self.value(w, depth) for w in words], words, depth)
        return found

    def value(self, word: str, depth: int) -> "Texts":
        """The word with its variables filled in, and what stands in brackets as what it gives."""
        if word[:1] == "{":
            return (word[1:-1],)
        bare = word[1:-1] if word[:1] == '"' and word[-1:] == '"' else word.removeprefix("{*}")
        out: Texts = ("",)
        at = 0
        while at < len(bare):
            c = bare[at]
            if c == "\\" and at + 1 < len(bare):
                out, at = product(out, (bare[at + 1],)), at + 2
            elif c == "[":
                end = closing(bare, at, "[", "]")
                out, at = product(out, self.run(bare[at + 1 : end], depth + 1)), end + 1
            elif c == "$":
                end = at + 1
                while end < len(bare) and (bare[end].isalnum() or bare[end] in "_:{}"):
                    end += 1
                end = closing(bare, end, "(", ")") + 1 if bare[end : end + 1] == "(" else end
                out, at = product(out, self._variable(bare[at + 1 : end].strip("{}"))), end
            else:
                end = at + 1
                while end < len(bare) and bare[end] not in "\\[$":
                    end += 1
                out, at = product(out, (bare[at:end],)), end
        return out

    def _variable(self, name: str) -> "Texts":
        if name[:4] == "env(":
            return codeouter.Outer(self.walk, self.step, self.args, "tcl").variable(name[4:-1])
        return self.names.get(name, UNKNOWN)

    def command(self, values: "list[Texts]", words: "list[str]", depth: int) -> "Texts":
        name = _one(values[0]).removeprefix("::") if values else ""
        rest = values[1:]
        if name in ("set", "append", "lappend") and len(rest) > 1 and len(rest[0]) == 1:
            old = self.names.get(rest[0][0], ())
            given = rest[1] if name == "set" else product(old, rest[1]) if name == "append" else union(old, rest[1])
            self.names[rest[0][0]] = union(old, given) if depth and name == "set" else given
            return given
        if name == "open" and rest:
            self._open(rest)
        elif name == "file" and len(rest) > 1:
            return self._file(_one(rest[0]), rest[1:])
        elif name in ("exec", "spawn"):
            for text in _line(rest):
                self.walk.text(self.step, text)
        elif name == "proc" and len(rest) > 2:
            self.procs[_one(rest[0])] = (_one(rest[1]).replace("{", " ").replace("}", " ").split(), _one(rest[2]))
        elif name in self.procs:
            return self._called(name, rest, depth)
        elif name == "foreach" and len(rest) > 2:
            for variable in _one(rest[0]).split():
                self.names[variable] = _pieces(rest[1])
            self.run(words[-1][1:-1], depth + 1)
        elif name in _SCRIPTS:
            for word in words[1:]:
                if word[:1] == "{":
                    self.run(word[1:-1], depth + 1)
        elif name in (
            "return",
            "lindex",
            "list",
            "split",
            "lsort",
            "lrange",
            "glob",
            "pwd",
            "concat",
            "format",
            "string",
        ):
            return self._given(name, rest)
        return UNKNOWN

    def _given(self, name: str, rest: "list[Texts]") -> "Texts":
        if name == "pwd":
            return (self.step.cwd,) if self.step.cwd else UNKNOWN
        if name == "lindex" and len(rest) > 1 and _one(rest[1]).isdigit():
            pieces = self.names["argv"] if rest[0] == self.names["argv"] else _pieces(rest[0])
            place = int(_one(rest[1]))
            return pieces[place : place + 1] or ELSEWHERE
        if name == "glob":
            plain = [value for value in rest if _one(value)[:1] != "-" and _one(value) != "*"]
            return mapped(union(*plain), lambda text: text.rpartition("/")[0] + "/" + OUTSIDE if "*" in text else text)
        if name == "format" and rest:
            return UNKNOWN
        return union(*[_pieces(value) for value in rest]) if rest and name != "string" else UNKNOWN

    def _called(self, name: str, rest: "list[Texts]", depth: int) -> "Texts":
        """A procedure of the script, with what it is given."""
        params, body = self.procs[name]
        kept = self.names
        self.names = {**kept, **{p: rest[i] if i < len(rest) else UNKNOWN for i, p in enumerate(params)}}
        found = self.run(body, depth + 1)
        self.names = kept
        return found

    def _open(self, rest: "list[Texts]") -> None:
        modes = rest[1] if len(rest) > 1 else ("r",)
        for path in rest[0]:
            if path[:1] == "|":
                self.walk.text(self.step, path[1:].replace(ANY, "$_"))
            elif any([set(mode) & set("wa+") or "WR" in mode or "CREAT" in mode or not sure(mode) for mode in modes]):
                self._touched((path,), "write", "open")

    def _file(self, verb: str, rest: "list[Texts]") -> "Texts":
        operands = [r for r in rest if _one(r)[:1] != "-"]
        if verb in ("delete", "rename"):
            for path in operands if verb == "delete" else operands[:-1]:
                self._touched(path, "delete", f"file {verb}")
        if verb in ("rename", "copy") and len(operands) > 1:
            self._touched(operands[-1], "write", f"file {verb}")
        elif verb in _WRITES and (verb != "attributes" or len(operands) > 2):
            for path in operands if verb == "mkdir" else operands[:1]:
                self._touched(path, "write", f"file {verb}")
        elif verb == "join":
            out: Texts = ("",)
            for part in operands:
                out = beneath(out, part, anew=True)
            return out
        elif verb in ("tail", "dirname"):
            return mapped(operands[0], last if verb == "tail" else parent)
        return operands[0] if operands and verb in ("normalize", "nativename") else UNKNOWN

    def _touched(self, paths: "Texts", act: str, cause: str) -> None:
        for path in paths:
            if sure(path):
                self.walk.path(self.step, path, act, cause=f"tcl {cause}", follow=act == "write", tree=act == "delete")
                continue
            words = named(path, self.literals) + (self.literals if path[:1] == ANY else [])
            self.walk.opaque(self.step, words, f"tcl {cause} of a value that is not known")


def _one(value: "Texts") -> str:
    """The one text of a word, where it has one."""
    return value[0] if len(value) == 1 and sure(value[0]) else ""


def _pieces(value: "Texts") -> "Texts":
    """What a list holds."""
    return union(tuple([piece for text in value for piece in text.split()])) or ELSEWHERE


def _line(words: "list[Texts]") -> "Texts":
    """The command line that the words make, with `$_` for what is not known."""
    out: Texts = ("",)
    for word in words:
        out = product(out, mapped(word, lambda text: text.replace(ANY, "$_").replace(OUTSIDE, "$_")), " ")
    return out


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
    Script(walk, step, args or [words_of.plain("")], text).run(text)
