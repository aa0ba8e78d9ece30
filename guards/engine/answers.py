"""What an owner's other hook answered, in the words of a verdict.

An answer means what it would mean had the harness started the hook itself, with these differences, which only take
permission away: `allow` is silence (the harness's own prompts stay at work), an answer that cannot be carried on
(a rewritten call, the end of the run where nothing can be refused, half a document) is no answer, and a refusal is read
from any of the harnesses' shapes. Loaded only when policy/dispatch.toml declares a command.
"""

from guards.engine.event import MODES
from guards.engine.input import Unreadable, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event

_NOTHING = ("allow", "approve", "continue", "undefined")
_REASONS = ("permissionDecisionReason", "reason", "stopReason", "agent_message", "user_message", "followup_message")
_CONTEXT = ("additionalContext", "additional_context")
_REWRITES = ("updatedInput", "updated_input", "modifiedArgs", "tool_input")
# events whose plain output a harness gives to the model; elsewhere it drops it
_PLAIN = ("session-start", "prompt")
# observing events at which a harness shows a refusal to the model, since the tool has run: it is told as a note
_FEEDBACK = ("after-tool", "after-tool-failure")
REASON_MAX = 20_000  # characters; a harness shows a reason whole


class Unusable(Exception):
    """The answer is none; the text says what was wrong with it."""


class Said:
    """An answer: action "deny", "ask" or "" · its reason · what the model is told besides · the tool's new output."""

    __slots__ = ("action", "note", "reason", "replace")

    def __init__(self) -> None:
        self.action = self.reason = self.note = ""
        self.replace: Any = None


def read(event: "Event", code: int, out: bytes, err: bytes) -> Said:
    """The answer of a command that ended by itself. Raises Unusable."""
    told = _text(err)
    shown = _text(out)
    if not shown and told.startswith("{") and event.harness == "gemini":
        shown, told = told, ""  # that harness takes its answer from either stream
    said = Said()
    if shown.startswith("{"):
        try:
            _document(said, _object(shown), event)
        except Unusable:
            if code != 2:
                raise
            said = Said()
    elif shown and code == 0 and event.name in _PLAIN and event.harness != "gemini":
        said.note = shown
    elif "{" in shown and shown.endswith("}") and code == 0:
        raise Unusable("printed text before its document")
    refusing = code == 2 or (code > 2 and event.harness == "gemini" and told)
    if refusing:
        said.action, said.reason = "deny", told or said.reason or "it gave no reason"
    elif code != 0 and said.action not in ("deny", "ask"):
        raise Unusable(f"ended with exit {code}" + (f": {told.splitlines()[-1][:160]}" if told else ""))
    return _fit(said, event)


def _fit(said: Said, event: "Event") -> Said:
    """What the event can carry."""
    if said.action == "ask" and event.name != "before-tool":
        raise Unusable("asked where nothing can be asked")
    if said.action and MODES[event.name] == "observe":
        if event.name not in _FEEDBACK:
            raise Unusable(f"refused where nothing can be refused: {said.reason[:160]}")
        said.note = "\n\n".join([part for part in (said.reason, said.note) if part])
        said.action = said.reason = ""
    said.reason = said.reason[:REASON_MAX]
    return said


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\ufeff").strip()


def _object(shown: str) -> "dict[str, Any]":
    try:
        value = load(shown.encode("utf-8", "replace"))
    except Unreadable as fault:
        raise Unusable("printed half a document, or text around one") from fault
    found: dict[str, Any] = value
    return found


def _document(said: Said, answer: "dict[str, Any]", event: "Event") -> None:
    inner = answer.get("hookSpecificOutput")
    if inner is not None and not isinstance(inner, dict):
        raise Unusable("its hookSpecificOutput is no object")
    inner = inner or {}
    asked = event.raw.get("hook_event_name")
    named = inner.get("hookEventName")
    if named is not None and asked is not None and named != asked:
        raise Unusable(f"answered for {str(named)[:40]}, not for {asked}")
    parts = (inner, answer)
    if any([key in part for part in parts for key in _REWRITES]):
        raise Unusable("rewrites the call, which cannot be carried on from here: such a hook needs an entry of its own")
    _decide(said, parts)
    said.note = "\n\n".join([t for t in (_first(parts, _CONTEXT), _string(answer, "systemMessage")) if t])
    if "updatedToolOutput" in inner:
        said.replace = inner["updatedToolOutput"]


def _decide(said: Said, parts: "tuple[dict[str, Any], ...]") -> None:
    decision = _first(parts, ("permissionDecision", "permission", "decision"))
    if decision in ("deny", "block"):
        said.action = "deny"
    elif decision == "ask":
        said.action = "ask"
    elif decision and decision not in _NOTHING:
        raise Unusable(f"decided {decision[:40]!r}, which is no decision")
    if parts[-1].get("continue") is False or _string(parts[-1], "followup_message"):
        said.action = "deny"
    if said.action:
        said.reason = _first(parts, _REASONS) or "it gave no reason"


def _first(parts: "tuple[dict[str, Any], ...]", keys: "tuple[str, ...]") -> str:
    for part in parts:
        for key in keys:
            if text := _string(part, key):
                return text
    return ""


def _string(part: "dict[str, Any]", key: str) -> str:
    value = part.get(key)
    if value is not None and not isinstance(value, str):
        raise Unusable(f"its {key} is no text")
    return value or ""
