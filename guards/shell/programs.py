"""A command's words → what it touches: finds the program's row in policy/shell-lane.toml and reads by it.

A program with a row is read by the row, or by the reader that the row names. A program without one may do anything:
what it names in a lane is a mention of an opaque effect, never a guess.
"""

from guards.shell import args as words_of
from guards.shell.stepping import RUNNER, STRANGER, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args, Rows
    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

# reader name in a row → the module that has it
READERS = {
    "apply_patch": "patching", "ar": "packing", "at": "texts", "awk": "awk", "chroot": "wrappers",
    "clone": "gitverbs", "cmake": "building", "container": "containers", "cpio": "packing", "crontab": "texts",
    "curl": "transfer", "ed": "editors", "fd": "finding", "find": "finding", "flock": "texts", "gdb": "debugging",
    "git": "gitverbs",
    "image": "containers", "loose": "wrappers", "make": "building", "masked": "wrappers", "mkdir": "small",
    "mktemp": "small", "mount": "small", "mode": "small", "pack": "packing", "parallel": "lists", "parts": "building",
    "patch": "patching",
    "perl": "perl", "pieces": "small", "python_archive": "small", "rename": "small", "rsync": "transfer",
    "scp": "transfer", "script": "texts", "scripts": "scripts", "sd": "editors", "sed": "sed", "seven": "packing",
    "sources": "inline",
    "sqlite": "databases", "su": "texts", "tar": "tar", "tasks": "wrappers", "traced": "wrappers", "daemon": "wrappers",
    "cmake_script": "scripts", "ninja": "scripts", "texts": "texts", "tmux": "texts",
    "psql": "databases", "unzip": "packing",
    "vim": "vim", "wget": "transfer", "xargs": "lists", "zip": "packing",
}  # fmt: skip
ASKS = ("--help", "--version")
_VERSION = "0123456789."
SYSTEM = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/usr/local/sbin/")
DECLARES = ("export", "declare", "typeset", "env")


def command(walk: "Walk", step: "Step", argv: "list[Word]", sets: "dict[str, str | None]") -> None:
    """One command, with the variables that wrappers set for it."""
    given = dict(sets)
    for name, value in step.assigns.items():
        given[name] = value.text
    walk.commands.append(Command(argv, given, step.cwd, step))
    if given or not step.env.keys().isdisjoint(walk.table.get("variables") or ()):
        from guards.shell import variables

        variables.look(walk, step, sets)
    if "PATH" in step.assigns or (argv and argv[0].text in DECLARES):
        from guards.shell import starting

        starting.paths(walk, step, argv)
    if not argv or step.followed:
        return
    name_ = argv[0].text
    if name_ is None:
        from guards.shell import origins, starting

        end = starting.ending(walk, argv[0])
        if end is not None:
            _start(walk, step, [end, *argv[1:]], given)
            return
        made_by = origins.traced(walk, argv[0])
        source = [piece for s in made_by for w in s.argv[1:] for piece in w.rough.split()]
        walk.opaque(step, [*argv[1:], *source], f"which program runs is not known ({argv[0].cause})")
        if argv[0].cause == "command substitution":
            from guards.shell import inline

            for earlier in made_by:
                inline.sifted(walk, step, earlier, "shell")
        return
    if not name_:
        return
    if name_ == "hash" and len(argv) > 3 and argv[1].text == "-p":  # hash -p PROGRAM NAME: an alias
        walk.hashed[argv[3].text or ""] = argv[2]
    _start(walk, step, [walk.hashed.get(name_, argv[0]), *argv[1:]], given)


def _start(walk: "Walk", step: "Step", argv: "list[Word]", given: "dict[str, str | None]") -> None:
    """A command whose name is known: a script by its text, a program by its row."""
    name_ = argv[0].text or ""
    if name_ in ("source", ".") and len(argv) > 1:  # the reader followed it where it could
        from guards.shell import inline

        inline.script(walk, step, argv[1], argv[2:], "shell")
        return
    if "/" in name_ and not name_.startswith(SYSTEM):
        from guards.shell import starting

        found = starting.behind(walk, step, name_)
        argv = [found, *argv[1:]] if found is not None else argv
        name_ = argv[0].text or ""
        if _script(walk, step, argv):
            return
    elif walk.paths:
        from guards.shell import starting

        found = starting.on_path(walk, step, name_)
        if found is not None and _script(walk, step, [found, *argv[1:]]):
            return
    row, words = find(walk, name_, argv[1:])
    if row is None:
        stranger(walk, step, argv)
    else:
        try:
            run(walk, step, row, words, given)
        except RecursionError:
            walk.opaque(step, argv[1:], f"{row['id']}: nested too deeply")


def find(walk: "Walk", name: str, words: "list[Word]") -> "tuple[dict[str, Any] | None, list[Word]]":
    """The row of a program, by its verbs too, and the words that are left."""
    programs = walk.programs
    base = _bare(name, programs) if "@" in name else name.rsplit("/", 1)[-1]
    row = programs.get(base)
    if row is None:
        base = base.removesuffix(".exe").partition("==")[0]  # uvx and pipx take `black==24.1`
        row = programs.get(base) or programs.get(base.rstrip(_VERSION).rstrip("-"))
    if base in walk.table["verbs"]:
        return _verb(programs, base, row, words)
    return row, words


def _bare(name: str, programs: "Rows") -> str:
    """A package's name without its version and, unless it is listed with it, its scope: `@biomejs/biome@2`."""
    if name[:1] == "@":
        whole = "@" + name[1:].partition("@")[0]
        return whole if whole in programs else whole.rsplit("/", 1)[-1]
    last = name.rsplit("/", 1)[-1]
    return last.partition("@")[0] or last


def _verb(
    programs: "Rows", base: str, row: "dict[str, Any] | None", words: "list[Word]"
) -> "tuple[dict[str, Any] | None, list[Word]]":
    """The longest name that the first operands make: `npm pkg set`."""
    takes = words_of.taken(row or {})
    best, left = row, words
    name, at = base, 0
    taken: list[int] = []
    while at < len(words) and len(taken) < 3:
        text = words[at].text
        if text is None:
            break
        if text[:1] == "-" and len(text) > 1 and f"{name} {text}" not in programs:
            at += 2 if text in takes else 1
            continue
        name += " " + text
        taken.append(at)
        at += 1
        if name in programs:
            best = programs.get(name)
            left = [w for i, w in enumerate(words) if i not in taken]
    return best, left


def run(walk: "Walk", step: "Step", row: "dict[str, Any]", words: "list[Word]", sets: "dict[str, str | None]") -> None:
    """Reads a command by its row."""
    does = row["does"]
    if does == "own":
        module, name = READERS[row["reader"]], row["reader"]
        reader: Any = __import__("guards.shell." + module, None, None, (name,))
        getattr(reader, name)(walk, step, words, row)
        return
    args = words_of.scan(words, row, stop=does == "wrap")
    if does in ("wrap", "shell"):
        from guards.shell import wrappers

        wrappers.hand_on(walk, step, args, row, sets)
        return
    if does == "code":
        from guards.shell import inline

        inline.interpreter(walk, step, words, row)
        return
    if args.has(ASKS) or (does == "away" and not args.options):
        return
    idle = args.has(row.get("unless", ()))
    if not (idle and does == "read"):  # `ssh-keygen -l -f KEY`: the same option names what is read
        named(walk, step, args, row)
    if idle:
        return
    if does in ("write", "delete"):
        _operands(walk, step, args, row)
    elif does in ("copy", "move", "link"):
        from guards.shell import copying

        copying.FORMS[does](walk, step, args, row)
    elif does == "away":
        _proxies(walk, step, args, row)
    elif does == "run":
        walk.leave(f"{row['id']}: {RUNNER}")
        walk.opaque(step, words, f"{RUNNER} ({step.name})")


def named(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    """What the options name: outputs, output folders."""
    for key in ("out", "outdir"):
        names = row.get(key)
        if names:
            for option, value in args.options:
                if value is not None and option in names:
                    walk.touch(step, value, cause=f"{row['id']} {option}")
    if row["does"] == "read":
        for value in args.values(row.get("text", ())):
            walk.text(step, value.rough)
    for prefix in row.get("keys", ()):
        for word in [*args.operands, *[words_of.plain(name) for name, value in args.options if value is None]]:
            if (word.text or word.rough).startswith(prefix):
                walk.touch(step, words_of.tail(word, len(prefix)), cause=f"{row['id']} {prefix}")


def _operands(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    operands = args.operands[1::2] if args.has(row.get("pairs", ())) else args.operands
    if len(operands) < row.get("least", 0) or ("when" in row and not args.has(row["when"])):
        return
    which = row.get("which", "all")
    chosen = {"all": operands, "first": operands[:1], "last": operands[-1:], "rest": operands[1:], "none": []}[which]
    tree = row.get("tree", ())
    deep = bool(tree) and (tree[0] == "*" or args.has(tree))
    beside = row.get("beside", "")
    for word in chosen:
        if beside:
            walk.touch(step, added(word, beside), cause=row["id"])
        elif row["does"] == "delete":
            walk.touch(step, word, "delete", cause=row["id"], follow=False, tree=deep)
        else:
            itself = args.has(row.get("itself", ()))
            follow = row.get("follow", True) and not itself
            walk.touch(step, word, cause=row["id"], follow=follow, tree=deep, change=_change(walk, step, args, row))
    for path in row.get("fixed", ()):
        walk.path(step, path, cause=row["id"], change=_change(walk, step, args, row))


def _change(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> "Change | None":
    """What becomes of the text of a written file, where the row says how to know it."""
    shows = row.get("shows")
    if shows is None:
        return None
    from guards.shell import contents

    if shows == "input":
        return contents.teed(walk, step, args)
    return contents.same if shows == "layout" else contents.keys(args.operands, delete=shows == "unset")


def added(word: "Word", ending: str) -> "Word":
    """The word with something static behind it."""
    if word.text is not None:
        return words_of.plain(word.text + ending)
    return type(word)(None, word.raw, word.cause, parts=(*word.parts, ending), rough=word.rough + ending)


def _proxies(walk: "Walk", step: "Step", args: "Args", row: "dict[str, Any]") -> None:
    """Another machine; but ssh can be told to run commands here."""
    for value in args.values(row.get("text", ())):
        name, equals, text = (value.text or "").partition("=")
        if equals and name.strip().lower() in ("proxycommand", "localcommand", "knownhostscommand"):
            walk.text(step, text)


def _script(walk: "Walk", step: "Step", argv: "list[Word]") -> bool:
    """A file that is started by its path: read as a script where it is one. True when nothing else is to be read."""
    from guards.shell import inline

    found = inline.started(walk, step, argv)
    base = (argv[0].text or "").rsplit("/", 1)[-1]
    return found and base not in walk.programs


def stranger(walk: "Walk", step: "Step", argv: "list[Word]") -> None:
    """A program that is not in the list. What looks like a command among its operands is read as one."""
    from guards.shell import wrappers

    if not wrappers.launched(walk, step, argv[1:]):
        verbs = 0 if "/" in (argv[0].text or "") else _verbs(argv[1:])
        walk.opaque(step, argv[1 + verbs :], f"{STRANGER} ({argv[0].text})")


def _verbs(words: "list[Word]") -> int:
    """How many words say what to do (`sst deploy`, `cap production deploy`): no folder is meant by a bare first word,
    nor by a bare one behind it.
    """
    found = 0
    while found < min(2, len(words)) and (words[found].text or "-").replace("-", "x").replace(":", "x").isalnum():
        if (words[found].text or "-")[0] == "-":
            break
        found += 1
    return found
