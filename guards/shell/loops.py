"""Loops: over words that are known, over lines that are known, by counting; else once for a value that is not known."""

from guards.shell import expand
from guards.shell.compounds import unsure
from guards.shell.fields import Hole, narrow, value_of
from guards.shell.state import merge
from guards.shell.syntax import Compound, Simple, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.state import State
    from guards.shell.steps import Word

    Outcomes = list[tuple[State, bool | None]]

TURNS = 300  # turns of a counting loop that are followed one by one
LINES = 200  # lines of known input that `while read` is followed through


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
        values = args if args is not None else [(Hole("the parameters", '"$@"', many=True),)]
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
    m.still = m.still and sure
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
    if len(node.a.items) == 1 and constant(node.a.items[0][0], state):
        status = unsure(m, node.a, [(state, None)], sure=True)[0][1]
        if status is (node.kind == "until"):  # the words say that the body never runs
            return [(state, True)]
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
    m.still = False  # the turns go on while other programs work
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
    from guards.shell import inputs

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
            inputs.spread_line(each, names, narrow(line), separators)
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
    m.still = False
    for m.state, _ in going:
        for part in parts:
            arith.forget(m, arith.tokenize(part))
    going, left = settle(unsure(m, node.c, going))
    return merge([*going, *gone, *left])


KINDS: "dict[str, Any]" = {"for": for_, "select": for_, "while": while_, "until": while_, "cfor": cfor}
