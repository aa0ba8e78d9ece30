"""What one git call says of a folder at a commit → its files → entries with their front matter.

The call is `diff-tree` from the empty tree: names, blob ids and whole texts in one answer, and no filter, hook or
attribute of the repository is asked. What does not read as that is an error, never a guess.
"""

from guards.knowledge.store import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID_MAX = 64
_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def files(answer: bytes) -> "list[tuple[str, str, str]]":
    """(path, blob id, text) of every regular file in the answer."""
    found: list[tuple[str, str, str]] = []
    lines = answer.decode("utf-8", "replace").split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if not line.startswith("diff --git "):
            if line:
                raise Broken(f"git said {line[:120]!r}")
            continue
        path, blob, regular = "", "", False
        while i < len(lines) and lines[i] and not lines[i].startswith(("diff --git ", "@@ ")):
            word, _, value = lines[i].partition(" ")
            if lines[i].startswith("new file mode 100"):
                regular = True
            elif word == "index":
                blob = value.partition("..")[2][:64]
            elif word == "+++" and value.startswith("b/"):
                path = value[2:].rstrip("\t")
            i += 1
        text, i = _hunk(lines, i)
        if regular and path and blob:
            found.append((path, blob, text))
    return found


def _hunk(lines: "list[str]", i: int) -> "tuple[str, int]":
    """The text of the one hunk that a new file has, and where it ends."""
    if i >= len(lines) or not lines[i].startswith("@@ "):
        return "", i
    added = lines[i].split(" ")[2].partition(",")[2]
    count = int(added) if added.isdecimal() else 1
    body = lines[i + 1 : i + 1 + count]
    i += 1 + count
    if len(body) != count or any([line[:1] != "+" for line in body]):
        raise Broken("git's answer is cut")
    if i < len(lines) and lines[i].startswith("\\"):
        i += 1
    return "\n".join([line[1:] for line in body]), i


def head(text: str) -> "tuple[dict[str, Any], str]":
    """(front matter, body): scalars, `[a, b]` and dashed lists; ({}, text) where there is none."""
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return {}, text
    found: dict[str, Any] = {}
    key = ""
    for i, line in enumerate(lines[1:], 1):
        bare = line.strip()
        if bare in ("---", "..."):
            return found, "\n".join(lines[i + 1 :]).strip()
        if bare.startswith("- ") and key and isinstance(found[key], list):
            found[key].append(_plain(bare[2:]))
        elif line[:1] not in (" ", "\t", "#", "") and ":" in bare:
            key, _, value = bare.partition(":")
            key = key.strip().lower()
            found[key] = _value(value.strip())
    return {}, text  # never closed


def _value(text: str) -> "Any":
    if not text:
        return []
    if text.startswith("[") and text.endswith("]"):
        return [_plain(part) for part in _split(text[1:-1]) if part.strip()]
    return _plain(text)


def _split(text: str) -> "list[str]":
    """At commas that stand in no braces and no quotes."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        depth += (char == "{") - (char == "}")
        if char == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _plain(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text.partition(" #")[0].strip()


def texts(value: "Any") -> "list[str]":
    """A list, or the comma-separated words of a scalar."""
    listed = value if isinstance(value, list) else _split(value) if isinstance(value, str) else []
    return [part.strip() for part in listed if part.strip()]


def known(name: "Any") -> str:
    """An id that can be shown and searched for; "" for anything else."""
    if not isinstance(name, str) or not 0 < len(name) <= ID_MAX or not name[0].isalnum():
        return ""
    return name if _ID.issuperset(name) else ""
