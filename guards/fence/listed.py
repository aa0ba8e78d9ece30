"""What the fence holds for a command in this folder, as a list: to be looked at, and for other programs' sandboxes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from guards.compile.build import rebuild
from guards.engine import tables
from guards.engine.event import Event
from guards.engine.state import Session
from guards.engine.world import World
from guards.fence import bubble, protect

if TYPE_CHECKING:
    from guards.lanes.planning import Found


def ground(places: dict[str, str]) -> tuple[World, Event, dict[str, Any]]:
    """The machine as a command here would find it, and the table of policy/fence.toml."""
    world = World(places, Session("", ""))
    if not os.path.exists(tables.file_of(places)):
        rebuild(places)
    world.tables = tables.load(places)
    fence = world.rules("fence")
    if fence is None:
        raise ValueError("policy/fence.toml is switched off")
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = os.getcwd()
    world.project = event.project
    return world, event, fence


def found(places: dict[str, str]) -> Found:
    """What is held here. Raises OSError when there is too much to search."""
    world, event, fence = ground(places)
    try:
        return protect.found(world, event, fence, keep=False)
    except bubble.Refused as fault:
        raise OSError(str(fault)) from fault


def readonly(places: dict[str, str]) -> list[str]:
    """The paths that another program's sandbox would have to make read-only."""
    return [path for kind, path in found(places).plan if kind == "hold"]
