"""What a command put in place before a step: names beneath folders, and links that go along with copies and moves.

The disk is as it was before the command. A folder that the same text filled (by writing, copying, moving) is known
only from the effects so far; here they are kept as a tree, so that a second copy finds what the first one brought.
"""

from guards.engine.event import EXACT, WRITE
from guards.engine.world import is_link, join, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word


def tree(walk: "Walk") -> "dict[str, dict[str, None]]":
    """Folder → the names that effects so far put into it."""
    known = walk.placed
    for effect in walk.effects[walk.counted :]:
        if effect.certainty != EXACT or effect.act != WRITE:
            continue
        path = normal(join(effect.cwd, effect.path))
        while path != "/":
            parent, _, name = path.rpartition("/")
            names = known.setdefault(parent or "/", {})
            if name in names:
                break
            names[name] = None
            path = parent or "/"
    walk.counted = len(walk.effects)
    return known


def filled(walk: "Walk", path: str) -> bool:
    """Whether something was put beneath it: then it is a folder."""
    return path in tree(walk)


def below(walk: "Walk", base: str, limit: int) -> "list[str]":
    """The paths that were put beneath a folder, relative to it."""
    known = tree(walk)
    found: list[str] = []
    todo = [""]
    while todo and len(found) < limit:
        here = todo.pop()
        for name in known.get(normal(f"{base}/{here}"), ()):
            path = f"{here}/{name}" if here else name
            found.append(path)
            todo.append(path)
    return found[:limit]


def cut_short(walk: "Walk", base: str) -> bool:
    """Whether an earlier copy brought more to this place than was looked at."""
    return any([(base + "/").startswith(p + "/") or p.startswith(base + "/") for p in walk.partial])


def carry(walk: "Walk", source: str, target: str, itself: bool = True) -> None:
    """Links that are moved, or copied as links: a relative one leads elsewhere from its new place."""
    spelled = walk.spelled.get(source) if itself else None
    if itself and spelled is None and is_link(walk.world.lstat(source)):
        spelled = walk.world.readlink(source)
    if spelled is not None:
        lead(walk, target, spelled)
    inside = source + "/"
    for link in [known for known in walk.links if known.startswith(inside)]:
        lead(walk, target + link[len(source) :], walk.spelled.get(link, walk.links[link]))


def lead(walk: "Walk", link: str, spelled: str) -> None:
    """A symbolic link as it is spelled, at its place."""
    walk.spelled[link] = spelled
    walk.links[link] = normal(join(link.rsplit("/", 1)[0] or "/", spelled))


# ---- links whose own name is not known
def adrift(walk: "Walk", step: "Step", name: "Word", source: "Word") -> None:
    """A slash at the end of the name says that the link gets its source's name in that folder."""
    if source.text is None:
        return
    here = bare(name.raw)
    if here[-1:] == "/":
        here = here.rstrip("/") + "/" + source.text.rstrip("/").rsplit("/", 1)[-1]
    walk.adrift.append((here, source.text, step.cwd or walk.event.cwd))


def through(walk: "Walk", raw: str) -> "tuple[tuple[str, str], ...]":
    """Where an unknown target may lead by way of such a link. One that is spelled with the same variable leads there
    only when it goes through the link's own name."""
    found: list[tuple[str, str]] = []
    here = bare(raw)
    for name, target, cwd in walk.adrift:
        if (here + "/").startswith(name + "/"):
            found.append((target, cwd))
            found.append((target + here[len(name) :], cwd))
        elif here.partition("/")[0] != name.partition("/")[0]:
            found.append((target, cwd))
    return tuple(dict.fromkeys(found))


def bare(raw: str) -> str:
    for c in "\"'{}":
        raw = raw.replace(c, "")
    return raw
