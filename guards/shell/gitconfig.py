"""git config: which file a change goes to, and what a file of settings holds. Asking for a value changes nothing."""

from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell.gitfiles import git_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.args import Args
    from guards.shell.gitverbs import Git

_ASKS = frozenset(
    {"--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "-l", "--list", "--help"}
)
_SETS = frozenset(
    {"--add", "--replace-all", "--unset", "--unset-all", "--rename-section", "--remove-section", "-e", "--edit"}
)
_VERBS = ("set", "unset", "rename-section", "remove-section", "edit")
VALUES = ("-f", "--file", "--blob", "-t", "--type", "--default", "--comment", "--value", "--url")


def config(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": VALUES})
    if not changes(args):
        return
    target = args.value("-f", "--file")
    if target is not None:
        call.touch(target, cause="git config")
        _remember(call, args, join(call.where, target.text or ""))
    elif args.has(("--global",)):
        home = call.step.env.get("HOME") or call.walk.world.home
        path = call.step.env.get("GIT_CONFIG_GLOBAL") or join(home, ".gitconfig")
        call.walk.path(call.step, path, cause="git config --global")
        _remember(call, args, join(call.where, path))
    elif args.has(("--system",)):
        call.walk.path(call.step, "/etc/gitconfig", cause="git config --system")
    else:
        name = "config.worktree" if args.has(("--worktree",)) else "config"
        call.walk.path(call.step, join(git_dir(call), name), cause="git config")
        _remember(call, args, join(git_dir(call), name))


def _remember(call: "Git", args: "Args", path: str) -> None:
    """A later step of the same command reads what this one sets."""
    names = [w.text or w.rough for w in args.operands]
    names = names[1:] if names and names[0] in _VERBS else names
    if len(names) > 1:
        known = call.walk.kept.setdefault("settings", {}).setdefault(normal(path), {})
        known[names[0].lower()] = names[1]


def changes(args: "Args") -> bool:
    """Whether the words set something: a key with a value, or an option or verb that says so."""
    if args.has(_ASKS):
        return False
    if args.has(_SETS):
        return True
    operands = args.operands
    if operands and operands[0].text in ("get", "list"):
        return False
    return (bool(operands) and operands[0].text in _VERBS) or len(operands) > 1


def settings(text: str) -> "dict[str, str]":
    """A file of settings: `section.key` in small letters → its last value, without quotes and comments."""
    found: dict[str, str] = {}
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        line = line.strip()
        if line[:1] == "[":
            head, _, line = line[1:].partition("]")
            name, _, sub = head.partition(" ")
            section = name.lower() + ("." + sub.strip(' "') if sub.strip() else "")
            line = line.strip()
        if line and line[:1] not in "#;":
            key, equals, value = line.partition("=")
            found[f"{section}.{key.strip()}".lower()] = _value(value) if equals else "true"
    return found


def _value(text: str) -> str:
    """A value: quotes are taken off, a backslash keeps the next character, what follows # or ; is a comment."""
    made = ""
    quoted = False
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            made += {"n": "\n", "t": "\t"}.get(text[at], text[at])
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            made += char
        at += 1
    return made.strip()
