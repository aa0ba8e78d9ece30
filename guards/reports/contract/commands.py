"""The command line of one entry, and the script it starts: whether they are there, and do what they say."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from guards.engine import wired
from guards.reports.contract.shape import Hook
from guards.shell.program import segments

HEAD = 40  # lines of a script in which it says what it is
SCRIPT_MAX = 1 << 20
SECONDS = 5.0  # for `sh -n`
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_DOUBLE = re.compile(r"\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_SINGLE = re.compile(r"'[^']*'")
_VARIABLE = re.compile(r"\$\{?(HOME|CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|CODEX_HOME|PWD)\b")
_BASH = (
    ("[[", re.compile(r"(?:^|[\s;&|(])\[\[\s")),
    ("<<<", re.compile(r"<<<")),
    ("&>", re.compile(r"&>")),
    ("|&", re.compile(r"\|&")),
    ("pipefail", re.compile(r"\bpipefail\b")),
    ("source", re.compile(r"(?:^|[\s;&|(])source\s")),
)
_STREAM = re.compile(r"/dev/std(?:in|out|err)\b")
_FOREIGN = re.compile(r"\.(?:ps1|cmd|bat|exe)\b|\b(?:pwsh|powershell|cmd)(?:\.exe)?\b", re.IGNORECASE)
_REWRITES = re.compile(r"\bupdated_?[iI]nput\b|\bmodifiedArgs\b")
_EXITS = re.compile(r"\bexit(?:s|ed)?\s+(?:codes?\b|status\b|with\b|\d)", re.IGNORECASE)
_CLAIM = re.compile(
    r"^\W*(?:wired|events?|hook event|hook|fires on|registered|runs on)(?:\s+(?:to|on|as|at|for|in))?\s*[:=]"
    r"\s*(?P<rest>.+)$",
    re.IGNORECASE,
)
_UNWIRED = re.compile(r"\bnot\s+(?:yet\s+)?wired\b", re.IGNORECASE)


@dataclass(frozen=True)
class Ground:
    """Where commands are looked at from: the owner's home, the repository, and folders that lie elsewhere here."""

    home: Path
    root: Path
    path: str
    moved: tuple[tuple[str, str], ...] = ()
    values: dict[str, str] = field(default_factory=dict)

    def here(self, path: str) -> str:
        """Where a path of the owner's machine lies on this one."""
        for there, here in self.moved:
            if path == there or path.startswith(there.rstrip("/") + "/"):
                return here + path[len(there.rstrip("/")) :]
        return path

    def exists(self, path: str) -> bool:
        return os.path.exists(self.here(path))

    def which(self, name: str) -> str:
        return shutil.which(name, path=self.path) or ""

    def filled(self, command: str) -> str:
        return wired.filled(command, self.values)


def check(hook: Hook, ground: Ground) -> None:
    """Everything about the line itself."""
    _syntax(hook)
    if hook.managed:
        _ours(hook, ground)
        return
    _words(hook, ground)
    if _FOREIGN.search(hook.command):
        hook.say("unsupported", f"`{short(hook)}` is for another system; nothing of it was checked")
        return
    if not _spaces(hook, ground):
        gone = wired.missing(hook.command, ground.values, ground.exists, ground.which)
        if gone:
            hook.say("gone", f"`{short(hook)}` would start {gone}, which is not there")
    _places(hook, ground)


def short(hook: Hook) -> str:
    line = " ".join(hook.command.split())
    return line if len(line) <= 90 else line[:89] + "…"


def scripts(hook: Hook, ground: Ground) -> list[Path]:
    """The files of its own that the command starts and that are there."""
    found = []
    for name, script in wired.programs(ground.filled(hook.command)):
        for part in (script or name,):
            path = Path(ground.here(part))
            if path.is_absolute() and path.is_file() and not str(path).startswith(("/usr/bin/", "/bin/")):
                found.append(path)
    return found


def _ours(hook: Hook, ground: Ground) -> None:
    """Guards' own line: the interpreter and the hook it names."""
    for words, _ in segments(ground.filled(hook.command)):
        gone = [text for text, plain in words[:3] if plain and text.startswith("/") and not ground.exists(text)]
        if gone:
            hook.say("gone", f"guards' entry would start {gone[0]}, which is not there; make install puts it right")
        return


def _syntax(hook: Hook) -> None:
    facts = hook.subject.facts
    if not os.access(facts.shell, os.X_OK):
        return
    try:
        done = subprocess.run(
            [facts.shell, "-n", "-c", hook.command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False, errors="replace",
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError) as fault:
        hook.say("syntax", f"{facts.shell} cannot read the command ({fault})")
        return
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        hook.say("syntax", f"{facts.shell} cannot read `{short(hook)}`: {said[0]}")
    bare = _QUOTED.sub("''", hook.command)
    for name, pattern in _BASH if facts.posix else ():
        if pattern.search(bare):
            hook.say("bashism", f"`{name}` is not for {facts.shell}, which starts the command")


def _words(hook: Hook, ground: Ground) -> None:
    """How words are quoted."""
    if hook.subject.facts.name in ("claude", "gemini") and (found := _STREAM.search(hook.command)):
        hook.say(
            "stream-path", f"{found.group()} cannot be opened: the streams are sockets; use cat, >&2 or descriptor 0"
        )
    if re.search(r"[\"']~/", hook.command):
        hook.say("quoted-tilde", "a quoted ~ is no home; write $HOME inside the quotes")
    for found in _VARIABLE.finditer(_SINGLE.sub("''", _DOUBLE.sub("''", hook.command))):
        name = found[1]
        if " " in ground.values.get(name, ""):
            hook.say("space", f"${name} is {ground.values[name]!r} and not quoted: the shell takes it for two words")
        else:
            hook.say("bare-variable", f"${name} is not quoted; with a space in it the hook is silently off")


def _spaces(hook: Hook, ground: Ground) -> bool:
    """An unquoted path with a space: the file is there, its first word is not."""
    words = ground.filled(_QUOTED.sub("''", hook.command)).split(" ")
    for start, word in enumerate(words):
        if not word.startswith("/") or ground.exists(word):
            continue
        for end in range(start + 2, min(len(words), start + 6) + 1):
            whole = " ".join(words[start:end])
            if ground.exists(whole):
                hook.say("space", f"{whole!r} is not quoted: the shell starts {word!r}")
                return True
    return False


def _places(hook: Hook, ground: Ground) -> None:
    found = list(wired.programs(ground.filled(hook.command)))
    moves = any(name == "cd" for name, _ in found)
    for name, script in found:
        part = script or name
        loose = ("/" in part or script) and not part.startswith(("/", "~", "-"))
        if loose and not moves:
            hook.say("relative", f"{part!r} is looked for in the session's current directory, which moves")
        path = Path(ground.here(part))
        if not script and path.is_absolute() and path.is_file() and not os.access(path, os.X_OK):
            hook.say("not-executable", f"{part} may not be executed; run: chmod +x {part}")
        if path.is_absolute() and _own(hook, ground) and _leaves(part, ground):
            hook.say("escapes", f"{part} lies outside of the repository {ground.root}")


def _own(hook: Hook, ground: Ground) -> bool:
    """Whether the command names the project's own folder, in a repository's settings."""
    return "PROJECT_DIR" in hook.command and hook.subject.path.is_relative_to(ground.root)


def _leaves(part: str, ground: Ground) -> bool:
    if "/" not in part or part.startswith(("/usr/", "/bin/")):
        return False
    return not Path(os.path.realpath(part)).is_relative_to(os.path.realpath(ground.root))


# ---- scripts
def head(path: Path) -> list[str]:
    """The first lines of a script."""
    try:
        with path.open("rb") as handle:
            return handle.read(1 << 14).decode("utf-8", "replace").splitlines()[:HEAD]
    except OSError:
        return []


def check_script(hook: Hook, path: Path, guarded: bool) -> None:
    """What the script's text tells. guarded: guards judges the same event."""
    lines = head(path)
    if hook.gate and not any(_EXITS.search(line) for line in lines if not line.lstrip().startswith("exit")):
        hook.say("exit-docs", f"the head of {path} does not say what its exit codes mean; 2 refuses here")
    try:
        text = path.read_bytes()[:SCRIPT_MAX].decode("utf-8", "replace") if path.stat().st_size <= SCRIPT_MAX else ""
    except OSError:
        return
    if "\0" in text:
        return  # a program, not a script
    sockets = hook.subject.facts.name in ("claude", "gemini")
    if sockets and (found := _STREAM.search(_without_comments(text))):
        hook.say("stream-path", f"{path} opens {found.group()}, which cannot be: the streams are sockets")
    if guarded and hook.event in wired.GATES and _REWRITES.search(text):
        hook.say("rewriter", f"{path} rewrites the input of calls; guards judges what was there before")


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("#", "//")))


def claims(path: Path, events: list[str]) -> tuple[set[str], bool]:
    """(events the head says it is wired at, whether it says that it is not wired)."""
    said: set[str] = set()
    for line in head(path):
        found = _CLAIM.match(line.strip().lstrip("#/*- "))
        if found:
            said |= {name for name in events if re.search(rf"\b{re.escape(name)}\b", found["rest"])}
    return said, any(_UNWIRED.search(line) for line in head(path))
