"""What `grep -l` and `rg -l` list: the files that their options leave, and of those the ones that hold the pattern.

A file's answer is yes, no, or None where the text of it does not decide (patterns.py). A list is sure where each
file that a lane holds is decided. Of the others nothing hangs on the answer; what is more than is looked into counts
as listed.
"""

from guards.engine.event import DELETE, WRITE, Effect
from guards.engine.world import is_dir, is_file, is_link, join
from guards.shell import args as words_of
from guards.shell.patterns import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

    Keep = Callable[[str, bool], int]  # (path, whether it is a folder) → 0 left out, 1 kept, 2 kept though hidden
    Listing = tuple[list[str], bool]  # names, and whether the list is sure

NAMES = 8000  # names looked at in one search
FILES, BYTES = 3000, 16 << 20  # files looked into, and how much of them
MANY = 1000  # names of which those in lanes come first, whatever else is cut off
HELD = 400  # files in lanes that are looked into beyond those
LARGEST = 1 << 20  # bytes of one file
_LATE = ("node_modules", "objects", "target", "vendor", ".venv", "venv")  # large, so looked at last
GREP = {
    "value": (
        "-e", "--regexp", "-f", "--file", "-m", "--max-count", "-A", "-B", "-C", "-d", "--directories", "-D",
        "--devices", "--label", "--include", "--exclude", "--exclude-from", "--exclude-dir", "--binary-files",
        "--after-context", "--before-context", "--context",
    ),
    "glued": ("--color", "--colour"),
    "when": ("--files-with-matches", "--files-without-match", "--recursive", "--dereference-recursive", "--null"),
}  # fmt: skip
RG = {
    "value": (
        "-e", "--regexp", "-f", "--file", "-m", "--max-count", "-A", "-B", "-C", "-g", "--glob", "--iglob", "-t",
        "--type", "-T", "--type-not", "-d", "--max-depth", "-E", "--encoding", "-j", "--threads", "-M",
        "--max-columns", "-r", "--replace", "--sort", "--sortr", "--max-filesize", "--ignore-file", "--pre",
        "--pre-glob", "--engine", "--color", "--colors", "--path-separator", "--type-add", "--type-clear",
        "--after-context", "--before-context", "--context",
    ),
    "when": ("--files-with-matches", "--files-without-match", "--files", "--null", "--hidden", "--no-ignore"),
}  # fmt: skip
# options that leave fewer files in a way that is not worked out
_FEWER = ("--exclude-from", "--max-depth", "--max-filesize", "--ignore-file", "--pre", "--type-add")
_LISTS = (".ignore", ".rgignore")
_MOVES = ("checkout", "switch", "merge", "pull", "rebase", "reset", "stash", "cherry-pick", "apply", "am", "restore")


def lists(args: "Args", rg: bool) -> bool:
    return args.has(("-l", "--files-with-matches", "--files-without-match", *(("--files",) if rg else ("-L",))))


def listed(walk: "Walk", step: "Step", args: "Args", name: str) -> "Listing | None":
    """The names that the search lists, or may list; None where what is searched is not known."""
    key = (step.cwd or "", name, *[w.text or "\0" + w.raw for w in step.argv])
    if key not in walk.lists:
        walk.lists[key] = _listed(walk, step, args, name)
    found: Listing | None = walk.lists[key]
    return found


def _listed(walk: "Walk", step: "Step", args: "Args", name: str) -> "Listing | None":
    rg = name in ("rg", "ripgrep")
    every = rg and args.has(("--files",))
    given = every or bool(args.values(("-e", "--regexp", "-f", "--file")))
    places = [w.text for w in (args.operands if given else args.operands[1:])]
    if None in places:
        return None
    pattern = Pattern(args, name) if not every else None
    search = Search(walk, step, args, rg)
    names = search.names([p for p in places if p])
    loose = args.has(_FEWER) or (rg and args.has(("-d",))) or search.loose or _moved(walk)
    found = Decided(walk, step, pattern, loose).of(names)
    return search.without_ignored(found) if rg else found


def _moved(walk: "Walk") -> bool:
    """Whether git put other files there before, in the same text."""
    return any([s.name == "git" and any([w.text in _MOVES for w in s.argv[1:4]]) for s in walk.history])


class Search:
    """The files that a search goes through, spelled as it would print them."""

    def __init__(self, walk: "Walk", step: "Step", args: "Args", rg: bool) -> None:
        from guards.shell import searchglobs

        self.walk, self.step, self.rg = walk, step, rg
        ups = sum([1 for option, _ in args.options if option in ("-u", "--unrestricted")])
        self.all = ups > 0 or args.has(("--no-ignore", "--no-ignore-vcs"))
        self.hidden = ups > 1 or args.has(("--hidden", "-."))
        deep = ("-r", "-R", "--recursive", "--dereference-recursive")
        value = args.value("-d", "--directories")
        self.deep = rg or args.has(deep) or (value is not None and value.text == "recurse")
        self.follow = args.has(("-L", "--follow") if rg else ("-R", "--dereference-recursive"))
        self.keep, self.loose, self.named = searchglobs.of_rg(args) if rg else searchglobs.of_grep(args)
        self.shown = [] if not rg or self.hidden or self.all else self._shown()
        self.places: list[str] = []

    def names(self, places: "list[str]") -> "list[str]":
        found: list[str] = []
        self.places = places
        if not places and not self.deep:
            return []
        for place in places or [""]:
            info = self.walk.world.stat(self.walk.full(self.step, place or "."))
            if is_dir(info):
                found += self._beneath(place) if self.deep else []
            elif info is not None and (self.rg or self.keep(place, False)):
                found.append(place)
        return found

    def _beneath(self, place: str) -> "list[str]":
        world, base = self.walk.world, self.walk.full(self.step, place or ".")
        found: list[str] = []
        todo: list[str] = [""]
        late: list[str] = []
        seen = 0
        while todo or late:
            here = todo.pop(0) if todo else late.pop()
            names = world.listdir(join(base, here) if here else base, NAMES) or []
            for name in names if here or not self.rg else self._regarded(place, names):
                seen += 1
                if seen > NAMES:
                    self.walk.leave("grep: more names than are looked at")
                    return found
                path = f"{here}/{name}" if here else name
                info = world.lstat(join(base, path))
                if is_link(info):
                    info = world.stat(join(base, path)) if self.follow and path.count("/") < 20 else None
                shown = path if not place else place + path if place[-1:] == "/" else f"{place}/{path}"
                if not self._wanted(shown, name, is_dir(info)):
                    continue
                if is_dir(info):
                    (late if name in _LATE else todo).append(path)
                elif is_file(info):
                    found.append(shown)
        return found

    def _shown(self) -> "list[str]":
        """Patterns that take a hidden name back in: `!.github` in a .gitignore does."""
        found: list[str] = []
        for name in (".gitignore", ".ignore", ".rgignore"):
            data = self.walk.world.read(self.walk.full(self.step, name), 1 << 16) or b""
            found += [line[1:].strip() for line in data.decode("utf-8", "replace").splitlines() if line[:1] == "!"]
        return found

    def _wanted(self, path: str, name: str, folder: bool) -> bool:
        from guards.shell.searchglobs import ignores

        kept = self.keep(path, folder)
        if not kept or not self.rg or name[:1] != "." or self.hidden or kept > 1:
            return bool(kept)
        return any([ignores(pattern, path, folder) for pattern in self.shown])

    def _regarded(self, place: str, names: "list[str]") -> "list[str]":
        """Without the folders that git ignores: nothing beneath them is to be looked at."""
        shown = [join(place, n) if place else n for n in names]
        info = {s: self.walk.world.lstat(self.walk.full(self.step, s)) for s in shown}
        gone = self._ignored([s for s in shown if is_dir(info[s]) and not s.endswith(".git")][:HELD])
        return [n for n, s in zip(names, shown, strict=True) if s not in gone]

    def without_ignored(self, listing: "Listing") -> "Listing":
        names, sure = listing
        gone = self._ignored([n for n in names[: 2 * MANY] if Decided.held(self.walk, self.step, n)][:HELD])
        return [n for n in names if n not in gone], sure

    def _ignored(self, paths: "list[str]") -> "set[str]":
        """Those that rg passes over because git ignores them: not what it was told to search, and nothing where other
        lists of that kind may say more."""
        if self.all or self.named or not paths or any([self.walk.exists(self.step, n) for n in _LISTS]):
            return set()
        from guards.shell import gitask

        full = {p: self.walk.full(self.step, p) for p in [*paths, *self.places]}
        where = self.step.cwd or self.walk.event.cwd
        out = gitask.ask(self.walk, where, ["check-ignore", "--no-index", "--", *full.values()])
        ignored = set((out or "").splitlines())  # a name that git quotes is not taken out
        told = [p for p in self.places if full[p] in ignored]
        return {p for p in paths if full[p] in ignored and not any([_in(p, t) for t in told])}


def _in(name: str, place: str) -> bool:
    return name == place or name.startswith(place.rstrip("/") + "/")


class Decided:
    """Which of the names hold the pattern."""

    def __init__(self, walk: "Walk", step: "Step", pattern: "Pattern | None", loose: bool) -> None:
        self.walk, self.step, self.pattern, self.loose = walk, step, pattern, loose
        self.bytes = 0
        self.files = 0

    def of(self, names: "list[str]") -> "Listing":
        """Names in lanes come first in the list: what takes so many of them takes those."""
        answers = {n: self._holds(n, self.files < FILES and self.bytes < BYTES) for n in dict.fromkeys(names)}
        open_ = [n for n, found in answers.items() if found is None or (self.loose and found)]
        held = [n for n in open_ if self.held(self.walk, self.step, n)]
        self.files = 0
        for name in held:
            if answers[name] is None:
                answers[name] = self._holds(name, self.files < HELD)
        sure = not any([answers[n] is None or (self.loose and answers[n]) for n in held])
        kept = [n for n in {**dict.fromkeys(held), **answers} if answers[n] is not False]
        if len(kept) > MANY:
            kept.sort(key=lambda n: not self.held(self.walk, self.step, n))
        return kept, sure

    @staticmethod
    def held(walk: "Walk", step: "Step", name: str) -> bool:
        """Whether a lane holds the file."""
        from guards.lanes import find

        rules = walk.world.rules(find.NAME)
        if rules is None:
            return False
        if walk.look is None:
            walk.look = find.Look(walk.event, walk.world, rules, manifests=False)
        cwd = step.cwd or walk.event.cwd
        hits = [walk.look.effect(Effect(name, act, cwd=cwd, expanded=True)) for act in (WRITE, DELETE)]
        return any([hit is not None for hit in hits])

    def _holds(self, name: str, within: bool) -> "bool | None":
        if self.pattern is None:
            return True
        if not within or not self.pattern.known:
            return None
        here = self.walk.full(self.step, name)
        self.files += 1
        given = self.step.files.get(here)
        if given is None and (here in self.step.files or here in self.walk.copies):
            return None
        data = given.encode("utf-8", "surrogateescape") if given is not None else self.walk.world.read(here, LARGEST)
        if data is None or len(data) > LARGEST:
            return None
        self.bytes += len(data)
        return self.pattern.holds(data)


def options(words: "list[Word]", rg: bool) -> "Args":
    return words_of.scan(words, RG if rg else GREP)
