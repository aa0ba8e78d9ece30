"""What a straight JavaScript program leaves in a file that it reads, edits and writes back.

Asked only when the file is a manifest (contents.py). Followed are the tokens of tokens.py, one statement after the
other: a document that is required or parsed, keys of it that are set, deleted or pushed to, a text that is changed by
`replace` of a plain text, and the call that writes. Whatever else meets the document, and the result is not known.
"""

from guards.engine.world import normal
from guards.shell import contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.code import Program
    from guards.shell.tokens import Token

DECLARES = frozenset({"const", "let", "var"})
PUTS = frozenset({"push", "unshift", "splice", "sort", "pop", "shift"})  # methods of a list
UNDOES = frozenset({"eval", "Function", "Proxy", "vm.runInThisContext", "Object.defineProperty", "process.chdir"})
ROOTS = frozenset({"JSON", "Object", "Reflect", "globalThis", "global", "module"})  # what everything else hangs on
MAGIC = frozenset({"toJSON", "__proto__", "constructor", "prototype"})
_OPEN, _CLOSE = "([{", ")]}"


class Lost(Exception):
    """The program does what is not followed here."""


def after(program: "Program", path: str, old: str) -> "str | None":
    """What becomes of the text at `path` (absolute)."""
    try:
        return Editing(program, path, old).run()
    except (Lost, IndexError):
        return None


def statements(found: "list[Token]") -> "list[list[Token]]":
    """The tokens cut at semicolons and at the ends of lines that lie in no bracket."""
    out: list[list[Token]] = [[]]
    depth = 0
    for kind, value in found:
        if kind == "mark":
            depth += (value in _OPEN) - (value in _CLOSE)
        if depth == 0 and (kind == "end" or (kind, value) == ("mark", ";")):
            out.append([])
        elif kind != "end":
            out[-1].append((kind, value))
    return [each for each in out if each]


class Editing:
    """One run over the statements. documents: name → document; texts: name → text."""

    def __init__(self, program: "Program", path: str, old: str) -> None:
        self.program = program
        self.target = path
        self.text = old
        self.documents: dict[str, dict[str, Any]] = {}
        self.required: dict[str, Any] | None = None  # a module is loaded once: every name for it is the same document
        self.texts: dict[str, str] = {}
        self.written = False

    def run(self) -> "str | None":
        for tokens in statements(self.program.values.found):
            self.statement(tokens)
        return self.text if self.written else None

    def statement(self, tokens: "list[Token]") -> None:
        if any([kind == "name" and value in UNDOES for kind, value in tokens]):
            raise Lost
        if tokens[0][0] == "name" and tokens[0][1] in DECLARES and tokens[2] == ("mark", "="):
            self.named(tokens[1][1], tokens[3:])
        elif tokens[1:2] == [("mark", "=")] and tokens[0][1] in self.texts:
            self.named(tokens[0][1], tokens[2:])
        elif tokens[0] == ("name", "delete"):
            self.edit(tokens[1:], delete=True)
        elif self.root(tokens[0]) in self.documents:
            self.edit(tokens, delete=False)
        elif tokens[0][1] != "console.log" or not inert(tokens[2:-1]):
            if not self.writes(tokens) and (self.mentions(tokens) or tokens[1:2] == [("mark", "=")]):
                raise Lost  # also where a function of the language is replaced

    def named(self, name: str, tokens: "list[Token]") -> None:
        """A name that is given a document, or a text."""
        document = self.document(tokens)
        text = self.value(tokens) if document is None else None
        if document is not None:
            self.documents[name] = document
        elif text is not None:
            self.texts[name] = text
        elif self.mentions(tokens) or name in self.texts:
            raise Lost

    def root(self, token: "Token") -> str:
        return token[1].partition(".")[0] if token[0] == "name" else ""

    def mentions(self, tokens: "list[Token]") -> bool:
        """Whether the file, what was read of it, or what every program hangs on is met."""
        raw = "".join([value for kind, value in tokens if kind == "raw"])
        names = {self.root(token) for token in tokens}
        known = [*self.documents, *self.texts]
        if ROOTS & names or any([name in names or name in raw for name in known]):
            return True
        return any([kind == "text" and self.path([(kind, value)]) == self.target for kind, value in tokens])

    # ---- what is done
    def edit(self, tokens: "list[Token]", *, delete: bool) -> None:
        """`p.a["b"] = …`, `p.a.push(…)`, `delete p.a`"""
        name, *path = tokens[0][1].split(".")
        at = 1
        while tokens[at : at + 1] == [("mark", "[")] and path + tokens[at + 1 : at + 2]:
            kind, value = tokens[at + 1]
            if kind != "text" or tokens[at + 2] != ("mark", "]"):
                raise Lost
            path.append(value)
            at += 3
        rest = tokens[at:]
        if not delete and path and path[-1] in PUTS and rest[:1] == [("mark", "(")]:
            path = path[:-1]
        elif delete == bool(rest) or (rest and (rest[0] != ("mark", "=") or rest[1] == ("mark", "="))):
            raise Lost
        if name not in self.documents or not path or MAGIC & set(path) or self.others(rest, name, path):
            raise Lost
        contents._key(self.documents[name], path, delete)

    def others(self, rest: "list[Token]", name: str, path: "list[str]") -> bool:
        """Whether what is set holds a part of a document other than the one that is set: `{ ...p.scripts, a: "b" }`."""
        whole = ".".join([name, *path])
        names = {self.root(token) for token in rest if token not in (("name", whole), ("name", "." + whole))}
        return any([known in names for known in self.documents])

    def writes(self, tokens: "list[Token]") -> bool:
        """A call that writes the file; False when it is no such call."""
        at = next((i for i, (k, v) in enumerate(tokens) if k == "name" and v.endswith("writeFileSync")), -1)
        if at < 0:
            return False
        groups = split(tokens[at + 2 : close(tokens, at + 1)])
        if len(groups) < 2 or self.path(groups[0]) != self.target:
            return False
        if at not in (0, 4) or close(tokens, at + 1) != len(tokens) - 1:
            raise Lost
        text = self.value(groups[1])
        if text is None or self.written:
            raise Lost
        self.text, self.written = text, True
        return True

    # ---- values
    def path(self, tokens: "list[Token]") -> "str | None":
        text = self.value(tokens)
        if text is None:
            return None
        return normal(self.program.walk.full(self.program.step, text))

    def document(self, tokens: "list[Token]") -> "dict[str, Any] | None":
        """`require("./package.json")`, `JSON.parse(…)`"""
        if len(tokens) < 4 or tokens[1] != ("mark", "(") or close(tokens, 1) != len(tokens) - 1:
            return None
        inner, text = tokens[2:-1], None
        if tokens[0] == ("name", "require") and self.path(inner) == self.target:
            text = self.text
            if self.required is not None:
                return self.required
        elif tokens[0] == ("name", "JSON.parse"):
            text = self.value(inner)
        if text is None:
            return None
        from guards.lanes import manifests

        try:
            found = manifests.parse(text, "json")
        except manifests.Unparsed:
            return None
        if not isinstance(found, dict):
            return None
        if tokens[0][1] == "require":
            self.required = found
        return found

    def value(self, tokens: "list[Token]") -> "str | None":
        """A text: a literal, a name, what a file holds, a document as JSON; joined, and with replacements."""
        text, at = self.one(tokens)
        while text is not None and at < len(tokens):
            if tokens[at] == ("mark", "+"):
                more, taken = self.one(tokens[at + 1 :])
                text, at = None if more is None else text + more, at + 1 + taken
            elif tokens[at][1] in (".replace", ".trimEnd", ".trim", ".toString"):
                text, at = self.changed(text, tokens, at)
            else:
                return None
        return text

    def one(self, tokens: "list[Token]") -> "tuple[str | None, int]":
        """The first operand, and how many tokens it takes."""
        kind, value = tokens[0]
        if kind == "text":
            return value, 1
        if kind == "name" and value in self.texts:
            return self.texts[value], 1
        before, _, method = value.rpartition(".")
        if kind == "name" and before in self.texts:
            return self.changed(self.texts[before], [("name", "." + method), *tokens[1:]], 0)
        at = 0
        if list(tokens[:3]) == [("name", "require"), ("mark", "("), ("text", "fs")]:
            at = 4  # require("fs").readFileSync
        if tokens[at : at + 1] and tokens[at][1].endswith("readFileSync") and tokens[at + 1] == ("mark", "("):
            end = close(tokens, at + 1)
            read = self.path(split(tokens[at + 2 : end])[0]) == self.target
            return (self.text if read else None), end + 1
        return self.dumped(tokens) if tokens[0] == ("name", "JSON.stringify") else (None, 1)

    def dumped(self, tokens: "list[Token]") -> "tuple[str | None, int]":
        """`JSON.stringify(p, null, 2)`; a list of keys or a function in the second place would leave something out."""
        end = close(tokens, 1)
        first, *more = split(tokens[2:end])
        document = self.documents.get(first[0][1]) if len(first) == 1 else None
        plain = more[:1] in ([], [[("name", "null")]])
        return (contents._dumped(document) if document is not None and plain else None), end + 1

    def changed(self, text: str, tokens: "list[Token]", at: int) -> "tuple[str | None, int]":
        """The first place that is the text, as `replace` has it."""
        end = close(tokens, at + 1)
        given = [self.value(group) for group in split(tokens[at + 2 : end])]
        if tokens[at][1] != ".replace":
            return text.strip() if "trim" in tokens[at][1] else text, end + 1
        if len(given) != 2 or given[0] is None or given[1] is None or "$" in given[1]:
            return None, end + 1
        return text.replace(given[0], given[1], 1), end + 1


def inert(tokens: "list[Token]") -> bool:
    """Whether showing these changes nothing: no call, no assignment."""
    marks = {value for kind, value in tokens if kind == "mark"}
    return not marks & set("(=+-") and ("name", "delete") not in tokens and "raw" not in {kind for kind, _ in tokens}


def close(tokens: "list[Token]", at: int) -> int:
    """The bracket that closes the one at a place; IndexError when there is none."""
    depth = 0
    for place in range(at, len(tokens)):
        if tokens[place][0] == "mark":
            depth += (tokens[place][1] in _OPEN) - (tokens[place][1] in _CLOSE)
        if depth == 0:
            return place
    raise IndexError


def split(tokens: "list[Token]") -> "list[list[Token]]":
    """The arguments between commas that lie in no bracket."""
    out: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token[0] == "mark":
            depth += (token[1] in _OPEN) - (token[1] in _CLOSE)
        if token == ("mark", ",") and depth == 0:
            out.append([])
        else:
            out[-1].append(token)
    return out
