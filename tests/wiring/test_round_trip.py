"""What install puts into the owner's text, uninstall takes out to the byte, whatever happened in between."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.wiring import record, unwire
from guards.wiring.forms import claude
from guards.wiring.text import append
from guards.wiring.wire import wire
from tests.examples import examples
from tests.wiring.texts import FOREIGN, RULES, WANTED, WORDS, texts


def fresh() -> dict[str, Any]:
    return {"made": [], "gaps": {}, "rules": []}


def installed(text: str, kept: dict[str, Any], rules: list[str] = RULES) -> str:
    return wire(text, claude, WANTED, rules, kept)


def plain(text: str) -> Any:
    return unwire.parse(text).plain()


def all_wired(text: str) -> bool:
    found = plain(text)
    for event, entry in WANTED.items():
        entries = [e for group in found["hooks"][event] for e in group["hooks"]]
        if entries.count(entry) != 1:
            return False
    return all(found["permissions"]["deny"].count(rule) == 1 for rule in RULES)


@given(texts())
@examples(40)
def test_uninstall_gives_back_the_text_before_install(text: str) -> None:
    kept = fresh()
    wired = installed(text, kept)
    assert all_wired(wired)
    assert unwire.take_out(wired, json.loads(json.dumps(kept))) == text


@given(texts())
@examples(20)
def test_a_second_install_changes_no_byte_with_or_without_its_record(text: str) -> None:
    kept = fresh()
    wired = installed(text, kept)
    assert installed(wired, copy.deepcopy(kept)) == wired
    assert installed(wired, record.adopt(wired, RULES)) == wired


@given(texts())
@examples(20)
def test_foreign_values_are_the_same_after_install(text: str) -> None:
    before, after = plain(text), plain(installed(text, fresh()))
    for key in before:
        if key not in ("hooks", "permissions"):
            assert after[key] == before[key]
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups


@given(texts(), st.data())
@examples(40)
def test_an_edit_in_between_survives_and_nothing_else_changes(text: str, data: st.DataObject) -> None:
    """The edit stands first in a container that the text had: it means the same with our entries in and out."""
    kept = fresh()
    wired = installed(text, kept)
    spots = [
        p for p in ("", "hooks", "hooks/PreToolUse", "permissions", "permissions/deny") if _open(text, p) is not None
    ]
    spot = data.draw(st.sampled_from(spots))
    edited_text, edited_wired = _first(text, spot), _first(wired, spot)
    again = installed(edited_wired, kept)
    assert all_wired(again)
    assert unwire.take_out(again, kept) == edited_text


@given(texts(), FOREIGN, WORDS)
@examples(30)
def test_what_the_owner_adds_behind_our_entries_stays(text: str, entry: dict[str, Any], word: str) -> None:
    kept = fresh()
    wired = installed(text, kept)
    noted: dict[str, Any] = {}
    wired = append(wired, ("hooks", "Stop"), {"hooks": [entry]}, noted)
    wired = append(wired, ("permissions", "deny"), f"Read({word})", noted)
    back = plain(unwire.take_out(installed(wired, kept), kept))
    assert back["hooks"]["Stop"][-1] == {"hooks": [entry]}
    assert back["permissions"]["deny"][-1] == f"Read({word})"
    before = plain(text)
    before.setdefault("hooks", {}).setdefault("Stop", []).append({"hooks": [entry]})
    before.setdefault("permissions", {}).setdefault("deny", []).append(f"Read({word})")
    assert back == before


@given(texts())
@examples(20)
def test_a_harness_that_writes_the_file_anew_does_not_keep_our_entries_in(text: str) -> None:
    kept = fresh()
    anew = json.dumps(plain(installed(text, kept)), indent=2) + "\n"
    assert plain(unwire.take_out(installed(anew, kept), kept)) == plain(text)


@given(texts())
@examples(20)
def test_without_a_record_nothing_of_ours_is_left_either(text: str) -> None:
    wired = installed(text, fresh())
    out = unwire.take_out(wired, {"rules": RULES})
    assert "managed" not in json.dumps(plain(out).get("hooks", {})).replace("grep guards:managed f", "").replace(
        "echo '# guards:managed' x", ""
    )


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_text_that_is_cut_short_is_refused(cut: int) -> None:
    whole = installed('{\n  "model": "opus"\n}\n', fresh()).rstrip()
    with pytest.raises(unwire.Broken):
        unwire.parse(whole[:-cut])


def _open(text: str, path: str) -> unwire.Node | None:
    node: unwire.Node | None = unwire.parse(text)
    for key in path.split("/") if path else []:
        node = node.get(key) if node is not None else None
    return node


def _first(text: str, path: str) -> str:
    """Put something foreign first into a container."""
    node = _open(text, path)
    assert node is not None
    item = '"mine": 1' if node.kind == "object" and path != "hooks" else '"Notification2": []'
    if path == "hooks/PreToolUse":
        item = '{"hooks": []}'
    elif path == "permissions/deny":
        item = '"Read(mine)"'
    return text[: node.start + 1] + item + ("," if node.items else "") + text[node.start + 1 :]
