"""patch, and the text of unified, context and git diffs: which files a patch would touch.

`git apply`, `git am` and `patch` ask the same reader; apply_patch's own form is read by guards/lanes/patches.py.
"""

from guards.engine.event import DELETE
from guards.engine.world import join
from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TARGETS = 2000  # files of one patch
_NULL = "/dev/null"


class Target:
    """old, new: the names of one file's part as they stand in the patch ("" where there is none)."""

    __slots__ = ("moved", "new", "old", "plain")

    def __init__(self, old: str, new: str, plain: bool = False, moved: bool = False) -> None:
        self.old = old
        self.new = new
        self.plain = plain  # names without the a/ b/ that -p takes off: `rename to`, `copy to`
        self.moved = moved


def targets(text: str) -> "list[Target]":
    """The files of a patch. Lines inside hunks name nothing."""
    found: list[Target] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines) and len(found) < TARGETS:
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        at += 1
        if line.startswith("diff --git "):
            names = _git_names(line[11:])
            if names is not None:
                found.append(Target(*names))
        elif line.startswith("--- ") and following.startswith("+++ "):
            found.append(Target(_name(line[4:]), _name(following[4:])))
            at = _past_hunks(lines, at + 1)
        elif line.startswith("*** ") and following.startswith("--- ") and not line.endswith("****"):
            found.append(Target(_name(line[4:]), _name(following[4:])))
            at += 1
        elif line.startswith(("rename from ", "rename to ", "copy to ")):
            name = _name(line.split(" ", 2)[2])
            moved = line.startswith("rename from ")
            found.append(Target(name if moved else "", "" if moved else name, True, moved))
        elif line.startswith("Index: "):
            found.append(Target(_name(line[7:]), _name(line[7:])))
    return found


def _name(text: str) -> str:
    """A file name of a header: up to the tab before its time, unquoted."""
    text = text.split("\t", 1)[0].rstrip("\r")
    if text[:1] == '"' and text[-1:] == '"':
        return unquote(text[1:-1])
    cut = text.rstrip()
    for year in (" 19", " 20"):  # "--- x.c 2024-01-01 …" without a tab
        at = cut.find(year)
        if at > 0 and cut[at + 5 : at + 6] == "-" and cut[at + 3 : at + 5].isdigit():
            return cut[:at].rstrip()
    return cut


def unquote(text: str) -> str:
    """Git's quoting: backslashes and octal bytes."""
    out = bytearray()
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            digits = text[at + 1 : at + 4]
            if len(digits) == 3 and not digits.strip("01234567"):
                out.append(int(digits, 8) & 255)
                at += 4
                continue
            at += 1
            out += {"t": b"\t", "n": b"\n"}.get(text[at], text[at].encode())
        else:
            out += text[at].encode("utf-8", "surrogateescape")
        at += 1
    return out.decode("utf-8", "replace")


def _git_names(text: str) -> "tuple[str, str] | None":
    """a/X b/X: the two names of a `diff --git` line, where they can be told apart."""
    if text[:1] == '"':
        pieces = [p for p in text.split('"') if p.strip()]
        return (unquote(pieces[0]), unquote(pieces[1])) if len(pieces) > 1 else None
    middle = len(text) // 2
    if text[middle : middle + 1] == " " and text[:middle].partition("/")[2] == text[middle + 1 :].partition("/")[2]:
        return text[:middle], text[middle + 1 :]
    old, space, new = text.partition(" b/")
    return (old, "b/" + new) if space else None


def _past_hunks(lines: "list[str]", at: int) -> int:
    """Over the hunks of one file, by the counts in their headers."""
    while at < len(lines) and lines[at].startswith("@@ "):
        old, new = _counts(lines[at])
        at += 1
        while at < len(lines) and (old > 0 or new > 0):
            mark = lines[at][:1]
            if mark in ("-", "+"):
                old -= mark == "-"
                new -= mark == "+"
            elif mark != "\\":
                old, new = old - 1, new - 1
            at += 1
    return at


def _counts(line: str) -> "tuple[int, int]":
    found = []
    for piece in line.split(" ")[1:3]:
        count = piece.partition(",")[2] or "1"
        found.append(int(count) if count.isdigit() else 0)
    return (found[0], found[1]) if len(found) == 2 else (0, 0)


def strip(name: str, level: int) -> str:
    """The name without its first `level` parts, as -p takes them off."""
    parts = [p for i, p in enumerate(name.split("/")) if p or i == 0]
    return "/".join(parts[level:]) if level < len(parts) else parts[-1]


def names(text: str, level: int) -> "dict[str, str]":
    """Name → act of every file that the patch touches."""
    found: dict[str, str] = {}
    for target in targets(text):
        old, new = (n if n != _NULL else "" for n in (target.old, target.new))
        if not target.plain:
            old, new = (strip(n, level) if n else "" for n in (old, new))
        gone = target.moved or not new
        if old:
            found[old] = DELETE if gone else found.get(old, "write")
        if new:
            found[new] = "write"
    return found


def patch(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version", "-v")):
        return
    named(walk, step, args, row)
    folder = args.value("-d", "--directory")
    where = walk.full(step, folder.text) if folder is not None and folder.text is not None else None
    for word in args.operands[:1]:
        if args.value("-o", "--output") is None:
            path = word if where is None or word.text is None else words_of.plain(join(where, word.text))
            path = beneath(folder, word.rough) if folder is not None and folder.text is None else path
            walk.touch(step, path, cause="patch")
    given = args.value("-i", "--input") or (args.operands[1] if len(args.operands) > 1 else None)
    text = walk.content(step, given)
    if args.operands or (args.value("-o", "--output") is not None and not args.operands):
        return
    level = args.value("-p", "--strip")
    if text is None:
        walk.opaque(step, [w for w in (given, folder) if w is not None], "patch: the patch is not at hand")
        return
    for name, act in _patched(walk, step, text, level):
        if folder is not None and folder.text is None:
            walk.touch(step, beneath(folder, name), act, cause="patch")
            continue
        walk.path(step, name if where is None else join(where, name), act, cause="patch")


def beneath(folder: "Word", name: str) -> "Word":
    """A name in a folder that is not known."""
    from guards.shell.steps import Word

    parts = (*folder.parts, "/" + name)
    if folder.parts and folder.rough.endswith(folder.parts[-1]):
        parts = (*folder.parts[:-1], f"{folder.parts[-1]}/{name}")
    return Word(None, folder.raw + "/" + name, folder.cause, parts=parts, rough=folder.rough + "/" + name)


def _patched(walk: "Walk", step: "Step", text: str, level: "Word | None") -> "list[tuple[str, str]]":
    """Without -p, patch takes the last part of a name."""
    if level is not None and (level.text or "").isdigit():
        return list(names(text, int(level.text or "0")).items())
    return [(name.rsplit("/", 1)[-1], act) for name, act in names(text, 0).items()]


def apply_patch(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The patch form of agents' own tools, on standard input or as the one operand."""
    from guards.lanes import patches

    text = words[0].rough if words else walk.arriving(step)
    if text is None:
        walk.opaque(step, [], "apply_patch: the patch is not known")
        return
    for effect in patches.read(text):
        effect.cwd = step.cwd or walk.event.cwd
        effect.expanded = True
        walk.add(effect)
