"""Copies, moves and links: sources that go into a folder or onto a file, and what lies beneath them.

A copied folder is looked into, bounded: each file in it becomes a file at the target. A hard link out of a lane is a
write to what it links to.
"""

from guards.engine.event import DELETE, EXACT, WRITE
from guards.engine.world import is_dir, join, normal
from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World
    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TREE_MAX = 800  # names looked at beneath one copied folder
_KEEP = ("-n", "--no-clobber")
_EXACT = ("-T", "--no-target-directory")


def _sort(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> "tuple[list[Word], Word | None, bool]":
    """(sources, target, whether the target is a folder that they go into)."""
    into = args.value(*row.get("into", ()))
    if into is not None:
        return args.operands, into, True
    if len(args.operands) < 2:
        return args.operands, None, False
    *sources, target = args.operands
    if args.has(_EXACT):
        return sources, target, False
    folder = target.text is not None and (len(sources) > 1 or walk.is_dir(step, target.text))
    return sources, target, folder


def copy(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    if row["id"] == "install" and args.has(("-d", "--directory")):
        for word in args.operands:
            walk.touch(step, word, cause="install -d")
        return
    _copy(walk, step, args, row, row["id"])


def move(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    sources = _copy(walk, step, args, row, row["id"], moved=True)
    for source in sources:
        walk.touch(step, source, DELETE, cause=row["id"], follow=False, tree=True)


def _copy(
    walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]", cause: str, moved: bool = False
) -> "list[Word]":
    sources, target, folder = _sort(walk, step, args, row)
    if target is None:
        return []
    deep = moved or args.has(row.get("tree", ()))
    for source in sources:
        if args.has(("-l", "--link")) and not moved:
            walk.touch(step, source, cause=f"{cause} -l", follow=False, tree=deep)
        if target.text is None:
            walk.unknown(step, target, "write", cause)
            break
        _place(walk, step, source, target.text, folder, cause, deep, args.has(("--parents",)), moved, args.has(_KEEP))
    return sources


def _place(
    walk: "Walk", step: "Step", source: "Word", target: str, folder: bool, cause: str, deep: bool, parents: bool,
    moved: bool, keep: bool,
) -> None:  # fmt: skip
    """One source to its place."""
    if not target:
        return
    if source.text is None:
        walk.path(step, target, cause=cause)
        if folder and source.parts and not source.many:
            name = "_".join(source.parts).rstrip("/").rsplit("/", 1)[-1]
            walk.path(step, join(target, name), cause=cause)
        return
    path = target
    if folder:
        name = source.text if parents else source.text.rstrip("/").rsplit("/", 1)[-1]
        if name not in ("", ".", ".."):
            path = join(target, name.lstrip("/"))
    if keep and walk.exists(step, path):
        return
    walk.path(step, path, cause=cause, follow=not moved)
    walk.copies[normal(walk.full(step, path))] = normal(walk.full(step, source.text))
    if deep:
        beneath(walk, step, source.text, path, cause)


def beneath(walk: "Walk", step: "Step", source: str, target: str, cause: str) -> None:
    """Every file beneath a copied folder, at its place beneath the target."""
    base = normal(walk.full(step, source))
    made = made_before(walk, base)
    if not made and not is_dir(walk.world.stat(base)):
        return
    if (normal(walk.full(step, target)) + "/").startswith(base + "/"):  # into itself: how deep hangs on the order
        walk.path(step, target, cause=cause, tree=True)
    names, whole = listed(walk.world, base, TREE_MAX)
    for name in dict.fromkeys([*names, *made]):
        walk.path(step, join(target, name), cause=cause)
    if not whole:
        walk.leave(f"{cause}: more files than are looked at")
        if walk.exists(step, target):
            walk.path(step, target, cause=cause, tree=True)


def made_before(walk: "Walk", base: str) -> "list[str]":
    """What the same command wrote beneath a folder before it copies that: relative to it."""
    paths = [normal(join(e.cwd, e.path)) for e in walk.effects if e.certainty == EXACT and e.act == WRITE]
    return [path[len(base) + 1 :] for path in paths if path.startswith(base + "/")][:TREE_MAX]


def listed(world: "World", base: str, limit: int) -> "tuple[list[str], bool]":
    """The paths beneath a folder, relative to it, links not followed; False when there are more than `limit`."""
    found: list[str] = []
    todo = [""]
    while todo:
        here = todo.pop()
        for name in world.listdir(join(base, here) if here else base, limit) or ():
            if len(found) >= limit:
                return found, False
            path = f"{here}/{name}" if here else name
            found.append(path)
            if is_dir(world.lstat(join(base, path))):
                todo.append(path)
    return found, True


def link(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    sources, target, folder = _sort(walk, step, args, row)
    if target is None:
        target, folder = words_of.plain("."), True
    elif args.has(("-n", "--no-dereference")) and target.text is not None and len(sources) == 1:
        folder = is_dir(walk.world.lstat(walk.full(step, target.text.rstrip("/"))))
    soft = args.has(("-s", "--symbolic"))
    for source in sources:
        if not soft:
            walk.touch(step, source, cause="a hard link to it", follow=not args.has(("-P", "--physical")))
        _link(walk, step, source, target, folder, soft)


def _link(walk: "Walk", step: "Step", source: "Word", target: "Word", folder: bool, soft: bool) -> None:
    if target.text is None:
        walk.unknown(step, target, "write", "ln")
        return
    path = target.text
    if folder:
        if source.text is None:
            walk.path(step, path, cause="ln")
            return
        path = join(path, source.text.rstrip("/").rsplit("/", 1)[-1])
    walk.path(step, path, cause="ln", follow=False)
    if source.text is not None:
        here = normal(walk.full(step, path))
        base = here.rsplit("/", 1)[0] or "/"
        walk.links[here] = normal(join(base, source.text) if soft else walk.full(step, source.text))


FORMS = {"copy": copy, "move": move, "link": link}
