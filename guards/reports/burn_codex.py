"""Codex rollouts (JSONL): what put each character into the context.

Counted are the response items, the base instructions and the summaries of compactions; `event_msg` rows say the same
again for display. A subagent's file may begin with a copy of its parent's history, which its head names: that is not
counted twice. Checked against 0.171.0, and 0.46 to 0.65 as described by others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from guards.reports.burn_names import program_of
from guards.reports.burn_rows import CODEX, CodexRow, CodexTokens, Malformed, Odd, Payload, again, strings
from guards.reports.burn_tally import MAIN, SUB, Session, Tally

SHELLS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec", "unified_exec", "exec")
CLIP = 160
# kinds of a message's parts, as the rollout names them -> source
_KINDS = {
    "user": "prompt",
    "hooks": "hook",
    "agents_md": "instructions",
    "host_skills": "instructions",
    "skills": "instructions",
}
# older rollouts name no kinds: how the harness's own parts begin
_WRAPPED = {
    "# AGENTS.md instructions": "instructions",
    "<user_instructions>": "instructions",
    "<skills_instructions>": "instructions",
    "<environment_context>": "harness",
    "<permissions instructions>": "harness",
    "<turn_aborted>": "harness",
    "<subagent_notification>": "harness",
    "<hook_prompt": "hook",
}


class Given(msgspec.Struct):
    """A shell call's arguments."""

    cmd: Any = None
    command: Any = None


_GIVEN = msgspec.json.Decoder(Given)


class Reader:
    """Reads the rows of one file into a tally."""

    def __init__(self, session: Session, since: str, until: str = "") -> None:
        self.tally = Tally()
        self.session = session
        self.since, self.until = since, until
        self.calls: dict[str, tuple[str, str, str]] = {}
        self.side = session.side
        self.hour = ""
        self.counted = not since
        self.own = 0  # rows with a lower ordinal are the parent's
        self.running = CodexTokens()  # the largest running total, for rollouts without records of each response
        self.recorded = False

    def read(self, chunks: Iterable[bytes]) -> Tally:
        for chunk in chunks:
            try:
                rows: Iterable[CodexRow] = CODEX.decode_lines(chunk)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                rows = self.one_by_one(chunk)
            for row in rows:
                self.tally.lines += 1
                if row.payload is not None:
                    self.row(row, row.payload)
        total = self.running
        if not self.recorded and (total.input_tokens or total.output_tokens):
            self.used(self.session.path, total)
        return self.tally

    def one_by_one(self, chunk: bytes) -> Iterator[CodexRow]:
        """The rows of a chunk of which one line is not as expected."""
        for line in chunk.split(b"\n"):
            if not line.strip():
                continue
            try:
                yield CODEX.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                row = self.odd(line)
                if row is not None:
                    yield row

    def odd(self, line: bytes) -> CodexRow | None:
        try:
            return again(line, CodexRow)
        except Malformed:
            self.tally.malformed += 1
        except Odd as odd:
            value = odd.value if isinstance(odd.value, dict) else {}
            if value.get("type") == "response_item":
                self.put("unknown", "response_item", strings(value.get("payload")))
        self.tally.lines += 1
        return None

    def row(self, row: CodexRow, payload: Payload) -> None:
        when = row.timestamp or ""
        self.hour = when[:13]
        self.counted = self.since <= when and (not self.until or when < self.until)
        kind = row.type
        if kind == "session_meta":
            self.head(payload, when)
            return
        if self.own and row.ordinal is not None and row.ordinal < self.own:
            self.tally.repeated += 1
            return
        if self.counted and when:
            self.session.first = self.session.first or when
            self.session.last = when
        if kind == "response_item":
            self.item(payload)
        elif kind == "compacted":
            self.put("summary", "", len(payload.message or ""))
        elif kind == "token_usage_record" and payload.usage is not None:
            self.recorded = True
            self.used(payload.response_id or when, payload.usage)
        elif kind == "event_msg" and payload.info is not None:
            self.count(payload.info.total_token_usage, payload.info.last_token_usage)

    def head(self, payload: Payload, when: str) -> None:
        """The first row: whose session it is, and the instructions every request begins with."""
        if payload.thread_source == "subagent":
            self.side = self.session.side = SUB
        self.own = payload.subagent_history_start_ordinal or 0
        text = payload.base_instructions.text if payload.base_instructions is not None else payload.instructions
        if text:
            self.session.first = self.session.first or (when if self.counted else "")
            self.put("system", "base instructions", len(text))

    def count(self, total: CodexTokens | None, last: CodexTokens | None) -> None:
        if total is not None and total.input_tokens >= self.running.input_tokens and self.counted:
            self.running = total
        if last is not None and self.counted:
            self.session.peak = max(self.session.peak, last.input_tokens)

    # ---- items
    def item(self, payload: Payload) -> None:
        kind = payload.type
        if kind == "message":
            self.message(payload)
        elif kind == "reasoning":
            self.put("thinking", "", strings(payload.summary) - _labels(payload.summary))
        elif kind.endswith("_call_output") or kind == "tool_search_output":
            self.result(payload)
        elif kind.endswith("_call"):
            self.call(payload, kind)

    def message(self, payload: Payload) -> None:
        parts = payload.content if isinstance(payload.content, list) else [{"text": payload.content}]
        passed = payload.internal_chat_message_metadata_passthrough
        kinds = passed.content_item_kinds if passed is not None else []
        for at, part in enumerate(parts):
            if not isinstance(part, dict):
                continue
            if isinstance(part.get("image_url"), str):
                self.put("image", "in a prompt", len(part["image_url"]))
                continue
            text = part.get("text")
            if isinstance(text, str):
                source, name = self.source(payload.role, text, kinds[at] if at < len(kinds) else "")
                self.put(source, name, len(text))

    def source(self, role: str, text: str, kind: str) -> tuple[str, str]:
        """(source, name) of one part of a message."""
        if role == "assistant":
            return "reply", ""
        room, _, name = kind.partition(".")
        if room and room != "unknown":
            source = _KINDS.get(room, "harness")
            if source == "prompt":
                return source, "" if self.side == MAIN else "from the agent above"
            return source, name.replace("_", " ")
        start = text[:60].lstrip()
        for mark, source in _WRAPPED.items():
            if start.startswith(mark):
                return source, mark.strip("<># ")
        if role == "user":
            return "prompt", "" if self.side == MAIN else "from the agent above"
        return "harness", role

    def call(self, payload: Payload, kind: str) -> None:
        given: Any = payload.arguments or payload.input
        name = payload.name or kind.removesuffix("_call")
        source, called, what = "tool", name, str(given)[:CLIP]
        if name in SHELLS:
            command = self.command(payload)
            source, called, what = "shell", program_of(command), command[:CLIP]
        elif payload.action is not None and not given:
            given = what = str(payload.action.command)
        if payload.call_id:
            self.calls[payload.call_id] = (source, called, what)
        self.put("call", name, len(name) + strings(given))

    def command(self, payload: Payload) -> str:
        """The text of a shell call: a string, or an argv whose last word it is."""
        found: Any = payload.action.command if payload.action is not None else None
        if found is None:
            try:
                given = _GIVEN.decode(payload.arguments)
                found = given.cmd if given.cmd is not None else given.command
            except (msgspec.DecodeError, UnicodeDecodeError):
                return ""
        if isinstance(found, list):
            words = [word for word in found if isinstance(word, str)]
            return words[-1] if len(words) > 2 and words[1].startswith("-") and "c" in words[1] else " ".join(words)
        return found if isinstance(found, str) else ""

    def result(self, payload: Payload) -> None:
        source, name, what = self.calls.get(payload.call_id or "", ("tool", "a call that is not in this file", ""))
        size = 0
        if isinstance(payload.output, list):
            for part in payload.output:
                if isinstance(part, dict) and isinstance(part.get("image_url"), str):
                    self.put("image", name, len(part["image_url"]))
                elif isinstance(part, dict):
                    size += strings(part.get("text"))
        else:
            size = strings(payload.output)
        text = payload.output if isinstance(payload.output, str) else ""
        if text.startswith("Command blocked by PreToolUse hook:"):
            self.put("hook", f"PreToolUse:{name} refusal", size)
        elif self.counted:
            self.tally.output((self.hour, self.side, source, name), size, what)

    def put(self, source: str, name: str, size: int) -> None:
        if self.counted:
            self.tally.add((self.hour, self.side, source, name), size)

    def used(self, response: str, tokens: CodexTokens) -> None:
        if not self.counted:
            return
        cached = tokens.cached_input_tokens
        self.tally.used(
            response,
            (max(tokens.input_tokens - cached, 0), tokens.output_tokens, cached, tokens.cache_write_input_tokens),
            self.side,
        )
        if self.recorded:
            self.session.peak = max(self.session.peak, tokens.input_tokens)


def _labels(summary: Any) -> int:
    """Characters of the type names inside a reasoning summary: they are no text of the model's."""
    items = summary if isinstance(summary, list) else []
    return sum(len(item["type"]) for item in items if isinstance(item, dict) and isinstance(item.get("type"), str))
