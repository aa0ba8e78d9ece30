"""cd, pushd, popd: the directory that later commands run in."""

from guards.engine.world import is_dir, join, normal
from guards.shell.fields import Hole, narrow, real
from guards.shell.machine import SPEAKERS
from guards.shell.state import OWN, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step, Word

    Outcomes = list[tuple[State, bool | None]]


TAKERS = frozenset({"rm", "rmdir", "mv", "unlink"})
QUIET = (SPEAKERS - {"git", "tee"}) | (TAKERS - {"mv"}) | {"ls"}
LOOKED = 400  # steps back in which a folder may have been made again


# ---- directories
def cd(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    operands = argv[1:]
    physical = False
    while operands and (operands[0].text or "x")[:1] == "-" and operands[0].text != "-":
        physical = operands[0].text is not None and "P" in operands[0].text
        ended = operands[0].text == "--"
        operands = operands[1:]
        if ended:
            break
    if len(operands) > 1 and not any(w.many for w in operands):
        return [(state, False)]
    if not operands:
        return enter(m, step, state, named(m, step, "HOME"), physical)
    text = operands[0].text
    if text == "-":
        return enter(m, step, state, named(m, step, "OLDPWD"), physical)
    if text == "":
        return [(state, True)]
    return enter(m, step, state, text, physical)


def named(m: "Any", step: "Step", name: str) -> "str | None":
    """The folder that a variable holds, which may be set for this command alone."""
    given = step.assigns.get(name)
    if given is not None:
        return given.text
    found = m.lookup(name)
    return real(found) if isinstance(found, str) else None


def enter(m: "Any", step: "Step", state: State, text: "str | None", physical: bool = False) -> "Outcomes":
    """The state behind a change of directory; both states where the directory may not be there."""
    here = state.cwd
    target = searched(m, step, state, text) if text is not None else None
    if target is None:
        return [(moved(state, None), None)]
    info = m.world.stat(target)
    if is_dir(info) and m.steps and gone(m, normal(target)):
        stayed = state.fork()
        return [(moved(state, normal(target)), True), (stayed, False)]
    if is_dir(info):
        return [(moved(state, m.world.real(target) if physical else normal(target)), True)]
    if info is not None and here is not None:
        return [(state, False)]
    made = normal(target)
    if (m.folders or OWN) and there(m, made) and not gone(m, made):
        return [(moved(state, made), True)]
    stayed = state.fork()
    return [(moved(state, made), True), (stayed, False)]


def there(m: "Any", path: str) -> bool:
    from guards.shell import making

    return making.known(m, path)


def gone(m: "Any", target: str, upto: "int | None" = None) -> bool:
    """Whether the text took the folder away, and nothing that it names since may have brought it back."""
    upto = len(m.steps) if upto is None else upto
    for at in range(m.removed_to, upto):
        if m.steps[at].name in TAKERS:
            removed(m, m.steps[at], at)
    m.removed_to = max(m.removed_to, upto)
    if not m.removed:
        return False
    last, path = -1, target
    while path:
        last = max(last, m.removed.get(path, -1))
        path = path.rpartition("/")[0]
    return last >= 0 and not any([brings(later, target) for later in m.steps[last:upto][-LOOKED:]])


def removed(m: "Any", step: "Step", at: int) -> None:
    from guards.shell.known import absolute

    for word in step.argv[1:-1] if step.name == "mv" else step.argv[1:]:
        path = absolute(step.cwd, word)
        if path is not None:
            m.removed[path] = at


def brings(step: "Step", target: str) -> bool:
    """Whether a program that may make something is given this folder, or a path beneath it."""
    if step.name is None or step.name in QUIET:
        return False
    from guards.shell.known import absolute

    operands = step.argv[-1:] if step.name == "mv" else step.argv[1:]
    return any([((absolute(step.cwd, word) or "") + "/").startswith(target + "/") for word in operands])


def searched(m: "Any", step: "Step", state: State, text: str) -> "str | None":
    """CDPATH leads a relative path elsewhere when something is there."""
    if text.startswith("/"):
        return text
    if not text.startswith(("./", "../")) and text not in (".", ".."):
        given = step.assigns.get("CDPATH")
        path = m.lookup("CDPATH") if given is None else narrow(given.text or "")
        for place in real(path).split(":") if isinstance(path, str) and path else ():
            base = join(state.cwd or "", place) if place else state.cwd
            if base and base.startswith("/") and is_dir(m.world.stat(join(base, text))):
                return join(base, text)
    if m.cdable and text.isidentifier() and not is_dir(m.world.stat(join(state.cwd or "", text))):
        value = m.lookup(text)
        text = real(value) if isinstance(value, str) and value else text
    return join(state.cwd, text) if state.cwd is not None else None


def moved(state: State, cwd: "str | None") -> State:
    for name in ("PWD", "OLDPWD"):  # what the text set them to is over
        state.vars.pop(name, None)
    state.old = state.cwd
    state.cwd = cwd
    return state


def stacked(state: State, who: str) -> "Any":
    """~1, ~+1, ~-1: a folder of the stack that pushd keeps."""
    rows, count = [state.cwd, *state.stack], int(who.lstrip("+-"))
    if count >= len(rows):
        return None
    found = rows[-1 - count] if who[0] == "-" else rows[count]
    return narrow(found) if found is not None else (Hole("the stack of folders", "~" + who),)


def pushd(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    operands = [w for w in argv[1:] if w.text not in ("-n", "--")]
    before = state.cwd
    if not operands:
        target = state.stack.pop(0) if state.stack else None
    elif operands[0].text is not None and operands[0].text[:1] in "+-" and operands[0].text != "-":
        state.stack = [None for _ in state.stack]
        return [(moved(state, None), True)]
    else:
        target = operands[0].text if operands[0].text != "-" else state.old
    outcomes = enter(m, step, state, target)
    for each, status in outcomes:
        if status:
            each.stack.insert(0, before)
    return outcomes


def popd(m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    if len(argv) > 1:
        state.stack = [None for _ in state.stack]
        return [(moved(state, None), True)]
    if not state.stack:
        return [(state, False)]
    target = state.stack.pop(0)
    return [(moved(state, target), True)]


HANDLERS = {"cd": cd, "pushd": pushd, "popd": popd}
