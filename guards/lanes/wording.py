"""What is said when a lane holds: what was refused, which rule in which file, what to do next."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.lanes.hits import Hit


def refusal(hit: "Hit") -> str:
    """One calm paragraph; where a line can free the path, that line stands alone at the end."""
    return "\n".join([_what(hit) + " " + _next(hit), *([hit.line] if hit.line else []), *_notes(hit)])


def shown(path: str) -> str:
    """A path on one line, with what cannot be shown made visible."""
    return "".join([char if char.isprintable() else ascii(char)[1:-1] for char in path])


def _what(hit: "Hit") -> str:
    named = shown(hit.named)
    real = "" if hit.named == hit.path else f" (that is {shown(hit.path)})"
    if hit.reason:
        return f"{named}{real}: the call {hit.reason}, which only the owner does: {hit.why} ({hit.rule})."
    if hit.below.endswith("/…"):
        brings = f"{named}{real} would put something else in the place of {shown(hit.below[:-2])} and all in it"
        return f"{brings}, which only the owner does: {hit.why} ({hit.rule})."
    if hit.approval == "never":
        where = f" holds {shown(hit.below)}, which" if hit.below else ""
        return f"{named}{real}{where} is sealed: {hit.why} ({hit.rule}). no approval line can free it."
    if hit.below:
        return f"{named}{real} holds {shown(hit.below)}, which only the owner changes: {hit.why} ({hit.rule})."
    return f"{named}{real} is in a lane that only the owner changes: {hit.why} ({hit.rule})."


def _next(hit: "Hit") -> str:
    if hit.approval == "never":
        return "say what should change and why; the owner does it by hand."
    if not hit.line:
        return "no line of text can name this path; the owner does it by hand, or renames it."
    only = ", and no wider line counts here" if hit.approval == "exact" else ""
    if hit.action == "ask":
        return f"this needs the owner's yes; to be asked no more, the owner adds this line to {hit.file}{only}:"
    return f"say what should change and why; if the owner agrees, the owner adds this line to {hit.file}{only}:"


def _notes(hit: "Hit") -> "list[str]":
    return [f"({note}.)" for note in hit.notes]
