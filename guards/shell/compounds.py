"""Groups, subshells, conditions, loops, case: where a text can go, and with which values."""

from guards.shell import expand, globs
from guards.shell.expand import real
from guards.shell.lex import Lexer
from guards.shell.machine import AMBIGUOUS, LINE, Sink, value_of
from guards.shell.state import merge
from guards.shell.steps import Step, Word
from guards.shell.syntax import Compound, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.state import State

    Outcomes = list[tuple[State, bool | None]]

TURNS = 300  # turns of a counting loop that are followed one by one
LINES = 200  # lines of known input that `while read` is followed through


def run(m: "Any", node: Compound, state: "State") -> "Outcomes":
    if not node.redirs or node.kind == "function":
        plain: Outcomes = KINDS[node.kind](m, node, state)
        return plain
    step = Step([], state.cwd, line=real(node.src[node.start : min(node.end, node.start + LINE)]))
    step.redirects = [m.redirect(redir) for redir in node.redirs]
    step.reader, step.sure, step.env, step.files = m.reader, m.sure, state.env, m.files
    m.shared = True
    sink, stdin = m.sink, m.stdin
    step.stdin, step.piped = stdin
    m.input(step)
    m.steps.append(step)
    from guards.shell import known

    place = known.opened(m, step)
    inner = Sink()
    m.sink, m.stdin = inner, (step._stdin if step.exact else None, step.piped)
    if any(r.target is not None and r.target.cause == AMBIGUOUS for r in step.redirects):
        step.sure = False
    held = m.sure
    m.sure = step.sure
    try:
        outcomes: Outcomes = KINDS[node.kind](m, node, state if step.sure is held else state.fork())
    finally:
        m.sink, m.stdin = sink, stdin
        m.sure = held
    if step.sure is not held:
        outcomes = [(state, False)]
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
    outcomes = m.seq(node.a, [(inner, True)])
    leave(m, outcomes)
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
    waiting: Outcomes = [(state, None)]
    done: Outcomes = []
    sure = True
    for condition, body in node.a:
        after: Outcomes = []
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
                    unsure(m, body, [(found.fork(), None)])
                    after.append((found, False))
        waiting = merge(after)
    for each, _ in waiting:
        if node.b is not None:
            done.extend(unsure(m, node.b, [(each, None)], sure=sure))
        else:
            done.append((each, True if not sure else None))
    return merge(done)


def settle(outcomes: "Outcomes") -> "tuple[Outcomes, Outcomes]":
    """After a turn: the states that go on with the loop, and those that leave it."""
    going: Outcomes = []
    gone: Outcomes = []
    for state, status in outcomes:
        if state.dead == "continue":
            state.dead = ""
            going.append((state, status))
        elif state.dead == "break":
            state.dead = ""
            gone.append((state, status))
        elif state.dead:
            gone.append((state, status))
        else:
            going.append((state, status))
    return going, gone


def for_(m: "Any", node: Compound, state: "State") -> "Outcomes":
    words: list[Word] = []
    if node.b is None:
        args = state.args
        values = args if args is not None else [(expand.Hole("the parameters", '"$@"', many=True),)]
        sure = args is not None
        some = not sure
    else:
        for raw in node.b:
            words.extend(expand.words(m, raw.text))
        values = [value_of(word) for word in words]
        sure = all(word.text is not None for word in words)
        some = any(word.many for word in words)
    going: Outcomes = [(state, True)]
    gone: Outcomes = [(state.fork(), True)] if some else []  # there may be none
    for value in values:
        for each, _ in going:
            each.assign(node.a, value)
        going, left = settle(unsure(m, node.c, going, sure=sure and len(going) == 1 and not gone))
        gone.extend(left)
        if not going:
            break
    return merge([*going, *gone])


def while_(m: "Any", node: Compound, state: "State") -> "Outcomes":
    lines = known_lines(m, node)
    if lines is not None:
        return reading(m, node, state, lines)
    first = turn(m, node, state.fork())
    if all(each.same(state) for each, _ in first):
        return [(state, None)]
    wide = state.fork()
    for each, _ in first:
        if each.dead in ("", "break", "continue"):
            wide.forget(each)
    leaving: Outcomes = [(each, status) for each, status in first if each.dead in ("exit", "return")]
    again = turn(m, node, wide.fork())
    for each, _ in again:
        if each.dead in ("", "break", "continue"):
            wide.forget(each)
    wide.dead = ""
    return merge([(wide, None), *leaving])


def turn(m: "Any", node: Compound, state: "State") -> "Outcomes":
    outcomes = unsure(m, node.a, [(state, None)])
    return unsure(m, node.b, [(each, None) for each, _ in outcomes])


def known_lines(m: "Any", node: Compound) -> "list[str] | None":
    """The lines that `while read x` goes through, where its input is known."""
    if m.stdin[0] is None or len(node.a.items) != 1 or node.kind != "while":
        return None
    condition = node.a.items[0][0]
    if not isinstance(condition, Simple) or not condition.words or condition.words[0].text != "read":
        return None
    if condition.redirs or any(raw.text[:1] == "-" and raw.text != "-r" for raw in condition.words[1:]):
        return None
    text = m.stdin[0] if isinstance(m.stdin[0], str) else m.stdin[0]()
    if text is None:
        return None
    lines = str(text).split("\n")[:-1]
    return lines if len(lines) <= LINES and all("\\" not in line for line in lines) else None


def reading(m: "Any", node: Compound, state: "State", lines: "list[str]") -> "Outcomes":
    from guards.shell import builtins

    condition = node.a.items[0][0]
    names = [raw.text for raw in condition.words[1:] if raw.text != "-r"]
    separators = " \t\n"
    for raw in condition.assigns:
        if raw.text.startswith("IFS="):
            found = expand.one(m, raw.text[4:]).text
            separators = found if found is not None else separators
    held = m.stdin
    m.stdin = (None, held[1])
    going: Outcomes = [(state, True)]
    gone: Outcomes = []
    for line in lines:
        for each, _ in going:
            builtins.spread_line(each, names, expand.narrow(line), separators)
        going, left = settle(unsure(m, node.b, going, sure=len(going) == 1 and not gone))
        gone.extend(left)
        if not going:
            break
    m.stdin = held
    return merge([*going, *gone])


def cfor(m: "Any", node: Compound, state: "State") -> "Outcomes":
    from guards.shell import arith

    parts = node.a.split(";")
    if len(parts) != 3:
        return unsure(m, node.c, [(state, None)])
    m.state = state
    arith.evaluate(m, parts[0])
    going: Outcomes = [(state, True)]
    gone: Outcomes = []
    for _ in range(TURNS):
        m.state = going[0][0]
        goes_on = arith.evaluate(m, parts[1]) if parts[1].strip() else 1
        if goes_on is None or len(going) > 1:
            break
        if not goes_on:
            return merge([*going, *gone])
        going, left = settle(unsure(m, node.c, going, sure=not gone))
        gone.extend(left)
        if not going:
            return merge(gone)
        m.state = going[0][0]
        arith.evaluate(m, parts[2])
    for m.state, _ in going:
        for part in parts:
            arith.forget(m, arith.tokenize(part))
    going, left = settle(unsure(m, node.c, going))
    return merge([*going, *gone, *left])


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
            for each, _ in going:
                unsure(m, body, [(each.fork(), None)])
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
    from guards.shell import param

    verdict: bool | None = False
    for raw in patterns:
        pattern = param.pattern(m, raw.text, False)
        if pattern == "*":
            return True
        if pattern is None or subject is None:
            verdict = None
        elif globs.match(real(pattern), subject):
            return True if verdict is False else None
    return verdict


def function(_m: "Any", node: Compound, state: "State") -> "Outcomes":
    state.funcs[node.a] = node.b
    return [(state, True)]


def select(m: "Any", node: Compound, state: "State") -> "Outcomes":
    return for_(m, node, state)


def test(m: "Any", node: Compound, state: "State") -> "Outcomes":
    live(m, node.a)
    return [(state, None)]


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
            i = expand.dollar(m, text, i, atoms, True)
        elif c == '"':
            i = expand.quoted(m, text, i + 1, atoms, '"')
        elif c == "`":
            i = expand.backtick(m, text, i, atoms, True)
        elif c in "<>" and text.startswith("(", i + 1):
            i = expand.process(m, text, i, atoms)
        else:
            i = lexer._step(i, 0, quoted=False) or i + 1


KINDS: "dict[str, Any]" = {
    "group": group,
    "subshell": subshell,
    "if": if_,
    "while": while_,
    "until": while_,
    "for": for_,
    "select": select,
    "cfor": cfor,
    "case": case,
    "function": function,
    "test": test,
    "[": bracket,
    "arith": arithmetic,
}
