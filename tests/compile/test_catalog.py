"""What counts as policy: the list, the files and the records agree."""

from __future__ import annotations

from pathlib import Path

from guards.compile.catalog import POLICIES
from guards.compile.kinds import Table

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_policy_file_is_in_the_catalog_and_the_other_way_round() -> None:
    folder = ROOT / "policy"
    files = {str(path.relative_to(folder)).removesuffix(".toml") for path in folder.rglob("*.toml")}
    assert files == set(POLICIES)


def test_every_record_is_used() -> None:
    folder = ROOT / "guards/compile/policies"
    records = {path.stem for path in folder.glob("*.py") if "\nPOLICY = " in path.read_text(encoding="utf-8")}
    assert records == {"harness", *(name.replace("-", "_") for name in POLICIES if "/" not in name)}


def test_every_policy_has_a_record_and_a_table() -> None:
    for name, module in POLICIES.items():
        assert isinstance(module.POLICY, Table), name
        assert callable(module.table), name
        assert not {"off", "disable"} & set(module.POLICY.fields), name
