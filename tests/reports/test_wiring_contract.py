"""The wiring contract: for every rule one wiring that breaks it and one like it that does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guards.reports import wiring
from guards.reports.contract import house
from guards.reports.contract.commands import Ground
from guards.reports.contract.rules import FAIL, RULES, Finding

Build = Callable[["Desk"], None]
GUARD = "~~/tools/guard.sh"
OK = "#!/bin/sh\n# Exit codes: 0 nothing to say, 2 refuses\nexit 0\n"


class Desk:
    """A repository of an owner's settings and hooks, in a home of its own."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home = base / "home"
        self.root = base / "home/conf"
        self.moved: tuple[tuple[str, str], ...] = ()
        (self.root / ".git").mkdir(parents=True)

    def file(self, name: str, text: str, mode: int = 0o755) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def raw(self, text: str, name: str = "claude/settings.json") -> None:
        self.file(f"conf/{name}", text)

    def settings(self, value: Any, name: str = "claude/settings.json") -> None:
        self.raw(json.dumps(value, indent=1), name)

    def entry(
        self, event: str = "PreToolUse", matcher: Any = "Write", name: str = "claude/settings.json", **entry: Any
    ) -> None:
        """One entry in one group; the command is a good one unless it is given."""
        self.file("tools/guard.sh", OK)
        made = {"type": "command", "command": f"{self.home}/tools/guard.sh", "timeout": 10, **entry}
        made = {key: value for key, value in made.items() if value is not ...}
        group: dict[str, Any] = {"hooks": [made]}
        if matcher is not None:
            group["matcher"] = matcher
        self.settings({"hooks": {event: [group]}}, name)

    def command(self, line: str, event: str = "PreToolUse", name: str = "claude/settings.json", **more: Any) -> None:
        self.entry(event, "Write" if event == "PreToolUse" else None, name, command=line, **more)

    def check(self, harness: str = "") -> list[Finding]:
        values = {"HOME": str(self.home), "CLAUDE_PROJECT_DIR": str(self.root), "PWD": str(self.root)}
        ground = Ground(self.home, self.root, os.environ["PATH"], self.moved, values)
        return wiring.check([self.root], ground, harness).findings


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def entry(**more: Any) -> Build:
    return lambda desk: desk.entry(**more)


def command(line: str, **more: Any) -> Build:
    return lambda desk: desk.command(line.replace("~~", str(desk.home)), **more)


def script(text: str, line: str = "~~/tools/own.sh", event: str = "PreToolUse") -> Build:
    def build(desk: Desk) -> None:
        desk.file("tools/own.sh", text)
        desk.command(line.replace("~~", str(desk.home)), event)

    return build


def raw(text: str, name: str = "claude/settings.json") -> Build:
    return lambda desk: desk.raw(text, name)


def hooks(value: Any, name: str = "claude/settings.json", **more: Any) -> Build:
    return lambda desk: desk.settings({"hooks": value, **more}, name)


def both(*builds: Build) -> Build:
    def build(desk: Desk) -> None:
        for one in builds:
            one(desk)

    return build


def managed(line: str, **more: Any) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": f"{line} # guards:managed", "timeout": 30, **more}]}


def group(line: str, matcher: str = "Write", **more: Any) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": line, "timeout": 10, **more}]}


def rewriting(desk: Desk) -> None:
    desk.file("tools/rewrite.sh", OK.replace("exit 0", "echo '{\"updatedInput\":{}}'"))
    desk.settings({"hooks": {"PreToolUse": [group(f"{desk.home}/tools/rewrite.sh", "Bash"), managed("/bin/true")]}})


def rewriting_alone(desk: Desk) -> None:
    desk.file("tools/rewrite.sh", OK.replace("exit 0", "echo '{\"updatedInput\":{}}'"))
    desk.settings({"hooks": {"PreToolUse": [group(f"{desk.home}/tools/rewrite.sh", "Bash")]}})


def spaced(line: str) -> Build:
    def build(desk: Desk) -> None:
        desk.file("my tools/guard.sh", OK)
        desk.command(line.replace("~~", str(desk.home)))

    return build


def doubled(first: str, second: str, matcher: str = "Write") -> Build:
    def build(desk: Desk) -> None:
        desk.file("tools/guard.sh", OK)
        (desk.home / "tools/other.sh").symlink_to("guard.sh")
        lines = [line.replace("~~", str(desk.home)) for line in (first, second)]
        desk.settings({"hooks": {"PreToolUse": [group(lines[0]), group(lines[1], matcher)]}})

    return build


def linked_out(desk: Desk) -> None:
    desk.file("elsewhere.sh", OK)
    desk.command('"$CLAUDE_PROJECT_DIR"/../elsewhere.sh', name=".claude/settings.json")


def inside(desk: Desk) -> None:
    desk.file("conf/hooks/own.sh", OK)
    desk.command('"$CLAUDE_PROJECT_DIR"/hooks/own.sh', name=".claude/settings.json")


def gemini(timeout: Any) -> Build:
    return entry(event="BeforeTool", matcher="write_file", name="gemini/settings.json", timeout=timeout)


def unreadable(desk: Desk) -> None:
    (desk.root / "claude").mkdir()
    (desk.root / "claude/settings.json").symlink_to("/nowhere/hooks.json")


# rule → (settings that break it, settings like them that do not)
CASES: dict[str, tuple[Build, Build]] = {
    "unreadable": (unreadable, entry()),
    "not-json": (raw('{"hooks": {"PreToolUse": []'), raw('{"hooks": {"PreToolUse": []}}')),
    "comments": (raw('// mine\n{"hooks": {}}'), raw('\ufeff{"hooks": {}}\r\n')),
    "doubled-key": (raw('{"hooks": {}, "hooks": {}}'), raw('{"hooks": {}, "hooksConfig": {}}')),
    "shape": (hooks({"PreToolUse": {}}), hooks({"PreToolUse": []})),
    "flat": (
        hooks({"BeforeTool": [{"command": "/bin/true"}]}, "gemini/settings.json"),
        hooks({"BeforeTool": [{"hooks": [{"type": "command", "command": "/bin/true"}]}]}, "gemini/settings.json"),
    ),
    "type": (entry(type="shell"), entry(type="command")),
    "silenced": (hooks({}, disableAllHooks=True), hooks({}, disableAllHooks=False)),
    "event-unknown": (entry(event="PreTool", matcher=None), entry(event="Stop", matcher=None)),
    "event-new": (entry(event="PostToolBatch", matcher=None), entry(event="PostToolUseFailure", matcher=None)),
    "matcher-type": (entry(matcher=["Write"]), entry(matcher="Write")),
    "matcher-dead": (entry(matcher="mcp__files"), entry(matcher="mcp__files__.*")),
    "matcher-unknown": (entry(matcher="Write|Wrote"), entry(matcher="Write|Edit, NotebookEdit")),
    "matcher-regex": (entry(matcher="^(Write"), entry(matcher="^(Write|Edit)$")),
    "matcher-ignored": (entry(event="Stop", matcher="Write"), entry(event="Stop", matcher="*")),
    "if-rule": (entry(matcher="Bash", **{"if": "git *"}), entry(matcher="Bash", **{"if": "Bash(git *)"})),
    "timeout-type": (entry(timeout="10"), entry(timeout=10.5)),
    "timeout-range": (entry(timeout=0), entry(timeout=300)),
    "timeout-unit": (gemini(30), gemini(30000)),
    "timeout-none": (entry(timeout=...), entry(timeout=60)),
    "timeout-short": (entry(timeout=1), entry(timeout=5)),
    "timeout-end": (entry(event="SessionEnd", matcher=None, timeout=...), entry(event="SessionEnd", matcher=None)),
    "deadline": (
        hooks({"PreToolUse": [managed("/bin/true", timeout=10)]}),
        hooks({"PreToolUse": [managed("/bin/true", timeout=30)]}),
    ),
    "async-gate": (entry(**{"async": True}), entry(event="PostToolUse", **{"async": True})),
    "once": (entry(once=True), entry(once=False)),
    "on-failure": (entry(onFailure="deny"), entry(onFailure="block")),
    "args": (entry(args=["-q"]), entry()),
    "args-literal": (entry(args=["$HOME/x"]), entry(args=["${CLAUDE_PROJECT_DIR}/x"])),
    "gone": (command("~~/tools/gone.sh"), command("~~/tools/guard.sh")),
    "not-executable": (
        both(command("~~/tools/plain.sh"), lambda desk: void(desk.file("tools/plain.sh", OK, 0o644))),
        both(command("sh ~~/tools/plain.sh"), lambda desk: void(desk.file("tools/plain.sh", OK, 0o644))),
    ),
    "space": (spaced("~~/my tools/guard.sh --now"), spaced('"~~/my tools/guard.sh" --now')),
    "bare-variable": (command("$HOME/tools/guard.sh"), command('"$HOME"/tools/guard.sh')),
    "quoted-tilde": (command('sh "~/tools/guard.sh"'), command("sh ~/tools/guard.sh")),
    "relative": (command("sh tools/guard.sh"), command("cd ~~ && sh tools/guard.sh")),
    "escapes": (linked_out, inside),
    "syntax": (command("if true; then ~~/tools/guard.sh"), command("if true; then ~~/tools/guard.sh; fi")),
    "bashism": (
        command("[[ -f ~~/x ]] && ~~/tools/guard.sh"),
        command("[[ -f ~~/x ]] && ~~/tools/guard.sh", name="codex/hooks.json"),
    ),
    "stream-path": (script(OK + "cat /dev/stdin\n"), script(OK + "# not /dev/stdin\ncat\n")),
    "unsupported": (command("powershell -File ~~/tools/x.ps1"), command("sh ~~/tools/guard.sh")),
    "doubled": (doubled("~~/tools/guard.sh", "~~/tools/guard.sh "), doubled(GUARD, GUARD, "Edit")),
    "rewriter": (rewriting, rewriting_alone),
    "exit-docs": (script("#!/bin/sh\n# blocks things\nexit 0\n"), script("#!/usr/bin/node\n// exit code 2 refuses\n")),
    "claim": (
        script("#!/bin/sh\n# Wired: PostToolUse\n# exit status 0 always\n"),
        script("#!/bin/sh\n# Wired to: PreToolUse\n# exit status 0 always\n"),
    ),
}  # fmt: skip
# rules about a checkout of Guards; their cases are below
HOUSE = {"manual-heading", "manual-off", "manual-stale", "dispatch", "dispatch-gone", "dispatch-unlisted"}


def void(_: object) -> None:
    return None


def broken(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


def test_every_rule_has_its_two_cases() -> None:
    assert set(CASES) | HOUSE == set(RULES)


@pytest.mark.parametrize("rule", CASES)
def test_a_wiring_that_breaks_the_rule_is_found(desk: Desk, rule: str) -> None:
    CASES[rule][0](desk)
    assert rule in broken(desk.check())


@pytest.mark.parametrize("rule", CASES)
def test_one_like_it_that_keeps_the_rule_is_not(desk: Desk, rule: str) -> None:
    CASES[rule][1](desk)
    found = desk.check()
    assert rule not in broken(found)
    assert not [finding for finding in found if finding.level == FAIL]


MORE: dict[str, tuple[str, Build]] = {
    "an entry that is no object": ("shape", hooks({"PreToolUse": [{"hooks": [5]}]})),
    "a group that is no object": ("shape", hooks({"Stop": ["x"]})),
    "hooks that are a list": ("shape", hooks([])),
    "a command that is a list": ("shape", entry(command=["/bin/true"])),
    "no command": ("shape", entry(command=...)),
    "permissions of another type": ("shape", hooks({}, permissions={"allow": "Bash"})),
    "no type": ("type", entry(type=...)),
    "an event in another case": ("event-unknown", entry(event="pretooluse", matcher=None)),
    "another harness's event": ("event-unknown", entry(event="BeforeTool", matcher=None)),
    "a tool in lower case": ("matcher-dead", entry(matcher="write|edit")),
    "a permission rule as matcher": ("matcher-dead", entry(matcher="Bash(git *)")),
    "a source nobody sends": ("matcher-dead", entry(event="SessionStart", matcher="start")),
    "a timeout of true": ("timeout-type", entry(timeout=True)),
    "a timeout of null": ("timeout-type", entry(timeout=None)),
    "a timeout that is NaN": ("not-json", raw('{"hooks": {"Stop": [{"hooks": [{"command":":","timeout":NaN}]}]}}')),
    "a negative timeout": ("timeout-range", entry(timeout=-5)),
    "nine thousand seconds": ("timeout-unit", entry(timeout=9000)),
    "fifteen minutes": ("timeout-range", entry(timeout=900)),
    "half a second": ("timeout-range", entry(timeout=0.5)),
    "ten minutes in milliseconds": ("timeout-range", gemini(600000)),
    "codex at its end": ("timeout-end", entry(event="SessionEnd", matcher=None, name="codex/hooks.json", timeout=20)),
    "a bash script that is gone": ("gone", command("bash ~~/missing.sh", timeout=9000)),
    "an interpreter that is gone": ("gone", command("nosuchruby ~~/tools/guard.sh")),
    "the second command of a line": ("gone", command("true; ~~/tools/gone.sh")),
    "guards' own script": ("gone", hooks({"Stop": [managed("/gone/py -IS /gone/hook.py claude stop")]})),
    "/dev/stdin in the line": ("stream-path", command("sh ~~/tools/guard.sh < /dev/stdin")),
    "a bare script name": ("relative", command("python3 guard.py")),
    "a dotted path": ("relative", command(".claude/hooks/guard.sh")),
    "an unclosed quote": ("syntax", command("sh '~~/tools/guard.sh")),
    "&> in sh": ("bashism", command("~~/tools/guard.sh &> /tmp/log")),
    "the same file by a link": ("doubled", doubled("~~/tools/guard.sh", "~~/tools/other.sh")),
    "the same script with its interpreter": ("doubled", doubled("~~/tools/guard.sh", "sh ~~/tools/guard.sh")),
    "a head that says it is not wired": ("claim", script("#!/bin/sh\n# NOT WIRED yet; exit codes: none\n")),
    "wired where the head does not say": ("claim", script("#!/bin/sh\n# event: Stop\n", event="SessionEnd")),
    "gemini's switch": ("silenced", hooks({}, "gemini/settings.json", hooksConfig={"enabled": False})),
    "args in codex": ("args", entry(name="codex/hooks.json", args=["x"])),
    "version of cursor's file": ("shape", hooks({}, "cursor/hooks.json")),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "build"), MORE.values(), ids=MORE)
def test_further_breaks(desk: Desk, rule: str, build: Build) -> None:
    build(desk)
    assert rule in broken(desk.check())


def test_a_whole_healthy_house_has_no_finding(desk: Desk) -> None:
    desk.file("tools/guard.sh", OK)
    desk.file("tools/lint.py", '#!/usr/bin/env python3\n"""Wired: PostToolUse. Exit codes: 0 always."""\n')
    line = f"{desk.home}/tools/guard.sh"
    desk.settings(
        {
            "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
            "hooks": {
                "PreToolUse": [group(line, "Write|Edit|NotebookEdit"), managed("/bin/true")],
                "PostToolUse": [group('python3 "$HOME/tools/lint.py"', "mcp__.*|^Edit$")],
                "SessionStart": [
                    {"matcher": "startup|resume", "hooks": [{"type": "command", "command": "/bin/true", "timeout": 9}]}
                ],
                "Stop": [{"hooks": [{"type": "prompt", "prompt": "enough?"}]}],
            },
        }
    )
    desk.settings({"hooks": {"PreToolUse": [group("/bin/true", "apply_patch")]}}, "codex/hooks.json")
    desk.settings({"version": 1, "hooks": {"stop": [{"command": "/bin/true", "timeout": 5}]}}, "cursor/hooks.json")
    desk.settings(
        {"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "/bin/true", "timeoutSec": 9}]}},
        ".github/hooks/own.json",
    )
    assert desk.check() == []


def test_a_codex_config_in_toml_is_read(desk: Desk) -> None:
    desk.file(
        "conf/codex/config.toml",
        '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "/gone"\n',
    )
    assert {"gone", "timeout-none"} <= broken(desk.check())


def test_a_finding_names_file_place_and_line(desk: Desk) -> None:
    desk.entry(timeout="10")
    finding = next(f for f in desk.check() if f.rule == "timeout-type")
    assert finding.file == str(desk.root / "claude/settings.json")
    assert finding.where == "hooks.PreToolUse[0].hooks[0]"
    assert finding.line == 6
    assert "the whole file is dropped" in finding.text


def test_folders_that_lie_elsewhere_in_a_checkout_are_mapped(desk: Desk) -> None:
    desk.file("conf/shared/tools/own.sh", OK)
    desk.command("~/elsewhere/own.sh")
    assert "gone" in broken(desk.check())
    desk.moved = ((f"{desk.home}/elsewhere", f"{desk.root}/shared/tools"),)
    assert desk.check() == []


def test_a_script_beside_wired_ones_that_claims_a_wiring_is_found(desk: Desk) -> None:
    desk.file("tools/idle.sh", "#!/bin/sh\n# Fires on: Stop\n")
    desk.entry()
    assert any(f.rule == "claim" and "idle.sh claims Stop" in f.text for f in desk.check())


def test_a_hooks_page_of_the_repository_must_name_every_script(desk: Desk) -> None:
    desk.entry()
    desk.raw("# Hooks\n", "HOOKS.md")
    assert "manual-heading" in broken(desk.check())
    desk.raw("# Hooks\n## guard.sh\nblocks\n", "HOOKS.md")
    assert "manual-off" in broken(desk.check())
    desk.raw("# Hooks\n## `guard.sh`, before a write\nTo turn it off, take the entry out.\n", "HOOKS.md")
    assert desk.check() == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"hooks": null}',
        "[" * 5000,
        '{"hooks":{"a":[{"hooks":[{}]}]}}',
        "\x00",
        '{"hooks": "\ud800"}',
    ],
)
def test_no_text_makes_it_fall_over(desk: Desk, text: str) -> None:
    path = desk.root / "claude/settings.json"
    path.parent.mkdir()
    path.write_text(text + " hooks" if not text.startswith("{") else text, encoding="utf-8", errors="surrogatepass")
    for finding in desk.check():
        assert finding.rule in RULES


# ---- a checkout of Guards


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout: one guard, its policy, its row, its part of the manual."""
    real = Path(wiring.__file__).resolve().parents[2]
    (tmp_path / "guards").mkdir()
    (tmp_path / "guards/one_guard.py").write_text("")
    (tmp_path / "guards/hook.py").write_text("")
    (tmp_path / "policy/harness").mkdir(parents=True)
    (tmp_path / "policy/one-guard.toml").write_text("")
    (tmp_path / "policy/dispatch.toml").write_text(ROW)
    (tmp_path / "HOOKS.md").write_text("# Hooks\n## one-guard, before a tool\n### Turn it off\n`off = true`\n## Next\n")
    assert (real / "policy/dispatch.toml").exists()
    return tmp_path


ROW = '[[guard]]\nid = "one-guard"\nmodule = "guards.one_guard"\nevents = ["stop"]\n'


def looked(checkout: Path) -> set[str]:
    places = {"home": str(checkout), "machine": str(checkout / "none"), "state": str(checkout / "state")}
    return broken(house.check(checkout, places))


def test_a_small_healthy_checkout_has_no_finding(checkout: Path) -> None:
    assert looked(checkout) == set()


BREAKS: dict[str, tuple[str, str, str]] = {
    "manual-heading": ("HOOKS.md", "# Hooks\n## another\n", ""),
    "manual-off": ("HOOKS.md", "# Hooks\n## One guard\nrefuses.\n# Next\nturn it off\n", ""),
    "manual-stale": ("HOOKS.md", "# Hooks\n## one-guard\nturn it off\n## `old_guard.py`\n", ""),
    "dispatch": ("policy/dispatch.toml", ROW + "tools = 5\n", ""),
    "dispatch-gone": ("policy/dispatch.toml", ROW + ROW.replace("one", "two"), ""),
    "dispatch-unlisted": ("guards/two_guard.py", "", "HOOKS.md"),
}


@pytest.mark.parametrize("rule", BREAKS)
def test_a_checkout_that_breaks_a_rule_is_found(checkout: Path, rule: str) -> None:
    name, text, _ = BREAKS[rule]
    (checkout / name).write_text(text)
    assert rule in looked(checkout)


def test_every_rule_of_the_house_has_a_break() -> None:
    assert set(BREAKS) == HOUSE


def test_a_heading_inside_a_code_fence_is_none(checkout: Path) -> None:
    (checkout / "HOOKS.md").write_text("```\n## one-guard\nturn it off\n```\n")
    assert looked(checkout) == {"manual-heading"}


# ---- the command


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys, typer; from guards.reports import wiring; typer.run(wiring.command)"
    root = Path(wiring.__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root), "HOME": str(cwd)},
    )


def test_nothing_examined_is_no_pass(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert "NOT RUN" in done.stdout


def test_without_arguments_and_without_settings_here_the_live_ones_are_checked(desk: Desk, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / ".claude").mkdir()
    live = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/gone/bell"}]}]}})
    home = tmp_path / "owner"
    (home / ".claude").mkdir(parents=True)
    (home / ".claude/settings.json").write_text(live)
    done = run("--home", str(home), cwd=empty)
    assert done.returncode == 1
    assert "the live settings are checked" in done.stderr
    assert "/gone/bell" in done.stdout


def test_the_manual_of_this_checkout_keeps_the_rules(tmp_path: Path) -> None:
    places = {"home": str(tmp_path), "machine": str(tmp_path / "none"), "state": str(tmp_path / "state")}
    assert house.check(Path(wiring.__file__).resolve().parents[2], places) == []


@pytest.mark.parametrize("words", ["turn it on and off", "turn it off", "switch the one guard off", "off = true"])
def test_the_ways_to_say_how_a_part_is_turned_off(checkout: Path, words: str) -> None:
    (checkout / "HOOKS.md").write_text(f"## one-guard\n**How to {words}.**\n")
    assert looked(checkout) == set()


def test_a_failing_wiring_ends_with_1_and_says_all_in_json(desk: Desk) -> None:
    desk.entry(matcher="write")
    done = run("--json", "--home", str(desk.home), cwd=desk.root)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["status"] == "fail"
    assert told["hooks"] == 1
    assert any(f["rule"] == "matcher-dead" and f["level"] == "FAIL" and f["line"] for f in told["findings"])


def test_the_rules_can_be_printed(tmp_path: Path) -> None:
    done = run("--rules", cwd=tmp_path)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == len(RULES)


# ---- what a poisoned repository may try


def test_a_pattern_that_never_ends_stops_no_check(desk: Desk) -> None:
    desk.entry(matcher="^(([a-zA-Z]+)+)+[0-9]$")
    assert "matcher-regex" in broken(desk.check()) or broken(desk.check()) <= {"matcher-unknown"}


def test_pipes_devices_and_links_in_the_place_of_settings_stop_no_check(desk: Desk) -> None:
    for number, name in enumerate(("a", "b", "c")):
        (desk.root / name).mkdir()
        path = desk.root / name / "settings.json"
        (os.mkfifo, lambda p: p.symlink_to("/dev/zero"), lambda p: p.symlink_to(desk.root))[number](path)
    desk.entry()
    assert desk.check() == []


def test_a_command_is_only_read(desk: Desk) -> None:
    mark = desk.home / "ran"
    desk.command(f"touch {mark}; $(touch {mark}); `touch {mark}`", event="Stop")
    desk.check()
    assert not mark.exists()


def test_the_dispatch_of_a_configuration_is_looked_at_too(desk: Desk) -> None:
    desk.entry()
    row = '[[command]]\nid = "lint"\nrun = ["~/tools/{}"]\nevents = ["stop"]\nharnesses = ["claude"]\n'
    desk.raw(row.format("gone.sh"), "policy/dispatch.toml")
    told = json.loads(run("--json", "--home", str(desk.home), cwd=desk.root).stdout)
    assert any(f["rule"] == "dispatch-gone" and "gone.sh" in f["text"] for f in told["findings"])
    desk.raw(row.format("guard.sh"), "policy/dispatch.toml")
    told = json.loads(run("--json", "--home", str(desk.home), cwd=desk.root).stdout)
    assert not [f for f in told["findings"] if f["rule"].startswith("dispatch")]
