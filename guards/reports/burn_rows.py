"""The rows of transcripts, as far as they are counted: everything else in them is skipped while it is parsed.

msgspec builds only the fields named here, so a row whose bulk is an undo copy costs little more than reading it. A row
that is JSON but not of this shape (or holds a lone surrogate) is parsed again by the standard library.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar

import msgspec

Raw = msgspec.Raw
T = TypeVar("T", bound=msgspec.Struct)
NOTHING = Raw(b"")
CHUNK = 1 << 20
LONGEST = 128 << 20  # bytes of one line; a row with a large picture has a few million


class Source(msgspec.Struct, gc=False):
    """The bytes of an image."""

    data: str = ""


class Block(msgspec.Struct, gc=False):
    """A block of a message."""

    type: str = ""
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: Raw = NOTHING
    tool_use_id: str = ""
    content: Any = None
    source: Source | None = None


class Tokens(msgspec.Struct, gc=False):
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0


class Message(msgspec.Struct, gc=False):
    content: str | list[Block] | None = None
    id: str | None = ""
    model: str | None = ""
    usage: Tokens | None = None


class Shown(msgspec.Struct, gc=False):
    content: Any = ""


class Attachment(msgspec.Struct, gc=False, rename="camel"):
    type: str = ""
    hook_name: str = ""
    content: Raw = NOTHING
    system_prompt: Raw = NOTHING
    tools: Raw = NOTHING


class ClaudeRow(msgspec.Struct, gc=False, rename="camel"):
    """A row of a Claude Code transcript."""

    type: str = ""
    timestamp: str | None = ""
    uuid: str | None = ""
    is_sidechain: bool | None = False
    is_meta: bool | None = False
    is_compact_summary: bool | None = False
    request_id: str | None = ""
    message: Message | None = None
    attachment: Attachment | None = None
    rendered: list[Shown] | None = None


class Action(msgspec.Struct, gc=False):
    command: str | list[str] = ""


class Kinds(msgspec.Struct, gc=False):
    content_item_kinds: list[str] = []


class Text(msgspec.Struct, gc=False):
    text: str = ""


class CodexTokens(msgspec.Struct, gc=False):
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cache_write_input_tokens: int = 0


class Info(msgspec.Struct, gc=False):
    total_token_usage: CodexTokens | None = None
    last_token_usage: CodexTokens | None = None


class Payload(msgspec.Struct, gc=False):
    """What a row of a Codex rollout holds."""

    type: str = ""
    role: str = ""
    content: Any = None
    name: str = ""
    arguments: str = ""
    input: Any = ""
    call_id: str | None = ""
    output: Any = ""
    summary: Any = None
    action: Action | None = None
    message: str | None = ""
    base_instructions: Text | None = None
    instructions: str | None = ""
    cwd: str = ""
    thread_source: str | None = ""
    subagent_history_start_ordinal: int | None = 0
    internal_chat_message_metadata_passthrough: Kinds | None = None
    response_id: str | None = ""
    usage: CodexTokens | None = None
    info: Info | None = None


class CodexRow(msgspec.Struct, gc=False):
    """A row of a Codex rollout."""

    type: str = ""
    timestamp: str | None = ""
    ordinal: int | None = None
    payload: Payload | None = None


class Malformed(Exception):
    """The line is no JSON."""


class Odd(Exception):
    """The line is JSON of no known shape; `value` is what it says."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def again(line: bytes, kind: type[T]) -> T:
    """A second look at a line that the fast decoder refused."""
    try:
        value = json.loads(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError) as fault:
        raise Malformed from fault
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as fault:
        raise Odd(value) from fault


def chunks(handle: BinaryIO, done: Callable[[int], None]) -> Iterator[bytes]:
    """Whole lines, about a megabyte at a time. A line longer than LONGEST is cut up, so its pieces are malformed."""
    rest = b""
    while block := handle.read(CHUNK):
        done(len(block))
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block
            if len(rest) > LONGEST:
                yield rest
                rest = b""
    if rest:
        yield rest


def strings(value: Any) -> int:
    """Characters of all text in a value."""
    size = 0
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            size += len(item)
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            todo.extend(item.values())
    return size


def decoded(raw: Raw) -> str:
    """A raw piece of JSON as the text that it is."""
    return str(memoryview(raw), "utf-8", "replace")


CLAUDE = msgspec.json.Decoder(ClaudeRow)
CODEX = msgspec.json.Decoder(CodexRow)
