"""make and run-parts: the text behind a target, where it is at hand and plain. Scripts of packages are in scripts.py.

A makefile is read for its rules and simple variables; functions, includes and patterns are left out. Names that
cannot be worked out stay as they are written, so the reader of the recipe sees an unknown variable.
"""

from guards.engine.world import join, normal
from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TARGETS = 60  # targets of one call, prerequisites among them
FILES = ("GNUmakefile", "makefile", "Makefile")
CMAKE = {
    "copy": ["cp"], "copy_if_different": ["cp"], "copy_directory": ["cp", "-r"], "rename": ["mv"], "rm": ["rm"],
    "remove": ["rm", "-f"], "remove_directory": ["rm", "-rf"], "touch": ["touch"], "make_directory": ["mkdir", "-p"],
    "tar": ["tar"], "create_symlink": ["ln", "-s"], "create_hardlink": ["ln"], "env": ["env"], "time": ["time"],
}  # fmt: skip


def make(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version", "-v")):
        return
    folder = args.value("-C", "--directory")
    base = ""
    if folder is not None:
        if folder.text is None:
            walk.leave("make: the folder is not known")
            return
        base = folder.text
    file = args.value("-f", "--file", "--makefile")
    text = walk.arriving(step) if file is not None and file.text == "-" else None
    for name in [file.text or ""] if file is not None else FILES:
        text = walk.source(step, join(base, name) if base else name) if text is None and name else text
    early = [walk.source(step, name) or "" for name in (step.env.get("MAKEFILES") or "").split()]
    added = [*early, *[v.rough for v in args.values(("--eval", "-E"))]]
    if any(added):
        text = "\n".join([text or "", *added])
    if text is None:
        walk.leave("make: no makefile at hand")
        return
    goals: list[str] = []
    given: dict[str, str] = {}
    for word in args.operands:
        name, equals, value = word.rough.partition("=")
        if equals:
            given[name.rstrip(":+?")] = value
        elif word.text is not None:
            goals.append(word.text)
    makefile = Makefile(text, given)
    cwd = walk.full(step, base) if base else None
    shell = given.get("SHELL", "")
    for line in [*makefile.asked, *makefile.recipes(goals)]:
        walk.text(step, line, cwd=cwd)
        if shell and not shell.startswith("/bin/"):
            walk.inner(step, [words_of.plain(w) for w in (shell, "-c", line)], cwd)
    walk.leave("make: what a makefile does beyond plain rules is not read")


class Makefile:
    """Rules (target → prerequisites, recipe lines) and plain variables."""

    def __init__(self, text: str, given: "dict[str, str]") -> None:
        self.rules: dict[str, tuple[list[str], list[str]]] = {}
        self.first = ""
        self.asked: list[str] = []  # commands whose output variables hold
        self.names: dict[str, str] = {"MAKE": "make", "CURDIR": ".", "RM": "rm -f", **given}
        self.given = given
        self._read(text.replace("\\\n\t", " ").replace("\\\n", " "))

    def _read(self, text: str) -> None:
        current: list[str] = []
        inside = ""
        for line in text.splitlines():
            words = line.split()
            if words[:1] == ["define"] and len(words) > 1:
                inside = words[1]
                self.names[inside] = ""
                continue
            if inside:
                self.names[inside] += "" if words[:1] == ["endef"] else line.lstrip("\t@-+ ") + "\n"
                inside = "" if words[:1] == ["endef"] else inside
                continue
            if line[:1] == "\t":
                for target in current:
                    self.rules[target][1].append(line[1:])
                continue
            bare = line.split("#", 1)[0].strip()
            if not bare:
                continue
            self._asks(bare)
            if self._variable(bare):
                current = []
                continue
            head, colon, tail = bare.partition(":")
            if not colon or bare.startswith(
                ("if", "else", "endif", "include", "-include", "define", "export", "vpath")
            ):
                continue
            current = self._expand(head).split()
            tail, semicolon, recipe = tail.lstrip(":").partition(";")
            for target in current:
                before, lines = self.rules.get(target, ([], []))
                self.rules[target] = (before + self._expand(tail).replace("|", " ").split(), lines)
                if semicolon:
                    self.rules[target][1].append(recipe.strip())
            if not self.first and current and current[0][:1] != "." and "%" not in current[0]:
                self.first = current[0]

    def _asks(self, line: str) -> None:
        """$(shell COMMAND) outside of recipes, and NAME != COMMAND."""
        if "$(shell " in line or "${shell " in line:
            self.asked.append(": " + self._expand("$(shell " + line.split("shell ", 1)[1]))
        name, sign, value = line.partition("!=")
        if sign and name.strip().isidentifier():
            self.asked.append(self._expand(value.strip()))

    def _variable(self, line: str) -> bool:
        for mark in (":::=", "::=", ":=", "?=", "+=", "!=", "="):
            name, sign, value = line.removeprefix("export ").removeprefix("override ").partition(mark)
            if sign:
                name = name.strip()
                if not name or any([c in name for c in " :\t"]):
                    return False
                if mark == "+=" and name in self.names:
                    value = self.names[name] + " " + value.strip()
                if name not in self.given and not (mark == "?=" and name in self.names):
                    self.names[name] = value.strip()
                return True
        return False

    def _expand(self, text: str, own: "dict[str, str] | None" = None, depth: int = 0) -> str:
        """$(X), ${X}, $X and $$; what is not known stays, as a shell variable that nobody sets."""
        out, at = "", 0
        while at < len(text):
            c = text[at]
            if c != "$" or at + 1 >= len(text):
                out += c
                at += 1
                continue
            following = text[at + 1]
            if following == "$":
                out += "$"
                at += 2
                continue
            if following in "({":
                end = _closing(text, at + 1)
                if end < 0:
                    return out + text[at:]
                name, at = text[at + 2 : end], end + 1
                if name.startswith("shell "):
                    out += f"$({self._expand(name[6:], own, depth + 1) if depth < 8 else name[6:]})"
                    continue
            else:
                name, at = following, at + 2
            value = (own or {}).get(name, self.names.get(name))
            out += (
                self._expand(value, own, depth + 1)
                if value is not None and depth < 8
                else "${_make_" + "".join([x if x.isalnum() else "_" for x in name]) + "}"
            )
        return out

    def recipes(self, goals: "list[str]") -> "list[str]":
        """The recipe lines of the goals, prerequisites first."""
        found: list[str] = []
        done: set[str] = set()
        todo = [(g, False) for g in reversed(goals or [self.first])]
        while todo and len(done) < TARGETS:
            target, ready = todo.pop()
            rule = self.rules.get(target)
            if rule is None or (target in done and not ready):
                continue
            if not ready:
                done.add(target)
                todo.append((target, True))
                todo += [(p, False) for p in reversed(rule[0])]
                continue
            own = {"@": target, "<": rule[0][0] if rule[0] else "", "^": " ".join(rule[0]), "*": target}
            found += [self._expand(line.lstrip("@-+ \t"), own) for line in rule[1]]
        return found


def _closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` is closed; -1 when it is not."""
    opening, closing, depth = text[at], ")" if text[at] == "(" else "}", 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if not depth:
            return place
    return -1


def parts(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Run-parts FOLDER: starts every program in it, those that this command put there among them."""
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version")) or not args.operands:
        return
    folder = args.operands[-1]
    if folder.text is None:
        walk.opaque(step, words, "run-parts: the folder is not known")
        return
    base = normal(walk.full(step, folder.text))
    made = [p.rsplit("/", 1)[1] for p in (*walk.copies, *step.files) if p.rpartition("/")[0] == base]
    for name in dict.fromkeys([*(walk.world.listdir(base, TARGETS) or ()), *made]):
        walk.inner(step, [words_of.plain(join(base, name))])


def cmake(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Cmake -E COMMAND: small file commands under other names."""
    if len(words) > 2 and words[0].text == "chdir":
        walk.inner(step, words[2:], walk.full(step, words[1].text) if words[1].text is not None else None)
    known = CMAKE.get(words[0].text or "") if words else None
    if known is not None:
        walk.inner(step, [words_of.plain(w) for w in known] + words[1:])
