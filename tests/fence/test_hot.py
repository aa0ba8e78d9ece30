"""The fence's own program is hot: what it loads and imports is what a hook may load."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.fence.conftest import Yard
from tests.machine import ROOT
from tests.test_rooms import COLD, NEVER_HOT, imports

HOT = ("prefix", "door", "inside", "protect", "bubble")


@pytest.mark.parametrize("name", HOT)
def test_a_hot_module_of_the_fence_imports_nothing_dear(name: str) -> None:
    for module, _ in imports(ROOT / f"guards/fence/{name}.py"):
        parts = module.split(".")
        assert parts[0] not in NEVER_HOT, module
        cold = parts[0] == "guards" and len(parts) > 1 and parts[1] in COLD
        assert not cold or (parts[1] == "fence" and parts[2] in HOT), module


def test_a_warm_call_loads_little(yard: Yard) -> None:
    """What stands in memory just before the walls go up, when nothing changed since the last command."""
    yard.fenced("true")
    code = str(Path(yard.machine.install / "code"))
    text = f"""
import sys
sys.argv = ["{code}/fence/prefix.py"]
source = open(sys.argv[0]).read().replace('if __name__ == "__main__":', "if False:")
exec(compile(source, sys.argv[0], "exec"))
module = type(sys)
for room in ROOMS:
    package = module("guards" + room)
    package.__path__ = ["{code}" + room.replace(".", "/")]
    sys.modules["guards" + room] = package
from guards.engine.loader import Loader
sys.meta_path.insert(0, Loader("{code}"))
from guards.fence import bubble, door, inside
bubble.Helper.enter = lambda *_: print(*sorted(sys.modules))
inside.run("{yard.machine.install}", [b"true"], b"true", door._environ())
"""
    done = subprocess.run(
        [str(yard.machine.install / "py"), "-IS", "-c", text], cwd=yard.repo, env=yard.machine.env(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    loaded = set(done.stdout.split())
    assert "guards.fence.bubble" in loaded, done.stderr
    assert not loaded & (NEVER_HOT - {"os"} | {"regex", "unicodedata", "tomllib", "importlib.util"})
    assert not loaded & {"os", "_json", "guards.lanes.tree", "guards.lanes.holds", "guards.lanes.approvals"}
