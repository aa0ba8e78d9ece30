"""Lays one policy's layers on top of each other: bundled, then the machine's, then a repository's.

Rows merge by their key, key by key. Each merged table carries where every key came from: `_source` (the label of the
last layer that touched it) and `_places` (key -> (label, path inside that file)). The machine's layer may change
anything but locked rows; a repository's may only tighten (tighten.py), and what it may not do is left out with a
notice. Faults stop the policy from being used; notices do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from guards.compile import tighten
from guards.compile.kinds import Field, Mapping, Nested, Rows, Table
from guards.compile.words import dotted, nearest, shown

Kind = Literal["bundled", "machine", "repository"]
Row = dict[str, Any]


@dataclass(frozen=True)
class Layer:
    """One file's checked content: `label` as the owner would write its path."""

    kind: Kind
    label: str
    data: Row


@dataclass
class Told:
    """What is to be said about a policy: whole lines, `policy/human-lane.toml: lane[3].paths[0]: …`."""

    faults: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def line(label: str, at: str, message: str) -> str:
    return f"{label}: {at}: {message}" if at else f"{label}: {message}"


def merge(table: Table, layers: Sequence[Layer], told: Told) -> Row:
    """The policy in force, complete with defaults; only to be used when `told` gained no fault."""
    into = _empty(layers[0].label)
    for layer in layers:
        _Merge(layer, told).overlay(table, into, layer.data, "", fresh=layer.kind != "repository")
        _drop(table, into, layer, told)
    _finish(table, into, (layers[0].label, ""), told)
    return into


def _empty(label: str) -> Row:
    return {"_source": label, "_places": {}}


@dataclass(frozen=True)
class _Merge:
    layer: Layer
    told: Told

    def notice(self, at: str, message: str) -> None:
        self.told.notices.append(line(self.layer.label, at, message))

    def overlay(self, table: Table, into: Row, data: Row, at: str, *, fresh: bool) -> None:
        """Puts `data` over `into`. `fresh`: nothing of a higher right is there yet, so every value counts."""
        for key, value in data.items():
            place = dotted(at, key)
            known = table.fields[key]
            if isinstance(known, Rows):
                into[key] = self.rows(known, into.get(key, []), value, place, fresh=fresh)
            elif isinstance(known, Nested):
                inner = into.setdefault(key, _empty(self.layer.label))
                inner["_source"] = self.layer.label
                self.overlay(known.table, inner, value, place, fresh=fresh)
            elif isinstance(known, Mapping):
                into[key] = self.mapping(known, into.get(key, known.default or {}), value, place, fresh=fresh)
            elif not self.leaf(known, into, key, value, place, fresh=fresh):
                continue
            into["_places"][key] = (self.layer.label, place)
        into["_source"] = self.layer.label

    def leaf(self, known: Field, into: Row, key: str, value: Any, at: str, *, fresh: bool) -> bool:
        if self.layer.kind == "repository":
            old = tighten.NOTHING if fresh else into.get(key, known.default)
            value, said = tighten.leaf(known, old, value)
            for where, message in said:
                self.notice(at + where, message)
            if value is tighten.NOTHING:
                return False
        into[key] = value
        return True

    def mapping(self, known: Mapping, old: Row, new: Row, at: str, *, fresh: bool) -> Row:
        out = dict(old)
        for key, value in new.items():
            place = dotted(at, key)
            added = fresh or key not in old
            if self.layer.kind == "repository" and added and not fresh and known.tighter != "add":
                self.notice(place, tighten.OWNERS)
            else:
                holder = {"value": old[key]} if key in old else {}
                if self.leaf(known.of, holder, "value", value, place, fresh=added):
                    out[key] = holder["value"]
        return out

    def rows(self, known: Rows, old: list[Row], new: list[Row], at: str, *, fresh: bool) -> list[Row]:
        out = list(old)
        where = {row[known.key]: i for i, row in enumerate(out)} if known.key is not None else {}
        for i, given in enumerate(new):
            place = f"{at}[{i}]"
            found = where.get(given.get(known.key)) if known.key is not None else None
            if found is not None:
                out[found] = self.again(known, out[found], given, place)
            elif (row := self.added(known, given, place, free=fresh or known.tighter == "add")) is not None:
                out.append(row)
        return out

    def again(self, known: Rows, old: Row, given: Row, at: str) -> Row:
        """An upper layer's word on a row that is there."""
        why = known.table.locked(_plain(known.table, old), self.layer.kind) if known.table.locked else ""
        changed = {key: value for key, value in given.items() if key != known.key}
        if why and changed:
            message = f"this row is {why}, so this layer cannot change it"
            if self.layer.kind == "repository":
                self.notice(at, message + "; left out")
            else:
                self.told.faults.append(line(self.layer.label, at, message))
            return old
        row = {**old, "_places": dict(old["_places"])}
        self.overlay(known.table, row, changed, at, fresh=self.layer.kind != "repository")
        return row

    def added(self, known: Rows, given: Row, at: str, *, free: bool) -> Row | None:
        row = _empty(self.layer.label)
        row["_places"][""] = (self.layer.label, at)
        if not free and self.layer.kind == "repository":
            self.notice(at, tighten.OWNERS)
            return None
        self.overlay(known.table, row, given, at, fresh=True)
        lost = [key for key in given if key not in row and known.table.fields[key].required]
        if lost:
            self.notice(at, f"nothing of {lost[0]!r} is left, so the whole row is left out")
            return None
        return row


def _plain(table: Table, row: Row) -> Row:
    """The row with defaults, for a `locked` that asks for a key the file did not name."""
    return {**{key: known.default for key, known in table.fields.items()}, **row}


def _drop(table: Table, into: Row, layer: Layer, told: Told) -> None:
    """`disable = ["id"]` of this layer."""
    if layer.kind == "repository":
        return
    lists = [(key, known) for key, known in table.fields.items() if isinstance(known, Rows) and known.key]
    for i, name in enumerate(layer.data.get("disable", ())):
        at = f"disable[{i}]"
        ids = [row[known.key] for key, known in lists for row in into.get(key, ())]
        if name not in ids:
            near = nearest(name, ids)
            hint = f"; the nearest is {near!r}" if near else ""
            told.notices.append(line(layer.label, at, f"no row has the id {shown(name)}{hint}"))
        for key, known in lists:
            into[key] = [row for row in into.get(key, ()) if not _gone(known, row, name, layer, at, told)]


def _gone(known: Rows, row: Row, name: str, layer: Layer, at: str, told: Told) -> bool:
    if row[known.key or ""] != name:
        return False
    why = known.table.locked(_plain(known.table, row), layer.kind) if known.table.locked else ""
    if why and layer.kind != "bundled":
        told.faults.append(line(layer.label, at, f"the row {name!r} is {why}, so this layer cannot drop it"))
        return False
    return True


def _finish(table: Table, into: Row, here: tuple[str, str], told: Told) -> None:
    """Defaults, required keys, then the record's own check, here and in every table beneath."""
    label, at = here
    for key, known in table.fields.items():
        place = into["_places"].get(key, (label, dotted(at, key)))
        if isinstance(known, Rows):
            into.setdefault(key, list(known.default))
            for row in into[key]:
                _finish(known.table, row, row["_places"][""], told)
        elif isinstance(known, Nested) and (key in into or not _needy(known.table)):
            _finish(known.table, into.setdefault(key, _empty(label)), place, told)
        elif key not in into:
            if known.required:
                told.faults.append(line(label, dotted(at, key), "is missing"))
            into[key] = _default(known)
    for said in table.check(into, f"{label}: {at}" if at else label) if table.check else ():
        told.faults.append(_placed(table, into, here, said))


def _needy(table: Table) -> bool:
    return any(known.required for known in table.fields.values())


def _default(known: Field) -> Any:
    if isinstance(known.default, list | tuple):
        return list(known.default)
    if isinstance(known, Mapping):
        return dict(known.default or {})
    return known.default


def _placed(table: Table, into: Row, here: tuple[str, str], said: str) -> str:
    """A check's "field: message" with the place of that field in the layer that set it."""
    path, colon, message = said.partition(": ")
    key = path.partition(".")[0].partition("[")[0]
    if not colon or key not in table.fields:
        return line(*here, said)
    label, place = into["_places"].get(key, (here[0], dotted(here[1], key)))
    return line(label, place + path[len(key) :], message)
