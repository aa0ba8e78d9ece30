"""One line of the approval file: an extended regular expression for a whole path, and plain text where it is that.

The package `regex` reads them, and knows more than extended regular expressions do; what would mean something else
there (fuzzy counts, inline flags) or could not be bounded is a fault of the line.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINE_MAX = 4096  # characters of one line: a path is no longer
REPEAT_MAX = 10000  # all counts of a line multiplied: building the pattern takes that much memory
_META = ".[]()*+?{}|^$\\"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_BACK = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def literal(text: str) -> str | None:
    """The path that `^literal$` names; None for any line that could match more than one."""
    if len(text) < 2 or text[0] != "^" or text[-1] != "$":
        return None
    out = ""
    escaped = False
    for char in text[1:-1]:
        if escaped:
            escaped = False
            if char in _ESCAPES:
                char = _ESCAPES[char]
            elif char.isalnum() or char == "_":
                return None  # \d, \w, \1 and the like
            out += char
        elif char == "\\":
            escaped = True
        elif char in _META and char not in "]}":
            return None
        else:
            out += char
    return None if escaped else out


def line_for(path: str) -> str:
    """The line that frees exactly this path; "" where no line of text can name it."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return ""
    out = ""
    for char in path:
        if char in _BACK:
            out += _BACK[char]
        elif not char.isprintable() and char not in "\u00a0\u202f":
            return ""
        else:
            out += "\\" + char if char in _META else char
    return f"^{out}$"


def composed(text: str) -> str:
    """NFC: an owner cannot see which of two spellings of `é` a line holds."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


def unfit(text: str) -> str:
    """What would mean something else in `regex` than in an extended regular expression, or cannot be bounded."""
    if len(text) > LINE_MAX:
        return f"is longer than {LINE_MAX} characters"
    repeats = 1
    i = 0
    while i < len(text):
        char = text[i]
        if char == "\\":
            i += 1
        elif char == "[":
            i = past_bracket(text, i)
        elif char == "(" and text[i + 1 : i + 2] == "?" and text[i + 2 : i + 3] != ":":
            return "has a (? which extended regular expressions do not know"
        elif char == "{":
            count = _count(text[i + 1 :])
            if not count:
                return "has a { that is no repeat count; write \\{"
            repeats *= count
        if repeats > REPEAT_MAX:
            return "repeats too often"
        i += 1
    return ""


def _count(text: str) -> int:
    """The larger number of `n}`, `n,}` or `n,m}`, at least 1; 0 for anything else."""
    inside, mark, _ = text.partition("}")
    numbers = inside.split(",")
    if not mark or len(numbers) > 2 or not all([n.isdecimal() and n.isascii() for n in numbers if n]):
        return 0
    if not numbers[0] or len(inside) > 20:
        return 0
    return max([1, *[int(n) for n in numbers if n]])


def past_bracket(text: str, start: int) -> int:
    """The index of the bracket's own `]`, or the end."""
    i = start + 1
    if text[i : i + 1] == "^":
        i += 1
    i += 1  # a first `]` is a member
    while i < len(text) and text[i] != "]":
        if text[i : i + 2] in ("[:", "[.", "[="):
            end = text.find(text[i + 1] + "]", i + 2)
            i = end + 1 if end > 0 else i
        i += 1
    return i


def built(text: str) -> "tuple[Any, str]":
    """(the compiled pattern, "") or (None, what is wrong with the line)."""
    from guards.engine import packages

    packages.use()
    try:
        import regex
    except ImportError:
        return None, "cannot be tried: the package regex is missing (make install in the checkout)"
    try:
        return regex.compile(composed(text), regex.VERSION0), ""
    except (regex.error, ValueError, OverflowError, RecursionError, KeyError, IndexError) as fault:
        return None, f"does not parse ({fault})"
