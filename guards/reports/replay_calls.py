"""The tool calls of a transcript as the hook payloads they once were: before each call, and after it.

Claude Code writes down what a hook would have been handed (the tool's own response stands beside the result). Codex
does not: its names and shapes are turned back into those its hooks see.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from guards.reports.burn_rows import CHUNK

_DECODER = msgspec.json.Decoder()
Payload = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One hook event of a recorded call."""

    harness: str
    event: str  # neutral name
    payload: Payload
    project: str
    when: str


class Unread:
    """How many lines of a file could not be read."""

    def __init__(self) -> None:
        self.lines = 0


def rows(path: str, bad: Unread) -> Iterator[dict[str, Any]]:
    with open(path, "rb", buffering=CHUNK) as file:
        for line in file:
            try:
                row = _DECODER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                row = _again(line, bad)
            if isinstance(row, dict):
                yield row


def _again(line: bytes, bad: Unread) -> Any:
    """The standard library's reading of a line the fast decoder refused; None counts as malformed."""
    if not line.strip():
        return None
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        bad.lines += 1
        return None


def calls(path: str, bad: Unread) -> Iterator[Call]:
    """Every call of a transcript in its order."""
    reader: _Claude | _Codex | None = None
    for row in rows(path, bad):
        if reader is None and ("payload" in row or row.get("cwd") or "message" in row):
            reader = _Codex(path) if isinstance(row.get("payload"), dict) else _Claude(path)
        if reader is not None:
            yield from reader.row(row)


class _Claude:
    def __init__(self, path: str) -> None:
        self.path = path
        self.project = ""
        self.open: dict[str, tuple[str, Any, str]] = {}  # call -> (tool, input, directory)
        self.seen: set[str] = set()

    def row(self, row: dict[str, Any]) -> Iterator[Call]:
        kind, message = row.get("type"), row.get("message")
        if kind not in ("assistant", "user") or not isinstance(message, dict) or row.get("uuid") in self.seen:
            return
        if isinstance(row.get("uuid"), str):
            self.seen.add(row["uuid"])
        cwd = _text(row, "cwd")
        self.project = self.project or cwd
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use" and kind == "assistant":
                yield from self.before(row, block, cwd)
            elif block.get("type") == "tool_result":
                yield from self.after(row, block)

    def before(self, row: dict[str, Any], block: dict[str, Any], cwd: str) -> Iterator[Call]:
        name, use = _text(block, "name"), _text(block, "id")
        if use in self.open or not name:
            return
        self.open[use] = (name, block.get("input"), cwd)
        yield self.call(row, "before-tool", "PreToolUse", name, use, block.get("input"), cwd)

    def after(self, row: dict[str, Any], block: dict[str, Any]) -> Iterator[Call]:
        use = _text(block, "tool_use_id")
        if use not in self.open:
            return
        name, given, cwd = self.open[use]
        answer = row.get("toolUseResult")
        if block.get("is_error") is True:
            text = _joined(block.get("content"))
            if not text.startswith(f"PreToolUse:{name} hook error:"):
                yield self.call(row, "after-tool-failure", "PostToolUseFailure", name, use, given, cwd, error=text)
        else:
            yield self.call(row, "after-tool", "PostToolUse", name, use, given, cwd, tool_response=answer)

    def call(
        self, row: dict[str, Any], event: str, wire: str, name: str, use: str, given: Any, cwd: str, **more: Any
    ) -> Call:
        payload: Payload = {
            "session_id": _text(row, "sessionId") or self.path, "transcript_path": self.path, "cwd": cwd,
            "hook_event_name": wire, "tool_name": name, "tool_input": given, "tool_use_id": use, **more,
        }  # fmt: skip
        agent = _text(row, "agentId")
        if agent:
            payload["agent_id"] = agent
        return Call("claude", event, payload, self.project, _text(row, "timestamp"))


class _Codex:
    SHELLS = ("exec_command", "shell", "shell_command", "container.exec", "unified_exec")

    def __init__(self, path: str) -> None:
        self.path = path
        self.session = self.project = self.cwd = self.agent = ""
        self.open: dict[str, tuple[str, Any, str]] = {}

    def row(self, row: dict[str, Any]) -> Iterator[Call]:
        payload = row.get("payload")
        if not isinstance(payload, dict):
            return
        kind = row.get("type")
        if kind in ("session_meta", "turn_context"):
            self.cwd = _text(payload, "cwd") or self.cwd
            self.project = self.project or self.cwd
            if kind == "session_meta":
                self.session = _text(payload, "session_id") or _text(payload, "id")
                self.agent = _text(payload, "id") if payload.get("thread_source") == "subagent" else ""
        elif kind == "response_item" and str(payload.get("type")).endswith("_call"):
            yield from self.before(row, payload)
        elif kind == "response_item" and str(payload.get("type")).endswith("_call_output"):
            yield from self.after(row, payload)

    def before(self, row: dict[str, Any], item: dict[str, Any]) -> Iterator[Call]:
        name, use = _text(item, "name") or _text(item, "type").removesuffix("_call"), _text(item, "call_id")
        given: Any = item.get("input") if item.get("input") is not None else _parsed(_text(item, "arguments"))
        cwd = self.cwd
        if name in self.SHELLS or name == "local_shell":
            action = item.get("action")
            held = action if isinstance(action, dict) else given if isinstance(given, dict) else {}
            if isinstance(held.get("workdir"), str):
                cwd = held["workdir"] if held["workdir"].startswith("/") else f"{cwd}/{held['workdir']}"
            name, given = "Bash", {"command": _command(held.get("cmd", held.get("command")))}
        elif name == "apply_patch" and isinstance(given, str):
            given = {"command": given}
        self.open[use] = (name, given, cwd)
        yield self.call(row, "before-tool", "PreToolUse", use, {})

    def after(self, row: dict[str, Any], item: dict[str, Any]) -> Iterator[Call]:
        use = _text(item, "call_id")
        if use not in self.open:
            return
        answer = item.get("output")
        if isinstance(answer, str):
            if answer.startswith("Command blocked by PreToolUse hook:"):
                return
            answer = answer.partition("\nOutput:\n")[2] or answer if self.open[use][0] == "Bash" else answer
        yield self.call(row, "after-tool", "PostToolUse", use, {"tool_response": answer})

    def call(self, row: dict[str, Any], event: str, wire: str, use: str, more: Payload) -> Call:
        name, given, cwd = self.open[use]
        payload: Payload = {
            "session_id": self.session or self.path, "transcript_path": self.path, "cwd": cwd,
            "hook_event_name": wire, "tool_name": name, "tool_input": given, "tool_use_id": use, **more,
        }  # fmt: skip
        if self.agent:
            payload["agent_id"] = self.agent
        return Call("codex", event, payload, self.project, _text(row, "timestamp"))


def _text(held: dict[str, Any], name: str) -> str:
    value = held.get(name)
    return value if isinstance(value, str) else ""


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(_text(part, "text") for part in parts if isinstance(part, dict))


def _parsed(arguments: str) -> Any:
    try:
        return _DECODER.decode(arguments)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _command(found: Any) -> str:
    """A shell call's text: a string, or an argv whose last word it is."""
    if isinstance(found, list):
        words = [word for word in found if isinstance(word, str)]
        return words[-1] if len(words) > 2 and words[1].startswith("-") and "c" in words[1] else " ".join(words)
    return found if isinstance(found, str) else ""
