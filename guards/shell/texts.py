"""Programs that take shell text in ways of their own: su, flock, script, at, crontab, tmux, pee."""

from guards.shell import args as words_of
from guards.shell.programs import named
from guards.shell.wrappers import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

KEYS = {"Enter": "\n", "C-m": "\n", "KPEnter": "\n", "C-j": "\n", "Space": " ", "Tab": "\t"}
_STARTS = frozenset(
    {"new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window",
     "respawnw", "run-shell", "run", "if-shell", "if", "display-popup", "popup", "pipe-pane", "pipep"}
)  # fmt: skip
_TMUX_VALUES = ("-t", "-s", "-n", "-c", "-x", "-y", "-e", "-F", "-f", "-N", "-T")
_SIZES = ("-l", "-p", "-w")


def texts(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Every operand is a command line."""
    for word in words_of.scan(words, row).operands:
        walk.text(step, word.rough)


def su(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    text = args.value(*row["text"])
    if text is not None:
        walk.text(step, text.rough)
    elif args.has(("-u", "--user")):
        walk.inner(step, words_of.scan(words, row, stop=True).operands)
    elif row["id"] == "sg" and len(args.operands) > 1:
        walk.text(step, joined(args.operands[1:]))


def flock(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The lock file is made when it is not there; then a command, or `-c TEXT`."""
    args = words_of.scan(words, row, stop=True)
    if not args.operands:
        return
    lock, *rest = args.operands
    if lock.text is None or not (lock.text.isdigit() or walk.is_dir(step, lock.text)):
        walk.touch(step, lock, cause="flock")
    if rest and rest[0].text in row["text"]:
        walk.text(step, joined(rest[1:2]))
    else:
        walk.inner(step, rest)


def script(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    named(walk, step, args, row)
    held, walk.kept["terminal"] = walk.kept.get("terminal"), True  # programs show what they print in a pager
    for text in args.values(row["text"]):
        walk.text(step, text.rough)
    walk.touch(step, args.operands[0] if args.operands else words_of.plain("typescript"), cause="script")
    walk.inner(step, args.operands[1:])
    walk.kept["terminal"] = held


def at(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has(row["unless"]):
        return
    file = args.value("-f")
    text = walk.content(step, file)
    if text is None:
        walk.opaque(step, [], "at: its commands are not known")
    else:
        walk.text(step, text)


def crontab(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The table itself, and what its lines would run."""
    args = words_of.scan(words, row)
    if args.has(row["unless"]):
        return
    user = args.value("-u")
    name = (user.text if user is not None else step.env.get("USER")) or "user"
    walk.path(step, "/var/spool/cron/crontabs/" + name, cause="crontab")
    if not args.operands:
        return
    file = args.operands[0].text
    text = walk.arriving(step) if file == "-" else walk.source(step, file or "")
    for line in (text or "").splitlines():
        fields = line.split(None, 5)
        if not fields or fields[0][0] == "#" or "=" in fields[0]:
            continue
        command = line.split(None, 1)[1:] if fields[0][0] == "@" else fields[5:]
        for code in command:
            walk.text(step, code, cwd=step.env.get("HOME"))


def tmux(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Keys that are typed into a shell, and commands that windows are opened with."""
    for file in words_of.scan(words, {"value": ("-L", "-S", "-f", "-c", "-T")}, stop=True).values(("-f",)):
        _tmux_file(walk, step, file)
    group: list[Word] = []
    for word in [*words, words_of.plain(";")]:
        text = word.text or ""
        if text == ";" or (text.endswith(";") and text != "\\;"):
            if text != ";":
                group.append(words_of.plain(text[:-1]))
            _tmux(walk, step, group)
            group = []
        else:
            group.append(word)


def _tmux_file(walk: "Walk", step: "Step", file: "Word") -> None:
    """Commands that a server starts with, or that source-file reads."""
    from guards.shell.lists import unquoted

    for line in (walk.content(step, file) or "").splitlines():
        if line.strip() and line.lstrip()[0] != "#":
            _tmux(walk, step, [words_of.plain(piece) for piece in unquoted(line)])


def _tmux(walk: "Walk", step: "Step", words: "list[Word]") -> None:
    at = 0
    while at < len(words) and (words[at].text or "")[:1] == "-":
        at += 2 if words[at].text in ("-L", "-S", "-f", "-c", "-T") else 1
    verb = words[at].text if at < len(words) else None
    takes = (
        () if verb in ("if", "if-shell") else _TMUX_VALUES if verb in ("send-keys", "send") else _TMUX_VALUES + _SIZES
    )
    args = words_of.scan(words[at + 1 :], {"value": takes}, stop=True)
    if verb in ("send-keys", "send"):
        walk.text(step, "".join([KEYS.get(w.rough, w.rough) for w in args.operands]))
    elif verb in ("save-buffer", "saveb") and args.operands:
        walk.touch(step, args.operands[-1], cause="tmux save-buffer")
    elif verb in ("source-file", "source") and args.operands:
        _tmux_file(walk, step, args.operands[-1])
    elif verb in _STARTS:
        where = args.value("-c")
        cwd = walk.full(step, where.text) if where is not None and where.text is not None else None
        if verb in ("if", "if-shell"):
            for word in args.operands:
                walk.text(step, word.rough, cwd=cwd)
        elif len(args.operands) == 1:
            walk.text(step, args.operands[0].rough, cwd=cwd)
        else:
            walk.inner(step, args.operands, cwd)
