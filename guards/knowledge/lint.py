"""Whether a text talks to the agent: role markers, demands, commands to run, characters that hide. Patterns are data.

A phrase is looked for in the text as a reader would take it: compatibility forms folded, small letters, marks of
Markdown gone, runs of blanks one blank, line ends a blank. `*` in a phrase stands for anything on the same line.
Reading is best effort: the lint withholds what is plain, acceptance by the owner is what decides.
"""

import marshal

from guards.knowledge.report import hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MARKS = str.maketrans(dict.fromkeys("*_`#~", " "))


def finding(text: str, rules: "bytes | tuple[dict[str, Any], ...]") -> str:
    """The id of the first pattern that a text matches, "" when none does."""
    if hidden(text):
        return "hidden"
    known: tuple[dict[str, Any], ...] = marshal.loads(rules) if isinstance(rules, bytes) else rules
    lines = [_line(line) for line in _folded(text).split("\n")]
    whole = " ".join(" ".join(lines).split())
    for rule in known:
        if any([line.lstrip().startswith(rule["starts"]) for line in lines]):
            return str(rule["id"])
        if any([_says(whole, phrase) if "*" not in phrase else _spread(phrase, lines) for phrase in rule["says"]]):
            return str(rule["id"])
    return ""


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    import unicodedata

    return unicodedata.normalize("NFKC", text).casefold()


def _line(text: str) -> str:
    """One line without Markdown's marks; the pipe stays, since commands are written with it."""
    text = text.strip()
    while text[:1] in (">", "-", "+"):
        text = text[1:].lstrip()
    return " ".join(text.translate(_MARKS).replace("|", " | ").split())


def _says(whole: str, phrase: str) -> bool:
    """A phrase as words of its own, wherever it stands."""
    at = whole.find(phrase)
    while at >= 0:
        before, after = whole[at - 1 : at], whole[at + len(phrase) :][:1]
        if not (before.isalnum() and phrase[0].isalnum()) and not (after.isalnum() and phrase[-1].isalnum()):
            return True
        at = whole.find(phrase, at + 1)
    return False


def _spread(phrase: str, lines: "list[str]") -> bool:
    """A phrase on one line, its pieces in order."""
    pieces = phrase.split("*")
    for line in lines:
        at = 0
        padded = f" {line} "
        for piece in pieces:
            at = padded.find(piece, at)
            if at < 0:
                break
            at += len(piece)
        else:
            return True
    return False
