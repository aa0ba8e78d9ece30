"""What an owner names in the environment for a skill's entries: SKILL_CONTEXT_INDEX, a JSON index in place of what the
repository has committed, and SKILL_CONTEXT_MAP, a JSON table of skills in place of their front matter.

They are for runs that compare what skills are told. What an index holds was accepted by whoever started the harness, so
a variable counts only where the harness itself was started with it, and a file only where nobody else could have
written it; the lint looks at its texts all the same. `Broken` says why a file cannot be used: then nothing is told, and
what it stands in for does not step back into its place.
"""

from guards.knowledge.accepted import read
from guards.knowledge.entries import known, texts
from guards.knowledge.store import ANSWER_MAX, Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World

INDEX, MAP = "SKILL_CONTEXT_INDEX", "SKILL_CONTEXT_MAP"
_TAGGED = ("why", "applies", "evidence", "location")


class Index:
    """The entries of an index file that a skill wants, as rows like a store's. faults: what could not be used."""

    __slots__ = ("_texts", "faults", "head", "root", "rows")
    named = True  # its owner accepted it by naming it

    def __init__(self, path: str, found: "list[Any]", wanted: "list[str]") -> None:
        self.root, self.head = path, ""
        self.rows: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self._texts: dict[str, str] = {}
        for number, entry in enumerate(found):
            name = known(entry.get("id")) if isinstance(entry, dict) else ""
            if not name:
                self.faults.append(f"entries[{number}] of {path} has no id that can be used")
            elif name not in self._texts and chosen(name, wanted):
                self._add(name, entry)
        self.rows.sort(key=_id)

    def _add(self, name: str, entry: "dict[str, Any]") -> None:
        from guards.knowledge.budget import mark

        text = rendered(entry.get("content"))
        if not text:
            self.faults.append(f"{name} of {self.root} has no statement, or content of another form")
            return
        held = entry.get("enforcement")
        title = f"enforcement {held}" if isinstance(held, str) and held else "no enforcement"
        self._texts[name] = text
        row = {"id": name, "title": title, "file": self.root, "blob": mark(title + text), "kind": "entry"}
        self.rows.append(row)

    def of(self, kind: str) -> "list[dict[str, Any]]":
        return self.rows if kind == "entry" else []

    def text(self, row: "dict[str, Any]") -> str:
        return self._texts[row["id"]]


def _id(row: "dict[str, Any]") -> str:
    return str(row["id"])


def chosen(name: str, wanted: "list[str]") -> bool:
    """Whether ids and `PREFIX*` name an entry."""
    return any([name.startswith(one[:-1]) if one.endswith("*") else name == one for one in wanted])


def rendered(content: "Any") -> str:
    """An entry's content as text; "" when it is not of the form that it must have."""
    if not isinstance(content, dict) or not isinstance(content.get("statement"), str):
        return ""
    lists = [content.get(key) or [] for key in ("bullets", "notes", "examples")]
    if not all([isinstance(value, list) for value in lists]):
        return ""
    lines = [content["statement"].strip()]
    for key in _TAGGED:
        value = content.get(key) or ""
        if not isinstance(value, str):
            return ""
        lines += [f"* {key.capitalize()}: {value}"] if value else []
    bullets, notes, examples = lists
    if not all([isinstance(value, str) for value in bullets + notes]) or not all([_example(one) for one in examples]):
        return ""
    lines += [f"* {bullet}" for bullet in bullets] + (["", *notes] if notes else [])
    for one in examples:
        lines += ["", f"```{one.get('lang') or ''}", one["code"].strip("\n"), "```"]
    return "\n".join(lines) if lines[0] else ""


def _example(one: "Any") -> bool:
    return isinstance(one, dict) and isinstance(one.get("code"), str) and isinstance(one.get("lang") or "", str)


def index(wanted: "list[str]", world: "World") -> "Index | None":
    """The index that stands in for the repository's store; None when none is named. Raises Broken."""
    path = world.env(INDEX)
    if not path:
        return None
    found = _document(INDEX, path, world).get("entries")
    if not isinstance(found, list):
        raise Broken(f"{INDEX}: {path} has no list of entries")
    return Index(path, found, wanted)


def declared(skill: str, world: "World") -> "list[str] | None":
    """What the table says that a skill declares; None when no table is named. Raises Broken."""
    path = world.env(MAP)
    if not path:
        return None
    found = _document(MAP, path, world).get(skill, [])
    if not isinstance(found, (str, list)) or not all([isinstance(one, str) for one in found]):
        raise Broken(f"{MAP}: {path} has no list of ids for {skill}")
    return texts(found)


def files(world: "World") -> "list[str]":
    """The real paths of both files, as far as they are named."""
    named = [world.env(name) or "" for name in (INDEX, MAP)]
    return [real for path in named if path.startswith("/") and (real := world.real(path))]


def _document(name: str, path: str, world: "World") -> "dict[str, Any]":
    if not path.startswith("/"):
        raise Broken(f"{name}={path[:80]} is no absolute path")
    data, trouble = read(path, ANSWER_MAX)
    if data is None:
        raise Broken(f"{name}: {trouble or f'{path} is not there'}")
    found = world.parse(data)
    if not isinstance(found, dict):
        raise Broken(f"{name}: {path} is no JSON object")
    return found
