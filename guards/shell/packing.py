"""zip, unzip, cpio, 7z, ar, and the programs that pack one file (gzip, xz, zstd): what they write and take away."""

from guards.engine.event import DELETE
from guards.engine.world import join, normal
from guards.shell import archive as formats
from guards.shell import args as words_of
from guards.shell.programs import added, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

ENDINGS = {
    "gzip": ".gz", "pigz": ".gz", "bzip2": ".bz2", "pbzip2": ".bz2", "lbzip2": ".bz2", "xz": ".xz", "lzma": ".lzma",
    "zstd": ".zst", "lz4": ".lz4", "compress": ".Z", "brotli": ".br", "lzip": ".lz", "lzop": ".lzo", "zopfli": ".gz",
}  # fmt: skip
_UNPACKS = (".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".lzma", ".zst", ".lz4", ".Z", ".br", ".lz", ".lzo")
_KEPT = ("zstd", "unzstd", "lz4", "unlz4", "brotli", "zopfli")


def pack(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """FILE becomes FILE.gz and is gone, unless kept; -d and the un- programs go back."""
    name = (step.name or "").rsplit("/", 1)[-1]
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version", "-h", "-V")):
        return
    named(walk, step, args, row)
    back = name not in ENDINGS or args.has(("-d", "--decompress", "--uncompress"))
    kept = args.has(("-k", "--keep")) or (name in _KEPT and not args.has(("--rm", "--rm=true", "-m", "-j")))
    out = args.value(*row["out"])
    deep = args.has(("-r", "--recursive"))
    for word in args.operands:
        if not kept:
            walk.touch(step, word, DELETE, cause=name, follow=False, tree=deep)
        if out is None and word.text is not None and back:
            ending = next((e for e in _UNPACKS if word.text.endswith(e)), "")
            path = word.text[: len(word.text) - len(ending)] if ending else word.text
            walk.path(step, path + (".tar" if ending in (".tgz", ".tbz2", ".txz") else ""), cause=name)
        elif out is None:
            suffix = args.value("-S", "--suffix")
            packed = added(word, (suffix.text if suffix is not None else None) or ENDINGS.get(name, ".gz"))
            walk.touch(step, packed, cause=name)
            if word.text is not None and packed.text is not None:
                walk.copies[normal(walk.full(step, packed.text))] = normal(walk.full(step, word.text))


def unzip(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version")) or not args.operands:
        return
    target = args.value("-d")
    wanted = [w.text for w in args.operands[1:] if w.text is not None]
    members(walk, step, args.operands[0], target, wanted, "unzip", flat=args.has(("-j",)))


def members(
    walk: "Walk",
    step: "Step",
    archive: "Word",
    target: "Word | None",
    wanted: "list[str]",
    cause: str,
    flat: bool = False,
) -> None:
    """The members of a zip archive at their places."""
    from guards.shell.tar import _chosen

    if target is not None and target.text is None:
        walk.unknown(step, target, "write", cause)
        return
    base = target.text if target is not None and target.text else ""
    walk.path(step, base or ".", cause=cause)
    found = _zip(walk, step, archive.text)
    if found is None:
        walk.leave(f"{cause}: the archive's members are not known")
        found = wanted
    for name in found:
        if wanted and found is not wanted and not _chosen(name, wanted):
            continue
        place = name.rstrip("/").rsplit("/", 1)[-1] if flat else name.rstrip("/")
        if place:
            walk.path(step, join(base, place) if base else place, cause=cause, follow=False)


def _zip(walk: "Walk", step: "Step", name: "str | None") -> "list[str] | None":
    for path in (name, f"{name}.zip") if name is not None else ():
        here = normal(walk.full(step, path))
        if here in walk.packs:
            return walk.packs[here]
        data = walk.world.read(walk.full(step, path), formats.READ)
        if data is not None and len(data) <= formats.READ:
            return formats.zip_names(data)
    return None


def zip(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:  # noqa: A001 - the program's name
    """The archive is written; -m takes the files away."""
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version", "-h")) or not args.operands:
        return
    named(walk, step, args, row)
    archive, *files = args.operands
    for text in args.values(row["text"]):
        walk.text(step, text.rough)
    if args.has(("-T", "--test")) and not files:
        return
    out = args.value("-O", "--out")
    if archive.text != "-":
        made = archive.text is None or "." in archive.text.rsplit("/", 1)[-1]
        target = out or (archive if made else added(archive, ".zip"))
        walk.touch(step, target, cause="zip")
        if target.text is not None:
            from guards.shell.tar import packed

            held = _zip(walk, step, archive.text) or []
            names = packed(walk, step, [(word, "") for word in files])
            walk.packs[normal(walk.full(step, target.text))] = None if names is None else [*held, *names]
    if args.has(("-m", "--move")):
        for word in files:
            walk.touch(step, word, DELETE, cause="zip -m", tree=args.has(("-r", "--recurse-paths")))


def cpio(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """-i takes out (unless -t), -p copies to a folder, -o writes an archive."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    named(walk, step, args, row)
    file = args.value("-F", "--file", "-I")
    folder = args.value("-D", "--directory")
    if args.has(("-o", "--create")):
        if file is not None:
            walk.touch(step, file, cause="cpio -o")
    elif args.has(("-p", "--pass-through")) and args.operands:
        _cpio_pass(walk, step, args.operands[-1], folder)
    elif args.has(("-i", "--extract")) and not args.has(("-t", "--list")) and not args.has(("--to-stdout",)):
        _cpio_take(walk, step, args, file, folder)


def _cpio_pass(walk: "Walk", step: "Step", target: "Word", folder: "Word | None") -> None:
    if target.text is None:
        walk.unknown(step, target, "write", "cpio -p")
        return
    text = walk.arriving(step)
    if text is None:
        walk.path(step, target.text, cause="cpio -p", tree=True)
        return
    for name in text.replace("\0", "\n").splitlines()[: formats.MEMBERS]:
        if name.strip("./"):
            walk.path(step, join(target.text, name.removeprefix("./").lstrip("/")), cause="cpio -p")


def _cpio_take(walk: "Walk", step: "Step", args: "Args", file: "Word | None", folder: "Word | None") -> None:
    from guards.shell.globs import match

    base = folder.text if folder is not None and folder.text else ""
    walk.path(step, base or ".", cause="cpio -i")
    found = _cpio_names(walk, step, file)
    if found is None:
        walk.leave("cpio: the archive's members are not known")
        for word in args.operands:
            walk.touch(step, word, cause="cpio -i")
        return
    wanted = [w.text for w in args.operands if w.text is not None]
    for name in found:
        if not wanted or any([match(w, name) for w in wanted]) != args.has(("-f", "--nonmatching")):
            walk.path(step, join(base, name) if base else name, cause="cpio -i", follow=False)


def _cpio_names(walk: "Walk", step: "Step", file: "Word | None") -> "list[str] | None":
    path = file.text if file is not None else None
    if file is None:
        for redirect in step.redirects:
            if redirect.op == "<" and redirect.target is not None:
                path = redirect.target.text
        if (
            path is None
            and step.piped
            and walk.history
            and walk.history[-1].name in ("cat", "zcat", "gzip", "gunzip", "xzcat")
        ):
            path = walk.history[-1].argv[-1].text
    if path is None:
        return None
    data = walk.world.read(walk.full(step, path), formats.READ)
    plain = None if data is None or len(data) > formats.READ else formats.unpacked(data)
    return None if plain is None else formats.cpio_names(plain)


def seven(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """7z x ARCHIVE -oFOLDER; 7z a ARCHIVE FILE..., where -sdel takes them away; rar too. Only zip is looked into."""
    operands = [w for w in words if (w.text or "x")[:1] != "-" or w.text == "-"]
    options = [w.text or "" for w in words if (w.text or "x")[:1] == "-"]
    if not operands:
        return
    verb, rest = operands[0].text, operands[1:]
    if verb in ("a", "u", "d", "rn", "m", "mf", "f") and rest:
        walk.touch(step, rest[0], cause="7z")
        if "-sdel" in options or "-df" in options or verb in ("m", "mf"):
            for word in rest[1:]:
                walk.touch(step, word, DELETE, cause="7z -sdel", tree=True)
    elif verb in ("x", "e") and rest:
        folder = next((o[2:] for o in options if o.startswith("-o") and len(o) > 2), "")
        if row["id"] == "7z" and not folder and len(rest) > 1 and (rest[-1].text or "").endswith("/"):
            folder = rest[-1].text or ""
        walk.path(step, folder or ".", cause="7z x")
        for word in rest[1:]:
            if word.text is not None:
                walk.path(step, join(folder, word.text) if folder else word.text, cause="7z x", follow=False)
        if (rest[0].text or "").endswith(".zip"):
            wanted = [w.text for w in rest[1:] if w.text is not None]
            members(walk, step, rest[0], words_of.plain(folder) if folder else None, wanted, "7z x", flat=verb == "e")


def ar(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Ar rcs ARCHIVE FILE...; x takes the members out into this folder."""
    if len(words) < 2:
        return
    letters = (words[0].text or "").lstrip("-")
    if letters[:1] in ("r", "q", "d", "m", "s"):
        archive = next((w for w in words[1:] if not (w.text or "x").isdigit()), None)
        if archive is not None:
            walk.touch(step, archive, cause="ar")
    elif letters[:1] == "x":
        for word in words[2:]:
            walk.touch(step, word, cause="ar x")
