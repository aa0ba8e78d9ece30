"""Which program a shell call is about: the first word that matters, through cd, wrappers and rewriters.

For accounts and advice, never for a refusal, so a quick look at the first words is enough: nothing is expanded, and a
first word that is not plain text gives "". `names` is data: passing (programs that only set the stage: cd, export),
shells (`-c` holds a command of its own), wrappers (name -> (subcommands that must follow, options with a value,
operands before the command)).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Word = tuple[str, bool]  # the word's plain text, and whether it is all of it

LIMIT = 4000  # characters looked at: what matters stands in front
DEPTH = 5  # sh -c inside sh -c
_KEYWORDS = frozenset(("if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "fi", "done", "esac"))
_HEADS = frozenset(("for", "select", "case", "function"))  # the rest of their segment is no command


def first(command: str, names: "dict[str, Any]", depth: int = 0) -> "tuple[str, str]":
    """(program, its first operand); ("", "") when there is none or it is not plain text."""
    fallback = ("", "")
    for words, _ in segments(command[:LIMIT]):
        found = _program(words, names, depth)
        if found is None:
            continue
        if found[0] not in names["passing"]:
            return found
        fallback = fallback if fallback[0] else found
    return fallback


def every(command: str, names: "dict[str, Any]") -> "list[tuple[str, str]]":
    """All programs of a command with their first operand, but for those that read a pipe."""
    found = []
    for words, piped in segments(command[:LIMIT]):
        one = None if piped else _program(words, names, 0)
        if one is not None and one[0]:
            found.append(one)
    return found


def _program(words: "list[Word]", names: "dict[str, Any]", depth: int) -> "tuple[str, str] | None":
    """The program of one simple command; None when there is none in it (an assignment, the head of a loop)."""
    at = 0
    while at < len(words):
        text, plain = words[at]
        if _assigns(text) or (plain and text in _KEYWORDS):
            at += 1
            continue
        if text in _HEADS:
            return None
        if not plain or not text:
            return "", ""
        name = text.rstrip("/").rpartition("/")[2] or text
        if name in names["shells"]:
            inner = _code(words[at + 1 :])
            if inner and depth < DEPTH:
                return first(inner, names, depth + 1)
        rule = names["wrappers"].get(name)
        behind = _behind(words, at + 1, rule) if rule else -1
        if behind < 0:
            return name, _operand(words[at + 1 :])
        at = behind
    return None


def _assigns(text: str) -> bool:
    name, sign, _ = text.partition("=")
    return bool(sign) and name.rstrip("+").isidentifier()


def _code(words: "list[Word]") -> str:
    """What stands behind -c (or -lc, -ec): the command of a shell."""
    for at, (text, _) in enumerate(words):
        if not text.startswith("-") or text == "--":
            return ""
        if "c" in text and not text.startswith("--"):
            return words[at + 1][0] if at + 1 < len(words) else ""
    return ""


def _behind(words: "list[Word]", at: int, rule: "tuple[Any, ...]") -> int:
    """Where the command that a wrapper runs begins; -1 when this call of it runs none."""
    through, values, operands = rule
    at = _options(words, at, values, through)
    if through:
        if at >= len(words) or words[at][0] not in through:
            return -1
        at = _options(words, at + 1, values, ())
    at += operands
    at = _options(words, at, values, ()) if operands else at
    return at if at < len(words) else -1


def _options(words: "list[Word]", at: int, values: "tuple[str, ...]", stop: "tuple[str, ...]") -> int:
    while at < len(words):
        text = words[at][0]
        if text in stop or not (text.startswith("-") or _assigns(text)):
            return at
        at += 2 if text in values else 1
    return at


def _operand(words: "list[Word]") -> str:
    """The first word behind the program that is no option; `git -C dir log` gives log."""
    skip = False
    for text, plain in words:
        if skip:
            skip = False
        elif text in ("-C", "-c"):
            skip = True
        elif not text.startswith("-"):
            return text if plain else ""
    return ""


def segments(text: str) -> "Iterator[tuple[list[Word], bool]]":
    """The simple commands of a text as (words, whether it reads a pipe), without redirections and here-documents."""
    words: list[Word] = []
    docs: list[str] = []
    piped = False
    at = 0
    while at < len(text):
        char = text[at]
        if char in " \t" or text.startswith("\\\n", at):
            at += 1 if char != "\\" else 2
        elif char in "<>" or text.startswith("&>", at):
            at = _redirect(text, at, docs)
        elif char in ";&|()\n":
            if words:
                yield words, piped
                words, piped = [], False
            if char == "|":
                piped = text[at + 1 : at + 2] != "|" and text[at - 1 : at] != "|"
            elif char != "\n":
                piped = False
            at += 2 if text.startswith("|&", at) else 1
            if char == "\n":
                at = _bodies(text, at, docs)
        elif char == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        else:
            word, at = _word(text, at)
            if not (word[0].isdigit() and at < len(text) and text[at] in "<>"):
                words.append(word)
    if words:
        yield words, piped


def _word(text: str, at: int) -> "tuple[Word, int]":
    """One word without its quotes, and where it ends. What is not plain text is left out of it."""
    parts: list[str] = []
    plain = True
    while at < len(text) and text[at] not in " \t\n;&|()<>":
        char = text[at]
        if char == "\\":
            parts.append(text[at + 1 : at + 2])
            at += 2
        elif char == "'":
            end = text.find("'", at + 1)
            end = len(text) if end < 0 else end
            parts.append(text[at + 1 : end])
            at = end + 1
        elif char == '"':
            end = _quoted(text, at + 1)
            part = text[at + 1 : end]
            plain = plain and "$" not in part and "`" not in part
            parts.append(part)
            at = end + 1
        elif char in "$`":
            plain = False
            at = _expansion(text, at)
        else:
            parts.append(char)
            at += 1
    return ("".join(parts), plain), at


def _quoted(text: str, at: int) -> int:
    """The closing double quote."""
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _expansion(text: str, at: int) -> int:
    """Behind $NAME, ${…}, $(…) or `…`."""
    if text[at] == "`":
        end = text.find("`", at + 1)
        return len(text) if end < 0 else end + 1
    pair = {"(": ")", "{": "}"}.get(text[at + 1 : at + 2])
    if pair is None:
        return at + 1
    opening, depth, at = text[at + 1], 0, at + 1
    while at < len(text):
        depth += (text[at] == opening) - (text[at] == pair)
        at += 1
        if not depth:
            break
    return at


def _redirect(text: str, at: int, docs: "list[str]") -> int:
    """Behind a redirection and its target."""
    start = at
    while at < len(text) and text[at] in "<>&|-":
        at += 1
    sign = text[start:at]
    while at < len(text) and text[at] in " \t":
        at += 1
    if at < len(text) and text[at] not in "()\n;":
        (target, _), at = _word(text, at)
        if sign in ("<<", "<<-"):
            docs.append(target)
    return at


def _bodies(text: str, at: int, docs: "list[str]") -> int:
    """Behind the bodies of the here-documents that the line before opened."""
    while docs:
        mark = docs.pop(0)
        while at < len(text):
            end = text.find("\n", at)
            line, at = (text[at:], len(text)) if end < 0 else (text[at:end], end + 1)
            if line.lstrip("\t") == mark:
                break
    return at
