"""Names that nobody knows before the run, but that surely lead elsewhere: what mktemp prints, `/tmp/run-$$`.

Such a name stands in the reading as a made-up one that no text can spell, so that what is done beneath it is read
like anything else. A name that may turn out to be something that is there, or that mktemp may fail to make, stays
not known. What hangs on the letters of a made-up name (a comparison, a length, a piece of it) is not known either.
"""

from guards.engine.world import is_link, join, normal
from guards.shell.fields import BREAK, HOLE, TEXT, real
from guards.shell.state import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.fields import Hole
    from guards.shell.steps import Step

ROOTS = ("/tmp/", "/var/tmp/", "/dev/shm/")
NUMBERS = frozenset({"RANDOM", "SRANDOM", "EPOCHSECONDS", "BASHPID", "PPID", "UID", "EUID"})
SAYS = frozenset({"date", "uuidgen", "whoami", "hostname"})  # they print no `..`
MOST = 1000  # folders of their own that are remembered
LOOKED = 500  # names of a temporary folder that are looked at
_made: "list[str]" = []  # the secret, when it was asked for
_count = [0]


def secret() -> str:
    if not _made:
        import posix

        _made.append("x" + posix.urandom(5).hex())
    return _made[0]


def marked(text: "str | None") -> bool:
    """Whether letters of the text are made up."""
    return bool(_made) and text is not None and _made[0] in text


def whole(before: str, after: "Any") -> bool:
    """Whether a text that was cut out of another holds no part of a made-up name."""
    if not marked(before) or not isinstance(after, str) or marked(after):
        return True
    at = before.index(secret())
    return before[:at].startswith(after) or before[at + len(secret()) :].lstrip("0123456789").endswith(after)


def new() -> str:
    """Never the same twice in one process: folders of their own are remembered for texts within texts."""
    _count[0] += 1
    return f"{secret()}{_count[0]}"


# ---- mktemp
def mktemp(m: "Any", step: "Step", args: "list[str]") -> "str | None":
    """What it prints, where nothing speaks against its folder."""
    found = asked(m, args)
    if found is None or m.state.aliases or "PATH" in m.state.vars or step.cwd is None:
        return None
    folder, template, flags = found
    head, mark, tail = template.rpartition("XXX")
    if not mark or "/" in tail:
        return None
    path = normal(join(join(step.cwd, folder), head.rstrip("X") + new() + tail))
    from guards.shell import making

    if not making.stands(m, path.rpartition("/")[0] or "/") or not making.makeable(m, path):
        return None
    if "u" not in flags:
        m.created.append(path)
    if "d" in flags and "u" not in flags:
        if len(OWN) > MOST:
            OWN.clear()
        OWN[path] = None
    return path + "\n"


def asked(m: "Any", args: "list[str]") -> "tuple[str, str, str] | None":
    """(the folder, the template, the letters of its options); None for a form that is not worked out."""
    temporary = m.lookup("TMPDIR")
    temporary = "/tmp" if temporary is None and "TMPDIR" not in m.state.vars else temporary
    folder, template, flags = "", "", ""
    rest = list(args)
    while rest:
        text = rest.pop(0)
        if text in ("-p", "--tmpdir") or text.startswith("--tmpdir="):
            folder = text[9:] if text[8:9] == "=" else rest.pop(0) if text == "-p" and rest else ""
            flags += "p"
        elif text in ("--directory", "--dry-run", "--quiet"):
            flags += {"--di": "d", "--dr": "u", "--qu": ""}[text[:4]]
        elif text[:1] == "-" and set(text[1:]) <= set("dqut"):
            flags += text[1:]
        elif text[:1] == "-" or template:
            return None
        else:
            template = text
    if not isinstance(temporary, str):
        return None
    if not template or "t" in flags or "p" in flags:
        folder = folder or real(temporary) or "/tmp"
    return folder, template or "tmp.XXXXXXXXXX", flags


# ---- words
def settle(m: "Any", atoms: "list[Any]") -> "list[Any]":
    """A word that begins with a temporary folder and goes on with what can only be a name of its own."""
    lead = ""
    for atom in atoms:
        if atom[0] in (HOLE, BREAK):
            break
        lead += atom[1]
    holes = [atom[1] for atom in atoms if atom[0] == HOLE]
    if not lead.startswith(roots(m)) or ".." in lead or any([a[0] == BREAK for a in atoms]):
        return atoms
    kinds = [kind(m, hole) for hole in holes]
    if "" in kinds or not apart(m, real(lead), kinds[0] == "number"):
        return atoms
    return [(TEXT, symbol(m, atom[1]), True) if atom[0] == HOLE else atom for atom in atoms]


def roots(m: "Any") -> "tuple[str, ...]":
    own = m.lookup("TMPDIR")
    return (*ROOTS, own.rstrip("/") + "/") if isinstance(own, str) and len(own) > 2 else ROOTS


def kind(m: "Any", hole: "Hole") -> str:
    """ "number", "name", or "" for what may be anything."""
    how, _, what = hole.cause.partition(" ")
    if hole.cause == "parameter $":
        return "number"
    if how == "variable":
        return "number" if what in NUMBERS and what not in m.state.vars else ""
    code = hole.raw.strip("`").removeprefix("$(").removesuffix(")")
    if hole.cause != "command substitution" or ".." in code or not set("$`|;&<>()\n\\/").isdisjoint(code):
        return ""
    words = code.split()
    name = words[0] if words else ""
    says = name in SAYS or (words[:2] == ["git", "rev-parse"] and words[-1] == "HEAD" and len(words) < 5)
    shown = any([w.startswith(("--show", "--git")) for w in words])
    return "name" if says and not shown and name not in m.state.funcs and "PATH" not in m.state.vars else ""


def apart(m: "Any", lead: str, number: bool) -> bool:
    """Whether no name that begins so is one that matters: a folder on the way to the work, or a link."""
    for root in (m.base, m.world.home):
        if root and root.startswith(lead) and (not number or root[len(lead) :][:1].isdigit()):
            return False
    folder, _, begin = lead.rpartition("/")
    for name in m.world.listdir(folder or "/", LOOKED) or ():
        if name.startswith(begin) and is_link(m.world.lstat(join(folder or "/", name))):
            return False
    return True


def symbol(m: "Any", hole: "Hole") -> str:
    """The same for the same value: `$$` stays as it is, a variable keeps what it got."""
    key = "$$" if hole.cause == "parameter $" else hole
    if key not in m.symbols:
        m.symbols[key] = new()
    found: str = m.symbols[key]
    return found
