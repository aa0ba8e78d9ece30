"""Extended globs, `!(a|b)` and its kin: which of the names in a folder one matches."""

from guards.shell import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step

OPENS = ("!(", "@(", "?(", "*(", "+(")
NAMES = 4000  # names of one folder that are tried
LONGEST = 120  # characters of a pattern and of a name; what is longer counts as a match


def found(walk: "Walk", step: "Step", pattern: str) -> "list[str] | None":
    """The names that match, spelled as the shell would; None where the folder is not known."""
    at = min([place for place in [pattern.find(mark) for mark in OPENS] if place >= 0], default=-1)
    base, slash, last = pattern[: max(at, 0)].rpartition("/")
    rest = last + pattern[max(at, 0) :]
    if at < 0 or "$" in pattern or "`" in pattern or "/" in rest or globs.literal(base) is None:
        return None
    names = walk.world.listdir(walk.full(step, base or ("/" if slash else ".")), NAMES)
    if names is None:
        return None
    dotted = any([s.name == "shopt" and "dotglob" in [w.text for w in s.argv] for _, s in walk.taken])
    shown = [name for name in names if name[:1] != "." or dotted or rest[:1] == "."]
    return [f"{base}{slash}{name}" for name in shown if match(rest, name)]


def match(pattern: str, text: str) -> bool:
    """Whether the whole text matches."""
    if len(pattern) > LONGEST or len(text) > LONGEST:
        return True
    at = min([place for place in [pattern.find(mark) for mark in OPENS] if place >= 0], default=-1)
    if at < 0:
        return globs.match(pattern, text)
    end, choices = _choices(pattern, at + 2)
    head, tail = pattern[:at], pattern[end:]
    for start in range(len(text) + 1):
        if globs.match(head, text[:start]):
            for stop in range(start, len(text) + 1):
                if _any(pattern[at], choices, text[start:stop]) and match(tail, text[stop:]):
                    return True
    return False


def _any(mark: str, choices: "list[str]", text: str) -> bool:
    once = any([match(choice, text) for choice in choices])
    if mark in "!@":
        return once is (mark == "@")
    if once or (mark in "?*" and not text):
        return True
    if mark == "?":
        return False
    heads = [cut for cut in range(1, len(text)) if any([match(choice, text[:cut]) for choice in choices])]
    return any([_any(mark, choices, text[cut:]) for cut in heads])


def _choices(pattern: str, at: int) -> "tuple[int, list[str]]":
    """Behind the closing parenthesis, and the patterns between the bars."""
    choices, depth, start = [], 1, at
    while at < len(pattern) and depth:
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char in "()":
            depth += 1 if char == "(" else -1
        if (char == "|" and depth == 1) or depth == 0:
            choices.append(pattern[start:at])
            start = at + 1
        at += 1
    return at, choices
