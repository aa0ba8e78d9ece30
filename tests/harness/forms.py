"""Three model interfaces, as much of them as the harness programs use: what a program sends, as a list of
parts in one form, and what the scripted model answers, as a whole document and as a stream of events.

A block of a kind that is not known here is kept as its own text, so nothing that the model is shown is lost.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Events = list[tuple[str, Json]]


@dataclass(frozen=True)
class Call:
    """One tool call. A text for `input` is a free-form tool's (Codex's apply_patch)."""

    name: str
    input: Json | str
    namespace: str = ""


@dataclass(frozen=True)
class Turn:
    """What the model answers: some text, some calls, or both. No calls ends the program's turn."""

    calls: tuple[Call, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Part:
    """One piece of what a program sent: a text, a tool call of the model's own, or a tool's result."""

    role: str
    kind: str  # text | call | result | other
    text: str

    def __str__(self) -> str:
        return f"[{self.role} {self.kind}] {self.text}"


# ---------------------------------------------------------------- what the programs send, in one form


def _text(content: Any) -> str:
    """The text of a content field: a string, a list of blocks, or something else written out."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_text(c.get("text", c)) if isinstance(c, dict) else _text(c) for c in content)
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def anthropic_parts(body: Json) -> Iterator[Part]:
    for message in body.get("messages", []):
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            kind = block.get("type")
            if kind == "text":
                yield Part(message["role"], "text", block["text"])
            elif kind == "tool_use":
                yield Part(message["role"], "call", f"{block['name']} {_text(block['input'])}")
            elif kind == "tool_result":
                yield Part(message["role"], "result", _text(block.get("content", "")))
            else:
                yield Part(message["role"], "other", _text(block))


def openai_parts(body: Json) -> Iterator[Part]:
    for item in body.get("input", []):
        kind = item.get("type", "message")
        if kind == "message":
            yield Part(item["role"], "text", _text(item["content"]))
        elif kind in ("function_call", "custom_tool_call"):
            yield Part("assistant", "call", f"{item['name']} {item.get('arguments', item.get('input'))}")
        elif kind.endswith("_output"):
            yield Part("tool", "result", _text(item["output"]))
        else:
            yield Part(kind, "other", _text(item))


def gemini_parts(body: Json) -> Iterator[Part]:
    for content in body.get("contents", []):
        role = content.get("role", "user")
        for part in content.get("parts", []):
            if "text" in part:
                yield Part(role, "text", part["text"])
            elif "functionCall" in part:
                called = part["functionCall"]
                yield Part(role, "call", f"{called['name']} {_text(called.get('args', {}))}")
            elif "functionResponse" in part:
                response = part["functionResponse"]["response"]
                yield Part(role, "result", _text(response.get("output", response.get("error", response))))
            else:
                yield Part(role, "other", _text(part))


# ---------------------------------------------------------------- what the model answers, in each form

def anthropic_answer(number: int, answer: Turn, model: str) -> tuple[Json, Events]:
    spoken = answer.text or not answer.calls
    blocks: list[Json] = [{"type": "text", "text": answer.text or "ok"}] if spoken else []
    blocks += [
        {"type": "tool_use", "id": f"toolu_{number:04}{i:02}", "name": c.name, "input": c.input}
        for i, c in enumerate(answer.calls)
    ]
    stop = "tool_use" if answer.calls else "end_turn"
    usage = {"input_tokens": 100, "output_tokens": 10}
    head: Json = {"id": f"msg_{number:04}", "type": "message", "role": "assistant", "model": model}
    head["usage"] = usage
    opened = {**head, "content": [], "stop_reason": None, "stop_sequence": None}
    events: Events = [("message_start", {"message": opened})]
    for i, block in enumerate(blocks):
        if block["type"] == "text":
            empty: Json = {"type": "text", "text": ""}
            delta: Json = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append(("content_block_start", {"index": i, "content_block": empty}))
        events.append(("content_block_delta", {"index": i, "delta": delta}))
        events.append(("content_block_stop", {"index": i}))
    events.append(("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}))
    events.append(("message_stop", {}))
    return {**head, "content": blocks, "stop_reason": stop, "stop_sequence": None}, events


def _openai_item(number: int, index: int, call: Call) -> Json:
    item: Json = {"call_id": f"call_{number:04}{index:02}", "name": call.name, "status": "completed"}
    if isinstance(call.input, str):
        return {**item, "type": "custom_tool_call", "id": f"ctc_{number:04}{index:02}", "input": call.input}
    if call.namespace:
        item["namespace"] = call.namespace
    arguments = json.dumps(call.input)
    return {**item, "type": "function_call", "id": f"fc_{number:04}{index:02}", "arguments": arguments}


def openai_answer(number: int, answer: Turn, model: str) -> tuple[Json, Events]:
    items: list[Json] = []
    if answer.text or not answer.calls:
        said = [{"type": "output_text", "text": answer.text or "ok", "annotations": []}]
        items.append({"type": "message", "id": f"msg_{number:04}", "role": "assistant", "content": said})
    items += [_openai_item(number, i, c) for i, c in enumerate(answer.calls)]
    usage = {
        "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110,
    }  # fmt: skip
    whole: Json = {"id": f"resp_{number:04}", "object": "response", "model": model, "status": "completed"}
    whole |= {"output": items, "usage": usage}
    begun = {"id": whole["id"], "status": "in_progress", "output": []}
    events: Events = [("response.created", {"response": begun})]
    for i, item in enumerate(items):
        events.append(("response.output_item.added", {"output_index": i, "item": item}))
        events.append(("response.output_item.done", {"output_index": i, "item": item}))
    events.append(("response.completed", {"response": whole}))
    return whole, events


def gemini_answer(number: int, answer: Turn, _model: str) -> tuple[Json, Events]:
    parts: list[Json] = [{"text": answer.text or "ok"}] if answer.text or not answer.calls else []
    signed = {"thoughtSignature": "c2lnbmVk"}  # newer models sign their calls; the program hands it back
    parts += [{"functionCall": {"name": call.name, "args": call.input}, **signed} for call in answer.calls]
    whole: Json = {
        "candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
        "modelVersion": "scripted", "responseId": f"r{number:04}",
    }  # fmt: skip
    return whole, [("", whole)]
