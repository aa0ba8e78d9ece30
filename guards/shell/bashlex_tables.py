"""bashlex without the building of its tables: they are kept by marshal in the state folder, written by temporary name
and rename, and used only for the same files of bashlex and the same interpreter."""

import marshal
import posix
import sys

from guards.engine import packages
from guards.engine.world import read_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "bashlex.tables"


class Production:
    """What the table-driven parser asks of a grammar rule."""

    __slots__ = ("callable", "file", "func", "len", "line", "name", "number", "prod")

    def __init__(self, row: "tuple[Any, ...]", rules: "dict[str, Any]") -> None:
        self.name, self.prod, self.len, self.number, self.func, self.line = row
        self.file = ""
        self.callable = rules[self.func] if self.func else None

    def __len__(self) -> int:
        return int(self.len)


class _Table:
    """Stands in for yacc's LRTable."""

    def __init__(self, action: "Any", goto: "Any", productions: "list[Production]") -> None:
        self.lr_action = action
        self.lr_goto = goto
        self.lr_productions = productions


def load(state: str) -> "Any":
    """The module bashlex.parser."""
    if "bashlex.parser" in sys.modules:
        return sys.modules["bashlex.parser"]
    kept = read(state) if state else None
    if kept is not None:
        try:
            return fast(kept)
        except Exception:  # noqa: BLE001 - tables that do not fit: as if there were none
            for name in [n for n in sys.modules if n.partition(".")[0] == "bashlex"]:
                del sys.modules[name]
    return plain(state)


def key() -> "tuple[Any, ...]":
    """What the tables were made from and for."""
    folder = packages.folder("bashlex")
    stamps = [sys.hexversion, folder]
    for name in ("/parser.py", "/yacc.py", "/tokenizer.py"):
        info = posix.stat(folder + name)
        stamps += [info.st_size, info.st_mtime_ns]
    return tuple(stamps)


def read(state: str) -> "Any":
    data = read_ours(state + "/" + NAME, 1 << 22)
    try:
        stamp, tables = marshal.loads(data or b"")
        return marshal.loads(tables) if stamp == key() else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def package() -> "Any":
    """The package object without its own code, which would import the parser at once."""
    made = type(sys)("bashlex")
    made.__path__ = [packages.folder("bashlex")]
    sys.modules["bashlex"] = made
    return made


def fast(kept: "Any") -> "Any":
    """Import its modules with a yacc that hands out the kept tables."""
    from importlib import import_module

    made = package()
    borrowed = "inspect" not in sys.modules
    if borrowed:
        sys.modules["inspect"] = made  # yacc names it at import and uses it only to build
    try:
        yacc: Any = import_module("bashlex.yacc")
    finally:
        if borrowed:
            del sys.modules["inspect"]
    original = yacc.yacc

    def ready(*_: "Any", **__: "Any") -> "Any":
        rules = sys.modules["bashlex.parser"].__dict__
        action, goto, rows = kept
        return yacc.LRParser(_Table(action, goto, [Production(row, rules) for row in rows]), rules["p_error"])

    yacc.yacc = ready
    try:
        return import_module("bashlex.parser")
    finally:
        yacc.yacc = original


def plain(state: str) -> "Any":
    """The import as it is; the tables it builds are kept for the next time."""
    from importlib import import_module

    package()
    yacc: Any = import_module("bashlex.yacc")
    kept: list[bytes] = []
    original = yacc.LRTable

    class Keep(original):  # type: ignore[misc, valid-type]
        def __init__(self, grammar: "Any", *rest: "Any", **named: "Any") -> None:
            original.__init__(self, grammar, *rest, **named)
            rows = [(p.name, tuple(p.prod), len(p), p.number, p.func, p.line) for p in self.lr_productions]
            kept.append(marshal.dumps((self.lr_action, self.lr_goto, rows)))  # before the import mends some of them

    yacc.LRTable = Keep
    try:
        module = import_module("bashlex.parser")
    finally:
        yacc.LRTable = original
    if state and kept:
        keep(state, kept[0])
    return module


def keep(state: str, tables: bytes) -> None:
    data = marshal.dumps((key(), tables))
    temporary = f"{state}/.{NAME}.{posix.getpid()}"
    try:
        fd = posix.open(temporary, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600)
    except OSError:
        return
    try:
        while data:
            data = data[posix.write(fd, data) :]
        posix.rename(temporary, state + "/" + NAME)
    except OSError:
        posix.unlink(temporary)
    finally:
        posix.close(fd)
