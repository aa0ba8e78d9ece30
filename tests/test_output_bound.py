"""Output bounds: what counts, when it is said, on whose account, and what trim mode hands back."""

from __future__ import annotations

import json
import marshal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards import output_bound
from guards.engine.event import Event, Verdict
from tests import bundled
from tests.machine import SESSION, Machine, tool

ROOT = Path(__file__).resolve().parent.parent
PAYLOADS = ROOT / "tests/payloads"
LINE = "line of output 0123456789\n"
WIRE = {"PostToolUse": "after-tool", "PostToolUseFailure": "after-tool-failure", "AfterTool": "after-tool"}


class Session:
    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.folder = "/state/sessions/s1"

    def marked(self, key: str) -> bool:
        return key in self.keys


class World:
    def __init__(self, **environ: str) -> None:
        self.environ, self.session, self.is_off = environ, Session(), False

    def plain_env(self, name: str) -> str | None:
        return self.environ.get(name)

    env = plain_env

    def off(self, name: str) -> bool:
        return self.is_off and name == "output-bound"

    def unpack(self, part: bytes) -> Any:
        return marshal.loads(part)

    def excluded(self, path: str) -> bool:
        return bool(self.environ.get("AGENT_EXCLUDE_PREFIX")) and path.startswith(self.environ["AGENT_EXCLUDE_PREFIX"])


def compiled(folder: Path, toml: str = "") -> Any:
    return bundled.compiled("output-bound", folder, toml)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(tmp_path_factory.mktemp("bundled"))


def event(tool_name: str, response: Any, *, command: str = "", harness: str = "claude", **more: Any) -> Event:
    made = Event(harness, "after-tool", {"tool_use_id": "toolu_01"})
    made.tool, made.response = tool_name, response
    made.kind = "shell" if tool_name in ("Bash", "run_shell_command") else "unknown"
    made.command = command
    for key, value in more.items():
        setattr(made, key, value)
    return made


def judge(rules: Any, made: Event, world: World | None = None) -> list[Verdict]:
    """The verdicts, with their marks made as dispatch would."""
    world = world or World()
    said = output_bound.judge(made, rules, world) or []  # type: ignore[arg-type]
    for verdict in said:
        assert verdict.action == "note"
        world.session.keys |= {mark[1] for mark in verdict.marks if mark[0] == "once"}
    return said


def shell(stdout: str = "", **more: Any) -> dict[str, Any]:
    return {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False, **more}


def blocks(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


# ---- what counts: (tool, answer, counted characters at a bound of 400)
BIG = LINE * 40
SHOWN: dict[str, tuple[str, Any, int]] = {
    "shell output": ("Bash", shell(BIG), len(BIG)),
    "the bulk on standard error": ("Bash", shell("", stderr=BIG), len(BIG)),
    "both streams": ("Bash", shell(BIG, stderr=BIG), 2 * len(BIG)),
    "a picture printed by the shell": ("Bash", shell("iVBORw0KGgo" * 500, isImage=True), 0),
    "output the harness kept to a file": ("Bash", shell(BIG * 9, persistedOutputPath="/x/b5.txt"), 0),
    "a diff beside the output": ("Bash", shell("", bashEditDiff={"files": [{"diff": BIG}]}), 0),
    "a git operation beside it": ("Bash", shell("", gitOperation={"text": BIG}), 0),
    "shell output as bare text": ("Bash", BIG, len(BIG)),
    "an MCP list of blocks": ("mcp__docs__search", blocks(BIG), len(BIG)),
    "two MCP blocks add up": ("mcp__docs__search", blocks("x" * 250, "y" * 250), 500),
    "an MCP object with content": ("mcp__docs__get", {"content": blocks(BIG), "isError": False}, len(BIG)),
    "an MCP object with content and its structured twin": (
        "mcp__docs__get",
        {"content": blocks("x" * 300), "structuredContent": {"a": "x" * 300}},
        300,
    ),
    "an MCP answer as text": ("mcp__docs__get", BIG, len(BIG)),
    "an MCP picture": (
        "mcp__shot__take",
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 300_000}}],
        0,
    ),
    "an MCP picture of another harness": ("mcp__shot__take", [{"type": "image", "data": "A" * 9000}], 0),
    "a picture without a type": ("mcp__shot__take", [{"mimeType": "image/png", "data": "A" * 9000}], 0),
    "a picture beside text": (
        "mcp__shot__take",
        [*blocks("x" * 401), {"type": "image", "data": "A" * 9000, "mimeType": "image/png"}],
        401,
    ),
    "base64 inside a text block": ("mcp__shot__dump", blocks("data:image/png;base64," + "A" * 811), 833),
    "an embedded resource": (
        "mcp__docs__get",
        [{"type": "resource", "resource": {"uri": "x" * 900, "mimeType": "text/plain", "text": "y" * 450}}],
        450,
    ),
    "a resource's bytes": ("mcp__docs__get", [{"type": "resource", "resource": {"uri": "x", "blob": "A" * 900}}], 0),
    "a large MCP answer is kept to a file": ("mcp__docs__get", blocks("x" * 50_001), 0),
    "one just below that": ("mcp__docs__get", blocks("x" * 50_000), 50_000),
    "what a new file holds": (
        "Write",
        {"type": "create", "filePath": "/p/new.py", "content": BIG, "structuredPatch": [], "originalFile": None},
        0,
    ),
    "what an edit keeps for undo": (
        "Edit",
        {"filePath": "/p/a", "oldString": BIG, "newString": BIG, "originalFile": BIG * 20, "structuredPatch": [BIG]},
        0,
    ),
    "several edits": (
        "MultiEdit",
        {"filePath": "/p/a", "edits": [{"old_string": BIG}], "originalFileContents": BIG},
        0,
    ),
    "a notebook's old and new text": (
        "NotebookEdit",
        {"new_source": BIG, "original_file": BIG, "updated_file": BIG},
        0,
    ),
    "an edit that answers with text": ("Edit", BIG, len(BIG)),
    "a plan the model wrote itself": ("ExitPlanMode", {"plan": BIG, "isAgent": False}, 0),
    "the todo list": ("TodoWrite", {"oldTodos": [{"content": BIG}], "newTodos": [{"content": BIG}]}, 0),
    "a file with its line numbers": (
        "Read",
        {
            "type": "text",
            "file": {"filePath": "/p/a", "content": "x" * 380, "numLines": 12, "startLine": 95, "totalLines": 200},
        },
        380 + 12 + 5 * 2 + 7 * 3,
    ),
    "a file that says it has more lines than it can": (
        "Read",
        {"type": "text", "file": {"content": "x" * 80, "numLines": 10**9, "startLine": 1}},
        80,
    ),
    "a file as numbered text": ("Read", "".join(f"{n:6}\tline of output\n" for n in range(1, 40)), 858),
    "a short one": ("Read", "     1\ta\n", 9),
    "a picture file": ("Read", {"type": "image", "file": {"base64": "A" * 90_000, "type": "image/png"}}, 0),
    "a PDF": ("Read", {"type": "pdf", "file": {"base64": "A" * 90_000, "filePath": "/p/a.pdf"}}, 0),
    "a notebook with a picture": (
        "Read",
        {
            "type": "notebook",
            "file": {
                "cells": [
                    {
                        "cellType": "code",
                        "source": "x" * 410,
                        "outputs": [{"text": "", "image": {"image_data": "A" * 999}}],
                    }
                ]
            },
        },
        410,
    ),
    "matching lines": ("Grep", {"mode": "content", "numFiles": 0, "filenames": [], "content": BIG}, len(BIG)),
    "file names, which the harness itself bounds": ("Glob", {"filenames": ["/p/a" * 100], "numFiles": 1}, 0),
    "many matches are kept to a file": ("Grep", {"mode": "content", "filenames": [], "content": "x" * 20_001}, 0),
    "a page": ("WebFetch", {"bytes": 9, "code": 200, "result": BIG, "url": "https://x" * 99}, len(BIG)),
    "a subagent's report without the prompt": (
        "Agent",
        {"prompt": BIG, "content": blocks("x" * 410), "usage": {"a": BIG}},
        414,
    ),
    "no answer at all": ("Bash", None, 0),
    "an empty answer": ("Bash", {}, 0),
    "a number": ("Bash", 5, 0),
    "a shape the harness has not sent before": ("Bash", {"output": {"lines": [BIG]}}, len(BIG)),
    "an unknown tool": (
        "Mystery",
        {"answer": BIG, "originalFile": BIG, "structuredPatch": [{"lines": [BIG]}]},
        len(BIG),
    ),
    "an unknown tool's undo": ("Patcher", {"ok": "yes", "oldString": BIG, "diff": BIG, "usage": {"x": BIG}}, 3),
}


@pytest.mark.parametrize(("name", "answer", "counted"), SHOWN.values(), ids=SHOWN.keys())
def test_what_the_model_is_shown_counts(rules: Any, name: str, answer: Any, counted: int) -> None:
    made = event(name, answer, command="x")
    row = output_bound._row(made, rules)
    assert output_bound.shown(answer, row, rules["pictures"]) == counted
    world = World(BASH_OUTPUT_MAX="400", TOOL_OUTPUT_MAX="400")
    said = judge(rules, made, world)
    assert bool(said) is (counted > 400)
    if said:
        assert f" gave {counted:,} characters; the bound is 400 " in said[0].text


@pytest.mark.parametrize("name", ["Bash", "Grep", "mcp__a__b", "Mystery"])
def test_exactly_at_the_bound_is_silent_and_one_more_speaks(rules: Any, name: str) -> None:
    for size, spoken in ((400, False), (401, True)):
        said = judge(rules, event(name, "x" * size), World(BASH_OUTPUT_MAX="400", TOOL_OUTPUT_MAX="400"))
        assert bool(said) is spoken


OTHERS = {
    "codex shell": ("codex", "Bash", BIG, len(BIG)),
    "codex MCP": ("codex", "mcp__a__b", {"content": blocks(BIG), "structured_content": {"a": BIG}}, len(BIG)),
    "codex picture": (
        "codex",
        "view_image",
        [{"type": "input_image", "image_url": "data:image/png;base64," + "A" * 9000}],
        0,
    ),
    "gemini shell": ("gemini", "run_shell_command", {"llmContent": BIG, "returnDisplay": BIG}, len(BIG)),
    "gemini edit": (
        "gemini",
        "replace",
        {"llmContent": "ok", "returnDisplay": {"fileDiff": BIG, "newContent": BIG}},
        2,
    ),
    "gemini parts": (
        "gemini",
        "mcp_a_b",
        {"llmContent": [{"text": BIG}, {"inlineData": {"data": "A" * 999}}]},
        len(BIG),
    ),
    "gemini picture": (
        "gemini",
        "read_file",
        {"llmContent": {"inlineData": {"data": "A" * 999, "mimeType": "image/png"}}},
        0,
    ),
    "copilot": ("copilot", "bash", {"resultType": "success", "textResultForLlm": BIG}, len(BIG)),
    "a large answer elsewhere is not kept to a file": ("codex", "mcp__a__b", blocks("x" * 60_000), 60_000),
}


@pytest.mark.parametrize(("harness", "name", "answer", "counted"), OTHERS.values(), ids=OTHERS.keys())
def test_other_harnesses_show_other_fields(rules: Any, harness: str, name: str, answer: Any, counted: int) -> None:
    made = event(name, answer, harness=harness)
    assert output_bound.shown(answer, output_bound._row(made, rules), rules["pictures"]) == counted


# ---- the recorded events of the real programs
def recorded() -> list[Path]:
    return sorted(path for path in PAYLOADS.rglob("*.json") if path.name.split("--")[0] in WIRE)


def read(path: Path, machine: Machine) -> Event:
    """A recorded event as dispatch prepares it."""
    from guards.engine import dispatch
    from guards.engine.state import Session as Real
    from guards.engine.tables import load
    from guards.engine.world import World as Window

    payload = json.loads(path.read_bytes())
    harness = path.parent.name.partition("-")[0]
    adapter = __import__(f"guards.harness.{harness}", None, None, ("read",))
    made: Event = adapter.read(payload, WIRE[payload["hook_event_name"]], {})
    dispatch.prepare(made, load(machine.places), Window(machine.places, Real("", "")))
    return made


LONG = {
    "PostToolUse--Bash--large-output.json": "codex",  # Codex shows its shell output whole
    "PostToolUse--Grep--content.json": "claude",
}


def test_every_recorded_event_of_every_tool_is_silent_but_for_the_long_ones(rules: Any, machine: Machine) -> None:
    assert len(recorded()) > 60
    spoken = {(path.name, path.parent.name) for path in recorded() if judge(rules, read(path, machine))}
    assert spoken == set(LONG.items())


def test_never_more_is_counted_than_the_model_was_shown(rules: Any, machine: Machine) -> None:
    """PostToolBatch holds what the model was shown; the count may miss the words around it, never add to it."""
    answers = {}
    for path in PAYLOADS.glob("claude/PostToolBatch--*.json"):
        for call in json.loads(path.read_bytes())["tool_calls"]:
            answers[call["tool_use_id"]] = call["tool_response"]
    compared = 0
    for path in recorded():
        made = read(path, machine)
        answer = answers.get(made.raw.get("tool_use_id"))
        clipped = "large" in path.name  # their filler was cut after recording, in each file on its own
        if made.harness != "claude" or answer is None or clipped or made.tool in ("EnterPlanMode", "TaskUpdate"):
            continue
        counted = len(made.text) or output_bound.shown(made.response, output_bound._row(made, rules), rules["pictures"])
        texts = [answer] if isinstance(answer, str) else [block.get("text", "") for block in answer]
        assert counted <= sum(map(len, texts)), path.name
        compared += 1
    assert compared > 15


# ---- when and on whose account
def test_the_note_says_what_it_cannot_do_and_one_way_to_ask_for_less(rules: Any) -> None:
    (said,) = judge(rules, event("Bash", shell("x" * 71_203), command="cd /srv && cat big.log"))
    assert said.text.startswith("cat gave 71,203 characters; the bound is 4,000 (policy/output-bound.toml: bash_max).")
    assert "cannot take them back, it is about the next call" in said.text
    assert "sed -n '200,260p' FILE" in said.text
    assert "once per program and session" in said.text
    assert said.facts == {"of": "cat", "characters": 71_203}


def test_it_is_said_once_per_program_and_session(rules: Any) -> None:
    world = World()
    calls = [
        "cd /srv && cat big",
        "cat other",
        "cd /srv && bun test",
        "rtk git status",
        "git log",
        "/bin/cat x",
        "bun test",
    ]
    spoken = [bool(judge(rules, event("Bash", shell("x" * 5000), command=call), world)) for call in calls]
    assert spoken == [True, False, True, True, False, False, False]
    assert judge(rules, event("Bash", shell("x" * 5000), command="cat big"), World())


def test_it_is_said_once_per_tool_and_session(rules: Any) -> None:
    world = World()
    calls = ["mcp__a__b", "mcp__a__b", "mcp__a__c", "Read", "Read"]
    spoken = [bool(judge(rules, event(name, "x" * 40_000), world)) for name in calls]
    assert spoken == [True, False, True, True, False]


def test_a_subagent_has_an_account_of_its_own(rules: Any) -> None:
    world = World()
    for agent in ("", "a1", "a2"):
        made = event("Bash", shell("x" * 5000), command="cat x", agent=agent)
        assert judge(rules, made, world)
        assert not judge(rules, made, world)


def test_a_command_whose_program_is_not_plain_text_has_one_account(rules: Any) -> None:
    world = World()
    (said,) = judge(rules, event("Bash", shell("x" * 5000), command="$TOOL --all"), world)
    assert said.text.startswith("this command gave")
    assert not judge(rules, event("Bash", shell("x" * 5000), command='"$X"/bin/y'), world)


def test_a_name_of_many_lines_stays_one_short_line_in_the_note(rules: Any) -> None:
    (said,) = judge(rules, event("Bash", "x" * 5000, command="'evil\nname\x1b[2J" + "y" * 5000 + "' x"))
    assert "\n" not in said.text
    assert "\x1b" not in said.text
    assert len(said.text) < 500


def test_a_failed_call_counts_by_its_error_text_on_the_same_account(rules: Any) -> None:
    world = World()
    failed = event("Bash", None, command="make -j4", name="after-tool-failure", text="Exit code 2\n" + BIG * 5)
    (said,) = judge(rules, failed, world)
    assert said.text.startswith("make gave")
    assert not judge(rules, event("Bash", shell(BIG * 5), command="make"), world)
    assert not judge(rules, event("Bash", None, name="after-tool-failure", text="Exit code 1"), World())


BOUNDS = [
    # variable's value, characters of shell output, spoken
    ("400", 401, True),
    ("400", 400, False),
    ("100000", 99_999, False),
    (" 400 ", 401, True),
    ("0", 4000, False),
    ("0", 4001, True),
    ("-5", 4000, False),
    ("4k", 4001, True),
    ("", 4001, True),
    ("²", 4000, False),
]


@pytest.mark.parametrize(("value", "size", "spoken"), BOUNDS)
def test_the_variables_move_the_bounds_and_nonsense_is_ignored(rules: Any, value: str, size: int, spoken: bool) -> None:
    assert bool(judge(rules, event("Bash", "x" * size), World(BASH_OUTPUT_MAX=value))) is spoken
    assert not judge(rules, event("Bash", "x" * 4000), World(TOOL_OUTPUT_MAX="1"))


def test_a_tools_own_bound_holds_until_the_variable_is_set(rules: Any) -> None:
    assert not judge(rules, event("Read", "x" * 30_000))
    assert judge(rules, event("Read", "x" * 30_001))[0].rule == "policy/output-bound.toml: tool 'claude-read', max"
    assert judge(rules, event("Read", "x" * 500), World(TOOL_OUTPUT_MAX="400"))[0].rule == "TOOL_OUTPUT_MAX"
    assert not judge(rules, event("Mystery", "x" * 20_000))
    assert judge(rules, event("Mystery", "x" * 20_001))[0].rule == "policy/output-bound.toml: tool_max"


def test_an_excluded_folder_is_left_alone(rules: Any) -> None:
    loud = event("Bash", "x" * 5000, command="cat x", cwd="/srv/old/sub")
    assert not judge(rules, loud, World(AGENT_EXCLUDE_PREFIX="/srv/old"))
    assert judge(rules, loud, World(AGENT_EXCLUDE_PREFIX="/srv/new"))


def test_the_owner_can_switch_it_off(rules: Any) -> None:
    world = World()
    world.is_off = True
    assert not judge(rules, event("Bash", "x" * 5000, command="cat x"), world)


WAYS = {
    "git log --stat": "--oneline -n 20",
    "git diff HEAD~3": "`--stat` first",
    "git -C /srv stash list": "--name-only",
    "uv run pytest": "--tb=short",
    "python3 -m pytest": "--tb=short",
    "python3 x.py": "print a summary",
    "sudo docker logs x": "--tail 50",
    "weird-tool": "tail -n 40 out.txt",
}


@pytest.mark.parametrize(("command", "way"), WAYS.items())
def test_the_way_to_ask_for_less_fits_the_program(rules: Any, command: str, way: str) -> None:
    (said,) = judge(rules, event("Bash", "x" * 5000, command=command))
    assert way in said.text


def test_the_way_to_ask_for_less_fits_the_tool(rules: Any) -> None:
    assert "offset and limit" in judge(rules, event("Read", "x" * 50_000))[0].text
    assert "a filter, a page or a limit" in judge(rules, event("mcp__a__b", "x" * 50_000))[0].text


def test_the_owner_adds_tools_bounds_and_ways(tmp_path: Path) -> None:
    rules = compiled(
        tmp_path,
        "bash_max = 100\ntool_max = 50\n"
        '[[tool]]\nid = "mine"\nmatch = "mcp__mine__*"\ncount = ["rows"]\nmax = 10\n'
        '[[less]]\nid = "mine"\nprograms = ["weird-tool"]\ntools = ["mcp__mine__*"]\nsay = "ask nicely"\n',
    )
    assert "ask nicely" in judge(rules, event("Bash", "x" * 101, command="weird-tool"))[0].text
    (said,) = judge(rules, event("mcp__mine__get", {"rows": ["x" * 11], "other": "y" * 999}))
    assert "gave 11 characters; the bound is 10 (~/machine/output-bound.toml: tool 'mine', max)" in said.text
    assert "ask nicely" in said.text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["type", "text", "content", "file", "a"]), inner)
        ),
    ),
    st.sampled_from(["Bash", "Read", "Grep", "Edit", "mcp__a__b", "Agent", "Mystery"]),
)
def test_no_answer_of_any_shape_breaks_the_count(answer: Any, name: str) -> None:
    rules = _kept()
    made = event(name, answer)
    counted = output_bound.shown(answer, output_bound._row(made, rules), rules["pictures"])
    assert 0 <= counted <= len(json.dumps(answer, ensure_ascii=False)) + 20 * 10


_KEPT: list[Any] = []


def _kept() -> Any:
    if not _KEPT:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            _KEPT.append(compiled(Path(folder)))
    return _KEPT[0]


def test_a_deeply_nested_answer_is_counted(rules: Any) -> None:
    answer: Any = "x" * 30_000
    for _ in range(50_000):
        answer = [answer]
    assert judge(rules, event("Mystery", answer))


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ("bash_max = 0\n", "must be at least 1"),
        ('bash_max = "4000"\n', "expected a whole number, found a string"),
        ('mode = "cut"\n', "'cut' is none of 'note', 'trim'"),
        ('[[tool]]\nid = "t"\nmatch = "a*b*"\n', "one * at most"),
        ('[[tool]]\nid = "t"\nmatch = "a"\nquiet = true\ncount = ["x"]\n', "a quiet tool shows nothing"),
        ('[[less]]\nid = "l"\nsay = "x"\n', "needs programs or tools"),
        ('[[wrapper]]\nid = "w"\nnames = []\n', "needs at least one name"),
        ('[[tool]]\nid = "t"\nmatch = "a"\nharness = "cloude"\n', "'cloude' is none of"),
    ],
)
def test_a_mistake_in_the_policy_is_named(tmp_path: Path, toml: str, fault: str) -> None:
    faults = bundled.built("output-bound", tmp_path, toml).faults
    assert len(faults) == 1
    assert fault in faults[0]


# ---- trim mode
@pytest.fixture(scope="module")
def trim(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(tmp_path_factory.mktemp("trim"), 'mode = "trim"\n')


LONG_TEXT = "".join(f"line {n}\n" for n in range(3000))


def test_trim_cuts_the_middle_keeps_the_shape_and_names_the_file(trim: Any) -> None:
    answer = shell(LONG_TEXT)
    said, cut = judge(trim, event("Bash", answer, command="cat big"))
    assert "the middle was cut out" in said.text
    assert cut.text == ""
    new = cut.facts["replace"]
    assert new.keys() == answer.keys()
    assert [new[key] for key in answer if key != "stdout"] == [answer[key] for key in answer if key != "stdout"]
    assert answer["stdout"] == LONG_TEXT
    path, whole = cut.facts["save"]
    assert path == "/state/sessions/s1/outputs/toolu_01.txt"
    assert whole == LONG_TEXT
    assert len(new["stdout"]) < 4300
    head, middle, tail = new["stdout"].partition("\n[guards output-bound: ")
    assert LONG_TEXT.startswith(head)
    assert head.endswith("\n")
    gone, _, rest = tail.partition(" characters are cut out here; the whole is in " + path + "]\n")
    assert middle
    assert LONG_TEXT.endswith(rest)
    assert rest.startswith("line ")
    assert int(gone.replace(",", "")) == len(LONG_TEXT) - len(head) - len(rest)


def test_trim_cuts_every_time_and_says_it_once(trim: Any) -> None:
    world = World()
    assert len(judge(trim, event("Bash", shell(LONG_TEXT), command="cat big"), world)) == 2
    (cut,) = judge(trim, event("Bash", shell(LONG_TEXT), command="cat big"), world)
    assert "replace" in cut.facts


def test_trim_cuts_the_longest_text_and_leaves_pictures_and_the_rest(trim: Any) -> None:
    picture = {"type": "image", "data": "A" * 999}
    answer = [*blocks("short"), picture, *blocks("x" * 30_000)]
    _, cut = judge(trim, event("mcp__a__b", answer))
    new = cut.facts["replace"]
    assert new[:2] == answer[:2]
    assert new[2]["type"] == "text"
    assert len(new[2]["text"]) < 20_300
    _, cut = judge(trim, event("mcp__a__b", "x" * 30_000))
    assert isinstance(cut.facts["replace"], str)
    _, cut = judge(trim, event("Grep", {"mode": "content", "filenames": [], "content": "x" * 9000, "numLines": 1}))
    assert cut.facts["replace"]["numLines"] == 1
    assert len(cut.facts["replace"]["content"]) < 6800


def test_trim_leaves_alone_what_cannot_or_should_not_be_cut(trim: Any) -> None:
    world = World()
    world.session.folder = ""
    assert len(judge(trim, event("Bash", shell(LONG_TEXT)), world)) == 1
    for made in (
        event("Read", {"type": "text", "file": {"content": "x" * 90_000}}),
        event("Bash", LONG_TEXT, harness="codex"),
        event("Bash", None, name="after-tool-failure", text=LONG_TEXT),
        event("Bash", {"output": LONG_TEXT}),
    ):
        assert len(judge(trim, made)) == 1, made.tool
    assert judge(trim, event("Bash", shell("x" * 90_000, persistedOutputPath="/x"))) == []


# ---- through the wired command
def after(name: str, given: Any, answer: Any, **more: Any) -> dict[str, Any]:
    return tool(name, given, event="PostToolUse", tool_response=answer, **more)


def test_the_note_is_said_once_through_the_wired_command(machine: Machine) -> None:
    loud = after("Bash", {"command": "cd /srv && cat big"}, shell("x" * 5000), cwd=machine.home)
    said = machine.fire("after-tool", loud)
    assert said.code == 0
    assert said.note.startswith("cat gave 5,000 characters; the bound is 4,000 (policy/output-bound.toml: bash_max).")
    assert machine.fire("after-tool", loud).silent
    assert machine.fire("after-tool", {**loud, "session_id": SESSION.replace("5f0c", "5f0d")}).note
    assert machine.fire("after-tool", {**loud, "agent_id": "a1"}).note
    assert machine.fire("after-tool", loud, env={"BASH_OUTPUT_MAX": "10"}).silent
    other = after("Bash", {"command": "ls"}, shell("x" * 11), cwd=machine.home)
    assert machine.fire("after-tool", other).silent
    assert "BASH_OUTPUT_MAX" in machine.fire("after-tool", other, env={"BASH_OUTPUT_MAX": "10"}).note
    assert [line["of"] for line in machine.journal() if line["guard"] == "output-bound"] == ["cat", "cat", "cat", "ls"]


def test_a_failed_call_speaks_through_the_wired_command(machine: Machine) -> None:
    payload = tool("Bash", {"command": "make"}, event="PostToolUseFailure", error="Exit code 2\n" + "x" * 9000)
    said = machine.fire("after-tool-failure", payload)
    assert said.document["hookSpecificOutput"]["hookEventName"] == "PostToolUseFailure"
    assert said.note.startswith("make gave 9,012 characters")


@pytest.mark.parametrize("size", [10, 1_000_000, 3_000_000])
def test_under_the_bound_it_is_silent_at_any_size_of_the_payload(machine: Machine, size: int) -> None:
    edit = {"filePath": "/p/a", "oldString": "a", "newString": "b", "originalFile": LINE * (size // 26)}
    assert machine.fire("after-tool", after("Edit", {"file_path": "/p/a"}, edit)).silent
    kept = shell("x" * 30_000, persistedOutputPath="/x/b.txt", persistedOutputSize=size)
    assert machine.fire("after-tool", after("Bash", {"command": "cat"}, kept)).silent


@pytest.mark.parametrize("answer", [None, {}, [], "", 5, True, {"stdout": None}, {"stdout": 5}, [None, 5, [{}]]])
def test_answers_of_no_known_shape_are_silent(machine: Machine, answer: Any) -> None:
    assert machine.fire("after-tool", after("Bash", {"command": "true"}, answer)).silent
    assert machine.fire("after-tool", tool("Bash", {"command": "true"}, event="PostToolUse")).silent


def test_an_excluded_tree_is_silent_only_when_the_harness_was_launched_so(machine: Machine) -> None:
    loud = after("Bash", {"command": "cat big"}, shell("x" * 5000), cwd=machine.home)
    # the test is the launching program here, and was not started with the variable
    assert machine.fire("after-tool", loud, env={"AGENT_EXCLUDE_PREFIX": str(machine.home)}).note


def test_trim_hands_the_cut_answer_over_and_keeps_the_whole_through_the_wired_command(machine: Machine) -> None:
    machine.policy("output-bound", 'mode = "trim"\n')
    loud = after("Bash", {"command": "cat big"}, shell(LONG_TEXT), cwd=machine.home)
    document = machine.fire("after-tool", loud).document["hookSpecificOutput"]
    cut = document["updatedToolOutput"]["stdout"]
    assert "the middle was cut out" in document["additionalContext"]
    kept = Path(cut.partition("the whole is in ")[2].partition("]")[0])
    assert kept.read_text() == LONG_TEXT
    assert kept.stat().st_mode & 0o777 == 0o600
    again = machine.fire("after-tool", {**loud, "tool_use_id": "toolu_02"}).document["hookSpecificOutput"]
    assert "additionalContext" not in again
    assert again["updatedToolOutput"].keys() == shell().keys()


def test_trim_says_only_the_note_when_the_whole_cannot_be_kept(machine: Machine) -> None:
    machine.policy("output-bound", 'mode = "trim"\n')
    loud = after("Bash", {"command": "cat big"}, shell(LONG_TEXT), cwd=machine.home)
    folder = machine.state / "sessions" / SESSION
    folder.mkdir(parents=True, mode=0o700)
    (folder / "outputs").write_text("in the way")
    document = machine.fire("after-tool", loud).document["hookSpecificOutput"]
    assert "updatedToolOutput" not in document
    assert "cat gave" in document["additionalContext"]


def test_a_codex_call_is_noted_over_pipes(machine: Machine) -> None:
    payload = json.loads((PAYLOADS / "codex/PostToolUse--Bash--large-output.json").read_bytes())
    said = machine.fire("after-tool", payload, harness="codex", streams="pipe", shell="/bin/bash")
    assert said.note.startswith("echo gave ")
