"""Putting things into the owner's settings text: only spans are touched, in the style of what stands around them.

Reading and taking out are unwire.py's, so that the way out depends on nothing else. Every insertion is the exact
inverse of that taking out; `record` collects what it needs to know: containers made, and what stood in empty ones.
A place of another kind than the harness reads (`"hooks": []`) stops the work: `Refused`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from guards.wiring.unwire import Node, line_comment, parse

if TYPE_CHECKING:
    from guards.wiring.unwire import Way

INDENT = "  "


class Refused(ValueError):
    """Nothing was changed, and the text says why."""


def append(text: str, keys: tuple[str, ...], value: Any, record: dict[str, Any]) -> str:
    """Put `value` last into the array at `keys`; containers that are missing are made."""
    node, done = parse(text), 0
    while done < len(keys):
        _must_be(text, node, "object", keys[:done])
        child = node.get(keys[done])
        if child is None:
            break
        node, done = child, done + 1
    missing = keys[done:]
    if not missing:
        _must_be(text, node, "array", keys)
        return _last(text, node, None, value, record, "/".join(keys))
    value = [value]
    for key in reversed(missing[1:]):
        value = {key: value}
    _note(record, ["/".join(keys[: done + n + 1]) for n in range(len(missing))])
    return _last(text, node, missing[0], value, record, "/".join(keys[:done]))


def member(text: str, keys: tuple[str, ...], value: Any, record: dict[str, Any]) -> str:
    """Put a member that is not there yet last into the object above it; objects that are missing are made."""
    node, done = parse(text), 0
    while done < len(keys) - 1:
        _must_be(text, node, "object", keys[:done])
        child = node.get(keys[done])
        if child is None:
            break
        node, done = child, done + 1
    _must_be(text, node, "object", keys[:done])
    for key in reversed(keys[done + 1 :]):
        value = {key: value}
    _note(record, ["/".join(keys[: n + 1]) for n in range(done, len(keys) - 1)])
    return _last(text, node, keys[done], value, record, "/".join(keys[:done]))


def head(text: str, key: str, value: Any, record: dict[str, Any]) -> str:
    """Give the file a member that its harness wants beside the hooks, such as a version."""
    root = parse(text)
    _must_be(text, root, "object", ())
    record["head"] = {**record.get("head", {}), key: value}
    return _last(text, root, key, value, record, "")


def put(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Set the member at `keys`; objects that are missing on the way are made."""
    node, done = parse(text), 0
    while done < len(keys):
        _must_be(text, node, "object", keys[:done])
        child = node.get(keys[done])
        if child is None:
            break
        node, done = child, done + 1
    if done == len(keys):
        return swap(text, node, value)
    for key in reversed(keys[done + 1 :]):
        value = {key: value}
    return _last(text, node, keys[done], value, {}, "/".join(keys[:done]))


def swap(text: str, node: Node, value: Any) -> str:
    """Put `value` where a node stands, on one line or on many as it was."""
    eol = _eol(text)
    if "\n" in text[node.start : node.end]:
        line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
        base = line[: len(line) - len(line.lstrip(" \t"))]
        return text[: node.start] + _tall(text, value, base, eol) + text[node.end :]
    return text[: node.start] + _flat(text, value) + text[node.end :]


def step(way: Way, level: int) -> Node:
    """The node that the way reaches after `level` steps; 0 is the root."""
    if level == 0:
        return way[0][0]
    container, index = way[level - 1]
    return container.items[index].node


def _note(record: dict[str, Any], paths: list[str]) -> None:
    if "made" in record:
        record["made"] = sorted({*record["made"], *paths})


def _must_be(text: str, node: Node, kind: str, keys: tuple[str, ...]) -> None:
    if node.kind != kind:
        line = text.count("\n", 0, node.start) + 1
        raise Refused(f"line {line}: {'.'.join(keys) or 'the file'} is not an {kind}; guards changes nothing there")


def _last(text: str, node: Node, key: str | None, value: Any, record: dict[str, Any], path: str) -> str:
    """Put an item last into a container."""
    closing = node.end - 1
    put = max(len(text[:closing].rstrip(" \t\r\n")), node.start + 1)
    lead, tail = _lead(text, node, put)
    if "\n" in lead:
        base = lead[lead.rfind("\n") + 1 :]
        body = _tall(text, value, base, _eol(text))
    else:
        body = _flat(text, value)
    if key is not None:
        body = json.dumps(key) + (": " if "\n" in lead or _airy(text) else ":") + body
    if not node.items:
        gaps = record.setdefault("gaps", {})
        gaps[path] = text[node.start + 1 : closing]
        return text[:put] + lead + body + tail + text[put:]
    final = node.items[-1]
    if final.comma >= 0:
        return text[:put] + lead + body + "," + text[put:]
    return text[: final.node.end] + "," + text[final.node.end : put] + lead + body + text[put:]


def _lead(text: str, node: Node, put: int) -> tuple[str, str]:
    """What goes before a new last item, and after it."""
    eol = _eol(text)
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    base = line[: len(line) - len(line.lstrip(" \t\ufeff"))].replace("\ufeff", "")
    if node.items:
        start = node.items[-1].start
        lead = text[len(text[:start].rstrip(" \t\r\n")) : start]
        if "\n" in lead:
            return lead[lead.rfind("\n") - (1 if "\r\n" in lead else 0) :], ""
        if _after_line_comment(text, node, put):
            return eol + base + _unit(text), ""
        return (lead or " ") if _airy(text) else "", ""
    if "\n" not in text.strip() and text.strip("\ufeff \t\r\n") != text[node.start : node.end]:
        return "", ""
    gap = text[put : node.end - 1]
    return eol + base + _unit(text), "" if "\n" in gap else eol + base


def _after_line_comment(text: str, node: Node, put: int) -> bool:
    last = node.items[-1]
    return line_comment(text, last.node.end if last.comma < 0 else last.comma + 1, put)


def _eol(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _unit(text: str) -> str:
    """One level of the file's indentation: how far its first indented line stands in."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else INDENT


def _airy(text: str) -> bool:
    """Whether a blank follows the colons and commas of a one-line text."""
    return re.search(r'":(?! )', text) is None


def _flat(text: str, value: Any) -> str:
    marks = (", ", ": ") if _airy(text) else (",", ":")
    return json.dumps(value, ensure_ascii=False, separators=marks)


def _tall(text: str, value: Any, base: str, eol: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", eol + base)
