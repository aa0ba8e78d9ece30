"""What cannot be fenced is refused or said, never run in silence; guards' own hooks alone run outside."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from guards.wiring import fenced as wiring
from guards.wiring.forms import claude
from tests.fence.conftest import Yard

HIDE = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount --bind /dev/null "$0" && exec "$@"']


def hidden(yard: Yard, program: str) -> list[str]:
    found = shutil.which(program)
    assert found is not None
    return [*HIDE, os.path.realpath(found)]


def journal(yard: Yard) -> list[tuple[str, str]]:
    return [(line["verdict"], line["why"]) for line in yard.machine.journal() if line.get("guard") == "fence"]


@pytest.mark.parametrize("program", ["bwrap", "nsenter", "setpriv"])
def test_a_program_that_is_missing_refuses_with_the_way_out(yard: Yard, program: str) -> None:
    done = yard.start([*hidden(yard, program), *yard.argv("echo ran > ran.txt")])
    assert done.code == 126
    assert "could not be put up" in done.err
    assert not (yard.repo / "ran.txt").exists()
    assert [verdict for verdict, _ in journal(yard)] == ["refused"]


def test_where_policy_says_so_it_runs_and_says_so(yard: Yard) -> None:
    yard.machine.policy("fence", 'on_failure = "run"\n')
    done = yard.start([*hidden(yard, "bwrap"), *yard.argv("echo ran > ran.txt")])
    assert done.code == 0
    assert "runs without it" in done.err
    assert (yard.repo / "ran.txt").exists()
    assert [verdict for verdict, _ in journal(yard)] == ["unfenced"]


def test_too_many_paths_refuse_and_name_the_key(yard: Yard) -> None:
    for n in range(60):
        (yard.repo / f"k{n}.pem").write_text("x")
    yard.machine.policy("fence", "paths = 40\n")
    done = yard.fenced("echo ran")
    assert (done.code, done.out) == (126, "")
    assert "paths" in done.err


def test_too_many_folders_refuse_and_name_the_key(yard: Yard) -> None:
    for n in range(120):
        (yard.repo / f"f{n}").mkdir()
    yard.machine.policy("fence", "folders = 100\n")
    done = yard.fenced("echo ran")
    assert (done.code, done.out) == (126, "")
    assert "folders" in done.err


def test_a_policy_that_does_not_parse_keeps_the_last_good_one_and_without_one_refuses(yard: Yard) -> None:
    assert yard.fenced("true").code == 0
    yard.machine.policy("fence", "on_failure = \n")
    yard.fenced("echo x > .env")
    assert yard.held()[".env"] == "TOKEN=abc\n"
    (yard.machine.state / "tables/machine").unlink()
    done = yard.fenced("echo ran")
    assert (done.code, done.out) == (126, "")


def test_a_record_of_places_that_is_gone_refuses(yard: Yard) -> None:
    (yard.machine.install / "places").unlink()
    done = yard.fenced("echo ran")
    assert (done.code, done.out) == (126, "")


def test_code_that_is_broken_refuses(yard: Yard) -> None:
    code = yard.machine.base / "code"
    subprocess.run(["cp", "-rL", str(yard.machine.install / "code"), str(code)], check=True)
    (code / "lanes/holding.py").write_text("import nothing_of_that_name\n")
    (yard.machine.install / "code").unlink()
    (yard.machine.install / "code").symlink_to(code)
    done = yard.fenced("echo ran")
    assert (done.code, done.out) == (126, "")


def test_a_state_folder_that_cannot_be_written_costs_only_time(yard: Yard) -> None:
    yard.fenced("true")
    subprocess.run(["rm", "-rf", str(yard.machine.state / "fence")], check=True)
    (yard.machine.state / "fence").write_text("in the way")
    assert yard.fenced("echo x > free.txt").code == 0
    yard.fenced("echo x > .env")
    assert yard.held()[".env"] == "TOKEN=abc\n"


def test_a_kept_search_that_is_damaged_is_made_anew(yard: Yard) -> None:
    yard.fenced("true")
    for data in (b"", b"x", b"\xff" * 100):
        for path in (yard.machine.state / "fence").iterdir():
            path.write_bytes(data)
        yard.fenced("echo x > .env")
        assert yard.held()[".env"] == "TOKEN=abc\n"


def test_switched_off_by_policy_commands_run_as_before(yard: Yard) -> None:
    yard.machine.policy("fence", "off = true\n")
    assert yard.fenced("echo x > .env").code == 0
    assert yard.held()[".env"] == "x\n"


def test_a_pause_frees_lanes_and_never_what_is_sealed(yard: Yard) -> None:
    pause = yard.machine.state / "pause"
    pause.write_text(f"{time.time() + 600}\n")
    pause.chmod(0o600)
    assert yard.fenced("echo x > .env").code == 0
    assert yard.fenced("echo x > ~/.config/guards/approvals/human-lane").code != 0


def test_a_projects_own_variables_free_nothing(yard: Yard) -> None:
    yard.fenced("echo x > .env", AGENT_EXCLUDE_PREFIX=str(yard.repo), GUARDS_OFF="all")
    (yard.repo / ".claude").mkdir()
    settings = {"env": {"AGENT_EXCLUDE_PREFIX": str(yard.repo), "GUARDS_OFF": "1"}}
    (yard.repo / ".claude/settings.json").write_text(json.dumps(settings))
    yard.fenced("echo x > .env", AGENT_EXCLUDE_PREFIX=str(yard.repo))
    assert yard.held()[".env"] == "TOKEN=abc\n"


# ---- which texts run outside
@pytest.fixture
def lines(yard: Yard) -> list[str]:
    wiring.put(yard.machine.places, claude.EVENTS)
    return (yard.machine.install / "fence").read_text().splitlines()


def test_a_recorded_hook_writes_its_journal_from_outside(yard: Yard, lines: list[str]) -> None:
    line = next(line for line in lines if " before-tool" in line)
    done = subprocess.run(
        yard.argv(line), input=b"no event", cwd=yard.repo, env=yard.machine.env(), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"guards could not judge" in done.stderr
    assert [row for row in yard.machine.journal() if row.get("event") == "before-tool"]


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line + " ",
        lambda line: " " + line,
        lambda line: "echo x > .env; " + line,
        lambda line: "echo x > .env\n" + line,
        lambda line: line + "\necho x > .env",
        lambda line: line.replace(" || exit", "; echo x > .env || exit"),
        lambda line: f"source /x/snapshot-bash-1.sh && eval 'echo x > .env' < /dev/null && pwd -P >| /dev/null {line}",
        lambda _: "echo x > .env  # guards:managed",
    ],
)  # fmt: skip
def test_any_other_text_is_fenced(yard: Yard, lines: list[str], change: object) -> None:
    for line in lines:
        yard.fenced(change(line), CLAUDE_PROJECT_DIR=str(yard.repo))  # type: ignore[operator]
    assert yard.held()[".env"] == "TOKEN=abc\n"


def test_a_record_that_others_can_write_lets_nothing_out(yard: Yard, lines: list[str]) -> None:
    record = yard.machine.install / "fence"
    record.write_text("echo x > .env  # guards:managed\n")
    record.chmod(0o666)
    yard.fenced("echo x > .env  # guards:managed")
    assert yard.held()[".env"] == "TOKEN=abc\n"


def test_a_hook_of_the_owners_runs_outside_when_policy_names_it_whole(yard: Yard) -> None:
    line = f"/usr/bin/touch {yard.repo}/.env.local"
    Path(yard.repo / ".env.local").write_text("")
    yard.machine.policy("fence", f"outside = ['{line}']\n")
    assert yard.fenced(line, CLAUDE_PROJECT_DIR=str(yard.repo)).code == 0
    assert yard.fenced(line).code != 0, "a tool's command has no CLAUDE_PROJECT_DIR"
    assert yard.fenced(line + " x", CLAUDE_PROJECT_DIR=str(yard.repo)).code != 0
