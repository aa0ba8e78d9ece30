"""jq: a filter that sets or deletes keys by their names, as a change of the document that it reads.

`.scripts.test = "x" | del(.private)`: each part between bars names a key and what becomes of it. Everything else in
the document stays. A filter of any other kind, a key that is computed, or options that change more than the layout
leave the result unknown.
"""

from guards.shell import contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step

LAYOUT = frozenset({"-c", "-r", "-M", "-j", "-a", "-e", "--tab", "--compact-output", "--raw-output", "--exit-status"})
TWO = ("--arg", "--argjson")  # options with two values
SETS = ("|=", "+=", "-=", "*=", "//=", "=")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_OPEN, _CLOSE = "([{", ")]}"


def put(walk: "Walk", step: "Step", target: str) -> "Change | None":
    """What `jq FILTER FILE > OTHER` leaves in the other file."""
    found = _words(step)
    edits = edited(found[0]) if found is not None else None
    if found is None or edits is None or not contents.steady(walk) or walk.full(step, found[1]) == target:
        return None
    read = contents.copied(walk, step, found[1])
    change = contents.changed(edits)
    if read is None or change is None:
        return None
    know, edit = read, change

    def after(_: str) -> "str | None":
        text = know("")
        return None if text is None else edit(text)

    return after


def _words(step: "Step") -> "tuple[str, str] | None":
    """The filter and the one file it reads."""
    operands: list[str] = []
    words = [word.text for word in step.argv[1:]]
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word is None:
            return None
        if word in TWO or word == "--indent":
            at += 2 if word in TWO else 1
        elif word[:1] != "-" or word == "-":
            operands.append(word)
        elif word not in LAYOUT:
            return None
    operands += [r.target.text for r in step.redirects if r.op == "<" and r.target is not None and r.target.text]
    return (operands[0], operands[1]) if len(operands) == 2 and not step.piped else None


def edited(text: str) -> "list[tuple[list[str], bool]] | None":
    """(keys, deleted?) of every part of a filter; None where one is not plain."""
    if any(["#" in part for part in text.split('"')[::2]]):  # a comment may hold quotes and brackets
        return None
    found: list[tuple[list[str], bool]] = []
    for part in _parts(text, "|"):
        part = part.strip()
        if part == ".":
            continue
        delete = part.startswith("del(") and part.endswith(")")
        for each in _parts(part[4:-1], ",") if delete else [part]:
            names, end = _path(each.strip())
            rest = each.strip()[end:].lstrip()
            if not names or (rest if delete else not _sets(rest)):
                return None
            found.append((names, delete))
    return found


def _sets(rest: str) -> bool:
    """Whether what stands behind a path sets it; a comma outside of brackets would make two documents."""
    sign = next((sign for sign in SETS if rest.startswith(sign)), "")
    return bool(sign) and rest[len(sign) : len(sign) + 1] != "=" and _plain(rest[len(sign) :])


def _plain(value: str) -> bool:
    """Whether a value is one: `empty`, `1, 2`, `.[]` and functions give none, or several documents."""
    if len(_parts(value, ",")) > 1 or len(_parts(value, "|")) > 1 or "[]" in value or "\\(" in value:
        return False
    at = 0
    while at < len(value):
        char = value[at]
        if char == '"':
            at = value.find('"', at + 1)
            if at < 0 or value[at - 1] == "\\":
                return False
        elif char == "(":
            return False
        elif char in _NAME and not char.isdigit():
            end = at
            while end < len(value) and value[end] in _NAME:
                end += 1
            known = value[at:end] in ("true", "false", "null") or value[at - 1 : at] in ("$", ".")
            if not known and value[end:].lstrip()[:1] != ":":
                return False
            at = end - 1
        at += 1
    return True


def _path(text: str) -> "tuple[list[str], int]":
    """`.a.b`, `."a-b".c`, `.["a"].b`, `.a[0].b`: the names up to the first index, and where the path ends."""
    names: list[str] = []
    at, inside = 0, False
    while at < len(text):
        opening = next((o for o in ('.["', '["', '."') if text.startswith(o, at)), "")
        if opening:
            start, end = at + len(opening), text.find('"', at + len(opening))
            after = end + (2 if "[" in opening else 1)
            if end < 0 or "\\" in text[start:end] or ("[" in opening and text[end + 1 : end + 2] != "]"):
                return [], at
        elif text[at] == "." and text[at + 1 : at + 2] in _NAME and text[at + 1 : at + 2]:
            start = end = at + 1
            while end < len(text) and text[end] in _NAME:
                end += 1
            after = end
        elif text[at] == "[" and names:
            start, end, after, inside = at, at, text.find("]", at) + 1, True
            if not after:
                return [], at
        else:
            break
        if not inside:
            names.append(text[start:end])
        at = after
    return names, at


def _parts(text: str, between: str) -> "list[str]":
    """The text cut at a character that stands outside of quotes and brackets; `|=` is no bar."""
    found, depth, quoted, start, at = [], 0, False, 0, 0
    while at < len(text):
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char == between and depth == 0 and text[at + 1 : at + 2] != "=":
            found.append(text[start:at])
            start = at + 1
        at += 1
    return [*found, text[start:]]
