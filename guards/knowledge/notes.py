"""The notes that every session and every subagent must read, and the brief of a repository's entries.

The machine's own notes first, then the repository's as committed at HEAD, which the lint looks at. Whole where it fits
the harness's cap and the budget; else a file and a pointer with the read calls that return the whole of it.
"""

from guards.engine.event import Verdict
from guards.knowledge import budget, pointing, switched
from guards.knowledge.budget import Purse
from guards.knowledge.lint import finding
from guards.knowledge.report import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.knowledge.store import Store

    Rules = dict[str, Any]

NAME = "context"
GLOBALS = "context-globals"
FILE_MAX = 1 << 20
UNSET = "(no context folder of repositories is set: dir in ~/.config/guards/policy/context.toml)"


def every(event: "Event", rules: "Rules", world: "World", store: "Store | None", purse: Purse) -> "Verdict | None":
    """The notes for this agent, once a stretch as long as they stay the same."""
    if switched.off(world, "inject:global"):
        return None
    parts = _machine(world) + _committed(store, rules) + _always(store, rules, world)
    if not parts:
        return None
    whole = "\n\n".join([text for _, text in parts])
    if not rules["dir"] and len(whole) + len(UNSET) + 2 <= rules["note_max"]:
        whole += "\n\n" + UNSET
    key = purse.key(event.agent, "global", budget.mark(whole))
    if world.session.marked(key):
        return None
    path = pointing.place(world, f"global-{purse.stretch}--{event.agent or 'root'}")
    what = f"the notes of this machine ({', '.join([name for name, _ in parts])})"
    return tell(whole, what, path, rules, purse, {"notes": len(parts)}, ("once", key), seen(event, purse))


def seen(event: "Event", purse: Purse) -> "tuple[Any, ...]":
    """That this agent was told in this stretch, whatever the notes said then."""
    return ("add", GLOBALS, purse.key(event.agent, "global"))


def tell(
    whole: str,
    what: str,
    path: str,
    rules: "Rules",
    purse: Purse,
    facts: "dict[str, Any]",
    *marks: "tuple[Any, ...]",
) -> Verdict:
    """A text whole, or its pointer where it is over the cap or the budget has no room for it."""
    rule = f"policy/{NAME}.toml"
    if not path:
        return Verdict(NAME, "note", whole, rule, marks=marks, facts=facts)
    short = pointing.pointer(path, whole, what)
    if len(whole) > rules["note_max"] or purse.tokens(whole) > purse.left():
        given = {**facts, "tokens": purse.tokens(short), "save": (path, whole)}
        return Verdict(NAME, "note", short, rule, marks=marks, facts=given)
    given = {**facts, "tokens": purse.tokens(whole), "else": (short, (path, whole))}
    return Verdict(NAME, "note", whole, rule, marks=(*marks, purse.pay(whole)), facts=given)


def _machine(world: "World") -> "list[tuple[str, str]]":
    """(file, text) of the owner's own notes."""
    folder = world.places["machine"].rpartition("/")[0] + "/context/global"
    found = []
    for name in sorted(world.listdir(folder) or []):
        data = world.read(f"{folder}/{name}", FILE_MAX) if name.endswith(".md") and name[0] != "." else None
        text = (data or b"").decode("utf-8", "replace").strip()
        if text:
            found.append((f"{folder}/{name}", text))
    return found


def _committed(store: "Store | None", rules: "Rules") -> "list[tuple[str, str]]":
    found = []
    for row in store.of("global") if store is not None else ():
        text = store.text(row) if store is not None else ""
        bad = finding(text, rules["lint"])
        if bad:
            text = (
                f"the note {plain(row['file'])} is withheld: it talks to the agent (policy/context.toml: lint {bad!r})."
            )
        if text:
            found.append((plain(row["file"]), text))
    return found


def _always(store: "Store | None", rules: "Rules", world: "World") -> "list[tuple[str, str]]":
    """Accepted entries that reach everybody, whatever is edited."""
    rows = [row for row in store.of("entry") if row["always"]] if store is not None else []
    if store is None or not rows:
        return []
    from guards.knowledge.accepted import Accepted
    from guards.knowledge.editing import shown

    accepted = Accepted(store.root, world)
    return [
        (plain(row["file"]), shown(store, row, "reaches everybody", rules)) for row in rows if accepted.holds(row["id"])
    ]


def brief(
    event: "Event", rules: "Rules", world: "World", store: "Store | None", purse: Purse, most: int
) -> "Verdict | None":
    """The entries there are, by id and title; shorter after a compaction or a resume, with the ids told before."""
    if switched.off(world, "inject:edit"):
        return None
    again = event.source in ("compact", "resume")
    before = purse.ids(event.agent, purse.stretch - (event.source == "compact")) if again else []
    rows = _accepted(store, world)
    if not rows and not before:
        return None
    room = min(most, (rules["brief_again"] if again else rules["brief"]) * rules["per"])
    lines = _lines(rows, before, rules, room)
    text = "\n".join(lines)
    if len(text) > room:
        return None
    key = purse.key(event.agent, "brief", event.source if again else "", budget.mark(text))
    if world.session.marked(key):
        return None
    facts = {"entries": len(rows), "tokens": purse.tokens(text)}
    return Verdict(NAME, "note", text, f"policy/{NAME}.toml", marks=(("once", key), purse.pay(text)), facts=facts)


def _accepted(store: "Store | None", world: "World") -> "list[dict[str, Any]]":
    from guards.knowledge.accepted import Accepted

    rows = store.of("entry") if store is not None else []
    if store is None or not rows:
        return []
    accepted = Accepted(store.root, world)
    return [row for row in rows if accepted.holds(row["id"])]


def _lines(rows: "list[dict[str, Any]]", before: "list[str]", rules: "Rules", room: int) -> "list[str]":
    lines = []
    if before:
        lines.append(f"entries told in this session before: {', '.join(before)}.")
    if rows:
        lines.append(
            f"{len(rows)} reviewed entries govern files of this repository; each is told when such a file is edited,"
            " and guards context ID prints one now:"
        )
    size = sum([len(line) + 1 for line in lines])
    for i, row in enumerate(rows):
        line = f"- {row['id']}: {title(row, rules)}"
        if size + len(line) > room - 40:
            return [*lines, f"- and {len(rows) - i} more (guards context)"]
        size += len(line) + 1
        lines.append(line)
    return lines


def title(row: "dict[str, Any]", rules: "Rules") -> str:
    """A row's title, unless the lint withholds it."""
    text = plain(row["title"])[:120]
    bad = finding(row["title"], rules["lint"])
    return f"(title withheld: lint {bad!r})" if bad else text or "(no title)"
