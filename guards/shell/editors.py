"""Editors told what to do: ed by its script, sd; vi and ex are in vim.py. Without such they wait for a terminal."""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

_RANGE = "0123456789.$%,;+-'<> \t:"


def ed(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    script = walk.arriving(step)
    file = args.operands[0] if args.operands else None
    if script is None:
        if file is not None and (step.piped or step.redirects):
            walk.opaque(step, [file], "ed: its script is not known")
        return
    if file is not None and (file.text or "")[:1] == "!":
        walk.text(step, (file.text or "")[1:])
        file = None
    typing = False
    for line in script.splitlines():
        if typing:
            typing = line != "."
            continue
        command = past_range(line)
        if command[:1] in ("g", "v", "G", "V") and len(command) > 2:
            command = command.rsplit(command[1], 1)[-1]
        if command[:1] in ("a", "i", "c") and not command[1:].strip("pln"):
            typing = True
        elif command[:1] == "!":
            walk.text(step, command[1:])
        elif command[:1] in ("e", "E", "f") and command[1:].strip():
            file = words_of.plain(command[1:].strip())
        elif command[:1] in ("w", "W", "r"):
            _ed_file(walk, step, command, file)


def _ed_file(walk: "Walk", step: "Step", command: str, file: "Word | None") -> None:
    name = command[1:].lstrip("q").strip()
    if name[:1] == "!":
        walk.text(step, name[1:])
    elif command[0] == "r":
        return
    elif name:
        walk.path(step, name, cause="ed w")
    elif file is not None:
        walk.touch(step, file, cause="ed w")


def past_range(text: str) -> str:
    """A command without its addresses: numbers, marks, /patterns/."""
    at = 0
    while at < len(text):
        c = text[at]
        if c in "/?":
            at += 1
            while at < len(text) and text[at] != c:
                at += 2 if text[at] == "\\" else 1
            at += 1
        elif c == "'" and at + 1 < len(text):
            at += 2
        elif c in _RANGE:
            at += 1
        else:
            break
    return text[at:]


def sd(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Sd FIND REPLACE FILE...: in place."""
    args = words_of.scan(words, row)
    if args.has((*row["unless"], "--help", "--version")):
        return
    for word in args.operands[2:]:
        walk.touch(step, word, cause="sd", follow=False)
