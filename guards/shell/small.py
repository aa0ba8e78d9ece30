"""Small programs with a rule of their own: mkdir, mktemp, mount, chmod and chattr, rename."""

from guards.engine.world import is_dir, join, normal
from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word


def mkdir(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """A folder that is there is not made again."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    for word in args.operands:
        if word.text is None:
            walk.touch(step, word, cause="mkdir")
            continue
        here = normal(walk.full(step, word.text))
        if not is_dir(walk.world.stat(here)):
            walk.made.add(here)
            walk.path(step, word.text, cause="mkdir")


def mktemp(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """A new name in the given folder, or in the folder for temporary files."""
    args = words_of.scan(words, row)
    if args.has(("-u", "--dry-run", "--help", "--version")):
        return
    folder = args.value("-p", "--tmpdir")
    template = args.operands[0] if args.operands else None
    if folder is not None and folder.rough:
        here = folder.text is not None and normal(walk.full(step, folder.text)) == normal(walk.full(step, "."))
        walk.touch(step, folder, cause="mktemp: a name of its own in this folder", tree=not here)
    elif template is not None and not args.has(("-t", "--tmpdir")):
        walk.touch(step, template, cause="mktemp")


def mount(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """What is mounted hides its folder; a folder that is bound to another is reached through it, as by a link."""
    args = words_of.scan(words, row)
    if len(args.operands) < 2:
        return
    source, target = args.operands[0].text, args.operands[-1]
    walk.touch(step, target, cause="mount")
    told = [(v.text or "").split(",") for v in args.values(("-o", "--options"))]
    told_so = any(["bind" in each or "rbind" in each for each in told])
    bound = told_so or args.has(("--bind", "-B", "--rbind", "-R", "--move", "-M"))
    if bound and source and target.text:
        walk.links[normal(walk.full(step, target.text))] = normal(walk.full(step, source))


def mode(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Chmod MODE FILE..., where MODE may look like an option (-w, -x); chattr likewise."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    deep = args.has(row.get("tree", ()))
    given = any([len(name) > 1 and name[1] != "-" and name[1] in "rwxXstugoaAcdDijSTuC" for name, _ in args.options])
    signed = given and bool(args.operands) and (args.operands[0].text or "")[:1] not in "+=0123456789"
    from_file = args.value("--reference") is not None
    operands = args.operands if (from_file or (signed and not _modes(args.operands[0].text))) else args.operands[1:]
    for word in operands:
        walk.touch(step, word, cause=row["id"], tree=deep)


def _modes(text: "str | None") -> bool:
    """Whether a first operand is itself a mode: 644, u+x,g-w, +i."""
    if not text:
        return False
    return text.isdigit() or not set(text) - set("ugoarwxXst+-=,0123456789iAcdDjSTuC")


def rename(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Perl's rename EXPR FILE... and util-linux's rename FROM TO FILE...: the files named move."""
    args = words_of.scan(words, row)
    if args.has(("-n", "--nono", "--no-act", "--help", "--version")):
        return
    operands = args.operands if args.values(("-e",)) else args.operands[1:]
    for word in operands:
        walk.touch(step, word, "delete", cause="rename", follow=False)
    if len(args.operands) > 2 and not args.values(("-e",)):
        first, second = args.operands[0].text, args.operands[1].text
        for word in args.operands[2:]:
            if word.text and first and second is not None and first in word.text:
                walk.path(step, word.text.replace(first, second, 1), cause="rename", follow=False)


def python_archive(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Python -m tarfile and -m zipfile: -e ARCHIVE [FOLDER] takes out, -c ARCHIVE FILE... packs."""
    args = words_of.scan(words, {})
    if not args.operands:
        return
    archive, *rest = args.operands
    if args.has(("-c", "--create")):
        walk.touch(step, archive, cause="python -m " + (step.name or ""))
    elif args.has(("-e", "--extract")):
        base = rest[0].text if rest else "."
        if base is None:
            walk.unknown(step, rest[0], "write", "python -m tarfile")
            return
        walk.path(step, base, cause="python -m tarfile -e")
        from guards.shell.tar import members

        for name in members(walk, step, archive) or []:
            walk.path(step, join(base, name), cause="python -m tarfile -e", follow=False)


def pieces(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Split and csplit: files whose names begin alike."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    filters = args.values(("--filter",))
    for text in filters:
        walk.text(step, text.rough)
    if filters:
        return
    if row["id"] == "csplit":
        prefix, ending = args.value("-f", "--prefix") or words_of.plain("xx"), "00"
    else:
        prefix, ending = args.operands[1] if len(args.operands) > 1 else words_of.plain("x"), "aa"
    from guards.shell.programs import added

    walk.touch(step, added(prefix, ending), cause=row["id"])
