"""What a policy file may say: typed fields, each of which reads one TOML value and says exactly what is wrong.

A record is a `Table` of fields. Reading never stops at the first fault: every one is collected with its path
inside the file (`lane[3].paths[0]`), and a file with a fault is not used at all. Nothing is converted: a TOML
boolean is not a number, a string is not a list of one. Required keys are asked for after the layers are merged
(layers.py), since an upper layer names only what it changes.

Every field takes `default`, `required`, `doc`, `check` (value -> "" or what is wrong with it) and `tighter`: what a
repository's layer may do to a value that the owner's layers have set. "lower" and "higher" move a number, switch a
flag or go along `choices` (listed from loose to tight); a list of strings takes "add" (more items) or "lower"
(fewer); rows and mappings take "add" (new ones; what is there already changes by its own fields); "never" is the
owner's alone. A row that the repository brings itself is its own to fill, but for fields that are `machine_only`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from guards.compile.kinds import Field, Flag, Mapping, Nested, Number, Rows, Table, Text, Texts
from guards.compile.words import LARGEST

__all__ = ["Field", "Table", "flag", "mapping", "number", "rows", "table", "text", "texts"]


def flag(**options: Any) -> Field:
    return Flag(**options)


def number(*, minimum: float = -LARGEST, maximum: float = LARGEST, whole: bool = True, **options: Any) -> Field:
    return Number(minimum=minimum, maximum=maximum, whole=whole, **options)


def text(choices: Sequence[str] | None = None, **options: Any) -> Field:
    return Text(choices=None if choices is None else tuple(choices), **options)


def texts(choices: Sequence[str] | None = None, **options: Any) -> Field:
    return Texts(choices=None if choices is None else tuple(choices), **options)


def rows(table: Table, key: str | None = "id", **options: Any) -> Field:
    if key is not None and key not in table.fields:
        table = replace(table, fields={key: text(required=True), **table.fields})
    return Rows(table=table, key=key, **options)


def table(table: Table, **options: Any) -> Field:
    return Nested(table=table, **options)


def mapping(of: Field, **options: Any) -> Field:
    return Mapping(of=of, **options)
