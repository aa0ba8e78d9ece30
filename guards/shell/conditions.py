"""`[ … ]`, `[[ … ]]` and `test` over words that are static: their status, from the words or from the disk.

Anything else has a status that is not known. What a word holds of substitutions runs in any case.
"""

from guards.shell import arith, expand, fresh, split
from guards.shell.steps import Word
from guards.shell.syntax import Lost, Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step

SAME = ("=", "==", "!=")
SUMS = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}
LONGEST = 400  # characters of a condition that is looked at


def status(m: "Any", text: str, double: bool) -> "bool | None":
    """The status of the text between the brackets. Its substitutions are read here."""
    from guards.shell.compounds import live

    raws = cut(text)
    if raws is None or not 1 <= len(raws) <= 4:
        live(m, text)
        return None
    negated = raws[0] == "!" and len(raws) > 1
    operands = raws[1:] if negated else raws
    words: list[Word] = []
    for raw in operands:
        words.extend([expand.one(m, raw)] if double else expand.words(m, raw))
    found = decided(m, words, operands, double)
    return found if found is None else found is not negated


def of_step(m: "Any", step: "Step", argv: "list[Word]") -> "bool | None":
    """The status of `test`, of `[` as an ordinary command, and of programs that make or remove something."""
    if argv[0].text in ("mkdir", "rm"):
        from guards.shell import making

        return making.status(m, step)
    if argv[0].text == "[" and argv[-1].text != "]":
        return None
    return of_words(m, argv[1:-1] if argv[0].text == "[" else argv[1:])


def of_words(m: "Any", words: "list[Word]") -> "bool | None":
    """The status of `test` with these words, which are expanded already."""
    negated = len(words) > 1 and words[0].text == "!"
    operands = words[1:] if negated else words
    if not 1 <= len(operands) <= 3 or any(word.many for word in operands):
        return None
    found = decided(m, operands, [word.raw for word in operands], False)
    return found if found is None else found is not negated


def cut(text: str) -> "list[str] | None":
    """The words, where the text holds nothing but words and comparisons."""
    if len(text) > LONGEST or "(" in text.replace("$(", "") or "<" in text or ">" in text:
        return None
    try:
        return split.words(text)
    except (Lost, Unclosed):
        return None


def decided(m: "Any", words: "list[Word]", raws: "list[str]", double: bool) -> "bool | None":
    texts = [word.text for word in words]
    if None in texts or any(word.glob or fresh.marked(word.text) for word in words):
        return None
    if len(texts) == 1:
        return texts[0] != "" if texts[0] != "!" else None
    if len(texts) == 2 and texts[0] in ("-z", "-n"):
        return (texts[1] == "") is (texts[0] == "-z")
    if len(texts) == 2 and texts[0] and texts[0][0] == "-":
        from guards.shell import filetests

        return filetests.answer(m, texts[0], texts[1] or "")
    if len(texts) != 3 or len(raws) != 3:
        return None
    left, op, right = texts
    if op in SAME:
        if double and any(c in raws[2] for c in "*?[\\"):
            return None
        return (left == right) is (op != "!=")
    if op in SUMS and plain(left) and plain(right):
        return bool(arith.apply(SUMS[op], int(left or "0"), int(right or "0")))
    return None


def plain(text: "str | None") -> bool:
    return text is not None and text.isascii() and text.lstrip("-").isdigit() and len(text) < 18
