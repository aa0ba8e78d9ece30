"""A call waits until what it must know was read in full, as the harness returned it; nothing else is held up."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.knowledge.ground import DIR, Ground
from tests.machine import SESSION, Fired, Machine, tool

GUIDE = '[[guide]]\nid = "go_test"\nfile = "docs/rules.md"\npaths = ["*.go", "lib/"]\n'


class Gate(Ground):
    """A session that has shown an after-tool event, in a repository with one guide of ten lines."""

    def __init__(self, machine: Machine, policy: str = GUIDE) -> None:
        super().__init__(machine)
        machine.policy("read-gate", f"off = false\n{policy}")
        self.rules = self.put("docs/rules.md", "".join(f"rule {i}\n" for i in range(1, 11)))
        self.after("LS", {"path": "."})

    def before(self, name: str, given: dict[str, Any], **more: Any) -> Fired:
        return self.machine.fire("before-tool", tool(name, given, cwd=self.root, **more), guard="read-gate")

    def after(self, name: str, given: dict[str, Any], response: Any = None, **more: Any) -> Fired:
        payload = tool(name, given, cwd=self.root, event="PostToolUse", tool_response=response, **more)
        return self.machine.fire("after-tool", payload)

    def write(self, name: str = "a.go", **more: Any) -> Fired:
        return self.before("Write", {"file_path": str(self.root / name), "content": "x"}, **more)

    def shell(self, command: str, **more: Any) -> Fired:
        return self.before("Bash", {"command": command}, **more)

    def read(self, path: Path | str = "", first: int = 1, count: int = 0, spelled: str = "", **more: Any) -> None:
        """A Read call that returned these lines of the file."""
        path = Path(path or self.rules)
        lines = path.read_text().split("\n")
        part = lines[first - 1 : first - 1 + (count or len(lines))]
        file = {
            "filePath": str(path), "content": "\n".join(part), "numLines": len(part), "startLine": first,
            "totalLines": len(lines),
        }  # fmt: skip
        given: dict[str, Any] = {"file_path": spelled or str(path)}
        given |= {"offset": first, "limit": count} if count else {}
        assert self.after("Read", given, {"type": "text", "file": file}, **more).code == 0


@pytest.fixture
def gate(machine: Machine) -> Gate:
    return Gate(machine)


def test_it_is_off_until_an_owner_wants_it(machine: Machine) -> None:
    gate = Gate(machine)
    machine.policy("read-gate", GUIDE)
    assert gate.write().silent


def test_a_guide_is_owed_until_it_was_read_in_full(gate: Gate) -> None:
    refused = gate.write()
    assert refused.denied
    assert f"Read {gate.rules} offset 1 limit 10" in refused.err
    assert "guide 'go_test'" in refused.err
    gate.read()
    assert gate.write().silent


def test_only_files_that_it_governs(gate: Gate) -> None:
    assert gate.write("a.py").silent
    assert gate.write("lib/deep/a.py").denied


def test_two_ranges_that_cover_it_are_a_whole_read(gate: Gate) -> None:
    gate.read(count=4)
    assert f"Read {gate.rules} offset 5 limit 6\n" in gate.write().err
    gate.read(first=5, count=6)
    assert gate.write().silent


def test_a_gap_in_the_middle_is_named(gate: Gate) -> None:
    gate.read(first=8, count=4)
    gate.read(first=1, count=3)
    assert f"Read {gate.rules} offset 4 limit 4\n" in gate.write().err


def test_the_lines_that_came_count_not_the_lines_that_were_asked_for(gate: Gate) -> None:
    given = {"file_path": str(gate.rules), "offset": 1, "limit": 10}
    file = {"filePath": str(gate.rules), "content": "rule 1\nrule 2", "numLines": 10, "startLine": 1, "totalLines": 11}
    gate.after("Read", given, {"type": "text", "file": file})
    assert "offset 3 limit 8" in gate.write().err


def test_five_of_two_hundred_lines_are_no_read(gate: Gate) -> None:
    file = {"filePath": str(gate.rules), "content": "x\n" * 5, "numLines": 5, "startLine": 1, "totalLines": 200}
    gate.after("Read", {"file_path": str(gate.rules), "offset": 1, "limit": 5}, {"type": "text", "file": file})
    assert gate.write().denied


def test_a_write_of_the_guide_is_no_read_of_it(gate: Gate) -> None:
    gate.after("Write", {"file_path": str(gate.rules), "content": "x"}, {"type": "update", "filePath": str(gate.rules)})
    assert gate.write().denied


def test_a_failed_read_is_no_read(gate: Gate) -> None:
    payload = tool("Read", {"file_path": str(gate.rules)}, cwd=gate.root, event="PostToolUseFailure", error="too large")
    gate.machine.fire("after-tool-failure", payload)
    assert gate.write().denied


def test_another_spelling_of_the_path_is_the_same_file(gate: Gate) -> None:
    (gate.machine.home / "projlink").symlink_to(gate.root)
    gate.read(spelled=str(gate.machine.home / "projlink/docs/../docs/rules.md"))
    assert gate.write().silent


def test_a_guide_that_changed_must_be_read_again(gate: Gate) -> None:
    gate.read()
    gate.rules.write_text(gate.rules.read_text() + "one more\n")
    assert gate.write().denied


def test_reading_is_never_gated_by_itself(gate: Gate) -> None:
    assert gate.before("Read", {"file_path": str(gate.root / "a.go")}).silent
    assert gate.before("Grep", {"pattern": "x", "path": "lib"}).silent
    assert gate.before("WebFetch", {"url": "https://x.example"}).silent


def test_a_refused_guide_stays_owed_and_only_reads_of_it_pass(gate: Gate) -> None:
    gate.write()
    assert gate.write("README.md").denied
    assert gate.shell("ls").denied
    assert gate.before("Read", {"file_path": str(gate.root / "src/app.py")}).denied
    assert gate.before("Read", {"file_path": "docs/rules.md"}).silent
    assert gate.shell(f"cat {gate.rules}").silent
    assert gate.shell(f"cat {gate.rules} | head").denied
    assert gate.before("WebFetch", {"url": "https://x.example"}).silent
    gate.read()
    assert gate.write("README.md").silent
    assert gate.shell("ls").silent


@pytest.mark.parametrize(
    ("command", "owed"),
    [
        ("grep foo a.go", True), ("gofmt -w 'a.go'", True), ("cd lib && cat x.py", True), ("echo x > a.go", True),
        ("go test ./x", False), ("go build", False), ("ls lib", False), ("cat $F", False),
        ("grep --include=*.go x", False),
    ],
)  # fmt: skip
def test_a_shell_call_touches_the_files_it_names(gate: Gate, command: str, owed: bool) -> None:
    assert gate.shell(command).denied is owed


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("cat docs/rules.md", True), ("cat @", True), ("cat -n docs/rules.md", False),
        ("cat docs/rules.md | cat", False), ("sed -n 1,20p docs/rules.md", False),
        ("cat docs/*.md", False), ("head docs/rules.md", False),
        ("cat docs/rules.md docs/rules.md", False), ("echo docs/rules.md", False),
    ],
)  # fmt: skip
def test_an_exact_cat_is_a_read_and_nothing_like_it_is(gate: Gate, command: str, counts: bool) -> None:
    answer = {"stdout": gate.rules.read_text(), "stderr": "", "interrupted": False}
    gate.after("Bash", {"command": command.replace("@", str(gate.rules))}, answer)
    assert gate.write().silent is counts


@pytest.mark.parametrize(
    "answer", [{"stdout": "rule 1\nrule 2"}, {"stdout": "@", "persistedOutputPath": "/tmp/x"}, {"stdout": ""}, None]
)
def test_a_cat_whose_answer_does_not_hold_the_text_is_no_read(gate: Gate, answer: Any) -> None:
    if answer and answer["stdout"] == "@":
        answer["stdout"] = gate.rules.read_text()
    gate.after("Bash", {"command": "cat docs/rules.md"}, answer)
    assert gate.write().denied


def test_what_was_read_counts_for_the_agent_that_read_it(gate: Gate) -> None:
    gate.read(agent_id="a1", agent_type="Explore")
    assert gate.write(agent_id="a1").silent
    assert gate.write().denied
    assert gate.write(agent_id="a2").denied


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_a_compaction_makes_everything_owed_again_for_the_root(gate: Gate, source: str) -> None:
    gate.read()
    gate.read(agent_id="a1")
    payload = {"session_id": SESSION, "cwd": str(gate.root), "hook_event_name": "SessionStart", "source": source}
    gate.machine.fire("session-start", payload)
    assert gate.write(agent_id="a1").silent
    assert gate.write().denied


def test_a_compaction_ends_what_a_refusal_demanded(gate: Gate) -> None:
    gate.write()
    payload = {"session_id": SESSION, "cwd": str(gate.root), "hook_event_name": "SessionStart", "source": "compact"}
    gate.machine.fire("session-start", payload)
    assert gate.write("README.md").silent


def test_a_long_guide_is_listed_in_calls_that_one_read_returns_whole(gate: Gate) -> None:
    gate.rules.write_text("".join(f"{i:05} " + "z" * 60 + "\n" for i in range(1800)))
    calls = [line.split(" ") for line in gate.write().err.splitlines() if line.startswith("Read ")]
    lines = gate.rules.read_text().split("\n")
    assert len(calls) == 3
    assert sum(int(call[5]) for call in calls) == 1800
    for call in calls:
        first, count = int(call[3]), int(call[5])
        assert len("\n".join(lines[first - 1 : first - 1 + count])) <= 55 << 10
        gate.read(first=first, count=count)
    assert gate.write().silent


def test_a_session_without_an_after_tool_event_is_not_gated(gate: Gate) -> None:
    assert gate.write(session_id="another").silent
    gate.after("LS", {"path": "."}, session_id="another")
    assert gate.write(session_id="another").denied


def test_a_guide_that_is_not_there_is_not_owed(gate: Gate) -> None:
    gate.rules.unlink()
    assert gate.write().silent


def test_guides_that_a_repository_has_committed_count(machine: Machine) -> None:
    gate = Gate(machine, "")
    text = "---\nid: py\npaths: ['*.py']\n---\nuse tabs\n"
    guide = gate.put(f"{DIR}/guides/py.md", text)
    assert gate.write("a.py").silent
    gate.commit()
    assert f"Read {guide} offset 1 limit 5" in gate.write("a.py").err
    gate.read(guide)
    assert gate.write("a.py").silent


def test_notes_that_became_a_pointer_are_owed_by_the_agent_that_got_it(machine: Machine) -> None:
    gate = Gate(machine, "")
    gate.note("house.md", "word\n" * 3000)
    pointer = gate.start().note
    path = pointer.split("Read ", 1)[1].split(" ")[0]
    assert path in gate.write("README.md").err
    assert gate.write("README.md", agent_id="a1").silent
    gate.read(path)
    assert gate.write("README.md").silent


def test_review_manifests_are_owed_by_their_kind_of_agent(machine: Machine) -> None:
    gate = Gate(machine, '[[review]]\nid = "sec"\nagents = ["security-reviewer"]\nfiles = ["docs/rules.md"]\n')
    assert gate.shell("ls", agent_id="a1", agent_type="security-reviewer").denied
    assert gate.shell("ls", agent_id="a2", agent_type="Explore").silent
    assert gate.shell("ls").silent


@pytest.mark.parametrize("session", [SESSION, "5f0c1e2a-0000-4000-8000-00000000b002"], ids=["later", "the first ones"])
def test_twelve_parallel_reads_leave_twelve_records(gate: Gate, session: str) -> None:
    for i in range(12):
        gate.put(f"g/{i}.md", f"text {i}\n")

    def read(i: int) -> None:
        gate.read(gate.root / f"g/{i}.md", session_id=session)

    threads = [threading.Thread(target=read, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    records = (gate.machine.state / "sessions" / session / "gate-read-root").read_text().splitlines()
    assert sorted(Path(record.split(" ", 5)[5]).name for record in records) == sorted(f"{i}.md" for i in range(12))


def test_lines_that_do_not_parse_count_for_nothing(gate: Gate) -> None:
    path = gate.machine.state / "sessions" / SESSION / "gate-read-root"
    path.write_text(f"1 10 10 x y {gate.rules}\nnonsense\n\n1 -5 10 3 4 {gate.rules}\n")
    assert gate.write().denied
    gate.read()
    assert gate.write().silent


def test_a_ledger_that_is_full_holds_nobody_up(gate: Gate) -> None:
    path = gate.machine.state / "sessions" / SESSION / "gate-read-root"
    path.write_text("1 1 1 1 1 /some/file/that/was/read.py\n" * 30000)
    assert gate.write().silent


def test_the_ledger_is_sealed(gate: Gate) -> None:
    path = gate.machine.state / "sessions" / SESSION / "gate-read-root"
    gate.machine.approve(".*")
    assert gate.machine.write(path, "x", cwd=gate.root).denied
    assert gate.machine.bash(f"echo '1 10 10 1 1 {gate.rules}' >> {path}", cwd=gate.root).denied
    forged = f"echo '{{}}' | {gate.machine.install}/py -IS {gate.machine.install}/code/hook.py claude after-tool"
    assert gate.machine.bash(forged, cwd=gate.root).denied


def test_without_anything_to_owe_the_start_says_so_once(machine: Machine) -> None:
    gate = Gate(machine, "")
    machine.policy("context", "off = false")
    payload = {"session_id": SESSION, "cwd": str(gate.root), "hook_event_name": "SessionStart", "source": "startup"}
    assert "nothing is owed" in machine.fire("session-start", payload, guard="read-gate").note
    assert machine.fire("session-start", payload, guard="read-gate").silent
    assert gate.write().silent


@pytest.mark.parametrize(
    ("word", "off"), [("rgate", True), ("rgate:go", True), ("rgate:go_test", True), ("rgate:py", False)]
)
def test_a_switch_frees_what_it_names(gate: Gate, word: str, off: bool) -> None:
    gate.machine.policy("switches", "off = false")
    gate.typed(f"#disable {word}")
    assert gate.write().silent is off


def test_what_cannot_be_judged_passes_with_a_line_of_the_journal(machine: Machine) -> None:
    gate = Gate(machine, "")
    (gate.root / ".git/HEAD").write_text("f" * 40 + "\n")
    assert gate.write().silent
    assert any("git ended with" in why for why in gate.errors())


def test_a_tool_that_policy_refuses_is_refused(machine: Machine) -> None:
    gate = Gate(machine, 'refused = ["EnterPlanMode"]\n')
    assert "refused" in gate.before("EnterPlanMode", {}).err
    assert gate.before("ExitPlanMode", {"plan": "x"}).silent


# ---------------------------------------------------------------- a demanded skill


def prompt(gate: Gate, text: str) -> None:
    payload = {"session_id": SESSION, "cwd": str(gate.root), "hook_event_name": "UserPromptSubmit", "prompt": text}
    gate.machine.fire("prompt", payload, guard="read-gate")


def test_a_demanded_skill_comes_first(gate: Gate) -> None:
    prompt(gate, "do it\nREQUIRE-SKILL:ship\n")
    assert "skill 'ship'" in gate.shell("ls").err
    assert gate.before("Skill", {"skill": "other"}).denied
    assert gate.before("Skill", {"skill": "ship"}).silent
    assert gate.shell("ls").silent
    assert gate.before("Read", {"file_path": str(gate.root / DIR / "entries/a.md")}).denied
    assert gate.before("Read", {"file_path": str(gate.root / DIR / "guides/a.md")}).silent


def test_only_the_first_prompt_demands(gate: Gate) -> None:
    prompt(gate, "hello")
    prompt(gate, "REQUIRE-SKILL:ship")
    assert gate.shell("ls").silent
