"""Claude Code: payload → Event, verdicts → answer.

Contract checked: 2.1.332 and 2.0.76, 2026-11-30. A refusal is exit 2 with the reason on stderr; on prompt, stop and
subagent-stop it is the block document, since exit 2 there is also what a missing script exits with. Text of more than
10,000 characters of context is silently replaced by a preview from 2.1.100 on.
"""

from guards.engine.event import MODES, Event, Reply
from guards.harness.common import choose as choose_from
from guards.harness.common import document, folder, given, joined, note, refuse, silent, text

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
    "after-tool-failure": "PostToolUseFailure",
    "subagent-start": "SubagentStart",
    "subagent-stop": "SubagentStop",
    "before-compact": "PreCompact",
    "stop": "Stop",
    "session-end": "SessionEnd",
}
# events whose additionalContext reaches the model without side effects; on Stop and SubagentStop it would make the
# agent go on, so a stop's note goes to the human alone
_CONTEXT = ("session-start", "prompt", "before-tool", "after-tool", "after-tool-failure", "subagent-start")
_HUMAN = ("stop", "before-compact")
NOTE_MAX = 9900  # characters; the harness cuts above 10,000
_TEXT = {
    "prompt": "prompt",
    "after-tool-failure": "error",
    "stop": "last_assistant_message",
    "subagent-stop": "last_assistant_message",
}


def read(payload: "dict[str, Any]", name: str, environ: "Mapping[bytes, bytes]") -> Event:
    event = Event("claude", name, payload)
    event.session = text(payload, "session_id")
    event.cwd = folder(payload)
    event.project = environ.get(b"CLAUDE_PROJECT_DIR", b"").decode("utf-8", "surrogateescape") or event.cwd
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
    """The verdicts this event can deliver."""
    return choose_from(verdicts, event.name == "before-tool", event.name in _CONTEXT or event.name in _HUMAN)


def write(event: Event, verdicts: "list[Verdict]", spill: "Callable[[str, str], str] | None") -> Reply | None:
    denied = [v for v in verdicts if v.action == "deny"]
    if denied:
        if MODES[event.name] == "gate_all":
            return Reply(0, document({"decision": "block", "reason": joined(denied)}))
        return refuse(event, denied)
    context = note(verdicts, NOTE_MAX, spill)
    if event.name in _HUMAN:
        return Reply(0, document({"systemMessage": context})) if context else None
    answer: dict[str, Any] = {"hookEventName": WIRE[event.name]}
    asked = [v for v in verdicts if v.action == "ask"]
    if asked:
        answer["permissionDecision"] = "ask"
        answer["permissionDecisionReason"] = joined(asked)
    if context:
        answer["additionalContext"] = context
    for verdict in verdicts:
        if event.name == "after-tool" and "replace" in verdict.facts:
            answer["updatedToolOutput"] = verdict.facts["replace"]
    return Reply(0, document({"hookSpecificOutput": answer})) if len(answer) > 1 else None
