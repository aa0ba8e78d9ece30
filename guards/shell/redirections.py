"""Redirections: where each leads, and what arrives on standard input."""

from guards.engine.world import is_dir, join, normal
from guards.shell import expand
from guards.shell.fields import real, single
from guards.shell.quotes import quoted
from guards.shell.steps import Redirect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step
    from guards.shell.syntax import Redir

OPENS = frozenset({">", ">>", ">|", "&>", "&>>", "<>", "<"})
AMBIGUOUS = "an ambiguous redirection"  # the command does not run


def read(m: "Any", redir: "Redir") -> Redirect:
    """One redirection with its target or body expanded."""
    if redir.doc is not None:
        body, literal = redir.doc
        if literal:
            return Redirect("<<", None, redir.fd, real(body), True, own=True)
        atoms: list[Any] = []
        quoted(m, body, 0, atoms, "")
        word = single(atoms, body)
        return Redirect("<<", None, redir.fd, word.rough, word.text is not None)
    if redir.word is None:
        return Redirect(redir.op, Word("-"), redir.fd)
    text = redir.word.text
    if redir.op == "<<<":
        word = expand.one(m, text)
        return Redirect("<<<", None, redir.fd, word.rough + "\n", word.text is not None)
    found = expand.words(m, text)
    if len(found) == 1:
        target = found[0]
    else:
        target = Word(None, real(text), AMBIGUOUS, parts=tuple([w.text for w in found if w.text]))
    if target.text is not None and target.text.startswith(("/dev/fd/", "/proc/self/fd/")):
        opened = m.state.vars.get("/dev/fd/" + target.text.rpartition("/")[2])
        target = Word(real(opened), target.raw) if isinstance(opened, str) else target
    op = redir.op
    if op in (">&", "<&"):
        plain = target.text
        if plain is not None and not (plain == "-" or plain.rstrip("-").isdigit()):
            op = "&>" if op == ">&" else "<"
    return Redirect(op, target, redir.fd)


def arrive(m: "Any", step: "Step") -> None:
    """The last redirection of standard input says what arrives; a file is read when it is asked for."""
    for redirect in step.redirects:
        if redirect.op[0] == "<" and redirect.op != "<>" and redirect.fd in (None, 0):
            step.piped = False
            step.stdin = redirect.body
            step.exact = redirect.known
            target = redirect.target
            if redirect.op == "<" and target is not None and target.text is not None:
                step.stdin = held(m, step, target)


def may_fail(m: "Any", step: "Step") -> bool:
    """Whether one of them may not be opened: the command does not run then."""
    for redirect in step.redirects:
        target = redirect.target
        if target is None or redirect.op not in OPENS or target.feed is not None:
            continue
        if target.text is None or target.cause == AMBIGUOUS:
            return True
        if target.text.startswith("/dev/") or not target.text:
            continue
        path = normal(join(step.cwd or "/", target.text))
        if step.cwd is None and target.text[0] != "/":
            return True
        if path not in m.files and path not in m.created and not opens(m, step, path, redirect.op == "<"):
            return True
    return False


def opens(m: "Any", step: "Step", path: str, reading: bool) -> bool:
    """Whether the disk shows nothing against it. In a folder that is not there at all it shows nothing."""
    if reading:
        return m.world.stat(path) is not None or not is_dir(m.world.stat(step.cwd or "/"))
    if is_dir(m.world.stat(path)):
        return False
    folder = path.rpartition("/")[0] or "/"
    if is_dir(m.world.stat(folder)) or folder in m.created:
        return True
    return not is_dir(m.world.stat(step.cwd or "/"))


def held(m: "Any", step: "Step", target: Word) -> "Any":
    if target.feed is not None:
        return target.feed
    if target.text is None or (step.cwd is None and target.text[:1] != "/") or target.text.startswith("/dev/"):
        return None
    files, world, path = m.files, m.world, normal(join(step.cwd or "/", target.text))
    m.shared = True

    def text() -> "str | None":
        from guards.shell import printers

        found: str | None = files[path] if path in files else printers.disk(world, path)
        return found

    return text
