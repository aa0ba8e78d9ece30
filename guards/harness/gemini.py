"""Gemini CLI: payload → Event, verdicts → answer.

Contract checked: 0.61.0, 2026-11-30. A refusal is exit 2 with a non-empty reason on stderr and an empty stdout (JSON on
stdout would win over the code). Context before a tool reaches nobody; a refusal after a tool would replace its result.
CLAUDE_PROJECT_DIR is set here too and means nothing; PreCompress fires before every model request and is not wired.
"""

from guards.engine.event import MODES, Event, Reply
from guards.engine.world import join
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
    "prompt": "BeforeAgent",
    "before-tool": "BeforeTool",
    "after-tool": "AfterTool",
    "stop": "AfterAgent",
    "session-end": "SessionEnd",
}
_CONTEXT = ("session-start", "prompt", "after-tool")
NOTE_MAX = 9900  # characters; no cap was seen, so the smallest of the others holds
_TEXT = {"prompt": "prompt", "stop": "prompt_response"}


def read(payload: "dict[str, Any]", name: str, environ: "Mapping[bytes, bytes]") -> Event:
    event = Event("gemini", name, payload)
    event.session = text(payload, "session_id")
    event.cwd = text(payload, "cwd")
    event.project = environ.get(b"GEMINI_PROJECT_DIR", b"").decode("utf-8", "surrogateescape") or event.cwd
    event.source = text(payload, "source") or text(payload, "trigger") or text(payload, "reason")
    event.tool = text(payload, "tool_name")
    event.input = given(payload, "tool_input")
    event.response = payload.get("tool_response")
    event.text = text(payload, _TEXT.get(name, ""))
    folder = event.input.get("dir_path")
    if event.tool == "run_shell_command" and isinstance(folder, str) and folder:
        event.cwd = join(event.cwd, folder)  # the payload's cwd stays the project whatever folder a command names
    return event


def choose(event: Event, verdicts: "list[Verdict]") -> "list[Verdict]":
    """The verdicts this event can deliver."""
    return choose_from(verdicts, event.name == "before-tool", event.name in _CONTEXT)


def write(event: Event, verdicts: "list[Verdict]", spill: "Callable[[str, str], str] | None") -> Reply | None:
    denied = [v for v in verdicts if v.action == "deny"]
    if denied:
        if MODES[event.name] == "gate_all":
            return Reply(0, document({"decision": "block", "reason": joined(denied)}))
        return Reply(2, b"", refusal(denied))
    asked = [v for v in verdicts if v.action == "ask"]
    if asked:
        return Reply(0, document({"decision": "ask", "reason": joined(asked)}))
    context = note(verdicts, NOTE_MAX, spill)
    if not context:
        return None
    answer = {"hookEventName": WIRE[event.name], "additionalContext": context}
    return Reply(0, document({"hookSpecificOutput": answer}))
