"""tar: archives that are written, files taken away, and the members that an extraction would write.

An archive that cannot be read (archive.py) is extracted unread: then only its folder counts.
"""

from guards.engine.event import DELETE
from guards.engine.world import join, normal
from guards.shell import archive as formats
from guards.shell import args as words_of
from guards.shell.globs import match
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

COPIED = 4  # copies of an archive that are followed back


def tar(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    first = (words[0].text or "") if words else ""
    if first and first[0] not in "-/" and not first.startswith("--"):
        words = _old_style(words, row)
    told = step.assigns["TAR_OPTIONS"].text if "TAR_OPTIONS" in step.assigns else step.env.get("TAR_OPTIONS")
    words = [*[words_of.plain(each) for each in (told or "").split()], *words]
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    _texts(walk, step, args, row)
    archive = args.value("-f", "--file")
    if args.has(("-c", "--create", "-r", "--append", "-u", "--update", "-A", "--concatenate", "--delete")):
        if archive is not None and not _away(archive):
            walk.touch(step, archive, cause="tar -f")
            _remember(walk, step, words, args, archive)
        for redirect in step.redirects if archive is None or archive.text == "-" else ():
            if redirect.op in (">", ">|") and redirect.fd in (None, 1) and redirect.target is not None:
                _remember(walk, step, words, args, redirect.target)
        if args.has(("--remove-files",)):
            for word, base in _placed(words, args.operands):
                walk.touch(step, _beneath(word, base), DELETE, cause="tar --remove-files", tree=True)
    elif (
        args.has(("-x", "--extract", "--get"))
        and not args.has(("-O", "--to-stdout"))
        and args.value("--to-command") is None
    ):
        _extract(walk, step, args, archive)
    named(walk, step, args, row)


def _old_style(words: "list[Word]", row: "dict[str, Any]") -> "list[Word]":
    """Tar xzf FILE: letters without a dash, whose values follow in their order."""
    letters = words[0].text or ""
    takes = words_of.taken(row)
    rest = words[1:]
    out: list[Word] = []
    for letter in letters:
        out.append(words_of.plain("-" + letter))
        if "-" + letter in takes and rest:
            out.append(rest.pop(0))
    return out + rest


def _away(archive: "Word") -> bool:
    text = archive.text or ""
    return text == "-" or (":" in text and "/" not in text.partition(":")[0])


def _texts(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    for option, value in args.options:
        if option in row["text"] and value is not None:
            text = value.rough
            if option == "--checkpoint-action":
                if not text.startswith("exec="):
                    continue
                text = text[5:]
            walk.text(step, text)


def _placed(words: "list[Word]", operands: "list[Word]") -> "list[tuple[Word, str]]":
    """Operands with the -C that stands before them."""
    base, found = "", []
    for at, word in enumerate(words):
        if word.text in ("-C", "--directory") and at + 1 < len(words):
            base = words[at + 1].text or ""
        elif any([word is o for o in operands]):
            found.append((word, base))
    return found


def _beneath(word: "Word", base: str) -> "Word":
    return words_of.plain(join(base, word.text)) if base and word.text is not None else word


def _extract(walk: "Walk", step: "Step", args: "Args", archive: "Word | None") -> None:
    target = args.value("-C", "--directory")
    top = args.value("--one-top-level")
    if target is not None and target.text is None:
        walk.unknown(step, target, "write", "tar -x")
        return
    base = target.text if target is not None and target.text else ""
    if top is not None and top.text:
        base = join(base, top.text) if base else top.text
    strip = args.value("--strip-components", "--strip")
    cut = int(strip.text) if strip is not None and (strip.text or "").isdigit() and strip.text else 0
    wanted = [w.text for w in args.operands if w.text is not None]
    walk.path(step, base or ".", cause="tar -x")
    changed = args.values(("--transform", "--xform", "-s"))
    if changed:
        walk.opaque(
            step,
            [p for v in changed for p in v.rough.replace("|", ",").replace("#", ",").split(",")],
            "tar --transform",
        )
        return
    found = members(walk, step, archive)
    if found is None:
        walk.leave("tar: the archive's members are not known")
        found = wanted
    for name in found[: formats.MEMBERS]:
        if wanted and found is not wanted and not _chosen(name, wanted):
            continue
        place = "/".join([p for p in name.split("/") if p and p != "."][cut:])
        if place:
            walk.path(step, join(base, place) if base else place, cause="tar -x", follow=False)


def _chosen(name: str, wanted: "list[str]") -> bool:
    bare = name.removeprefix("./").rstrip("/")
    for want in wanted:
        want = want.removeprefix("./").rstrip("/")
        if bare == want or bare.startswith(want + "/") or want in ("", ".") or ("*" in want and match(want, bare)):
            return True
    return False


def members(walk: "Walk", step: "Step", archive: "Word | None") -> "list[str] | None":
    """The names in an archive at hand, or in one that the step before makes; None when they are not known."""
    if archive is None or archive.text == "-":
        return _made_before(walk, step)
    if archive.text is None:
        return None
    here = normal(walk.full(step, archive.text))
    for _ in range(COPIED):
        if here in walk.packs:
            return walk.packs[here]
        here = walk.copies.get(here, here)
    data = walk.world.read(here, formats.READ)
    if data is None or len(data) > formats.READ:
        return None
    if data[:2] == b"PK":
        return formats.zip_names(data)
    plain = formats.unpacked(data)
    return None if plain is None else formats.headers(plain)


def _made_before(walk: "Walk", step: "Step") -> "list[str] | None":
    """Tar c … | tar x …: what the first packs; `tar x < FILE` and `cat FILE | tar x`: what is in that."""
    for redirect in step.redirects:
        if redirect.op == "<" and redirect.fd in (None, 0) and redirect.target is not None:
            return None if redirect.target.text in (None, "-") else members(walk, step, redirect.target)
    before = walk.before(step)
    if before is not None and before.name == "cat" and len(before.argv) == 2 and before.argv[1].text not in (None, "-"):
        return members(walk, before, before.argv[1])
    if before is not None and before.name == "git":
        return _archived(walk, before)
    if before is None or (before.name or "").rsplit("/", 1)[-1] not in ("tar", "gtar", "bsdtar"):
        return None
    words = before.argv[1:]
    first = (words[0].text or "") if words else ""
    row = walk.programs.get("tar") or {}
    words = _old_style(words, row) if first and first[0] != "-" else words
    args = words_of.scan(words, row)
    if not args.has(("-c", "--create")):
        return None
    return packed(walk, before, _placed(words, args.operands))


def packed(walk: "Walk", step: "Step", sources: "list[tuple[Word, str]]") -> "list[str] | None":
    """The members that words and the folders they are seen from give: from disk, and from what the command made."""
    from guards.shell import copying, placed

    found: list[str] = []
    for word, base in sources:
        if word.text is None:
            return None
        found.append(word.text)
        here = walk.full(step, join(base, word.text) if base else word.text)
        inner, _ = copying.listed(walk.world, here, formats.MEMBERS)
        inner += placed.below(walk, normal(here), formats.MEMBERS)
        found += [join(word.text, name) for name in inner]
    return list(dict.fromkeys(found))


def _remember(walk: "Walk", step: "Step", words: "list[Word]", args: "Args", archive: "Word") -> None:
    """An archive that the command itself makes: a later step may unpack it."""
    if archive.text is not None:
        here = normal(walk.full(step, archive.text))
        before = members(walk, step, archive) if not args.has(("-c", "--create")) else []
        added = packed(walk, step, _placed(words, args.operands))
        walk.packs[here] = None if added is None or before is None else [*before, *added]


def _archived(walk: "Walk", step: "Step") -> "list[str] | None":
    """Git archive TREE [PATH...] | tar x"""
    from guards.shell import gitask

    texts = [w.text for w in step.argv[1:]]
    where = step.cwd or walk.event.cwd
    if texts[:1] == ["-C"] and len(texts) > 2 and texts[1] is not None:
        where, texts = walk.full(step, texts[1]), texts[2:]
    if texts[:1] != ["archive"]:
        return None
    args = words_of.scan(
        step.argv[-len(texts) + 1 :] if len(texts) > 1 else [], {"value": ("-o", "--output", "--format", "--prefix")}
    )
    operands = [w.text for w in args.operands]
    if not operands or not gitask.plain(list(operands)):
        return None
    out = gitask.ask(walk, where, ["ls-tree", "-r", "-z", "--name-only", *[o for o in operands if o is not None]])
    prefix = args.value("--prefix")
    front = (prefix.text or "") if prefix is not None else ""
    return None if out is None else [front + name for name in out.split("\0") if name]
