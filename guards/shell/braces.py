"""{a,b} and {1..9}: brace expansion of a word as written, before anything else."""

from guards.shell.lex import Lexer
from guards.shell.syntax import Lost

WORDS = 1000  # words one word may become


def expand(text: str) -> "list[str]":
    """The words in order; the word itself when it holds no brace expression."""
    done: list[str] = []
    todo = [("", text)]
    while todo:
        before, rest = todo.pop()
        found = first(rest)
        if found is None:
            done.append(before + rest)
        else:
            start, end, choices = found
            # what is chosen may hold further expressions: they are looked for with the rest
            todo.extend([(before + rest[:start], choice + rest[end:]) for choice in reversed(choices)])
        if len(done) + len(todo) > WORDS:
            raise Lost("braces give too many words")
    return [word for word in done if word or text == ""] or [""]


def first(text: str) -> "tuple[int, int, list[str]] | None":
    """The first brace expression: where it starts and ends, and what it chooses from."""
    lexer = Lexer(text)
    i, n = 0, len(text)
    tries = 0
    while i < n:
        c = text[i]
        if c == "{":
            found = parse(lexer, i)
            if found is not None:
                return i, found[0], found[1]
            i += 1
            tries += n - i
            if tries > 1_000_000:
                raise Lost("braces that are not closed")
        else:
            i = lexer._step(i, 0, quoted=False) or i + 1
    return None


def parse(lexer: Lexer, i: int) -> "tuple[int, list[str]] | None":
    """A brace at `i`: the index behind its end and the choices, or None when it is no expression."""
    s, n = lexer.s, len(lexer.s)
    level, start = 0, i + 1
    parts: list[str] = []
    j = i + 1
    while j < n:
        c = s[j]
        if c == "{":
            level += 1
            j += 1
        elif c == "}":
            if level == 0:
                parts.append(s[start:j])
                if len(parts) > 1:
                    return j + 1, parts
                row = sequence(parts[0])
                return (j + 1, row) if row is not None else None
            level -= 1
            j += 1
        elif c == "," and level == 0:
            parts.append(s[start:j])
            j += 1
            start = j
        else:
            j = lexer._step(j, 0, quoted=False) or j + 1
    return None


def integer(text: str) -> "int | None":
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def sequence(text: str) -> "list[str] | None":
    """1..9, a..e, 01..10, 1..9..2"""
    ends = text.split("..")
    if len(ends) not in (2, 3):
        return None
    jump = integer(ends[2]) if len(ends) == 3 else 1
    low, high = integer(ends[0]), integer(ends[1])
    if jump is None:
        return None
    jump = abs(jump) or 1
    if low is None or high is None:
        if not (len(ends[0]) == len(ends[1]) == 1 and ends[0].isalpha() and ends[1].isalpha()):
            return None
        if ends[0].islower() is not ends[1].islower():
            raise Lost("braces run from one case to the other")
        return [chr(code) for code in row(ord(ends[0]), ord(ends[1]), jump)]
    bare = [end.lstrip("+-") for end in ends[:2]]
    width = max([len(end) for end in ends[:2]]) if any(b[0] == "0" and len(b) > 1 for b in bare) else 0
    return [("-" if k < 0 else "") + str(abs(k)).rjust(width - (k < 0), "0") for k in row(low, high, jump)]


def row(low: int, high: int, jump: int) -> range:
    if abs(high - low) // jump > WORDS:
        raise Lost("braces give too many words")
    return range(low, high + 1, jump) if low <= high else range(low, high - 1, -jump)
