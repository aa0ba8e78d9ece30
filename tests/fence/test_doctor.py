"""What the doctor says of the fence, on a machine where it stands and on one where it cannot."""

from __future__ import annotations

import os
import shutil

import pytest

from guards.reports.rows import fence
from guards.reports.rows.record import FAIL, OK, WARN, Ground, Row
from guards.wiring import fenced
from guards.wiring.forms import claude
from tests.fence.conftest import Yard


@pytest.fixture
def on(yard: Yard) -> Yard:
    fenced.put(yard.machine.places, claude.EVENTS)
    yard.fenced("true")
    return yard


def rows(yard: Yard) -> dict[str, Row]:
    ground = Ground(yard.machine.places, True, str(yard.repo), ["claude"], False, {})
    return {row.id: row for look in (fence.holds, fence.reach, fence.said) for row in look(ground)}


def test_it_is_tried_and_what_happens_without_it_is_named(on: Yard) -> None:
    found = rows(on)
    assert found["fence"].mark == OK
    assert "refuse" in found["fence"].text
    assert set(found) <= {"fence", "fence-daemons", "fence-links"}


def test_where_it_cannot_be_put_up_it_says_why(on: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    on.machine.policy("fence", "paths = 10\n")
    found = rows(on)
    assert found["fence"].mark == FAIL
    assert "could not be put up" in found["fence"].text
    assert found["unfenced"].mark == WARN


def test_a_second_name_and_a_link_are_told(on: Yard) -> None:
    os.link(on.repo / ".env", on.repo / "alias")
    before = rows(on).get("fence-links")
    (on.repo / "id_rsa").symlink_to("notes.txt")
    found = rows(on)
    assert before != found["fence-links"]
    assert str(on.repo / ".env") in found["fence-names"].text
    assert "is a link in a lane" in found["fence-links"].text


def test_switched_off_by_policy_and_not_installed_are_told_apart(on: Yard) -> None:
    on.machine.policy("fence", "off = true\n")
    assert rows(on)["fence"].mark == WARN
    fenced.take(str(on.machine.install))
    assert rows(on)["fence"].mark == OK
    assert shutil.which("bwrap")
