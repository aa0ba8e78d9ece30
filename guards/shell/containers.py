"""docker and its kin: a container's files are not this machine's, but for the folders that are mounted into it."""

from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word


def image(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """`docker build`: files that its options name, and `-o dest=FOLDER`."""
    args = words_of.scan(words, row)
    named(walk, step, args, row)
    for value in args.values(("-o", "--output")):
        text = value.rough
        for piece in text.split(",") if "=" in text else ["dest=" + text]:
            key, _, path = piece.partition("=")
            if key == "dest" and path != "-":
                walk.touch(step, words_of.plain(path) if value.text is not None else value, cause="docker build -o")


def container(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """`docker run`: the inner command, seen from inside; what it touches beneath a mount is touched here."""
    args = words_of.scan(words, row, stop=True)
    mounts = _mounts(walk, step, args)
    if not mounts:
        walk.leave("docker run: nothing is mounted")
        return
    entry = args.value("--entrypoint")
    argv = ([entry] if entry is not None else []) + args.operands[1:]
    if entry is None and not (argv and _starts(walk, argv[0])):
        argv = _image(walk, args.operands[:1]) + argv
    where = args.value("-w", "--workdir")
    inside = where.text if where is not None and where.text else mounts[0][1]
    before = len(walk.effects)
    walk.inner(step, argv, inside)
    made = walk.effects[before:]
    del walk.effects[before:]
    for effect in made:
        _outside(walk, step, effect, mounts)


def _starts(walk: "Walk", word: "Word") -> bool:
    return (word.text or "").rsplit("/", 1)[-1] in walk.programs


def _image(walk: "Walk", operands: "list[Word]") -> "list[Word]":
    """The program that an image of its name starts (`mikefarah/yq`), where its first argument is no program."""
    name = (operands[0].text or "").rsplit("/", 1)[-1].partition("@")[0].partition(":")[0] if operands else ""
    return [words_of.plain(name)] if name in walk.programs else []


def _mounts(walk: "Walk", step: "Step", args: "Args") -> "list[tuple[str, str]]":
    """(here, inside) of every writable bind mount."""
    found: list[tuple[str, str]] = []
    for value in args.values(("-v", "--volume")):
        if value.text is None:
            walk.leave("docker run: a mount that is not known")
            continue
        pieces = value.text.split(":")
        if (
            len(pieces) > 1
            and (len(pieces) < 3 or "ro" not in pieces[2].split(","))
            and pieces[0][:1] in ("/", ".", "~")
        ):
            found.append((normal(walk.full(step, pieces[0])), normal(pieces[1])))
    for value in args.values(("--mount",)):
        fields = {k.strip(): v for k, _, v in [f.partition("=") for f in (value.text or "").split(",")]}
        source = fields.get("source", fields.get("src", ""))
        target = fields.get("target", fields.get("dst", fields.get("destination", "")))
        if fields.get("type") == "bind" and source and target and "readonly" not in fields and "ro" not in fields:
            found.append((normal(walk.full(step, source)), normal(target)))
    return found


def _outside(walk: "Walk", step: "Step", effect: "Any", mounts: "list[tuple[str, str]]") -> None:
    def mapped(path: str, cwd: str) -> "str | None":
        here = normal(join(cwd or "/", path))
        for outside, inside in mounts:
            if here == inside or here.startswith(inside.rstrip("/") + "/"):
                return normal(outside + here[len(inside.rstrip("/")) :])
        return None

    if effect.certainty != "exact":
        named = [mapped(path, cwd) for path, cwd in effect.mentions]
        effect.mentions = tuple([(path, "/") for path in named if path is not None])
        walk.add(effect)
        return
    path = mapped(effect.path, effect.cwd)
    if path is not None:
        walk.path(step, path, effect.act, cause=f"docker run: {effect.cause}", follow=effect.follow, tree=effect.tree)
