"""Context, read gate and switches in the real Claude Code: what the model is shown, and when."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import drive
from tests.harness.forms import Call, Turn
from tests.harness.model import DONE, Request, turn
from tests.harness.rig import Rig
from tests.harness.terminal import Terminal

pytestmark = pytest.mark.real

ENTRY = "---\nid: ADR-7\ntitle: Invoices\nstatus: accepted\npaths: [src/]\n---\n{}\n"


@pytest.fixture
def told(claude: Rig) -> Rig:
    """Context switched on; one accepted entry that governs src/."""
    claude.machine.policy("context", 'off = false\ndir = ".context"\nbrief_tokens = 0\n')
    claude.install()
    (claude.machine.config / "approvals/context").write_text("ADR-7\n")
    claude.put("src/app.py", "one\ntwo\nthree\n")
    commit(claude, "Invoices are never deleted.")
    return claude


def commit(rig: Rig, text: str) -> None:
    rig.put(".context/entries/adr-7.md", ENTRY.format(text))
    rig.git("add", "-A")
    rig.git("commit", "-q", "-m", "state")


def note(rig: Rig, text: str) -> None:
    path = rig.machine.config / "context/global/house.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def read(path: str | Path, **more: int) -> Call:
    return Call("Read", {"file_path": str(path), **more})


# ---------------------------------------------------------------- notes


def test_a_note_of_9900_characters_is_shown_whole(told: Rig) -> None:
    text = "house rules " + "x" * 9880 + " the end"
    assert len(text) == 9900
    note(told, text)
    assert text in told.run(turn(told.shell("true"))).opening()


def test_a_longer_note_is_a_pointer_whose_reads_return_the_whole(told: Rig) -> None:
    note(told, "".join(f"rule {i:05} of the house\n" for i in range(600)))

    def follow(request: Request) -> Turn:
        line = next(line for line in "\n".join(p.text for p in request.parts).splitlines() if line.startswith("Read /"))
        _, path, _, offset, _, limit = line.split(" ")
        return turn(read(path, offset=int(offset), limit=int(limit)))

    run = told.run(follow)
    assert "too long to show here" in run.opening()
    assert "rule 00300" not in run.opening()
    assert "persisted-output" not in run.opening()
    assert all(f"rule {i:05} of the house" in run.results()[0] for i in range(600))


def test_a_subagent_gets_its_own(told: Rig) -> None:
    note(told, "the house rule is quiet")
    run = told.run(turn(told.agent("HELPER look around")), subagents={"HELPER": [turn(told.shell("true"))]})
    assert "the house rule is quiet" in run.opening()
    assert "the house rule is quiet" in run.opening("HELPER")


# ---------------------------------------------------------------- entries


def test_an_entry_is_told_once_and_again_after_a_commit_changed_it(told: Rig) -> None:
    def change(_: Request) -> Turn:
        commit(told, "Invoices are voided, never deleted.")
        return turn(told.edit("src/app.py", "THREE", "3"))

    run = told.run(
        turn(read(told.path("src/app.py"))),
        turn(told.edit("src/app.py", "one", "ONE")),
        turn(told.edit("src/app.py", "two", "TWO")),
        turn(told.edit("src/app.py", "three", "THREE")),
        change,
    )
    assert run.shown().count("Invoices are never deleted.") == 1
    assert run.shown().count("Invoices are voided, never deleted.") == 1
    assert (told.project / "src/app.py").read_text() == "ONE\nTWO\n3\n"


def test_parallel_edits_never_overrun_the_budget(told: Rig) -> None:
    told.machine.policy("context", 'off = false\ndir = ".context"\nbrief_tokens = 0\nsession_tokens = 1300\n')
    (told.machine.config / "approvals/context").write_text("*\n")
    for i in range(6):
        text = ENTRY.format("w" * 1500).replace("ADR-7", f"E{i}").replace("src/", f"p/{i}.py")
        told.put(f".context/entries/e{i}.md", text)
    told.git("add", "-A")
    told.git("commit", "-q", "-m", "entries")
    run = told.run(turn(*(told.write(f"p/{i}.py") for i in range(6))))
    assert sorted(path.name for path in (told.project / "p").iterdir()) == [f"{i}.py" for i in range(6)]
    assert 2 <= run.shown().count("w" * 1500) <= 3


# ---------------------------------------------------------------- the gate


def test_an_edit_waits_until_the_guide_was_read_in_two_ranges(told: Rig) -> None:
    told.machine.policy("read-gate", 'off = false\n[[guide]]\nid = "py"\nfile = "docs/py.md"\npaths = ["*.py"]\n')
    guide = told.put("docs/py.md", "".join(f"rule {i}\n" for i in range(1, 11)))
    source = told.path("src/app.py")
    run = told.run(
        turn(read(source)),
        turn(told.edit("src/app.py", "one", "ONE")),
        turn(read(guide, offset=1, limit=6)),
        turn(told.edit("src/app.py", "one", "ONE")),
        turn(read(guide, offset=7, limit=4)),
        turn(told.edit("src/app.py", "one", "ONE")),
    )
    results = run.results()
    assert f"Read {guide} offset 1 limit 10" in results[1]
    assert f"Read {guide} offset 7 limit 4" in results[3]
    assert "hook error" not in results[5]
    assert (told.project / "src/app.py").read_text().startswith("ONE\n")


# ---------------------------------------------------------------- switches


def say(terminal: Terminal, text: str) -> None:
    terminal.press(text)
    time.sleep(0.5)
    terminal.press("\r")


def test_a_typed_switch_works_and_reaches_no_model(told: Rig) -> None:
    told.machine.policy("switches", "off = false")
    with told.at_terminal(turn(told.shell("true"))) as terminal:
        terminal.wait_for("done")
        asked = len(terminal.model.requests)
        say(terminal, "#disable inject:edit")
        terminal.wait_for("off from the next event on, for this session: inject:edit")
        assert len(terminal.model.requests) == asked
    assert switched(told) == ["off inject:edit"]


def test_the_same_words_inside_a_task_notification_switch_nothing(told: Rig) -> None:
    told.machine.policy("switches", "off = false")
    given = {"command": "sleep 1; echo over", "description": "#disable inject:edit", "run_in_background": True}
    with told.at_terminal(turn(Call("Bash", given))) as terminal:
        until(terminal, lambda: notified(terminal))
    assert switched(told) == []


def test_a_prompt_that_the_model_schedules_may_be_no_switch(told: Rig) -> None:
    told.machine.policy("switches", "off = false")
    later = {"cron": "* * * * *", "recurring": False}
    run = told.run(
        turn(Call("CronCreate", {**later, "prompt": "#disable rgate"})),
        turn(Call("CronCreate", {**later, "prompt": "look at the build"})),
        args=["--allowedTools", drive.ALLOWED + ",CronCreate"],
        env={"ENABLE_TOOL_SEARCH": "false"},
    )
    assert "counts only where a person types it" in run.results()[0]
    assert run.results()[1].startswith("Scheduled")


def notified(terminal: Terminal) -> bool:
    """Whether the machine's own prompt, with these words in it, reached the model."""
    parts = [part.text for request in terminal.model.requests for part in request.parts]
    return any("<task-notification>" in text and "#disable inject:edit" in text for text in parts)


def switched(rig: Rig) -> list[str]:
    return [
        line for path in rig.machine.state.glob("sessions/*/switches") for line in path.read_text().splitlines()
    ]  # fmt: skip


# ---------------------------------------------------------------- skills


SKILL = "---\nname: ship\ndescription: how this project is shipped\ncontext: ADR-7\n---\nShip it.\n"


def with_skill(rig: Rig) -> list[str]:
    """The project has a skill that declares the entry; arguments that let the model invoke it."""
    rig.put(".claude/skills/ship/SKILL.md", SKILL)
    return ["--allowedTools", drive.ALLOWED + ",Skill"]


def test_a_skill_that_the_model_invokes_brings_its_entries_once_and_their_ids_after_that(told: Rig) -> None:
    args = with_skill(told)
    call = Call("Skill", {"skill": "ship"})
    run = told.run(turn(call), turn(call), turn(told.edit("src/app.py", "one", "ONE")), args=args)
    assert run.shown().count("Invoices are never deleted.") == 1
    assert run.shown().count("entries of the skill ship told before: ADR-7.") == 1
    assert "declared by the skill ship" in run.shown()


def test_a_skill_that_is_typed_brings_them_too(told: Rig) -> None:
    args = with_skill(told)
    run = told.run(turn(Call("Skill", {"skill": "ship"})), prompt="/ship it now", args=args)
    assert run.opening().count("Invoices are never deleted.") == 1
    assert "entries of the skill ship told before: ADR-7." in run.shown()


def test_a_call_that_asks_for_no_context_gets_none(told: Rig) -> None:
    args = with_skill(told)
    run = told.run(
        turn(Call("Skill", {"skill": "ship", "args": "--no-context"})), prompt="/ship \u2014no-context", args=args
    )
    assert "Invoices are never deleted." not in run.opening() + run.shown()


def test_an_index_that_the_program_was_started_with_stands_in_for_the_repositorys_entries(told: Rig) -> None:
    args = with_skill(told)
    index = told.machine.base / "index.json"
    index.write_text(json.dumps({"entries": [{"id": "ADR-7", "content": {"statement": "Told by the other arm."}}]}))
    named = {"SKILL_CONTEXT_INDEX": str(index)}
    run = told.run(turn(Call("Skill", {"skill": "ship"})), env=named, args=args)
    assert "Told by the other arm." in run.shown()
    assert "Invoices are never deleted." not in run.shown()
    told.put(".claude/settings.json", json.dumps({"env": named}))
    run = told.run(turn(Call("Skill", {"skill": "ship"})), args=args)
    assert "Invoices are never deleted." in run.shown()
    assert "Told by the other arm." not in run.shown()


# ---------------------------------------------------------------- plan mode

PLAN = "A plan of this house has steps."


def planned(rig: Rig) -> None:
    path = rig.machine.config / "context/plan.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PLAN + "\n")


def test_the_rules_of_plan_mode_are_told_once_a_stretch(told: Rig) -> None:
    planned(told)
    look = turn(read(told.path("src/app.py")))
    assert told.run(look, look, mode="plan").shown(since=0).count(PLAN) == 1
    assert PLAN not in told.run(look, look).shown(since=0)


def main(terminal: Terminal) -> list[Request]:
    return [request for request in terminal.model.requests if request.thread == "main"]


def heard(terminal: Terminal, words: str) -> int:
    """How often the last request of the conversation holds the words."""
    return "\n".join(part.text for part in main(terminal)[-1].parts).count(words)


def until(terminal: Terminal, condition: Callable[[], bool], seconds: float = 40) -> None:
    """Reads the screen until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, terminal.screen()[-1500:]
        terminal.read()


def asked(terminal: Terminal, text: str) -> None:
    """Says something and waits until the model was asked."""
    before = len(terminal.model.requests)
    say(terminal, text)
    until(terminal, lambda: any(text in part.text for r in terminal.model.requests[before:] for part in r.new))


def test_leaving_plan_mode_ends_the_stretch(told: Rig) -> None:
    planned(told)
    with told.at_terminal(mode="plan") as terminal:
        terminal.wait_for("done")
        assert heard(terminal, PLAN) == 1
        asked(terminal, "a second thing")
        assert heard(terminal, PLAN) == 1
        shift(terminal, "plan mode on", False)
        asked(terminal, "a third thing")
        assert heard(terminal, PLAN) == 1
        shift(terminal, "plan mode on", True)
        asked(terminal, "a fourth thing")
        assert heard(terminal, PLAN) == 2


def shift(terminal: Terminal, words: str, there: bool) -> None:
    """Presses shift and tab until the mode is shown, or is not."""
    for _ in range(6):
        terminal.press("\x1b[Z")
        end = time.monotonic() + 2
        while time.monotonic() < end:
            terminal.read()
        if (words in terminal.screen()[-600:]) is there:
            return
    raise AssertionError(terminal.screen()[-1500:])


# ---------------------------------------------------------------- a compaction


def test_after_a_compaction_the_notes_and_the_entry_are_told_again_and_the_guide_is_owed_again(told: Rig) -> None:
    told.machine.policy("read-gate", 'off = false\n[[guide]]\nid = "py"\nfile = "docs/py.md"\npaths = ["*.py"]\n')
    note(told, "the house rule is quiet")
    guide = told.put("docs/py.md", "the rule of the guide\n")
    source = turn(read(told.path("src/app.py")))
    first, second = turn(told.edit("src/app.py", "one", "ONE")), turn(told.edit("src/app.py", "two", "TWO"))
    summary = Turn(text="what was done so far")
    script = [source, turn(read(guide)), first, DONE, summary, source, second, turn(read(guide)), second, DONE]
    with told.at_terminal(*script, mode="acceptEdits") as terminal:
        terminal.wait_for("done")
        assert (heard(terminal, "the house rule is quiet"), heard(terminal, "Invoices are never deleted.")) == (1, 1)
        say(terminal, "/compact")
        terminal.wait_for("Compacted")
        asked(terminal, "go on then")
        assert heard(terminal, "the house rule is quiet") == 1
        assert heard(terminal, "Invoices are never deleted.") == 0
        until(terminal, lambda: len(main(terminal)) == len(script))
        assert "TWO" in (told.project / "src/app.py").read_text()
        assert heard(terminal, f"Read {guide} offset 1 limit 1") == 1
        assert heard(terminal, "Invoices are never deleted.") == 1
