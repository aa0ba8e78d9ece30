"""Claude Code transcripts (JSONL): what put each character into the context.

Rows of a session and of its subagents are alike. Counted is what the model was sent or wrote: message blocks, and the
attachments that were rendered for it. Not counted: `toolUseResult` (the harness's own copy, for undo and display),
copies of whole requests, progress rows, file snapshots. Checked against 2.0.x, 2.1.63 and 2.1.332.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from guards.reports.burn_names import program_of
from guards.reports.burn_rows import (
    CLAUDE,
    Attachment,
    Block,
    ClaudeRow,
    Malformed,
    Odd,
    Tokens,
    again,
    decoded,
    strings,
)
from guards.reports.burn_tally import MAIN, SUB, Session, Tally

SHELLS = ("Bash",)
_COUNTED = frozenset(("assistant", "user", "attachment"))
CLIP = 160  # characters of a call that are kept to name a large result
# what the harness wraps its own turns in; a prompt of the owner begins with none of them
_WRAPPED = {
    "<command-name>": "slash commands",
    "<command-message>": "slash commands",
    "<local-command-": "slash commands",
    "<bash-": "the owner's own shell",
    "<task-notification>": "task notifications",
    "<system-reminder>": "reminders",
    "<user-memory-input>": "memory",
    "Caveat: The messages below": "slash commands",
    "[Request interrupted": "interruptions",
}
_INSTRUCTIONS = ("instructions", "nested_memory", "memory", "claude_md")


class Command(msgspec.Struct):
    command: str = ""


_COMMAND = msgspec.json.Decoder(Command)


class Reader:
    """Reads the rows of one file into a tally."""

    def __init__(self, session: Session, since: str, until: str = "") -> None:
        self.tally = Tally()
        self.cells = self.tally.cells
        self.session = session
        self.since, self.until = since, until
        self.calls: dict[str, tuple[str, str, str]] = {}  # call -> (source, name, what)
        self.seen: set[str] = set()
        self.prompts: dict[str, int] = {}  # side -> the largest system prompt
        self.hour = ""
        self.side = session.side
        self.counted = not since
        self.response: tuple[str | None, int | None] = ("", 0)

    def read(self, chunks: Iterable[bytes]) -> Tally:
        for chunk in chunks:
            try:
                rows: Iterable[ClaudeRow] = CLAUDE.decode_lines(chunk)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                rows = self.one_by_one(chunk)
            self.rows(rows)
        for side, size in self.prompts.items():
            self.tally.add((self.session.first[:13], side, "system", "system prompt and tools"), size)
        return self.tally

    def rows(self, rows: Iterable[ClaudeRow]) -> None:
        seen, main, filtered = self.seen, self.session.side, bool(self.since or self.until)
        lines = 0
        for row in rows:
            lines += 1
            kind = row.type
            if kind not in _COUNTED:
                continue
            when, uuid = row.timestamp or "", row.uuid
            if uuid in seen:
                self.tally.repeated += 1
                continue
            if uuid:
                seen.add(uuid)
            if filtered:
                self.counted = self.since <= when and (not self.until or when < self.until)
            if self.counted and when:
                self.session.first = self.session.first or when
                self.session.last = when
            self.hour = when[:13]
            self.side = SUB if row.is_sidechain else main
            if kind == "assistant":
                self.assistant(row)
            elif kind == "user":
                self.user(row)
            elif row.attachment is not None:
                self.attachment(row, row.attachment)
        self.tally.lines += lines

    def one_by_one(self, chunk: bytes) -> Iterator[ClaudeRow]:
        """The rows of a chunk of which one line is not as expected."""
        for line in chunk.split(b"\n"):
            try:
                yield CLAUDE.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                row = self.odd(line)
                if row is not None:
                    yield row

    def odd(self, line: bytes) -> ClaudeRow | None:
        """A line that the fast decoder refused: read again, counted as unknown, or counted as malformed."""
        if not line.strip():
            return None
        try:
            return again(line, ClaudeRow)
        except Malformed:
            self.tally.lines += 1
            self.tally.malformed += 1
        except Odd as odd:
            self.tally.lines += 1
            value = odd.value if isinstance(odd.value, dict) else {}
            if value.get("type") in ("assistant", "user") and self.counted:
                message = value.get("message")
                content = message.get("content") if isinstance(message, dict) else message
                self.tally.add((self.hour, self.side, "unknown", str(value["type"])), strings(content))
        return None

    # ---- rows
    def assistant(self, row: ClaudeRow) -> None:
        message = row.message
        if message is None:
            return
        usage = message.usage
        if usage is not None and self.counted:
            response = (message.id, usage.output_tokens)
            if response != self.response:
                self.response = response
                self.used(message.id or row.uuid or "", row.request_id or "", usage)
        content = message.content
        if isinstance(content, str):
            self.put("reply", "", len(content))
            return
        for block in content or ():
            kind = block.type
            if kind == "tool_use":
                self.call(block)
            elif kind == "text":
                own = message.model == "<synthetic>"
                self.put("harness" if own else "reply", "errors of the service" if own else "", len(block.text))
            elif kind == "thinking":
                self.put("thinking", "", len(block.thinking))
            elif kind.endswith("tool_use"):
                self.call(block)
            elif kind.endswith("tool_result"):
                self.put("tool", kind.removesuffix("_tool_result"), strings(block.content))

    def user(self, row: ClaudeRow) -> None:
        message = row.message
        if message is None:
            return
        content = message.content
        if isinstance(content, str):
            self.said(row, content)
            return
        for block in content or ():
            if block.type == "tool_result":
                self.result(block)
            elif block.type == "text":
                self.said(row, block.text)
            elif block.type in ("image", "document") and block.source is not None:
                self.put("image", "in a prompt", len(block.source.data))

    def attachment(self, row: ClaudeRow, held: Attachment) -> None:
        if held.system_prompt:
            size = strings(msgspec.json.decode(held.system_prompt)) + len(decoded(held.tools))
            self.prompts[self.side] = max(size, self.prompts.get(self.side, 0))
            return
        hook = held.type.startswith("hook_")
        if row.rendered is not None:
            size = sum(strings(shown.content) for shown in row.rendered)
        elif hook and held.content:
            size = strings(msgspec.json.decode(held.content))
        else:
            return
        if hook:
            self.put("hook", held.hook_name or held.type, size)
        else:
            self.put("instructions" if held.type in _INSTRUCTIONS else "harness", held.type.replace("_", " "), size)

    # ---- blocks
    def said(self, row: ClaudeRow, text: str) -> None:
        """Text in the user's place: a prompt, or words of the harness."""
        if row.is_compact_summary:
            self.put("summary", "", len(text))
        elif row.is_meta:
            self.put("harness", "notes on the user's turn", len(text))
        else:
            start = text[:40].lstrip()
            for mark, name in _WRAPPED.items():
                if start.startswith(mark):
                    self.put("harness", name, len(text))
                    return
            self.put("prompt", "" if self.side == MAIN else "from the agent above", len(text))

    def call(self, block: Block) -> None:
        """What the model wrote to call a tool; remembered until the result comes."""
        if block.id in self.calls:
            return
        given = decoded(block.input)
        source, name, what = "tool", block.name, given[:CLIP]
        if name in SHELLS:
            try:
                command = _COMMAND.decode(block.input).command
            except (msgspec.DecodeError, UnicodeDecodeError):
                command = ""
            source, name, what = "shell", program_of(command), command[:CLIP]
        self.calls[block.id] = (source, name, what)
        self.put("call", block.name, len(block.name) + len(given))

    def result(self, block: Block) -> None:
        source, name, what = self.calls.get(block.tool_use_id, ("tool", "a call that is not in this file", ""))
        content = block.content
        if isinstance(content, str):
            if content.startswith("PreToolUse:") and " hook error: " in content[:200]:
                self.put("hook", f"{content[: content.index(' hook error: ')]} refusal", len(content))
                return
            size = len(content)
        else:
            size = self.parts(content, name)
        if self.counted:
            self.tally.output((self.hour, self.side, source, name), size, what)

    def parts(self, content: Any, name: str) -> int:
        """Characters of a result's blocks; its images are put down as images."""
        size = 0
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, dict):
                continue
            source = part.get("source")
            if isinstance(source, dict):
                self.put("image", name, strings(source.get("data")))
            else:
                size += strings(part.get("text"))
        return size

    def put(self, source: str, name: str, size: int) -> None:
        if not self.counted:
            return
        cell = (self.hour, self.side, source, name)
        held = self.cells.get(cell)
        if held is None:
            self.cells[cell] = [size, 1]
        else:
            held[0] += size
            held[1] += 1

    def used(self, message: str, request: str, usage: Tokens) -> None:
        given, cached = usage.input_tokens or 0, usage.cache_read_input_tokens or 0
        written = usage.cache_creation_input_tokens or 0
        self.tally.used(f"{message} {request}", (given, usage.output_tokens or 0, cached, written), self.side)
        self.session.peak = max(self.session.peak, given + cached + written)
