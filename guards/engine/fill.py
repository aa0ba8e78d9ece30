"""Which reader fills `event.effects`: the tool's path fields, a patch's text, the shell reader, or the call's shape.

A known tool whose fields are missing or of another type than the table says (the harness changed) is judged by every
path-like string in it, as an unknown tool is, and `event.odd` names the fields.
"""

from guards.engine.event import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

_READS = ("read", "search", "other", "spawn", "follow-up", "web")


def classify(event: "Event", table: "dict[str, Any]") -> "dict[str, Any]":
    """Sets event.kind, event.command and event.odd from the harness's tool table; returns the tool's row."""
    row: dict[str, Any] | None = table["tools"].get(event.tool)
    if row is None:
        for prefix, candidate in table["prefixes"]:
            if event.tool.startswith(prefix):
                row = candidate
                break
    if row is None:
        event.kind = "unknown" if event.tool else ""
        return {}
    event.kind = row["class"]
    field = row.get("command")
    if field:
        value = event.input.get(field)
        if isinstance(value, str):
            event.command = value
        elif value is not None or event.input:
            event.odd = (field,)
    if event.kind in ("write", "edit", "notebook") and event.input:
        event.odd = tuple([name for name in row.get("path", ()) if not isinstance(event.input.get(name), str)])
    return row


def attach(event: "Event", row: "dict[str, Any]", world: "World") -> None:
    """Gives the event its reader. Nothing is read until a guard asks for the effects."""
    reader: Callable[[Event], list[Effect]] | None = None
    if event.kind == "shell" and not event.odd:
        reader = _shell(world)
    elif event.kind == "patch" and not event.odd:
        reader = _patch
    elif event.kind == "unknown" or event.odd:
        reader = _shape(world)
    elif event.kind not in _READS:
        reader = _fields(row)
    event.reader = reader


def _shell(world: "World") -> "Callable[[Event], list[Effect]]":
    def read(event: "Event") -> "list[Effect]":
        if not event.command:
            return []
        from guards.shell.effects import effects

        found: list[Effect] = effects(event, world)
        return found

    return read


def _patch(event: "Event") -> "list[Effect]":
    return _read_patch(event.command)


def _read_patch(text: str) -> "list[Effect]":
    from guards.lanes.patches import read

    found: list[Effect] = read(text)
    return found


def _is_patch(value: "Any") -> bool:
    """Whether a text is a patch of the kind that names its files, whatever the tool and field are called."""
    return isinstance(value, str) and value.lstrip().startswith("*** Begin Patch")


def _shape(world: "World") -> "Callable[[Event], list[Effect]]":
    def read(event: "Event") -> "list[Effect]":
        from guards.lanes import shape

        found: list[Effect] = shape.effects(event, world)
        for value in event.input.values():
            if _is_patch(value):
                found = found + _read_patch(value)
        text = shape.command(event, world)
        if text and not _is_patch(text):
            from guards.shell.effects import effects

            event.command = text
            found = found + effects(event, world)
        return found

    return read


def _fields(row: "dict[str, Any]") -> "Callable[[Event], list[Effect]]":
    def read(event: "Event") -> "list[Effect]":
        change = _change(event.input, row)
        act = row.get("act", "write")
        return [
            Effect(event.input[name], act=act, change=change, cause=name)
            for name in row.get("path", ())
            if isinstance(event.input.get(name), str)
        ]

    return read


def _change(given: "dict[str, Any]", row: "dict[str, Any]") -> "tuple[Any, ...] | None":
    """What the call would do to the file's text, where the table says how it tells."""
    content = row.get("content")
    if content:
        value = given.get(content)
        return ("content", value) if isinstance(value, str) else None
    many = row.get("edits")
    listed: Any = given.get(many) if many else [given]
    if not row.get("old") or not isinstance(listed, list):
        return None
    edits = []
    for edit in listed:
        if not isinstance(edit, dict):
            return None
        old, new = edit.get(row["old"]), edit.get(row["new"])
        if not isinstance(old, str) or not isinstance(new, str):
            return None
        edits.append((old, new, edit.get(row.get("all", "")) is True))
    return ("edits", tuple(edits))
