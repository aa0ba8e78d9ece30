"""Assignments and the commands that make, change and forget variables."""

from guards.shell import expand
from guards.shell.fields import HOLE, NAME, TEXT, Hole, merged, narrow, real, single, value_of
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.state import State
    from guards.shell.steps import Step
    from guards.shell.syntax import Simple


def split(text: str) -> "tuple[str, str, str, str] | None":
    """NAME[index]+=value -> name, index, "=" or "+=", value; None when the text is no assignment."""
    end = 0
    while end < len(text) and text[end] in NAME:
        end += 1
    name, index = text[:end], ""
    if not name or name[0].isdigit():
        return None
    if text[end : end + 1] == "[":
        from guards.shell.lex import Lexer

        close = Lexer(text).bracket_end(end + 1, 0)
        index, end = text[end + 1 : close - 1], close
    if text.startswith("+=", end):
        return name, index, "+=", text[end + 2 :]
    if text.startswith("=", end):
        return name, index, "=", text[end + 1 :]
    return None


def valued(m: "Any", text: str) -> "Any":
    """The value behind the equals sign: text, a tuple with holes, or a list."""
    if text.startswith("(") and not text.endswith(")"):  # `X=(a)b` is text, and nobody writes it
        return (Hole("an odd list", text, many=True),)
    if text.startswith("("):
        from guards.shell.split import words

        row: list[Any] = []
        for each in words(text[1:-1]):
            if each[0] == "[" and "]=" in each:
                expand.value(m, each.partition("]=")[2])
                row.append(None)
                continue
            made = expand.words(m, each)
            row.extend([value_of(word) for word in made])
            if any(word.many for word in made):
                row.append((Hole("an array", "", many=True),))
        return row
    return expand.value(m, text)


def changed(m: "Any", name: str, index: str, op: str, value: "Any") -> "Any":
    """The variable's value afterwards."""
    before = m.lookup(name) if op == "+=" or index else None
    if index:
        from guards.shell import arith

        at = arith.evaluate(m, index)
        row = before[:] if isinstance(before, list) else [before] if isinstance(before, str) and before else []
        if at is None or not 0 <= at <= 1000 or (before is None and name in m.state.vars):
            return None
        row.extend([""] * (at + 1 - len(row)))
        row[at] = value
        return row
    if op == "=":
        return value
    if isinstance(value, list):
        return [*(before if isinstance(before, list) else [] if before in (None, "") else [before]), *value]
    if before is None:
        before = (Hole("variable " + name, "$" + name),)
    if isinstance(before, list):
        return None
    if isinstance(before, str) and isinstance(value, str):
        return before + value
    pieces = [*([before] if isinstance(before, str) else before), *([value] if isinstance(value, str) else value)]
    return tuple(merged(pieces))


def word_of(value: "Any", raw: str) -> Word:
    if isinstance(value, str):
        return Word(real(value), real(raw))
    if value is None or isinstance(value, list):
        return Word(None, real(raw), "an array" if value is not None else "an assignment")
    return single([(TEXT, p, True) if isinstance(p, str) else (HOLE, p, True) for p in value], raw)


def assignments(m: "Any", node: "Simple", step: "Step") -> None:
    """Bare ones stay; those before a command are for that command alone."""
    lasting = not node.words
    state = m.state
    given: dict[str, str | None] = {}
    if not lasting:
        m.state = state.fork()
    for raw in node.assigns:
        found = split(raw.text)
        if found is None:
            continue
        name, index, op, text = found
        name = m.refs.get(name, name)
        made = valued(m, text)
        value = changed(m, name, index, op, made)
        if name == "BASH_ALIASES" and index and isinstance(made, str):
            m.state.aliases[index] = made
        m.state.assign(name, value)
        word = word_of(value, text)
        step.assigns[name] = word
        given[name] = word.text
    m.state = state
    step.env = state.env if lasting else {**step.env, **given}


# ---- declare and the like
def declared(m: "Any", words: "list[Any]") -> "tuple[list[Word], list[tuple[str, Any]]]":
    """The operands of a declaring command: NAME=value is expanded as an assignment is."""
    argv: list[Word] = []
    given: list[tuple[str, Any]] = []
    for raw in words:
        texts = [raw.text]
        if "{" in raw.text and "=(" not in raw.text:
            from guards.shell import braces

            texts = braces.expand(raw.text)
        for text in texts:
            argv.extend(operand(m, text, given))
    return argv, given


def operand(m: "Any", text: str, given: "list[tuple[str, Any]]") -> "list[Word]":
    """An operand of a declaring command."""
    found = split(text) if "=" in text else None
    if found is None:
        return expand.words(m, text)
    name, index, op, rest = found
    value = changed(m, name, index, op, valued(m, rest))
    given.append((name, value))
    word = word_of(value, text)
    prefix = name + op
    spelled = None if word.text is None else prefix + word.text
    rough = prefix + word.rough
    return [Word(spelled, real(text), word.cause, parts=word.parts, quoted=word.quoted, rough=rough)]


def declare(m: "Any", step: "Step", argv: "list[Word]", state: "State") -> None:
    command = argv[0].text
    flags = "".join([w.text[1:] for w in argv[1:] if w.text is not None and w.text[:1] in "-+" and w.text])
    minus = [w.text for w in argv[1:] if w.text is not None and w.text[:1] == "-"]
    given: dict[str, Any] = dict(m.given)
    m.given = ()
    for word in argv[1:]:
        text = word.text
        name = (text or word.rough).partition("=")[0].rstrip("+").partition("[")[0]
        if not name or name[:1] in "-+" or not NAME.issuperset(name) or name[0].isdigit():
            continue
        if "f" in flags:
            if command == "export" or any("x" in m for m in minus):
                from guards.shell import running

                running.hand_down(state, name)
            continue
        if state.frames and (command == "local" or (command in ("declare", "typeset") and "g" not in flags)):
            local(state, name)
        aim = given.get(name)
        if "n" in flags and command != "export" and isinstance(aim, str) and aim.isidentifier() and aim != name:
            m.refs[name] = m.refs.get(aim, aim)
        elif name in given:
            state.assign(name, None if "A" in flags or "i" in flags or "n" in flags else given[name])
        elif text is not None and "=" in text:
            state.assign(name, narrow(text.partition("=")[2]))
        elif word.text is None:
            state.assign(name, None)
        elif command == "local" or ("x" not in flags and command in ("declare", "typeset") and name not in state.vars):
            if name not in state.env or command == "local":
                state.vars[name] = ""
        if command == "export" or any("x" in m for m in minus):
            if "n" in flags:
                state.exported -= {name}
            else:
                state.export(name)


def local(state: "State", name: str) -> None:
    """Remembered until the function returns."""
    if state.frames and name not in state.frames[-1]:
        state.frames[-1][name] = state.vars.get(name, MISSING)


MISSING = Hole("", "")


def restore(state: "State") -> None:
    for name, value in (state.frames.pop() if state.frames else {}).items():
        if value is MISSING:
            state.vars.pop(name, None)
        else:
            state.assign(name, value)


def unset(_m: "Any", _step: "Step", argv: "list[Word]", state: "State") -> None:
    functions = any(word.text == "-f" for word in argv[1:])
    for word in argv[1:]:
        name = (word.text or "").partition("[")[0]
        if functions:
            state.funcs.pop(name, None)
        elif name.isidentifier():
            if "[" in (word.text or ""):
                state.assign(name, None)
            elif name in state.vars or name in state.env:
                state.unset(name)
            else:
                state.funcs.pop(name, None)
                state.unset(name)


HANDLERS: "dict[str, Any]" = {
    **dict.fromkeys(("export", "declare", "typeset", "local", "readonly"), declare),
    "unset": unset,
}
