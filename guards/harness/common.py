"""What the adapters share: typed fields, the choice of what can be delivered, joined refusals, notes under a cap.

Cursor also runs the hooks of Claude Code's settings. It takes an empty answer before a tool for a broken one and
refuses the call, so there, whoever was wired, silence is spelled out and a refusal carries its document too.
"""

import posix

from guards.engine.event import Event, Reply, Verdict
from guards.engine.input import Unreadable, load
from guards.engine.world import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PATCH = "*** Begin Patch"
ALLOW = b'{"permission":"allow"}'  # Cursor's own approvals stay at work behind it
NO_TEXT = "refused by guards; the rule gave no text."


def text(payload: "dict[str, Any]", name: str) -> str:
    """A string field, "" when it is absent or of another type."""
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def given(payload: "dict[str, Any]", name: str) -> "dict[str, Any]":
    """The tool's input as a dict, also where it comes as JSON text or is the bare text of a patch; absent, null or of
    another type counts as {}."""
    value = payload.get(name)
    if isinstance(value, str):
        value = {"patch": value} if value.lstrip().startswith(PATCH) else parsed(value)
    return value if isinstance(value, dict) else {}


def parsed(value: str) -> "Any":
    """What a text of JSON holds; None when it is none."""
    try:
        return load(encode(value))
    except Unreadable:
        return None


def folder(payload: "dict[str, Any]") -> str:
    """The current directory, or the first root of the workspace where none is named."""
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return text(payload, "cwd") or (first if isinstance(first, str) else "")


def cursor(event: Event) -> bool:
    """Whether Cursor started this hook. All it changes is that an answer is also given in Cursor's form, which Claude
    Code passes over; Gemini would take it for the answer."""
    return event.harness == "cursor" or (event.harness == "claude" and b"CURSOR_VERSION" in posix.environ)


def silent(event: Event) -> Reply:
    """Nothing to say."""
    return Reply(0, ALLOW) if event.name == "before-tool" and cursor(event) else Reply()


def refuse(event: Event, denied: "list[Verdict]") -> Reply:
    """A refusal before a tool: exit 2 and the reason on stderr; nothing on stdout but what Cursor reads there."""
    return Reply(2, permission(denied) if cursor(event) else b"", refusal(denied))


def permission(denied: "list[Verdict]") -> bytes:
    """Cursor's document of a refusal: the same reason for the human and for the model."""
    reason = joined(denied) or NO_TEXT
    return document({"permission": "deny", "user_message": reason, "agent_message": reason})


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
    return encode((joined(verdicts).strip() or NO_TEXT) + "\n")


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
