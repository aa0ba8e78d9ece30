"""Commands that change what the shell itself knows: directory, variables, functions, parameters, code it is given."""

from guards.engine.world import is_dir, join, normal
from guards.shell import assign, expand
from guards.shell.expand import narrow, real
from guards.shell.machine import Sink, value_of
from guards.shell.state import State, merge
from guards.shell.syntax import Lost, Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step, Word
    from guards.shell.syntax import Compound, Simple

    Outcomes = list[tuple[State, bool | None]]

CALLS = 3  # a function in itself


def run(m: "Any", node: "Simple", step: "Step") -> "Outcomes":
    """The outcomes; sets `followed` where the step's own code was read."""
    state: State = m.state
    alias = state.aliases.get(node.words[0].text)
    if alias is not None:
        aliased(m, node, step, alias, state)
    argv = step.argv
    while argv and argv[0].text in ("command", "builtin") and argv[0].text not in state.funcs:
        argv = argv[1:]
        if argv and (argv[0].text or "")[:1] == "-":
            if argv[0].text not in ("-p", "--"):
                return [(state, None)]
            argv = argv[1:]
    name = argv[0].text if argv else None
    if name is None:
        return [(state, None)]
    if name in state.funcs and argv is step.argv:
        return call(m, step, state.funcs[name], name, state)
    handler = HANDLERS.get(name)
    if handler is None:
        return [(state, None)]
    found: Outcomes = handler(m, step, argv, state)
    return found


def known(argv: "list[Word]") -> "list[str] | None":
    """The operands as text, when all are static."""
    out = []
    for word in argv[1:]:
        if word.text is None:
            return None
        out.append(word.text)
    return out


# ---- directories
def cd(m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
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
        home = m.lookup("HOME")
        return enter(m, state, real(home) if isinstance(home, str) else None, physical)
    text = operands[0].text
    if text == "-":
        return enter(m, state, state.old, physical)
    if text == "":
        return [(state, True)]
    return enter(m, state, text, physical)


def enter(m: "Any", state: State, text: "str | None", physical: bool = False) -> "Outcomes":
    """The state behind a change of directory; both states where the directory may not be there."""
    here = state.cwd
    target = searched(m, state, text) if text is not None else None
    if target is None:
        return [(moved(state, None), None)]
    info = m.world.stat(target)
    if is_dir(info):
        return [(moved(state, m.world.real(target) if physical else normal(target)), True)]
    if info is not None and here is not None:
        return [(state, False)]
    made = normal(target)
    if made in m.created:
        return [(moved(state, made), True)]
    stayed = state.fork()
    return [(moved(state, made), True), (stayed, False)]


def searched(m: "Any", state: State, text: str) -> "str | None":
    """CDPATH leads a relative path elsewhere when something is there."""
    if text.startswith("/"):
        return text
    if not text.startswith(("./", "../")) and text not in (".", ".."):
        path = m.lookup("CDPATH")
        for place in real(path).split(":") if isinstance(path, str) and path else ():
            base = join(state.cwd or "", place) if place else state.cwd
            if base and base.startswith("/") and is_dir(m.world.stat(join(base, text))):
                return join(base, text)
    return join(state.cwd, text) if state.cwd is not None else None


def moved(state: State, cwd: "str | None") -> State:
    state.old = state.cwd
    state.cwd = cwd
    return state


def pushd(m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    operands = [w for w in argv[1:] if w.text not in ("-n", "--")]
    before = state.cwd
    if not operands:
        target = state.stack.pop(0) if state.stack else None
    elif operands[0].text is not None and operands[0].text[:1] in "+-" and operands[0].text != "-":
        state.stack = [None for _ in state.stack]
        return [(moved(state, None), True)]
    else:
        target = operands[0].text if operands[0].text != "-" else state.old
    outcomes = enter(m, state, target)
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


# ---- code
def call(m: "Any", step: "Step", body: "Compound", name: str, state: State) -> "Outcomes":
    """A function: its body, with its own parameters."""
    step.followed = True
    calls = m.calls.get(name, 0)
    if calls > CALLS:
        return [(state, None)]
    held_args, stdin, sink = state.args, m.stdin, m.sink
    state.args = [value_of(word) for word in step.argv[1:]] if calls < CALLS else None
    if any(word.many for word in step.argv[1:]):
        state.args = None
    state.frames.append({})
    for key, word in step.assigns.items():
        assign.local(state, key)
        state.assign(key, value_of(word))
    m.calls[name] = calls + 1
    m.stdin = (step._stdin if step.exact else None, step.piped)
    from guards.shell import known as knows

    place = knows.opened(m, step) if step.redirects else None
    inner = m.sink = Sink() if place else sink
    try:
        outcomes: Outcomes = m.node(body, state)
    finally:
        m.calls[name] = calls
        m.stdin, m.sink = stdin, sink
    for each, _ in outcomes:
        each.args = held_args
        assign.restore(each)
        if each.dead == "return":
            each.dead = ""
    if place:
        knows.closed(m, *place, inner)
    return merge(outcomes)


def code(m: "Any", step: "Step", text: str, state: State) -> "Outcomes | None":
    """Text that the shell itself runs here; None when it cannot be read."""
    stdin = m.stdin
    m.stdin = (step._stdin if step.exact else None, step.piped)
    try:
        found: Outcomes = m.nested(narrow(text), lambda seq: m.seq(seq, [(state, True)]))
        return found
    except (Lost, Unclosed):
        return None
    finally:
        m.stdin = stdin


def eval_(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    """Read as far as it is known; what is not stands in it as it was written."""
    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    count = len(m.steps)
    fork = state.fork()
    outcomes = code(m, step, " ".join([word.rough for word in words]), state)
    if outcomes is None:
        del m.steps[count:]
        return [(fork, None)]
    step.followed = all(word.text is not None for word in words)
    return outcomes


def source(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    from guards.shell import known as knows

    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    if not words:
        return [(state, False)]
    if words[0].feed is not None:
        text: str | None = words[0].feed
    elif words[0].text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        text = step.stdin if step.exact else None
    else:
        path = knows.absolute(state.cwd, words[0])
        text = knows.script(m, path) if path is not None else None
    if text is None or "\0" in text or m.sources > 8:
        return [(state, None)]
    count = len(m.steps)
    fork = state.fork()
    held = state.args
    if len(words) > 1:
        state.args = [value_of(word) for word in words[1:]] if not any(w.many for w in words) else None
    m.sources += 1
    outcomes = code(m, step, text, state)
    m.sources -= 1
    if outcomes is None:
        del m.steps[count:]
        return [(fork, None)]
    step.followed = True
    for each, _ in outcomes:
        each.args = held if len(words) > 1 else each.args
        if each.dead == "return":
            each.dead = ""
    return merge(outcomes)


def trap(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    words = [w for w in argv[1:] if w.text != "--"]
    if len(words) < 2 or words[0].text in ("-l", "-p", "-", ""):
        if words and words[0].text in ("-", ""):
            state.traps = ()
        return [(state, True)]
    text = words[0].text
    if text is None:
        return [(state, True)]
    step.followed = True
    signals = {word.text for word in words[1:]}
    if signals & {"EXIT", "0", None}:
        state.traps = (*state.traps, narrow(text))
    if signals - {"EXIT", "0"}:
        held = m.sure
        m.sure = False
        if code(m, step, text, state.fork()) is None:
            step.followed = False
        m.sure = held
        m.state = state
    return [(state, True)]


def aliased(m: "Any", node: "Simple", step: "Step", text: str, state: State) -> None:
    """Whether aliases are on is not known: what the alias would run counts, and so does the word itself."""
    first = node.words[0]
    held, aliases = m.sure, state.aliases
    fork = state.fork()
    fork.aliases = {key: value for key, value in aliases.items() if key != first.text}
    rest = node.src[first.end : max([node.end, *[raw.end for raw in node.words]])]
    m.sure = False
    code(m, step, real(text + rest), fork)
    m.sure = held
    m.state = state


def alias(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    for word in argv[1:]:
        name, equals, text = (word.text or "").partition("=")
        if equals and name:
            state.aliases[narrow(name)] = narrow(text)
    return [(state, True)]


def unalias(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    for word in argv[1:]:
        if word.text == "-a":
            state.aliases = {}
        else:
            state.aliases.pop(word.text or "", None)
    return [(state, True)]


# ---- the way through the text
def leaving(kind: str) -> "Any":
    def leave(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        state.dead = kind
        status = None
        if len(argv) > 1 and argv[1].text is not None and argv[1].text.isdigit():
            status = argv[1].text == "0"
        return [(state, status)]

    return leave


def status(value: bool) -> "Any":
    return lambda _m, _step, _argv, state: [(state, value)]


def exec_(_m: "Any", _step: "Step", _argv: "list[Word]", state: State) -> "Outcomes":
    return [(state, None)]


# ---- options and parameters
def set_(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    words = argv[1:]
    while words:
        text = words[0].text
        if text is None or any(w.many for w in words):
            state.args = None
            return [(state, True)]
        if text in ("--", "-") or text[:1] not in ("-", "+") or len(text) == 1:
            rest = words[1:] if text in ("--", "-") else words
            if rest or text == "--":
                state.args = [value_of(word) for word in rest]
            return [(state, True)]
        if text[1:] == "o":
            if len(words) > 1 and words[1].text == "noglob":
                state.noglob = text[0] == "-"
            words = words[2:]
            continue
        if "f" in text:
            state.noglob = text[0] == "-"
        words = words[1:]
    return [(state, True)]


def shift(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    count = argv[1].text if len(argv) > 1 else "1"
    if state.args is None or count is None or not count.isdigit():
        state.args = None
        return [(state, None)]
    if int(count) > len(state.args):
        return [(state, False)]
    state.args = state.args[int(count) :]
    return [(state, True)]


def shopt(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    texts = [word.text for word in argv[1:]]
    if "nullglob" in texts:
        state.nullglob = "-s" in texts
    if "-s" in texts and any(t in ("dotglob", "globstar", "nocaseglob", "failglob") for t in texts):
        state.oddglob = True
    return [(state, None)]


def simple(handler: "Any") -> "Any":
    """A handler that changes the state and always succeeds."""

    def run_it(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        handler(m, step, argv, state)
        return [(state, None)]

    return run_it


HANDLERS: "dict[str, Any]" = {
    "cd": cd,
    "pushd": pushd,
    "popd": popd,
    "eval": eval_,
    "source": source,
    ".": source,
    "trap": trap,
    "alias": alias,
    "unalias": unalias,
    "exit": leaving("exit"),
    "return": leaving("return"),
    "break": leaving("break"),
    "continue": leaving("continue"),
    "true": status(True),
    ":": status(True),
    "false": status(False),
    "exec": exec_,
    "set": set_,
    "shift": shift,
    "shopt": shopt,
    **{name: simple(handler) for name, handler in assign.HANDLERS.items()},
}
assignments = assign.assignments
spread_line = assign.spread_line
__all__ = ["assignments", "expand", "run", "spread_line"]
