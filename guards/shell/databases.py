"""Shells of databases: sqlite3 and duckdb with their files, psql with what its own commands write here.

What a server does with SQL is not seen; a script that a command reads is read where it is at hand.
"""

from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

READS = (
    "select", "pragma", "explain", ".tables", ".schema", ".dump", ".headers", ".mode", ".indexes", ".databases", "with",
    ".help", "values", ".cd", ".read", ".output", ".once", ".shell", ".system", ".log", ".quit", ".exit", ".timer",
    ".width", ".separator", ".nullvalue", ".print", ".echo", ".bail", ".show",
)  # fmt: skip
NAMES = (".output", ".once", ".backup", ".save", ".log", ".trace", ".excel", ".clone", ".open")
DEPTH = 4  # scripts that read scripts


def sqlite(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The database file, unless what it is told only reads; files that its commands name; shell commands."""
    args = words_of.scan([w if (w.text or "")[:2] != "--" else words_of.plain((w.text or "")[1:]) for w in words], row)
    if args.has(("-help", "-version")):
        return
    database, *rest = args.operands or [words_of.plain(":memory:")]
    told = [w.rough for w in [*rest, *args.values(("-cmd", "-c", "-s"))]]
    arriving = walk.arriving(step) if not told else None
    early = [walk.content(step, file) or "" for file in args.values(("-init",))]
    lines = _lines([*early, *told, arriving or ""])
    session = Session(walk, step)
    for line in lines:
        session.line(line)
    known = bool(told) or arriving is not None or not step.piped
    reads = known and not session.changed and all([line.lower().startswith(READS) for line in lines])
    there = database.text is not None and walk.exists(step, database.text)
    if database.text not in (":memory:", "") and not args.has(("-readonly",)) and not (reads and there):
        walk.touch(step, database, cause=row["id"])


def _lines(texts: "list[str]") -> "list[str]":
    pieces = [piece.strip() for text in texts for piece in text.replace(";", "\n").splitlines()]
    return [piece for piece in pieces if piece]


class Session:
    """Lines for sqlite's shell. `changed`: a script that it reads may write to the database."""

    def __init__(self, walk: "Walk", step: "Step") -> None:
        self.walk = walk
        self.step = step
        self.changed = False
        self.depth = 0

    def line(self, line: str) -> None:
        walk, step = self.walk, self.step
        words = [w.strip("'\"()") for w in line.split()]
        low = [w.lower() for w in words]
        rest = line.partition(" ")[2].strip()
        if low[0] in NAMES and rest:
            self.name(rest.strip("'\""), words[-1], low[0])
        elif low[0] in (".shell", ".system"):
            walk.text(step, rest)
        elif low[0] == ".cd" and rest:
            from guards.shell.stepping import derive

            self.step = derive(step, step.argv, walk.full(step, words[1]))
        elif low[0] == ".read" and rest:
            self.read(rest.strip("'\""))
        elif low[0] == "vacuum" and "into" in low[:-1]:
            walk.path(step, words[low.index("into") + 1], cause="sqlite vacuum into")
        elif low[0] == "attach" and len(words) > 1:
            walk.path(step, words[2] if low[1] == "database" and len(words) > 2 else words[1], cause="sqlite attach")
        self.calls(line)

    def name(self, rest: str, last: str, command: str) -> None:
        """What the shell of sqlite writes to: a command behind a bar, or a file."""
        if rest[:1] == "|":
            self.walk.text(self.step, rest[1:])
        elif last not in (":memory:", "stdout", "off"):
            self.walk.path(self.step, last, cause="sqlite " + command)

    def read(self, name: str) -> None:
        if name[:1] == "|":
            self.walk.text(self.step, name[1:])
            return
        text = self.walk.source(self.step, name) if self.depth < DEPTH else None
        self.depth += 1
        lines = _lines([text or ""])
        self.changed = self.changed or text is None or not all([each.lower().startswith(READS) for each in lines])
        for each in lines:
            self.line(each)
        self.depth -= 1

    def calls(self, line: str) -> None:
        """writefile(FILE, …), and edit(TEXT, COMMAND), which a shell runs."""
        low = line.lower()
        if "writefile(" in low:
            inside = line[low.index("writefile(") + 10 :].strip().strip("'\"")
            self.walk.path(self.step, inside.split("'")[0].split('"')[0], cause="sqlite writefile")
        if low.startswith(("copy ", "export database ")):  # duckdb
            last = line.split("'")[1::2]
            if last and (" to '" in low or low.startswith("export")):
                self.walk.path(self.step, last[-1], cause="duckdb copy")
        if "edit(" in low:
            for text in line[low.index("edit(") :].split("'")[3::2]:
                self.walk.text(self.step, text)


def psql(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Its options name files; so do its commands, in -c, in a script and on standard input."""
    args = words_of.scan(words, row)
    named(walk, step, args, row)
    told = [v.rough for v in args.values(("-c", "--command", "-e", "--execute"))]
    told += [walk.content(step, file) or "" for file in args.values(("-f", "--file"))]
    for line in [line for text in told or [walk.arriving(step) or ""] for line in text.splitlines()]:
        for piece in line.split("\\")[1:]:
            _meta(walk, step, piece)


def _meta(walk: "Walk", step: "Step", text: str) -> None:
    """A backslash command of psql, or of mysql."""
    name, _, rest = text.partition(" ")
    rest = rest.strip()
    if text[:1] == "!":
        walk.text(step, text[1:])
    elif name in ("o", "out", "g", "gx", "w", "write", "s", "T") and rest[:1] == "|":
        walk.text(step, rest[1:])
    elif name in ("o", "out", "g", "gx", "w", "write", "s", "T") and rest and rest[0] not in ":(":
        walk.path(step, rest.split()[0].strip("'\";"), cause=f"psql \\{name}")
    elif name == "copy":
        _, to, tail = rest.partition(" to ") if " to " in rest else rest.partition(" TO ")
        first, _, program = tail.strip().partition(" ")
        if first.lower() == "program":
            walk.text(step, program.strip().strip("'"))
        elif to and first.lower() not in ("stdout", "pstdout", ""):
            walk.path(step, first.strip("'\""), cause="psql \\copy")
