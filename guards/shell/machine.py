"""Runs through the syntax of a command without running it: syntax -> steps.

Every command that the text names becomes a step with the directory and the variables it would meet. Where the text
can go two ways, both are followed. Code inside code (substitutions, eval, a function's body) is read by the same
machine. CPU time bounds the whole: Late ends it.
"""

import time

from guards.shell import expand
from guards.shell.fields import Hole, narrow, real
from guards.shell.state import Sink, State, merge
from guards.shell.steps import Step, Word
from guards.shell.syntax import AndOr, Compound, Deep, Late, Pipe, Seq, Simple, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.engine.world import World

    Outcomes = list[tuple[State, bool | None]]

DEPTH = 40  # code inside code
VOLUME = 1 << 25  # characters that variables may give in one text
LINE = 400  # characters of a step's source that are kept
# commands that change what the shell itself knows, or whose output is known: builtins.py and known.py
BUILTINS = frozenset(
    ". : alias break builtin cd command continue declare dirs eval exec exit export false getopts let local mapfile"  # noqa: SIM905
    " popd printf pushd read readarray readonly return set shift shopt source trap true typeset unalias unset".split()
)
FILTERS = frozenset({"base64", "xxd", "rev", "tr", "sort", "uniq", "head", "tail", "tac", "grep", "sed"})
MAKERS = frozenset({"touch", "mkdir", "cp", "mv", "ln", "tee", "install"})
WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
SPEAKERS = frozenset(  # their output is known, if only as nothing; see printers.py
    "echo printf cat tee pwd dirname basename realpath readlink git true : false cd export set shift unset read local"  # noqa: SIM905
    " declare typeset readonly rm rmdir chmod chown sleep test [ trap alias unalias shopt return exit break continue"
    " wait kill exec let mapfile mktemp jq".split()
)
TOLD = frozenset({"test", "[", "mkdir", "rm"})  # programs whose status is worked out
DECLARE = frozenset({"export", "declare", "typeset", "local", "readonly"})


class Machine:
    def __init__(
        self, parse: "Callable[[str], Seq]", state: State, world: "World", until: float, files: "dict[str, Any]"
    ) -> None:
        self.parse = parse
        self.state = state
        self.world = world
        self.until = until
        self.files = files
        self.shared = True  # a step holds `files`: copy before the next change
        self.created: list[str] = []
        self.folders: dict[str, str] = {}  # folders that are there by now, and what each is a copy of: making.py
        self.base = state.cwd
        self.symbols: dict[Any, str] = {}  # made-up names for what nobody can know: fresh.py
        self.still = False  # nothing could have changed the disk since it was looked at: filetests.py
        self.looked = 0
        self.steps: list[Step] = []
        self.reader = "tree-sitter"
        self.sure = True
        self.sink: Sink | None = None
        self.stdin: tuple[Any, bool] = (None, False)  # what is known to arrive, and whether it is a pipe
        self.depth = self.ticks = self.sources = 0
        self.calls: dict[str, int] = {}  # functions that are being read, and how deep
        self.removed: dict[str, int] = {}  # paths that steps took away, and the last step that did: folders.py
        self.removed_to, self.cdable = 0, False  # shopt -s cdable_vars
        self.refs: dict[str, str] = {}  # declare -n
        self.loops = 0  # loops around this place, in the same function and the same shell
        self.signals: list[tuple[str, State, bool]] = []  # traps for signals, and whether one is sure to come
        self.volume = VOLUME
        self.zero: Any = None  # $0, where the caller names it
        self.given: Any = ()  # what a declaring command assigns

    # ---- what words ask for
    def lookup(self, name: str) -> "Any":
        state, name = self.state, self.refs.get(name, name)
        if name in state.vars:
            return state.vars[name]
        if name == "PWD":
            return narrow(state.cwd) if state.cwd is not None else None
        if name == "OLDPWD" and state.old is not None:
            return narrow(state.old)
        found = state.env.get(name)
        if found is None and name == "HOME" and name not in state.env and self.world.home:
            found = self.world.home
        return narrow(found) if found is not None else None

    def tilde(self, who: str) -> "Any":
        if who == "":
            return self.lookup("HOME")
        if who in ("+", "-"):
            found = self.lookup("PWD" if who == "+" else "OLDPWD")
            return found if found is not None else (Hole("variable OLDPWD", "~" + who),)
        from guards.shell import folders, known

        return folders.stacked(self.state, who) if who.lstrip("+-").isdigit() else known.home_of(self.world, who)

    def separators(self) -> "str | None":
        """IFS."""
        found = self.state.vars.get("IFS", " \t\n")
        return found if isinstance(found, str) else None

    def made(self) -> "list[str]":
        return self.created

    def spend(self, size: int) -> None:
        """Variables that double each other would fill the memory."""
        self.volume -= size
        if self.volume < 0:
            raise Late("the text takes too long to read")

    def nested(self, code: str, run: "Callable[[Seq], Any]") -> "Any":
        """Code inside the text, in the state that is current."""
        if self.depth >= DEPTH:
            raise Deep("code stands in code too deeply")
        self.depth += 1
        reader = self.reader
        try:
            return run(self.parse(code))
        finally:
            self.depth -= 1
            self.reader = reader

    def substitute(self, code: str) -> "str | None":
        """$(…): its steps are read; its output where it is known, without the newlines at its end."""
        held = self.state, self.sink, self.stdin, self.loops
        sink = self.sink = Sink()
        self.loops = 0
        try:
            outcomes = self.nested(code, lambda seq: self.seq(seq, [(held[0].fork(), True)]))
        finally:
            self.state, self.sink, self.stdin, self.loops = held
        text = sink.text() if len(outcomes) == 1 else None
        if code.lstrip()[:1] == "<":
            from guards.shell import known

            text = known.read_in(self, code)
        return None if text is None else narrow(text).rstrip("\n").replace("\0", "")

    def process(self, code: str, direction: str) -> "str | None":
        held = self.state, self.sink, self.stdin, self.loops
        sink = self.sink = Sink()
        self.loops, self.stdin = 0, (None, direction == ">")
        try:
            self.nested(code, lambda seq: self.seq(seq, [(held[0].fork(), True)]))
        finally:
            self.state, self.sink, self.stdin, self.loops = held
        text = sink.text() if direction == "<" else None
        return None if text is None else narrow(text)

    # ---- running
    def seq(self, seq: Seq, outcomes: "Outcomes") -> "Outcomes":
        for node, background in seq.items:
            after: Outcomes = []
            held = self.sure
            if len(outcomes) > 1:
                self.sure = False
            if background:
                self.still = False
            for state, status in outcomes:
                if state.dead:
                    after.append((state, status))
                elif background:
                    self.node(node, state.fork())
                    after.append((state, True))
                else:
                    after.extend(self.node(node, state))
            self.sure = held
            outcomes = merge(after)
        return outcomes

    def node(self, node: "Any", state: State) -> "Outcomes":
        self.ticks += 1
        if self.ticks & 63 == 0 and time.process_time() > self.until:
            raise Late("the text takes too long to read")
        self.state = state
        kind = type(node)
        if kind is Simple:
            return self.simple(node, state)
        if kind is AndOr:
            return self.andor(node, state)
        if kind is Pipe:
            return self.pipe(node, state)
        return self.compound(node, state)

    def andor(self, node: AndOr, state: State) -> "Outcomes":
        outcomes: Outcomes = [(state, None)]
        held = self.sure
        said = False  # the status is a word of the text, `false` or `true`: what hangs on it never runs
        for op, part in node.parts:
            after: Outcomes = []
            skipped = False
            for before, status in outcomes:
                if before.dead:
                    after.append((before, status))
                    continue
                if not op or status is (op == "&&"):
                    after.extend(self.node(part, before))
                    continue
                self.sure = False
                if status is None:
                    after.append((before.fork(), op == "||"))
                    after.extend(self.node(part, before))
                else:  # it does not run; what `false && x` would do counts, what it would change does not
                    after.append((before, status))
                    skipped = said
                    if len(outcomes) == 1 and not said:
                        self.node(part, before.fork())
            said = skipped or constant(part, state)
            outcomes = merge(after)
            if len(outcomes) > 1:
                self.sure = False
        self.sure = held
        return outcomes

    def pipe(self, node: Pipe, state: State) -> "Outcomes":
        if len(node.parts) == 1:
            return [(s, None if t is None else t is not node.bang) for s, t in self.node(node.parts[0], state)]
        sink, stdin, still = self.sink, self.stdin, self.still
        self.still = False
        try:
            for index, part in enumerate(node.parts):
                last = index == len(node.parts) - 1
                out = sink if last else Sink()
                self.sink = out
                self.node(part, state.fork())
                self.stdin = (out.text if out is not None and out.known else None, True)
        finally:
            self.sink, self.stdin, self.still = sink, stdin, still
        self.state = state
        return [(state, None)]

    def simple(self, node: Simple, state: State) -> "Outcomes":
        argv: list[Word] = []
        words = node.words
        for raw in words:
            argv.extend(expand.words(self, raw.src[raw.start : raw.end]))
            if raw is words[0] and len(words) > 1 and argv and argv[0].text in DECLARE:
                from guards.shell import assign

                rest, self.given = assign.declared(self, words[1:])
                argv.extend(rest)
                break
        step = Step(argv, state.cwd, line=real(node.src[node.start : min(node.end, node.start + LINE)]))
        if node.redirs:
            from guards.shell import redirections

            step.redirects = [redirections.read(self, redir) for redir in node.redirs]
        step.reader = self.reader
        step.sure = self.sure
        step.env = state.env
        step.files = self.files
        self.shared = True
        text, step.piped = self.stdin
        step.stdin = text
        refused: State | None = None
        if node.redirs:
            redirections.arrive(self, step)
            if any(r.target is not None and r.target.cause == redirections.AMBIGUOUS for r in step.redirects):
                step.sure = False
                self.steps.append(step)
                return [(state, False)]
            if redirections.may_fail(self, step):
                step.sure = False
                refused = state.fork()
        if node.assigns:
            from guards.shell import assign

            assign.assignments(self, node, step)
        self.steps.append(step)
        outcomes = self.act(node, step, state)
        return outcomes if refused is None else merge([*outcomes, (refused, False)])

    def act(self, node: Simple, step: Step, state: State) -> "Outcomes":
        """What the command does to the shell itself, and what it prints."""
        argv = step.argv
        outcomes: Outcomes = [(state, None)]
        if argv:
            name = argv[0].text
            if name in ("true", ":") and name not in state.funcs:
                outcomes = [(state, True)]
            elif name in TOLD and name not in state.funcs and not state.aliases:
                from guards.shell import conditions

                outcomes = [(state, conditions.of_step(self, step, argv))]
            elif name == "cd" and name not in state.funcs and not state.aliases:
                from guards.shell import folders

                outcomes = folders.cd(self, step, argv, state)
            elif name in state.funcs or name in BUILTINS or node.words[0].text in state.aliases:
                from guards.shell import builtins

                outcomes = builtins.run(self, node, step)
                self.state = state
                if step.followed:
                    return outcomes
        else:
            outcomes = [(state, True)]
        if self.wants(step):
            from guards.shell import known

            known.flow(self, step)
        elif self.sink is not None:
            self.sink.put(None)
        return outcomes

    def wants(self, step: Step) -> bool:
        """Whether what it prints or leaves behind is worth following."""
        name = step.name
        if name == "git" and (len(step.argv) < 3 or step.argv[-1].text != "--show-toplevel"):
            name = ""
        if name in MAKERS or (self.sink is not None and (name is None or name in SPEAKERS)):
            return True
        if self.sink is not None and name in FILTERS and step._stdin is not None:
            return True
        for redirect in step.redirects:
            if redirect.op in WRITES:
                text = redirect.target.text if redirect.target is not None else None
                if text is None or not text.startswith("/dev/"):
                    return True
        return False

    # ---- compound commands
    def compound(self, node: Compound, state: State) -> "Outcomes":
        from guards.shell import compounds

        return compounds.run(self, node, state)
