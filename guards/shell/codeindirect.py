"""Writing functions that are not called by their own name: by a text, through `call` or `send`, handed on."""

from guards.shell.codetexts import ANY, sure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.code import Marks, Program

OBJECTS = frozenset({"fs", "fsp", "promises", "cp", "child_process", "io", "os", "File", "FileUtils", "fse", "Deno"})
SENDS = ("send", "public_send", "__send__")
# functions that call the one whose name they are given
CALLERS = frozenset({"call_user_func", "call_user_func_array", "array_map", "array_walk", "array_filter", "usort",
                     "register_shutdown_function", "iterator_apply", "is_callable"})  # fmt: skip
_AROUND = ("call", "apply", "bind")


def computed(program: "Program", at: int) -> None:
    """fs["writeFileSync"](…), fs[name](…), array_map('unlink', …)"""
    values = program.values
    kind, value = values.found[at]
    if kind == "text" and value in program.calls and values.at(at - 1) == ("mark", "("):
        if values.at(at - 2)[1] in CALLERS:
            program.doubt("write", value)
    if (kind, value) != ("mark", "[") or (values.at(at - 1)[0] != "name" and values.at(at - 1) != ("mark", ")")):
        return
    stop = values.close(at)
    start = stop
    while values.at(start + 1) in (("mark", "?"), ("mark", ".")):
        start += 1
    called = values.at(start + 1) == ("mark", "(") or values.at(start + 1)[1] in (".call", ".apply", ".bind")
    if not called:
        return
    head = values.at(at - 1)[1].rpartition(".")[2]
    for name in values.value(at + 1, stop):
        marks = program.marks(name) or program.marks(f"{head}.{name}") if sure(name) else None
        if marks is not None and values.at(start + 1) == ("mark", "("):
            program.call(start, name, marks)
        elif marks is not None or (ANY in name and (head in OBJECTS or values.at(at - 1) == ("mark", ")"))):
            program.doubt("write", name.strip(ANY) or "a function")


def by_name(program: "Program", at: int, name: str) -> bool:
    """fs.writeFileSync.call(fs, …), File.send(:write, …), $f(…) where $f holds a name; True when that is all of it."""
    values = program.values
    head, _, tail = name.rpartition(".")
    if tail in _AROUND and head:
        marks = program.marks(head)
        if marks is not None:
            spans = values.groups(at + 1) or []
            if tail == "call":
                program.call(at, head, marks, spans[1:])
            elif tail == "apply" and len(spans) > 1 and values.at(spans[1][0]) == ("mark", "["):
                program.call(at, head, marks, values.split(spans[1][0] + 1, ")"))
            else:
                program.doubt("write", head)
            return True
    if tail in SENDS:
        return _sent(program, at, head)
    if name[:1] == "$" and "." not in name and values.at(at + 1) == ("mark", "("):
        for text in values.known(name) or ():
            marks = program.marks(text) if sure(text) else None
            if marks is not None:
                program.call(at, text, marks)
            elif program.values.language in ("perl", "php") and ANY in text and values.at(at - 1) == ("mark", "&"):
                program.doubt("write", name)
        return True
    return False


def _sent(program: "Program", at: int, head: str) -> bool:
    values = program.values
    spans = values.groups(at + 1) or []
    for text in values.value(*spans[0]) if spans else ():
        marks = program.marks(f"{head}.{text}" if head else text) if sure(text) else None
        if marks is not None:
            program.call(at, f"{head}.{text}", marks, spans[1:])
        elif ANY in text:
            program.doubt("write", f"{head}.send")
    return True


def without(program: "Program", at: int, name: str, marks: "Marks") -> None:
    """A writing function that is named and not called: it is handed on, or takes what is at hand (`unlink` for $_)."""
    values = program.values
    if (values.at(at + 1), values.at(at + 2)) == (("mark", ")"), ("mark", "(")):  # (0, fs.rmSync)("x")
        program.call(at + 1, name, marks)
    elif values.language == "perl" and values.at(at + 1) == ("mark", "{"):  # system {"cp"} "cp", "a", "b"
        program.call(at, name, marks, values.split(values.close(at + 1) + 1, ""))
    elif _handed_on(program, at, name):
        program.doubt("write", name)
    elif values.table.get("bare") and any([place < 0 for _, place, _ in marks]) and values.at(at + 1)[1] != "=":
        for text in values.known("$_") or (ANY,):
            if sure(text):
                program.walk.path(program.step, text, "delete", cause=f"{values.language} {name}")
            else:
                program.doubt("delete", name, text)


def _handed_on(program: "Program", at: int, name: str) -> bool:
    """`names.forEach(fs.unlinkSync)`, `Reflect.apply(fs.rmSync, …)`, `pcall(os.remove, …)`, a reference to one"""
    values = program.values
    before, after = values.at(at - 1), values.at(at + 1)
    if before == ("mark", "&") and values.language == "perl":
        return True
    whole = "." in name.strip(".") or name.endswith("Sync")
    if not whole or values.at(at + 1)[1] in (":", "=", "as"):
        return False
    begins = name[:1] == "." or before in (("mark", "("), ("mark", ","), ("mark", "["))
    return begins and after in (("mark", ")"), ("mark", ","), ("mark", "]"))
