"""The entries that govern the files of a call, told before the edit: once a stretch, and again when their text changed.

Only what is committed at HEAD, of status accepted and in the owner's acceptance file. What one edit's share of the
budget cannot hold is named by id; what the lint flags is named with its text withheld.
"""

from guards.engine.event import DELETE, EXACT, WRITE, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.knowledge.budget import Purse
    from guards.knowledge.named import Index
    from guards.knowledge.store import Store

    Rules = dict[str, Any]
    Found = tuple[Store, dict[str, Any], str]

NAME = "context"
STARTED = "context-globals"  # notes.GLOBALS: which agents were told the notes
PATHS_MAX = 200  # files of one call that are looked at


def verdicts(event: "Event", rules: "Rules", world: "World") -> "list[Verdict]":
    found = governing(event, rules, world)
    if not found:
        return []
    from guards.knowledge import switched
    from guards.knowledge.budget import Purse

    if switched.off(world, "inject:edit"):
        return []
    purse = Purse(rules, world)
    new = [one for one in found if not world.session.marked(key_of(event.agent, one[0], one[1], purse))]
    if any([row["always"] for _, row, _ in new]) and purse.key(event.agent, "global") in world.session.records(STARTED):
        new = [one for one in new if not one[1]["always"]]  # told with the notes
    return _tell(event, new, rules, world, purse) if new else []


def governing(event: "Event", rules: "Rules", world: "World") -> "list[Found]":
    """(store, row, file) of every entry that governs a file of the call, each once."""
    from guards.knowledge import store as stores

    known: dict[str, Store | None] = {}
    found: dict[tuple[str, str], Found] = {}
    for path in touched(event, world):
        root = stores.root_of(path, world)
        if not root:
            continue
        if root not in known:
            known[root] = stores.load(root, rules["dir"], world)
        store = known[root]
        for row in store.governing(path[len(root) + 1 :]) if store is not None else ():
            found.setdefault((root, row["id"]), (store, row, path[len(root) + 1 :]))  # type: ignore[arg-type]
    return list(found.values())


def touched(event: "Event", world: "World") -> "list[str]":
    """The real paths that the call would surely change."""
    paths: dict[str, None] = {}
    for effect in event.effects[: PATHS_MAX * 4]:
        if effect.certainty == EXACT and effect.act in (WRITE, DELETE) and effect.path and len(paths) < PATHS_MAX:
            cwd = effect.cwd or event.cwd
            path = effect.path if effect.path.startswith("/") else f"{cwd}/{effect.path}"
            real = world.real(path, effect.follow) if path.startswith("/") else None
            if real and not world.excluded(real):
                paths[real] = None
    return list(paths)


def key_of(agent: str, store: "Store | Index", row: "dict[str, Any]", purse: "Purse") -> str:
    """What says that an agent was told this entry, with this text, in this stretch."""
    from guards.knowledge.budget import mark

    return purse.key(agent, "entry", mark(store.root), row["id"], row["blob"])


def _tell(event: "Event", new: "list[Found]", rules: "Rules", world: "World", purse: "Purse") -> "list[Verdict]":
    from guards.knowledge.accepted import Accepted
    from guards.knowledge.report import plain

    accepted: dict[str, Accepted] = {}
    out: list[Verdict] = []
    named: list[Found] = []
    room = min(rules["edit"], purse.left())
    for one in new:
        store, row, path = one
        if store.root not in accepted:
            accepted[store.root] = Accepted(store.root, world)
            if accepted[store.root].trouble:
                out.append(failed(accepted[store.root].trouble))
        if not accepted[store.root].holds(row["id"]):
            continue
        text = shown(store, row, f"governs {plain(path)}", rules)
        if purse.tokens(text) > room:
            named.append(one)
            continue
        room -= purse.tokens(text)
        marks = (("once", key_of(event.agent, store, row, purse)), purse.pay(text), purse.told(event.agent, row["id"]))
        facts = {"entry": row["id"], "tokens": purse.tokens(text)}
        out.append(Verdict(NAME, "note", text, f"policy/{NAME}.toml: edit", path, marks, facts))
    return out + _names(event, named, room, world, purse)


def shown(store: "Store | Index", row: "dict[str, Any]", why: str, rules: "Rules") -> str:
    """An entry as the model sees it, or that its text is withheld."""
    from guards.knowledge.lint import finding
    from guards.knowledge.notes import title
    from guards.knowledge.report import plain

    at = f" at {store.head[:10]}" if store.head else ""
    where = f"entry {row['id']} ({plain(row['file'])}{at}) {why}"
    text = store.text(row)
    bad = finding(text, rules["lint"]) or finding(row["title"], rules["lint"])
    if bad:
        return f"{where}; its text is withheld, since it talks to the agent (policy/context.toml: lint {bad!r})."
    return f"{where}: {title(row, rules)}\n{text}"


def _names(event: "Event", named: "list[Found]", room: int, world: "World", purse: "Purse") -> "list[Verdict]":
    """One line for what there was no room for, once."""
    if not named:
        return []
    from guards.knowledge.budget import mark

    ids = ", ".join([row["id"] for _, row, _ in named[:20]]) + (", …" if len(named) > 20 else "")
    text = f"no room to tell more entries that govern this edit: {ids}. guards context ID prints one."
    key = purse.key(event.agent, "named", mark(ids))
    if purse.tokens(text) > room or world.session.marked(key):
        return [Verdict(NAME, "watch", "", f"policy/{NAME}.toml: edit", facts={"why": "no room", "entries": ids})]
    facts = {"entries": ids, "tokens": purse.tokens(text)}
    return [
        Verdict(NAME, "note", text, f"policy/{NAME}.toml: edit", marks=(("once", key), purse.pay(text)), facts=facts)
    ]


def failed(why: str, path: str = "") -> Verdict:
    """What could not be told: silence, a line of the journal, a row of the doctor."""
    return Verdict(NAME, "watch", "", f"policy/{NAME}.toml", path, facts={"verdict": "error", "why": why})
