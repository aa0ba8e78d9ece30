"""One policy compiled in this process: the bundled file, and perhaps the machine's own on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guards.compile.build import Built, build
from tests.machine import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def built(name: str, folder: Path, toml: str = "") -> Built:
    """The policy of this name; `toml` is the machine's own file."""
    machine = folder / "machine"
    machine.mkdir(mode=0o700, exist_ok=True)
    if toml:
        (machine / f"{name}.toml").write_text(toml, encoding="utf-8")
        (machine / f"{name}.toml").chmod(0o600)
    places = {"policy": str(ROOT / "policy"), "machine": str(machine), "home": str(folder), "checkout": str(ROOT)}
    return build(places, names=[name])


def compiled(name: str, folder: Path, toml: str = "") -> Any:
    """Its section; it must compile without a fault."""
    made = built(name, folder, toml)
    assert made.faults == []
    return made.sections[name]
