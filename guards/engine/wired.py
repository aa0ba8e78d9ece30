"""The hook entries of a settings file as its harness reads them, and what makes one of them dead.

Only what is certain without starting anything: a script or program that is not there, a matcher that can match no
tool, the same entry twice, a gate whose time is too short to be heard. What cannot be told (a variable, a pattern, a
guard like `[ -f x ] &&`) is left alone. Shared by the session doctor's short form and `guards wiring`.
"""

from guards.shell.program import segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Exists = Callable[[str], bool]
    Which = Callable[[str], str]

MARK = "guards:managed"
# the owner's settings below the home → the harness that reads them
FILES = (
    (".claude/settings.json", "claude"), (".codex/hooks.json", "codex"), (".gemini/settings.json", "gemini"),
    (".cursor/hooks.json", "cursor"), (".copilot/hooks/guards.json", "copilot"),
)  # fmt: skip
# seconds. a refusal must be heard before the harness stops waiting, and a loaded machine starts an interpreter slowly
SHORTEST = 5.0
GATES = ("PreToolUse", "BeforeTool", "preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
# events whose matcher is a tool's name
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied")
INTERPRETERS = frozenset((
    "python", "python2", "python3", "node", "bun", "deno", "ruby", "perl", "php", "sh", "bash", "dash", "zsh", "ksh",
    "fish", "lua", "tsx", "ts-node", "pwsh", "powershell",
))  # fmt: skip
_TEXT = frozenset(("-c", "-e", "-m", "-lc", "-ec", "-p", "--eval", "--command", "-Command", "run", "-"))
_BUILTIN = frozenset((
    "cd", "echo", "printf", "exit", "true", "false", ":", ".", "source", "export", "set", "unset", "exec", "eval",
    "trap", "read", "shift", "umask", "ulimit", "wait", "return", "local", "readonly", "alias", "times", "pwd", "kill",
    "then", "else", "elif", "fi", "do", "done", "case", "esac", "for", "while", "until", "in", "!", "{", "}", "time",
    "function",
))  # fmt: skip
_ASKS = frozenset(("[", "[[", "test", "command", "if", "type", "which", "hash"))
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- |,")


class Entry:
    """One entry. matcher: None when there is none; timeout: as it stands; nested: inside a group, as most want it."""

    __slots__ = ("command", "event", "harness", "matcher", "nested", "path", "timeout")

    def __init__(self, path: str, harness: str, event: str, command: str, matcher: "Any", timeout: "Any") -> None:
        self.path, self.harness, self.event, self.command = path, harness, event, command
        self.matcher, self.timeout, self.nested = matcher, timeout, True

    @property
    def managed(self) -> bool:
        return MARK in self.command

    @property
    def seconds(self) -> float | None:
        """The timeout in seconds; None when there is none that a harness takes."""
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, (int, float)):
            return None
        return self.timeout / 1000 if self.harness == "gemini" else float(self.timeout)


def entries(document: "Any", path: str, harness: str) -> "list[Entry]":
    """Every entry with a command; what has another shape is passed over."""
    hooks = document.get("hooks") if isinstance(document, dict) else None
    found: list[Entry] = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, dict):
                found += _of_group(group, path, harness, event)
    return found


def _of_group(group: "dict[str, Any]", path: str, harness: str, event: str) -> "Iterator[Entry]":
    inner = group.get("hooks")
    nested = isinstance(inner, list)
    for entry in inner if isinstance(inner, list) else [group]:
        command = entry.get("command", entry.get("bash")) if isinstance(entry, dict) else None
        if isinstance(command, str):
            made = Entry(
                path, harness, event, command, group.get("matcher"), entry.get("timeout", entry.get("timeoutSec"))
            )
            made.nested = nested
            yield made


def filled(text: str, values: "dict[str, str]") -> str:
    """The text with `$NAME`, `${NAME}` and a leading `~/` of a word filled in, as far as the values go."""
    for name, value in values.items():
        text = text.replace("${" + name + "}", value)
        at = text.find("$" + name)
        while at >= 0:
            end = at + 1 + len(name)
            if not (text[end : end + 1].isalnum() or text[end : end + 1] == "_"):
                text = text[:at] + value + text[end:]
                end = at + len(value)
            at = text.find("$" + name, end)
    home = values.get("HOME", "")
    for before in (" ", "=", "\t", "\n") if home else ():
        text = text.replace(before + "~/", before + home + "/")
    return home + text[1:] if home and text.startswith("~/") else text


def programs(command: str) -> "Iterator[tuple[str, str]]":
    """(program, the script it is to run or "") of every simple command whose words are plain text."""
    for words, _ in segments(command):
        rest = [word for word in words if not _assigns(word[0])]
        if not rest or not rest[0][1] or not rest[0][0]:
            continue
        name = rest[0][0]
        yield name, _script(rest[1:]) if base(name) in INTERPRETERS else ""


def _assigns(text: str) -> bool:
    name, sign, _ = text.partition("=")
    return bool(sign) and name.isidentifier()


def base(name: str) -> str:
    """A program's name without its folder and version."""
    last = name.rpartition("/")[2]
    return last if last in INTERPRETERS else last.rstrip("0123456789.")


def _script(words: "list[tuple[str, bool]]") -> str:
    for text, plain in words:
        if text in _TEXT or not plain:
            return ""
        if not text.startswith("-"):
            return text
    return ""


def asks(command: str) -> bool:
    """Whether the command looks first (`[ -f x ] && …`), so that what is missing may be meant to be."""
    return any([name in _ASKS for name, _ in programs(command)])


def missing(command: str, values: "dict[str, str]", exists: "Exists", which: "Which") -> str:
    """The script or program that the command would start and that is not there; "" when nothing is known to miss."""
    text = filled(command, values)
    if asks(text):
        return ""
    for name, script in programs(text):
        if name in _BUILTIN:
            continue
        if name.startswith("/"):
            if not exists(name):
                return name
        elif "/" not in name and not which(name):
            return f"{name} (not on the search path)"
        if script.startswith("/") and not exists(script):
            return script
    return ""


def dead_matcher(matcher: str, tools: "Iterable[str]") -> str:
    """Why the matcher can match no tool of Claude Code; "" when it may."""
    if matcher.strip() in ("", "*"):
        return ""
    head, mark, _ = matcher.partition("(")
    if mark and head in tools and matcher.rstrip().endswith(")"):
        return f"{matcher!r} is a permission rule, not a matcher: write {head!r}, and the rule under `if`"
    if not _PLAIN.issuperset(matcher):
        return ""
    folded = {name.casefold(): name for name in tools}
    for name in [part.strip() for part in matcher.replace(",", "|").split("|")]:
        if name.startswith("mcp__") and name.count("__") < 2:
            return f"{name!r} is an exact name and matches no tool: write '{name}__.*'"
        if name not in tools and name.casefold() in folded:
            return f"{name!r} matches no tool: names count in their case, as {folded[name.casefold()]!r}"
    return ""


def findings(
    listed: "list[Entry]", values: "dict[str, str]", exists: "Exists", which: "Which", tools: "Iterable[str]"
) -> "list[tuple[str, Entry, str]]":
    """(id, entry, what is wrong) of the entries of one harness, each at most once."""
    found: list[tuple[str, Entry, str]] = []
    seen: dict[tuple[str, str, str], Entry] = {}
    for entry in listed:
        key = (entry.event, str(entry.matcher or "*"), " ".join(entry.command.split()))
        if key in seen:
            found.append(("doubled", entry, f"stands there twice ({seen[key].path})"))
            continue
        seen[key] = entry
        if why := _dead(entry, values, exists, which, tools):
            found.append((why[0], entry, why[1]))
    return found


def _dead(
    entry: Entry, values: "dict[str, str]", exists: "Exists", which: "Which", tools: "Iterable[str]"
) -> "tuple[str, str] | None":
    if entry.harness == "gemini" and not entry.nested:
        return "flat", "is not inside a group's `hooks`, so it is never run"
    gone = missing(entry.command, values, exists, which)
    if gone:
        return "gone", f"would start {gone}, which is not there"
    if entry.harness == "claude" and entry.event in TOOL_EVENTS and isinstance(entry.matcher, str):
        if why := dead_matcher(entry.matcher, tools):
            return "matcher", f"is never run: {why}"
    if entry.event in GATES and entry.seconds is not None and 0 < entry.seconds < SHORTEST:
        return "short", f"has {entry.seconds:g} s: on a busy machine the call runs before it has judged"
    return None
