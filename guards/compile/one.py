"""One policy from its layers to its table: the owner's, and that tightened by a repository's file.

A repository's file that is broken counts as it was when it was last good, laid over the owner's layers of today.
Whatever stands in it, nothing of it raises out of here, and it never takes a section away.
"""

import marshal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from guards.compile import cases, sources
from guards.compile.catalog import Policy
from guards.compile.context import Context
from guards.compile.fields import flag, texts
from guards.compile.kinds import Rows, Table
from guards.compile.layers import Kind, Layer, Row, Told, line, merge
from guards.compile.words import Faults

MANY = 50  # faults of one file that are told one by one
T = TypeVar("T")
OWNERS: tuple[Kind, ...] = ("bundled", "machine")
Section = tuple[Row, Any, bytes]  # the merged policy, its table, the table as marshal bytes


@dataclass
class Built:
    """sections: name -> table (None: switched off); packed: the same as marshal bytes.

    faults stop the policy; repository: faults of a repository's files, which only stop those files; notices: what
    was left out or means nothing. sources: (path, identity) of everything that was or could have been read.
    """

    sections: dict[str, Any] = field(default_factory=dict)
    packed: dict[str, bytes] = field(default_factory=dict)
    policies: dict[str, Row] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    repository: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    layers: dict[str, Row] = field(default_factory=dict)
    sources: list[tuple[str, tuple[int, ...] | None]] = field(default_factory=list)


@dataclass(frozen=True)
class One:
    """One policy of a build."""

    name: str
    module: Policy
    places: dict[str, str]
    repo: str | None
    built: Built

    def build(self, kept: Row | None) -> None:
        record = whole(self.module.POLICY)
        told = Told()
        owner = [self.layer(record, kind, told) for kind in OWNERS]
        layers = [layer for layer in owner if layer is not None]
        section = None if told.faults else self.section(record, layers, told)
        self.built.faults += told.faults
        self.built.notices += told.notices
        if section is None or told.faults:
            return
        if self.repo is not None and record.repository:
            section = self.with_repository(record, layers, kept) or section
        self.built.policies[self.name], self.built.sections[self.name], self.built.packed[self.name] = section

    def with_repository(self, record: Table, owner: list[Layer], kept: Row | None) -> Section | None:
        """The owner's section tightened by the repository's file, by its last good content, or not at all."""
        told = Told()
        layer = _bounded(told, self.label("repository"), lambda: self.layer(record, "repository", told))
        section = self.tightened(record, owner, layer, told)
        if told.faults and kept is not None:
            section = self.tightened(record, owner, self.kept(record, kept), told)
        self.built.repository += told.faults
        self.built.notices += told.notices
        return section

    def tightened(self, record: Table, owner: list[Layer], layer: Layer | None, told: Told) -> Section | None:
        if layer is None:
            return None
        tried = Told()
        section = self.section(record, [*owner, layer], tried)
        told.faults += tried.faults
        if section is None or tried.faults:
            return None
        self.built.layers[self.name] = layer.data
        told.notices += [said for said in tried.notices if said.startswith(layer.label)]
        return section

    def kept(self, record: Table, data: Row) -> Layer | None:
        faults = Faults()
        again = record.read(data, "", faults)
        return None if faults.found else Layer("repository", self.label("repository"), again)

    def layer(self, record: Table, kind: Kind, told: Told) -> Layer | None:
        """One file as a layer; None when it is not there, or has a fault."""
        label = self.label(kind)
        source = sources.read(kind, self.path(kind), label)
        self.built.sources.append((source.path, source.identity))
        if source.fault:
            told.faults.append(f"{label}: {source.fault}")
        elif source.data is None and kind == "bundled":
            told.faults.append(f"{label}: is missing")
        if source.data is None or source.fault:
            return None
        faults = Faults()
        data = record.read(source.data, "", faults)
        told.faults += [line(label, at, message) for at, message in faults.found[:MANY]]
        if len(faults.found) > MANY:
            told.faults.append(f"{label}: {len(faults.found) - MANY} more faults")
        return None if faults.found else Layer(kind, label, data)

    def path(self, kind: Kind) -> str:
        if kind == "repository":
            return f"{self.repo}/.guards/{self.name}.toml"
        return f"{self.places['policy' if kind == 'bundled' else 'machine']}/{self.name}.toml"

    def label(self, kind: Kind) -> str:
        """The file as its owner would write it down."""
        if kind == "bundled":
            return f"policy/{self.name}.toml"
        if kind == "repository":
            return f".guards/{self.name}.toml"
        home = self.places.get("home", "")
        path = self.path(kind)
        return "~" + path[len(home) :] if home and path.startswith(home + "/") else path

    def section(self, record: Table, layers: list[Layer], told: Told) -> Section | None:
        """(merged policy, table, marshal bytes), or None after a fault."""
        label = layers[-1].label

        def make() -> Section | None:
            policy = merge(record, layers, told)
            if told.faults:
                return None
            off = policy["off"] and not _only_locked(record, policy)
            ctx = Context(self.name, layers[0].label, self.places, self.repo, policy, record, told)
            made: Any = None if off else self.module.table(policy, ctx)
            return policy, made, marshal.dumps(made)

        return _bounded(told, label, make)


def _bounded(told: Told, label: str, make: Callable[[], T]) -> T | None:
    """The one boundary: what a record's own code raises is a fault of the file it was reading."""
    try:
        return make()
    except Exception as fault:  # noqa: BLE001
        told.faults.append(f"{label}: cannot be made into a table ({type(fault).__name__}: {fault})")
        return None


def whole(record: Table) -> Table:
    """The record with what every policy file takes."""
    common: dict[str, Any] = {
        "off": flag(machine_only=True, doc="true: this guard is off (locked rows stay)"),
        "disable": texts(machine_only=True, doc="ids of rows to be dropped"),
        "case": cases.field(),
    }
    return replace(record, fields={**common, **record.fields})


def _only_locked(record: Table, policy: Row) -> bool:
    """Leaves only the rows that no layer may touch; False when there are none and the whole section goes."""
    any_left = False
    for key, known in record.fields.items():
        if isinstance(known, Rows):
            locked = known.table.locked
            policy[key] = [row for row in policy[key] if locked is not None and locked(row, "machine")]
            any_left = any_left or bool(policy[key])
    return any_left
