"""find and fd: which names an expression selects, looked up on disk within bounds, and what is done to them.

The expression is read as find reads it. A test that is not known may be true and may be false: more can be selected
than find would select, never less. A tree with more names than are looked at is read as far as that.
"""

from guards.engine.world import is_dir, is_file, is_link, join, normal
from guards.shell import args as words_of
from guards.shell.globs import match
from guards.shell.lists import replaced
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step

NAMES = 6000  # names looked at in one find
RUNS = 300  # commands read for `-exec … \;`
_GLOBAL = ("-H", "-L", "-P", "-E", "-X", "-x", "-s", "-d")
_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")
_ONE = frozenset(
    {"-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-context", "-ctime", "-fstype", "-gid", "-group", "-ilname",
     "-inum", "-links", "-lname", "-mmin", "-mtime", "-perm", "-samefile",
     "-size", "-uid", "-used", "-user", "-xtype", "-flags", "-files0-from", "-newermt", "-newerct", "-Bmin"}
)  # fmt: skip
_PRINTS = ("-print", "-print0", "-printf", "-ls")
_TRUE = ("-true", "-daystart", "-depth", "-follow", "-mount", "-xdev", "-noleaf", "-d", "-nowarn", "-warn")
FILES = ("-fprint", "-fprint0", "-fls", "-fprintf")
RUN = ("-exec", "-execdir", "-ok", "-okdir")

# a node: (kind, value, words). kinds: or, and (value: list of nodes), not (node), test, act, prune, maybe, true, false


class Expression:
    __slots__ = ("actions", "at", "deepest", "dialect", "files", "root", "shallowest", "words")

    def __init__(self, words: "list[Word]") -> None:
        self.words = words
        self.at = 0
        self.actions: list[tuple[str, list[Word]]] = []
        self.files: list[Word] = []
        self.deepest = 1 << 30
        self.shallowest = 0
        self.dialect = "emacs"
        self.root = self._or()

    def _peek(self) -> "str | None":
        return (self.words[self.at].text or "") if self.at < len(self.words) else None

    def _take(self) -> Word:
        self.at += 1
        return self.words[self.at - 1]

    def _or(self) -> "tuple[str, Any]":
        found = [self._and()]
        while self._peek() in ("-o", "-or", ","):
            comma = self._take().text == ","
            found.append(self._and())
            if comma:  # both sides are done
                found = [("each", found)]
        return found[0] if len(found) == 1 else ("or", found)

    def _and(self) -> "tuple[str, Any]":
        found = []
        while (text := self._peek()) is not None and text not in ("-o", "-or", ",", ")"):
            if text in ("-a", "-and"):
                self._take()
                continue
            found.append(self._primary(self._take().text or ""))
        return ("and", found)

    def _primary(self, text: str) -> "tuple[str, Any]":
        if text in ("!", "-not"):
            return ("not", self._primary(self._take().text or "") if self._peek() is not None else ("true", None))
        if text == "(":
            inner = self._or()
            if self._peek() == ")":
                self._take()
            return inner
        if text in RUN:
            return self._run(text)
        if text == "-delete" or text in _PRINTS:
            self.at += text == "-printf"
            self.actions.append((text, []))
            return ("act", len(self.actions) - 1)
        if text in FILES:
            self.files += self.words[self.at : self.at + 1]
            self.at += 2 if text == "-fprintf" else 1
            return ("true", None)
        if text in _NAMES or text in ("-type", "-maxdepth", "-mindepth", "-newer"):
            return self._test(text)
        if text in ("-regex", "-iregex", "-regextype"):
            return self._expression(text)
        if text == "-empty":
            return ("test", (text, ""))
        if text in _ONE:
            self.at += 1
            return ("maybe", None)
        return (
            (text[1:], None) if text in ("-prune", "-false", "-quit") else ("true" if text in _TRUE else "maybe", None)
        )

    def _test(self, text: str) -> "tuple[str, Any]":
        value = self._take().text if self._peek() is not None else None
        if text[1:] in ("maxdepth", "mindepth"):
            if value and value.isdigit():
                self.deepest = int(value) if text == "-maxdepth" else self.deepest
                self.shallowest = int(value) if text == "-mindepth" else self.shallowest
            return ("true", None)
        return ("maybe", None) if value is None else ("test", (text, value))

    def _expression(self, text: str) -> "tuple[str, Any]":
        """-regex, held against the whole path; a form that is not worked out may be true."""
        value = self._take().text if self._peek() is not None else None
        if text == "-regextype":
            self.dialect = value or ""
            return ("true", None)
        from guards.shell import patterns

        form = patterns.of_find(value, self.dialect, text == "-iregex")
        return ("maybe", None) if form is None else ("regex", form)

    def _run(self, text: str) -> "tuple[str, Any]":
        start = self.at
        while (here := self._peek()) is not None:
            self.at += 1
            if here == ";" or (here == "+" and self.at - 2 > start and self.words[self.at - 2].text == "{}"):
                break
        self.actions.append((text, self.words[start : self.at]))
        return ("act", len(self.actions) - 1)


class Visit:
    """One name on its way through the expression."""

    __slots__ = ("info", "into", "kind", "path", "reached", "step", "walk")

    def __init__(self, walk: "Walk", step: "Step", path: str, info: "Any") -> None:
        self.walk = walk
        self.step = step
        self.path = path
        self.info = info
        self.kind = "d" if is_dir(info) else "l" if is_link(info) else "f" if is_file(info) else "?"
        self.into = True
        self.reached: set[int] = set()

    def go(self, node: "tuple[str, Any]", sure: bool) -> "tuple[bool, bool]":
        """(can be true, can be false)"""
        kind, value = node
        if kind == "act":
            self.reached.add(value)
            return True, False
        if kind == "test":
            hit = self._one(*value)
            return hit, not hit
        if kind == "regex":
            hit = value(self.path)
            return hit is not False, hit is not True
        if kind == "maybe":
            return True, True
        if kind == "prune" and sure:
            self.into = False
        if kind == "not":
            true, false = self.go(value, sure)
            return false, true
        if kind in ("and", "or"):
            return self._chain(value, sure, kind == "and")
        if kind == "each":
            return [self.go(inner, sure) for inner in value][-1]
        return kind != "false", kind == "false"

    def _chain(self, nodes: "list[tuple[str, Any]]", sure: bool, stop: bool) -> "tuple[bool, bool]":
        """`and` goes on while it can be true, `or` while it can be false."""
        ended = False
        for node in nodes:
            true, false = self.go(node, sure)
            on, off = (true, false) if stop else (false, true)
            ended = ended or off
            sure = sure and not off
            if not on:
                return (False, True) if stop else (True, False)
        return (True, ended) if stop else (ended, True)

    def _one(self, word: str, pattern: str) -> bool:
        if word == "-type":
            return self.kind == "?" or self.kind in pattern.split(",")
        if word == "-empty":
            if self.kind == "d":
                return not self.walk.world.listdir(self.walk.full(self.step, self.path), 1)
            return self.info is None or (self.kind == "f" and self.info.st_size == 0)
        if word == "-newer":
            other = self.walk.world.stat(self.walk.full(self.step, pattern))
            return other is None or self.info is None or self.info.st_mtime_ns > other.st_mtime_ns
        subject = self.path.rstrip("/").rsplit("/", 1)[-1] if word in ("-name", "-iname") else self.path
        if word[1] == "i":
            subject, pattern = subject.lower(), pattern.lower()
        return match(pattern, subject)


def split(words: "list[Word]") -> "tuple[list[Word], list[Word]]":
    """Starting points and expression."""
    start = 0
    while start < len(words) and words[start].text in _GLOBAL:
        start += 1
    at = start
    while at < len(words) and ((words[at].text or "x")[:1] not in ("-", "(", "!", ",") or words[at].text == "-"):
        at += 1
    rest = words[at:]
    if any([w.text == "-E" for w in words[:start]]):  # BSD's
        rest = [words_of.plain("-regextype"), words_of.plain("egrep"), *rest]
    return words[start:at] or [words_of.plain(".")], rest


def select(
    walk: "Walk", step: "Step", starts: "list[Word]", expression: Expression
) -> "list[tuple[str, set[int]]] | None":
    """(path, the actions it reaches) of every name; None when a starting point is not known."""
    found: list[tuple[str, set[int]]] = []
    looked = 0
    for start in starts:
        if start.text is None:
            return None
        todo = [(start.text, 0)]
        while todo:
            path, depth = todo.pop()
            looked += 1
            if looked > NAMES:
                walk.leave("find: more names than are looked at")
                return found
            here = walk.full(step, path)
            info = walk.world.lstat(here)
            came = put_there(walk, here)
            if info is None and came is None:
                continue
            visit = Visit(walk, step, path, info)
            if info is None:
                visit.kind = "d" if came else "?"
            true, _ = visit.go(expression.root, True)
            if depth >= expression.shallowest and (visit.reached or (true and not expression.actions)):
                found.append((path, visit.reached))
            if visit.kind == "d" and visit.into and depth < expression.deepest:
                inner = {*(walk.world.listdir(here, NAMES) or ()), *(came or ())}
                todo += [(join(path, name), depth + 1) for name in sorted(inner, reverse=True)]
    return found


def put_there(walk: "Walk", path: str) -> "list[str] | None":
    """The names that the same command put into a folder, [] for a file of its own; None for what it did not put."""
    if not walk.effects:
        return None
    from guards.shell import placed

    known, here = placed.tree(walk), normal(path)
    parent, _, name = here.rpartition("/")
    return list(known.get(here, ())) if here in known or name in known.get(parent or "/", ()) else None


def find(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    starts, rest = split(words)
    expression = Expression(rest)
    for file in expression.files:
        walk.touch(step, file, cause="find -fprint")
    if all([action in _PRINTS for action, _ in expression.actions]):
        return
    selected = select(walk, step, starts, expression)
    for number, (action, values) in enumerate(expression.actions):
        if selected is None:
            parts = tuple([p for s in starts for p in ((s.text,) if s.text is not None else s.parts)])
            names = [
                Word(
                    None,
                    " ".join([s.raw for s in starts]),
                    "names that find finds",
                    parts=parts,
                    rough=parts[0] if parts else "",
                )
            ]
        else:
            names = [words_of.plain(path) for path, reached in selected if number in reached]
        if action in _PRINTS:
            continue
        if action == "-delete":
            for name in names:
                walk.touch(step, name, "delete", cause="find -delete", follow=False)
        elif names:
            _exec(walk, step, action, values, names)


def _exec(walk: "Walk", step: "Step", action: str, values: "list[Word]", names: "list[Word]") -> None:
    plus = bool(values) and values[-1].text == "+"
    argv = values[:-1] if values and values[-1].text in (";", "+") else values
    local = action in ("-execdir", "-okdir")
    if plus and not local:
        walk.inner(step, (argv[:-1] if argv and argv[-1].text == "{}" else argv) + names)
        return
    for word in names[:RUNS]:
        cwd, name = None, word
        if local and word.text is not None:
            folder, _, last = word.text.rstrip("/").rpartition("/")
            cwd, name = walk.full(step, folder or "."), words_of.plain("./" + last)
        walk.inner(step, [replaced(w, "{}", name) for w in argv], cwd)


def printed(walk: "Walk", step: "Step", words: "list[Word]") -> "list[str] | None":
    """The names that find would print, or hand to the command of an -exec."""
    starts, rest = split(words)
    expression = Expression(rest)
    selected = select(walk, step, starts, expression)
    if selected is None:
        return None
    prints = {n for n, (action, _) in enumerate(expression.actions) if action in (*_PRINTS, "-exec", "-execdir")}
    return [path for path, reached in selected if not expression.actions or reached & prints]


def fd(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Fd -x COMMAND, -X COMMAND: for what it finds beneath its folders; the pattern is not judged."""
    cut = next((i for i, w in enumerate(words) if w.text in ("-x", "--exec", "-X", "--exec-batch")), None)
    if cut is None:
        return
    args = words_of.scan(words[:cut], row)
    argv = words[cut + 1 :]
    end = next((i for i, w in enumerate(argv) if w.text == ";"), len(argv))
    folders = [w.text or "" for w in args.operands[1:]] + [v.text or "" for v in args.values(("--search-path",))]
    sample = join(folders[0] or ".", "_") if folders else "_"
    name = Word(None, " ".join(folders), "names that fd finds", parts=(sample,), rough=sample)
    inner = [replaced(w, "{}", name) for w in argv[:end]]
    walk.inner(step, inner if any([w.text is None for w in inner]) else [*inner, name])
