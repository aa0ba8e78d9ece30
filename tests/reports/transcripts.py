"""Transcripts as the harnesses write them, made row by row for tests."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

SESSION = "9b68188d-0000-4000-8000-3a0e61408a2c"
_MADE = itertools.count(1)  # an address would name two transcripts alike once the first is gone


class Claude:
    """A Claude Code transcript."""

    def __init__(self, cwd: str = "/srv/app", *, side: bool = False) -> None:
        self.lines: list[bytes] = []
        self.cwd, self.side = cwd, side
        self.made = next(_MADE)
        self.count = 0
        self.minute = 0

    def raw(self, line: str | bytes) -> Claude:
        self.lines.append(line if isinstance(line, bytes) else line.encode())
        return self

    def row(self, kind: str, **more: Any) -> Claude:
        self.count += 1
        self.minute += 1
        when = f"2026-11-{1 + self.minute // 1440:02}T{self.minute // 60 % 24:02}:{self.minute % 60:02}:00.000Z"
        row = {
            "parentUuid": None, "isSidechain": self.side, "type": kind, "uuid": f"u{self.made}-{self.count}",
            "timestamp": when, "sessionId": SESSION, "cwd": self.cwd, "version": "2.1.332", **more,
        }  # fmt: skip
        return self.raw(json.dumps(row, ensure_ascii=False, separators=(",", ":")))

    def user(self, content: Any, **more: Any) -> Claude:
        return self.row("user", message={"role": "user", "content": content}, **more)

    def assistant(self, *blocks: dict[str, Any], message: str = "", tokens: int = 0, **more: Any) -> Claude:
        usage = {"input_tokens": 5, "output_tokens": tokens, "cache_read_input_tokens": 1000}
        name = message or f"msg_{self.made}_{self.count}"
        held = {"id": name, "role": "assistant", "model": "m", "content": list(blocks), "usage": usage}
        return self.row("assistant", message=held, requestId=f"req_{name}", **more)

    def call(self, name: str, given: dict[str, Any], answer: Any, **more: Any) -> Claude:
        """A call and its result."""
        use = f"toolu_{self.made}_{self.count}"
        self.assistant({"type": "tool_use", "id": use, "name": name, "input": given})
        result = {"type": "tool_result", "tool_use_id": use, "content": answer}
        return self.user([result], toolUseResult={"stdout": answer, "undo": "x" * 999}, **more)

    def attachment(self, kind: str, rendered: list[str] | None, **more: Any) -> Claude:
        shown = {} if rendered is None else {"rendered": [{"content": text} for text in rendered]}
        return self.row("attachment", attachment={"type": kind, **more}, **shown)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path


class Codex:
    """A Codex rollout."""

    def __init__(self, cwd: str = "/srv/app", **head: Any) -> None:
        self.lines: list[bytes] = []
        self.count = 0
        self.row("session_meta", {"id": "s", "cwd": cwd, "base_instructions": {"text": "You are."}, **head})

    def raw(self, line: str) -> Codex:
        self.lines.append(line.encode())
        return self

    def row(self, kind: str, payload: dict[str, Any]) -> Codex:
        when = f"2026-11-02T10:{self.count // 60:02}:{self.count % 60:02}.000Z"
        row = {"timestamp": when, "ordinal": self.count, "type": kind, "payload": payload}
        self.count += 1
        return self.raw(json.dumps(row, ensure_ascii=False))

    def item(self, kind: str, **payload: Any) -> Codex:
        return self.row("response_item", {"type": kind, **payload})

    def message(self, role: str, *texts: str, kinds: list[str] | None = None) -> Codex:
        passed = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}} if kinds else {}
        return self.item(
            "message", role=role, content=[{"type": "input_text", "text": text} for text in texts], **passed
        )

    def call(self, name: str, arguments: Any, output: Any) -> Codex:
        use = f"call_{self.count}"
        self.item("function_call", name=name, arguments=json.dumps(arguments), call_id=use)
        return self.item("function_call_output", call_id=use, output=output)

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path
