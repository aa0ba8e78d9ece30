"""Says once, per program or tool, that a result was longer than its bound, and one practical way to ask for less.

Counted is what the model is shown, not what the payload holds: a note about characters that nobody pays for teaches
to ignore notes. It speaks about the next call; the one it fires on is paid already. In trim mode the middle is cut out
of what the model is shown, and the whole is saved beside. What it cannot measure it says nothing about.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Row = dict[str, Any]

NAME = "output-bound"
_MIMES = ("mimeType", "media_type", "mime_type")
_PICTURES = ("image/", "audio/", "video/")
_NO_ROW: "Row" = {
    "count": (), "skip": frozenset(), "quiet": False, "lines": (), "kept": (), "whole": 0, "picture": (),
    "bound": None, "trim": (),
}  # fmt: skip


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict] | None":
    row = _row(event, rules)
    if event.name == "after-tool-failure":
        size = len(event.text)
    else:
        size = shown(event.response, row, rules["pictures"])
    bound, label = _bound(event, row, rules, world)
    if size <= bound or world.off(NAME) or world.excluded(event.cwd):
        return None
    trimmed = _trimmed(event, row, size, bound, rules, world)
    note = _note(event, size, bound, label, rules, world, trimmed is not None)
    return [verdict for verdict in (note, trimmed) if verdict is not None]


def _row(event: "Event", rules: "dict[str, Any]") -> "Row":
    """What the policy says about this tool: its own row, else the one with the longest fixed part."""
    for harness in (event.harness, ""):
        if event.tool in rules["exact"].get(harness, ()):
            found: Row = rules["exact"][harness][event.tool]
            return found
    for harness, before, after, row in rules["wild"]:
        if harness in ("", event.harness) and event.tool.startswith(before) and event.tool.endswith(after):
            wild: Row = row
            return wild
    return _NO_ROW


def _bound(event: "Event", row: "Row", rules: "dict[str, Any]", world: "World") -> "tuple[int, str]":
    shell = event.kind == "shell"
    variable = "BASH_OUTPUT_MAX" if shell else "TOOL_OUTPUT_MAX"
    value = (world.plain_env(variable) or "").strip()
    if value.isascii() and value.isdecimal() and len(value) < 16 and int(value):
        return int(value), variable
    found: tuple[int, str] = rules["bash"] if shell else row["bound"] or rules["tool"]
    return found


# ---- what the model is shown
def shown(response: "Any", row: "Row", pictures: "frozenset[str]") -> int:
    """Characters of a tool's answer that reach the model."""
    if response is None or (row["quiet"] and not isinstance(response, str)):
        return 0
    size = _size(response, row, pictures)
    return 0 if 0 < row["whole"] < size else size


def _size(response: "Any", row: "Row", pictures: "frozenset[str]") -> int:
    if not isinstance(response, dict):
        return _text(response, row["skip"], pictures)
    if _at(response, row["picture"]) is True or _is_picture(response, pictures) or _at(response, row["kept"]):
        return 0
    parts = [part for part in [_at(response, path) for path in row["count"]] if part is not None]
    if not parts and isinstance(response.get("content"), list):
        parts = [response["content"]]
    if not parts:
        return _text(response, row["skip"], pictures)
    size = _text(parts, row["skip"], pictures)
    return size + _numbers(_at(response, row["lines"]), size)


def _text(value: "Any", skip: "frozenset[str]", pictures: "frozenset[str]") -> int:
    """All text in a value but for pictures and the fields in `skip`."""
    size = 0
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            size += len(item)
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict) and not _is_picture(item, pictures):
            todo.extend([inner for name, inner in item.items() if name not in skip])
    return size


def _is_picture(block: "dict[str, Any]", pictures: "frozenset[str]") -> bool:
    kind = block.get("type")
    if isinstance(kind, str) and kind in pictures:
        return True
    return any([isinstance(block.get(name), str) and block[name].startswith(_PICTURES) for name in _MIMES])


def _at(value: "Any", path: "tuple[str, ...]") -> "Any":
    """The field at a dotted path; None when there is none, or for an empty path."""
    if not path:
        return None
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _numbers(file: "Any", room: int) -> int:
    """What line numbers add: the digits and a tab before every line; a text of `room` characters has no more lines."""
    if not isinstance(file, dict):
        return 0
    start, count = file.get("startLine"), file.get("numLines")
    if not isinstance(start, int) or not isinstance(count, int) or not 0 < count <= room + 1 or start < 0:
        return 0
    last = start + count - 1
    size, digits, low = count, 1, 0
    while low <= last:
        high = 10**digits - 1
        size += digits * max(0, min(last, high) - max(start, low) + 1)
        low, digits = high + 1, digits + 1
    return size


# ---- what is said
def _note(
    event: "Event", size: int, bound: int, label: str, rules: "dict[str, Any]", world: "World", cut: bool
) -> "Verdict | None":
    kind, what, operand = "tool", event.tool, ""
    talk = world.unpack(rules["talk"])
    if event.kind == "shell":
        from guards.shell.program import first

        kind = "program"
        what, operand = first(event.command, talk["names"])
    key = f"{NAME} {event.agent} {kind} {what}"
    if world.session.marked(key):
        return None
    if kind == "tool":
        way = _way(what, talk["tools"])
    else:
        ways = talk["programs"]
        way = ways.get(f"{what} {operand}") or ways.get(what) or ways.get("*")
    name = "".join([char if char.isprintable() else " " for char in what[:60]]).strip()
    text = (
        f"{name or 'this command'} gave {size:,} characters; the bound is {bound:,} ({label})."
        + (" the middle was cut out." if cut else " this note cannot take them back, it is about the next call.")
        + f" to ask for less: {way or 'narrow the request'}. said once per {kind} and session."
    )
    return Verdict(NAME, "note", text, label, marks=(("once", key),), facts={"of": what, "characters": size})


def _way(tool: str, table: "dict[str, str]") -> "str | None":
    found = table.get(tool)
    if found is None:
        for name, say in table.items():
            if name != "*" and name.endswith("*") and tool.startswith(name[:-1]):
                return say
    return found or table.get("*")


# ---- trim mode
def _trimmed(
    event: "Event", row: "Row", size: int, bound: int, rules: "dict[str, Any]", world: "World"
) -> "Verdict | None":
    """The answer in its own shape with the middle of its longest text cut out; None where that is not possible."""
    folder = world.session.folder
    if not rules["trim"] or event.name != "after-tool" or not row["trim"] or not folder:
        return None
    texts = _places(event.response, row["trim"])
    if not texts:
        return None
    path, whole = max(texts, key=lambda found: len(found[1]))
    kept = f"{folder}/outputs/{_file(event)}.txt"
    room = max(bound - (size - len(whole)), bound // 4)
    if len(whole) <= room:
        return None
    replace = _put(event.response, path, _cut(whole, room, kept))
    return Verdict(NAME, "note", "", "mode = trim", facts={"replace": replace, "save": (kept, whole)})


def _places(response: "Any", trim: "tuple[tuple[str, ...], ...]") -> "list[tuple[tuple[Any, ...], str]]":
    """(path, text) of what may be cut: the named fields, or for () the answer itself or its text blocks."""
    found: list[tuple[tuple[Any, ...], str]] = []
    for path in trim:
        value = response if not path else _at(response, path)
        if isinstance(value, str):
            found.append((path, value))
        elif not path and isinstance(value, list):
            for index, block in enumerate(value):
                if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
                    found.append(((index, "text"), block["text"]))
    return found


def _cut(text: str, room: int, kept: str) -> str:
    """Head and tail of a text, at line ends where one is near; the middle says where the whole is."""
    half = room // 2
    head, tail = text[:half], text[len(text) - half :]
    end, start = head.rfind("\n"), tail.find("\n")
    if end > half * 3 // 4:
        head = head[: end + 1]
    if 0 <= start < half // 4:
        tail = tail[start + 1 :]
    gone = len(text) - len(head) - len(tail)
    return f"{head}\n[guards output-bound: {gone:,} characters are cut out here; the whole is in {kept}]\n{tail}"


def _put(value: "Any", path: "tuple[Any, ...]", text: str) -> "Any":
    """A copy of `value` with `text` at the path; nothing else in it changes."""
    if not path:
        return text
    copy = value.copy()
    copy[path[0]] = _put(value[path[0]], path[1:], text)
    return copy


def _file(event: "Event") -> str:
    """A file name for one call."""
    name = event.raw.get("tool_use_id")
    name = name if isinstance(name, str) and name else f"{event.tool}-{len(event.command)}"
    return "".join([char if char.isascii() and (char.isalnum() or char in "-_") else "-" for char in name])[:100]
