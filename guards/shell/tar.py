"""tar: archives that are written, files taken away, and the members that an extraction would write.

Headers are read here, within bounds: opening an archive with tarfile would cost more than the call. What is packed with
something that is not built in, or does not fit the bound, is extracted unread: then only its folder counts.
"""

from guards.engine.event import DELETE
from guards.engine.world import join
from guards.shell import args as words_of
from guards.shell.globs import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.steps import Step, Word
    from guards.shell.stepping import Walk

ARCHIVE = 24 << 20  # bytes of an archive that are read
UNPACKED = 64 << 20  # bytes it may unpack to
MEMBERS = 4000
BLOCK = 512
VALUES = (
    "-f", "--file", "-C", "--directory", "-b", "--blocking-factor", "-T", "--files-from", "-X", "--exclude-from", "--exclude",
    "-N", "--newer", "-K", "-V", "--label", "-I", "--use-compress-program", "-g", "--listed-incremental", "-H", "--format",
    "-L", "--tape-length", "-F", "--info-script", "--owner", "--group", "--mode", "--mtime", "--strip-components", "--strip",
    "--transform", "--xform", "-s", "--to-command", "--checkpoint-action", "--rmt-command", "--rsh-command", "--suffix",
    "--index-file", "--new-volume-script", "--add-file", "--one-top-level-name",
)  # fmt: skip
_TEXTS = (
    "--to-command",
    "--checkpoint-action",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--rmt-command",
    "--new-volume-script",
)
_ROW = {"value": VALUES, "glued": ("--checkpoint", "--backup", "--occurrence", "--one-top-level", "--totals"),
        "when": ("--extract", "--get", "--create", "--append", "--update", "--delete", "--list", "--compare", "--concatenate", "--remove-files", "--to-stdout")}  # fmt: skip


def tar(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    first = (words[0].text or "") if words else ""
    if first and first[0] not in "-/" and not first.startswith("--"):
        words = _old_style(words)
    args = words_of.scan(words, _ROW)
    if args.has(("--help", "--version")):
        return
    _texts(walk, step, args)
    archive = args.value("-f", "--file")
    if args.has(("-c", "--create", "-r", "--append", "-u", "--update", "-A", "--concatenate", "--delete")):
        if archive is not None and not _away(archive):
            walk.touch(step, archive, cause="tar -f")
        if args.has(("--remove-files",)):
            for word, base in _placed(words, args.operands):
                walk.touch(step, _beneath(word, base), DELETE, cause="tar --remove-files", tree=True)
    elif (
        args.has(("-x", "--extract", "--get"))
        and not args.has(("-O", "--to-stdout"))
        and args.value("--to-command") is None
    ):
        _extract(walk, step, args, archive)
    index = args.value("--index-file")
    if index is not None:
        walk.touch(step, index, cause="tar --index-file")


def _old_style(words: "list[Word]") -> "list[Word]":
    """tar xzf FILE: letters without a dash, whose values follow in their order."""
    letters = words[0].text or ""
    rest = words[1:]
    out: list[Word] = []
    for letter in letters:
        out.append(words_of.plain("-" + letter))
        if "-" + letter in VALUES and rest:
            out.append(rest.pop(0))
    return out + rest


def _away(archive: "Word") -> bool:
    text = archive.text or ""
    return text == "-" or (":" in text and "/" not in text.partition(":")[0])


def _texts(walk: "Walk", step: "Step", args: "Args") -> None:
    for option, value in args.options:
        if option in _TEXTS and value is not None:
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
        walk.opaque(step, [p for v in changed for p in v.rough.replace("|", ",").replace("#", ",").split(",")], "tar --transform")
        return
    found = members(walk, step, archive)
    if found is None:
        walk.leave("tar: the archive's members are not known")
        found = wanted
    for name in found[:MEMBERS]:
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
    data = walk.world.read(walk.full(step, archive.text), ARCHIVE)
    if data is None or len(data) > ARCHIVE:
        return None
    if data[:2] == b"PK":
        from guards.shell import packing

        return packing.zip_names(data)
    plain = unpacked(data)
    return None if plain is None else headers(plain)


def _made_before(walk: "Walk", step: "Step") -> "list[str] | None":
    """tar c … | tar x …: what the first packs."""
    before = walk.before(step)
    if before is not None and before.name == "git":
        return _archived(walk, before)
    if before is None or (before.name or "").rsplit("/", 1)[-1] not in ("tar", "gtar", "bsdtar"):
        return None
    words = before.argv[1:]
    first = (words[0].text or "") if words else ""
    args = words_of.scan(_old_style(words) if first and first[0] != "-" else words, _ROW)
    if not args.has(("-c", "--create")):
        return None
    from guards.shell import copying

    found: list[str] = []
    base = args.value("-C", "--directory")
    for word in args.operands:
        if word.text is None:
            return None
        found.append(word.text)
        here = join(base.text, word.text) if base is not None and base.text else word.text
        inner, _ = copying.listed(walk.world, walk.full(before, here), MEMBERS)
        found += [join(word.text, name) for name in inner]
    return found


def _archived(walk: "Walk", step: "Step") -> "list[str] | None":
    """git archive TREE [PATH...] | tar x"""
    from guards.shell import gitask

    texts = [w.text for w in step.argv[1:]]
    where = step.cwd or walk.event.cwd
    if texts[:1] == ["-C"] and len(texts) > 2 and texts[1] is not None:
        where, texts = walk.full(step, texts[1]), texts[2:]
    if texts[:1] != ["archive"]:
        return None
    args = words_of.scan(step.argv[-len(texts) + 1 :] if len(texts) > 1 else [], {"value": ("-o", "--output", "--format", "--prefix")})
    operands = [w.text for w in args.operands]
    if not operands or not gitask.plain(list(operands)):
        return None
    out = gitask.ask(walk, where, ["ls-tree", "-r", "-z", "--name-only", *[o for o in operands if o is not None]])
    prefix = args.value("--prefix")
    front = (prefix.text or "") if prefix is not None else ""
    return None if out is None else [front + name for name in out.split("\0") if name]


def unpacked(data: bytes) -> "bytes | None":
    """gzip, bzip2, xz; anything else is taken as it stands. None for what is not built in or grows too large."""
    try:
        if data[:2] == b"\x1f\x8b":
            import zlib

            return zlib.decompressobj(31).decompress(data, UNPACKED)
        if data[:3] == b"BZh":
            from _bz2 import BZ2Decompressor

            return BZ2Decompressor().decompress(data, UNPACKED)
        if data[:6] == b"\xfd7zXZ\0":
            from _lzma import LZMADecompressor

            return LZMADecompressor().decompress(data, UNPACKED)
    except (OSError, ValueError, EOFError, ImportError):
        return None
    except Exception as fault:  # zlib.error and LZMAError are no OSError
        if type(fault).__name__ in ("error", "LZMAError"):
            return None
        raise
    return None if data[:4] == b"\x28\xb5\x2f\xfd" else data


def headers(data: bytes) -> "list[str] | None":
    """The names in a tar archive: ustar, GNU long names, pax paths. None when it is no tar archive."""
    found: list[str] = []
    at, longer = 0, ""
    while at + BLOCK <= len(data) and len(found) < MEMBERS:
        block = data[at : at + BLOCK]
        if not block.strip(b"\0"):
            break
        size = _number(block[124:136])
        if size is None or _number(block[148:156]) != sum(block[:148]) + sum(block[156:]) + 256:
            return found or None
        kind = block[156:157]
        body = data[at + BLOCK : at + BLOCK + size]
        if kind == b"L":
            longer = _text(body)
        elif kind == b"x":
            longer = _pax(body) or longer
        elif kind != b"g" and kind != b"K":
            prefix = _text(block[345:500]) if block[257:262] == b"ustar" and block[263:265] == b"00" else ""
            name = longer or (prefix + "/" if prefix else "") + _text(block[:100])
            found.append(name)
            longer = ""
        at += BLOCK + (size + BLOCK - 1) // BLOCK * BLOCK
    return found


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")


def _number(field: bytes) -> "int | None":
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    text = field.strip(b"\0 ")
    return int(text, 8) if text and not text.strip(b"01234567") else 0 if not text else None


def _pax(body: bytes) -> str:
    for line in body.split(b"\n"):
        _, _, pair = line.partition(b" ")
        if pair.startswith(b"path="):
            return pair[5:].decode("utf-8", "replace")
    return ""
