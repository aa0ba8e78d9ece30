"""Lists that a Python program makes of a text or of another list: the words of a command, members in their order."""

from guards.shell.pysets import sure
from guards.shell.pyshapes import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.pyshapes import Row


def split(text: "str | None") -> "list[Shape]":
    """shlex.split of a text that is known: blanks part words, quotes keep them together."""
    words: list[str] = []
    open_, quote, at = False, "", 0
    while text is not None and at < len(text):
        letter = text[at]
        at += 1
        if not quote and letter.isspace():
            open_ = False
            continue
        if not open_:
            words.append("")
            open_ = True
        if letter == "\\" and quote != "'" and at < len(text):
            words[-1] += text[at]
            at += 1
        elif letter == quote or (not quote and letter in "\"'"):
            quote = "" if quote else letter
        else:
            words[-1] += letter
    return [] if text is None or quote else [Shape([(None, sure(word), []) for word in words])]


def ordered(shape: Shape) -> "list[Shape]":
    """Members whose texts are sure, in the order of these."""
    rows = shape.members()
    order = [_spelled(row) for row in rows]
    if None in order:
        return []
    return [Shape([rows[at] for at in sorted(range(len(rows)), key=lambda at: order[at] or [])])]


def _spelled(row: "Row") -> "list[str] | None":
    each = [inner[1] for inner in row[2][0].rows] if len(row[2]) == 1 else [row[1]]
    found = [value[0][0] for value in each if value and len(value) == 1 and value[0][1]]
    return found if len(found) == len(each) else None
