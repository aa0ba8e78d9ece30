"""A path as a call names it, in every form in which it can reach a lane.

The lexically normalised path and the real one (links resolved as the kernel does it, the last part too unless the call
does not follow it) are both judged; so is what other readers would make of the text (spellings.py). The walk is done on
bytes, so that a name that is not UTF-8 hides nothing behind it. A path that cannot be resolved (links in a circle, no
permission) keeps its unresolved parts and is judged by those.
"""

import posix

from guards.engine.world import encode, join, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

MAX_LINKS = 40  # as many as the kernel follows before ELOOP
PATH_MAX = 4096  # bytes; the kernel opens nothing longer
_ODD = ("~", "$", ":", "\\", " /", "./", '"', "'", " ")  # marks of a text that may be spelled for another reader
_FMT, _LNK = 0o170000, 0o120000
# code points that some file systems ignore in a name (git refuses `.g\u200cit` for the same reason)
_IGNORED = dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def fold(text: str) -> str:
    """The text as lanes compare it: case-folded and NFC. Two platforms fold; on the third it only tightens."""
    if text.isascii():
        return text.lower()
    import unicodedata

    folded = unicodedata.normalize("NFC", text).translate(_IGNORED).casefold()
    return unicodedata.normalize("NFC", folded)


def split(text: str) -> "list[str]":
    """The parts of a normalised absolute path."""
    return text[1:].split("/") if len(text) > 1 else []


class Walk:
    """One path resolved part by part.

    real    links resolved; None when they go round in circles
    entry   the same, but a last part that is a link stays: what unlink, rename and a write-by-rename touch
    ids     (device, inode) of every part of `real` that exists, the root of the file system left out; above: the
            same for the folders that hold `entry`
    via     the first path below /proc or /dev/fd that was passed ("" when none): it means another process's files
    info    lstat of `real` when it exists
    """

    __slots__ = ("above", "entry", "ids", "info", "real", "via")

    def __init__(self) -> None:
        self.real: str | None = None
        self.entry = ""
        self.ids: list[tuple[int, int]] = []
        self.above: list[tuple[int, int]] = []
        self.info: posix.stat_result | None = None
        self.via = ""


def _text(parts: "list[bytes]") -> str:
    return "/" + b"/".join(parts).decode("utf-8", "surrogateescape")


def walk(path: str) -> Walk:
    """Resolves an absolute path as the kernel would; beyond a missing part `..` is taken off the text, as tools do."""
    out = Walk()
    todo = encode(path).split(b"/")
    todo.reverse()
    done: list[bytes] = []
    infos: list[posix.stat_result | None] = []
    links = 0
    while todo:
        part = todo.pop()
        if not part or part == b".":
            continue
        if part == b"..":
            del done[-1:], infos[-1:]
            continue
        done.append(part)
        info = None if infos and infos[-1] is None else _lstat(done)
        infos.append(info)
        if info is None or info.st_mode & _FMT != _LNK or _stays(done, out):
            continue
        if not out.entry and not _more(todo):
            out.entry, out.above = _text(done), _ids(infos[:-1])
        target = _readlink(done)
        links += 1
        if links > MAX_LINKS or target is None:
            out.entry = out.entry or _text(done + [part for part in todo[::-1] if part and part != b"."])
            return out
        keep = 0 if target[:1] == b"/" else len(done) - 1
        del done[keep:], infos[keep:]
        todo.extend(reversed(target.split(b"/")))
    _passed(done, out)
    out.real = _text(done)
    out.ids = _ids(infos)
    if not out.entry:
        out.entry, out.above = out.real, out.ids
    out.info = infos[-1] if infos else None
    return out


def _ids(infos: "list[posix.stat_result | None]") -> "list[tuple[int, int]]":
    return [(info.st_dev, info.st_ino) for info in infos if info is not None]


def _passed(done: "list[bytes]", out: Walk) -> None:
    """Remembers a path below /proc or /dev/fd: what lies there are another process's files."""
    if (done[:1] == [b"proc"] and len(done) > 1) or (done[:2] == [b"dev", b"fd"] and len(done) > 2):
        out.via = _text(done)


def _stays(done: "list[bytes]", out: Walk) -> bool:
    """Whether a link is not to be followed: a standard stream is the tool's own, and `socket:[1]` is no path."""
    _passed(done, out)
    if out.via and len(done) > 2 and done[-2] == b"fd":
        target = _readlink(done)
        return done[-1] in (b"0", b"1", b"2") or target is None or target[:1] != b"/"
    return False


def _more(todo: "list[bytes]") -> bool:
    return any([part and part != b"." for part in todo])


def _lstat(parts: "list[bytes]") -> "posix.stat_result | None":
    try:
        return posix.lstat(b"/" + b"/".join(parts))
    except (OSError, ValueError):
        return None


def _readlink(parts: "list[bytes]") -> bytes | None:
    try:
        return posix.readlink(b"/" + b"/".join(parts))
    except (OSError, ValueError):
        return None


class Form:
    """One spelling of a target.

    text    what is matched
    canon   the canonical path an approval line must match for it
    kind    how it came about: "as named", "real", "entry", "home", "variable", "uri", "windows", "trimmed", "process"
    """

    __slots__ = ("canon", "ids", "kind", "parts", "text")

    def __init__(self, text: str, canon: str, kind: str, ids: "list[tuple[int, int]]") -> None:
        self.text = text
        self.canon = canon
        self.kind = kind
        self.ids = ids
        self.parts = split(fold(text))


class Target:
    """All forms of one target; `named` as the call spelled it, `info`: lstat of the real path, or None."""

    __slots__ = ("forms", "info", "named")

    def __init__(self, named: str) -> None:
        self.named = named
        self.forms: list[Form] = []
        self.info: posix.stat_result | None = None

    def add(self, text: str, canon: str, kind: str, ids: "list[tuple[int, int]]") -> None:
        for form in self.forms:
            if form.text == text:
                if ids and not form.ids:
                    form.ids = ids
                return
        self.forms.append(Form(text, canon, kind, ids))


def target(path: str, cwd: str, world: "World", follow: bool = True, expanded: bool = False) -> Target:
    """Every form of `path` seen from `cwd` (absolute; the event's, never the hook's own)."""
    out = Target(path)
    where = cwd or "/"
    if plain(path) and where.startswith("/"):
        _add(out, join(where, path), "as named", follow)
        return out
    from guards.lanes import spellings

    if not where.startswith("/"):
        where = spellings.posix(where)
    for text, kind in spellings.of(path, world, expanded):
        _add(out, join(where, text), kind, follow)
    return out


def plain(path: str) -> bool:
    """Whether nobody would read another path in this text."""
    return path.isascii() and path.isprintable() and not any([mark in path for mark in _ODD]) and path[-1:] not in " ."


def _add(out: Target, path: str, kind: str, follow: bool) -> None:
    lexical = normal(path)
    if path.endswith(("/", "/.")):
        follow = True
    walks = [walk(path)] if len(path) <= PATH_MAX else []
    if not walks or ("/.." in path and walks[0].real != lexical):
        walks.append(walk(lexical))
    first = walks[0]
    # what lies below /proc is not what this process sees there, so no line for the file it seems to be counts
    entry = lexical if first.real == lexical or first.via else first.entry
    out.add(lexical, entry, kind, [] if first.real != lexical or not follow else first.ids)
    for found in walks:
        if found.via:
            out.add(found.via, found.via, "process", [])
        out.add(found.entry, found.entry, "entry", found.above)
        if follow and found.real is not None:
            out.add(found.real, found.real, "real", found.ids)
    if kind == "as named":
        out.info = first.info
