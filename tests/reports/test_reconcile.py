"""Live settings and committed copy, entry by entry, either way; shown, asked, and foreign bytes kept."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pexpect
import pytest

from guards.reports import drift
from tests.reports import verbs

MINE = {"type": "command", "command": "/bin/mine.sh", "timeout": 5}
YOURS = {"type": "command", "command": "/bin/yours.sh", "timeout": 9}
GUARDS = {"type": "command", "command": "/g/py -IS /g/hook.py claude stop  # guards:managed", "timeout": 30}


def hooks(*entries: dict[str, Any], event: str = "Stop", matcher: str = "") -> dict[str, Any]:
    group: dict[str, Any] = {"hooks": list(entries)}
    if matcher:
        group = {"matcher": matcher, **group}
    return {"hooks": {event: [group]}}


class Two:
    """A home with live settings, and a committed copy in a repository."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.live = home / ".claude/settings.json"
        self.copy = home / "conf/claude/settings.json"
        for path in (self.live, self.copy):
            path.parent.mkdir(parents=True)
            path.write_text("{}\n")

    def write(self, live: Any, copy: Any) -> None:
        for path, value in ((self.live, live), (self.copy, copy)):
            path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2) + "\n")

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return verbs.run(self.home, "reconcile", "--copy", str(self.copy), *words, **env)

    def same(self) -> bool:
        return not drift.compare(self.live.read_text(), self.copy.read_text())


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


CHANGES: dict[str, tuple[Any, Any]] = {
    "a hook more": (hooks(MINE, YOURS), hooks(MINE)),
    "a first hook": (hooks(MINE), {}),
    "another timeout": (hooks({**MINE, "timeout": 7}), hooks(MINE)),
    "another event": (hooks(MINE, event="SessionEnd"), hooks(MINE)),
    "another matcher": (hooks(MINE, event="PreToolUse", matcher="Write"), hooks(MINE, event="PreToolUse")),
    "a permission": ({"permissions": {"allow": ["Bash(ls:*)", "Read"]}}, {"permissions": {"allow": ["Read"]}}),
    "a model": ({"model": "opus"}, {"model": "sonnet"}),
    "a value deep down": ({"env": {"A": "1", "B": "2"}}, {"env": {"A": "1"}}),
    "a whole new part": ({"statusLine": {"type": "command", "command": "x"}}, {}),
    "a list": ({"enabledPlugins": ["a", "b"]}, {"enabledPlugins": ["a"]}),
    "an empty object": ({"env": {}}, {}),
    "null": ({"model": None}, {"model": "opus"}),
    "many": ({**hooks(MINE, YOURS), "model": "opus", "x": {"y": [1]}}, {**hooks(YOURS), "model": "opus", "z": 1}),
}


@pytest.mark.parametrize("to", ["copy", "live"])
@pytest.mark.parametrize(("live", "copy"), CHANGES.values(), ids=CHANGES)
def test_every_kind_of_difference_moves_either_way(two: Two, live: Any, copy: Any, to: str) -> None:
    two.write(live, copy)
    keep = two.live if to == "copy" else two.copy
    before = keep.read_bytes()
    done = two.run("--to", to, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert two.same()
    assert keep.read_bytes() == before


def test_files_that_say_the_same_are_left_alone(two: Two) -> None:
    two.write('{"model": "opus", "a": [1, 2]}', '// mine\n{\n\t"a": [1,2],\n\t"model": "opus"\n}\n')
    done = two.run("--to", "copy", "--yes")
    assert done.returncode == 0
    assert "they say the same" in done.stdout
    assert two.copy.read_text().startswith("// mine")


def test_comments_order_and_indent_of_the_file_that_is_written_stay(two: Two) -> None:
    text = (
        '{\n\t// which model\n\t"model": "sonnet",\n\t"hooks": {\n\t\t"Stop": [] /* none yet */\n\t},\n\t"last": 1\n}\n'
    )
    two.write({"model": "opus", "last": 1, **hooks(MINE)}, text)
    assert two.run("--to", "copy", "--yes").returncode == 0
    after = two.copy.read_text()
    assert two.same()
    assert '\t// which model\n\t"model": "opus"' in after
    assert "/* none yet */" in after
    assert after.index('"model"') < after.index('"hooks"') < after.index('"last"')


def test_what_lay_there_before_is_kept_as_a_backup(two: Two) -> None:
    two.write({"model": "opus"}, {"model": "sonnet"})
    before = two.copy.read_bytes()
    two.run("--to", "copy", "--yes")
    assert (two.copy.parent / "settings.json.guards-backup").read_bytes() == before


def test_a_link_to_the_copy_is_kept(two: Two) -> None:
    real = two.home / "elsewhere.json"
    real.write_text("{}\n")
    two.copy.unlink()
    two.copy.symlink_to(real)
    two.live.write_text('{"model": "opus"}')
    assert two.run("--to", "copy", "--yes").returncode == 0
    assert two.copy.is_symlink()
    assert json.loads(real.read_text()) == {"model": "opus"}


def test_guards_own_entries_are_taken_into_the_copy_and_never_out_of_it(two: Two) -> None:
    two.write(hooks(GUARDS, MINE), {})
    assert two.run("--to", "live", "--yes").returncode == 1
    assert "guards:managed" in two.live.read_text()
    assert "mine.sh" not in two.live.read_text()
    assert two.run("--to", "copy", "--yes").returncode == 0
    assert "guards:managed" in two.copy.read_text()


def test_an_uninstall_that_the_copy_would_undo_is_said(two: Two) -> None:
    two.write({}, hooks(GUARDS))
    done = two.run("--dry-run")
    assert done.returncode == 1
    assert "wires guards in the copy" in done.stdout
    assert two.run("--to", "live", "--yes").returncode == 1
    assert "guards:managed" not in two.live.read_text()
    assert two.run("--to", "copy", "--yes").returncode == 0
    assert "guards:managed" not in two.copy.read_text()


def test_another_ones_dead_entry_is_told_and_stays(two: Two) -> None:
    dead = {"type": "command", "command": "/opt/theirs/gone.sh"}
    two.write(hooks(dead), hooks(dead, MINE))
    done = two.run("--to", "copy", "--yes")
    assert "would start /opt/theirs/gone.sh" in done.stdout
    assert "gone.sh" in two.copy.read_text()


def test_a_dry_run_shows_the_change_and_writes_nothing(two: Two) -> None:
    two.write({"model": "opus"}, {"model": "sonnet"})
    before = two.copy.read_bytes()
    done = two.run("--to", "copy", "--dry-run")
    assert done.returncode == 1
    assert '+  "model": "opus"' in done.stdout
    assert two.copy.read_bytes() == before


def test_json_tells_every_difference_and_writes_nothing(two: Two) -> None:
    two.write(hooks(GUARDS), {"model": "sonnet"})
    done = two.run("--json", "--to", "copy")
    assert done.returncode == 1
    told = {d["state"]: d for d in json.loads(done.stdout)["differences"]}
    assert told["only live"]["guards"] is True
    assert told["only copy"]["copy"] == "sonnet"
    assert two.copy.read_text() == '{\n  "model": "sonnet"\n}\n'


def test_without_a_terminal_it_asks_for_a_direction(two: Two) -> None:
    two.write({"model": "opus"}, {})
    for words in ((), ("--yes",), ("--to", "copy")):
        done = two.run(*words)
        assert done.returncode == 2, words
        assert "terminal" in done.stderr
        assert two.copy.read_text() == "{}\n"


def test_below_a_harness_nothing_is_moved(two: Two) -> None:
    two.write({"model": "opus"}, {})
    done = two.run("--to", "copy", "--yes", CLAUDECODE="1")
    assert done.returncode == 2
    assert two.copy.read_text() == "{}\n"


@pytest.mark.parametrize("text", ["{", "", "[]", '{"a": 1'])
def test_a_file_that_does_not_parse_stops_everything(two: Two, text: str) -> None:
    two.write({"model": "opus"}, text)
    done = two.run("--to", "copy", "--yes")
    assert done.returncode == 2
    assert two.copy.read_text() == text
    assert "Traceback" not in done.stderr


def test_one_file_by_two_names_is_said(two: Two) -> None:
    two.copy.unlink()
    two.copy.symlink_to(two.live)
    done = two.run("--to", "copy", "--yes")
    assert done.returncode == 2
    assert "only one file" in done.stderr


def test_the_repository_of_guards_link_is_where_the_copy_is_looked_for(two: Two) -> None:
    install = two.home / ".local/share/guards"
    install.mkdir(parents=True)
    (install / "wired").write_text(json.dumps({"files": {}, "repo": str(two.home / "conf")}))
    two.write({"model": "opus"}, {"model": "opus"})
    done = verbs.run(two.home, "reconcile", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert str(two.copy) in done.stdout


def test_with_no_copy_known_it_says_how_to_name_one(two: Two) -> None:
    done = verbs.run(two.home, "reconcile", "--dry-run")
    assert done.returncode == 2
    assert "--copy" in done.stderr


def test_at_a_terminal_each_difference_goes_where_the_owner_says(two: Two) -> None:
    two.write({**hooks(MINE), "model": "opus", "left": 1}, {**hooks(YOURS), "model": "sonnet"})
    line = verbs.argv("reconcile", "--copy", str(two.copy))
    child = pexpect.spawn(line[0], line[1:], env=verbs.env(two.home), encoding="utf-8", timeout=20, cwd=str(two.home))
    answers = {"mine.sh": "c", "model": "l", "left": "s", "yours.sh": "s"}
    for _ in answers:
        child.expect(r"\[q\] stop: ")
        asked = child.before.split("\n\r\n")[-1] if child.before else ""
        name = next(name for name in answers if name in asked.strip().splitlines()[0])
        child.sendline(answers[name])
    child.expect("write this")
    child.sendline("y")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert "mine.sh" in two.copy.read_text()
    assert json.loads(two.live.read_text())["model"] == "sonnet"
    assert "left" not in two.copy.read_text()
    assert "yours.sh" not in two.live.read_text()


def test_a_no_at_the_end_changes_nothing(two: Two) -> None:
    two.write({"model": "opus"}, {})
    line = verbs.argv("reconcile", "--copy", str(two.copy), "--to", "copy")
    child = pexpect.spawn(line[0], line[1:], env=verbs.env(two.home), encoding="utf-8", timeout=20, cwd=str(two.home))
    child.expect("write this")
    child.sendline("n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert two.copy.read_text() == "{}\n"
