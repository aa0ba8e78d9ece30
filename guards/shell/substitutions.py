"""`s/A/B/`, `/A/d` and the like, applied to a text in memory where the expression is plain enough to be sure of it.

Plain is: literal text, `.`, `*`, `^`, `$`, simple brackets, and in extended expressions `+` and `?`; in the replacement
text and `&`. Anything else is not guessed: the change is then not known.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Change = Callable[[str], str | None]
    Command = tuple[Any, Any, str, bool]  # which lines, what is sought, what it becomes, everywhere

LINE = 4000  # characters of a line that is tried
STARS = 3  # repeats in one expression: each multiplies the time
_PLAIN = frozenset('/."-_:,;@#%&~=!{}()[]+?|$^* ')


class Unsure(Exception):
    """The expression is more than is worked out here."""


def changed(script: str, extended: bool, perl: bool = False) -> "Change | None":
    """What the script does to a text; None when that is not sure."""
    try:
        commands = _commands(script, extended, perl)
    except Unsure:
        return None
    return (lambda text: _apply(text, commands)) if commands else None


def _commands(script: str, extended: bool, perl: bool) -> "list[Command]":
    found: list[Command] = []
    rest = script.strip(" \t\n;")
    while rest:
        lines: Any = None
        if not perl and rest[0] == "/":
            pattern, rest = _part(rest[1:], "/")
            lines = _compiled(pattern, extended, perl)
        elif not perl and rest[0].isdigit():
            number = rest[: len(rest) - len(rest.lstrip("0123456789"))]
            lines, rest = int(number), rest[len(number) :]
        if rest[:1] == "d" and lines is not None and not perl:
            found.append((lines, None, "", False))
            rest = rest[1:]
        elif rest[:1] == "s" and rest[1:2] and (rest[1] in "/|#,!@:"):
            mark = rest[1]
            pattern, rest = _part(rest[2:], mark)
            replacement, rest = _part(rest, mark)
            everywhere = rest[:1] == "g"
            rest = rest[everywhere:]
            sought = _compiled(pattern, extended, perl)
            found.append((lines, sought, _replacement(replacement, mark, perl), everywhere))
        else:
            raise Unsure
        if rest and rest[0] not in " \t\n;":
            raise Unsure
        rest = rest.lstrip(" \t\n;")
    return found


def _part(text: str, mark: str) -> "tuple[str, str]":
    """Up to the next delimiter that is not escaped, and what is behind it. An escaped delimiter is itself."""
    out, at = "", 0
    while at < len(text):
        char = text[at]
        if char == "\\" and text[at + 1 : at + 2] == mark and mark in "/#,!@:":
            out += mark
            at += 2
        elif char == "\\":
            out += text[at : at + 2]
            at += 2
        elif char == mark:
            return out, text[at + 1 :]
        elif char == "\n":
            raise Unsure
        else:
            out += char
            at += 1
    raise Unsure


def _compiled(pattern: str, extended: bool, perl: bool) -> "Any":
    """The expression for `regex`, which reads these few signs as sed and Perl do."""
    regex = _package()
    out, at, stars = "", 0, 0
    if not pattern or (perl and ("@" in pattern or "$" in pattern[:-1] or "[^" in pattern)):
        raise Unsure
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "\\":
            out += regex.escape(_escaped(pattern[at : at + 1], extended))
            at += 1
        elif char == "[":
            end = _bracket(pattern, at)
            out += pattern[at - 1 : end]
            at = end
        elif char == "*" or (extended and char in "+?"):
            stars += 1
            if not out or out[-1:] in "^*+?" or stars > STARS:
                raise Unsure
            out += char
        elif char == ".":
            out += "."
        elif char == "^" and at == 1:
            out += "^"
        elif char == "$" and at == len(pattern):
            out += "$"
        elif char in "^$" or (extended and char in "(){}|"):
            raise Unsure
        else:
            out += regex.escape(char)
    try:
        made = regex.compile(out, regex.VERSION0)
    except regex.error as fault:
        raise Unsure from fault
    if made.search(""):  # how often nothing is found is another matter in each program
        raise Unsure
    return made


def _escaped(char: str, extended: bool) -> str:
    """A sign that a backslash makes plain."""
    if not char or char not in _PLAIN or (not extended and char in "+?|(){}"):
        raise Unsure
    return char


def _bracket(pattern: str, at: int) -> int:
    """Where a bracket that begins before `at` ends; one with classes or backslashes is not worked out."""
    end = pattern.find("]", at + (2 if pattern[at : at + 1] == "^" else 1))
    inside = pattern[at:end]
    if end < 0 or any([mark in inside for mark in ("[", "\\", "&&", "--", "||")]):
        raise Unsure
    return end + 1


def _package() -> "Any":
    from guards.engine import packages

    packages.use()
    try:
        import regex
    except ImportError as fault:
        raise Unsure from fault
    return regex


def _replacement(text: str, mark: str, perl: bool) -> "str":
    """As `regex` takes it: `&` is what was found."""
    out, at = "", 0
    if perl and ("$" in text or "@" in text):
        raise Unsure
    while at < len(text):
        char = text[at]
        at += 1
        if char == "\\":
            char = text[at : at + 1]
            at += 1
            if not char or char not in _PLAIN:
                raise Unsure
        elif char == "&" and not perl and mark != "&":
            out += "\\g<0>"
            continue
        out += char
    return out


def _apply(text: str, commands: "list[Command]") -> "str | None":
    lines = text.split("\n")
    if any([len(line) > LINE for line in lines]):
        return None
    ended = lines[-1] == ""
    kept: list[str] = []
    for number, line in enumerate(lines[:-1] if ended else lines, 1):
        made: str | None = line
        for which, sought, replacement, everywhere in commands:
            if which is not None and not (which == number if isinstance(which, int) else which.search(made)):
                continue
            if sought is None:
                made = None
                break
            made = sought.sub(replacement, made, count=0 if everywhere else 1)
        if made is not None:
            kept.append(made)
    return "\n".join(kept) + ("\n" if ended and kept else "")
