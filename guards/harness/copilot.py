"""Copilot CLI: payload → Event, verdicts → answer.

Contract checked: 1.0.102, 2026-11-30, and docs.github.com "GitHub Copilot hooks reference". Before a tool every exit
code but 0 refuses, and the model is told the reason only from the document on stdout; so a refusal is exit 2, the
document, and the reason on stderr for the human. A hook that runs out of time lets the call pass. On prompt, stop and
subagent-stop a refusal is the block document. Events are wired by their native names; the same event under Claude
Code's name (`PreToolUse`) comes with that program's field and tool names, which are read too.
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
    "session-start": "sessionStart",
    "prompt": "userPromptSubmitted",
    "before-tool": "preToolUse",
    "after-tool": "postToolUse",
    "after-tool-failure": "postToolUseFailure",
    "subagent-start": "subagentStart",
    "subagent-stop": "subagentStop",
    "before-compact": "preCompact",
    "stop": "agentStop",
    "session-end": "sessionEnd",
}
_CONTEXT = ("session-start", "prompt", "before-tool", "after-tool", "after-tool-failure", "subagent-start")
NOTE_MAX = 9900  # characters; after a tool 10,240 are kept, elsewhere 200,000 came through
_TEXT = {"prompt": "prompt", "after-tool-failure": "error", "subagent-stop": "response"}
# the names of the other form of the same payload
_CLAUDE = {
    "Bash": "bash", "Read": "view", "Write": "create", "Edit": "edit", "Grep": "grep", "Glob": "glob",
    "WebFetch": "web_fetch", "WebSearch": "web_search", "AskUserQuestion": "ask_user", "TodoWrite": "update_todo",
    "Agent": "task", "Task": "task",
}  # fmt: skip


def read(payload: "dict[str, Any]", name: str, environ: "Mapping[bytes, bytes]") -> Event:
    event = Event("copilot", name, payload)
    event.agent = _field(payload, "agentId")
    # a subagent's events carry its own id as the session's, and its parent's beside it
    event.session = (_field(payload, "parentAgentId") if event.agent else "") or _field(payload, "sessionId")
    event.agent_type = _field(payload, "agentType") or _field(payload, "agentName")
    event.cwd = text(payload, "cwd")
    event.project = environ.get(b"COPILOT_PROJECT_DIR", b"").decode("utf-8", "surrogateescape") or event.cwd
    event.source = text(payload, "source") or text(payload, "trigger") or text(payload, "reason")
    event.tool, event.input = _call(payload)
    event.response = payload.get("toolResult", payload.get("tool_result"))
    event.text = text(payload, _TEXT.get(name, ""))
    return event


def _field(payload: "dict[str, Any]", name: str) -> str:
    """A text field by its native name or by the one with underscores."""
    other = "".join(["_" + char.lower() if char.isupper() else char for char in name])
    return text(payload, name) or text(payload, other)


def _call(payload: "dict[str, Any]") -> "tuple[str, dict[str, Any]]":
    tool = text(payload, "toolName")
    if tool:
        found = given(payload, "toolArgs")
    else:
        tool = text(payload, "tool_name")
        tool, found = _CLAUDE.get(tool, tool), given(payload, "tool_input")
    if tool == "edit" and "patch" in found:
        return "apply_patch", found
    typed = found.get("input")
    if tool == "write_bash" and isinstance(typed, str):  # typed into an open shell, with names for keys
        found = {**found, "input": typed.replace("{enter}", "\n")}
    return tool, found


def choose(event: Event, verdicts: "list[Verdict]") -> "list[Verdict]":
    """The verdicts this event can deliver."""
    return choose_from(verdicts, event.name == "before-tool", event.name in _CONTEXT)


def write(event: Event, verdicts: "list[Verdict]", spill: "Callable[[str, str], str] | None") -> Reply | None:
    denied = [v for v in verdicts if v.action == "deny"]
    if denied and MODES[event.name] == "gate_all":
        return Reply(0, document({"decision": "block", "reason": joined(denied)}))
    if denied:
        reason = refusal(denied)
        told = reason.decode().rstrip("\n")
        return Reply(2, document({"permissionDecision": "deny", "permissionDecisionReason": told}), reason)
    answer: dict[str, Any] = {}
    asked = [v for v in verdicts if v.action == "ask"]
    if asked:
        answer["permissionDecision"] = "ask"
        answer["permissionDecisionReason"] = joined(asked)
    context = note(verdicts, NOTE_MAX, spill)
    if context:
        answer["additionalContext"] = context
    for verdict in verdicts:
        if event.name == "after-tool" and "replace" in verdict.facts:
            answer["modifiedResult"] = verdict.facts["replace"]
    return Reply(0, document(answer)) if answer else None
