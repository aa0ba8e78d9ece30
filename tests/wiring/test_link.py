"""`guards link`: a link replaces only what is ours or says the same, and a copy is used only after it passed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guards.wiring import place
from tests.wiring.owner import ROOT, Owner


@pytest.fixture
def repo(owner: Owner) -> Path:
    owner.wired()
    folder = owner.home / "conf"
    folder.mkdir()
    return folder


def policy(owner: Owner) -> Path:
    return owner.home / ".config/guards/policy"


def approvals(owner: Owner) -> Path:
    return owner.home / ".config/guards/approvals/human-lane"


def test_policy_and_approvals_move_into_the_repository_and_the_links_lead_there(owner: Owner, repo: Path) -> None:
    (policy(owner) / "output-bound.toml").write_text("off = true\n")
    approvals(owner).write_text("^/home/o/x$\n")
    done = owner.run("link", str(repo), "--yes")
    assert done.returncode == 0, done.stderr
    assert "machine → repository: output-bound.toml" in done.stdout
    assert policy(owner).readlink() == repo / "policy"
    assert approvals(owner).readlink() == repo / "approvals/human-lane"
    assert (repo / "policy/output-bound.toml").read_text() == "off = true\n"
    assert approvals(owner).read_text() == "^/home/o/x$\n"
    assert f"Edit(/{repo}/policy/**)" in owner.settings.read_text()
    assert owner.run("link", "--yes").stdout.count("already so") == 3


def test_what_only_the_repository_has_comes_to_the_machine(owner: Owner, repo: Path) -> None:
    (repo / "policy").mkdir()
    (repo / "policy/output-bound.toml").write_text("off = true\n")
    (repo / "approvals").mkdir()
    (repo / "approvals/human-lane").write_text("^/home/o/x$\n")
    done = owner.run("link", str(repo), "--yes")
    assert done.returncode == 0, done.stderr
    assert "repository → machine" in done.stdout
    assert approvals(owner).read_text() == "^/home/o/x$\n"
    assert (policy(owner) / "output-bound.toml").exists()


def test_two_sides_that_differ_stop_the_work(owner: Owner, repo: Path) -> None:
    (repo / "approvals").mkdir()
    (repo / "approvals/human-lane").write_text("^/home/o/x$\n")
    approvals(owner).write_text("^/home/o/y$\n")
    before = owner.snapshot()
    done = owner.run("link", str(repo), "--yes")
    assert done.returncode == 2
    assert "differ" in done.stderr
    assert owner.snapshot() == before


def test_a_link_of_the_owners_own_is_not_replaced(owner: Owner, repo: Path) -> None:
    theirs = owner.home / "elsewhere"
    theirs.mkdir()
    policy(owner).rmdir()
    policy(owner).symlink_to(theirs)
    done = owner.run("link", str(repo), "--yes")
    assert done.returncode == 2
    assert str(theirs) in done.stderr
    assert policy(owner).readlink() == theirs


def test_a_link_of_ours_follows_to_another_repository(owner: Owner, repo: Path) -> None:
    owner.run("link", str(repo), "--yes")
    other = owner.home / "conf2"
    other.mkdir()
    assert owner.run("link", str(other), "--yes").returncode == 0
    assert policy(owner).readlink() == other / "policy"


def test_dry_run_shows_both_directions_and_changes_nothing(owner: Owner, repo: Path) -> None:
    before = owner.snapshot()
    done = owner.run("link", str(repo), "--dry-run")
    assert done.returncode == 0
    assert "direction" in done.stdout
    assert owner.snapshot() == before


def test_a_pinned_copy_runs_and_a_plain_link_leads_back_to_the_checkout(owner: Owner, repo: Path) -> None:
    done = owner.run("link", "--pinned", "--yes")
    assert done.returncode == 0, done.stderr
    code = os.readlink(owner.install / "code")
    assert code.startswith(f"{owner.install}/pinned/")
    places = place.read(str(owner.install))
    assert places is not None
    assert places["policy"] == os.path.join(os.path.dirname(code), "policy")
    assert owner.run("fire").returncode == 0
    owner.wired()
    assert os.readlink(owner.install / "code") == code
    assert owner.run("link", "--yes").returncode == 0
    assert os.readlink(owner.install / "code") == str(ROOT / "guards")


def test_an_install_can_pin_at_once(owner: Owner) -> None:
    done = owner.wired("--pinned")
    assert "WRONG" not in done.stdout
    assert os.readlink(owner.install / "code").startswith(f"{owner.install}/pinned/")
    assert owner.run("status").returncode == 0
    assert owner.run("install", "--pinned", "--managed", "--yes").returncode == 2


def test_only_the_newest_copies_are_kept(owner: Owner, repo: Path) -> None:
    for _ in range(4):
        assert owner.run("link", "--pinned", "--yes").returncode == 0
    assert len(os.listdir(owner.install / "pinned")) == 2
    assert (owner.install / "code/hook.py").exists()


def test_a_copy_that_does_not_answer_is_not_used(owner: Owner, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from guards.wiring import machine, pin

    broken = owner.home / "checkout"
    for name in ("guards", "policy", "pyproject.toml"):
        (broken / name).parent.mkdir(exist_ok=True)
        os.symlink(ROOT / name, broken / name) if name != "guards" else (broken / name).mkdir()
    (broken / "guards/hook.py").write_text("import nothing_that_exists\n")
    for key, value in owner.env().items():
        monkeypatch.setenv(key, value)
    monkeypatch.setattr(machine, "CHECKOUT", str(broken))
    before = os.readlink(owner.install / "code")
    places = place.read(str(owner.install))
    assert places is not None
    assert pin.flip(places, pinned=True) == 1
    assert os.readlink(owner.install / "code") == before
    assert not list((owner.install / "pinned").iterdir())
