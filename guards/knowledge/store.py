"""What a repository's context folder holds as committed at HEAD: notes, entries, guides, plan rules.

HEAD is read from git's own files. When it moved, one bounded `git` call reads the folder, and the answer is kept below
the state folder: an index that every edit loads, and the texts that only a telling one does. Nothing uncommitted
counts. `Broken` says why nothing can be told; a failed reading is tried again when HEAD moves or a minute has passed.
"""

import marshal

from guards.engine.state import _fnv
from guards.knowledge.matching import match
from guards.lanes.tracked import folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World

MAGIC = "context4"
SECONDS = 4.0
ANSWER_MAX = 8 << 20  # bytes of a context folder
AGAIN = 60  # seconds after which a failed reading is tried again
_EMPTY = {40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"}
_EMPTY[64] = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"


class Broken(Exception):
    """The folder cannot be read at that commit; the text says why."""


class Store:
    """head: the commit; rows: [{id, title, file, blob, kind, paths, always}]; faults: (file, why)."""

    __slots__ = ("_base", "_packed", "_rest", "_world", "head", "index", "root")
    named = False  # the owner's file says which of its entries may be told

    def __init__(self, root: str, base: str, kept: "dict[str, Any]", world: "World") -> None:
        self.root, self._base, self._world = root, base, world
        self.head: str = kept["head"]
        self.index: str = kept["index"]
        self._packed: bytes = kept["rest"]  # apart: a call that touches nothing governed never needs it
        self._rest: dict[str, Any] | None = None

    @property
    def rows(self) -> "list[dict[str, Any]]":
        return self._unpacked("rows")  # type: ignore[no-any-return]

    @property
    def faults(self) -> "list[tuple[str, str]]":
        return self._unpacked("faults")  # type: ignore[no-any-return]

    def _unpacked(self, name: str) -> "Any":
        if self._rest is None:
            self._rest = marshal.loads(self._packed)
        return self._rest[name]

    def governing(self, path: str, kind: str = "entry") -> "list[dict[str, Any]]":
        """The rows whose patterns match a path relative to the root, in the order of their ids."""
        found = match(self.index, path)
        return [] if not found else [self.rows[number] for number in found if self.rows[number]["kind"] == kind]

    def of(self, kind: str) -> "list[dict[str, Any]]":
        return [row for row in self.rows if row["kind"] == kind]

    def text(self, row: "dict[str, Any]") -> str:
        """A row's text as committed."""
        kept = _load(self._world, self._base + ".texts", self.head)
        if kept is None:
            raise Broken("the texts of the context folder are gone")
        text: str = kept["texts"][row["file"]]
        return text


def root_of(path: str, world: "World") -> str:
    """The repository that holds a path; "" when none does."""
    while path.startswith("/") and path != "/":
        if world.lstat(path + "/.git") is not None:
            return path
        path = path.rpartition("/")[0] or "/"
    return ""


def load(root: str, name: str, world: "World") -> "Store | None":
    """The context folder `name` of a repository at HEAD; None without a commit. Raises Broken."""
    head = commit(root, world)
    if not head:
        return None
    same = _open.get((root, name))
    if same is not None and same.head == head:
        return same
    base = f"{world.places['state']}/context/{_fnv(root + chr(0) + name):016x}"
    kept = _load(world, base, head)
    if kept is None or (kept["broken"] and not 0 <= _now() - kept["at"] < AGAIN):
        kept = _read(root, name, head, base, world)
    if kept["broken"]:
        raise Broken(kept["broken"])
    _open[(root, name)] = Store(root, base, kept, world)
    return _open[(root, name)]


_open: "dict[tuple[str, str], Store]" = {}  # one call asks for the same folder more than once


def _now() -> float:
    from time import time

    return time()


def _load(world: "World", path: str, head: str) -> "dict[str, Any] | None":
    data = world.read(path, ANSWER_MAX * 2)
    if data is None:
        return None
    try:
        kept = marshal.loads(data)
        return kept if kept["magic"] == MAGIC and kept["head"] == head else None
    except (ValueError, EOFError, TypeError, KeyError):
        return None


def commit(root: str, world: "World") -> str:
    """The commit HEAD names, from git's own files; "HEAD" where references are kept in another form; "" for none."""
    git = folder(world, root)
    head = _line(world, git + "/HEAD")
    if not head.startswith("ref: "):
        return head if head.isalnum() else ""
    name = head[5:].strip()
    common = _line(world, git + "/commondir") or "."
    common = common if common.startswith("/") else f"{git}/{common}"
    if world.lstat(common + "/reftable") is not None:
        return "HEAD"
    return _line(world, f"{git}/{name}") or _line(world, f"{common}/{name}") or _packed(world, common, name)


def _line(world: "World", path: str) -> str:
    return (world.read(path, 4096) or b"").split(b"\n", 1)[0].decode("utf-8", "replace").strip()


def _packed(world: "World", common: str, name: str) -> str:
    data = world.read(common + "/packed-refs", 16 << 20) or b""
    at = data.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    return data[data.rfind(b"\n", 0, at) + 1 : at].decode("ascii", "replace") if at > 0 else ""


def _read(root: str, name: str, head: str, base: str, world: "World") -> "dict[str, Any]":
    from guards.engine.spilling import save_bytes
    from guards.knowledge import entries, globs

    kept: dict[str, Any] = {"magic": MAGIC, "head": head, "at": _now(), "broken": ""}
    rest: dict[str, Any] = {"rows": [], "faults": []}
    texts: dict[str, str] = {}
    try:
        _fill(rest, texts, entries.files(_ask(root, name, head, world)), name)
    except Broken as fault:
        kept["broken"] = str(fault)
    rows = rest["rows"]
    kept["rest"] = marshal.dumps(rest)
    kept["index"] = globs.index([(pattern, i) for i, row in enumerate(rows) for pattern in row["paths"]])
    save_bytes(base + ".texts", marshal.dumps({"magic": MAGIC, "head": head, "texts": texts}))
    save_bytes(base, marshal.dumps(kept))
    return kept


def _ask(root: str, name: str, head: str, world: "World") -> bytes:
    """One git call that starts nothing else: no hook, no filter, no pager, no lock, no network."""
    argv = ["git", "--no-optional-locks", "--no-pager", "--literal-pathspecs", "-C", root]
    for setting in ("core.hooksPath=/dev/null", "core.fsmonitor=false", "core.quotePath=false"):
        argv += ["-c", setting]
    argv += ["diff-tree", "-p", "-r", "--full-index", "--no-ext-diff", "--no-textconv", "--text", "-U0"]
    argv += ["--no-renames", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"]
    argv += [_EMPTY.get(len(head), _EMPTY[40]), head, "--", name]
    env = {
        "PATH": world.search(), "HOME": world.home, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1",
    }  # fmt: skip
    code, answer = world.run(argv, root, SECONDS, ANSWER_MAX, env)
    if code is None:
        raise Broken(f"git {answer.decode('utf-8', 'replace')[:200]}")
    if code != 0:
        raise Broken(f"git ended with {code}: {answer.decode('utf-8', 'replace').strip()[:200]}")
    if len(answer) >= ANSWER_MAX:
        raise Broken(f"the context folder holds more than {ANSWER_MAX >> 20} MiB")
    return answer


def _fill(rest: "dict[str, Any]", texts: "dict[str, str]", found: "list[tuple[str, str, str]]", name: str) -> None:
    from guards.knowledge import entries

    seen: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    for path, blob, text in found:
        inside = path[len(name) + 1 :]
        kind = {"global": "global", "entries": "entry", "guides": "guide"}.get(inside.partition("/")[0], "")
        kind = "plan" if inside == "plan.md" else kind
        if not kind or not path.endswith(".md"):
            continue
        matter, body = entries.head(text) if kind in ("entry", "guide") else ({}, text.strip())
        stem = path.rpartition("/")[2][:-3]
        row = {"id": stem, "title": "", "file": path, "blob": blob, "kind": kind, "paths": [], "always": False}
        if kind in ("entry", "guide"):
            why = _describe(row, matter, kind, seen)
            if why:
                rest["faults"].append((path, why))
                continue
        rows.append(row)
        texts[path] = body
    rest["rows"] = sorted(rows, key=lambda row: (row["kind"], row["id"]))


def _describe(row: "dict[str, Any]", matter: "dict[str, Any]", kind: str, seen: "dict[str, str]") -> str:
    """Fills in the front matter; "" or why the entry does not count."""
    from guards.knowledge import entries

    row["id"] = entries.known(matter.get("id", row["id"] if kind == "guide" else ""))
    title = matter.get("title", "")
    row["title"] = title if isinstance(title, str) else ""
    row["paths"] = entries.texts(matter.get("paths", []))
    row["always"] = kind == "entry" and matter.get("reach") == "always"
    if not row["id"]:
        return "has no id that can be used (letters, digits, dot, dash and underscore)"
    if kind == "entry" and matter.get("status") != "accepted":
        return "is not of status accepted"
    if row["id"] in seen:
        return f"has the id {row['id']} of {seen[row['id']]}"
    seen[row["id"]] = row["file"]
    return ""
