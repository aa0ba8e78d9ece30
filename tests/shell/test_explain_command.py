"""`guards explain 'COMMAND'`: what was read and by whom, what would be touched, what is not known and why."""

from __future__ import annotations

from guards.reports.explain_command import explain
from tests.shell.ground import Ground


def test_explain_shows_steps_effects_and_what_was_not_read(ground: Ground) -> None:
    places = {**ground.machine.places, "home": str(ground.home)}
    command = 'cd ops && sed -i s/a/b/ live.conf; rm "$NOWHERE/x"; mytool README.md; npm test'
    report, lines = explain(command, str(ground.repo), places)
    assert report["verdict"] == "deny"
    assert [step["argv"][0] for step in report["steps"]][:3] == ["cd", "sed", "rm"]
    found = {(e["certainty"], e["act"], e["lane"]) for e in report["effects"]}
    assert ("exact", "write", "ours") in found
    assert any(e["certainty"] == "unknown" and "variable NOWHERE" in e["cause"] for e in report["effects"])
    text = "\n".join(lines)
    assert "read by   tree-sitter" in text
    assert "in " + str(ground.repo / "ops") in text
    assert "runs code that is not read" in text
    assert "verdict: deny" in text
