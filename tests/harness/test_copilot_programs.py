"""What the wiring of Copilot CLI stands on, seen in the real program without any guard: hooks made by hand."""

import json

import pytest

from tests.harness.copilot import Rig, by_hand
from tests.harness.model import turn
from tests.harness.runs import Keep
from tests.machine import Machine

pytestmark = pytest.mark.real

DENY = json.dumps({"permissionDecision": "deny", "permissionDecisionReason": "not this file"})
READ = "cat >/dev/null"
TRUSTED = {"COPILOT_ALLOW_ALL": "true"}


@pytest.fixture
def copilot(machine: Machine, keep: Keep) -> Rig:
    return Rig(machine, keep)


def test_exit_2_refuses_and_the_reason_is_the_documents(copilot: Rig) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; echo '{DENY}'; echo aside >&2; exit 2"))
    run = copilot.run(turn(copilot.write("a.txt")))
    assert not copilot.there("a.txt")
    assert "not this file" in run.results()[0]
    assert "aside" not in run.results()[0]


@pytest.mark.parametrize("end", ["echo gone >&2; exit 2", "echo gone >&2; exit 1", "/nowhere/at/all"])
def test_every_code_but_0_refuses_and_the_model_is_not_told_why(copilot: Rig, end: str) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; {end}"))
    run = copilot.run(turn(copilot.write("a.txt")))
    assert not copilot.there("a.txt")
    assert "Denied by preToolUse hook" in run.results()[0]
    assert "gone" not in run.results()[0]


def test_a_hook_that_is_out_of_time_lets_the_call_pass(copilot: Rig) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; sleep 4; exit 2", timeoutSec=1))
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")


def test_a_silent_hook_leaves_the_call_alone(copilot: Rig) -> None:
    copilot.hooks(preToolUse=by_hand(READ))
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")


@pytest.mark.parametrize("answer", ['{"decision":"block","reason":"x"}', f"text {DENY}", f"{DENY}\n{DENY}"])
def test_other_documents_refuse_nothing_before_a_tool(copilot: Rig, answer: str) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; echo '{answer}'"))
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")


@pytest.mark.parametrize("matcher", ["*", "", "crea"])
def test_a_matcher_is_a_whole_pattern_and_a_star_is_none(copilot: Rig, matcher: str) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; exit 2", matcher=matcher))
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")


@pytest.mark.parametrize("before", ["\ufeff", "// mine\n"])
def test_a_file_with_a_byte_order_mark_or_a_comment_is_not_read(copilot: Rig, before: str) -> None:
    copilot.hooks(preToolUse=by_hand(f"{READ}; exit 2"))
    copilot.settings.write_text(before + copilot.settings.read_text())
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")


def test_an_unknown_event_and_a_broken_entry_cost_nothing_else(copilot: Rig) -> None:
    entry = by_hand(f"{READ}; exit 2")
    copilot.hooks(somethingNew=entry, postToolUse={"type": "nonsense"}, preToolUse=[{"type": "nonsense"}, entry])
    copilot.run(turn(copilot.write("a.txt")))
    assert not copilot.there("a.txt")


@pytest.mark.parametrize("name", [".github/copilot/settings.json", ".claude/settings.json"])
def test_a_project_can_silence_the_owners_hooks_once_it_is_trusted(copilot: Rig, name: str) -> None:
    copilot.put(name, json.dumps({"disableAllHooks": True}))
    copilot.hooks(preToolUse=by_hand(f"{READ}; exit 2"))
    copilot.run(turn(copilot.write("a.txt")))
    assert not copilot.there("a.txt")
    copilot.run(turn(copilot.write("b.txt")), env=TRUSTED)
    assert copilot.there("b.txt")


def test_a_trusted_projects_hooks_for_claude_code_are_run_too(copilot: Rig) -> None:
    entry = {"type": "command", "command": "cat >/dev/null; exit 2"}
    copilot.put(".claude/settings.json", json.dumps({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}))
    copilot.run(turn(copilot.write("a.txt")))
    assert copilot.there("a.txt")
    copilot.run(turn(copilot.write("b.txt")), env=TRUSTED)
    assert not copilot.there("b.txt")


def test_a_prompt_can_be_held_back_and_a_stop_gone_on_from(copilot: Rig) -> None:
    block = json.dumps({"decision": "block", "reason": "one more thing"})
    copilot.hooks(agentStop=by_hand(f"grep -q 'stop_hook_active\":true' || echo '{block}'"))
    run = copilot.run()
    assert "one more thing" in run.shown()


@pytest.mark.parametrize(
    ("event", "script"),
    [("sessionStart", []), ("userPromptSubmitted", []), ("preToolUse", ["w"]), ("postToolUse", ["w"])],
)
def test_context_reaches_the_model(copilot: Rig, event: str, script: list[str]) -> None:
    note = json.dumps({"additionalContext": "the house rule"})
    copilot.hooks(**{event: by_hand(f"{READ}; echo '{note}'")})
    run = copilot.run(*[turn(copilot.write("a.txt")) for _ in script])
    assert "the house rule" in run.shown(since=0)
