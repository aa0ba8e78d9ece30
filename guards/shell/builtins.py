"""Commands that change what the shell itself knows: directory, variables, functions, parameters, code it is given."""

from guards.shell import assign
from guards.shell.fields import narrow, several, value_of
from guards.shell.state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step, Word
    from guards.shell.syntax import Simple

    Outcomes = list[tuple[State, bool | None]]


def run(m: "Any", node: "Simple", step: "Step") -> "Outcomes":
    """The outcomes; sets `followed` where the step's own code was read."""
    state: State = m.state
    alias = state.aliases.get(node.words[0].text)
    if alias is not None:
        from guards.shell import running

        running.aliased(m, node, step, alias, state)
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
        from guards.shell import running

        return running.call(m, step, state.funcs[name], name, state)
    handler = HANDLERS.get(name)
    if handler is None:
        return [(state, None)]
    instead = state.fork() if alias is not None else None  # an alias may stand for something else
    found: Outcomes = handler(m, step, argv, state)
    return found if instead is None else [(instead, None), *found]


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
    def leave(m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        status = None
        if not meant(m, kind):
            gone = state.fork()
            gone.dead = kind
            return [(state, False), (gone, None)]
        state.dead = kind
        if len(argv) > 1 and argv[1].text is not None and argv[1].text.isdigit():
            status = argv[1].text == "0"
        return [(state, status)]

    return leave


def meant(m: "Any", kind: str) -> bool:
    """Whether there is something to leave. Elsewhere bash only complains and goes on, dash ends: both count."""
    if kind == "return":
        return bool(m.sources or any(m.calls.values()))
    return kind == "exit" or m.loops > 0


def status(value: bool) -> "Any":
    return lambda _m, _step, _argv, state: [(state, value)]


def exec_(_m: "Any", step: "Step", _argv: "list[Word]", state: State) -> "Outcomes":
    """Files that stay open: writing to /dev/fd/3 opens the same file again, whatever it was opened for."""
    for redirect in step.redirects:
        target = redirect.target.text if redirect.target is not None else None
        if redirect.fd is not None and target and redirect.op[:1] in "<>" and redirect.op[1:] in ("", ">", "|"):
            path = target if target[0] == "/" or step.cwd is None else f"{step.cwd}/{target}"
            state.vars[f"/dev/fd/{redirect.fd}"] = narrow(path)
    return [(state, None)]


# ---- options and parameters
def set_(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    words = argv[1:]
    while words:
        text = words[0].text
        if text is None:
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
            if len(words) > 1 and words[1].text == "allexport":
                state.allexport = text[0] == "-"
            words = words[2:]
            continue
        if "a" in text:
            state.allexport = text[0] == "-"
        if "f" in text:
            state.noglob = text[0] == "-"
        words = words[1:]
    return [(state, True)]


def shift(_m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    count = argv[1].text if len(argv) > 1 else "1"
    if state.args is None or count is None or not count.isdigit():
        state.args = None
        return [(state, None)]
    if any(several(a) for a in state.args[: int(count)]):
        return [(state, None)]
    if int(count) > len(state.args):
        return [(state, False)]
    state.args = state.args[int(count) :]
    return [(state, True)]


def shopt(m: "Any", _step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
    texts = [word.text for word in argv[1:]]
    m.cdable = m.cdable or "cdable_vars" in texts
    if "nullglob" in texts:
        state.nullglob = "-s" in texts
    if "-s" in texts and any(t in ("dotglob", "globstar", "nocaseglob", "nocasematch", "failglob") for t in texts):
        state.oddglob = True
    return [(state, None)]


def simple(handler: "Any") -> "Any":
    """A handler that changes the state and always succeeds."""

    def run_it(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        handler(m, step, argv, state)
        return [(state, None)]

    return run_it


def directory(name: str) -> "Any":
    def run_it(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        from guards.shell import folders

        found: Outcomes = folders.HANDLERS[name](m, step, argv, state)
        return found

    return run_it


def code(name: str) -> "Any":
    def run_it(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        from guards.shell import running

        found: Outcomes = running.HANDLERS[name](m, step, argv, state)
        return found

    return run_it


def given(name: str) -> "Any":
    def run_it(m: "Any", step: "Step", argv: "list[Word]", state: State) -> "Outcomes":
        from guards.shell import inputs

        inputs.HANDLERS[name](m, step, argv, state)
        return [(state, None)]

    return run_it


HANDLERS: "dict[str, Any]" = {
    **{name: directory(name) for name in ("cd", "pushd", "popd")},
    **{name: code(name) for name in ("eval", "source", ".", "trap")},
    **{name: given(name) for name in ("read", "mapfile", "readarray", "printf", "let", "getopts")},
    **{name: simple(handler) for name, handler in assign.HANDLERS.items()},
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
}
