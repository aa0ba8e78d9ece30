"""Which install folder a command speaks about, and judging outside a hook without leaving a trace."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from guards.engine import dispatch, packages, switch
from guards.engine.state import Session
from guards.engine.tables import NoTables, Tables, load
from guards.engine.world import World
from guards.wiring import place

if TYPE_CHECKING:
    from guards.engine.event import Event

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def install_folder() -> Path:
    """The install folder of this user; GUARDS is not configurable by environment, so only the platform decides."""
    return Path(platformdirs.user_data_dir("guards", appauthor=False))


def places(install: Path | None = None) -> dict[str, str]:
    """The record of the install, or what it would be for a checkout that was never installed (nothing is written)."""
    folder = install or install_folder()
    found = place.read(str(folder))
    if found is None:
        config = platformdirs.user_config_dir("guards", appauthor=False)
        found = {
            "home": str(Path.home()),
            "policy": str(CHECKOUT / "policy"),
            "machine": os.path.join(config, "policy"),
            "approvals": os.path.join(config, "approvals", "human-lane"),
            "state": platformdirs.user_state_dir("guards", appauthor=False),
            "packages": "",
            "checkout": str(CHECKOUT),
            "install": str(folder),
            "python": "",
        }
    packages.path = found.get("packages", "")
    return found


def world(record: dict[str, str], session: str = "") -> World:
    """A world whose memory is frozen: what is judged here leaves no mark."""
    return World(record, Session(record["state"], session, frozen=True))


def standing(record: dict[str, str]) -> list[str]:
    """What colours every verdict just now, a line each: a pause, guards switched off, a policy with a fault."""
    seen, said = world(record), []
    until, why = switch.pause(seen)
    if until:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(until)) + (f" ({why})" if why else "")
        said.append(f"paused until {when}: only sealed and exact paths are refused; guards pause --end ends it")
    elif words := switch.switched_off(seen):
        named = ", ".join(sorted(words))
        said.append(f"GUARDS_OFF is set here ({named}); a hook heeds it only if its harness was started with it")
    with contextlib.suppress(NoTables):
        if stale := load(record).stale:
            said.append(f"the {stale}")
    return said


def judge(event: Event, record: dict[str, str], tables: Tables | None = None) -> tuple[dispatch.Outcome, World]:
    """The same judges as in a hook, touching no state."""
    seen = world(record, event.session)
    in_force = tables or load(record)
    dispatch.prepare(event, in_force, seen)
    return dispatch.run(event, in_force, seen), seen
