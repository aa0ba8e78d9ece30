"""awk: redirections inside the program (`print > FILE`, `| "command"`), system(), and gawk's -i inplace.

A `>` is a redirection only in a print statement and outside parentheses; elsewhere it compares.
"""

from guards.engine.event import UNKNOWN, Effect
from guards.shell import args as words_of
from guards.shell import awkvalues, mentions, programs
from guards.shell.codetexts import ANY, OUTSIDE, named, sure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

    Token = tuple[str, str]

LIMIT = 20_000  # tokens of one program
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_ESCAPES = {"n": "\n", "t": "\t", "/": "/", '"': '"', "\\": "\\"}


def awk(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    words = _profiled(walk, step, words)
    args = words_of.scan(words, row, stop=True)
    if args.has(("--help", "--version", "-V")):
        return
    programs.named(walk, step, args, row)
    operands = args.operands
    texts: list[str] = []
    for option, value in args.options:
        if value is not None and option in ("-f", "--file", "-E", "--exec"):
            texts.append(walk.content(step, value) or "")
        elif value is not None and option in ("-e", "--source"):
            texts.append(value.rough)
    if not texts and operands:
        texts.append(operands[0].rough)
        operands = operands[1:]
    values: dict[str, str | None] = {}
    for value in args.values(("-v", "--assign")):
        _assigned(value, values)
    if args.has(("-F", "--field-separator")):
        values["FS"] = None
    files = [w for w in operands if not _assigned(w, values)]
    if any([v.text in ("inplace", "inplace.awk") for v in args.values(("-i", "--include"))]):
        for word in files:
            walk.touch(step, word, cause="awk -i inplace", follow=False)
    Program(walk, step, values, files).run("\n".join(texts))


def _profiled(walk: "Walk", step: "Step", words: "list[Word]") -> "list[Word]":
    """The words without `-oFILE`, `-pFILE` and `-dFILE`, whose files gawk writes."""
    kept: list[Word] = []
    for at, word in enumerate(words):
        text = word.text if word.text is not None else word.rough
        if text[:1] != "-" and not (at and words[at - 1].text in ("-v", "-F", "-f", "-i", "-l", "-e", "-E")):
            return kept + words[at:]
        if text[:2] in ("-o", "-p", "-d") and len(text) > 2:
            walk.touch(step, words_of.tail(word, 2), cause=f"awk {text[:2]}")
        else:
            kept.append(word)
    return kept


def _assigned(word: "Word", values: "dict[str, str | None]") -> bool:
    """NAME=VALUE, as an operand or behind -v."""
    name, equals, value = word.rough.partition("=")
    if not equals or not name.isidentifier():
        return False
    values[name] = value if word.text is not None else None
    return True


def tokens(text: str) -> "list[Token]":
    """("name" | "text" | "mark" | "end", its text); comments and patterns are left out."""
    found: list[Token] = []
    at = 0
    while at < len(text) and len(found) < LIMIT:
        c = text[at]
        at += 1
        if c == "\n":
            found.append(("end", c))
        elif c in " \t\r":
            continue
        elif c == "\\" and text[at : at + 1] == "\n":
            at += 1
        elif c == "#":
            at = len(text) if text.find("\n", at) < 0 else text.find("\n", at)
        elif c == '"':
            value = ""
            while at < len(text) and text[at] != '"':
                if text[at] == "\\" and at + 1 < len(text):
                    at += 1
                    value += _ESCAPES.get(text[at], text[at])
                else:
                    value += text[at]
                at += 1
            at += 1
            found.append(("text", value))
        elif c == "/" and not (found and (found[-1][0] in ("name", "text") or found[-1][1] in (")", "]"))):
            while at < len(text) and text[at] not in "/\n":
                at += 2 if text[at] == "\\" else 1
            at += 1
            found.append(("pattern", ""))
        elif c in _NAME:
            start = at - 1
            while at < len(text) and text[at] in _NAME:
                at += 1
            found.append(("name", text[start:at]))
        else:
            if c in ">|&" and text[at : at + 1] == c:
                c += c
                at += 1
            found.append(("mark", c))
    return found


class Program:
    """Go over the program for what it writes; values: what its names can be."""

    def __init__(self, walk: "Walk", step: "Step", values: "dict[str, str | None]", files: "list[Word]") -> None:
        self.walk = walk
        self.step = step
        self.given = values
        self.files = files
        self.found: list[Token] = []

    def run(self, text: str) -> None:
        self.found = tokens(text)
        self.values = awkvalues.Values(self.walk, self.step, self.found, self.given, self.files)
        self.values.learn()
        printing, depth = False, 0
        for at, (kind, value) in enumerate(self.found):
            self.values.where = at
            if kind == "name":
                if value in ("print", "printf"):
                    printing, depth = True, 0
                elif value == "system":
                    self._command(at + 2)
            elif kind == "end" or (kind == "mark" and value in ";}"):
                printing = False
            elif kind == "mark" and value in ("(", "["):
                depth += 1
            elif kind == "mark" and value in (")", "]"):
                depth -= 1
            elif printing and depth == 0 and value in (">", ">>") and kind == "mark":
                self._target(at + 1)
                printing = False
            elif kind == "mark" and value in ("|", "|&"):
                self._pipe(at, printing)

    def _target(self, at: int) -> None:
        cwd = self.step.cwd or self.walk.event.cwd
        literals = [piece for kind, value in self.found if kind == "text" for piece in (value, *value.split())]
        for text in self.values.expression(at):
            if sure(text):
                if text:
                    self.walk.path(self.step, text, cause="awk >")
                continue
            words: list[Word | str] = [*named(text, literals)]
            if text[:1] == ANY:
                words += [*literals, *self.files, *mentions.handed(self.walk, self.step)]
            seen = mentions.of_words(words, cwd)
            self.walk.add(Effect("", "write", UNKNOWN, cwd, cause="awk >: a value that is not known", mentions=seen))

    def _command(self, at: int) -> None:
        for text in self.values.expression(at):
            self.walk.text(self.step, text.replace(ANY, "_").replace(OUTSIDE, "_"))

    def _pipe(self, at: int, printing: bool) -> None:
        """Print … | "command" and "command" | getline"""
        if printing:
            self._command(at + 1)
        elif at and self.found[at - 1][0] == "text":
            self.walk.text(self.step, self.found[at - 1][1])
