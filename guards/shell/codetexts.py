"""What an expression of a program text may be: all the texts it can have, with marks for the parts that are not known.

ANY is a part that may be made of the program's own literals, OUTSIDE one that comes from elsewhere (a listing, the
clock, a variable that nobody set). A text with a mark is no path; what it may name is said by `named`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Texts = tuple[str, ...]

ANY, OUTSIDE = "\0", "\1"
UNKNOWN: "Texts" = (ANY,)
ELSEWHERE: "Texts" = (OUTSIDE,)
MOST = 200  # texts of one expression
LONGEST = 4200  # characters of one of them
LITERALS = 400  # literals that are tried in the place of a mark


def union(*values: "Texts") -> "Texts":
    found = tuple(dict.fromkeys([text for value in values for text in value]))
    return found if len(found) <= MOST else (*found[:MOST], ANY)


def product(left: "Texts", right: "Texts", between: str = "") -> "Texts":
    """Every left with every right."""
    found = [a + between + b for a in left[: MOST + 1] for b in right[: MOST + 1]]
    return union(tuple([text if len(text) <= LONGEST else ANY for text in found]))


def beneath(left: "Texts", right: "Texts", anew: bool = False) -> "Texts":
    """Every right as a path seen from every left; anew: one from the root stands for itself."""
    found = [
        b if not a or (anew and b[:1] == "/") else a.rstrip("/") + "/" + b.lstrip("/")
        for a in left[: MOST + 1]
        for b in right[: MOST + 1]
    ]
    return union(tuple(found))


def mapped(value: "Texts", change: "Callable[[str], str]") -> "Texts":
    return union(tuple([change(text) for text in value]))


def sure(text: str) -> bool:
    return ANY not in text and OUTSIDE not in text


def parent(text: str) -> str:
    head, slash, _ = text.rstrip("/").rpartition("/")
    return head or ("/" if slash else ANY if ANY in text else ".")


def last(text: str) -> str:
    return text.rstrip("/").rpartition("/")[2]


def named(text: str, literals: "Iterable[str]") -> "list[str]":
    """The paths that a text with marks may be: with `_`, and with the program's literals, in the places of the marks.

    Behind a known folder a literal is only taken as a part of the path: `/tmp/${f}` is beneath /tmp, unless a literal
    leads up.
    """
    sample = text.replace(ANY, "_").replace(OUTSIDE, "_")
    found = ["./" + sample if sample[:1] == "_" else sample]
    if ANY not in text:
        return found
    known = text.replace(OUTSIDE, "_")
    tried = list(dict.fromkeys(literals))[:LITERALS]
    for each in tried:
        found.append(known.replace(ANY, each))
        if known.count(ANY) > 1:
            found += [known.replace(ANY, each, 1).replace(ANY, "_"), "_".join(known.rsplit(ANY, 1)).replace(ANY, each)]
    if any([".." in each.split("/") for each in tried]):
        found += tried
    return found
