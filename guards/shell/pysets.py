"""Sets of texts that a Python expression may have: (text, whether it is sure).

None: not known. A text may have a hole where a part is not known, HOLE for anything, PART for what is neither
absolute nor leads up; HOLE alone beside known texts says "or something else". Nothing is dropped in silence: past
MOST texts, the rest is a hole.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Value = tuple[tuple[str, bool], ...] | None

MOST = 60  # texts of one value
HOLE = "\0"
PART = "\1"
REST: "Value" = ((HOLE, False),)
SOME: "Value" = ((PART, False),)


def sure(text: str) -> "Value":
    return ((text, True),)


def literal(text: str) -> str:
    """A text of the program, without what stands for holes here."""
    return text.replace(HOLE, " ").replace(PART, " ")


def holed(text: str) -> bool:
    return HOLE in text or PART in text


def lost(value: "Value") -> bool:
    """Whether something that is not known may be meant."""
    return value is None or any([text[:1] == HOLE for text, _ in value])


def union(values: "Iterable[Value]") -> "Value":
    """All of them; empty where none of them is a text."""
    found: dict[tuple[str, bool], None] = {}
    for value in values:
        for pair in REST or () if value is None else value:
            found[pair] = None
    return _bounded(list(found))


def product(left: "Value", right: "Value", between: str = "") -> "Value":
    """Every left with every right."""
    return _bounded([(a + between + b, x and y) for a, x in _open(left) for b, y in _open(right)])


def beneath(left: "Value", right: "Value") -> "Value":
    """Every right as a path seen from every left."""
    return _bounded([(_under(a, b), x and y) for a, x in _open(left) for b, y in _open(right)])


def _under(a: str, b: str) -> str:
    if b[:1] in ("/", HOLE) or not a:
        return b
    return a.rstrip("/") + "/" + b


def mapped(value: "Value", change: "Callable[[str], str]") -> "Value":
    if value is None:
        return None
    return tuple([(text if text[:1] == HOLE else change(text), known) for text, known in value])


def unsure(found: "Value") -> "Value":
    return None if found is None else tuple([(text, False) for text, _ in found])


def parent(text: str) -> str:
    head, slash, end = text.rstrip("/").rpartition("/")
    if holed(end):  # which may have parts of its own
        return text
    return head or ("/" if slash and text[:1] == "/" else ".")


def last(text: str) -> str:
    end = text.rstrip("/").rpartition("/")[2]
    return PART if holed(end) else end


def stem(text: str) -> str:
    end = last(text)
    return end.rpartition(".")[0] or end


def filled(text: str, words: "Iterable[str]") -> "list[str]":
    """A text with holes as it may be: with any of the words in them, their last parts, or a name."""
    found = ["_"]
    for word in words:
        found += [last(word), word if HOLE in text else word.strip("/")]
    kept = [each for each in dict.fromkeys(found) if each and (HOLE in text or ".." not in each.split("/"))]
    return [text.replace(HOLE, each).replace(PART, each) for each in kept]


def pieces(text: str) -> "list[str]":
    """What is known of a text with holes."""
    return [piece for piece in text.replace(PART, HOLE).split(HOLE) if piece]


def _open(value: "Value") -> "tuple[tuple[str, bool], ...]":
    return (REST or ()) if value is None else value


def _bounded(pairs: "list[tuple[str, bool]]") -> "Value":
    """Texts that begin with what is not known are all alike."""
    found = dict.fromkeys([(HOLE, False) if text[:1] == HOLE else (text, known) for text, known in pairs])
    if len(found) > MOST:
        found = dict.fromkeys([*list(found)[:MOST], (HOLE, False)])
    kept = tuple(found)
    return None if kept == REST else kept
