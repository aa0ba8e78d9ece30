"""`#disable WORD`, `#enable WORD`, `#reset`, `#guards`, typed at the start of a prompt: parts of context and read gate
off and on again, for this one session, from the next event on.

Only what stands at the very start of a prompt counts, in a session that the harness says a person attends and that no
agent started. Prompts that a machine made, pasted text further down, the output of tools and subagents never do. A call
that would have a switch typed or sent as a prompt is refused: to the prompt it becomes nothing shows who wrote it. No
word here reaches a lane, a shell rule or a human-only rule. What cannot be judged changes nothing. A resume and a
/clear end all switches.
"""

from guards.engine.event import Verdict
from guards.knowledge.switched import RECORDS, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "switches"
_VERBS = ("#disable", "#enable", "#reset", "#guards")
_ENDS = ("resume", "clear")  # a new sitting


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    if event.name == "before-tool":
        return None if world.off(NAME) else _sent(event, rules, world)
    if event.agent:
        return None
    if event.name == "session-start":
        return _ended(event, world)
    line, _, below = event.text.partition("\n")
    words = line.split()
    if not line.startswith(_VERBS) or words[0] not in _VERBS or world.off(NAME):
        return None
    if not _attended(event, rules, world):
        return Verdict(NAME, "watch", "", "policy/switches.toml: nobody attends this session", facts={"words": line})
    text, marks = _answer(words[0], words[1:], rules, world)
    # a prompt that is nothing but the switch need not reach the model: the answer is shown to the one who typed it
    action = "note" if below.strip() else "deny"
    return Verdict(NAME, action, text, "policy/switches.toml", marks=marks, facts={"words": line})


def _ended(event: "Event", world: "World") -> "Verdict | None":
    words = standing(world) if event.source in _ENDS else []
    if not words:
        return None
    text = f"switches end with the sitting they were typed in; on again: {', '.join(words)}."
    return Verdict(NAME, "note", text, "policy/switches.toml", marks=(("forget", RECORDS),))


def _attended(event: "Event", rules: "dict[str, Any]", world: "World") -> bool:
    """Whether a person sits before this session, as far as the harness says so itself."""
    if event.harness in rules["trusted"]:
        return True
    variable, value = rules["attended"].get(event.harness, ("", ""))
    return bool(variable) and world.set_by_harness(variable) == value and not world.started_with(rules["below"])


def _answer(
    verb: str, words: "list[str]", rules: "dict[str, Any]", world: "World"
) -> "tuple[str, tuple[tuple[Any, ...], ...]]":
    """What is said, and the marks that make it so."""
    if verb == "#reset" and not words:
        gone = standing(world)
        return f"guards: every switch is reset; on again: {', '.join(gone) or 'nothing was off'}.", (
            ("forget", RECORDS),
        )
    if verb == "#guards" or not words:
        return _listed(rules, world), ()
    wrong = [_wrong(word, rules) for word in words if _wrong(word, rules)]
    if verb == "#reset":
        wrong = ["#reset takes no words; it ends every switch"]
    if wrong:
        return f"guards: nothing was switched. {'; '.join(wrong)}. #guards lists the words.", ()
    state = "off" if verb == "#disable" else "on"
    marks = tuple([("add", RECORDS, f"{state} {word.lower()}") for word in words])
    what = "; ".join([f"{word.lower()} ({_says(word.lower(), rules)})" for word in words])
    back = "#enable or #reset turns it back" if state == "off" else "as before"
    return f"guards: {state} from the next event on, for this session: {what}. {back}.", marks


def _wrong(word: str, rules: "dict[str, Any]") -> str:
    name = word.lower()
    if name in rules["never"]:
        return f"{word!r} cannot be switched off from a prompt; guards pause does that, at a terminal of your own"
    return "" if _says(name, rules) else f"{word!r} is no switch"


def _says(name: str, rules: "dict[str, Any]") -> str:
    """What a word stands for, "" when it is none."""
    words: dict[str, str] = rules["words"]
    if name in words:
        return words[name]
    group, colon, member = name.partition(":")
    if not colon:
        inside = [word for word in words if word.startswith(name + ":")]
        return f"all of {', '.join(inside)}" if inside else ""
    plain = member.replace("-", "").replace("_", "").replace(".", "")
    return words.get(group + ":*", "") if plain.isalnum() and plain.isascii() else ""


def _listed(rules: "dict[str, Any]", world: "World") -> str:
    lines = [f"guards: off in this session: {', '.join(standing(world)) or 'nothing'}. the words:"]
    lines += [f"  {word}  {says}" for word, says in rules["words"].items()]
    return "\n".join([*lines, "#disable WORD … · #enable WORD … · #reset; a bare group (inject, rgate) is all of it."])


# ---------------------------------------------------------------- an agent's own hand

TEXTS_MAX = 200  # texts of one call that are looked at


def _sent(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    """A switch in a call that would make a prompt of it."""
    texts = [event.command] if event.kind == "shell" else _texts(event.input)
    if not any([verb in text for text in texts for verb in _VERBS]):
        return None
    if event.kind == "unknown":
        _ = event.effects  # whether such a tool holds a command shows when its effects are read
    begun = [text for text in texts if event.kind != "shell" and _begins(text)]
    if not begun and not (event.command and _typed(event, rules, world)):
        return None
    what = f"{event.tool} may not send it as a prompt" if begun else "this command may not type it"
    text = f"a switch ({', '.join(_VERBS)}) counts only where a person types it, so {what} (policy/switches.toml)."
    return Verdict(NAME, "deny", text + " say what is in the way.", "policy/switches.toml: typists")


def _begins(text: str) -> bool:
    """Whether a prompt of this text would begin with a switch; harnesses drop blanks before it."""
    return text.lstrip("\ufeff \t\r\n\f\v\u00a0\u2028\u2029").startswith(_VERBS)


def _texts(given: "Any") -> "list[str]":
    found: list[str] = []
    todo: list[Any] = [given]
    while todo and len(found) < TEXTS_MAX:
        value = todo.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return found


def _typed(event: "Event", rules: "dict[str, Any]", world: "World") -> bool:
    from guards.shell.effects import commands

    for command in commands(event, world):
        words = [word.text if word.text is not None else word.rough for word in command.argv]
        if words and words[0].rpartition("/")[2] in rules["typists"]:
            if any([_begins(word) for word in words[1:]]):
                return True
    return False
