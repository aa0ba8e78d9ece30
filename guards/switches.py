"""`#disable WORD`, `#enable WORD`, `#reset`, `#guards`, typed at the start of a prompt: parts of context and read gate
off and on again, for this one session, from the next event on.

Only what stands at the very start of a prompt counts, in a session that the harness says a person attends. Prompts that
a machine made, pasted text further down, the output of tools and subagents never do. No word here reaches a lane, a
shell rule or a human-only rule. What cannot be judged changes nothing. A resume and a /clear end all switches.
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
    return bool(variable) and world.set_by_harness(variable) == value


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
