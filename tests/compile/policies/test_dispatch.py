"""policy/dispatch.toml: rows become one list per event."""

from __future__ import annotations

from pathlib import Path

import pytest

from guards.compile.build import build
from tests.compile.house import House

ROW = '[[guard]]\nid = "a"\nmodule = "guards.a"\nevents = ["before-tool"]\n'


def built(tmp_path: Path, bundled: str, machine: str = "") -> tuple[object, list[str]]:
    house = House(tmp_path)
    (house.base / "policy/dispatch.toml").write_text(bundled)
    (house.base / "home/m/dispatch.toml").write_text(machine)
    found = build(house.places, names=["dispatch"])
    return found.sections.get("dispatch"), found.faults


def test_a_row_stands_under_each_of_its_events_in_order(tmp_path: Path) -> None:
    toml = """
[[guard]]
id = "a"
module = "guards.a"
events = ["before-tool", "stop", "stop"]
tools = ["write", "edit"]
match = ["mcp__*", "Exact"]

[[guard]]
id = "b"
module = "guards.b_b"
events = ["before-tool"]

[[guard]]
id = "c"
module = "guards.knowledge.c"
events = ["before-tool"]
tools = ["*", "read"]
match = ["Pointless"]

[[guard]]
id = "d"
module = "guards.d"
events = ["before-tool"]
off = true

[[guard]]
id = "e"
module = "guards.e"
events = ["before-tool"]
tools = []
match = ["Only"]
"""
    section, faults = built(tmp_path, toml)
    assert faults == []
    a = ("a", "guards.a", ("write", "edit"), ("mcp__*", "Exact"))
    assert section == {
        "before-tool": [
            a,
            ("b", "guards.b_b", None, None),
            ("c", "guards.knowledge.c", None, None),
            ("e", "guards.e", (), ("Only",)),
        ],
        "stop": [a],
    }


def test_the_machine_switches_a_guard_off_or_moves_it(tmp_path: Path) -> None:
    section, faults = built(tmp_path, ROW, '[[guard]]\nid = "a"\noff = true\n')
    assert (section, faults) == ({}, [])
    section, _ = built(tmp_path, ROW, 'disable = ["a"]')
    assert section == {}
    section, _ = built(tmp_path, ROW, '[[guard]]\nid = "a"\nevents = ["stop"]\n')
    assert section == {"stop": [("a", "guards.a", None, None)]}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (ROW.replace("guards.a", "os"), "guard[0].module: 'os' is no module of the suite, as in \"guards.human_lane\""),
        (
            ROW.replace("guards.a", "guards.a b"),
            "guard[0].module: 'guards.a b' is no module of the suite, as in \"guards.human_lane\"",
        ),
        (ROW + 'match = ["a*b"]', "guard[0].match[0]: 'a*b': a star stands only at the end"),
        ('[[guard]]\nid = "a"\nmodule = "guards.a"\n', "guard[0].events: is missing"),
        ('[[guard]]\nid = "a"\nevents = []\n', "guard[0].module: is missing"),
    ],
)
def test_a_row_that_cannot_be_asked_is_a_fault(tmp_path: Path, row: str, fault: str) -> None:
    section, faults = built(tmp_path, row)
    assert section is None
    assert faults == ["policy/dispatch.toml: " + fault]


def test_an_event_or_class_that_nobody_knows_is_told_with_those_there_are(tmp_path: Path) -> None:
    _, faults = built(tmp_path, ROW.replace("before-tool", "PreToolUse") + 'tools = ["shel"]')
    assert faults[0].startswith("policy/dispatch.toml: guard[0].events[0]: 'PreToolUse' is none of 'before-tool', ")
    assert faults[1].startswith("policy/dispatch.toml: guard[0].tools[0]: 'shel' is none of 'write', 'edit', ")
