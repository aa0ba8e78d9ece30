"""tree-sitter-bash, loaded fast and stopped in time: the text of a command -> its syntax tree.

Nearly all of its load time is `re`, `enum` and `collections`, which the binding asks for at load and needs for
queries, logs and points only. So both extension modules are loaded from their files while small stand-ins sit in
`sys.modules`; where that fails, the plain import serves, slower. A parse in C cannot be interrupted by a signal:
the parser stops itself after each slice of wall time and is resumed while there is CPU time left. (Its progress
callback would be the newer way, but up to Python 3.13 the binding builds the callback's arguments with a format
that only 3.14 knows, and the process crashes.) A parse that takes too long raises Slow.
"""

import posix
import sys
import time

from guards.engine import packages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SLICE = 50_000  # microseconds of wall time between two looks at the clock
CHUNK = 1 << 16  # the binding reads the source through a callback; larger pieces cost nothing

_parser: "Any" = None
plain = False  # set when the fast load failed and the plain import served; the doctor and a test look at it


class Slow(Exception):
    """The parse used up its CPU time."""


class _StandIn:
    """What the binding asks of `re`, `enum` and `collections` while it is loaded."""

    @staticmethod
    def compile(*_: "Any") -> "Any":
        raise RuntimeError("queries are not loaded here")

    @staticmethod
    def IntEnum(name: str, members: "dict[str, int]") -> "Any":  # noqa: N802 - the name it is asked for
        return type(name, (int,), dict(members))

    @staticmethod
    def namedtuple(_name: str, _fields: "Any", **_: "Any") -> "Any":
        return _Point


class _Point(tuple):  # type: ignore[type-arg]  # noqa: SLOT001
    def __new__(cls, *fields: int) -> "_Point":
        return tuple.__new__(cls, fields)


STOOD_IN = ("re", "enum", "collections", "collections.abc")


def _extension(name: str, package: str) -> "Any":
    """An extension module from its file, without running the package's own Python code."""
    import _imp
    from _frozen_importlib import ModuleSpec
    from _frozen_importlib_external import ExtensionFileLoader

    folder = packages.folder(package)
    for entry in posix.listdir(folder):
        if entry.startswith("_binding.") and entry.endswith((".so", ".pyd")):
            path = folder + "/" + entry
            module = _imp.create_dynamic(ModuleSpec(name, ExtensionFileLoader(name, path), origin=path))
            _imp.exec_dynamic(module)
            return module
    raise ImportError("no extension module in " + folder)


def _fast() -> "tuple[Any, Any]":
    held = {name: sys.modules.get(name) for name in STOOD_IN}
    for name in STOOD_IN:
        sys.modules[name] = _StandIn  # type: ignore[assignment]
    try:
        core = _extension("tree_sitter._binding", "tree_sitter")
    finally:
        sys.modules.pop("tree_sitter._binding", None)  # a later plain import makes its own, without the stand-ins
        for name, module in held.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
    return core, _extension("tree_sitter_bash._binding", "tree_sitter_bash")


def _slow() -> "tuple[Any, Any]":
    global plain
    packages.use()
    import tree_sitter
    import tree_sitter_bash

    plain = True
    return tree_sitter, tree_sitter_bash


def _load() -> "Any":
    global _parser
    try:
        core, grammar = _fast()
        parser = core.Parser(core.Language(grammar.language()))
    except Exception:  # noqa: BLE001 - any surprise of another version: the plain import decides
        core, grammar = _slow()
        parser = core.Parser(core.Language(grammar.language()))
    _set_slice(parser)
    _parser = parser
    return parser


def _set_slice(parser: "Any") -> None:
    """The attribute is deprecated, and a process that turns warnings into errors would not get to set it."""
    warnings = sys.modules.get("warnings")
    if warnings is None:
        parser.timeout_micros = SLICE
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser.timeout_micros = SLICE


def parse(source: bytes, until: float) -> "Any":
    """The root node; Slow when the process's CPU clock has passed `until`."""
    parser = _parser if _parser is not None else _load()
    while True:
        try:
            return parser.parse(lambda at, _: source[at : at + CHUNK]).root_node
        except ValueError:  # the slice is over; calling again goes on where it stopped
            if time.process_time() > until:
                parser.reset()
                raise Slow from None
