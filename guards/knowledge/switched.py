"""What the owner switched off for this session with `#disable`: an append-only list, the last word on a name holds."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World

RECORDS = "switches"


def off(world: "World", *names: str) -> bool:
    """Whether the last switch that named one of `names`, or the group of one, switched it off."""
    wanted = {part for name in names for part in (name, name.partition(":")[0])}
    state = False
    for on, word in entries(world):
        if word in wanted:
            state = not on
    return state


def entries(world: "World") -> "list[tuple[bool, str]]":
    """(on, word) in the order they were typed."""
    found = [record.partition(" ") for record in world.session.records(RECORDS)]
    return [(state == "on", word) for state, _, word in found if state in ("on", "off") and word]


def standing(world: "World") -> "list[str]":
    """The words that are off now, as they were typed: a group takes its members along in both directions."""
    words: list[str] = []
    for on, word in entries(world):
        words = [kept for kept in words if kept != word and not (":" not in word and kept.startswith(word + ":"))]
        if not on:
            words.append(word)
        elif ":" in word and word.partition(":")[0] in words:
            words.append("but not " + word)
    return words
