"""Editors told what to do: ed by its script, vi and ex by their commands, sd. Without such they wait for a terminal."""

from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

_RANGE = "0123456789.$%,;+-'<> \t:"
_QUIET = (
    "sil",
    "silent",
    "sil!",
    "silent!",
    "exe",
    "execute",
    "keepjumps",
    "noautocmd",
    "noa",
    "bufdo",
    "argdo",
    "windo",
    "tabdo",
    "bufdo!",
    "argdo!",
    "verbose",
    "unsilent",
)
_WRITES = frozenset(
    {
        "w",
        "wr",
        "wri",
        "writ",
        "write",
        "wq",
        "x",
        "xi",
        "xit",
        "exi",
        "exit",
        "wn",
        "wN",
        "wa",
        "wall",
        "wqa",
        "wqall",
        "xa",
        "xall",
        "up",
        "update",
    }
)
_SAVES = frozenset(
    {
        "sav",
        "save",
        "saveas",
        "mks",
        "mksession",
        "mkvie",
        "mkview",
        "mkexrc",
        "mkvimrc",
        "redi",
        "redir",
        "wundo",
        "wv",
        "wviminfo",
        "wsh",
        "wshada",
    }
)

_EVERY = frozenset({"wa", "wall", "wqa", "wqall", "xa", "xall"})
_OPENS = frozenset(
    {"e", "ed", "edi", "edit", "ex", "sp", "split", "vs", "vsp", "vsplit", "new", "vne", "vnew", "tabe", "tabedit",
     "tabnew", "f", "file", "fin", "find", "n", "next", "arge", "argedit", "dr", "drop", "sf", "sfind", "vie", "view"}
)  # fmt: skip


def ed(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    script = walk.arriving(step)
    file = args.operands[0] if args.operands else None
    if script is None:
        if file is not None and (step.piped or step.redirects):
            walk.opaque(step, [file], "ed: its script is not known")
        return
    if file is not None and (file.text or "")[:1] == "!":
        walk.text(step, (file.text or "")[1:])
        file = None
    typing = False
    for line in script.splitlines():
        if typing:
            typing = line != "."
            continue
        command = _past_range(line)
        if command[:1] in ("g", "v", "G", "V") and len(command) > 2:
            command = command.rsplit(command[1], 1)[-1]
        if command[:1] in ("a", "i", "c") and not command[1:].strip("pln"):
            typing = True
        elif command[:1] == "!":
            walk.text(step, command[1:])
        elif command[:1] in ("e", "E", "f") and command[1:].strip():
            file = words_of.plain(command[1:].strip())
        elif command[:1] in ("w", "W", "r"):
            _ed_file(walk, step, command, file)


def _ed_file(walk: "Walk", step: "Step", command: str, file: "Word | None") -> None:
    name = command[1:].lstrip("q").strip()
    if name[:1] == "!":
        walk.text(step, name[1:])
    elif command[0] == "r":
        return
    elif name:
        walk.path(step, name, cause="ed w")
    elif file is not None:
        walk.touch(step, file, cause="ed w")


def _past_range(text: str) -> str:
    """A command without its addresses: numbers, marks, /patterns/."""
    at = 0
    while at < len(text):
        c = text[at]
        if c in "/?":
            at += 1
            while at < len(text) and text[at] != c:
                at += 2 if text[at] == "\\" else 1
            at += 1
        elif c == "'" and at + 1 < len(text):
            at += 2
        elif c in _RANGE:
            at += 1
        else:
            break
    return text[at:]


def vim(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Commands from -c, --cmd, +COMMAND, a sourced file, and standard input in silent mode (-es)."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version", "-h")):
        return
    named(walk, step, args, row)
    texts = [v.rough for v in args.values(("-c", "--cmd"))]
    files = [w for w in args.operands if (w.text or "")[:1] != "+" or len(w.text or "") == 1]
    texts += [(w.text or "")[1:] for w in args.operands if (w.text or "")[:1] == "+" and len(w.text or "") > 1]
    for source in args.values(("-S",)):
        texts.append(walk.content(step, source) or "")
    silent = args.has(("-s", "-es", "-Es")) or (step.name or "").rsplit("/", 1)[-1] == "ex"
    if silent and not texts:
        texts.append(walk.arriving(step) or "")
    editor = Ex(walk, step, files)
    for text in texts:
        for line in text.splitlines():
            editor.line(line)


class Ex:
    """Ex commands for the files that are open."""

    def __init__(self, walk: "Walk", step: "Step", files: "list[Word]") -> None:
        self.walk = walk
        self.step = step
        self.files = files
        self.here = files  # what `:w` writes

    def line(self, text: str, depth: int = 0) -> None:
        if depth > 6:
            return
        command = _past_range(text.lstrip(": \t"))
        if command[:1] in ("s", "&", "~") and command[1:2] in ("/", "#", "@", "!", ","):
            mark = command[1]
            parts = command[2:].split(mark)
            rest = mark.join(parts[2:]) if len(parts) > 2 else ""
            if "|" in rest:
                self.line(rest.partition("|")[2], depth + 1)
            return
        if command[:1] in ("g", "v") and command[1:2] in ("/", "!", "#"):
            mark = command[2] if command[1] == "!" else command[1]
            self.line(command.rsplit(mark, 1)[-1], depth + 1)
            return
        if command[:1] == "!":
            self.walk.text(self.step, command[1:])
            return
        head, _, rest = command.partition("|") if not _whole(command) else (command, "", "")
        self.command(head.strip(), depth)
        if rest:
            self.line(rest, depth + 1)

    def command(self, text: str, depth: int) -> None:
        name, _, rest = text.partition(" ")
        bare = name.rstrip("!")
        rest = rest.strip()
        if name in _QUIET or bare in _QUIET:
            self.line(rest.strip("\"'") if bare in ("exe", "execute") else rest, depth + 1)
        elif bare in ("norm", "normal"):
            if "ZZ" in rest or ":w" in rest or ":x" in rest:
                self.write("")
        elif bare in _WRITES:
            while rest[:2] == "++":
                rest = rest.partition(" ")[2]
            self.write(rest, every=bare in _EVERY)
        elif bare in _OPENS and rest and rest[:1] != "#":
            self.here = [words_of.plain(rest.split()[-1])]
            self.files = [*self.files, *self.here]
        elif bare in _SAVES and rest:
            self.walk.path(self.step, rest.lstrip(">@ ").strip(), cause=f"vim :{bare}")
        elif bare in ("r", "read") and rest[:1] == "!":
            self.walk.text(self.step, rest[1:])
        elif bare in ("so", "source", "luafile", "pyfile"):
            for line in (self.walk.source(self.step, rest) or "").splitlines():
                self.line(line, depth + 1)
        elif "(" in text or bare in ("lua", "py", "python", "py3", "python3", "perl", "ruby"):
            self.call(bare, rest if bare in ("lua", "py", "python", "py3", "python3", "perl", "ruby") else text)

    def write(self, rest: str, *, every: bool = False) -> None:
        if rest[:1] == "!":
            self.walk.text(self.step, rest[1:])
        elif rest:
            self.walk.path(self.step, rest.lstrip("> "), cause="vim :w")
        else:
            for word in self.files if every else self.here:
                self.walk.touch(self.step, word, cause="vim :w")

    def call(self, name: str, text: str) -> None:
        """Call writefile(…), call system(…), and embedded languages."""
        from guards.shell import inline

        language = {"lua": "lua", "perl": "perl", "ruby": "ruby"}.get(name, "python" if name[:2] == "py" else "vim")
        inline.code(self.walk, self.step, text, [], language)


def _whole(command: str) -> bool:
    """Commands that take the rest of the line, bars and all."""
    name = command.partition(" ")[0].rstrip("!")
    return name in ("norm", "normal", "bufdo", "argdo", "windo", "tabdo") or (
        name in ("r", "read", "w", "write") and "!" in command
    )


def sd(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Sd FIND REPLACE FILE...: in place."""
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version")):
        return
    for word in args.operands[2:]:
        walk.touch(step, word, cause="sd", follow=False)
