"""The kinds of fields a record is made of; `read` returns the value, or MISSING after it has added a fault."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from guards.compile import words
from guards.compile.words import LARGEST, MISSING, Faults, Missing, dotted

Tighter = Literal["lower", "higher", "add", "never"]
Check = Callable[[Any], str]  # "" or what is wrong with the value


@dataclass(frozen=True, kw_only=True)
class Field:
    """One key of a record. `read` returns the value, or MISSING after it has added a fault."""

    default: Any = None
    required: bool = False
    tighter: Tighter = "never"
    machine_only: bool = False
    doc: str = ""
    check: Check | None = None

    directions: ClassVar[tuple[str, ...]] = ("never",)  # what `tighter` may be for this kind
    expected: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if self.tighter not in self.directions:
            raise TypeError(f"{type(self).__name__}: tighter may be {self.directions}, not {self.tighter!r}")

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        raise NotImplementedError

    def wrong(self, value: Any, at: str, faults: Faults) -> Missing:
        return faults.add(at, f"expected {self.expected}, found {words.called(value)}")

    def checked(self, value: Any, at: str, faults: Faults) -> Any:
        message = self.check(value) if self.check is not None else ""
        return faults.add(at, message) if message else value


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    default: bool = False
    directions: ClassVar[tuple[str, ...]] = ("lower", "higher", "never")
    expected: ClassVar[str] = "true or false"

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, bool):
            return self.wrong(value, at, faults)
        return self.checked(value, at, faults)


@dataclass(frozen=True, kw_only=True)
class Number(Field):
    minimum: float = -LARGEST
    maximum: float = LARGEST
    whole: bool = True
    directions: ClassVar[tuple[str, ...]] = ("lower", "higher", "never")

    @property
    def expected(self) -> str:  # type: ignore[override]
        return "a whole number" if self.whole else "a number"

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        fraction = isinstance(value, float) and math.isfinite(value) and not self.whole
        if isinstance(value, bool) or not (isinstance(value, int) or fraction):
            return self.wrong(value, at, faults)
        shown = value if abs(value) <= LARGEST else "far off"
        if value < self.minimum:
            return faults.add(at, f"must be at least {self.minimum}, is {shown}")
        if value > self.maximum:
            return faults.add(at, f"must be at most {self.maximum}, is {shown}")
        return self.checked(value, at, faults)


@dataclass(frozen=True, kw_only=True)
class Text(Field):
    """`choices` are listed from loose to tight where `tighter` is "lower" or "higher"."""

    default: str | None = ""
    choices: tuple[str, ...] | None = None
    empty: bool = True
    directions: ClassVar[tuple[str, ...]] = ("lower", "higher", "never")
    expected: ClassVar[str] = "a string"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tighter != "never" and self.choices is None:
            raise TypeError("text without choices has no tighter direction")
        if self.choices is not None and self.default and self.default not in self.choices:
            raise TypeError(f"{self.default!r} is none of the choices")

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, str):
            return self.wrong(value, at, faults)
        message = words.word_fault(value, self.choices, self.empty and not self.required)
        return faults.add(at, message) if message else self.checked(value, at, faults)


@dataclass(frozen=True, kw_only=True)
class Texts(Field):
    """A list of strings; `patterns` are file patterns, which a repository may give only relative to itself."""

    default: Sequence[str] = ()
    choices: tuple[str, ...] | None = None
    patterns: bool = False
    directions: ClassVar[tuple[str, ...]] = ("add", "lower", "never")
    expected: ClassVar[str] = "a list of strings"

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, list):
            return self.wrong(value, at, faults)
        return kept([self.item(v, f"{at}[{i}]", faults) for i, v in enumerate(value)])

    def item(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, str):
            return faults.add(at, f"expected a string, found {words.called(value)}")
        message = words.word_fault(value, self.choices, empty=False)
        return faults.add(at, message) if message else self.checked(value, at, faults)


@dataclass(frozen=True, kw_only=True)
class Rows(Field):
    """A list of tables, merged by `key`, key by key; without a key the layers' rows are only joined."""

    table: "Table"
    key: str | None = "id"
    default: Sequence[Any] = ()
    directions: ClassVar[tuple[str, ...]] = ("add", "never")
    expected: ClassVar[str] = "a list of tables"

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, list):
            return self.wrong(value, at, faults)
        rows = [self.table.read(v, f"{at}[{i}]", faults) for i, v in enumerate(value)]
        if self.key is not None:
            self._keys(rows, at, faults)
        return kept(rows)

    def _keys(self, rows: list[Any], at: str, faults: Faults) -> None:
        first: dict[str, int] = {}
        for i, row in enumerate(rows):
            if row is MISSING or row.get(self.key, "") is MISSING:
                continue
            name = row.get(self.key)
            place = f"{at}[{i}].{self.key}"
            if name is None:
                faults.add(place, "is missing")
            elif not name.isprintable() or name != name.strip() or not name:
                faults.add(place, f"{words.shown(name)} is no name: one line, not empty, no spaces around it")
            elif name in first:
                faults.add(place, f"{words.shown(name)} stands twice, first in {at}[{first[name]}]")
            else:
                first[name] = i


@dataclass(frozen=True, kw_only=True)
class Nested(Field):
    """A table inside the record, merged key by key."""

    table: "Table"
    directions: ClassVar[tuple[str, ...]] = ("never",)

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        return self.table.read(value, at, faults)


@dataclass(frozen=True, kw_only=True)
class Mapping(Field):
    """A table of the owner's own keys, each value read by `of`."""

    of: Field
    directions: ClassVar[tuple[str, ...]] = ("add", "never")
    expected: ClassVar[str] = "a table"

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.of, Rows | Nested | Mapping):
            raise TypeError("a mapping holds plain values")

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, dict):
            return self.wrong(value, at, faults)
        out = {}
        for key, item in value.items():
            if message := words.word_fault(key, None, empty=False):
                faults.add(dotted(at, key), f"this key {message}")
            out[key] = self.of.read(item, dotted(at, key), faults)
        return out if MISSING not in out.values() else MISSING


@dataclass(frozen=True)
class Table:
    """A record. `check(value, where)` is asked once the layers are merged and returns "field: message" strings.

    `locked(row, layer)` says why an upper layer ("machine" or "repository") may not touch this row, "" when it may.
    `repository` is False where a repository's layer has no say at all.
    """

    fields: dict[str, Field]
    check: Callable[[dict[str, Any], str], list[str]] | None = None
    locked: Callable[[dict[str, Any], str], str] | None = None
    repository: bool = True

    def read(self, value: Any, at: str, faults: Faults) -> Any:
        if not isinstance(value, dict):
            return faults.add(at, f"expected a table, found {words.called(value)}")
        out: dict[str, Any] = {}
        for key, item in value.items():
            known = self.fields.get(key)
            if known is None:
                faults.add(dotted(at, key), words.unknown_key(key, list(self.fields)))
            else:
                out[key] = known.read(item, dotted(at, key), faults)
        return out


def kept(items: list[Any]) -> Any:
    """The list, or MISSING when one of its items had a fault."""
    return MISSING if any(item is MISSING for item in items) else items
