"""One settings text, and what it must hold: one entry of ours per event, our native rules, nothing old of ours.

Works entry by entry until nothing is left to do, so a second run finds nothing. Only entries whose command ends in
the marker are ever changed; one in another quoting or of another version is replaced where it stands. Before the
text is handed on, taking ours out of it again must give exactly what taking ours out of the old text gives; if not,
the work stops and nothing is written.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from guards.wiring import unwire
from guards.wiring.text import Refused, append, head, member, step, swap

if TYPE_CHECKING:
    from guards.wiring.unwire import Way

MOST_STEPS = 500
Wanted = dict[str, dict[str, Any]]  # the harness's event name → the entry


def wire(
    text: str,
    form: ModuleType,
    wanted: Wanted,
    rules: list[str],
    record: dict[str, Any],
    env: dict[str, str] | None = None,
) -> str:
    """The text with everything in it; the record grows with what was made. env: variables that the file sets."""
    before = unwire.take_out(text, record)
    own = [rule for rule in record.get("rules", ()) if rule not in rules]
    for _ in range(MOST_STEPS):
        after = _next(text, form, wanted, rules, own, record, env or {})
        if after == text:
            break
        text = after
    record["rules"] = [rule for rule in record.get("rules", ()) if rule not in own]
    if unwire.take_out(text, record) != before:
        raise Refused("guards could not make sure that it can take its entries out again to the byte")
    return text


def _next(
    text: str,
    form: ModuleType,
    wanted: Wanted,
    rules: list[str],
    old: list[str],
    record: dict[str, Any],
    env: dict[str, str],
) -> str:
    """The text after one more step; the same text when nothing is left to do."""
    root = unwire.parse(text)
    for key, value in form.HEAD.items():
        if wanted and root.get(key) is None:
            return head(text, key, value, record)
    good: dict[str, Way] = {}
    for way in unwire.ways(root, frozenset(old)):
        event = str(way[1][0].items[way[1][1]].key)
        if way[0][0].items[way[0][1]].key == "env":
            if _counts(root, way) and env.get(event) == step(way, 2).value:
                continue
            return _variable(text, way, env.get(event), record, counts=_counts(root, way))
        entry = wanted.get(event)
        if step(way, 1).kind != "object" or way[0][0].items[way[0][1]].key != "hooks":
            return unwire.drop(text, way, record)
        if entry is None or event in good or len(way) != form.DEPTH or not _counts(root, way):
            return unwire.drop(text, way, record)
        if not form.everything(step(way, 3).plain()):
            return _widen(text, form, entry, way, record)
        if step(way, len(way)).plain() != entry:
            return swap(text, step(way, len(way)), entry)
        good[event] = way
    for event, entry in wanted.items():
        if event not in good:
            return append(text, ("hooks", event), form.group(entry), record)
    for name, value in env.items():
        if (found := _set(root, name)) is None:
            return member(text, ("env", name), value, record)
        if found != value:
            raise Refused(f"env.{name} already says {str(found)[:80]!r}, which is not from guards; take it out first")
    return _rules(text, root.plain(), rules, record)


def _set(root: unwire.Node, name: str) -> object:
    """What the file sets a variable to; None when it does not."""
    env = root.get("env")
    found = env.get(name) if env is not None else None
    return None if found is None else found.plain()


def _variable(text: str, way: Way, value: str | None, record: dict[str, Any], *, counts: bool) -> str:
    """A variable of ours that says something else, or is no longer wanted."""
    return unwire.drop(text, way, record) if value is None or not counts else swap(text, step(way, 2), value)


def _counts(root: unwire.Node, way: Way) -> bool:
    """Whether the way leads through the last of doubled keys, which alone the harness sees."""
    return all(node.get(str(node.items[index].key)) is node.items[index].node for node, index in way[:2])


def _widen(text: str, form: ModuleType, entry: dict[str, Any], way: Way, record: dict[str, Any]) -> str:
    """Our entry stands in a group that only some tools reach: a group of ours is replaced, a shared one left."""
    group = step(way, 3)
    inner = group.get("hooks")
    alone = inner is not None and len(inner.items) == 1 and {item.key for item in group.items} <= {"hooks", "matcher"}
    return swap(text, group, form.group(entry)) if alone else unwire.drop(text, way, record)


def _rules(text: str, plain: Any, rules: list[str], record: dict[str, Any]) -> str:
    permissions = plain.get("permissions") if isinstance(plain, dict) else None
    deny = permissions.get("deny") if isinstance(permissions, dict) else None
    for rule in rules:
        if not isinstance(deny, list) or rule not in deny:
            record["rules"] = list(dict.fromkeys([*record.get("rules", ()), rule]))
            return append(text, ("permissions", "deny"), rule, record)
    return text
