"""Codex CLI: payload → Event, verdicts → answer.

Contract checked: 0.171.0, 2026-11-30. A refusal is exit 2 with a non-empty reason on stderr; parsing of answers is
strict (one unknown key and the call runs), there is no ask, and a refusal after a tool would replace the tool's result.
"""

from guards.engine.event import MODES, Event, Reply
from guards.harness.common import choose as choose_from
from guards.harness.common import document, given, joined, note, refusal, silent, text

__all__ = ["silent"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from guards.engine.event import Verdict

WIRE = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before-tool": "PreToolUse",
    "after-tool": "PostToolUse",
    "subagent-start": "SubagentStart",
    "subagent-stop": "SubagentStop",
    "before-compact": "PreCompact",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
_CONTEXT = ("session-start", "prompt", "before-tool", "after-tool", "subagent-start")
NOTE_MAX = 9000  # characters; Codex cuts the middle out at about 10 KB
_TEXT = {"prompt": "prompt", "stop": "last_assistant_message", "subagent-stop": "last_assistant_message"}


def read(payload: "dict[str, Any]", name: str, environ: "Mapping[bytes, bytes]") -> Event:
    event = Event("codex", name, payload)
    event.session = text(payload, "session_id")
    event.cwd = text(payload, "cwd")  # a command's own working directory, where it has one
    event.project = environ.get(b"PWD", b"").decode("utf-8", "surrogateescape") or event.cwd
    event.agent = text(payload, "agent_id")
    event.agent_type = text(payload, "agent_type")
    event.mode = text(payload, "permission_mode")
    event.source = text(payload, "source") or text(payload, "trigger") or text(payload, "reason")
    event.tool = text(payload, "tool_name")
    event.input = given(payload, "tool_input")
    event.response = payload.get("tool_response")
    event.text = text(payload, _TEXT.get(name, ""))
    return event


def choose(event: Event, verdicts: "list[Verdict]") -> "list[Verdict]":
    """The verdicts this event can deliver; a question is a refusal here."""
    return choose_from(verdicts, False, event.name in _CONTEXT)


def write(event: Event, verdicts: "list[Verdict]", spill: "Callable[[str, str], str] | None") -> Reply | None:
    denied = [v for v in verdicts if v.action == "deny"]
    if denied:
        if MODES[event.name] == "gate_all":
            return Reply(0, document({"decision": "block", "reason": joined(denied)}))
        return Reply(2, b"", refusal(denied))
    context = note(verdicts, NOTE_MAX, spill)
    if not context:
        return None
    answer = {"hookEventName": WIRE[event.name], "additionalContext": context}
    return Reply(0, document({"hookSpecificOutput": answer}))
