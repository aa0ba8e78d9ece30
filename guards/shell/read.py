"""A shell command's text -> its steps.

tree-sitter-bash reads first; where its tree has an error or does not account for the whole text it gets the text once
more with quoted parts and expansions masked; then bashlex is asked. Where none can, the reading is `unreadable` and
says why; so is a text that takes too long, nests too deeply or holds a NUL. Nothing here raises.
"""

import time

from guards.shell import tree, treesitter
from guards.shell.fields import narrow, value_of
from guards.shell.machine import BUILTINS, Machine
from guards.shell.state import State
from guards.shell.steps import Reading
from guards.shell.syntax import Deep, Late, Lost, Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.engine.world import World
    from guards.shell.steps import Word
    from guards.shell.syntax import Seq

SECONDS = 1.4  # CPU time for one text
LONG = 50_000  # characters
QUIET = frozenset({"read", "write", "delete", "copy", "move", "link"})  # rows of programs that send no signals
SIGNALS = 100  # traps that are read at the end
PLAIN, MASKED, BASHLEX = 0, 1, 2


def steps(
    text: str,
    cwd: "str | None",
    env: "Mapping[str, str | None]",
    world: "World",
    rules: "Any",
    *,
    args: "list[Word | str] | None" = None,
    files: "Mapping[str, str | None] | None" = None,
    stdin: "str | None" = None,
    levels: "tuple[int, ...]" = (PLAIN, MASKED, BASHLEX),
) -> Reading:
    """`env` is the environment the shell starts with, None where a value is not known. `args` are $0, $1 … as
    they are given behind the code of `sh -c`; `files` what earlier steps wrote (Step.files); `stdin` text that
    arrives on standard input; `levels` who reads, in turn."""
    if "\0" in text:
        return unreadable(text, "it holds a NUL", [])
    if len(text) < LONG:
        return attempts(text, cwd, env, world, rules, levels, args, files, stdin)
    import gc

    on = gc.isenabled()
    gc.disable()  # a long text makes many small objects and no cycles worth looking for
    try:
        return attempts(text, cwd, env, world, rules, levels, args, files, stdin)
    finally:
        if on:
            gc.enable()


def second(*given: "Any", **more: "Any") -> Reading:
    """The same from bashlex alone."""
    return steps(*given, **more, levels=(BASHLEX,))


def attempts(
    text: str,
    cwd: "str | None",
    env: "Mapping[str, str | None]",
    world: "World",
    rules: "Any",
    levels: "tuple[int, ...]",
    args: "list[Word | str] | None",
    files: "Mapping[str, str | None] | None",
    stdin: "str | None",
) -> Reading:
    source = narrow(text)
    if "\r" in source:
        source = source.replace("\r\n", "\n")
    until = time.process_time() + SECONDS
    cause = ""
    done: list[Any] = []
    for index in range(len(levels)):
        parser = Parser(levels[index:], until, world)
        state = State(cwd or None, env, positional(args))
        machine = Machine(parser.parse, state, world, until, dict(files) if files else {})
        machine.still = files is None  # the outermost text
        machine.stdin = (stdin, False)
        if args:
            machine.zero = narrow(args[0]) if isinstance(args[0], str) else value_of(args[0])
        parser.machine = machine
        try:
            reader = run(machine, source, state, rules)
        except (Lost, Unclosed) as fault:
            cause = cause or str(fault)
            done = machine.steps
            continue
        except (Late, treesitter.Slow):
            return unreadable(text, "it takes too long to read", machine.steps)
        except (Deep, RecursionError):
            return unreadable(text, "it nests too deeply", machine.steps)
        reading = Reading(machine.steps, reader=reader)
        reading.files = machine.files
        return reading
    return unreadable(text, cause, done)


def positional(args: "list[Word | str] | None") -> "list[Any] | None":
    """The parameters behind $0."""
    return None if args is None else [narrow(a) if isinstance(a, str) else value_of(a) for a in args[1:]]


def run(machine: Machine, source: str, state: State, rules: "Any") -> str:
    """Which reader parsed the text; code in it may have needed another."""
    if any([name.startswith("BASH_FUNC_") for name in state.env]):
        from guards.shell import running

        running.inherited(machine, state)
    seq = machine.parse(source)
    reader = machine.reader
    outcomes = machine.seq(seq, [(state, True)])
    if any(each.traps for each, _ in outcomes):
        from guards.shell import compounds

        compounds.leave(machine, outcomes)
    if machine.signals:
        machine.sure = machine.still = False
        sent = sends(machine, source, rules)
        for code, each, always in machine.signals[:SIGNALS]:
            if always or sent:
                late(machine, code, each, [last for last, _ in outcomes])
    return reader


def late(machine: Machine, code: str, each: State, ends: "list[State]") -> None:
    """A trap's code with what was known when it was set, and with the variables as they are at the end."""
    for there in (each, *[end for end in ends if end.vars != each.vars]):
        after = there.fork()
        after.dead, after.funcs = "", {**each.funcs, **there.funcs}
        perhaps(machine, code, after)


def perhaps(machine: Machine, code: str, state: State) -> None:
    def through(seq: "Seq") -> None:
        machine.seq(seq, [(state, None)])

    machine.nested(code, through)


def sends(machine: Machine, source: str, rules: "Any") -> bool:
    """Whether the text may send a signal, or be sent one: a trap for it counts only then."""
    if "kill" in source or "timeout" in source or any(s.argv and s.name is None for s in machine.steps):
        return True
    if not rules:
        return False
    from guards.shell.args import Rows

    rows = Rows(rules)
    names = {s.name.rsplit("/", 1)[-1] for s in machine.steps if s.name and not s.followed} - BUILTINS
    return any((rows.get(name) or {}).get("does") not in QUIET for name in names)


class Parser:
    """Text -> syntax, by the first of the levels that can."""

    def __init__(self, levels: "tuple[int, ...]", until: float, world: "World") -> None:
        self.levels = levels
        self.until = until
        self.world = world
        self.machine: Any = None

    def parse(self, source: str) -> "Seq":
        if time.process_time() > self.until:
            raise Late("the text takes too long to read")
        fault: Exception | None = None
        for level in self.levels:
            try:
                seq = self.by(level, source)
            except (Lost, Unclosed) as found:
                fault = fault or found
                continue
            self.machine.reader = "bashlex" if level == BASHLEX else "tree-sitter"
            return seq
        raise fault or Lost("no reader could be asked")

    def by(self, level: int, source: str) -> "Seq":
        if level == BASHLEX:
            from guards.shell import second as other

            found: Seq = other.parse(source, self.world, self.until)
            return found
        masked = source
        docs: dict[int, Any] = {}
        kinds: dict[int, tuple[str, int]] = {}
        if level == MASKED or "<<" in source or "<>" in source:
            from guards.shell import mask

            masked, docs, kinds = mask.mask(source, mask.FULL if level == MASKED else mask.DOCS)
        root = treesitter.parse(masked.encode("latin-1"), self.until)
        return tree.Walker(source, docs, kinds, masked).program(root)


def unreadable(text: str, cause: str, found: "list[Any]") -> Reading:
    """What was read so far stands in the steps; the words of the text are cut at blanks, quotes and operators."""
    return Reading(found, cause, "", crude(text))


def crude(text: str) -> "tuple[str, ...]":
    for c in "\0\t\n\r'\"`$(){}<>|&;=,":
        text = text.replace(c, " ")
    words: dict[str, None] = {}
    for word in text.split(" "):
        bare = word.replace("\\", "")
        if bare and len(bare) < 4096 and ("/" in bare or "." in bare or "~" in bare):
            words[bare] = None
    return tuple(words)
