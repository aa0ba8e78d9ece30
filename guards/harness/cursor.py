"""Cursor, the editor and cursor-agent: payload → Event, verdicts → answer.

Read, never run: cursor.com/docs/hooks and its page on third-party hooks of 2026-10-07, and reports from the field on
Cursor 3.10 to 3.15 and cursor-agent 2026.07 to 2026.09. An exit code of 2 refuses, and so does the permission
document; a refusal is both, so that it holds whichever is heard. A question is accepted and not put, so it is a
refusal. An empty answer before a tool is taken for broken JSON and refuses the call: there silence is the document
that lets pass, behind which Cursor's own approvals stay at work. Payloads may begin with a BOM, name no `cwd`, and hold
arguments as JSON text.
"""

from guards.engine.event import Event, Reply
from guards.engine.world import join
from guards.harness.common import choose as choose_from
from guards.harness.common import document, folder, given, joined, note, parsed, refuse, silent, text

__all__ = ["silent"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from guards.engine.event import Verdict

# One event each. beforeShellExecution, beforeMCPExecution and afterFileEdit tell of calls that preToolUse and
# postToolUse tell of too; wired as well, each call would be judged twice. An owner can still wire them by hand.
WIRE = {
    "session-start": "sessionStart",
    "prompt": "beforeSubmitPrompt",
    "before-tool": "preToolUse",
    "after-tool": "postToolUse",
    "after-tool-failure": "postToolUseFailure",
    "subagent-stop": "subagentStop",
    "before-compact": "preCompact",
    "stop": "stop",
    "session-end": "sessionEnd",
}
_CONTEXT = ("session-start", "after-tool", "after-tool-failure")
_HUMAN = "before-compact"
_FOLLOW_UP = ("stop", "subagent-stop")
NOTE_MAX = 9900  # characters; no cap is documented, so the smallest of the others holds
_TEXT = {"prompt": "prompt", "after-tool-failure": "error_message", "subagent-stop": "summary"}
# how the same field is called in other versions and tools → the name in policy/harness/cursor.toml
_ALIASES = {
    "path": "file_path", "target_file": "file_path", "filePath": "file_path", "contents": "content",
    "text": "content", "oldString": "old_string", "newString": "new_string", "diff": "patch",
    "unified_diff": "patch", "working_directory": "cwd",
}  # fmt: skip


def read(payload: "dict[str, Any]", name: str, environ: "Mapping[bytes, bytes]") -> Event:
    event = Event("cursor", name, payload)
    event.session = text(payload, "conversation_id") or text(payload, "session_id")
    event.cwd = folder(payload)
    event.project = environ.get(b"CURSOR_PROJECT_DIR", b"").decode("utf-8", "surrogateescape")
    event.project = event.project or folder({**payload, "cwd": ""}) or event.cwd
    event.agent_type = text(payload, "subagent_type")
    event.source = text(payload, "source") or text(payload, "trigger") or text(payload, "reason")
    event.tool, event.input = _call(payload)
    event.response = _response(payload)
    event.text = text(payload, _TEXT.get(name, ""))
    where = event.input.get("cwd")
    if event.tool == "Shell" and isinstance(where, str) and where:
        event.cwd = join(event.cwd, where)
    return event


def _call(payload: "dict[str, Any]") -> "tuple[str, dict[str, Any]]":
    """The tool and its input, also of the events that tell of one kind of tool alone and name none."""
    tool = text(payload, "tool_name")
    if tool:
        found = given(payload, "tool_input")
    elif isinstance(payload.get("command"), str):
        return "Shell", {"command": payload["command"]}
    elif isinstance(payload.get("file_path"), str):
        tool = "Write" if "edits" in payload else "Read"
        found = {"file_path": payload["file_path"], "edits": payload.get("edits")}
    else:
        return "", {}
    for theirs, ours in _ALIASES.items():
        if theirs in found and ours not in found:
            found[ours] = found[theirs]
    if tool in ("Write", "Edit") and isinstance(found.get("old_string"), str):
        tool = "StrReplace"  # an edit is a Write here, too
    return tool, found


def _response(payload: "dict[str, Any]") -> "Any":
    """What the tool answered; Cursor writes it as JSON text."""
    for name in ("tool_output", "result_json", "output"):
        value = payload.get(name)
        if isinstance(value, str):
            found = parsed(value) if value[:1] in ("{", "[") else None
            return value if found is None else found
        if value is not None:
            return value
    return None


def choose(event: Event, verdicts: "list[Verdict]") -> "list[Verdict]":
    """The verdicts this event can deliver; a question is a refusal here."""
    return choose_from(verdicts, False, event.name in _CONTEXT or event.name == _HUMAN)


def write(event: Event, verdicts: "list[Verdict]", spill: "Callable[[str, str], str] | None") -> Reply | None:
    denied = [v for v in verdicts if v.action == "deny"]
    if denied and event.name == "prompt":
        return Reply(0, document({"continue": False, "user_message": joined(denied)}))
    if denied and event.name in _FOLLOW_UP:
        return Reply(0, document({"followup_message": joined(denied)}))
    if denied:
        return refuse(event, denied)
    context = note(verdicts, NOTE_MAX, spill)
    if not context:
        return None
    return Reply(0, document({"user_message" if event.name == _HUMAN else "additional_context": context}))
