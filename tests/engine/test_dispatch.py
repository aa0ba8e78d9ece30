"""The three modes, joined refusals, and marks that are made only for what is delivered."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from guards.engine import dispatch
from guards.engine.event import MODES, Event, Verdict
from guards.engine.state import Session
from guards.engine.world import World


class Fixed:
    """Tables made of plain rows."""

    stale = ""

    def __init__(self, rows: dict[str, Any], sections: dict[str, Any]) -> None:
        self.sections = {"dispatch": rows, **sections}

    def get(self, name: str) -> Any:
        return self.sections.get(name)


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Judges an event by {guard: what it does}; gives back the outcome and the world."""

    def run(
        name: str, guards: dict[str, Any], rows: dict[str, tuple[Any, Any]] | None = None, kind: str = "write"
    ) -> Any:
        table = []
        for guard, does in guards.items():
            module = ModuleType(f"stand_in.{guard}")
            module.judge = does if callable(does) else (lambda *_, said=does: said)  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)
            table.append((guard, module.__name__, *(rows or {}).get(guard, (None, None))))
        world = World({"state": str(tmp_path)}, Session(str(tmp_path), "s"), environ={})
        event = Event("claude", name, {})
        event.tool, event.kind = "Write", kind
        tables: Any = Fixed({name: table}, {guard: {} for guard in guards})
        world.tables = tables
        return dispatch.run(event, tables, world), world

    return run


def deny(name: str = "g") -> Verdict:
    return Verdict(name, "deny", "no")


def fail(*_: Any) -> None:
    raise RuntimeError("broken inside")


def said(outcome: Any) -> list[tuple[str, str]]:
    return [(v.guard, v.action) for v in outcome.verdicts]


def test_before_a_tool_every_guard_runs_and_one_that_fails_refuses_by_name(judge: Any) -> None:
    outcome, _ = judge("before-tool", {"a": fail, "b": deny("b"), "c": None, "d": Verdict("d", "note", "n")})
    assert said(outcome) == [("b", "deny"), ("d", "note"), ("a", "deny")]
    assert "broken inside" in outcome.verdicts[-1].text


@pytest.mark.parametrize("name", [n for n, mode in MODES.items() if mode == "gate_all"])
def test_at_prompt_and_stop_a_refusal_refuses_and_one_that_fails_stays_silent(judge: Any, name: str) -> None:
    outcome, _ = judge(name, {"a": fail, "b": deny("b")})
    assert said(outcome) == [("b", "deny")]
    assert [guard for guard, _ in outcome.faults] == ["a"]


@pytest.mark.parametrize("name", [n for n, mode in MODES.items() if mode == "observe"])
def test_where_one_only_observes_a_refusal_is_a_fault_and_notes_are_said(judge: Any, name: str) -> None:
    outcome, _ = judge(name, {"a": fail, "b": deny("b"), "c": Verdict("c", "note", "n")})
    assert said(outcome) == [("c", "note")]
    assert [guard for guard, _ in outcome.faults] == ["a", "b"]


def test_watch_goes_to_the_journal_alone(judge: Any) -> None:
    outcome, _ = judge("before-tool", {"a": Verdict("a", "watch", "would refuse")})
    assert said(outcome) == []
    assert [v.guard for v in outcome.watched] == ["a"]


def test_a_guard_whose_section_is_switched_off_is_not_asked(judge: Any, tmp_path: Path) -> None:
    event = Event("claude", "before-tool", {})
    tables: Any = Fixed({"before-tool": [("a", "no.such.module", None, None)]}, {})
    world = World({"state": str(tmp_path)}, Session(str(tmp_path), "s"), environ={})
    world.tables = tables
    assert said(dispatch.run(event, tables, world)) == []


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ((None, None), True),
        ((("write", "edit"), None), True),
        ((("shell",), None), False),
        ((("shell",), ("Write",)), True),
        ((("shell",), ("Wri*",)), True),
        ((("shell",), ("Writer", "rite")), False),
    ],
)
def test_a_row_is_for_a_class_of_tools_or_for_names(judge: Any, row: Any, wanted: bool) -> None:
    outcome, _ = judge("before-tool", {"a": deny("a")}, {"a": row})
    assert bool(outcome.verdicts) is wanted


def test_marks_are_made_only_when_asked_to_and_a_second_note_is_dropped(judge: Any) -> None:
    note = Verdict("a", "note", "n", marks=(("once", "bash:cat"), ("add", "told", "cat")))
    outcome, world = judge("after-tool", {"a": note})
    assert not world.session.marked("bash:cat")
    assert dispatch.commit(world, outcome.verdicts) == [note]
    assert world.session.records("told") == ["cat"]
    assert dispatch.commit(world, outcome.verdicts) == []
    assert world.session.records("told") == ["cat"]


def test_a_refusal_is_delivered_however_often_it_was_marked(judge: Any) -> None:
    verdict = Verdict("a", "deny", "no", marks=(("once", "k"),))
    _, world = judge("before-tool", {"a": verdict})
    assert dispatch.commit(world, [verdict]) == [verdict]
    assert dispatch.commit(world, [verdict]) == [verdict]


def test_records_can_be_forgotten(judge: Any) -> None:
    _, world = judge("session-start", {"a": None})
    world.session.add("told", "x")
    dispatch.commit(world, [Verdict("a", "note", "", marks=(("forget", "told"),))])
    assert world.session.records("told") == []
