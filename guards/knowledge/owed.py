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

PATHS_MAX = 400  # files of one call that are looked at


def name(agent: str) -> str:
    """Guides whose reading was demanded of an agent by a refusal."""
    return f"gate-owed-{agent or 'root'}"


def demanded(agent: str, world: "World") -> "dict[str, str]":
    """{path: rule} of guides that were refused before, but for those that are switched off by now."""
    records = [record.partition(" ") for record in world.session.records(name(agent))]
    if not records:
        return {}
    from guards.knowledge import switched

    return {
        path: "a guide that was refused before"
        for words, _, path in records
        if path and not switched.off(world, *words.split(","))
    }


def guides(event: "Event", rules: "Rules", world: "World") -> "tuple[dict[str, tuple[str, str]], list[str]]":
    """({path: (rule, the words that switch it off)} of every guide that covers a file the call touches, what could
    not be read)."""
    folder = (world.rules("context") or {}).get("dir", "") or rules["dir"]
    found: dict[str, tuple[str, str]] = {}
    troubles: dict[str, str] = {}
    if not rules["guides"] and not folder:
        return found, []
    from guards.knowledge import store as stores
    from guards.knowledge import switched

    for path in touched(event, world):
        root = stores.root_of(path, world)
        inside = path[len(root) + 1 :] if root else path.lstrip("/")
        rows = _policy(rules, root, inside, world)
        if folder and root and root not in troubles:
            try:
                rows += _committed(root, folder, inside, world)
            except stores.Broken as fault:
                troubles[root] = str(fault)
        for file, guide, rule in rows:
            words = _words_of(guide, path)
            if file != path and not switched.off(world, *words):
                found.setdefault(file, (rule, ",".join(words)))
    return found, list(troubles.values())


def _committed(root: str, folder: str, inside: str, world: "World") -> "list[tuple[str, str, str]]":
    """(file, guide, rule) of a repository's own guides. Raises Broken."""
    from guards.knowledge import store as stores

    store = stores.load(root, folder, world)
    rows = store.governing(inside, "guide") if store is not None else []
    found = [(world.real(f"{root}/{row['file']}") or "", row) for row in rows]
    return [(file, row["id"], f"{row['file']}: guide {row['id']!r}") for file, row in found if file]


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


def _words_of(guide: str, path: str) -> "list[str]":
    """The switches of a guide for a file: its own, and that of the file's extension."""
    last = path.rpartition("/")[2]
    extension = last.rpartition(".")[2] if "." in last else ""
    return [f"rgate:{word.lower()}".replace(" ", "_") for word in (guide, extension) if word]


def touched(event: "Event", world: "World") -> "list[str]":
    """Real paths of the files a call writes, or names: a shell's words with a dot in them, the fields of a read."""
    named: dict[tuple[str, str], None] = {}
    for effect in event.effects[: PATHS_MAX * 4]:
        if effect.certainty == EXACT and effect.path:
            named[(effect.path, effect.cwd or event.cwd)] = None
    if event.command and event.kind in ("shell", "unknown"):
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
    """What this agent was pointed to: in this stretch, and a skill's entries in any, since the skill goes on."""
    folder = f"{world.session.folder}/required"
    listed = world.listdir(folder) if world.session.folder else None
    if not listed:
        return {}
    folder = world.real(folder) or folder  # as the ledger names it
    from guards.knowledge.budget import STRETCHES

    stretch, agent = len(world.session.records(STRETCHES)), event.agent or "root"
    newest: dict[str, int] = {}
    for file in sorted(listed):
        what, _, whose = file.removesuffix(".md").rpartition("--")
        kind, _, number = what.rpartition("-")
        if whose != agent or not number.isdecimal() or not file.endswith(".md"):
            continue
        if int(number) == stretch or (kind.startswith("skill-") and int(number) < stretch):
            newest[kind] = max(newest.get(kind, 0), int(number))
    return {
        f"{folder}/{kind}-{number}--{agent}.md": f"policy/context.toml: {kind}"
        for kind, number in newest.items()
        if _still(kind, world)
    }


def _still(kind: str, world: "World") -> bool:
    from guards.knowledge import planning, switched

    word = {"global": "rgate:global", "plan": "rgate:plan"}.get(kind, "rgate:invoked")
    return not switched.off(world, word) and (kind != "plan" or planning.inside(world))


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
