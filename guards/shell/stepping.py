"""The walk over a command's steps: what each touches, what stays unsaid and why, which commands were started.

Programs are read by programs.py and the readers it names; here is what they all share: how a path becomes an
effect, how inner text and inner commands come back to the walk, what earlier steps of the same command changed
(links, folders, files whose content the text shows), and the bounds. What is not known becomes an effect that is
not exact, with the paths it mentions; nothing is guessed.
"""

from guards.engine.event import EXACT, OPAQUE, UNKNOWN, UNREADABLE, WRITE, Effect
from guards.engine.world import is_dir, join, normal
from guards.shell.args import Rows
from guards.shell.steps import Step, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.shell.steps import Reading, Redirect

DEPTH = 14  # texts within texts; people write three
STEPS = 20_000  # steps walked of one command
EFFECTS = 20_000
LONGEST = 1024  # characters of a word that can be a path
_BLANK = frozenset(" \t\n\r\x0b\x0c")
FILE_MAX = 256 << 10  # bytes read of a script, a patch, a list of names
OPENS = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
NOT_FILES = frozenset(
    {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "-"}
)
SETTING = frozenset({"cd", "pushd", "popd", "set", "export", "local", "declare", "shopt", "umask", None})
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
        self.made: set[str] = set()
        self.asked: dict[tuple[str, ...], str | None] = {}
        self.readers: list[str] = []
        self.taken: list[tuple[int, Step]] = []  # (depth, step) of everything walked, for `explain`
        self.depth = 0
        self.walked = 0
        self._seen: set[tuple[Any, ...]] = set()
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
            from guards.shell import mentions

            named = mentions.crude(reading.mentions, self.event.cwd)
            self.add(Effect("", WRITE, UNREADABLE, self.event.cwd, cause=reading.unreadable, mentions=named))

    def step(self, step: Step) -> None:
        self.taken.append((self.depth, step))
        if getattr(step, "never", False):  # `false && …`: the text says that it does not run
            return
        self.walked += 1
        if self.walked > STEPS:
            self.leave("more steps than are read")
            return
        for redirect in step.redirects:
            if redirect.op in OPENS and redirect.target is not None:
                self.touch(step, redirect.target, cause=redirect.op)
                if redirect.target.raw == "!" and step.argv:  # zsh: `>! FILE`
                    self.touch(step, step.argv[-1], cause=redirect.op + "!")
        if step.argv or step.assigns:
            from guards.shell import programs

            programs.command(self, step, step.argv, {})
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
            self.leave("shell text nested too deeply")
            return
        from guards.shell import read

        given: dict[str, str | None] = dict(step.env)
        if env:
            given.update(env)
        where = cwd if cwd is not None else step.cwd
        outer, self.history = self.history, []
        self.depth += 1
        try:
            self.reading(
                read.steps(
                    code,
                    where,
                    given,
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
        self.walked += 1
        if not argv or self.walked > STEPS:
            return
        if self.depth >= DEPTH:
            self.leave("wrappers nested too deeply")
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
        self, step: Step, word: Word, act: str = WRITE, *, cause: str, follow: bool = True, tree: bool = False
    ) -> None:
        """A word names what is touched."""
        if word.text is None:
            self.unknown(step, word, act, cause)
        elif word.text and word.text not in NOT_FILES:
            self.path(step, word.text, act, cause=cause, follow=follow, tree=tree)

    def path(
        self, step: Step, path: str, act: str = WRITE, *, cause: str, follow: bool = True, tree: bool = False
    ) -> None:
        """A path that is known, in the directory of the step."""
        if is_descriptor(path):
            return
        if step.cwd is None and path[:1] != "/":
            named = ((path, self.event.cwd),)
            self.add(
                Effect("", act, UNKNOWN, self.event.cwd, cause=f"{cause}: the directory is not known", mentions=named)
            )
            return
        cwd = step.cwd or self.event.cwd
        self.add(Effect(path, act, EXACT, cwd, follow, tree, expanded=True, cause=cause))
        if self.links:
            self._through_links(path, act, cwd, follow, tree, cause)

    def _through_links(self, path: str, act: str, cwd: str, follow: bool, tree: bool, cause: str) -> None:
        """The same path as it will be once the links that this command makes are there."""
        here = normal(join(cwd, path))
        for _ in range(8):
            for link, target in self.links.items():
                if (here == link and follow) or here.startswith(link + "/"):
                    here = normal(target + here[len(link) :])
                    break
            else:
                return
            self.add(Effect(here, act, EXACT, cwd, follow, tree, expanded=True, cause=cause + " through a link"))

    def unknown(self, step: Step, word: Word, act: str, cause: str) -> None:
        """A target that the text does not show."""
        from guards.shell import mentions

        named = mentions.of_target(self, step, word)
        self.add(Effect("", act, UNKNOWN, step.cwd or self.event.cwd, cause=f"{cause}: {word.cause}", mentions=named))

    def opaque(self, step: Step, words: "Sequence[Word | str]", cause: str) -> None:
        """A program or a text that may write somewhere it does not show; the paths among `words` are its mentions."""
        from guards.shell import mentions

        cwd = step.cwd or self.event.cwd
        named = mentions.of_words(words, cwd)
        if named:
            self.add(Effect("", WRITE, OPAQUE, cwd, cause=cause, mentions=named))
        self.leave(cause)

    def add(self, effect: Effect) -> None:
        key = (effect.path, effect.act, effect.certainty, effect.cwd, effect.follow, effect.tree, effect.mentions)
        if key in self._seen or len(self.effects) >= EFFECTS:
            return
        self._seen.add(key)
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
        return path[-1:] == "/" or is_dir(self.world.stat(here)) or normal(here) in self.made

    def exists(self, step: Step, path: str) -> bool:
        return self.world.lstat(self.full(step, path)) is not None

    def source(self, step: Step, path: str, limit: int = FILE_MAX) -> "str | None":
        """The text of a file at hand, as an earlier step of this command left it; None when it is too long."""
        if path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            return self.arriving(step)
        if path == "/dev/null":
            return ""
        here = normal(self.full(step, path))
        if here in step.files:
            return step.files[here]
        data = self.world.read(here, limit)
        return None if data is None or len(data) > limit else data.decode("utf-8", "replace")

    def before(self, step: Step) -> "Step | None":
        """The step whose output goes into this one's pipe."""
        if step.piped:
            for earlier in reversed(self.history):
                if earlier.name not in SETTING:
                    return earlier
        return None

    def arriving(self, step: Step) -> "str | None":
        """What is known to arrive on the step's standard input."""
        if step.stdin is not None:
            return step.stdin
        for redirect in step.redirects:
            if redirect.op == "<" and redirect.fd in (None, 0) and redirect.target is not None:
                return None if redirect.target.text is None else self.source(step, redirect.target.text)
        earlier = self.before(step)
        if earlier is None:
            return None
        from guards.shell import outputs

        return outputs.of(self, earlier)


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


def redirect_words(redirects: "list[Redirect]") -> "list[Word]":
    return [r.target for r in redirects if r.target is not None]
