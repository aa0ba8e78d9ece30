"""policy/harness/<name>.toml: tools by name and by prefix, events by the harness's own names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guards.compile.build import build
from guards.compile.catalog import POLICIES
from tests.compile.house import House

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def built(tmp_path: Path, bundled: str, machine: str = "") -> tuple[Any, list[str]]:
    house = House(tmp_path)
    for folder, toml in (("policy", bundled), ("home/m", machine)):
        (house.base / folder / "harness").mkdir()
        (house.base / folder / "harness/claude.toml").write_text(toml)
    found = build(house.places, names=["harness/claude"])
    return found.sections.get("harness/claude"), found.faults


TOML = """
[[tool]]
name = "Edit"
class = "edit"
path = ["file_path"]
old = "old_string"
new = "new_string"

[[tool]]
name = "mcp__*"
class = "other"

[[tool]]
name = "mcp__files__*"
class = "write"
act = "delete"
path = ["path"]

[[event]]
wire = "PreToolUse"
name = "before-tool"
since = "2.1"

[[output]]
tool = "Read"
skip = ["image"]
"""


def test_rows_become_what_the_adapters_look_up(tmp_path: Path) -> None:
    section, faults = built(tmp_path, TOML)
    assert faults == []
    edit = section["tools"]["Edit"]
    assert (edit["class"], edit["act"], tuple(edit["path"])) == ("edit", "write", ("file_path",))
    assert (edit["old"], edit["new"]) == ("old_string", "new_string")
    assert not {"command", "prompt", "content"} & set(edit), "what a row leaves open is not there at all"
    assert [prefix for prefix, _ in section["prefixes"]] == ["mcp__files__", "mcp__"], "the longest prefix comes first"
    assert section["prefixes"][0][1]["act"] == "delete"
    assert section["events"]["PreToolUse"]["name"] == "before-tool"
    assert section["events"]["PreToolUse"]["since"] == "2.1"
    assert not [key for row in section["tools"].values() for key in row if key.startswith("_")]


def test_the_machine_teaches_a_tool(tmp_path: Path) -> None:
    section, faults = built(tmp_path, TOML, '[[tool]]\nname = "Mine"\nclass = "shell"\ncommand = "line"\n')
    assert faults == []
    assert section["tools"]["Mine"]["command"] == "line"


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ('[[tool]]\nname = "a*b"\nclass = "read"', "tool[0].name: 'a*b': a star stands only at the end"),
        ('[[tool]]\nname = "a"', "tool[0].class: is missing"),
        (
            '[[event]]\nwire = "X"\nname = "stop"\nsince = "2.x"',
            "event[0].since: '2.x' is no version, as in \"2.1.0\"",
        ),
        ('[[event]]\nname = "stop"', "event[0].wire: is missing"),
        (
            '[[event]]\nwire = "X"\nname = "stop"\n[[event]]\nwire = "X"\nname = "stop"',
            "event[1].wire: 'X' stands twice, first in event[0]",
        ),
    ],
)
def test_a_row_that_cannot_be_used_is_a_fault(tmp_path: Path, toml: str, fault: str) -> None:
    section, faults = built(tmp_path, toml)
    assert section is None
    assert faults == ["policy/harness/claude.toml: " + fault]


@pytest.mark.parametrize("name", [name for name in POLICIES if name.startswith("harness/")])
def test_the_bundled_table_names_each_neutral_event_once(tmp_path: Path, name: str) -> None:
    section = build({**House(tmp_path).places, "policy": str(ROOT / "policy")}, names=[name]).sections[name]
    neutral = [row["name"] for row in section["events"].values()]
    assert len(neutral) == len(set(neutral))
    assert "before-tool" in neutral
