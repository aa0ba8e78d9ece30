"""Each room may touch what the design says and nothing else: imports are walked, at the top and inside functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUARDS = ROOT / "guards"
HOT = ("engine", "lanes", "shell", "knowledge", "harness")
COLD = ("compile", "wiring", "reports", "fence", "cli")
NOT_GUARDS = {"__init__.py", "hook.py", "cli.py"}

# what a guard may import: the records, the machinery of its trade, nothing of the machine
FOR_GUARDS = (
    "guards.engine.event", "guards.lanes", "guards.shell", "guards.knowledge", "typing", "collections.abc",
    "unicodedata",
)  # fmt: skip
# never in a hot room, not even late: each costs more than a whole silent call, or reaches what a judge may not touch
NEVER_HOT = {
    "json", "re", "os", "typer", "tomllib", "platformdirs", "dataclasses", "pathlib", "subprocess", "logging", "enum",
    "functools", "collections", "contextlib", "shlex", "argparse", "hashlib", "rich", "__future__",
}  # fmt: skip
# the one lazy way from a hot room into a cold one, and late loads that only rare answers need
ALLOWED_LATE = {
    ("engine/tables.py", "guards.compile.build"),
    ("lanes/manifests.py", "tomllib"),
}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """(module, whether only when a function runs); what stands under TYPE_CHECKING does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    checked = {
        id(n)
        for i in ast.walk(tree)
        if isinstance(i, ast.If) and isinstance(i.test, ast.Name) and i.test.id == "TYPE_CHECKING"
        for n in ast.walk(i)
    }
    for node in ast.walk(tree):
        if id(node) in checked:
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, id(node) in inside
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            subs = [f"{module}.{n.name}" for n in node.names]
            deeper = [
                s for s in subs if module.startswith("guards") and (ROOT / (s.replace(".", "/") + ".py")).exists()
            ]
            for name_ in deeper or [module]:
                yield name_, id(node) in inside


def hot_files() -> list[Path]:
    return sorted(p for room in HOT for p in (GUARDS / room).rglob("*.py"))


def guard_files() -> list[Path]:
    return sorted(p for p in GUARDS.glob("*.py") if p.name not in NOT_GUARDS)


def short(path: Path) -> str:
    return str(path.relative_to(GUARDS))


@pytest.mark.parametrize("path", hot_files(), ids=short)
def test_a_hot_room_imports_no_cold_one_and_nothing_dear(path: Path) -> None:
    for module, late in imports(path):
        if late and (short(path), module) in ALLOWED_LATE:
            continue
        parts = module.split(".")
        assert not (parts[0] == "guards" and len(parts) > 1 and parts[1] in COLD), f"{short(path)} imports {module}"
        assert parts[0] not in NEVER_HOT, f"{short(path)} imports {module}: not on the hot path"


@pytest.mark.parametrize("path", guard_files(), ids=short)
def test_a_guard_imports_only_the_records_and_the_machinery_of_its_trade(path: Path) -> None:
    for module, _ in imports(path):
        assert module.startswith(FOR_GUARDS), f"{short(path)} imports {module}"


@pytest.mark.parametrize("path", hot_files() + guard_files(), ids=short)
def test_a_hot_module_at_its_top_imports_only_what_is_cheap(path: Path) -> None:
    plain = ("posix", "marshal", "_frozen_importlib", "sys", "time", "_json", "_signal", "select", "builtins")
    cheap = ("guards.", *plain)
    for module, late in imports(path):
        assert late or module.startswith(cheap), f"{short(path)} imports {module} at its top"


def test_the_lists_of_guards_agree() -> None:
    """A guard is a file, a policy, a row of dispatch and a heading of the manual."""
    import tomllib

    names = {p.stem.replace("_", "-") for p in guard_files()}
    rows = tomllib.loads((ROOT / "policy/dispatch.toml").read_text())["guard"]
    manual = (ROOT / "HOOKS.md").read_text().lower()
    assert {row["id"] for row in rows} == names
    for name in names:
        assert (ROOT / f"policy/{name}.toml").exists(), name
        assert f"{name}" in manual, f"{name} has no place in HOOKS.md"


def test_rooms_of_the_hook_are_the_rooms_that_exist() -> None:
    from guards import hook

    named = {room for room in hook.ROOMS if room}
    real = {"." + str(p.parent.relative_to(GUARDS)).replace("/", ".") for p in GUARDS.rglob("__init__.py")} - {"."}
    assert named <= real | {"."}
    assert {"." + room for room in HOT} <= named
