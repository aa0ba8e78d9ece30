"""What install puts into any harness's settings, uninstall takes out to the byte; a second install adds nothing."""

from __future__ import annotations

import copy
import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.wiring import record, unwire
from guards.wiring.forms import FORMS
from guards.wiring.wire import wire
from tests.examples import examples
from tests.wiring.texts import VALUES, WORDS, texts

EVERY = pytest.mark.parametrize("form", list(FORMS.values()), ids=list(FORMS))
LINES = st.sampled_from(["mine.sh", "grep guards:managed f", "echo '# guards:managed' x"])


def wanted(form: ModuleType) -> dict[str, Any]:
    line = "/home/o/.local/share/guards/py -IS /x/hook.py {} {}  # guards:managed"
    return {native: form.entry(event, line.format(form.NAME, event)) for event, native in form.EVENTS.items()}


@st.composite
def documents(draw: st.DrawFn, form: ModuleType) -> dict[str, Any]:
    """What an owner has in this harness's file: other members, other hooks, perhaps a version."""
    members = draw(st.dictionaries(WORDS, VALUES, max_size=3))
    foreign = st.builds(lambda line: {"type": "command", form.COMMAND: line}, LINES)
    matched = st.builds(lambda entry, word: {"matcher": word, **entry}, foreign, st.sampled_from(["a", "*", ""]))
    groups = st.one_of(foreign, matched) if form.DEPTH == 3 else st.builds(lambda e: {"hooks": [e]}, foreign)
    names = st.sampled_from([*list(form.EVENTS.values())[:3], "somethingElse"])
    if draw(st.booleans()):
        members["hooks"] = draw(st.dictionaries(names, st.lists(groups, max_size=2), max_size=3))
    if draw(st.booleans()):
        members["version"] = draw(st.sampled_from([1, 2, "1"]))
    return {key: members[key] for key in draw(st.permutations(list(members)))}


def fresh() -> dict[str, Any]:
    return {"made": [], "gaps": {}, "rules": []}


def plain(text: str) -> Any:
    return unwire.parse(text).plain()


@EVERY
@given(data=st.data())
@examples(12)
def test_uninstall_gives_back_the_text_before_install(form: ModuleType, data: st.DataObject) -> None:
    text = data.draw(texts(documents(form)))
    kept = fresh()
    wired = wire(text, form, wanted(form), [], kept)
    found = plain(wired)
    for native, entry in wanted(form).items():
        assert form.group(entry) in found["hooks"][native]
    assert set(form.HEAD) <= set(found)
    assert unwire.take_out(wired, json.loads(json.dumps(kept))) == text


@EVERY
@given(data=st.data())
@examples(12)
def test_a_second_install_changes_no_byte_with_or_without_its_record(form: ModuleType, data: st.DataObject) -> None:
    text = data.draw(texts(documents(form)))
    kept = fresh()
    wired = wire(text, form, wanted(form), [], kept)
    assert wire(wired, form, wanted(form), [], copy.deepcopy(kept)) == wired
    assert wire(wired, form, wanted(form), [], record.adopt(wired, [])) == wired


@EVERY
@given(data=st.data())
@examples(12)
def test_what_the_owner_has_keeps_its_place_before_ours(form: ModuleType, data: st.DataObject) -> None:
    """Codex knows the entries it was told to trust by their place in the event's list."""
    text = data.draw(texts(documents(form)))
    before, after = plain(text), plain(wire(text, form, wanted(form), [], fresh()))
    for key in before:
        if key != "hooks":
            assert after[key] == before[key]
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups


@EVERY
@given(data=st.data())
@examples(12)
def test_a_harness_that_writes_the_file_anew_does_not_keep_ours_in(form: ModuleType, data: st.DataObject) -> None:
    text = data.draw(texts(documents(form)))
    kept = fresh()
    anew = json.dumps(plain(wire(text, form, wanted(form), [], kept)), indent=2) + "\n"
    assert plain(unwire.take_out(wire(anew, form, wanted(form), [], kept), kept)) == plain(text)


@EVERY
def test_an_entry_of_ours_that_a_matcher_keeps_from_calls_is_put_right(form: ModuleType) -> None:
    native = form.EVENTS["before-tool"]
    entry = wanted(form)[native]
    narrow = {"matcher": "x", **entry} if form.DEPTH == 3 else {"matcher": "x", "hooks": [entry]}
    text = json.dumps({**form.HEAD, "hooks": {native: [narrow]}}, indent=2)
    after = plain(wire(text, form, wanted(form), [], record.adopt(text, [])))
    assert after["hooks"][native] == [form.group(entry)]


@EVERY
def test_a_version_that_the_owner_changed_since_stays(form: ModuleType) -> None:
    kept = fresh()
    wired = wire("{}\n", form, wanted(form), [], kept)
    if form.HEAD:
        wired = wired.replace('"version": 1', '"version": 2').replace('"version":1', '"version":2')
        assert plain(unwire.take_out(wired, kept)) == {"version": 2}
    else:
        assert unwire.take_out(wired, kept) == "{}\n"
