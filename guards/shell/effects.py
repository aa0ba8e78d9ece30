"""What a shell call would touch: its text → steps → effects, with the second reader's opinion where it can matter.

The first reading is tree-sitter's. Where it shows no protected effect, but a word of it names a path in a lane or a
target stays unknown, bashlex reads the same text, and what either of them shows counts. Reading is kept for the
event, so that every guard that asks gets the same answer.
"""

from guards.engine.event import EXACT, UNKNOWN
from guards.shell import read
from guards.shell.stepping import NOT_FILES, Walk, shaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Effect, Event
    from guards.engine.world import World
    from guards.shell.stepping import Command
    from guards.shell.steps import Reading

WORDS = 600  # words of one command that are looked up for the second opinion
CHECKED = 300  # exact effects that are looked up for it
# what an agent's shell is known to start with; anything else of the harness's environment may have been changed
KNOWN = (
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "SHELL",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "CLAUDE_PROJECT_DIR",
    "GITHUB_WORKSPACE",
    "VIRTUAL_ENV",
    "GIT_EDITOR",
)

NO_TABLE: "dict[str, Any]" = {"verbs": {}}  # switched off: only redirections are seen

_kept: "list[Any]" = [None, "", None]


def effects(event: "Event", world: "World") -> "list[Effect]":
    return walk(event, world).effects


def commands(event: "Event", world: "World") -> "list[Command]":
    """Every command that would be started, wrappers and inner text followed."""
    return walk(event, world).commands


def walk(event: "Event", world: "World") -> Walk:
    if _kept[0] is event and _kept[1] == event.command:
        known: Walk = _kept[2]
        return known
    made = _walk(event, world)
    _kept[:] = [event, event.command, made]
    return made


def environment(world: "World") -> "dict[str, str | None]":
    found: dict[str, str | None] = {}
    for name in KNOWN:
        value = world.plain_env(name)
        if value is not None:
            found[name] = value
    found.setdefault("HOME", world.home)
    return found


def _walk(event: "Event", world: "World") -> Walk:
    table = world.rules("shell-lane") or NO_TABLE
    env = environment(world)
    first = Walk(event, world, table)
    reading = read.steps(event.command, event.cwd, env, world, table)
    first.reading(reading)
    first.readers = [reading.reader]
    if reading.reader == "tree-sitter" and _doubtful(first, reading):
        _second(first, event, world, env)
    return first


def _second(first: Walk, event: "Event", world: "World", env: "dict[str, str | None]") -> None:
    """Adds what only the other reader shows. One that cannot read the text adds nothing: the first could."""
    reading = read.second(event.command, event.cwd, env, world, first.table)
    if reading.unreadable:
        return
    other = Walk(event, world, first.table)
    other.asked, other.lists = first.asked, first.lists
    other.reading(reading)
    first.readers.append(reading.reader)
    for effect in other.effects:
        if effect.certainty == EXACT:
            first.add(effect, again=True)
    known = {_named(c) for c in first.commands}
    first.commands += [c for c in other.commands if _named(c) not in known]


def _named(command: "Command") -> "tuple[Any, ...]":
    return (*[w.text for w in command.argv], *command.sets.items())


def _doubtful(first: Walk, reading: "Reading") -> bool:
    """Whether the second opinion could change anything."""
    exact = [e for e in first.effects if e.certainty == EXACT]
    words = [(path, cwd) for path, cwd in _words(first, reading) if _there(first.world, path, cwd)]
    if not words and not first.effects:
        return False
    from guards.lanes import find

    rules = first.world.rules(find.NAME)
    if rules is None:
        return False
    look = find.Look(first.event, first.world, rules, manifests=False)
    if any([look.effect(e) is not None for e in exact[:CHECKED]]):
        return False
    if any([e.certainty == UNKNOWN for e in first.effects]):
        return True
    return any([_in_lane(look, path, cwd) for path, cwd in words])


def _there(world: "World", path: str, cwd: str) -> bool:
    """A bare word is a path only where there is something of that name."""
    return "/" in path or "." in path or world.lstat(f"{cwd}/{path}") is not None


# no lane holds these, and almost every command names one of them
NO_PATHS = NOT_FILES | {".", "..", "/"}


def _words(first: Walk, reading: "Reading") -> "list[tuple[str, str]]":
    """The words of the text that can be paths."""
    found: dict[tuple[str, str], None] = {}
    for step in reading.steps:
        if len(step.argv) < 3 and step.name in ("cd", "pushd") and not step.redirects:
            continue  # no room for words that belong to another command
        cwd = step.cwd or first.event.cwd
        for word in [*step.argv[1:], *[r.target for r in step.redirects if r.target is not None]]:
            if word.text is not None and shaped(word.text) and word.text not in NO_PATHS:
                found[word.text, cwd] = None
        if len(found) >= WORDS:
            break
    return list(found)


def _in_lane(look: "Any", path: str, cwd: str) -> bool:
    from guards.engine.event import Effect

    return look.effect(Effect(path, cwd=cwd, expanded=True)) is not None
