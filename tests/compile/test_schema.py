"""The schemas editors get: current, named by every policy file, and of one mind with the readers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guards.compile import schema
from guards.compile.catalog import POLICIES
from tests.compile.house import House

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_schemas_are_current() -> None:
    """If not: .venv/bin/python -m guards.compile.schema"""
    found = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "policy/schema").iterdir()}
    assert found == schema.documents()


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_file_names_its_schema_in_its_first_line(name: str) -> None:
    first = (ROOT / f"policy/{name}.toml").read_text(encoding="utf-8").partition("\n")[0]
    start = "../" if "/" in name else ""
    assert first == f"#:schema {start}schema/{schema.file_name(name)}"
    assert (ROOT / f"policy/{name}.toml").parent.joinpath(first.partition(" ")[2]).is_file()


def test_every_kind_of_field_is_described(house: House) -> None:
    found = json.loads(schema.documents()["sample.json"])
    assert found["title"] == "policy/sample.toml"
    assert found["additionalProperties"] is False
    properties = found["properties"]
    expected: dict[str, Any] = {
        "strict": {"type": "boolean", "description": "every file; a repository may only raise it", "default": False},
        "limit": {
            "type": "integer", "minimum": 1, "maximum": 100, "description": "a repository may only lower it",
            "default": 10,
        },
        "greeting": {"type": "string"},
        "level": {"type": "string", "enum": ["low", "high"], "description": "a repository may only raise it"},
        "names": {
            "type": "object", "additionalProperties": {"type": "string"},
            "description": "a repository may only add to it",
        },
        "disable": {
            "type": "array", "items": {"type": "string", "minLength": 1}, "description": "ids of rows to be dropped",
        },
    }  # fmt: skip
    assert {key: properties[key] for key in expected} == expected
    assert properties["ratio"]["type"] == "number"
    assert properties["deep"]["properties"]["must"] == {"type": "boolean", "default": True}
    assert properties["deep"]["additionalProperties"] is False
    row = properties["lane"]["items"]
    assert row["required"] == ["id"]
    assert row["properties"]["id"] == {"type": "string", "minLength": 1}
    assert row["properties"]["except"]["description"] == "a repository may only shorten it"
    assert row["properties"]["acts"]["default"] == ["write", "delete"]
    assert "required" not in properties["loose"]["items"]


def test_writing_changes_only_what_changed_and_takes_away_what_is_gone(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "schema"
    assert schema.write(str(folder)) == ["sample.json"]
    assert schema.write(str(folder)) == []
    (folder / "gone.json").write_text("{}")
    (folder / "sample.json").write_text("{}")
    assert schema.write(str(folder)) == ["gone.json", "sample.json"]
    assert [path.name for path in folder.iterdir()] == ["sample.json"]
