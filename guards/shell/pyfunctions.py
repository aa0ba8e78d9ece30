"""What well-known Python functions give: paths, joins, decoders, listings. A part of pyvalues.py."""

from guards.shell import pybodies, pycommands, pyshapes
from guards.shell.pyparts import ELSEWHERE, temporary
from guards.shell.pysets import (
    HOLE,
    PART,
    REST,
    SOME,
    beneath,
    holed,
    last,
    lost,
    mapped,
    parent,
    product,
    sure,
    union,
    unsure,
)
from guards.shell.pyvalues import _BENEATH, _PATHS, _SAME, _SAME_METHODS, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pysets import Value
    from guards.shell.pyvalues import Values


_MADE = frozenset(
    {"tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.mktemp", "tempfile.gettempdir", "tempfile.TemporaryDirectory",
     "tempfile.NamedTemporaryFile", "tempfile.TemporaryFile", "tempfile.SpooledTemporaryFile"}
)  # fmt: skip
_CHANGED = frozenset(
    {"replace", "removesuffix", "removeprefix", "strip", "rstrip", "lstrip", "lower", "upper", "decode", "with_suffix",
     "with_name", "title", "swapcase", "with_stem"}
)  # fmt: skip


def value(values: "Values", node: "Any") -> "Value":
    node = pybodies.spread(values, node)
    name = values.dotted(node.func)
    args = node.args
    first = args[0] if args else None
    if name in _PATHS or name == "os.path.join":
        joined: Value = sure("")
        for arg in args:
            joined = beneath(joined, values.of(arg))
        if name in _PATHS and joined is None:
            return REST
        return mapped(joined, lambda text: text or ".")
    if name in _SAME:
        return values.of(first) if len(args) == 1 or name == "repr" else union([values.of(a) for a in args])
    if name in pycommands.PRINTED:
        return pycommands.printed(values.program, node)
    if name in _MADE:
        return _temporary(values, node, name)
    plain: Any = _PLAIN.get(name)
    if plain is not None:
        known: Value = plain(values, args)
        return known
    return method(values, node) if kind(node.func) == "Attribute" else None


def _temporary(values: "Values", node: "Any", name: str) -> "Value":
    """A file or a folder of a name that is not known, in the folder for temporary files or in a given one."""
    given = {k.arg: k.value for k in node.keywords}
    given.update(
        zip(("suffix", "prefix", "dir"), node.args if name.endswith(("mkdtemp", "mkstemp")) else [], strict=False)
    )
    prefix = values.of(given["prefix"]) if "prefix" in given else ()
    if None in given or lost(prefix) or any(["/" in text for text, _ in prefix or ()]):
        return None
    folder = values.of(given["dir"]) if "dir" in given else ()
    if not folder:
        folder = values.environ("TMPDIR")
        if folder is None or ("dir" in given and values.of(given["dir"]) is None):
            return None
    if all([temporary(text) for text, _ in folder]):
        return ((ELSEWHERE, False),)
    return folder if name.endswith("gettempdir") else unsure(beneath(folder, sure("_")))


def method(values: "Values", node: "Any") -> "Value":
    """A method of a text, a path or a list."""
    attr, args = node.func.attr, node.args
    here = values.of(node.func.value)
    if attr == "join" and args:
        return _joined(values, here, args[0])
    if attr == "relative_to":
        return _relative(here, values.of(args[0]) if args else None) or SOME
    if attr == "replace" and here is None:
        return (
            SOME
            if len(args) == 2 and values.text(args[0]) == "/" and "/" not in (values.text(args[1]) or "/")
            else None
        )
    if here is None:
        return None
    if attr in pyshapes._CUTS:
        pieces = pyshapes.cut(values, node)
        return pyshapes.whole(pieces) if pieces else None
    if attr in _SAME_METHODS:
        return mapped(here, home(values)) if attr == "expanduser" else here
    if attr in _BENEATH:
        end = values.of(args[0]) if args and attr != "walk" else sure("_")
        sample = mapped(end, lambda text: text.replace("**/", "").replace("*", "_").replace("?", "_"))
        return unsure(beneath(here, sample))
    if attr == "get" and args:
        return _got(values, node, here)
    if attr == "format" and node.keywords and not args:
        return _named(values, here, node.keywords)
    return _made(values, attr, here, [values.of(a) for a in args])


def _made(values: "Values", attr: str, here: "Value", texts: "list[Value]") -> "Value":
    if attr == "joinpath":
        for text in texts:
            here = beneath(here, text)
        return here
    if attr == "format":
        return values.filled(here, texts, "{")
    return _changed(attr, here, texts) if attr in _CHANGED else None


def _named(values: "Values", here: "Value", keywords: "list[Any]") -> "Value":
    """`"{a}/{b}".format(a=…, b=…)`"""
    for keyword in keywords:
        given = values.of(keyword.value)
        found: list[Value] = []
        for text, known in here or ():
            pieces = text.split("{" + str(keyword.arg) + "}")
            built: Value = ((pieces[0], known),)
            for piece in pieces[1:]:
                built = product(product(built, given), sure(piece))
            found.append(built)
        here = union(found)
    return None if here is None or any(["{" in text for text, _ in here]) else here


def _got(values: "Values", node: "Any", here: "Value") -> "Value":
    """`d.get(key, default)`"""
    held = pyshapes.of(values, node.func.value)
    key = values.text(node.args[0])
    default = values.of(node.args[1]) if len(node.args) > 1 else ()
    if key is None or not held or not all([shape.keyed for shape in held]):
        return union([here, default])
    return union([row[1] for shape in held for row in shape.named(key)] + [default])


def _relative(here: "Value", base: "Value") -> "Value":
    """Paths as they are seen from a folder; None where that is not known."""
    found: list[tuple[str, bool]] = []
    for start, _ in base or ():
        for text, known in here or ():
            inside = text.startswith(start.rstrip("/") + "/") and not holed(start)
            found.append((text[len(start.rstrip("/")) + 1 :] if inside else PART, known and inside))
    return tuple(found) or None


def _changed(attr: str, here: "Value", texts: "list[Value]") -> "Value":
    if any([t is None or len(t) != 1 or holed(t[0][0]) for t in texts]):
        return None
    given = [t[0][0] for t in texts if t]
    if attr in ("with_suffix", "with_name", "with_stem"):
        return mapped(here, lambda t: _renamed(attr, t, given[0])) if given else None
    if attr == "decode":
        return here
    if attr == "replace" and len(given) != 2:
        return None
    if attr == "replace" and given[0] == "/" and "/" not in given[1]:  # nothing that leads anywhere is left
        return tuple(
            [(PART, False) if HOLE in t else (t.replace(given[0], given[1]), known) for t, known in here or ()]
        )
    if any([holed(t) and attr not in ("rstrip", "removesuffix", "strip", "lower", "upper") for t, _ in here or ()]):
        return None
    return mapped(here, lambda text: getattr(text, attr)(*given))


def _renamed(attr: str, text: str, given: str) -> str:
    """A path with another end."""
    end = last(text)
    if holed(end):
        return text if attr == "with_suffix" else text[: text.rfind("/") + 1] + HOLE
    if attr == "with_name":
        return parent(text) + "/" + given
    stem, dot, suffix = end.rpartition(".")
    new = (stem or end) + given if attr == "with_suffix" else given + (dot + suffix if stem else "")
    return text[: len(text.rstrip("/")) - len(end)] + new


def _joined(values: "Values", between: "Value", node: "Any") -> "Value":
    """A literal list joined; of anything else, its parts one by one."""
    if between is None or len(between) != 1:
        return None
    if kind(node) in ("List", "Tuple") and node.elts:
        found: Value = values.of(node.elts[0])
        for inner in node.elts[1:]:
            found = product(found, values.of(inner), between[0][0])
        return found
    numbers = characters(values, node)
    if numbers:
        return sure(between[0][0].join(numbers))
    lists = pyshapes.of(values, node)
    found_: list[Value] = []
    for shape in lists:
        texts: Value = sure("")
        for at, row in enumerate(shape.members()):
            texts = product(texts, row[1], between[0][0] if at else "")
        found_.append(texts)
    return union(found_) if lists else union([values.of(node), None])


def characters(values: "Values", node: "Any") -> "list[str]":
    """map(chr, [46, 101]) and (chr(n) for n in [46, 101])"""
    source = None
    if kind(node) == "Call" and values.dotted(node.func) == "map" and len(node.args) == 2:
        source = node.args[1] if values.dotted(node.args[0]) == "chr" else None
    elif (
        kind(node) in ("GeneratorExp", "ListComp")
        and kind(node.elt) == "Call"
        and values.dotted(node.elt.func) == "chr"
    ):
        source = node.generators[0].iter
    return [chr(n) for n in numbers_of(source)]


def numbers_of(node: "Any") -> "list[int]":
    if node is not None and kind(node) == "Constant" and isinstance(node.value, bytes):
        return list(node.value)
    found = [getattr(e, "value", None) for e in getattr(node, "elts", ())]
    return [n for n in found if isinstance(n, int) and 0 <= n < 0x110000]


def home(values: "Values") -> "Any":
    found = values.environ("HOME")
    where = found[0][0] if found else "~"
    return lambda text: where + text[1:] if text[:2] in ("~", "~/") else text


def _absolute(values: "Values", args: "list[Any]") -> "Value":
    """os.path.abspath, seen from where the program runs as far as that is known."""
    step, given = values.program.step, values.of(args[0]) if args else None
    if step.cwd is None:
        return given
    return mapped(given, lambda text: values.program.walk.full(step, text))


def _expanded(values: "Values", args: "list[Any]") -> "Value":
    return mapped(values.of(args[0]), home(values)) if args else None


def _environment(values: "Values", args: "list[Any]") -> "Value":
    known = values.environ(values.text(args[0])) if args else None
    if len(args) < 2 or (known is not None and not lost(known)):
        return known
    return values.of(args[1]) if known is None else union([known, values.of(args[1])])  # one that nothing sets


def _unbased(values: "Values", args: "list[Any]") -> "Value":
    import binascii

    text = values.text(args[0]) if args else None
    try:
        return None if text is None else sure(binascii.a2b_base64(text.encode()).decode("utf-8", "replace"))
    except ValueError:
        return None


def _unhexed(values: "Values", args: "list[Any]") -> "Value":
    text = values.text(args[0]) if args else None
    try:
        return None if text is None else sure(bytes.fromhex(text).decode("utf-8", "replace"))
    except ValueError:
        return None


def _here(values: "Values", _args: "list[Any]") -> "Value":
    return sure(values.program.step.cwd) if values.program.step.cwd else None


def _listed(values: "Values", args: "list[Any]") -> "Value":
    pattern = values.of(args[0]) if args else sure(".")
    return unsure(mapped(pattern, lambda t: t.replace("**/", "").replace("*", "_") if "*" in t else t + "/_"))


def _chr(_values: "Values", args: "list[Any]") -> "Value":
    number = getattr(args[0], "value", None) if args else None
    return sure(chr(number)) if isinstance(number, int) and 0 <= number < 0x110000 else None


def _bytes(values: "Values", args: "list[Any]") -> "Value":
    return sure(bytes([n for n in numbers_of(args[0]) if n < 256]).decode("utf-8", "replace")) if args else None


def _based(values: "Values", args: "list[Any]") -> "Value":
    return tuple([(last(text), known) for text, known in (values.of(args[0]) if args else None) or REST or ()])


def _seen(values: "Values", args: "list[Any]") -> "Value":
    """os.path.relpath: of what is known to lie in the folder."""
    found = _relative(values.of(args[0]), values.of(args[1])) if len(args) > 1 else None
    return None if found is None or any([holed(text) for text, _ in found]) else found


def _next(values: "Values", args: "list[Any]") -> "Value":
    return union([values.of(each) for each in args])


def _text(values: "Values", args: "list[Any]") -> "Value":
    """textwrap.dedent, inspect.cleandoc"""
    import textwrap

    return mapped(values.of(args[0]), textwrap.dedent) if args else None


_PLAIN = {
    "os.path.abspath": _absolute, "os.path.realpath": _absolute,
    "next": _next, "textwrap.dedent": _text, "inspect.cleandoc": _text,
    "os.path.expanduser": _expanded, "os.path.expandvars": _expanded, "os.getenv": _environment,
    "os.environ.get": _environment, "base64.b64decode": _unbased, "base64.standard_b64decode": _unbased,
    "binascii.a2b_base64": _unbased, "bytes.fromhex": _unhexed, "binascii.unhexlify": _unhexed, "os.getcwd": _here,
    "pathlib.Path.cwd": _here, "pathlib.Path.home": lambda values, args: values.environ("HOME"), "glob.glob": _listed,
    "glob.iglob": _listed, "os.listdir": _listed, "os.scandir": _listed, "os.walk": _listed, "chr": _chr,
    "bytes": _bytes, "bytearray": _bytes,
    "os.path.dirname": lambda values, args: mapped(values.of(args[0]), parent) if args else None,
    "os.path.basename": _based, "os.path.relpath": _seen,
    "os.open": lambda values, args: values.of(args[0]) if args else None,
}  # fmt: skip
