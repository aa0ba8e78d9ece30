"""The walk over a command's steps: what each touches, what stays unsaid and why, which commands were started.

Programs are read by programs.py and the readers it names; here is what they all share: how a path becomes an
effect, how inner text and inner commands come back to the walk, what earlier steps of the same command changed
(links, folders, files whose content the text shows), and the bounds. What is not known becomes an effect that is
not exact, with the paths it mentions; nothing is guessed.
"""

from guards.engine.event import EXACT, WRITE, Effect
from guards.engine.world import is_dir, join, normal
from guards.shell.args import Rows
from guards.shell.steps import Step, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.shell.contents import Change
    from guards.shell.steps import Reading

DEPTH = 14  # texts within texts; people write three
LONGEST = 1024  # characters of a word that can be a path
_BLANK = frozenset(" \t\n\r\x0b\x0c")
OPENS = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
NOT_FILES = frozenset(
    {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "-"}
)
FILTERS = frozenset({"sed", "awk", "gawk", "tr", "cut", "head", "tail", "grep", "envsubst", "perl", "sort", "expand"})
STRANGER = "a program that is not in the list"
RUNNER = "runs code that is not read"


class Command:
    """One command that would be started, after its wrappers: for guards that judge commands, not paths.

    argv   its words; sets: variables given to it or set by it (name -> text or None); cwd as in a step
    """

    __slots__ = ("argv", "cwd", "sets", "step")

    def __init__(self, argv: "list[Word]", sets: "dict[str, str | None]", cwd: "str | None", step: Step) -> None:
        self.argv = argv
        self.sets = sets
        self.cwd = cwd
        self.step = step


class Walk:
    """effects and commands of one event; `unread` tells, for `explain`, what was left out and why."""

    def __init__(self, event: "Event", world: "World", table: "dict[str, Any]") -> None:
        self.event = event
        self.world = world
        self.table = table
        self.programs = Rows(table)
        self.effects: list[Effect] = []
        self.commands: list[Command] = []
        self.unread: list[str] = []
        self.history: list[Step] = []
        self.links: dict[str, str] = {}
        self.spelled: dict[str, str] = {}  # symbolic links of these, as they are written
        self.adrift: list[tuple[str, str, str]] = []  # links whose names are not known: placed.py
        self.placed: dict[str, dict[str, None]] = {}  # folder → names put into it; `counted` effects are in it
        self.counted = 0
        self.partial: set[str] = set()  # copied folders of which not all was looked at
        self.packs: dict[str, list[str] | None] = {}  # an archive this command makes → its members
        self.made: set[str] = set()
        self.asked: dict[tuple[str, ...], str | None] = {}
        self.lists: dict[tuple[str, ...], Any] = {}  # what searches list, looked up once
        self.look: Any = None  # at the lanes, for what has to know whether a file is held
        self.loose = False  # lists are asked for what they may hold
        self.copies: dict[str, str] = {}  # a file this command makes → the file it is made of
        self.hashed: dict[str, Word] = {}  # names that `hash -p` gave to programs
        self.paths: dict[str, None] = {}  # folders put on PATH
        self.indexed: list[str] = []  # what earlier steps put into git's index: revisions, and names
        self.staged: list[str] = []
        self.kept: dict[str, Any] = {}  # what single programs keep of earlier steps: git's stash, names and settings
        self.variables: set[tuple[str, str, str | None]] = set()  # of the environment, with the values looked at
        self.readers: list[str] = []
        self.taken: list[tuple[int, Step]] = []  # (depth, step) of everything walked, for `explain`
        self.depth = 0
        self.full_up = False  # something was left out, and that was said
        self.chains: dict[str, list[Any]] = {}  # a file this command writes → what it does to its text, in order
        self.drafts: dict[str, Change] = {}  # a file that is made of another, with what becomes of its keys
        self._seen: dict[tuple[Any, ...], Effect] = {}
        self._languages: dict[str, Any] | None = None

    @property
    def languages(self) -> "dict[str, Any]":
        """The calls of languages, unpacked when the first program text is read."""
        if self._languages is None:
            import marshal

            self._languages = marshal.loads(self.table["languages"])
        return self._languages

    # ---- the walk
    def reading(self, reading: "Reading") -> None:
        """Every step of a reading; text that could not be read to its end becomes one unreadable effect."""
        for step in reading.steps:
            self.step(step)
        if reading.unreadable:
            doubt().unreadable(self, reading.mentions, reading.unreadable)

    def step(self, step: Step) -> None:
        self.taken.append((self.depth, step))
        if getattr(step, "never", False):  # `false && …`: the text says that it does not run
            return
        for redirect in step.redirects:
            if redirect.op in OPENS and redirect.target is not None:
                change = None if step.put is None else contents().put(self, step, redirect)
                self.touch(step, redirect.target, cause=redirect.op, change=change)
                if redirect.target.raw == "!" and step.argv:  # zsh: `>! FILE`
                    self.touch(step, step.argv[-1], cause=redirect.op + "!")
        if step.argv or step.assigns:
            from guards.shell import programs

            programs.command(self, step, step.argv, {})
            if step.redirects and step.name in FILTERS:
                doubt().filtered(self, step)
        self.history.append(step)

    def text(
        self,
        step: Step,
        code: str,
        args: "Sequence[Word | str] | None" = None,
        cwd: "str | None" = None,
        env: "dict[str, str | None] | None" = None,
    ) -> None:
        """Inner shell text, read like the outer one. `args`: $0, $1, ... as far as they are given."""
        if self.depth >= DEPTH:
            doubt().overflow(self, "shell text nested too deeply")
            return
        from guards.shell import read

        known: dict[str, str | None] = {**step.env, **(env or {})}
        where = cwd if cwd is not None else step.cwd
        outer, self.history = self.history, []
        self.depth += 1
        try:
            self.reading(
                read.steps(
                    code,
                    where,
                    known,
                    self.world,
                    self.table,
                    args=list(args) if args is not None else None,
                    files=step.files,
                )
            )
        finally:
            self.depth -= 1
            self.history = outer

    def inner(
        self,
        step: Step,
        argv: "list[Word]",
        cwd: "str | None" = None,
        sets: "dict[str, str | None] | None" = None,
        stdin: "str | None" = None,
    ) -> None:
        """A command handed on by a wrapper."""
        if not argv:
            return
        if self.depth >= DEPTH:
            doubt().overflow(self, "wrappers nested too deeply")
            return
        from guards.shell import programs

        inner = derive(step, argv, cwd, stdin)
        if sets:
            inner.env = {**step.env, **sets}
        self.depth += 1
        try:
            programs.command(self, inner, argv, sets or {})
        finally:
            self.depth -= 1

    # ---- what is touched
    def touch(
        self,
        step: Step,
        word: Word,
        act: str = WRITE,
        *,
        cause: str,
        follow: bool = True,
        tree: bool = False,
        change: "Change | None" = None,
    ) -> None:
        """A word names what is touched. change: what becomes of its text, where that is known."""
        if word.glob and word.text is not None:
            doubt().unexpanded(self, step, word.text, act, cause, follow, tree)
        if word.text is None:
            if word.cause != "extended glob" or not doubt().extended(self, step, word, act, cause, follow, tree):
                self.unknown(step, word, act, cause)
        elif word.text and word.text not in NOT_FILES:
            self.path(step, word.text, act, cause=cause, follow=follow, tree=tree, change=change)

    def path(
        self,
        step: Step,
        path: str,
        act: str = WRITE,
        *,
        cause: str,
        follow: bool = True,
        tree: bool = False,
        change: "Change | None" = None,
    ) -> None:
        """A path that is known, in the directory of the step."""
        if is_descriptor(path):
            return
        if step.cwd is None and path[:1] != "/":
            doubt().nowhere(self, step, path, act, cause)
            return
        cwd = step.cwd or self.event.cwd
        done = contents().chained(self, normal(join(cwd, path)), change) if act == WRITE else None
        self.add(Effect(path, act, EXACT, cwd, follow, tree, expanded=True, change=done, cause=cause))
        if self.links:
            doubt().through_links(self, path, act, cwd, follow, tree, cause)

    def unknown(self, step: Step, word: Word, act: str, cause: str) -> None:
        """A target that the text does not show."""
        doubt().unknown(self, step, word, act, cause)

    def opaque(self, step: Step, words: "Sequence[Word | str]", cause: str) -> None:
        """A program or a text that may write somewhere it does not show."""
        doubt().opaque(self, step, words, cause)

    def add(self, effect: Effect, again: bool = False) -> None:
        """again: another reader's word for what may be known already."""
        key = (effect.path, effect.act, effect.certainty, effect.cwd, effect.follow, effect.tree, effect.mentions)
        earlier = self._seen.get(key)
        if earlier is not None:
            if effect.act == WRITE and not again:
                earlier.change = effect.change  # which holds the earlier ones
            return
        self._seen[key] = effect
        self.effects.append(effect)

    def leave(self, why: str) -> None:
        """Something is not read; `explain` shows it."""
        if why not in self.unread:
            self.unread.append(why)

    # ---- what is there
    def full(self, step: Step, path: str) -> str:
        return join(step.cwd or self.event.cwd, path)

    def is_dir(self, step: Step, path: str) -> bool:
        here = self.full(step, path)
        if path[-1:] == "/" or is_dir(self.world.stat(here)) or normal(here) in self.made:
            return True
        if not self.effects:
            return False
        from guards.shell import placed

        return placed.filled(self, normal(here))

    def exists(self, step: Step, path: str) -> bool:
        return self.world.lstat(self.full(step, path)) is not None

    def source(self, step: Step, path: str) -> "str | None":
        found: str | None = given().source(self, step, path)
        return found

    def content(self, step: Step, word: "Word | None") -> "str | None":
        found: str | None = given().content(self, step, word)
        return found

    def before(self, step: Step) -> "Step | None":
        found: Step | None = given().before(self, step)
        return found

    def arriving(self, step: Step) -> "str | None":
        found: str | None = given().arriving(self, step)
        return found


def doubt() -> "Any":
    """The part of the walk that most commands never need."""
    from guards.shell import doubt as part

    return part


def contents() -> "Any":
    """The part that knows what a file would hold."""
    from guards.shell import contents as part

    return part


def given() -> "Any":
    """The part that looks at what a step is given."""
    from guards.shell import given as part

    return part


def shaped(text: str) -> bool:
    """Whether a word can be a path at all."""
    if not text or len(text) > LONGEST or text[0] == "-" or "://" in text[:16] or "\0" in text:
        return False
    return not any([c in text for c in _BLANK])


def derive(step: Step, argv: "list[Word]", cwd: "str | None" = None, stdin: "str | None" = None) -> Step:
    """The step with other words, without its redirections and assignments (they were judged with the step)."""
    inner = Step(argv, step.cwd if cwd is None else cwd, line=step.line, reader=step.reader)
    inner.stdin = step._stdin if stdin is None else stdin
    inner.exact, inner.piped, inner.env, inner.files = step.exact, step.piped, step.env, step.files
    inner.sure = step.sure
    inner.redirects = [r for r in step.redirects if r.op[:1] == "<"]
    return inner


def is_descriptor(path: str) -> bool:
    """/dev/fd/3, /proc/self/fd/1: descriptors that something else opened. A path beyond them is a path."""
    for start in ("/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"):
        if path.startswith(start):
            return path[len(start) :].isdigit()
    return path in NOT_FILES or path.startswith(("/dev/pts/", "/dev/tcp/", "/dev/udp/"))
