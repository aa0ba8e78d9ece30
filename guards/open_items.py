"""What is still open is told around a compaction: to the owner before it, to the model at the session's start after it.

A harness shows the model nothing that a hook says before a compaction, so the same words are said again when the
session starts anew from the summary. Items are lines of the repository's own lists; nothing is remembered, nothing
is judged. Off until an owner switches it on. Where there is no list and no branch to name, silence.
"""

from guards.engine.event import Verdict
from guards.knowledge.report import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "open-items"
FILE_MAX = 1 << 18  # bytes of a list that are read
ITEM_MAX = 120  # characters of an item that are told


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    if (event.name == "session-start" and event.source != "compact") or world.off(NAME):
        return None
    root = _root(event.project or event.cwd, world)
    if not root or world.excluded(root):
        return None
    branch = _branch(root, world) if rules["branch"] else ""
    items = [item for name in rules["files"] for item in _items(root, name, rules["marks"], world)]
    if not items and not branch:
        return None
    lines = [
        f"still open in {plain(root.rpartition('/')[2])}" + (f", on branch {plain(branch)}" if branch else "") + ":"
    ]
    lines += items[: rules["most"]] or ["  nothing on its lists"]
    if len(items) > rules["most"]:
        lines.append(f"  … and {len(items) - rules['most']} more")
    return Verdict(NAME, "note", "\n".join(lines), "open items", root, facts={"items": len(items)})


def _root(folder: str, world: "World") -> str:
    while folder.startswith("/") and folder != "/":
        if world.lstat(folder + "/.git") is not None:
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def _items(root: str, name: str, marks: "tuple[str, ...]", world: "World") -> "list[str]":
    """`TODO.md:12  text` of every open line; a list that is a link out of the repository is not read."""
    real = world.real(f"{root}/{name}") or ""
    if not real.startswith((world.real(root) or root) + "/"):
        return []
    data = world.read(real, FILE_MAX)
    if data is None or len(data) > FILE_MAX:
        return []
    found = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        text = line.strip()
        for mark in marks:
            if text.startswith(mark) and text != mark:
                words = plain(text[len(mark) :])
                found.append(f"  {name}:{number}  {words if len(words) <= ITEM_MAX else words[: ITEM_MAX - 1] + '…'}")
                break
    return found


def _branch(root: str, world: "World") -> str:
    """The branch by name, without asking git; "" when none is checked out."""
    folder = root + "/.git"
    pointer = world.read(folder, 4096)
    if pointer is not None and pointer.startswith(b"gitdir:"):
        place = pointer[7:].decode("utf-8", "surrogateescape").strip()
        folder = place if place.startswith("/") else f"{root}/{place}"
    head = (world.read(folder + "/HEAD", 4096) or b"").decode("utf-8", "replace").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
