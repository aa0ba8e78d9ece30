"""The fence of an ordinary user, without any right of root's: the same walls, the same ways tried, the same work."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.fence.conftest import Yard, as_root
from tests.fence.test_effects import FREE, WRITES
from tests.fence.test_ways import CI, WAYS, placed


def test_it_is_an_ordinary_user_with_no_rights_at_all(commoner: Yard) -> None:
    done = commoner.fenced("id -u; grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u; stat -c %u .")
    user, rights, owner = done.out.split()
    assert int(user) != 0
    assert user == owner
    assert int(rights, 16) == 0


@pytest.mark.parametrize("text", [*WRITES.values(), *WAYS.values()], ids=[*WRITES, *WAYS])
def test_no_way_round_for_an_ordinary_user(commoner: Yard, text: str) -> None:
    before, mode = commoner.held(), (commoner.repo / CI).stat()
    outside = subprocess.Popen(["sleep", "60"], cwd=commoner.repo, user=commoner.user, group=commoner.user)
    commoner.fenced(placed(commoner, text, outside.pid))
    outside.kill()
    outside.wait()
    assert commoner.held() == before
    after = (commoner.repo / CI).stat()
    assert (after.st_mode, after.st_uid, after.st_nlink) == (mode.st_mode, mode.st_uid, 1)


@pytest.mark.parametrize("text", FREE.values(), ids=FREE)
def test_an_ordinary_users_work_is_what_it_was(commoner: Yard, text: str) -> None:
    commoner.bare("git reset -q --hard")  # as it was before the other tests
    done = commoner.fenced(text)
    assert (done.code, done.err) == (0, "")


def test_a_sandbox_of_another_program_works_inside_and_holds_too(commoner: Yard) -> None:
    done = commoner.fenced(f"bwrap --dev-bind / / --unshare-pid --proc /proc sh -c 'echo a > sand.txt; echo x > {CI}'")
    assert "Read-only" in done.err
    assert (commoner.repo / "sand.txt").read_text() == "a\n"


def test_an_unreadable_folder_above_guards_lets_nothing_through(commoner: Yard) -> None:
    """A mode is no write into a lane, so it is let be; without its program a hook refuses, and so does the prefix."""
    local = commoner.machine.home / ".local"
    line = commoner.machine.command("before-tool")
    try:
        assert commoner.fenced("chmod 000 ~/.local").code == 0
        assert commoner.bare(line).code == 2
        assert commoner.bare(" ".join(commoner.argv("'echo ran'"))).out == ""
    finally:
        local.chmod(0o755)
    assert commoner.fenced("true").code == 0


@pytest.mark.skipif(not as_root(), reason="only root can make a program that raises who starts it")
def test_a_program_that_raises_who_starts_it_does_not(commoner: Yard) -> None:
    raised = commoner.machine.base / "raised"
    shutil.copy(shutil.which("id") or "", raised)
    raised.chmod(0o4755)
    assert commoner.bare(f"{raised} -u").out == "0\n"
    assert commoner.fenced(f"{raised} -u").out == commoner.fenced("id -u").out != "0\n"
