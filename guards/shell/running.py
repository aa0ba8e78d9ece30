"""Code that the shell itself runs: functions, eval, source, trap, aliases."""

from guards.shell import assign, known
from guards.shell.fields import narrow, real, value_of
from guards.shell.state import Sink, State, merge
from guards.shell.syntax import Lost, Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step, Word
    from guards.shell.syntax import Compound, Simple

    Outcomes = list[tuple[State, bool | None]]

AT_ONCE = frozenset({"ERR", "DEBUG", "RETURN", None})  # None: a signal whose name is not static
CHILD = frozenset({"CHLD", "CLD", "17"})  # sent by every program that ends
ENDS = frozenset({"EXIT", "0"})
CALLS = 3  # a function in itself


# ---- code
def call(m: "Any", step: "Step", body: "Compound", name: str, state: State) -> "Outcomes":
    """A function: its body, with its own parameters."""
    step.followed = True
    calls = m.calls.get(name, 0)
    if calls > CALLS:
        return [(state, None)]
    held_args, stdin, sink, loops = state.args, m.stdin, m.sink, m.loops
    refs, m.refs = m.refs, {**m.refs}
    m.loops = 0
    state.args = [value_of(word) for word in step.argv[1:]] if calls < CALLS else None
    state.frames.append({})
    for key, word in step.assigns.items():
        assign.local(state, key)
        state.assign(key, value_of(word))
    m.calls[name] = calls + 1
    m.stdin = (step._stdin if step.exact else None, step.piped)
    place = known.opened(m, step) if step.redirects else None
    inner = m.sink = Sink() if place else sink
    try:
        outcomes: Outcomes = m.node(body, state)
    finally:
        m.calls[name] = calls
        m.stdin, m.sink, m.loops, m.refs = stdin, sink, loops, refs
    for each, _ in outcomes:
        each.args = held_args
        assign.restore(each)
        if each.dead == "return":
            each.dead = ""
    if place:
        known.closed(m, *place, inner)
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
        m.removed_to = min(m.removed_to, count)
        return [(fork, None)]
    step.followed = all(word.text is not None for word in words)
    return outcomes


def source(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    if not words:
        return [(state, False)]
    if words[0].feed is not None:
        text: str | None = words[0].feed
    elif words[0].text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
        text = step.stdin if step.exact else None
    else:
        path = known.absolute(state.cwd, words[0])
        text = known.script(m, path) if path is not None else None
    if text is None or "\0" in text or m.sources > 8:
        return [(state, None)]
    count = len(m.steps)
    fork = state.fork()
    held = state.args
    if len(words) > 1:
        state.args = [value_of(word) for word in words[1:]]
    m.sources += 1
    outcomes = code(m, step, text, state)
    m.sources -= 1
    if outcomes is None:
        del m.steps[count:]
        m.removed_to = min(m.removed_to, count)
        return [(fork, None)]
    step.followed = True
    for each, _ in outcomes:
        each.args = held if len(words) > 1 else each.args
        if each.dead == "return":
            each.dead = ""
    return merge(outcomes)


def signals_of(words: "list[Word]") -> "set[str | None]":
    """Their names without SIG; upper and lower case are one."""
    return {word.text.upper().removeprefix("SIG") if word.text is not None else None for word in words}


def trap(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    words = [w for w in argv[1:] if w.text != "--"]
    if len(words) < 2 or words[0].text in ("-l", "-p", "-", ""):
        forgets = words and words[0].text in ("-", "") and (len(words) < 2 or signals_of(words[1:]) & ENDS)
        if forgets or (words and signals_of(words[:1]) <= ENDS):  # `trap EXIT` alone
            state.traps = ()
        return [(state, True)]
    text = words[0].text
    if text is None:
        return [(state, True)]
    step.followed = True
    signals = signals_of(words[1:])
    if signals & {*ENDS, None}:
        state.traps = (*state.traps, narrow(text))
    if signals - ENDS and ("$" in text or not signals & AT_ONCE):  # they come where something sends them
        m.signals.append((narrow(text), state.fork(), bool(signals & (CHILD | AT_ONCE))))
    if signals & AT_ONCE:
        held = m.sure
        m.sure = False
        if code(m, step, text, state.fork()) is None:
            step.followed = False
        m.sure = held
        m.state = state
    return [(state, True)]


def hand_down(state: State, name: str) -> None:
    """`export -f`: the function is in the environment, spelled as bash spells it there."""
    body = state.funcs.get(name)
    if body is not None:
        state.copied += len(state.env)
        state.env = {**state.env, f"BASH_FUNC_{name}%%": "() " + real(body.src[body.start : body.end])}


def inherited(m: "Any", state: State) -> None:
    """The functions that a shell finds in its environment."""
    for name, text in state.env.items():
        if not name.startswith("BASH_FUNC_") or not (text or "").startswith("() "):
            continue
        try:
            m.nested(f"{name[10:].rstrip('%')} {narrow(text or '')}", lambda seq: m.seq(seq, [(state, True)]))
        except (Lost, Unclosed):
            continue


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


HANDLERS = {"eval": eval_, "source": source, ".": source, "trap": trap}
