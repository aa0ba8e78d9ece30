"""What an agent must have read before a call: guides of the files it touches, what a pointer named, review manifests.

A guide is a row of policy/read-gate.toml or a file of a repository's committed guides. A guide that is not there, or
cannot be found out, is not owed.
"""

from guards.engine.event import EXACT
from guards.knowledge.matching import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Rules = dict[str, Any]

PATHS_MAX = 60  # files of one call that are looked at


def name(agent: str) -> str:
    """Guides whose reading was demanded of an agent by a refusal."""
    return f"gate-owed-{agent or 'root'}"


def guides(event: "Event", rules: "Rules", world: "World") -> "dict[str, str]":
    """{path: rule} of every guide that covers a file the call touches."""
    folder = (world.rules("context") or {}).get("dir", "") or rules["dir"]
    if not rules["guides"] and not folder:
        return {}
    from guards.knowledge import store as stores

    found: dict[str, str] = {}
    known: dict[str, Any] = {}
    for path in touched(event, world):
        root = stores.root_of(path, world)
        inside = path[len(root) + 1 :] if root else path.lstrip("/")
        if folder and root and root not in known:
            known[root] = stores.load(root, folder, world)
        rows = _policy(rules, root, inside, world)
        store = known.get(root)
        for row in store.governing(inside, "guide") if store is not None else ():
            rows.append((f"{root}/{row['file']}", row["id"], f"{row['file']}: guide {row['id']!r}"))
        for file, guide, rule in rows:
            if file != path and not _switched(world, guide, path):
                found.setdefault(file, rule)
    return found


def _policy(rules: "Rules", root: str, inside: str, world: "World") -> "list[tuple[str, str, str]]":
    rows: list[tuple[str, str, str]] = []
    if not rules["guides"]:
        return rows
    for number in match(rules["index"], inside):
        guide, file, rule = rules["guides"][number]
        if file.startswith("/") or root:
            real = world.real(file if file.startswith("/") else f"{root}/{file}")
            rows.append((real or "", guide, rule))
    return [row for row in rows if row[0]]


def _switched(world: "World", guide: str, path: str) -> bool:
    from guards.knowledge import switched

    last = path.rpartition("/")[2]
    extension = last.rpartition(".")[2].lower() if "." in last else ""
    return switched.off(world, *[f"rgate:{word.lower()}" for word in (guide, extension) if word])


def touched(event: "Event", world: "World") -> "list[str]":
    """Real paths of the files a call writes, or names: a shell's words with a dot in them, the fields of a read."""
    named: dict[tuple[str, str], None] = {}
    for effect in event.effects[: PATHS_MAX * 4]:
        if effect.certainty == EXACT and effect.path:
            named[(effect.path, effect.cwd or event.cwd)] = None
    if event.kind == "shell":
        named.update(dict.fromkeys(_words(event, world)))
    elif event.kind in ("read", "search"):
        named.update({(v, event.cwd): None for k in ("file_path", "path") if isinstance(v := event.input.get(k), str)})
    found: dict[str, None] = {}
    for path, cwd in list(named)[:PATHS_MAX]:
        real = world.real(path if path.startswith("/") else f"{cwd}/{path}") if path.startswith("/") or cwd else None
        if real and not world.excluded(real):
            found[real] = None
    return list(found)


def _words(event: "Event", world: "World") -> "list[tuple[str, str]]":
    from guards.shell.effects import commands

    found: list[tuple[str, str]] = []
    for command in commands(event, world):
        for word in command.argv[1:]:
            text = word.text
            if text and "." in text.rpartition("/")[2] and text[0] != "-" and "\n" not in text and len(text) < 1024:
                found.append((text, command.cwd or ""))
    return found


def required(event: "Event", world: "World") -> "dict[str, str]":
    """What this agent was pointed to in this stretch."""
    folder = f"{world.session.folder}/required"
    listed = world.listdir(folder) if world.session.folder else None
    if not listed:
        return {}
    from guards.knowledge import planning, switched
    from guards.knowledge.budget import STRETCHES

    stretch, agent = str(len(world.session.records(STRETCHES))), event.agent or "root"
    found: dict[str, str] = {}
    for file in sorted(listed):
        what, _, whose = file.removesuffix(".md").rpartition("--")
        kind, _, number = what.rpartition("-")
        if kind == "plan" and not planning.inside(world):
            continue
        word = {"global": "rgate:global", "plan": "rgate:plan"}.get(kind, "rgate:invoked")
        if whose == agent and number == stretch and file.endswith(".md") and not switched.off(world, word):
            found[f"{folder}/{file}"] = f"policy/context.toml: {kind}"
    return found


def reviews(event: "Event", rules: "Rules", world: "World") -> "dict[str, str]":
    """The manifests of a review that this kind of agent does."""
    found: dict[str, str] = {}
    if rules["reviews"] and event.agent_type:
        from guards.knowledge import store as stores
        from guards.knowledge import switched

        root = stores.root_of(world.real(event.cwd) or "", world)
        for agents, files, rule in rules["reviews"]:
            if event.agent_type in agents and not switched.off(world, "rgate:invoked"):
                for file in files:
                    real = (
                        world.real(file if file.startswith("/") else f"{root}/{file}") if file[0] == "/" or root else ""
                    )
                    if real:
                        found[real] = rule
    return found
