"""The tree of a settings file → its hooks, and what of it has a shape the harness does not read."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from guards.reports.contract.facts import OLD, TOLERANT
from guards.reports.contract.files import Subject
from guards.wiring import unwire

# keys of claude's settings that must have a type, or the whole file is dropped
_TYPES: dict[tuple[str, ...], type] = {
    ("permissions", "allow"): list,
    ("permissions", "deny"): list,
    ("permissions", "ask"): list,
    ("env",): dict,
}


@dataclass(frozen=True)
class Hook:
    """One entry with a command."""

    subject: Subject
    event: str
    group: dict[str, Any]
    entry: dict[str, Any]
    command: str
    where: str
    node: unwire.Node | None

    @property
    def gate(self) -> bool:
        return self.event in self.subject.facts.gates

    @property
    def managed(self) -> bool:
        return unwire.MARKED.search(self.command) is not None

    def say(self, rule: str, text: str) -> None:
        self.subject.say(rule, self.where, text, self.node)


def hooks(subject: Subject) -> list[Hook]:
    """Every entry that can be looked at; what has another shape becomes a finding."""
    plain = subject.plain
    if subject.findings and plain is None:
        return []
    if not isinstance(plain, dict):
        subject.say("shape", "", "the file is no object")
        return []
    _others(subject, plain)
    listed = plain.get("hooks")
    if listed is None:
        return []
    if not isinstance(listed, dict):
        subject.say("shape", "hooks", f"is no object{_cost(subject, '')}", _at(subject.node, "hooks"))
        return []
    found: list[Hook] = []
    for event, groups in listed.items():
        if subject.facts.name == "codex" and event == "state":
            continue  # what it trusts, not a hook
        node = _at(subject.node, "hooks", event)
        if _event(subject, event, node):
            found += _groups(subject, event, groups, node)
    return found


def _others(subject: Subject, plain: dict[str, Any]) -> None:
    """What elsewhere in the file costs its hooks."""
    if subject.facts.name == "claude":
        for keys, kind in _TYPES.items():
            value: Any = plain
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None and not isinstance(value, kind):
                word = "list" if kind is list else "object"
                place = ".".join(keys)
                subject.say("shape", place, f"is no {word}: the whole file is dropped", _at(subject.node, *keys))
        if plain.get("disableAllHooks") is True:
            subject.say(
                "silenced", "disableAllHooks", "no hook runs, the owner's neither", _at(subject.node, "disableAllHooks")
            )
    config = plain.get("hooksConfig")
    if subject.facts.name == "gemini" and isinstance(config, dict):
        if config.get("enabled") is False:
            subject.say(
                "silenced", "hooksConfig.enabled", "no hook of this file runs", _at(subject.node, "hooksConfig")
            )
        for name in config.get("disabled") or ():
            subject.say(
                "silenced", "hooksConfig.disabled", f"the hook {name!r} does not run", _at(subject.node, "hooksConfig")
            )
    if subject.facts.name in ("cursor", "copilot") and "hooks" in plain and plain.get("version") != 1:
        subject.say("shape", "version", "is not 1", subject.node)


def _event(subject: Subject, event: str, node: unwire.Node | None) -> bool:
    facts = subject.facts
    since = facts.events.get(event)
    if since is None:
        near = get_close_matches(event, facts.events, n=1, cutoff=0.6) or [
            name for name in facts.events if name.lower() == event.lower()
        ]
        hint = f"; the nearest is {near[0]}" if near else ""
        cost = "; versions before 2.1.200 drop every hook of the file for it" if facts.name == "claude" else ""
        subject.say("event-unknown", f"hooks.{event}", f"{facts.name} has no such event{hint}{cost}", node)
    elif since > OLD:
        version = ".".join(map(str, TOLERANT))
        text = f"versions before {version} do not know it and drop every hook of the file"
        subject.say("event-new", f"hooks.{event}", text, node)
    return True


def _cost(subject: Subject, event: str) -> str:
    """What a bad entry costs here."""
    if not event or event in subject.facts.drops:
        return ": the whole file is dropped, and every hook in it"
    return ": it is dropped, by versions before 2.1.300 the whole file" if subject.facts.name == "claude" else ""


def _groups(subject: Subject, event: str, groups: Any, node: unwire.Node | None) -> Iterator[Hook]:
    where = f"hooks.{event}"
    if not isinstance(groups, list):
        subject.say("shape", where, f"is no list{_cost(subject, event)}", node)
        return
    for index, group in enumerate(groups):
        place, part = f"{where}[{index}]", _at(node, index)
        if not isinstance(group, dict):
            subject.say("shape", place, f"is no object{_cost(subject, event)}", part)
            continue
        inner = group.get("hooks")
        if inner is None and not subject.facts.nested:
            yield from _entry(subject, event, {}, group, place, part)
        elif inner is None:
            rule = "flat" if subject.facts.command in group else "shape"
            subject.say(rule, place, f"has no `hooks` around its entries{_cost(subject, event)}", part)
        elif not isinstance(inner, list):
            subject.say("shape", f"{place}.hooks", f"is no list{_cost(subject, event)}", part)
        else:
            for number, entry in enumerate(inner):
                spot = f"{place}.hooks[{number}]"
                yield from _entry(subject, event, group, entry, spot, _at(part, "hooks", number))


def _entry(
    subject: Subject, event: str, group: dict[str, Any], entry: Any, where: str, node: unwire.Node | None
) -> Iterator[Hook]:
    facts = subject.facts
    if not isinstance(entry, dict):
        subject.say("shape", where, f"is no object{_cost(subject, event)}", node)
        return
    kind = entry.get("type", None if facts.nested else "command")
    if kind not in facts.types:
        word = "has no type" if kind is None else f"is of type {kind!r}, which {facts.name} does not know"
        subject.say("type", where, f"{word}{_cost(subject, event)}", node)
        return
    if kind != "command":
        return  # nothing is started
    command = entry.get(facts.command)
    if not isinstance(command, str):
        found = "has no command" if command is None else "has a command that is no text"
        subject.say("shape", where, f"{found}{_cost(subject, event)}", node)
        return
    yield Hook(subject, event, group, entry, command, where, node)


def _at(node: unwire.Node | None, *keys: str | int) -> unwire.Node | None:
    for key in keys:
        if node is None:
            return None
        if isinstance(key, int):
            node = node.items[key].node if node.kind == "array" and key < len(node.items) else None
        else:
            node = node.get(key)
    return node
