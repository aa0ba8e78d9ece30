"""vi, vim and ex told what to do: commands of -c, --cmd, +COMMAND, of a script, and of standard input in silent mode.

A command that is kept for later (an autocommand, a command of one's own) counts where it stands; one that is put
together from variables is what these were given.
"""

from guards.shell import args as words_of
from guards.shell.editors import past_range
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

_QUIET = frozenset(
    {"sil", "silent", "sil!", "silent!", "exe", "execute", "keepjumps", "noautocmd", "noa", "bufdo", "argdo", "windo",
     "tabdo", "bufdo!", "argdo!", "verbose", "unsilent", "cfdo", "cdo", "ldo", "lfdo", "lockmarks", "keepalt", "keepp",
     "keeppatterns", "noswapfile", "vert", "vertical", "conf", "confirm", "hide", "browse", "tab"}
)  # fmt: skip
_WRITES = frozenset(
    {"w", "wr", "wri", "writ", "write", "wq", "x", "xi", "xit", "exi", "exit", "wn", "wN", "wa", "wall", "wqa", "wqall",
     "xa", "xall", "up", "update"}
)  # fmt: skip
_SAVES = frozenset(
    {"sav", "save", "saveas", "mks", "mksession", "mkvie", "mkview", "mkexrc", "mkvimrc", "redi", "redir", "wundo",
     "wv", "wviminfo", "wsh", "wshada", "mkspell", "ha", "hardcopy", "prof", "profile"}
)  # fmt: skip
_EVERY = frozenset({"wa", "wall", "wqa", "wqall", "xa", "xall"})
_OPENS = frozenset(
    {"e", "ed", "edi", "edit", "ex", "sp", "split", "vs", "vsp", "vsplit", "new", "vne", "vnew", "tabe", "tabedit",
     "tabnew", "f", "file", "fin", "find", "n", "next", "arge", "argedit", "dr", "drop", "sf", "sfind", "vie", "view"}
)  # fmt: skip
_LISTS = frozenset({"ar", "args", "arga", "argadd", "argl", "arglocal", "argg", "argglobal"})
_FOLDERS = frozenset({"cd", "chd", "chdir", "lc", "lcd", "lch", "lchdir", "tc", "tcd", "tch", "tchdir"})
_LATER = frozenset({"au", "autocmd", "com", "command", "map", "nmap", "nnoremap", "noremap", "cabbrev"})


def vim(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Commands from -c, --cmd, +COMMAND, a sourced file, and standard input in silent mode (-es)."""
    args = words_of.scan(words, row)
    if args.has(("--help", "--version", "-h")):
        return
    named(walk, step, args, row)
    for option, value in args.options:  # -V1FILE
        place = (value.text or "").lstrip("0123456789") if option == "-V" and value is not None else ""
        if place:
            walk.path(step, place, cause="vim -V")
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
        self.texts: list[str] = []  # what variables were given

    def line(self, text: str, depth: int = 0) -> None:
        if depth > 6:
            return
        command = past_range(text.lstrip(": \t"))
        if command[:1] in ("s", "&", "~") and command[1:2] in ("/", "#", "@", "!", ","):
            mark = command[1]
            parts = command[2:].split(mark)
            rest = mark.join(parts[2:]) if len(parts) > 2 else ""
            if "|" in rest:
                self.line(rest.partition("|")[2], depth + 1)
            return
        found = _global(command)
        if found:
            self.line(found, depth + 1)
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
        if bare in ("exe", "execute") and rest[:1] not in ("'", '"'):
            for given in self.texts:
                self.line(given, depth + 1)
        elif name in _QUIET or bare in _QUIET:
            self.line(rest.strip("\"'") if bare in ("exe", "execute") else rest, depth + 1)
        elif bare in _FOLDERS and rest:
            self.go(rest)
        elif bare in _LISTS and rest:
            self.files = self.here = [*self.files, *[words_of.plain(piece) for piece in rest.split()]]
        elif bare == "let":
            self.texts.append(rest.partition("=")[2].strip().strip("\"'"))
            if "(" in text:
                self.call(bare, text)
        elif bare in _LATER:
            self.later(rest, depth)
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

    def go(self, folder: str) -> None:
        """What is open stays where it is."""
        from guards.shell.stepping import derive

        def placed(word: "Word") -> "Word":
            return words_of.plain(self.walk.full(self.step, word.text)) if word.text else word

        self.files, self.here = [placed(w) for w in self.files], [placed(w) for w in self.here]
        self.step = derive(self.step, self.step.argv, self.walk.full(self.step, folder))

    def later(self, rest: str, depth: int) -> None:
        """The command behind what says when it runs: an event and a pattern, a name, keys."""
        pieces = [p for p in rest.split(" ") if p and p[:1] not in ("-", "+")]
        for at in (1, 2):
            tail = " ".join(pieces[at:])
            if tail and past_range(tail.lstrip(":"))[:1] in "wWxsueac!:n":
                self.line(tail, depth + 1)

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


def _global(command: str) -> str:
    """`g/PATTERN/COMMAND`: the command; "" where it is none."""
    mark = command[1:].lstrip("!")[:1]
    if command[:1] not in ("g", "v") or not mark or mark.isalnum() or mark in ' "|(':
        return ""
    at = command.index(mark) + 1
    while at < len(command) and command[at] != mark:
        at += 2 if command[at] == "\\" else 1
    return command[at + 1 :]
