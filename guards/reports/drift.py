"""Two settings texts, entry by entry: what only one of them says, and what they say differently.

An entry is a hook (by event, matcher and command), a permission rule, or any other value by its path. Order, blanks and
comments are nobody's difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from guards.wiring import text as settings
from guards.wiring import unwire
from guards.wiring.unwire import Node

Way = tuple[tuple[Node, int], ...]
Key = tuple[str, ...]
RULES = ("allow", "deny", "ask")


@dataclass(frozen=True)
class Entry:
    """One entry of a text: way leads to it from the root."""

    key: Key
    value: Any
    way: Way


@dataclass(frozen=True)
class Difference:
    """live, copy: the entry's value there, None where there is none."""

    key: Key
    live: Any
    copy: Any

    @property
    def name(self) -> str:
        if self.key[0] == "hooks" and len(self.key) == 4:
            matcher = f" {self.key[2]}" if self.key[2] else ""
            return f"{self.key[1]}{matcher}: {self.key[3]}"
        return " ".join(self.key) if self.key[0] == "permissions" else ".".join(self.key)

    @property
    def state(self) -> str:
        if self.copy is None:
            return "only live"
        return "only copy" if self.live is None else "differs"

    @property
    def managed(self) -> bool:
        values = [value for value in (self.live, self.copy) if isinstance(value, dict)]
        return any(unwire.MARKED.search(str(value.get("command", value.get("bash", "")))) for value in values)

    def words(self) -> str:
        """Both sides in a line."""
        if self.state != "differs":
            return _short(self.live if self.copy is None else self.copy)
        if isinstance(self.live, dict) and isinstance(self.copy, dict):
            keys = [k for k in {**self.live, **self.copy} if self.live.get(k) != self.copy.get(k)]
            return "; ".join(f"{k}: live {_short(self.live.get(k))}, copy {_short(self.copy.get(k))}" for k in keys)
        return f"live {_short(self.live)}, copy {_short(self.copy)}"

    def as_dict(self) -> dict[str, Any]:
        return {"entry": self.name, "state": self.state, "live": self.live, "copy": self.copy, "guards": self.managed}


def _short(value: Any) -> str:
    line = json.dumps(value, ensure_ascii=False)
    return line if len(line) <= 90 else line[:89] + "…"


def compare(live: str, copy: str) -> list[Difference]:
    """Everything the two do not say alike."""
    here, there = ({entry.key: entry.value for entry in entries(text)} for text in (live, copy))
    return [
        Difference(key, here.get(key), there.get(key)) for key in {**here, **there} if here.get(key) != there.get(key)
    ]


def entries(text: str) -> Iterator[Entry]:
    """Every entry of a text; of doubled keys the last one, as the harness sees it."""
    root = unwire.parse(text)
    if root.kind != "object":
        raise settings.Refused("the file is no object; guards changes nothing there")
    yield from _members(root, (), ())


def _members(node: Node, key: Key, way: Way) -> Iterator[Entry]:
    for index, item in enumerate(node.items):
        name = (*key, str(item.key))
        if node.get(str(item.key)) is not item.node:
            continue  # the earlier of a doubled key
        step = (*way, (node, index))
        if name[0] == "hooks" and len(name) == 2 and item.node.kind == "array":
            yield from _groups(item.node, name, step)
        elif name[0] == "permissions" and len(name) == 2 and name[1] in RULES and item.node.kind == "array":
            for at, rule in enumerate(item.node.items):
                yield Entry((*name, str(rule.node.plain())), rule.node.plain(), (*step, (item.node, at)))
        elif item.node.kind == "object" and item.node.items:
            yield from _members(item.node, name, step)
        else:
            yield Entry(name, item.node.plain(), step)


def _groups(node: Node, key: Key, way: Way) -> Iterator[Entry]:
    for index, item in enumerate(node.items):
        step = (*way, (node, index))
        inner = item.node.get("hooks") if item.node.kind == "object" else None
        matcher = item.node.get("matcher") if item.node.kind == "object" else None
        word = str(matcher.plain() or "") if matcher is not None else ""
        if inner is None or inner.kind != "array":
            yield Entry((*key, word, _command(item.node.plain())), item.node.plain(), step)
            continue
        place = next(n for n, member in enumerate(item.node.items) if member.node is inner)
        for at, entry in enumerate(inner.items):
            name = (*key, word, _command(entry.node.plain()))
            yield Entry(name, entry.node.plain(), (*step, (item.node, place), (inner, at)))


def _command(value: Any) -> str:
    """What tells one entry from another: its command without the blanks that make no difference."""
    line = value.get("command", value.get("bash")) if isinstance(value, dict) else None
    return " ".join(line.split()) if isinstance(line, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def carry(text: str, difference: Difference, value: Any) -> str:
    """The text with this entry as `value` says; None takes it out."""
    found = next((entry for entry in entries(text) if entry.key == difference.key), None)
    if value is None:
        return text if found is None else unwire.drop(text, found.way, {})
    if found is not None:
        return settings.swap(text, settings.step(found.way, len(found.way)), value)
    key = difference.key
    if key[0] == "hooks" and len(key) == 4:
        other = difference.live if difference.live is not None else difference.copy
        group = {"matcher": key[2], "hooks": [other]} if key[2] else {"hooks": [other]}
        return settings.append(text, key[:2], other if _flat(text) else group, {})
    if key[0] == "permissions" and len(key) == 3:
        return settings.append(text, key[:2], value, {})
    return settings.put(text, key, value)


def _flat(text: str) -> bool:
    """Whether entries stand in the event's list themselves, as two harnesses want it."""
    return unwire.parse(text).get("version") is not None
