"""make and package scripts: the text behind a target or a script's name, where it is at hand and plain.

A makefile is read for its rules and simple variables; functions, includes and patterns are left out. Names that
cannot be worked out stay as they are written, so the reader of the recipe sees an unknown variable.
"""

from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

TARGETS = 60  # targets of one call, prerequisites among them
FILES = ("GNUmakefile", "makefile", "Makefile")
RUN = ("run", "run-script", "rum", "urn")
ALONE = ("test", "start", "stop", "restart", "t", "tst")
INSTALLS = ("install", "i", "ci", "add", "rebuild", "publish", "pack", "prepare", "clean-install", "it", "install-test")
LIFE = ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
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
    added = [v.rough for v in args.values(("--eval", "-E"))]
    if added:
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
        for line in text.splitlines():
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


def scripts(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Npm run NAME and its kin: the script in package.json, with what runs before and after it."""
    args = words_of.scan(words, row, stop=True)
    verb = args.operands[0].text if args.operands else None
    rest = args.operands[1:]
    if verb is None:
        return
    behind = words_of.scan(rest, row, stop=verb in RUN)
    named(walk, step, behind, row)
    if verb in RUN:
        rest = behind.operands
        names = [rest[0].text] if rest and rest[0].text else []
    elif verb in ALONE:
        names = [{"t": "test", "tst": "test"}.get(verb, verb)]
    else:
        names = list(LIFE) if verb in INSTALLS or (verb not in RUN and step.name == "yarn" and not rest) else [verb]
    folder = behind.value(*row.get("chdir", ())) or args.value(*row.get("chdir", ()))
    base = folder.text + "/" if folder is not None and folder.text else ""
    known = package_scripts(walk, step, base + "package.json")
    runs = names if verb in INSTALLS else [p + n for n in names for p in ("pre", "", "post")]
    cwd = walk.full(step, base) if base else None
    extra = [w.rough for w in rest[1:] if w.text != "--"] if verb in RUN else []
    for name in runs:
        if name in known:
            walk.text(step, " ".join([known[name], *extra]) if name in names else known[name], cwd=cwd)
    walk.leave(f"{step.name} {verb}: runs code that is not read")
    if (
        verb not in RUN
        and verb not in ALONE
        and verb not in INSTALLS
        and verb not in known
        and step.name in ("yarn", "pnpm", "bun")
    ):
        _binary(walk, step, args.operands)


def _binary(walk: "Walk", step: "Step", operands: "list[Word]") -> None:
    """Yarn eslint …: a program of the project by its name; bun x.ts: a script."""
    name = (operands[0].text or "").rsplit("/", 1)[-1]
    if name.endswith((".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx")):
        from guards.shell import inline

        inline.script(walk, step, operands[0], operands[1:], "javascript")
    elif name in walk.programs and name not in (
        "install",
        "add",
        "remove",
        "link",
        "test",
        "set",
        "up",
        "exec",
        "create",
        "init",
        "info",
        "list",
        "why",
        "cache",
        "config",
        "dedupe",
        "outdated",
        "upgrade",
        "unlink",
        "patch",
        "store",
        "audit",
        "licenses",
        "rebuild",
        "prune",
        "import",
        "update",
        "export",
    ):
        walk.inner(step, operands)


def package_scripts(walk: "Walk", step: "Step", path: str) -> "dict[str, str]":
    from guards.engine.input import Unreadable, parse

    text = walk.source(step, path)
    if text is None:
        return {}
    try:
        found = parse(text.encode("utf-8", "replace")).get("scripts")
    except Unreadable:
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def cmake(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Cmake -E COMMAND: small file commands under other names."""
    known = CMAKE.get(words[0].text or "") if words else None
    if known is not None:
        walk.inner(step, [words_of.plain(w) for w in known] + words[1:])
