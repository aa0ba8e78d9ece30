"""gdb told what to do: commands of -ex and of a file, and a program to run behind --args."""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

# the beginning of a command → the file that it writes is its last word
WRITES = ("set logging file ", "save ", "dump ", "append ", "generate-core-file ", "gcore ", "maint print ")


def gdb(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row, stop=True)
    told = [value.rough for value in args.values(row["text"])]
    for file in args.values(("-x", "--command")):
        told += (walk.content(step, file) or "").splitlines()
    if not told:
        told = (walk.arriving(step) or "").splitlines()
    inner = step
    for line in told:
        inner = _command(walk, inner, line.strip())
    if args.operands:
        walk.inner(step, args.operands)


def _command(walk: "Walk", step: "Step", line: str) -> "Step":
    """Reads one command; the step in the folder that the next one runs in."""
    name, _, rest = line.partition(" ")
    if name == "cd" and rest:
        from guards.shell.stepping import derive

        return derive(step, step.argv, walk.full(step, rest.strip()))
    if line[:1] == "!" or name in ("shell", "make"):
        walk.text(step, line[1:] if line[:1] == "!" else rest if name == "shell" else line)
    elif name in ("pipe", "|"):
        walk.text(step, rest.partition("|")[2])
    elif name in ("r", "run", "start"):
        walk.text(step, "true " + rest)  # its redirections
    elif name in ("python", "py", "python-interactive", "pi"):
        from guards.shell import inline

        inline.code(walk, step, rest, [], "python")
    elif line.startswith(WRITES):
        walk.path(step, line.rsplit(maxsplit=1)[-1], cause="gdb " + name)
    return step
