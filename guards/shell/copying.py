"""Copies, moves and links: sources that go into a folder or onto a file, and what lies beneath them.

A copied folder is looked into, bounded: each file in it becomes a file at the target. A hard link out of a lane is a
write to what it links to.
"""

from guards.engine.event import DELETE
from guards.engine.world import is_dir, is_link, join, normal
from guards.shell import args as words_of
from guards.shell import contents, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World
    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TREE_MAX = 800  # names looked at beneath one copied folder
_LINKS = ("-l", "--link", "-s", "--symbolic-link")
_KEEP = ("-n", "--no-clobber", "--update=none", "--update=none-fail")
_SOFT = ("-s", "--symbolic-link")
_LINK = ("-P", "-d", "-a", "--no-dereference", "--archive")
_FOLLOW = ("-L", "--dereference")
_EXACT = ("-T", "--no-target-directory")


def _sort(
    walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]"
) -> "tuple[list[Word], Word | None, tuple[bool, ...]]":
    """(sources, target, whether the target is a folder that they go into: both where that is not known)."""
    into = args.value(*row.get("into", ()))
    if into is not None:
        return args.operands, into, (True,)
    if len(args.operands) < 2:
        return args.operands, None, (False,)
    *sources, target = args.operands
    if args.has(_EXACT) or not target.text:
        return sources, target, (False,)
    if len(sources) > 1 or walk.is_dir(step, target.text.rstrip("/") or "/"):
        return sources, target, (True,)
    return sources, target, (False, True) if target.text[-1] == "/" else (False,)


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
    sources, target, readings = _sort(walk, step, args, row)
    if target is None:
        return []
    deep = moved or args.has(row.get("tree", ()))
    how = "moved" if moved else "soft" if args.has(_SOFT) else "link" if deep or args.has(_LINK) else ""
    if args.has(_FOLLOW) and how == "link":
        how = ""
    for source in sources:
        if args.has(("-l", "--link")) and not moved:
            walk.touch(step, source, cause=f"{cause} -l", follow=False, tree=deep)
        if target.text is None:
            walk.unknown(step, target, "write", cause)
            if how == "soft":
                placed.adrift(walk, step, target, source)
                continue
            break
        for folder in readings:
            parents, keep = args.has(("--parents",)), args.has(_KEEP)
            _place(walk, step, source, target.text, folder, cause, deep, parents, how, keep, args.has(_LINKS))
    return sources


def _place(
    walk: "Walk", step: "Step", source: "Word", target: str, folder: bool, cause: str, deep: bool, parents: bool,
    how: str, keep: bool, linked: bool,
) -> None:  # fmt: skip
    """One source to its place. `how`: "moved", "soft" (as a link to it), "link" (a link stays one), "" (its text)."""
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
    made = None if deep and walk.is_dir(step, source.text) else contents.copied(walk, step, source.text)
    walk.path(step, path, cause=cause, follow=how != "moved", change=None if linked else made)
    here, origin = normal(walk.full(step, path)), normal(walk.full(step, source.text))
    walk.copies[here] = origin
    if how == "soft":
        placed.lead(walk, here, source.text if not deep else origin)
    elif how:
        placed.carry(walk, origin, here)
    if deep:
        beneath(walk, step, source.text, path, cause, links=how in ("moved", "link"))


def beneath(walk: "Walk", step: "Step", source: str, target: str, cause: str, links: bool = False) -> None:
    """Every file beneath a copied folder, at its place beneath the target. `links`: links on disk stay links."""
    base = normal(walk.full(step, source))
    made = placed.below(walk, base, TREE_MAX)
    short = placed.cut_short(walk, base)
    if not made and not short and not is_dir(walk.world.stat(base)):
        return
    if (normal(walk.full(step, target)) + "/").startswith(base + "/"):  # into itself: how deep hangs on the order
        walk.path(step, target, cause=cause, tree=True)
    names, whole = listed(walk.world, base, TREE_MAX)
    for name in dict.fromkeys([*names, *made]):
        change = contents.beneath(walk, step, join(source, name), join(target, name))
        walk.path(step, join(target, name), cause=cause, change=change)
    for name in names if links else ():
        if is_link(walk.world.lstat(join(base, name))):
            placed.carry(walk, join(base, name), normal(walk.full(step, join(target, name))))
    if not whole or len(made) >= TREE_MAX or short:
        walk.leave(f"{cause}: more files than are looked at")
        walk.partial.add(normal(walk.full(step, target)))
        if walk.exists(step, target):
            walk.path(step, target, cause=cause, tree=True)


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
    sources, target, readings = _sort(walk, step, args, row)
    if target is None:
        target, readings = words_of.plain("."), (True,)
    elif args.has(("-n", "--no-dereference")) and target.text is not None and len(sources) == 1:
        readings = (is_dir(walk.world.lstat(walk.full(step, target.text.rstrip("/")))),)
    soft = args.has(("-s", "--symbolic"))
    how = "here" if not soft or args.has(("-r", "--relative")) else "soft"
    for source in sources:
        if not soft:
            walk.touch(step, source, cause="a hard link to it", follow=not args.has(("-P", "--physical")))
        for folder in readings:
            _link(walk, step, source, target, folder, how)


def _link(walk: "Walk", step: "Step", source: "Word", target: "Word", folder: bool, how: str) -> None:
    """`how`: "here", its source is seen from the step's folder; "soft", from where the link is."""
    if target.text is None:
        walk.unknown(step, target, "write", "ln")
        placed.adrift(walk, step, target, source)
        return
    path = target.text
    if folder:
        if source.text is None:
            walk.path(step, path, cause="ln")
            return
        path = join(path, source.text.rstrip("/").rsplit("/", 1)[-1])
    walk.path(step, path, cause="ln", follow=False)
    if source.text is not None:
        spelled = normal(walk.full(step, source.text)) if how == "here" else source.text
        placed.lead(walk, normal(walk.full(step, path)), spelled)


FORMS = {"copy": copy, "move": move, "link": link}
