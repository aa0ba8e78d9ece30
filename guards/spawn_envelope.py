"""A prompt that starts a session, or hands work to a running one, carries its envelope: headings at line starts.

Presence only: four headings of nonsense pass, on purpose. A prompt that is no text passes, on purpose too (the tool
will refuse it itself). A heading is what a reader would take for one: at the start of a line behind nothing but
decoration, alone or followed by a mark; not inside a code fence, not the first word of a sentence.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "spawn-envelope"
MINIMUM = "SPAWN_ENVELOPE_MIN_CHARS"

# every ASCII character that is no letter, and the marks that lists, quotes and rules begin with
_DECORATION = "".join([chr(code) for code in range(128) if not chr(code).isalpha()]) + (
    "\u2022\u25cf\u25e6\u25aa\u25b6\u25ba\u2023\u2043\u00b7\u2013\u2014\u2015\u2192\u00bb\u203a\u00a7\u00a0\u3000\ufeff\ufe0f\u2705\u2611"
)
_JOINERS = " \t-_\u00a0\u2010\u2011"  # what may stand between a heading's words
_INDENT = " \t>"
_BULLETS = " \t>-*+.)0123456789\u2022"  # before an opening fence in a list or quote
_CLOSERS = "*_~`\"'\u2019\u201d\u00bb)]}>#| \t"  # what may close a decorated heading
_CLOSED = ("**", "__", ")", "]", "}", ">", "#", "|")  # what does, whatever follows
_NO_HEADING = ",;!?"  # right behind the words: a sentence
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TIGHT = "-_.'\u2019"  # with a letter right behind: part of a longer word (lane-keeping, lane.py, lane's)
_EMOJI = "\ufe0f"
_FRONT = 32 << 10  # characters in which an envelope usually stands
_REST = 120  # characters of a line that are looked at behind the words


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    root = _repository(event, world)
    if root:
        rules = world.rules(NAME, root) or rules
    kind, field = _tool(event.tool, rules)
    prompt = event.input.get(field) if kind else None
    if not isinstance(prompt, str):
        return None
    limit = rules["min_chars"]
    if kind == "follow-up":
        limit = _limit(limit, world)
        if len(prompt) < limit:
            return None
    reading = _reading(prompt, rules)
    missing = [heading for heading in rules["headings"] if heading not in reading.found]
    if not missing or world.off(NAME):
        return None
    return Verdict(
        NAME,
        rules["action"],
        _refusal(event.tool, limit if kind == "follow-up" else 0, missing, reading),
        "; ".join([heading[2] for heading in missing]),
        facts={"missing": [heading[0] for heading in missing], "characters": len(prompt)},
    )


def _repository(event: "Event", world: "World") -> str:
    """The repository the session works in: its own layer may ask for more headings, or judge more tools."""
    folder = event.project or event.cwd
    while folder.startswith("/") and folder != "/":
        if world.lstat(folder + "/.git") is not None:
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def _tool(name: str, rules: "dict[str, Any]") -> "tuple[str, str]":
    """(kind, prompt field) of a tool; ("", "") for any other. The part for * is never empty."""
    if name in rules["exact"]:
        found: tuple[str, str] = rules["exact"][name]
        return found
    for before, after, kind, field in rules["wild"]:
        if name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after):
            return kind, field
    return "", ""


def _limit(policy: int, world: "World") -> int:
    """Lower is always fine; a higher value frees prompts, so it must be the owner's own."""
    asked = _number(world.plain_env(MINIMUM))
    if asked is None or asked == policy:
        return policy
    if asked > policy and _number(world.env(MINIMUM)) != asked:
        return policy
    return asked


def _number(value: "str | None") -> "int | None":
    value = (value or "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 16 else None


def _reading(prompt: str, rules: "dict[str, Any]") -> "_Reading":
    """The headings of a prompt. Most envelopes stand at the front, so a large prompt is read to its end only if not."""
    if len(prompt) > 2 * _FRONT:
        reading = _read(prompt[: prompt.rfind("\n", 0, _FRONT) + 1], rules)
        if len(reading.found) == len(rules["headings"]):
            return reading
    return _read(prompt, rules)


def _fold(prompt: str) -> str:
    """One form for all spellings: composed, caseless, every line end a newline."""
    if not prompt.isascii():
        import unicodedata

        prompt = unicodedata.normalize("NFC", prompt)
        prompt = prompt.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
    if "\r" in prompt:
        prompt = prompt.replace("\r\n", "\n").replace("\r", "\n")
    return prompt.casefold()


# ---- headings and fences
class _Reading:
    """found: headings that stand; fenced: some stand as code only; marker, line: a fence that is never closed."""

    __slots__ = ("fenced", "found", "line", "marker")

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.fenced = False
        self.marker = ""
        self.line = 0


def _read(prompt: str, rules: "dict[str, Any]") -> _Reading:
    """Walks the lines until every heading is found. A fence is closed by its own mark, as long or longer, alone."""
    text = _fold(prompt)
    lines = text.split("\n")
    firsts: frozenset[str] = rules["firsts"]
    numbers: range | list[int] = range(len(lines))
    if text.isascii() and "```" not in text and "~~~" not in text:
        numbers = [number for number in numbers if lines[number].lstrip(_DECORATION)[:1] in firsts]
    reading = _Reading()
    column, quoted = 0, False
    for number in numbers:
        line = lines[number]
        if reading.marker and quoted and not line.lstrip().startswith(">"):
            reading.marker = ""  # a fence inside a quote ends with the quote
        if "```" in line or "~~~" in line:
            if reading.marker:
                if _closes(line, reading.marker, column):
                    reading.marker = ""
                    continue
            else:
                bare = line.lstrip(_BULLETS)
                if bare.startswith(("```", "~~~")) and _opens(bare):
                    reading.marker, reading.line, column = _run(bare), number + 1, len(line) - len(bare)
                    quoted = line.lstrip().startswith(">")
                    continue
        words = line.lstrip(_DECORATION)
        if not words[:1].isascii() and words[0] not in firsts:
            words = _undecorated(words)
        if words[:1] not in firsts:
            continue
        heading = _heading(line, words, lines[number + 1] if number + 1 < len(lines) else "", rules["headings"])
        if heading is None:
            continue
        if reading.marker:
            reading.fenced = True
        elif heading not in reading.found:
            reading.found.append(heading)
            if len(reading.found) == len(rules["headings"]):
                break
    return reading


def _undecorated(line: str) -> str:
    """The line from its first letter on; a letter shown as a picture (an information sign) is decoration."""
    for at, char in enumerate(line):
        if char.isalpha() and line[at + 1 : at + 2] != _EMOJI:
            return line[at:]
    return ""


def _heading(line: str, words: str, below: str, headings: "tuple[Any, ...]") -> "Any":
    """The heading this line is, or None. `words`: the line from its first letter on."""
    for heading in headings:
        for spelling in heading[3]:
            if words.startswith(spelling[0]):
                end = _end(words, spelling)
                if end >= 0 and _stands(line, words, end, below):
                    return heading
    return None


def _end(text: str, words: "tuple[str, ...]") -> int:
    """Where the heading's words end, with spaces or hyphens or nothing between them; -1 when it is something else."""
    at = len(words[0])
    for word in words[1:]:
        while text[at : at + 1] and text[at] in _JOINERS:
            at += 1
        if not text.startswith(word, at):
            return -1
        at += len(word)
    return at


def _stands(line: str, words: str, end: int, below: str) -> bool:
    """Whether what follows leaves the words a heading: nothing, or a mark; plain words only behind # or bold."""
    rest = words[end : end + _REST]
    if not rest.strip():
        return True
    if rest[0] == "/":
        return rest[1:].lstrip(_LETTERS)[:1] == ":"
    if _is_word(rest[0]) or rest[0] in _NO_HEADING or (rest[0] in _TIGHT and rest[1:2].isalnum()):
        return False
    more = rest.lstrip(_CLOSERS)
    between = rest[: len(rest) - len(more)]
    if not more or between.startswith(("\t", "  ")) or any([mark in between for mark in _CLOSED]):
        return True
    if more[0] == ".":
        return not more[1:].strip()
    return not (more[0].isalnum() or more[0] in _NO_HEADING) or _marked(line[: len(line) - len(words)], below)


def _is_word(char: str) -> bool:
    """A letter or digit, or a mark that belongs to the letter before it."""
    if char.isalnum():
        return True
    if char.isascii():
        return False
    import unicodedata

    return unicodedata.combining(char) != 0


def _marked(before: str, below: str) -> bool:
    """Whether the line is marked as a heading: `# `, bold, a tag, or underlined by the next line."""
    before = before.lstrip(_INDENT)
    bare = before.lstrip("#")
    if bare != before and bare[:1] in ("", " ", "\t"):
        return True
    if before.endswith(("**", "__", "<")):
        return True
    below = below.strip()
    return len(below) > 1 and below[0] in "=-" and not below.strip(below[0])


def _run(bare: str) -> str:
    """The fence's mark as it stands: three or more of one character."""
    return bare[: len(bare) - len(bare.lstrip(bare[0]))]


def _opens(bare: str) -> bool:
    """Behind backticks no backtick may follow: that is code inside a line."""
    return bare[0] == "~" or "`" not in bare.lstrip("`")


def _closes(line: str, marker: str, column: int) -> bool:
    """Alone in its line but for quote marks, and not as deep as code inside the fence would stand."""
    inner = line.lstrip(_INDENT)
    if not inner.startswith(marker) or inner.strip(" \t").strip(marker[0]):
        return False
    return len(line) - len(inner) <= column + 3


# ---- words
def _refusal(tool: str, limit: int, missing: "list[Any]", reading: _Reading) -> str:
    many = "s" if len(missing) > 1 else ""
    lines = [f"{tool}: the prompt lacks {len(missing)} heading{many} of its run envelope:"]
    lines += [f"- {heading[0]}: {heading[1]} ({heading[2]})" for heading in missing]
    if reading.marker:
        lines.append(f"the code fence {reading.marker} of line {reading.line} is never closed: what follows is code.")
    elif reading.fenced:
        lines.append("what stands inside a code fence is code, not a heading.")
    lines.append(
        f"put each at the start of a line of its own ({missing[0][0]}: …), say what holds for this run, and call again."
    )
    if limit:
        lines.append(f"a follow-up of fewer than {limit} characters needs none.")
    return "\n".join(lines)
