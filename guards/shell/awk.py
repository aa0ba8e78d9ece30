"""awk: redirections inside the program (`print > FILE`, `| "command"`), system(), and gawk's -i inplace.

A `>` is a redirection only in a print statement and outside parentheses; elsewhere it compares.
"""

from guards.engine.event import UNKNOWN, Effect
from guards.shell import args as words_of
from guards.shell import mentions
from guards.shell.programs import named

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
    args = words_of.scan(words, row, stop=True)
    if args.has(("--help", "--version", "-V")):
        return
    named(walk, step, args, row)
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
    files = [w for w in operands if not _assigned(w, values)]
    if any([v.text in ("inplace", "inplace.awk") for v in args.values(("-i", "--include"))]):
        for word in files:
            walk.touch(step, word, cause="awk -i inplace", follow=False)
    Program(walk, step, values, files).run("\n".join(texts))


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
    def __init__(self, walk: "Walk", step: "Step", values: "dict[str, str | None]", files: "list[Word]") -> None:
        self.walk = walk
        self.step = step
        self.values = values
        self.files = files
        self.samples: dict[str, str] = {}
        self.found: list[Token] = []

    def run(self, text: str) -> None:
        self.found = tokens(text)
        printing, depth = False, 0
        for at, (kind, value) in enumerate(self.found):
            if kind == "name":
                if value in ("print", "printf"):
                    printing, depth = True, 0
                elif value == "system":
                    self._command(at + 2)
                self._assignment(at, value)
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

    def _assignment(self, at: int, name: str) -> None:
        if self._is(at + 1, "=") and not self._is(at + 2, "="):
            value, sample = self._expression(at + 2)
            self.values[name] = value
            self.samples[name] = sample

    def _is(self, at: int, mark: str) -> bool:
        return at < len(self.found) and self.found[at] == ("mark", mark)

    def _expression(self, at: int) -> "tuple[str | None, str]":
        """Texts and known names side by side, joined; and a sample with `_` for what is not known."""
        out: str | None = ""
        sample = ""
        depth = 0
        while at < len(self.found):
            kind, value = self.found[at]
            if kind == "mark" and value == "(":
                depth += 1
            elif kind == "mark" and value == ")" and depth:
                depth -= 1
            elif kind == "text":
                sample += value
                out = None if out is None else out + value
            elif kind == "name":
                known = self.values.get(value)
                out = None if out is None or known is None else out + known
                sample += known if known is not None else self.samples.get(value, "_")
            elif kind == "end" or value in (";", "}", ")", "|", ","):
                break
            else:
                out = None
            at += 1
        return out, sample

    def _target(self, at: int) -> None:
        value, sample = self._expression(at)
        if value:
            self.walk.path(self.step, value, cause="awk >")
            return
        if value == "":
            return
        inside = self.found[at : at + 4]
        if ("name", "FILENAME") in inside:
            for word in self.files:
                self.walk.touch(self.step, word, cause="awk > FILENAME")
        cwd = self.step.cwd or self.walk.event.cwd
        words: list[Any] = [sample, *(self.files if ("name", "ARGV") in self.found else ())]
        if ("name", "ENVIRON") in self.found:
            words += [*self.step.assigns.values(), *[v for v in self.step.env.values() if v]]
        named = mentions.of_words(words, cwd)
        self.walk.add(Effect("", "write", UNKNOWN, cwd, cause="awk >: a value that is not known", mentions=named))

    def _command(self, at: int) -> None:
        value, sample = self._expression(at)
        self.walk.text(self.step, value or sample)

    def _pipe(self, at: int, printing: bool) -> None:
        """Print … | "command" and "command" | getline"""
        if printing:
            self._command(at + 1)
        elif at and self.found[at - 1][0] == "text":
            self.walk.text(self.step, self.found[at - 1][1])
