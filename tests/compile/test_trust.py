"""A file that gives permission is the user's or root's, and nobody else's to write."""

from __future__ import annotations

import grp
import os
import pwd
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from guards.compile import sources, trust
from guards.lanes.approvals import own_group

ME = os.geteuid()
OTHER_GROUP = 54321


def stat(mode: int, uid: int = ME, gid: int = 7000) -> Any:
    return SimpleNamespace(st_mode=0o100000 | mode, st_uid=uid, st_gid=gid)


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Who there is on the machine: the user o with the primary group 7000."""
    known: dict[str, Any] = {
        "users": [SimpleNamespace(pw_name="o", pw_uid=ME, pw_gid=7000)],
        "groups": {7000: SimpleNamespace(gr_name="o", gr_mem=[])},
    }

    def user(uid: int) -> Any:
        found = [one for one in known["users"] if one.pw_uid == uid]
        if not found:
            raise KeyError(uid)
        return found[0]

    monkeypatch.setattr(pwd, "getpwuid", user)
    monkeypatch.setattr(pwd, "getpwall", lambda: known["users"])
    monkeypatch.setattr(grp, "getgrgid", lambda gid: known["groups"][gid])
    return known


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o400, 0o755])
def test_a_file_that_only_its_owner_writes_is_trusted(people: dict[str, Any], mode: int) -> None:
    assert trust.fault("/m/x.toml", stat(mode)) == ""
    assert trust.fault("/m/x.toml", stat(mode, uid=0)) == ""


def test_the_users_own_private_group_may_write(people: dict[str, Any]) -> None:
    assert trust.fault("/m/x.toml", stat(0o664)) == ""
    people["groups"][7000].gr_mem = ["o"]
    assert trust.fault("/m/x.toml", stat(0o664)) == ""


GROUP = "can be written by its group; run: chmod g-w /m/x.toml"


def test_a_group_with_another_member_may_not(people: dict[str, Any]) -> None:
    people["groups"][7000].gr_mem = ["o", "p"]
    assert trust.fault("/m/x.toml", stat(0o664)) == GROUP


def test_a_group_that_is_not_the_users_primary_one_may_not(people: dict[str, Any]) -> None:
    people["groups"][7001] = SimpleNamespace(gr_name="staff", gr_mem=[])
    assert trust.fault("/m/x.toml", stat(0o664, gid=7001)) == GROUP


def test_a_primary_group_shared_with_another_user_may_not(people: dict[str, Any]) -> None:
    people["groups"][7000] = SimpleNamespace(gr_name="staff", gr_mem=[])
    assert trust.fault("/m/x.toml", stat(0o664)) == ""
    people["users"].append(SimpleNamespace(pw_name="p", pw_uid=4999, pw_gid=7000))
    assert trust.fault("/m/x.toml", stat(0o664)) == GROUP


def test_where_nobody_knows_the_group_or_the_user_it_is_not_trusted(people: dict[str, Any]) -> None:
    assert trust.fault("/m/x.toml", stat(0o664, gid=7002)) == GROUP
    people["users"].clear()
    assert trust.fault("/m/x.toml", stat(0o664)) == GROUP


@pytest.mark.parametrize(("mode", "cure"), [(0o646, "o-w"), (0o602, "o-w")])
def test_a_file_that_everybody_writes_is_not_trusted(people: dict[str, Any], mode: int, cure: str) -> None:
    assert trust.fault("/m/x.toml", stat(mode)) == f"can be written by everybody; run: chmod {cure} /m/x.toml"


def test_one_command_cures_both(people: dict[str, Any]) -> None:
    people["groups"][7000].gr_mem = ["p"]
    said = trust.fault("/m/it's x.toml", stat(0o666))
    assert said == "can be written by everybody; run: chmod go-w '/m/it'\"'\"'s x.toml'"


def test_a_file_of_another_user_is_not_trusted(people: dict[str, Any]) -> None:
    people["users"].append(SimpleNamespace(pw_name="p", pw_uid=4999, pw_gid=4999))
    said = trust.fault("/m/x.toml", stat(0o600, uid=4999))
    assert said == f"belongs to p, not to you or root; run: sudo chown {ME} /m/x.toml"
    said = trust.fault("/m/x.toml", stat(0o600, uid=4998))
    assert said == f"belongs to user 4998, not to you or root; run: sudo chown {ME} /m/x.toml"


# ---- on real files


def made(path: Path, mode: int) -> Path:
    path.write_text("a = 1")
    path.chmod(mode)
    return path


def test_a_real_file_that_everybody_writes_is_not_used(tmp_path: Path) -> None:
    path = made(tmp_path / "x.toml", 0o666)
    found = sources.read("machine", str(path), "x.toml")
    assert found.data is None
    assert found.fault.startswith("can be written by everybody; run: chmod ")
    path.chmod(0o644)
    assert sources.read("machine", str(path), "x.toml").data == {"a": 1}


def test_a_link_is_judged_by_what_it_leads_to(tmp_path: Path) -> None:
    made(tmp_path / "real.toml", 0o646)
    (tmp_path / "x.toml").symlink_to("real.toml")
    assert "chmod o-w" in sources.read("machine", str(tmp_path / "x.toml"), "x.toml").fault


@pytest.mark.skipif(ME != 0, reason="only root may give a file away")
def test_a_real_file_of_another_user_or_group_is_not_used(tmp_path: Path) -> None:
    path = made(tmp_path / "x.toml", 0o600)
    os.chown(path, OTHER_GROUP, 0)
    assert sources.read("machine", str(path), "x.toml").fault.startswith("belongs to user 54321, not to you or root")
    os.chown(path, 0, OTHER_GROUP)
    path.chmod(0o664)
    assert sources.read("machine", str(path), "x.toml").fault == f"can be written by its group; run: chmod g-w {path}"


def test_the_private_group_of_this_very_user(tmp_path: Path) -> None:
    me = pwd.getpwuid(ME)
    path = made(tmp_path / "x.toml", 0o664)
    os.chown(path, -1, me.pw_gid)
    private = own_group(me.pw_gid, ME)
    assert (sources.read("machine", str(path), "x.toml").fault == "") is private


def test_the_bundled_layer_is_as_trusted_as_the_code_beside_it(tmp_path: Path) -> None:
    path = made(tmp_path / "x.toml", 0o666)
    assert sources.read("bundled", str(path), "x.toml").data == {"a": 1}
