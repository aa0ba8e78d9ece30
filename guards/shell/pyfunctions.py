"""What well-known Python functions give: paths, joins, decoders, listings. A part of pyvalues.py."""

from guards.shell.pyparts import ELSEWHERE
from guards.shell.pyvalues import (
    _BENEATH,
    _PATHS,
    _SAME,
    _SAME_METHODS,
    beneath,
    kind,
    last,
    mapped,
    parent,
    product,
    sure,
    union,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pyvalues import Value, Values


_MADE = frozenset(
    {"tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.mktemp", "tempfile.gettempdir", "tempfile.TemporaryDirectory",
     "tempfile.NamedTemporaryFile"}
)  # fmt: skip


def value(values: "Values", node: "Any") -> "Value":
    name = values.dotted(node.func)
    args = node.args
    first = args[0] if args else None
    if name in _PATHS or name == "os.path.join":
        joined: Value = sure("")
        for arg in args:
            joined = beneath(joined, values.of(arg))
        return mapped(joined, lambda text: text or ".")
    if name in _SAME:
        return values.of(first) if len(args) == 1 or name == "repr" else union([values.of(a) for a in args])
    if name in _MADE:
        placed = len(args) > 2 or any([k.arg in (None, "dir", "prefix") for k in node.keywords])
        return None if placed else ((ELSEWHERE, False),)
    plain: Any = _PLAIN.get(name)
    if plain is not None:
        known: Value = plain(values, args)
        return known
    if kind(node.func) == "Name" and node.func.id in values.program.functions:
        return returned(values, node)
    return method(values, node) if kind(node.func) == "Attribute" else None


def method(values: "Values", node: "Any") -> "Value":
    """A method of a text, a path or a list."""
    attr, args = node.func.attr, node.args
    here = values.of(node.func.value)
    if attr == "join" and args:
        return _joined(values, here, args[0])
    if here is None:
        return None
    if attr in _SAME_METHODS:
        return mapped(here, home(values)) if attr == "expanduser" else here
    if attr in _BENEATH:
        end = values.of(args[0]) if args and attr != "walk" else sure("_")
        sample = mapped(end, lambda text: text.replace("**/", "").replace("*", "_").replace("?", "_"))
        return mapped_unsure(beneath(here, sample))
    texts = [values.of(a) for a in args]
    if attr == "joinpath":
        for text in texts:
            here = beneath(here, text)
        return here
    if attr == "format":
        return values._filled(here, texts, "{")
    if attr in (
        "replace",
        "removesuffix",
        "removeprefix",
        "strip",
        "rstrip",
        "lstrip",
        "lower",
        "upper",
        "decode",
        "with_suffix",
        "with_name",
    ):
        return _changed(attr, here, texts)
    return None


def mapped_unsure(found: "Value") -> "Value":
    return None if found is None else tuple([(text, False) for text, _ in found])


def _changed(attr: str, here: "Value", texts: "list[Value]") -> "Value":
    if any([t is None or len(t) != 1 for t in texts]):
        return None
    given = [t[0][0] for t in texts if t]
    if attr == "with_suffix" and given:
        return mapped(here, lambda t: t[: len(t) - len(last(t))] + (last(t).rpartition(".")[0] or last(t)) + given[0])
    if attr == "with_name" and given:
        return mapped(here, lambda t: parent(t) + "/" + given[0])
    if attr == "decode":
        return here
    if attr == "replace" and len(given) != 2:
        return None
    return mapped(here, lambda text: getattr(text, attr)(*given))


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
    return sure(between[0][0].join(numbers)) if numbers else values.of(node)


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


def returned(values: "Values", node: "Any") -> "Value":
    """What a function of the program gives: the union of its returns, with its parameters bound."""
    program = values.program
    body = program.functions[node.func.id]
    if program.depth > 3:
        return None
    held = dict(values.names)
    program.depth += 1
    try:
        bind_parameters(values, body, node)
        found = [values.of(s.value) for s in body.body if kind(s) == "Return"]
    finally:
        program.depth -= 1
        values.names = held
    return union(found)


def bind_parameters(values: "Values", function: "Any", node: "Any") -> None:
    given = [values.of(a) for a in node.args]
    names = [a.arg for a in function.args.args]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    defaults = [values.of(d) for d in function.args.defaults]
    bound: dict[str, Value] = dict(zip(names[len(names) - len(defaults) :], defaults, strict=False))
    bound.update(zip(names, given, strict=False))
    bound.update({k.arg: values.of(k.value) for k in node.keywords if k.arg})
    for name in names:
        values.names[name] = bound.get(name)


def home(values: "Values") -> "Any":
    found = values.environ("HOME")
    where = found[0][0] if found else "~"
    return lambda text: where + text[1:] if text[:2] in ("~", "~/") else text


def _expanded(values: "Values", args: "list[Any]") -> "Value":
    return mapped(values.of(args[0]), home(values)) if args else None


def _environment(values: "Values", args: "list[Any]") -> "Value":
    known = values.environ(values.text(args[0])) if args else None
    return union([known, values.of(args[1]) if len(args) > 1 else None])


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
    return mapped_unsure(mapped(pattern, lambda t: t.replace("**/", "").replace("*", "_") if "*" in t else t + "/_"))


def _chr(_values: "Values", args: "list[Any]") -> "Value":
    number = getattr(args[0], "value", None) if args else None
    return sure(chr(number)) if isinstance(number, int) and 0 <= number < 0x110000 else None


def _bytes(values: "Values", args: "list[Any]") -> "Value":
    return sure(bytes([n for n in numbers_of(args[0]) if n < 256]).decode("utf-8", "replace")) if args else None


_PLAIN = {
    "os.path.expanduser": _expanded, "os.path.expandvars": _expanded, "os.getenv": _environment,
    "os.environ.get": _environment, "base64.b64decode": _unbased, "base64.standard_b64decode": _unbased,
    "binascii.a2b_base64": _unbased, "bytes.fromhex": _unhexed, "binascii.unhexlify": _unhexed, "os.getcwd": _here,
    "pathlib.Path.cwd": _here, "pathlib.Path.home": lambda values, args: values.environ("HOME"), "glob.glob": _listed,
    "glob.iglob": _listed, "os.listdir": _listed, "os.scandir": _listed, "os.walk": _listed, "chr": _chr,
    "bytes": _bytes, "bytearray": _bytes,
    "os.path.dirname": lambda values, args: mapped(values.of(args[0]), parent) if args else None,
    "os.path.basename": lambda values, args: mapped(values.of(args[0]), last) if args else None,
}  # fmt: skip
