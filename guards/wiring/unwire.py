#!/usr/bin/env python3
"""The way out: takes every entry that guards made out of the harnesses' settings and leaves the rest, byte for byte.

Stands alone. It needs one file and the standard library of any Python from 3.6 on, so that it works with the venv
gone, the package half-updated or the policy broken. The installer uses the same reading of the text, so what one
puts in the other finds. A file that does not parse is named and left as it is.
"""

import errno
import fcntl
import json
import os
import pwd
import re
import shutil
import sys
import tempfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Way = tuple[tuple["Node", int], ...]  # steps from the root: (container, index of the item in it)

MARKED = re.compile(r"(?:^|\s)#\s*guards:managed\s*$")
COMMAND_KEYS = ("command", "bash")
FENCE = "CLAUDE_CODE_SHELL_PREFIX"
FENCED = re.compile(r"/guards/(?:code/fence/prefix\.py'?|fenced)$")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")
COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
BLANK = re.compile(r"[ \t\r\n]*")
DEEPEST = 100
FRESH = ".guards-new"


class Broken(ValueError):
    """The text is not JSON, not even with comments and trailing commas."""


class Changed(Exception):
    """Somebody else wrote the file since it was read."""


class Node:
    """A value and where it stands: kind is object, array, string or scalar; items only of the first two."""

    __slots__ = ("end", "items", "kind", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.end = start
        self.items = []  # type: list[Item]
        self.value = None  # type: object

    def plain(self) -> "object":
        """As json.loads would give it: of doubled keys the last one counts."""
        if self.kind == "object":
            return {item.key: item.node.plain() for item in self.items}
        return [item.node.plain() for item in self.items] if self.kind == "array" else self.value

    def get(self, key: str) -> "Node | None":
        """The value that counts for a key."""
        found = [item.node for item in self.items if item.key == key] if self.kind == "object" else []
        return found[-1] if found else None


class Item:
    """One member or element; start is the key's or the value's, comma the place of the comma after it or -1."""

    __slots__ = ("comma", "key", "node", "start")

    def __init__(self, start: int, key: "str | None", node: Node) -> None:
        self.start = start
        self.key = key
        self.node = node
        self.comma = -1


def parse(text: str) -> Node:
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = _value(text, at, 0)
    if _skip(text, root.end) != len(text):
        raise _broken(text, root.end, "more text after the end")
    return root


def _broken(text: str, at: int, what: str) -> Broken:
    line = text.count("\n", 0, at) + 1
    return Broken(f"line {line}, column {at - text.rfind(chr(10), 0, at)}: {what}")


def _skip(text: str, at: int) -> int:
    """The next token's place, past blanks and comments."""
    while True:
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        note = COMMENT.match(text, at)
        if note is None:
            return at
        at = note.end()


def _value(text: str, at: int, depth: int) -> Node:
    opening = text[at : at + 1]
    if depth > DEEPEST:
        raise _broken(text, at, "nested too deep")
    if opening in ("{", "["):
        return _container(text, at, depth)
    string = opening == '"'
    found = (STRING if string else SCALAR).match(text, at)
    if found is None:
        raise _broken(text, at, "the text ends early" if not opening else "no value begins here")
    node = Node("string" if string else "scalar", at)
    node.end = found.end()
    node.value = json.loads(found.group())
    return node


def _container(text: str, at: int, depth: int) -> Node:
    node = Node("object" if text[at] == "{" else "array", at)
    closing = "}" if text[at] == "{" else "]"
    at = _skip(text, at + 1)
    while text[at : at + 1] != closing:
        if node.items and node.items[-1].comma < 0:
            raise _broken(text, at, f"a comma or {closing} is missing")
        start, key = at, None
        if closing == "}":
            name = STRING.match(text, at)
            colon = _skip(text, name.end()) if name else at
            if name is None or text[colon : colon + 1] != ":":
                raise _broken(text, at, "no key begins here")
            key, at = str(json.loads(name.group())), _skip(text, colon + 1)
        item = Item(start, key, _value(text, at, depth + 1))
        node.items.append(item)
        at = _skip(text, item.node.end)
        if text[at : at + 1] == ",":
            item.comma, at = at, _skip(text, at + 1)
    node.end = at + 1
    return node


# ---- taking out
def ours(node: Node) -> bool:
    """Whether this is an entry that guards made: its command line ends in the marker."""
    lines = [node.get(key) for key in COMMAND_KEYS]
    return any(line is not None and isinstance(line.value, str) and MARKED.search(line.value) for line in lines)


def ways(node: Node, rules: "frozenset[str]", trail: "Way" = ()) -> "Iterator[Way]":
    """The way to every entry and native rule of ours, in the order of the text."""
    keys = tuple(step[0].items[step[1]].key for step in trail if step[0].kind == "object")
    for index, item in enumerate(node.items):
        way = (*trail, (node, index))
        entry = keys[:1] == ("hooks",) and item.node.kind == "object" and ours(item.node)
        rule = keys == ("permissions", "deny") and item.node.value in rules
        fence = keys == ("env",) and item.key == FENCE and bool(FENCED.search(str(item.node.value)))
        if fence or (node.kind == "array" and (entry or rule)):
            yield way
        elif trail or item.key in ("hooks", "permissions", "env"):
            yield from ways(item.node, rules, way)


def take_out(text: str, record: "dict[str, Any]") -> str:
    """`text` without anything of ours. The record names the native rules the installer added, the containers it
    made, what stood in those it found empty, and what it put at the head of the file; with no `made`, containers
    that only held ours go too."""
    rules = frozenset(record.get("rules", ()))
    while True:
        root = parse(text)
        way = next(ways(root, rules), None) or _head(root, record.get("head", {}))
        if way is None:
            return text
        text = drop(text, way, record)


def _head(root: Node, head: "dict[str, Any]") -> "Way | None":
    """A member that the installer put beside the hooks, as long as it says what it said then."""
    for index, item in enumerate(root.items):
        if root.kind == "object" and item.key in head and item.node.plain() == head[item.key]:
            return ((root, index),)
    return None


def drop(text: str, way: "Way", record: "dict[str, Any]") -> str:
    """Delete the last step of the way, and what stands around it if that is ours and would be left empty."""
    made = record.get("made")
    level = len(way) - 1
    while level > 0 and len(way[level][0].items) == 1 and not _noted(text, way[level][0]):
        container, parent = way[level][0], way[level - 1][0]
        if container.kind == "array" and parent.kind == "object" and level >= 2 and way[level - 2][0].kind == "array":
            if {item.key for item in parent.items} - {"hooks", "matcher"} or _noted(text, parent):
                break  # a group that carries more than our entry
            level -= 2
        elif made is not None and path_of(way[:level]) not in made:
            break
        else:
            level -= 1
    container, index = way[level]
    text = _cut(text, container, index)
    gap = record.get("gaps", {}).get(path_of(way[:level]))
    if len(container.items) == 1:
        return _close(text, container.start, gap or "")
    return text if gap is None or index < len(container.items) - 1 else _pull(text, container.start, gap)


def path_of(way: "Way") -> str:
    """`hooks/PreToolUse`: the keys on the way to a container."""
    return "/".join(str(container.items[index].key) for container, index in way)


def _noted(text: str, node: Node) -> bool:
    """Whether a comment stands in the container, outside its items."""
    places = [node.start + 1]
    for item in node.items:
        places += [item.node.end] + ([item.comma + 1] if item.comma >= 0 else [])
    return any(COMMENT.match(text, BLANK.match(text, at).end()) for at in places)  # type: ignore[union-attr]


def _cut(text: str, container: Node, index: int) -> str:
    """Delete one item with the blanks before it and its comma; the last one takes the comma before it."""
    item = container.items[index]
    before = container.items[index - 1].comma if index else container.start
    rest = text[item.node.end :]
    if item.comma >= 0:
        rest = text[item.node.end : item.comma] + text[item.comma + 1 :]
    kept = text[: item.start].rstrip(" \t\r\n")
    if line_comment(text, before + 1, len(kept)) and not re.match("[ \t]*[\r\n]", rest):
        kept = text[: item.start]  # or the comment would swallow what follows
    if item.comma < 0 and index:
        kept = kept[:before] + kept[before + 1 :]
    return kept + rest


def line_comment(text: str, at: int, end: int) -> bool:
    """Whether the blanks and comments between two places end in a // comment."""
    last = ""
    while at < end:
        at = BLANK.match(text, at).end()  # type: ignore[union-attr]
        note = COMMENT.match(text, at)
        if note is None:
            break
        at, last = note.end(), note.group()
    return last.startswith("//")


def _close(text: str, start: int, gap: str) -> str:
    """Give an emptied container the inside it had before."""
    node = _value(text, start, 0)
    inside = text[start + 1 : node.end - 1]
    if inside.split() != gap.split():
        return text  # a comment came or went: the blanks around it are the owner's now
    return text[: start + 1] + gap + text[node.end - 1 :]


def _pull(text: str, start: int, gap: str) -> str:
    """What the owner put on the line of a bracket that was empty gets its closing bracket back on that line."""
    node = _value(text, start, 0)
    first, inside = node.items[-1].start, text[start + 1 : node.end - 1].rstrip(" \t\r\n")
    blanks = gap[len(gap.rstrip(" \t\r\n")) :]
    if "\n" in text[len(text[:first].rstrip(" \t\r\n")) : first] or "\n" in blanks:
        return text
    return text[: start + 1] + inside + blanks + text[node.end - 1 :]


# ---- files
def load(path: str) -> "bytes":
    with open(path, "rb") as handle:
        return handle.read()


def decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Lock:
    """Keeps other installers out of a folder, without leaving a file in it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.handle = -1

    def __enter__(self) -> "Lock":
        self.handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self.handle, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks: reading again before the rename has to do
        return self

    def __exit__(self, *_: "object") -> None:
        os.close(self.handle)


def replace(path: str, before: "bytes | None", after: "bytes | None") -> None:
    """Put `after` where `before` was (None: no file), through links, keeping mode, owner and attributes.

    Raises Changed when the file is no longer what was read."""
    real = os.path.realpath(path)
    try:
        now = load(real)  # type: bytes | None
    except FileNotFoundError:
        now = None
    if now != before:
        raise Changed(path)
    if after is None:
        os.unlink(real)
    elif before is not None and os.stat(real).st_nlink > 1:
        with open(real, "r+b") as handle:  # a rename would part the hard links
            handle.write(after)
            handle.truncate()
    else:
        _rename_in(real, after, before is not None)


def _rename_in(real: str, data: bytes, existed: bool) -> None:
    folder, name = os.path.split(real)
    for left in os.listdir(folder):  # by a run that was killed; the lock keeps living ones out
        if left.startswith(name + ".") and left.endswith(FRESH):
            os.unlink(os.path.join(folder, left))
    number, fresh = tempfile.mkstemp(prefix=name + ".", suffix=FRESH, dir=folder)
    try:
        with os.fdopen(number, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        if existed:
            _like(fresh, real)
        os.replace(fresh, real)
    except BaseException:
        os.unlink(fresh)
        raise


def _like(fresh: str, model: str) -> None:
    info = os.stat(model)
    try:
        os.chown(fresh, info.st_uid, info.st_gid)
    except OSError as fault:
        if fault.errno != errno.EPERM:
            raise
    shutil.copystat(model, fresh)
    os.utime(fresh)


# ---- whose act it is
# one of these is only there below a harness
MARKERS = (
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "AI_AGENT",
    "GEMINI_CLI",
    "GEMINI_SESSION_ID",
    "GEMINI_PLANS_DIR",
    "COPILOT_CLI",
    "COPILOT_AGENT_SESSION_ID",
    "COPILOT_PROJECT_DIR",
)
# whole families, but for what owners put into their own start-up files
FAMILIES = {
    "CODEX_": ("CODEX_HOME", "CODEX_API_KEY"),
    "CURSOR_": ("CURSOR_API_KEY", "CURSOR_CONFIG_DIR", "CURSOR_TRACE_ID"),
}


def agent(environ: "Mapping[str, str]") -> str:
    """The variable that shows this process was started by an agent; empty when none does."""
    for name in MARKERS:
        if environ.get(name):
            return name
    for name in sorted(environ):
        for family, owners in FAMILIES.items():
            if name.startswith(family) and name not in owners and environ[name]:
                return name
    return ""


# ---- finding
def whose() -> str:
    """The owner's home; below sudo that of the user who called it."""
    caller = os.environ.get("SUDO_UID", "")
    if os.geteuid() == 0 and caller.isdigit() and caller != "0":
        return pwd.getpwuid(int(caller)).pw_dir
    return os.path.expanduser("~")


def installs(home: str) -> "list[str]":
    """Folders an installer may have made."""
    shares = [os.environ.get("XDG_DATA_HOME") or "", os.path.join(home, ".local/share")]
    shares.append(os.path.join(home, "Library/Application Support"))
    return [os.path.join(share, "guards") for share in shares if os.path.isabs(share)]


def known(home: str) -> "list[str]":
    """Where the harnesses keep their hooks."""
    env = os.environ.get
    return [
        os.path.join(env("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "settings.json"),
        os.path.join(home, ".claude", "settings.json"),
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
        os.path.join(env("CODEX_HOME") or os.path.join(home, ".codex"), "hooks.json"),
        os.path.join(home, ".gemini", "settings.json"),
        os.path.join(home, ".cursor", "hooks.json"),
        "/etc/cursor/hooks.json",
        os.path.join(env("COPILOT_HOME") or os.path.join(home, ".copilot"), "hooks", "guards.json"),
        "/etc/github-copilot/policy.d/guards.json",
    ]


def records(folders: "list[str]") -> "dict[str, dict[str, Any]]":
    """What the installers wrote down, by settings file."""
    found = {}  # type: dict[str, dict[str, Any]]
    for folder in folders:
        try:
            with open(os.path.join(folder, "wired"), encoding="utf-8") as handle:
                files = json.load(handle)["files"].items()
            found.update({path: kept for path, kept in files if isinstance(kept, dict)})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return found


def sealed(places: "dict[str, str]") -> "list[str]":
    """The folders that decide, as far as a harness's own rules can name them."""
    code = os.path.dirname(places["policy"])
    folders = [places["install"], places["state"], places["machine"], os.path.dirname(places["approvals"])]
    folders += [places["policy"], os.path.join(code, "guards"), os.path.join(places["checkout"], ".venv")]
    folders += [os.path.realpath(folder) for folder in folders]
    folders.append(os.path.dirname(os.path.realpath(places["approvals"])))
    return [folder for folder in dict.fromkeys(folders) if not re.search(r"[][()*?!\\]", folder)]


def rules(places: "dict[str, str]") -> "list[str]":
    """Claude Code's rules for them: `//` begins an absolute path, Edit stands for every tool that writes."""
    return [f"Edit(/{folder}/**)" for folder in sealed(places)]


def fallback(folders: "list[str]") -> "dict[str, Any]":
    """With no record of a file: the rules about an install folder's places are ours."""
    found = []  # type: list[str]
    for folder in folders:
        try:
            with open(os.path.join(folder, "places"), encoding="utf-8") as handle:
                found += rules(json.load(handle))
        except (OSError, ValueError, KeyError, TypeError):
            found.append(f"Edit(/{folder}/**)")
    return {"rules": found}


def unwire(path: str, record: "dict[str, Any]") -> bool:
    """Take ours out of one file; whether anything was there."""
    with Lock(os.path.dirname(os.path.realpath(path))):
        for _ in range(10):
            before = load(path)
            text = decode(before)
            after = take_out(text, record)
            if after == text:
                return False
            gone = record.get("created") and not os.path.islink(path) and after.split() == ["{}"]
            try:
                replace(path, before, None if gone else encode(after))
            except Changed:
                continue
            return True
    raise Changed(path)


def main(argv: "list[str]") -> int:
    if argv and argv != ["--install"] and (len(argv) != 2 or argv[0] != "--install"):
        print(__doc__ + "\nusage: python3 unwire.py [--install FOLDER]")
        return 0 if argv[0] in ("-h", "--help") else 2
    if agent(os.environ):
        print(f"the owner unwires, in a terminal of their own; {agent(os.environ)} shows an agent's", file=sys.stderr)
        return 2
    home = whose()
    folders = argv[1:] + installs(home)
    seen, bad = records(folders), 0
    for path in dict.fromkeys([*seen, *known(home)]):
        try:
            if os.path.isfile(path) and unwire(path, seen.get(path) or fallback(folders)):
                print(f"{path}: the entries of guards are out")
        except (OSError, ValueError, Changed) as fault:
            advice = "; try again with sudo" if isinstance(fault, PermissionError) else ""
            print(f"{path}: left as it is: {fault}{advice}", file=sys.stderr)
            bad = 1
    for folder in [] if bad else folders:
        for name in ("fence", "fenced"):  # the fence is off: nothing starts commands through it any more
            if os.path.isfile(os.path.join(folder, name)):
                os.unlink(os.path.join(folder, name))
    for folder in [] if bad else folders:
        link = os.path.join(home, ".local/bin/guards")  # the command's own link, if an install of this folder made it
        if os.path.islink(link) and os.readlink(link) == os.path.join(folder, "guards"):
            os.unlink(link)
            print(f"{link}: the link to the command is out")
    print("every other file is clean" if bad else "nothing of guards is wired any more")
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
