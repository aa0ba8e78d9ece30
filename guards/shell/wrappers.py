"""Wrappers: programs whose operands are a command. The inner command comes back to the walk.

Where the row does not say how many operands come first, a wrapper is read loosely: what follows `--`, a shell with
`-c`, or the first operand that is a program in the list.
"""

from guards.shell import args as words_of
from guards.shell.programs import ASKS, named
from guards.shell.stepping import RUNNER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"})
_TEXTS = ("--run", "--command", "-c", "-ec", "-lc", "-x")
# verbs of launchers and names too short to take for a program among operands
_NO_PROGRAMS = frozenset(
    {".", ":", "[", "[[", "-", "run", "exec", "w", "x", "test", "true", "false", "set", "read", "open", "time"}
)
_EMPTY: "dict[str, str | None]" = {}


def hand_on(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]", sets: "dict[str, str | None]") -> None:
    if args.has(ASKS):
        return
    named(walk, step, args, row)
    if args.has(row.get("unless", ())):
        return
    if row["does"] == "shell":
        walk.text(step, joined(args.operands))
        return
    cwd = _folder(walk, step, args, row)
    operands = args.operands[row.get("skip", 0) :]
    given = dict(sets)
    if row.get("sets"):
        while operands and (is_assignment(operands[0]) or _settings(walk, operands)):
            name, _, value = operands[0].rough.partition("=")
            if is_assignment(operands[0]):
                given[name] = value if operands[0].text is not None else None
            operands = operands[1:]
    text = args.value(*row.get("text", ()))
    if text is not None:
        walk.text(step, " ".join([text.rough, joined(operands, quoted=True)]), cwd=cwd, env=given)
    else:
        walk.inner(step, operands, cwd, given)


def _folder(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> "str | None":
    value = args.value(*row.get("chdir", ()))
    return None if value is None or value.text is None else walk.full(step, value.text)


def is_assignment(word: "Word") -> bool:
    name, equals, _ = word.rough.partition("=")
    return bool(equals) and (name.isidentifier() or name.startswith("BASH_FUNC_"))


def _settings(walk: "Walk", operands: "list[Word]") -> bool:
    """`env $(cat FILE | xargs) PROGRAM …`: an unquoted word that is not known, with a known program behind it."""
    first, *rest = operands
    plain = first.text is None and first.many and first.raw[:1] in "$`"
    return plain and bool(rest) and base(rest[0]) in walk.programs and base(rest[0]) not in _NO_PROGRAMS


def joined(words: "list[Word]", *, quoted: bool = False) -> str:
    """Operands as the one text that the program makes of them."""
    return " ".join([quote(w) if quoted else w.rough for w in words])


def quote(word: "Word") -> str:
    """A word for shell text, so that it is read as it stands; one that is not static stays as it was written."""
    if word.text is None:
        return word.raw or '"$_"'
    return "'" + word.text.replace("'", "'\\''") + "'"


def launched(walk: "Walk", step: "Step", words: "list[Word]", *, loosely: bool = False) -> bool:
    """Whether something among the words was read as a command: for launchers, and for programs nobody knows."""
    programs = walk.programs
    for at, word in enumerate(words):
        if word.text == "--":
            after = words[at + 1 :]
            if after and (loosely or base(after[0]) in programs):
                walk.inner(step, after)
                return True
            break
    for at, word in enumerate(words):
        name = base(word)
        if name in SHELLS and at + 2 <= len(words) and any([_has_c(w) for w in words[at + 1 : at + 4]]):
            walk.inner(step, words[at:])
            return True
        if loosely and name in programs and name not in _NO_PROGRAMS:
            walk.inner(step, words[at:])
            return True
    return False


def base(word: "Word") -> str:
    return (word.text or "").rsplit("/", 1)[-1]


def _has_c(word: "Word") -> bool:
    text = word.text or ""
    return text[:1] == "-" and text[:2] != "--" and "c" in text


def loose(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Launchers of many forms (`uv run`, `direnv exec .`, `nix-shell --run TEXT`, `hyperfine TEXT`)."""
    texts = [w for i, w in enumerate(words) if i and words[i - 1].text in _TEXTS and " " in w.rough]
    for word in texts:
        walk.text(step, word.rough)
    if texts or launched(walk, step, words, loosely=True):
        return
    for word in words:
        if word.text is not None and " " in word.text and word.text[:1] != "-":
            walk.text(step, word.text)
    for at, word in enumerate(words):
        if word.text is not None and word.text[:1] != "-" and word.text not in _NO_PROGRAMS and " " not in word.text:
            walk.inner(step, words[at:])
            return


def tasks(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """`hatch run lint`: a program of the list, or a name that the project gives to code of its own."""
    first = next((w for w in words if (w.text or "-")[:1] != "-"), None)
    name = (first.text or "").rpartition(":")[2] if first is not None else ""
    if "/" in name or "." in name or name in walk.programs:
        loose(walk, step, words, row)
    else:
        walk.opaque(step, words, f"{RUNNER} ({row['id']})")


def chroot(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Only the same root is this file system."""
    args = words_of.scan(words, row, stop=True)
    if not args.operands:
        return
    if row["id"] == "nsenter":
        walk.inner(step, args.operands)
    elif args.operands[0].text == "/":
        walk.inner(step, args.operands[1:])
    else:
        walk.leave("chroot: another root")


def traced(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Strace -o FILE COMMAND; `-o '|COMMAND'` gives the trace to a command."""
    args = words_of.scan(words, row, stop=True)
    for value in args.values(row["out"]):
        if value.rough[:1] in "|!":
            walk.text(step, value.rough[1:])
    args.options = [(name, v) for name, v in args.options if v is None or v.rough[:1] not in "|!"]
    hand_on(walk, step, args, row, _EMPTY)


def daemon(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """start-stop-daemon --start --exec PROGRAM -- ARGUMENTS"""
    args = words_of.scan(words, row, stop=True)
    program = args.value("-a", "--startas") or args.value("-x", "--exec")
    if args.has(row["when"]) and not args.has(("-t", "--test")):
        named(walk, step, args, row)
        argv = [*([program] if program is not None else []), *args.operands]
        walk.inner(step, argv, _folder(walk, step, args, row) or "/")  # where it goes unless it is told


def masked(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Taskset MASK COMMAND, chrt PRIORITY COMMAND, numactl COMMAND."""
    operands = words_of.scan(words, row, stop=True).operands
    while (
        operands
        and (operands[0].text or "x").replace(",", "").replace("-", "").replace("0x", "").isalnum()
        and ((operands[0].text or "x")[0].isdigit())
    ):
        operands = operands[1:]
    walk.inner(step, operands)
