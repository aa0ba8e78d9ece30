"""The code that makes tables is one of their sources."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from guards.compile import code, words
from guards.engine import tables
from guards.engine.world import join
from guards.shell import steps
from guards.shell.steps import Step

ROOT = Path(__file__).resolve().parent.parent.parent


def names(places: dict[str, str], *policies: Any) -> dict[str, Any]:
    return dict(code.sources(places, policies))


def test_what_a_policys_module_takes_from_other_rooms_counts() -> None:
    inside = str(ROOT / "guards")
    assert f"{inside}/compile/fields.py" in names({})
    assert f"{inside}/compile/policies/dispatch.py" in names({})
    assert f"{inside}/shell/steps.py" not in names({})
    assert f"{inside}/shell/steps.py" in names({}, SimpleNamespace(taken=Step))
    assert f"{inside}/shell/steps.py" in names({}, SimpleNamespace(taken=steps))
    assert names({}, SimpleNamespace(taken=join, more=tables)) == names({}), "the engine only reads tables"
    assert names({}, SimpleNamespace(taken=os, other=3, more=words.nearest)) == names({})


def test_the_installed_path_is_named_so_that_a_pinned_copy_compiles_for_itself(tmp_path: Path) -> None:
    install = tmp_path / "install"
    install.mkdir()
    (install / "code").symlink_to(ROOT / "guards")
    live = names({"install": str(install)})
    assert all(path.startswith(f"{install}/code/") for path in live)
    assert tables.fresh((tables.VERSION, tables.runtime(), tuple(live.items())))
    (install / "code").unlink()
    shutil.copytree(ROOT / "guards", install / "code", ignore=shutil.ignore_patterns("__pycache__"))
    pinned = names({"install": str(install)})
    assert set(pinned) == set(live)
    assert not tables.fresh((tables.VERSION, tables.runtime(), tuple(pinned.items())))
