"""The envelope of a spawn: which lines are headings, which calls are judged, what the refusal says."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards import spawn_envelope
from guards.engine.event import Event, Verdict
from tests import bundled
from tests.machine import Machine, tool

SPAWN = "mcp__host__spawn_session"
FOLLOW_UP = "mcp__host__send_prompt"
HEADINGS = ("Lane", "Scope cap", "Hard stops", "Ask-triggers")
WHOLE = "Lane: src/parser only\nScope cap: three files\nHard stops: none\nAsk-triggers: a failing migration\n"


class World:
    """A world of two environments: what the hook has, and what the harness was launched with."""

    def __init__(self, plain: str | None = None, launched: str | None = None, *, off: bool = False) -> None:
        self.plain, self.launched, self.is_off = plain, launched, off

    def plain_env(self, _name: str) -> str | None:
        return self.plain

    def env(self, _name: str) -> str | None:
        return self.launched

    def lstat(self, _path: str) -> None:
        return None

    def off(self, name: str) -> bool:
        return self.is_off and name == "spawn-envelope"


def compiled(folder: Path, toml: str = "") -> Any:
    return bundled.compiled("spawn-envelope", folder, toml)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(tmp_path_factory.mktemp("bundled"))


def judge(rules: Any, prompt: Any, name: str = SPAWN, world: World | None = None, **more: Any) -> Verdict | None:
    event = Event("claude", "before-tool", {})
    event.tool = name
    event.input = {"prompt": prompt, **more}
    said: Verdict | None = spawn_envelope.judge(event, rules, world or World())  # type: ignore[arg-type]
    return said


def missing(rules: Any, prompt: str, **more: Any) -> list[str]:
    said = judge(rules, prompt, **more)
    return [] if said is None else list(said.facts["missing"])


# ---- what is a heading
DECORATIONS = [
    "{}",
    "{}:",
    "# {}",
    "## {} ##",
    "###### {}:",
    "##{}",
    "**{}**",
    "**{}:** x",
    "**{}** x",
    "__{}__",
    "*{}*",
    "- {}",
    "* **{}** x",
    "+ {}: x",
    "1. {}: x",
    "2) {}",
    "1.2.3 {}",
    "• {}: x",
    "● {}",
    "‣ {} — x",
    "> {}: x",
    "> > ## {}",
    ">{}",
    "— {}",
    "--- {} ---",
    "=== {} ===",
    "[{}] x",
    "({}) x",
    "<{}>",
    "| {} | x |",
    "    {}: x",
    "\t{}\tx",
    "🛑 {}: x",
    "ℹ️ {}: x",
    "✅ **{}**",
    "1️⃣ {}",
    "§ {}",
    "{} - x",
    "{} – x",
    "{} (x)",
    "{}  x",
    "{}…",
    "{}.",
    "`{}`: x",
    '"{}": x',
    "### {} for this run",
    "**{} for this run**",
    "{} = x",
    "{}/limits: x",
    "{} & limits: x",
    "{} → x",
    "{} for this run\n===",
    "{}\n----",
    "№ 4 {}",
]


@pytest.mark.parametrize("form", DECORATIONS)
def test_a_decorated_heading_counts(rules: Any, form: str) -> None:
    prompt = "\n\n".join(form.format(heading) for heading in HEADINGS)
    assert missing(rules, "Do the work.\n\n" + prompt) == []


@pytest.mark.parametrize("form", DECORATIONS)
def test_each_heading_is_missed_on_its_own(rules: Any, form: str) -> None:
    for absent in HEADINGS:
        prompt = "\n\n".join(form.format(heading) for heading in HEADINGS if heading != absent)
        assert missing(rules, prompt) == [absent]


SENTENCES = [
    "the {} is gated",
    "The {}: see above",
    "We keep the {} in mind.",
    "{} is what the last run lacked",
    "{}, and the rest, are in the plan",
    "{}; nothing else",
    "{}. And then go on with the work",
    "{}? No.",
    "{}s' owner decides",
    "- {} matters here",
    "1. {} were discussed",
    "> {} is something people forget",
    "see {}",
    "a {}",
    "no-{}",
    "x{}",
    "{}x",
    "{}ing things",
    "`{}` is the name of a field",
    "{}-keeping is hard",
    "{}_id = 4",
    "{}.py holds it",
    "{}/other",
    "{}'s end",
    "{}\N{COMBINING ACUTE ACCENT}",
    "#1 {} is open",
    "{} is over\n- one\n- two",
]


@pytest.mark.parametrize("form", SENTENCES)
def test_a_heading_inside_a_sentence_or_a_longer_word_is_none(rules: Any, form: str) -> None:
    prompt = "\n\n".join(form.format(heading) for heading in HEADINGS)
    assert missing(rules, prompt) == list(HEADINGS)


@pytest.mark.parametrize(
    "headings",
    [
        ("LANE", "SCOPE CAP", "HARD STOPS", "ASK-TRIGGERS"),
        ("lane", "scope cap", "hard stop", "ask trigger"),
        ("Lanes", "Scope-cap", "Hard-Stops", "Ask triggers"),
        ("lane", "scope_cap", "hard_stops", "ask_triggers"),
        ("Lane", "ScopeCap", "HardStops", "AskTriggers"),
        ("Lane", "Scope\u00a0cap", "Hard\u2011stops", "Ask  triggers"),
    ],
)
def test_case_number_and_joints_make_no_difference(rules: Any, headings: tuple[str, ...]) -> None:
    assert missing(rules, "".join(f"## {heading}\nx\n" for heading in headings)) == []


def test_reporting_lines_are_no_report(tmp_path: Path) -> None:
    rules = compiled(tmp_path, '[[heading]]\nid = "report"\naccept = ["Report"]\nholds = "ten lines"\n')
    assert missing(rules, WHOLE + "## Reporting lines\n") == ["Report"]
    assert missing(rules, WHOLE + "## Report format\n") == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_every_line_end_counts(rules: Any, end: str) -> None:
    assert missing(rules, WHOLE.replace("\n", end)) == []
    fenced = "```\nls\n```\n" + WHOLE
    assert missing(rules, fenced.replace("\n", end)) == []


def test_a_byte_order_mark_before_the_first_heading_is_no_letter(rules: Any) -> None:
    assert missing(rules, "\ufeff" + WHOLE) == []


def test_headings_in_other_languages_match_composed_and_decomposed(tmp_path: Path) -> None:
    rows = (
        '[[heading]]\nid = "check"\naccept = ["Prüfung"]\nholds = "x"\n'
        '[[heading]]\nid = "over"\naccept = ["Übergabe"]\nholds = "x"\n'
    )
    rules = compiled(tmp_path, 'disable = ["lane", "scope-cap", "hard-stops", "ask-triggers"]\n' + rows)
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "## PRÜFUNG\nx\n## übergabe\ny\n")
        assert missing(rules, text) == []
    assert missing(rules, "## Prufung\n## Ubergabe\n") == ["Prüfung", "Übergabe"]


# ---- code fences
FENCED = {
    "backticks": "```\n{}```\n",
    "tildes": "~~~\n{}~~~\n",
    "with a language": "```text\n{}```\n",
    "longer": "`````\n{}`````\n",
    "a longer fence holds a shorter one": "````\n```\n{}```\n````\n",
    "what looks like a closer is text of a longer fence": "````\n```\n```\n{}````\n",
    "a tilde fence holds backticks": "~~~\n```\n{}~~~\n",
    "a closer with a language closes nothing": "```\n```text\n{}```\n",
    "in a list": "- ```\n  {}  ```\n",
    "closed by a longer one": "```\n{}``````\n",
    "code in the fence stands deeper": "```\nx\n      ```\n{}```\n",
}


@pytest.mark.parametrize("form", FENCED.values(), ids=FENCED.keys())
def test_headings_inside_a_code_fence_are_code(rules: Any, form: str) -> None:
    assert missing(rules, form.format(WHOLE)) == list(HEADINGS)
    said = judge(rules, form.format(WHOLE))
    assert said is not None
    assert "code, not a heading" in said.text
    assert missing(rules, form.format(WHOLE) + WHOLE) == []


def test_headings_inside_a_quoted_code_fence_are_code(rules: Any) -> None:
    quoted = "".join(f"> {line}\n" for line in ["```", *WHOLE.splitlines(), "```"])
    assert missing(rules, quoted) == list(HEADINGS)
    assert missing(rules, quoted + WHOLE) == []


OUTSIDE = {
    "after a closed fence": "```\nls\n```\n{}",
    "between two fences": "```\nls\n```\n{}```\nls\n```\n",
    "after a tilde fence with backticks in it": "~~~\n```\n~~~\n{}",
    "after a closer with blanks behind it": "```\nls\n```  \t\n{}",
    "after code inside a line": "```ls``` lists\n{}",
    "after two backticks": "``\n{}``\n",
    "after a fence in the middle of a line": "type ``` to open one\n{}",
    "after a fence in a list": "- ```bash\n  ls\n  ```\n{}",
    "before an open fence": "{}```\nls\n",
    "a shorter run opens nothing": "~~\n{}~~\n",
    "a fence inside a quote ends with the quote": "> ```\n> ls\n\n{}",
}


@pytest.mark.parametrize("form", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_headings_outside_every_code_fence_count(rules: Any, form: str) -> None:
    assert missing(rules, form.format(WHOLE)) == []


def test_a_fence_left_open_makes_what_follows_code_and_is_named(rules: Any) -> None:
    said = judge(rules, "Lane: src\n\n~~~~ text\n" + WHOLE)
    assert said is not None
    assert said.facts["missing"] == ["Scope cap", "Hard stops", "Ask-triggers"]
    assert "the code fence ~~~~ of line 3 is never closed" in said.text


# ---- which calls are judged
def test_presence_only_nonsense_below_the_headings_passes(rules: Any) -> None:
    assert missing(rules, "Lane\nScope cap\nHard stops: none\nAsk-triggers: blub") == []


@pytest.mark.parametrize("prompt", [None, 5, 5.5, True, [], ["Lane"], {"text": "go"}])
def test_a_prompt_that_is_no_text_passes(rules: Any, prompt: Any) -> None:
    assert judge(rules, prompt) is None


def test_a_call_that_resumes_without_a_prompt_passes(rules: Any) -> None:
    event = Event("claude", "before-tool", {})
    event.tool, event.input = SPAWN, {"resume": "a1f2"}
    assert spawn_envelope.judge(event, rules, World()) is None  # type: ignore[arg-type]


def test_only_the_prompt_field_counts(rules: Any) -> None:
    assert missing(rules, "go", description=WHOLE) == list(HEADINGS)


@pytest.mark.parametrize("prompt", ["", "x", "go on"])
def test_a_spawn_is_judged_at_any_length(rules: Any, prompt: str) -> None:
    assert missing(rules, prompt, world=World("100000", "100000")) == list(HEADINGS)


@pytest.mark.parametrize(
    "name",
    [
        "mcp__nimbalyst-host__spawn_session",
        "mcp__x__spawn_session",
        "mcp__my_host__spawn_session",
        "mcp_x_spawn_session",
    ],
)
def test_any_host_counts(rules: Any, name: str) -> None:
    assert missing(rules, "go", name=name) == list(HEADINGS)


@pytest.mark.parametrize(
    "name",
    [
        "mcp__x__respawn_session",
        "mcp__x__spawn_session2",
        "mcp__x__spawn_sessions",
        "mcp____spawn_session"[:5] + "spawn_session",
        "x__mcp__host__spawn_session",
        "spawn_session",
        "mcp__x__answer_child",
        "mcp__x__Spawn_Session",
        "Bash",
        "Agent",
        "Task",
        "SendMessage",
        "",
    ],
)
def test_other_tools_are_never_judged(rules: Any, name: str) -> None:
    assert judge(rules, "go", name=name) is None


def test_a_follow_up_is_judged_from_the_threshold_on(rules: Any) -> None:
    assert missing(rules, "x" * 399, name=FOLLOW_UP) == []
    assert missing(rules, "x" * 400, name=FOLLOW_UP) == list(HEADINGS)
    said = judge(rules, "x" * 400, name=FOLLOW_UP)
    assert said is not None
    assert "fewer than 400 characters needs none" in said.text


THRESHOLDS = [
    # hook's value, launched with, characters, judged
    ("10", None, 10, True),
    ("10", None, 9, False),
    ("0", None, 0, True),
    (" 10 ", None, 10, True),
    ("100000", "100000", 5000, False),
    ("100000", None, 400, True),
    ("100000", "500", 400, True),
    ("100000", None, 399, False),
    ("", None, 400, True),
    ("many", None, 399, False),
    ("-1", None, 399, False),
    ("4e2", None, 399, False),
    ("١٢", None, 399, False),
    ("9" * 5000, "9" * 5000, 400, True),
]


@pytest.mark.parametrize(("plain", "launched", "size", "judged"), THRESHOLDS)
def test_a_higher_threshold_must_be_the_owners_own_a_lower_one_is_fine(
    rules: Any, plain: str, launched: str | None, size: int, judged: bool
) -> None:
    said = judge(rules, "x" * size, name=FOLLOW_UP, world=World(plain, launched))
    assert (said is not None) is judged


def test_the_owner_can_switch_it_off(rules: Any) -> None:
    assert judge(rules, "go", world=World(off=True)) is None


# ---- what the refusal says
def test_the_refusal_names_only_what_is_missing_and_what_it_should_hold(rules: Any) -> None:
    said = judge(rules, "## Lane\nsrc\n## Scope cap\n3 files\n## Ask-triggers\nany\n")
    assert said is not None
    assert said.action == "deny"
    assert said.rule == "policy/spawn-envelope.toml: heading 'hard-stops'"
    assert "Hard stops: what it never does" in said.text
    for other in ("Lane", "Scope cap", "Ask-triggers"):
        assert other not in said.text


def test_the_owners_own_tools_headings_and_action(tmp_path: Path) -> None:
    rules = compiled(
        tmp_path,
        'action = "watch"\nmin_chars = 20\n'
        '[[tool]]\nid = "claude-agent"\nmatch = "Agent"\nkind = "spawn"\nprompt = "prompt"\n'
        '[[tool]]\nid = "claude-message"\nmatch = "SendMessage"\nkind = "follow-up"\nprompt = "message"\n'
        '[[heading]]\nid = "lane"\naccept = ["Lane", "Branch"]\n',
    )
    said = judge(rules, WHOLE.replace("Lane", "Branch"), name="Agent")
    assert said is None
    said = judge(rules, "go", name="Agent")
    assert said is not None
    assert said.action == "watch"
    assert said.rule.startswith("~/machine/spawn-envelope.toml: heading 'lane'; policy/spawn-envelope.toml")
    assert judge(rules, None, name="SendMessage", message="x" * 19) is None
    assert judge(rules, None, name="SendMessage", message="x" * 20) is not None


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ('[[tool]]\nid = "t"\nmatch = "*__spawn"\nkind = "spawn"\n', "begins with the harness's own prefix"),
        ('[[tool]]\nid = "t"\nmatch = "a*b*c"\nkind = "spawn"\n', "one * at most"),
        ('[[tool]]\nid = "t"\nmatch = "a"\nkind = "start"\n', "'start' is none of 'follow-up', 'spawn'"),
        ('[[heading]]\nid = "h"\naccept = []\nholds = "x"\n', "needs at least one spelling"),
        (
            '[[heading]]\nid = "h"\naccept = ["1st"]\nholds = "x"\n',
            "accept[0]: a heading's spelling begins with a letter",
        ),
        ("min_chars = -1\n", "must be at least 0"),
        ('action = "allow"\n', "'allow' is none of"),
    ],
)
def test_a_mistake_in_the_policy_is_named(tmp_path: Path, toml: str, fault: str) -> None:
    faults = bundled.built("spawn-envelope", tmp_path, toml).faults
    assert len(faults) == 1
    assert fault in faults[0]


# ---- size and hostile text
HOSTILE = {
    "prose": ("the task asks hard things of every lane and scope. " * 10 + "\n") * 2000,
    "one line": "hard lane scope ask " * 50000,
    "fences": "```\n" * 250000,
    "nested fences": ("~~~\n" + "```\n" * 5) * 50000,
    "no letters": "-" * 1000000,
    "words with gaps": ("hard" + " " * 50) * 20000,
    "unicode": ("é ünï lane hard\n") * 60000,
    "headings": "lane\n" * 200000,
}


@pytest.mark.parametrize("filler", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_is_read_in_a_blink(rules: Any, filler: str) -> None:
    started = time.process_time()
    missing(rules, filler)
    assert time.process_time() - started < 1.0  # the worst of these takes a seventh of that


def test_a_megabyte_with_its_envelope_at_the_end_passes(rules: Any) -> None:
    assert missing(rules, HOSTILE["prose"] + "\n" + WHOLE) == []
    assert missing(rules, WHOLE + "\n" + HOSTILE["fences"]) == []


@given(st.text(max_size=400))
def test_no_text_breaks_the_reader_and_no_prefix_hides_the_envelope(prompt: str) -> None:
    rules = _kept()
    judge(rules, prompt)
    if "```" not in prompt and "~~~" not in prompt:
        assert missing(rules, prompt + "\n" + WHOLE) == []


_KEPT: list[Any] = []


def _kept() -> Any:
    if not _KEPT:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            _KEPT.append(compiled(Path(folder)))
    return _KEPT[0]


# ---- through the wired command
def test_a_spawn_without_its_envelope_is_refused_through_the_wired_command(machine: Machine) -> None:
    said = machine.fire("before-tool", tool(SPAWN, {"prompt": "## Lane\nsrc\n"}, cwd=machine.home))
    assert said.denied
    assert "Scope cap" in said.err
    assert "- Lane" not in said.err
    assert machine.fire("before-tool", tool(SPAWN, {"prompt": WHOLE}, cwd=machine.home)).silent
    assert machine.fire("before-tool", tool("mcp__h__respawn_session", {"prompt": "go"}, cwd=machine.home)).silent


def test_an_envelope_in_the_first_lines_of_a_large_prompt_is_found_through_the_wired_command(machine: Machine) -> None:
    for size in (70_000, 1_000_000, 3_000_000):
        said = machine.fire("before-tool", tool(SPAWN, {"prompt": WHOLE + "filler text\n" * (size // 12)}))
        assert said.silent


def test_the_threshold_counts_only_when_the_harness_was_launched_with_it(machine: Machine) -> None:
    payload = tool(FOLLOW_UP, {"prompt": "x" * 500}, cwd=machine.home)
    assert machine.fire("before-tool", payload).denied
    # the test is the launching program here, and was not started with the variable
    assert machine.fire("before-tool", payload, env={"SPAWN_ENVELOPE_MIN_CHARS": "100000"}).denied
    short = tool(FOLLOW_UP, {"prompt": "x" * 50}, cwd=machine.home)
    assert machine.fire("before-tool", short).silent
    assert machine.fire("before-tool", short, env={"SPAWN_ENVELOPE_MIN_CHARS": "10"}).denied


def test_a_repository_may_ask_for_more_but_not_for_less(machine: Machine) -> None:
    layer = (
        'action = "watch"\nmin_chars = 100000\ndisable = ["lane"]\n'
        '[[heading]]\nid = "budget"\naccept = ["Budget"]\nholds = "money"\n'
        '[[heading]]\nid = "lane"\naccept = ["go"]\n'
        '[[tool]]\nid = "agent"\nmatch = "Agent"\nkind = "spawn"\n'
        '[[tool]]\nid = "mcp-spawn"\nmatch = "none"\n'
    )
    repo = machine.repo(files={".guards/spawn-envelope.toml": layer, "src/a.py": ""})
    said = machine.fire("before-tool", tool(SPAWN, {"prompt": "go"}, cwd=repo / "src"))
    assert said.denied
    for heading in (*HEADINGS, "Budget"):
        assert f"- {heading}: " in said.err
    assert machine.fire("before-tool", tool("Agent", {"prompt": WHOLE + "Budget: 3"}, cwd=repo)).silent
    assert "- Budget: money (.guards/spawn-envelope.toml" in machine.fire(
        "before-tool", tool("Agent", {"prompt": WHOLE}, cwd=repo)
    ).err  # fmt: skip
    assert machine.fire("before-tool", tool("Agent", {"prompt": WHOLE}, cwd=machine.home)).silent
    assert machine.fire("before-tool", tool(FOLLOW_UP, {"prompt": "x" * 500}, cwd=repo)).denied


def test_an_excluded_folder_does_not_free_a_spawn(machine: Machine) -> None:
    payload = tool(SPAWN, {"prompt": "go"}, cwd=machine.home)
    assert machine.fire("before-tool", payload, env={"AGENT_EXCLUDE_PREFIX": str(machine.home)}).denied
