"""Codex runs no hook that its owner has not reviewed: what that means for Guards, in the real program."""

import json

import pytest

from guards.wiring.forms import codex as form
from tests.harness import drive
from tests.harness.model import Step, turn
from tests.harness.rig import Rig
from tests.harness.runs import Run
from tests.wiring.owner import trust_codex

pytestmark = pytest.mark.real


def as_reviewed(rig: Rig, *script: Step) -> Run:
    """A session that runs only what was reviewed."""
    start = drive.Start(str(rig.home), str(rig.project))
    return rig.keep(drive.codex(start, script, trusting=False))


def test_without_a_review_nothing_is_refused_and_status_says_so(codex: Rig) -> None:
    codex.install()
    as_reviewed(codex, turn(codex.write(".github/new.yml")))
    assert codex.there(".github/new.yml")
    assert "PreToolUse" in form.waiting(str(codex.settings))


def test_what_was_reviewed_runs_and_status_has_nothing_to_say(codex: Rig) -> None:
    """The fingerprint that says so is reckoned as this Codex reckons it: it runs what we hold to be trusted."""
    codex.install()
    trust_codex(codex.settings)
    run = as_reviewed(codex, turn(codex.write(".github/new.yml")))
    assert "lane 'ci'" in run.results()[0]
    assert not codex.there(".github/new.yml")
    assert form.waiting(str(codex.settings)) == []


def test_a_second_install_asks_for_no_new_review(codex: Rig) -> None:
    codex.install()
    trust_codex(codex.settings)
    codex.install()
    run = as_reviewed(codex, turn(codex.write(".github/new.yml")))
    assert "lane 'ci'" in run.results()[0]


def test_an_owners_own_hook_is_still_trusted_after_an_install(codex: Rig) -> None:
    heard = codex.path("../heard")
    mine = {"type": "command", "command": f"cat >/dev/null; echo here >> {heard}", "timeout": 10}
    codex.settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [mine]}]}}))
    key = json.dumps(f"{codex.settings}:pre_tool_use:0:0")
    trusted = f'[hooks.state.{key}]\ntrusted_hash = "{form.fingerprint("PreToolUse", mine)}"\n'
    (codex.settings.parent / "config.toml").write_text(trusted)
    as_reviewed(codex, turn(codex.shell("true")))
    codex.install()
    as_reviewed(codex, turn(codex.shell("true")))
    codex.uninstall()
    as_reviewed(codex, turn(codex.shell("true")))
    assert (codex.project / "../heard").read_text() == "here\n" * 3
