"""Groups, subshells, conditions, loops, case: where a text can go, and with which values."""

from guards.shell import expand, fresh, globs, quotes, redirections
from guards.shell.fields import real
from guards.shell.lex import Lexer
from guards.shell.machine import LINE
from guards.shell.state import Sink, merge
from guards.shell.steps import Step
from guards.shell.syntax import Compound, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.state import State

    Outcomes = list[tuple[State, bool | None]]


def run(m: "Any", node: Compound, state: "State") -> "Outcomes":
    if not node.redirs or node.kind == "function":
        plain: Outcomes = KINDS[node.kind](m, node, state)
        return plain
    step = Step([], state.cwd, line=real(node.src[node.start : min(node.end, node.start + LINE)]))
    step.redirects = [redirections.read(m, redir) for redir in node.redirs]
    step.reader, step.sure, step.env, step.files = m.reader, m.sure, state.env, m.files
    m.shared = True
    sink, stdin = m.sink, m.stdin
    step.stdin, step.piped = stdin
    redirections.arrive(m, step)
    m.steps.append(step)
    from guards.shell import known

    never = any(r.target is not None and r.target.cause == redirections.AMBIGUOUS for r in step.redirects)
    fails = never or redirections.may_fail(m, step)
    place = known.opened(m, step)
    inner = Sink()
    m.sink, m.stdin = inner, (step._stdin if step.exact else None, step.piped)
    held = m.sure
    m.sure = step.sure = step.sure and not fails
    try:
        outcomes: Outcomes = KINDS[node.kind](m, node, state.fork() if fails else state)
    finally:
        m.sink, m.stdin = sink, stdin
        m.sure = held
    if never:
        outcomes = [(state, False)]
    elif fails:
        outcomes = merge([*outcomes, (state, False)])
    known.closed(m, *place, inner)
    return outcomes


def unsure(m: "Any", seq: "Any", outcomes: "Outcomes", sure: bool = False) -> "Outcomes":
    held = m.sure
    m.sure = held and sure
    try:
        found: Outcomes = m.seq(seq, outcomes)
        return found
    finally:
        m.sure = held


def group(m: "Any", node: Compound, state: "State") -> "Outcomes":
    found: Outcomes = m.seq(node.a, [(state, True)])
    return found


def subshell(m: "Any", node: Compound, state: "State") -> "Outcomes":
    inner = state.fork()
    inner.traps = ()
    loops, m.loops = m.loops, 0
    try:
        outcomes = m.seq(node.a, [(inner, True)])
        leave(m, outcomes)
    finally:
        m.loops = loops
    m.state = state
    statuses = {status for _, status in outcomes}
    return [(state, statuses.pop() if len(statuses) == 1 else None)]


def leave(m: "Any", outcomes: "Outcomes") -> None:
    """The traps for a shell's end."""
    for state, _ in outcomes:
        for code in state.traps:
            state.dead = ""
            m.nested(code, lambda seq, state=state: unsure(m, seq, [(state, None)], sure=True))


def if_(m: "Any", node: Compound, state: "State") -> "Outcomes":
    unreached = state.fork()
    waiting: Outcomes = [(state, None)]
    done: Outcomes = []
    sure = True
    said = False  # the condition is the word `true` or `false`: what hangs on it never runs
    for condition, body in node.a:
        if not waiting and not said:  # what does not run counts, if only as what may run
            unsure(m, body, unsure(m, condition, [(unreached.fork(), None)]))
        after: Outcomes = []
        said = said or (len(condition.items) == 1 and constant(condition.items[0][0], state))
        for each, _ in waiting:
            for found, status in unsure(m, condition, [(each, None)], sure=sure):
                if found.dead:
                    done.append((found, status))
                elif status is None:
                    sure = False
                    after.append((found.fork(), None))
                    done.extend(unsure(m, body, [(found, None)]))
                elif status:
                    done.extend(unsure(m, body, [(found, None)], sure=sure))
                else:
                    if not said:
                        unsure(m, body, [(found.fork(), None)])
                    after.append((found, False))
        waiting = merge(after)
    if not waiting and node.b is not None and not said:
        unsure(m, node.b, [(unreached, None)])
    for each, _ in waiting:
        if node.b is not None:
            done.extend(unsure(m, node.b, [(each, None)], sure=sure))
        else:
            done.append((each, True if sure else None))
    return merge(done)


def loop(m: "Any", node: Compound, state: "State") -> "Outcomes":
    from guards.shell import loops

    m.loops += 1
    try:
        found: Outcomes = loops.KINDS[node.kind](m, node, state)
        return found
    finally:
        m.loops -= 1


def case(m: "Any", node: Compound, state: "State") -> "Outcomes":
    subject = expand.one(m, node.a.text).text
    going: Outcomes = [(state, True)]
    done: Outcomes = []
    falling = False
    sure = True
    for patterns, body, ending in node.b:
        matched = True if falling else matching(m, patterns, subject)
        falling = ending == ";&" and matched is not False
        if not going:
            break
        if matched is False:
            continue
        stay: Outcomes = [(each.fork(), None) for each, _ in going] if matched is None or ending != ";;" else []
        sure = sure and matched is True
        ended = unsure(m, body, going, sure=sure)
        if ending == ";;":
            done.extend(ended)
            going = stay if matched is None else []
        else:
            going = merge([*ended, *stay] if matched is None else ended)
    return merge([*done, *going])


def matching(m: "Any", patterns: "list[Any]", subject: "str | None") -> "bool | None":
    from guards.shell import trims

    verdict: bool | None = False
    for raw in patterns:
        pattern = trims.pattern(m, raw.text, False)
        if pattern == "*":
            return True
        if pattern is None or subject is None or fresh.marked(subject) or fresh.marked(pattern):
            verdict = None
        elif globs.match(real(pattern), subject):
            return True if verdict is False else None
        elif m.state.oddglob:  # nocasematch, perhaps
            verdict = None
    return verdict


def function(m: "Any", node: Compound, state: "State") -> "Outcomes":
    state.funcs[node.a] = node.b
    if state.allexport:
        from guards.shell import running

        running.hand_down(state, node.a)
    if node.a in ("command_not_found_handle", "command_not_found_handler"):  # bash's name and zsh's: nobody calls it
        unknown = state.fork()
        unknown.args = None
        m.signals.append((f'{node.a} "$@"', unknown, True))
    return [(state, True)]


def test(m: "Any", node: Compound, state: "State") -> "Outcomes":
    from guards.shell import conditions

    return [(state, conditions.status(m, node.a, node.kind == "test"))]


def bracket(m: "Any", node: Compound, state: "State") -> "Outcomes":
    """[ … ]: an ordinary command, in which an unquoted < or > redirects."""
    if "<" not in node.a and ">" not in node.a:
        return test(m, node, state)
    from guards.shell import split

    found: Outcomes = m.node(split.simple(node.src, node.start, node.end), state)
    return found


def arithmetic(m: "Any", node: Compound, state: "State") -> "Outcomes":
    from guards.shell import arith

    value = arith.evaluate(m, node.a)
    return [(state, None if value is None else value != 0)]


def live(m: "Any", text: str) -> None:
    """The substitutions in a text that is no command: they run."""
    lexer = Lexer(text)
    i = 0
    atoms: list[Any] = []
    while i < len(text):
        c = text[i]
        if c == "$":
            i = quotes.dollar(m, text, i, atoms, True)
        elif c == '"':
            i = quotes.quoted(m, text, i + 1, atoms, '"')
        elif c == "`":
            i = quotes.backtick(m, text, i, atoms, True)
        elif c in "<>" and text.startswith("(", i + 1):
            i = quotes.process(m, text, i, atoms)
        else:
            i = lexer._step(i, 0, quoted=False) or i + 1


KINDS: "dict[str, Any]" = {
    "group": group,
    "subshell": subshell,
    "if": if_,
    "while": loop,
    "until": loop,
    "for": loop,
    "select": loop,
    "cfor": loop,
    "case": case,
    "function": function,
    "test": test,
    "[": bracket,
    "arith": arithmetic,
}
