"""What a command is known to print. Everything that is not in here prints something that is not known."""

from guards.engine.world import join, normal
from guards.shell.fields import narrow, real
from guards.shell.known import READ, absolute, kept, record
from guards.shell.quotes import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World
    from guards.shell.steps import Step

SILENT = frozenset(
    "true : false cd export set shift unset read local declare typeset readonly mkdir rm rmdir touch mv cp ln chmod"  # noqa: SIM905
    " chown sleep test [ trap alias unalias shopt return exit break continue wait kill exec let mapfile".split()
)


# ---- output
def output(m: "Any", step: "Step") -> "Any":
    """Text, a function that gives text or None when asked, or None."""
    if not step.argv:
        return ""
    name = step.argv[0].text
    if name in SILENT:
        return ""
    made = PRINTERS.get(name) if name is not None else None
    if made is None:
        if step._stdin is None or not step.exact:
            return None
        from guards.shell import filters

        return lambda: filters.output(step)
    args = [word.text for word in step.argv[1:]]
    if None in args:
        return None
    return made(m, step, args)


def echo(_m: "Any", _s: "Step", args: "list[str]") -> "str | None":
    newline, escapes = "\n", False
    while args and args[0][:1] == "-" and len(args[0]) > 1 and all(c in "neE" for c in args[0][1:]):
        newline = "" if "n" in args[0] else newline
        escapes = "e" in args[0]
        args = args[1:]
    text = " ".join(args)
    if escapes and "\\" in text:
        text, newline = unescape(text, newline)
    return text + newline


def unescape(text: str, newline: str) -> "tuple[str, str]":
    """The escapes of echo -e and printf %b."""
    out, i = [], 0
    text = narrow(text)
    while i < len(text):
        if text[i] == "\\" and i + 1 < len(text):
            if text[i + 1] == "c":
                newline = ""
                break
            if text[i + 1] == "0":
                digits = text[i + 2 : i + 5]
                count = next((k for k, c in enumerate(digits) if c not in "01234567"), len(digits))
                out.append(chr(int(digits[:count] or "0", 8) & 0xFF))
                i += 2 + count
                continue
            piece, i = escape(text, i + 1)
            out.append(piece)
        else:
            out.append(text[i])
            i += 1
    return real("".join(out)), newline


def printf(_m: "Any", _s: "Step", args: "list[str]") -> "str | None":
    if args[:1] == ["--"]:
        args = args[1:]
    elif args and args[0][:1] == "-":
        return "" if args[0] == "-v" else None
    if not args:
        return None
    form, values = args[0], args[1:]
    out: list[str] = []
    for _ in range(1000):
        used = formatted(form, values, out)
        if used is None:
            return None
        values = values[used:]
        if not values or not used:
            return "".join(out)
    return None


def formatted(form: str, values: "list[str]", out: "list[str]") -> "int | None":
    """One pass over the format; how many values it took, None for what is not worked out."""
    form, used, i = narrow(form), 0, 0
    while i < len(form):
        c = form[i]
        if c == "\\":
            end = i + 2
            while end < len(form) and form[end] in "0123456789abcdefABCDEF" and end < i + 4:
                end += 1
            piece, rest = unescape(form[i:end].replace("\\0", "\\00", 1), "\n")
            if not rest:
                return None
            out.append(piece)
            i = end
        elif c != "%":
            out.append(real(c) if c.isascii() else c)
            i += 1
        elif form[i + 1 : i + 2] == "%":
            out.append("%")
            i += 2
        elif form[i + 1 : i + 2] in ("s", "b", "d", "i"):
            value = values[used] if used < len(values) else ""
            kind = form[i + 1]
            if kind in "di":
                if value and not value.lstrip("-").isdigit():
                    return None
                value = value or "0"
            out.append(unescape(value, "\n")[0] if kind == "b" else value)
            used += 1
            i += 2
        else:
            return None
    text = "".join(out)
    if not form.isascii():
        return None
    out[:] = [text]
    return used


def cat(m: "Any", step: "Step", args: "list[str]") -> "Any":
    names = [a for a in args if a == "-" or a[:1] != "-"]
    if len(names) != len(args):
        return None
    files = m.files
    m.shared = True
    source = step._stdin if step.exact else None

    def text() -> "str | None":
        out = []
        for name in names or ["-"]:
            if name == "-":
                piece = source() if callable(source) else source
            else:
                path = normal(join(step.cwd or "/", name)) if step.cwd or name[0] == "/" else ""
                piece = files[path] if path in files else disk(m.world, path)
            if piece is None:
                return None
            out.append(piece)
        return "".join(out)

    return text


def disk(world: "World", path: str) -> "str | None":
    data = world.read(path, READ) if path else None
    return data.decode("utf-8", "surrogateescape") if data is not None and len(data) <= READ else None


def tee(m: "Any", step: "Step", args: "list[str]") -> "Any":
    text = step.stdin if step.exact else None
    append = any(a[:1] == "-" and a[:2] != "--" and "a" in a for a in args) or "--append" in args
    for word in step.argv[1:]:
        path = absolute(step.cwd, word)
        if path is not None and word.text is not None and word.text[:1] != "-":
            record(m, path, kept(m, path, text, append))
    return text


def pwd(_m: "Any", step: "Step", args: "list[str]") -> "str | None":
    return None if step.cwd is None or args not in ([], ["-L"]) else step.cwd + "\n"


def dirname(_m: "Any", _s: "Step", args: "list[str]") -> "str | None":
    args = args[1:] if args[:1] == ["--"] else args
    if len(args) != 1 or args[0][:1] == "-":
        return None
    head = args[0].rstrip("/").rpartition("/")
    return (head[0].rstrip("/") or ("/" if args[0][:1] == "/" else ".")) + "\n"


def basename(_m: "Any", _s: "Step", args: "list[str]") -> "str | None":
    args = args[1:] if args[:1] == ["--"] else args
    if not 1 <= len(args) <= 2 or args[0][:1] == "-":
        return None
    name = args[0].rstrip("/").rpartition("/")[2] or args[0][:1]
    if len(args) == 2 and name != args[1] and name.endswith(args[1]) and args[1]:
        name = name[: -len(args[1])]
    return name + "\n"


def realpath(m: "Any", step: "Step", args: "list[str]") -> "str | None":
    options = [a for a in args if a[:1] == "-"]
    names = [a for a in args if a[:1] != "-"]
    link = step.argv[0].text == "readlink"
    if len(names) != 1 or any(o not in ("-f", "-m", "-e", "--") for o in options) or (link and not options):
        return None
    path = absolute(step.cwd, step.argv[1 + args.index(names[0])])
    found = m.world.real(path) if path is not None else None
    return None if found is None else found + "\n"


def git(m: "Any", step: "Step", args: "list[str]") -> "str | None":
    """The form `git rev-parse --show-toplevel`."""
    cwd = step.cwd
    while len(args) > 1 and args[0] == "-C" and cwd is not None:
        cwd = normal(join(cwd, args[1]))
        args = args[2:]
    if args != ["rev-parse", "--show-toplevel"] or cwd is None or "GIT_DIR" in step.env or "GIT_WORK_TREE" in step.env:
        return None
    here = m.world.real(cwd)
    while here:
        if m.world.lstat(here.rstrip("/") + "/.git") is not None:
            return str(here) + "\n"
        if here == "/":
            return None
        here = here.rpartition("/")[0] or "/"
    return None


def mktemp(m: "Any", step: "Step", args: "list[str]") -> "str | None":
    from guards.shell import fresh

    return fresh.mktemp(m, step, args)


def jq(m: "Any", step: "Step", args: "list[str]") -> "str | None":
    from guards.shell import generated

    return generated.jq(m, step, args)


PRINTERS: "dict[str, Any]" = {
    "echo": echo,
    "printf": printf,
    "cat": cat,
    "tee": tee,
    "pwd": pwd,
    "dirname": dirname,
    "basename": basename,
    "realpath": realpath,
    "readlink": realpath,
    "git": git,
    "mktemp": mktemp,
    "jq": jq,
}
