"""policy/harness/<name>.toml: how one harness calls its tools and events, as far as the adapters need it."""

from typing import TYPE_CHECKING, Any

from guards.compile.fields import Table, rows, text, texts
from guards.engine.event import DELETE, MODES, WRITE

if TYPE_CHECKING:
    from guards.compile.context import Context

HARNESSES = ("claude", "codex", "gemini", "cursor", "copilot")  # as the wired command names them
# what a tool does, in the words of guards/engine/event.py
KINDS = (
    "write", "edit", "notebook", "patch", "shell", "read", "search", "spawn", "follow-up", "web", "other", "unknown",
)  # fmt: skip


def _name(name: str) -> str:
    return f"{name!r}: a star stands only at the end" if "*" in name[:-1] else ""


def _version(text_: str) -> str:
    good = all(part.isdigit() for part in text_.split("."))
    return "" if good or not text_ else f'{text_!r} is no version, as in "2.1.0"'


TOOL = Table(
    {
        "name": text(required=True, check=_name, doc="as the harness spells it; a prefix ends in *"),
        "class": text(choices=KINDS, required=True, doc="what it does"),
        "act": text(choices=(WRITE, DELETE, "read"), default=WRITE, doc="what happens to its paths"),
        "path": texts(doc="input fields that hold a path"),
        "command": text(doc="input field that holds a shell command or a patch"),
        "prompt": text(doc="input field that holds the prompt of an agent"),
        "content": text(doc="input field that holds the whole new text of the file"),
        "old": text(doc="input field that holds the text to be replaced"),
        "new": text(doc="input field that holds the text that replaces it"),
        "all": text(doc="input field that says whether every place is replaced"),
        "edits": text(doc="input field that holds a list of such replacements"),
    }
)
EVENT = Table(
    {
        "wire": text(required=True, doc="the harness's own name of the event"),
        "name": text(choices=tuple(MODES), required=True, doc="the neutral name"),
        "since": text(check=_version, doc="first version of the harness that knows it"),
        "match": text(doc="the matcher to be wired, where the harness takes one"),
    }
)
OUTPUT = Table(
    {
        "tool": text(required=True, check=_name, doc="tool name, or a prefix ending in *"),
        "skip": texts(doc="fields of the answer that are never shortened"),
        "text": texts(doc="fields of the answer that hold its text"),
    }
)
POLICY = Table(
    {
        "tool": rows(TOOL, key="name"),
        "event": rows(EVENT, key="wire"),
        "output": rows(OUTPUT, key="tool"),
    },
    repository=False,
)


def table(policy: dict[str, Any], ctx: "Context") -> dict[str, Any]:
    """{"tools": {name: row}, "prefixes": [(prefix, row), ...] longest first, "events": {wire: row}, "output": …}."""
    named: dict[str, Any] = {}
    prefixes: list[tuple[str, dict[str, Any]]] = []
    for row in policy["tool"]:
        plain = _plain(row)
        if row["name"].endswith("*"):
            prefixes.append((row["name"][:-1], plain))
        else:
            named[row["name"]] = plain
    prefixes.sort(key=lambda pair: -len(pair[0]))
    return {
        "tools": named,
        "prefixes": prefixes,
        "events": {row["wire"]: _plain(row) for row in policy["event"]},
        "output": {row["tool"]: _plain(row) for row in policy["output"]},
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """What the row says, without what it leaves open and without where it came from."""
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in row.items()
        if not key.startswith("_") and value not in ("", [], None)
    }
