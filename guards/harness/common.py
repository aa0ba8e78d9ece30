"""What the adapters share: typed fields, the choice of what can be delivered, joined refusals, notes under a cap."""

from guards.engine.event import Verdict
from guards.engine.world import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def text(payload: "dict[str, Any]", name: str) -> str:
    """A string field, "" when it is absent or of another type."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def given(payload: "dict[str, Any]", name: str) -> "dict[str, Any]":
    """The tool's input as a dict; absent, null or of another type counts as {}."""
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def choose(verdicts: "list[Verdict]", asks: bool, notes: bool) -> "list[Verdict]":
    """What the harness can be told: refusals alone; else questions (refusals where there is no ask); with notes."""
    denied = [v for v in verdicts if v.action == "deny" or (v.action == "ask" and not asks)]
    for verdict in denied:
        verdict.action = "deny"
    if denied:
        return denied
    return [v for v in verdicts if v.action == "ask" or (v.action == "note" and notes)]


def joined(verdicts: "list[Verdict]") -> str:
    """All refusals of one event in one text: harnesses show only one hook's."""
    seen: list[str] = []
    for verdict in verdicts:
        if verdict.text and verdict.text not in seen:
            seen.append(verdict.text)
    return "\n\n".join(seen)


def refusal(verdicts: "list[Verdict]") -> bytes:
    """Standard error of a refusal; never empty (an empty one does not block in two of the harnesses)."""
    return encode((joined(verdicts).strip() or "refused by guards; the rule gave no text.") + "\n")


def note(verdicts: "list[Verdict]", cap: int, spill: "Callable[[str, str], str] | None") -> str:
    """The notes of one event as one text of at most `cap` characters; past it a pointer to a file."""
    whole = joined([v for v in verdicts if v.action == "note"])
    if len(whole) <= cap:
        return whole
    pointer = spill(verdicts[0].guard, whole) if spill else ""
    return pointer or whole[: cap - 60] + "\n… cut here: the rest could not be written to a file."


def document(value: "dict[str, Any]") -> bytes:
    """Exactly one JSON document."""
    from guards.engine.journal import dump

    return dump(value).encode("ascii")
