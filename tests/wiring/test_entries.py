"""Which entries are ours, and what becomes of them: reports from the field, one test a kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guards.wiring import record, unwire
from guards.wiring.forms import claude
from guards.wiring.wire import wire
from tests.wiring.owner import Owner
from tests.wiring.texts import RULES, WANTED

OURS = "/old/py -IS '/old/code/hook.py' claude before-tool || exit 2  # guards:managed"
MINE = {"type": "command", "command": "/home/o/bin/mine.sh"}


def installed(plain: Any) -> tuple[Any, dict[str, Any]]:
    text = json.dumps(plain, indent=2)
    kept = record.adopt(text, RULES)
    return json.loads(wire(text, claude, WANTED, RULES, kept)), kept


def ours(plain: Any, event: str = "PreToolUse") -> list[Any]:
    return [e for g in plain["hooks"].get(event, []) for e in g["hooks"] if e["command"].endswith("guards:managed")]


@pytest.mark.parametrize(
    "line",
    [
        OURS,
        '"/old/py" -IS "/old/code/hook.py" claude before-tool || exit 2  # guards:managed',
        "$HOME/.local/share/guards/py -IS $HOME/.local/share/guards/code/hook.py claude before-tool # guards:managed",
        "python3 /somewhere/else.py #guards:managed  ",
    ],
)
def test_an_older_entry_in_any_quoting_is_replaced_in_place(line: str) -> None:
    group = {"matcher": "", "hooks": [{"type": "command", "command": line}, MINE]}
    after, _ = installed({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [MINE]}, group]}})
    assert ours(after) == [WANTED["PreToolUse"]]
    assert after["hooks"]["PreToolUse"][1]["hooks"] == [WANTED["PreToolUse"], MINE]


def test_an_older_group_that_only_some_tools_reach_is_replaced_by_one_for_all() -> None:
    older = {"matcher": "Edit|Write|NotebookEdit", "hooks": [{"type": "command", "command": OURS}]}
    after, _ = installed({"hooks": {"PreToolUse": [older, {"matcher": "Bash", "hooks": [MINE]}]}})
    assert after["hooks"]["PreToolUse"] == [
        {"hooks": [WANTED["PreToolUse"]]},
        {"matcher": "Bash", "hooks": [MINE]},
    ]


def test_a_shared_group_that_only_some_tools_reach_is_left_to_the_other() -> None:
    shared = {"matcher": "Bash", "hooks": [{"type": "command", "command": OURS}, MINE]}
    after, _ = installed({"hooks": {"PreToolUse": [shared]}})
    assert after["hooks"]["PreToolUse"] == [{"matcher": "Bash", "hooks": [MINE]}, {"hooks": [WANTED["PreToolUse"]]}]


def test_of_several_entries_of_ours_one_stays() -> None:
    twice = {"hooks": [{"type": "command", "command": OURS}, {"type": "command", "command": OURS + " "}]}
    after, _ = installed({"hooks": {"PreToolUse": [twice, twice]}})
    assert ours(after) == [WANTED["PreToolUse"]]


def test_an_entry_of_ours_at_an_event_that_is_no_longer_wired_goes() -> None:
    old = {"hooks": [{"type": "command", "command": "/old/guard.py # guards:managed"}]}
    theirs = {"hooks": [{"type": "command", "command": "/opt/theirs/gone.sh"}]}
    after, _ = installed({"hooks": {"Notification": [old], "PreToolUse": [theirs]}})
    assert "Notification" not in after["hooks"]
    assert after["hooks"]["PreToolUse"][0] == theirs


def test_an_entry_that_lost_its_group_is_put_right() -> None:
    """An entry right below the event makes the harness drop the whole file."""
    after, _ = installed({"hooks": {"PreToolUse": [{"type": "command", "command": OURS}]}})
    assert after["hooks"]["PreToolUse"] == [{"hooks": [WANTED["PreToolUse"]]}]


def test_entries_in_a_key_that_a_later_one_hides_are_moved_to_the_one_that_counts() -> None:
    hidden = json.dumps({"PreToolUse": [{"hooks": [{"type": "command", "command": OURS}]}]})
    text = f'{{"hooks": {hidden}, "hooks": {{"Stop": []}}}}'
    after = json.loads(wire(text, claude, WANTED, RULES, {"made": [], "gaps": {}, "rules": []}))
    assert ours(after) == [WANTED["PreToolUse"]]


@pytest.mark.parametrize(
    "line",
    [
        "grep guards:managed ~/.claude/settings.json",
        "echo '# guards:managed' | cat",
        "# guards:managed\n/home/o/bin/mine.sh",
        "/home/o/bin/mine.sh # guards:managed by hand",
    ],
)
def test_a_line_that_only_mentions_the_marker_is_foreign(line: str) -> None:
    before = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": line}]}]}}
    after, kept = installed(before)
    assert after["hooks"]["PreToolUse"][0] == before["hooks"]["PreToolUse"][0]
    assert json.loads(unwire.take_out(json.dumps(after), kept)) == before


def test_uninstall_leaves_the_owners_hook_in_our_group() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": OURS}, MINE]}]}})
    assert json.loads(unwire.take_out(text, {})) == {"hooks": {"PreToolUse": [{"hooks": [MINE]}]}}


def test_uninstall_leaves_nothing_of_ours_in_any_event_and_every_other_key() -> None:
    entry = {"matcher": "", "hooks": [{"type": "command", "command": OURS}]}
    names = ["PreToolUse", "PostToolUse", "SessionStart", "SubagentStart", "UserPromptSubmit"]
    text = json.dumps(
        {"hooks": {name: [entry] for name in names}, "permissions": {"allow": ["Bash(ls:*)"]}, "model": "opus"}
    )
    assert json.loads(unwire.take_out(text, {})) == {"permissions": {"allow": ["Bash(ls:*)"]}, "model": "opus"}


def test_a_line_comment_before_our_entry_does_not_swallow_what_follows_it() -> None:
    entry = json.dumps({"hooks": [{"type": "command", "command": OURS}]})
    text = f'{{"hooks": {{"Stop": [ // mine\n {entry}, {{"hooks": []}}]}}}}'
    assert unwire.parse(unwire.take_out(text, {})).plain() == {"hooks": {"Stop": [{"hooks": []}]}}


def test_an_entry_that_runs_guards_by_hand_is_named_and_left(owner: Owner) -> None:
    line = f"{owner.install}/py -IS {owner.install}/code/hook.py claude before-tool"
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": line}]}]}})
    owner.settings.write_text(text)
    done = owner.wired()
    assert "by hand" in done.stdout
    owner.run("uninstall", "--yes")
    assert owner.settings.read_text() == text
