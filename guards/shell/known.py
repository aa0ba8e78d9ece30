"""What a command is known to print, and which files it leaves behind: for `echo … | sh`, `$(dirname …)`,
`cat > x.sh <<E` … `sh x.sh`, and for globs over files that the text itself makes. Everything else prints something
that is not known."""

from guards.engine.world import encode, is_file, join, normal
from guards.shell.machine import MAKERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World
    from guards.shell.steps import Step, Word

FILES = 64  # files whose written content is remembered
READ = 1 << 18  # bytes of a file that are read as code or as output
OUT = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})


def flow(m: "Any", step: "Step") -> None:
    """Follows the step's standard output to a file or to the sink."""
    target, where, append = route(m, step)
    created(m, step)
    if target is None and not where and not (step.argv and step.argv[0].text == "tee"):
        return
    from guards.shell import printers

    text = printers.output(m, step)
    if where:
        step.put = (where, text, append)
    deliver(m, target, where, append, text)


def opened(m: "Any", step: "Step") -> "tuple[Any, str, str | None]":
    """Where the output of a group, a loop or a function goes; its file is there from now on."""
    target, where, append = route(m, step)
    if where:
        record(m, where, kept(m, where, "", append))
    return target, where, m.files.get(where)


def closed(m: "Any", target: "Any", where: str, before: "str | None", inner: "Any") -> None:
    """What it printed arrives; where something else wrote to the same file meanwhile, its content is not known."""
    if not where:
        if target is not None:
            target.put(inner.text)
        return
    text = inner.text()
    if text != "":
        same = m.files.get(where) == before
        record(m, where, before + text if same and text is not None and before is not None else None)


def deliver(m: "Any", target: "Any", where: str, append: bool, text: "Any") -> None:
    if where:
        record(m, where, kept(m, where, text, append))
    elif target is not None:
        target.put(text)


def route(m: "Any", step: "Step") -> "tuple[Any, str, bool]":
    """Where standard output goes: the sink or None, a file's path, whether it is appended to."""
    target: Any = m.sink
    where = ""
    append = False
    for redirect in step.redirects:
        op = redirect.op
        writes = op in OUT
        path = absolute(step.cwd, redirect.target) if writes else None
        if path is not None and path not in m.created and len(m.created) < 1000:
            m.created.append(path)
        if (redirect.fd in (None, 1) and (writes or op == ">&")) or op[0] == "&":
            target = None
            if where and not append:
                record(m, where, "")
            where = path or ""
            append = op in (">>", "&>>", "<>")
        elif path is not None:
            record(m, path, None)
    return target, where, append


def kept(m: "Any", path: str, text: "Any", append: bool) -> "str | None":
    """A file's content after text went into it."""
    given: str | None = text() if text is not None and not isinstance(text, str) else text
    if given is None or not append:
        return given
    before = content(m, path)
    if before is None and path not in m.files and m.world.lstat(path) is None:
        before = ""
    return None if before is None else before + given


def record(m: "Any", path: str, text: "str | None") -> None:
    """Steps hold on to the mapping they saw, so it is copied before it changes."""
    if m.shared:
        m.files = dict(m.files)
        m.shared = False
    m.files.pop(path, None)
    if len(m.files) >= FILES:
        m.files.pop(next(iter(m.files)))
    m.files[path] = text


def content(m: "Any", path: str) -> "str | None":
    """What stands in a file when the step runs: what the text wrote there, else what is on disk."""
    if path in m.files:
        found: str | None = m.files[path]
        return found
    data = m.world.read(path, READ)
    return data.decode("utf-8", "surrogateescape") if data is not None and len(data) <= READ else None


def absolute(cwd: "str | None", word: "Word | None") -> "str | None":
    if word is None or word.text is None or word.text == "":
        return None
    if cwd is None and not word.text.startswith("/"):
        return None
    return normal(join(cwd or "/", word.text))


def created(m: "Any", step: "Step") -> None:
    """Paths that touch and the like make, so that a later glob finds them."""
    name = step.name
    if name not in MAKERS or len(m.created) > 1000:
        return
    if name in ("cp", "mv", "ln", "install"):
        from guards.shell import making

        making.copied(m, step)
    operands = [w for w in step.argv[1:] if w.text is None or not w.text.startswith("-")]
    for word in operands if name in ("touch", "mkdir", "tee") else operands[-1:]:
        path = absolute(step.cwd, word)
        if path is None:
            continue
        if name != "mkdir":
            m.created.append(path)
        if name in ("cp", "mv", "ln", "install"):
            into = [w.text.rstrip("/").rpartition("/")[2] for w in operands[:-1] if w.text]
            m.created.extend([path + "/" + each for each in into])


# ---- what words ask for
def read_in(m: "Any", code: str) -> "str | None":
    """$(<file)"""
    from guards.shell import expand

    rest = code.strip()[1:].strip()
    if not rest or rest[0] in "<(&" or not expand.OPERATORS.isdisjoint(rest):
        return None
    word = expand.one(m, rest)
    path = absolute(m.state.cwd, word)
    return content(m, path) if path is not None else None


def home_of(world: "World", who: str) -> "Any":
    """~user: from the password file; None (the tilde stays) for a user it does not know."""
    data = world.read("/etc/passwd", 1 << 20) if who and not who[0].isdigit() else None
    for line in data.split(b"\n") if data is not None else ():
        fields = line.split(b":")
        if len(fields) > 5 and fields[0] == encode(who):
            return fields[5].decode("latin-1")
    return None


def script(m: "Any", path: str) -> "str | None":
    """A file that is read as code: a regular one, not too long."""
    if path not in m.files and not is_file(m.world.stat(path)):
        return None
    return content(m, path)
