"""Commands that only a human runs: what would widen what agents may do.

Judged on the words of every command that a shell call would start, behind wrappers and in inner text, never on the
raw text: a message that talks about such a command is no command. Text that no reader could read is shell_lane's.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.shell.stepping import Command

NAME = "human-only"

MODULES = ("guards", "guards.cli")  # `python -m` with one of these is the command itself
_PYTHON = {"value": ("-m", "-c", "-W", "-X", "-Q", "--check-hash-based-pycs")}  # its options that take a value


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict] | None":
    if event.kind != "shell":
        _ = event.effects  # whether a tool that no table names holds a command shows when its effects are read
    if not event.command:
        return None
    from guards.shell import effects

    found: dict[str, Verdict] = {}
    for command in effects.commands(event, world):
        words = _command([w.text if w.text is not None else w.rough for w in command.argv])
        name = words[0].rsplit("/", 1)[-1] if words else ""
        for row in (*rules["by"].get(name, ()), *rules["any"]):
            if row["rule"] not in found and _applies(row, words, command, event, world):
                found[row["rule"]] = _verdict(row, command)
    return list(found.values()) or None


def _command(words: "list[str]") -> "list[str]":
    """`python -m guards.cli pause` → `guards pause`."""
    module, _, rest = _python(words)
    return ["guards", *rest] if module in MODULES else words


def _python(words: "list[str]") -> "tuple[str, str, list[str]]":
    """(the module that an interpreter is told to run, its program text, the words behind either); "" for none."""
    name = words[0].rsplit("/", 1)[-1] if words else ""
    if name != "py" and not name.startswith(("python", "pypy")):
        return "", "", []
    from guards.shell.args import plain, scan

    for at in range(1, len(words)):  # the first of -m and -c ends python's own options
        args = scan([plain(word) for word in words[1 : at + 1]], _PYTHON, stop=True)
        for option in ("-m", "-c"):
            value = args.value(option)
            if value is not None:
                text = value.text or ""
                return (text, "", words[at + 1 :]) if option == "-m" else ("", text, words[at + 1 :])
        if args.operands:
            break
    return "", "", []


def _applies(row: "dict[str, Any]", words: "list[str]", command: "Command", event: "Event", world: "World") -> bool:
    """Everything that the row names is there; its programs were looked up already."""
    if row["unless"] and any([w in row["unless"] for w in words[1:]]):
        return False
    if row["verbs"] and not any([w in row["verbs"] for w in _operands(words)]):
        return False
    if row["options"] and not any([_option(name, value, words) for name, value in row["options"]]):
        return False
    if row["settings"] and not _setting(row["settings"], words):
        return False
    if row["within"] and not _within(row["within"], words, command, event, world):
        return False
    if row["sets"] and not _sets(row["sets"], command, words, world):
        return False
    return not row["files"] or _runs(row["files"], words, command, event, world)


def _operands(words: "list[str]") -> "list[str]":
    return [w for w in words[1:] if w[:1] != "-" and "=" not in w][:2]


def _option(name: str, value: str, words: "list[str]") -> bool:
    """The option, shortened or with `=` too; where a value is asked for, it holds the text between the stars."""
    wanted = value.strip("*")
    for at, word in enumerate(words[1:], 1):
        given, equals, rest = word.partition("=")
        if given != name and not (name[:2] == "--" and len(given) > 4 and name.startswith(given)):
            continue
        if not wanted:
            return True
        following = rest if equals else words[at + 1] if at + 1 < len(words) else ""
        if wanted in following:
            return True
    return False


def _setting(keys: "frozenset[str]", words: "list[str]") -> bool:
    """Git config KEY VALUE, by whichever form sets it."""
    if "config" not in words:
        return False
    from guards.shell.args import plain, scan
    from guards.shell.gitconfig import VALUES, changes

    args = scan([plain(w) for w in words[words.index("config") + 1 :]], {"value": VALUES})
    return changes(args) and any([w.text is not None and w.text.lower() in keys for w in args.operands])


def _within(folder: str, words: "list[str]", command: "Command", event: "Event", world: "World") -> bool:
    here = command.cwd or event.cwd
    for at, word in enumerate(words[:-1]):
        if word in ("-C", "--directory"):
            here = _join(here, words[at + 1])
        elif word.startswith("--directory="):
            here = _join(here, word[12:])
    return (world.real(here) or here) == (world.real(folder) or folder)


def _join(here: str, path: str) -> str:
    return path if path.startswith("/") else f"{here}/{path}"


def _sets(names: "tuple[str, ...]", command: "Command", words: "list[str]", world: "World") -> bool:
    """A variable before the command, from a wrapper, exported earlier in the text, or by export itself."""
    for name in names:
        given = _given(name, command, words)
        if given is not _NOT and given != world.plain_env(name) and not (given == "" and world.plain_env(name) is None):
            return True
    return False


_NOT = "\0"  # no value is given


def _given(name: str, command: "Command", words: "list[str]") -> "str | None":
    if name in command.sets:
        return command.sets[name]
    if words and words[0] in ("export", "declare", "typeset", "readonly", "local", "setenv"):
        for word in words[1:]:
            if word.startswith(name + "="):
                return word[len(name) + 1 :]
    return command.step.env.get(name, _NOT) if words else _NOT


def _runs(files: "tuple[str, ...]", words: "list[str]", command: "Command", event: "Event", world: "World") -> bool:
    """The file itself is started, as a file or as a module, or an interpreter or a program nobody knows gets it."""
    if _by_name(files, words):
        return True
    names = {file.rsplit("/", 1)[-1] for file in files}
    if not any([word.rsplit("/", 1)[-1] in names for word in words]):
        return False
    from guards.shell.args import Rows

    row = Rows(world.rules("shell-lane") or {}).get(words[0].rsplit("/", 1)[-1])
    code = row is None or row["does"] == "code" or bool(row.get("language"))
    for at, word in enumerate(words):
        if (at == 0 or code) and word.rsplit("/", 1)[-1] in names:
            here = world.real(_join(command.cwd or event.cwd, word))
            if here is not None and here in [world.real(file) for file in files]:
                return True
    return False


def _by_name(files: "tuple[str, ...]", words: "list[str]") -> bool:
    """`python -m guards.wiring.unwire`, and program text that imports or runs such a module."""
    module, text, _ = _python(words)
    for file in files:
        dotted = "guards." + file.rpartition("/guards/")[2].removesuffix(".py").replace("/", ".")
        parent, _, name = dotted.rpartition(".")
        if module == dotted or dotted in text or (f"from {parent} import" in text and name in text):
            return True
    return False


def _verdict(row: "dict[str, Any]", command: "Command") -> Verdict:
    line = " ".join([w.raw or w.rough for w in command.argv]) or " ".join([f"{name}=…" for name in command.sets])
    shown = "".join([c if c.isprintable() else " " for c in line])[:120]
    what = f"`{shown}` is a command that only a human runs: {row['why']} ({row['rule']})."
    text = what + " if it is needed, say why; the owner runs it."
    return Verdict(NAME, row["action"], text, row["rule"], facts={"command": shown})
