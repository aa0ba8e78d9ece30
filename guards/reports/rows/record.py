"""One row of the doctor, and what rows are made from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from guards.compile.build import Built, build
from guards.engine.state import Session
from guards.engine.tables import NoTables, Tables, load
from guards.engine.world import World
from guards.wiring import machine
from guards.wiring.machine import Target
from guards.wiring.text import Refused

OK, WARN, FAIL, NOT_RUN = "ok", "warn", "FAIL", "not run"


@dataclass(frozen=True)
class Row:
    """cure: the next step, "" when there is none to take."""

    id: str
    mark: str
    text: str
    cure: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Ground:
    """This machine as the doctor sees it; everything dear is looked at once. Nothing here leaves a trace.

    installed  whether there is an install, or only what one from this checkout would be
    project    the folder the doctor was asked in
    fire       whether the gates are fired
    """

    places: dict[str, str]
    installed: bool
    project: str
    harnesses: list[str] = field(default_factory=list)
    fire: bool = True
    environ: dict[str, str] = field(default_factory=dict)

    @cached_property
    def built(self) -> Built:
        return build(self.places)

    @cached_property
    def tables(self) -> Tables | None:
        """What is in force; nothing is compiled where no hook ever ran."""
        if not os.path.isdir(self.places["state"]):
            return None
        try:
            return load(self.places)
        except NoTables:
            return None

    @cached_property
    def world(self) -> World:
        environ = {key.encode(): value.encode("utf-8", "surrogateescape") for key, value in self.environ.items()}
        made = World(self.places, Session(self.places["state"], "", frozen=True), environ)
        made.tables, made.project = self.tables, self.project
        return made

    @cached_property
    def targets(self) -> list[Target]:
        """The settings of the harnesses here; none when none is found."""
        try:
            return machine.targets(self.places, machine.in_force(self.places, self.built), self.harnesses)
        except Refused:
            if self.harnesses:
                raise
            return []


Look = Callable[[Ground], Iterator[Row]]


def hot(rows: Iterator[tuple[str, str, str, str]]) -> Iterator[Row]:
    """Rows of the short form."""
    for row in rows:
        yield Row(*row)
