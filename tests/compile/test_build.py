"""From files to the compiled file: faults stop the owner's layers, a repository's file stops only itself."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from guards.compile import catalog, store
from guards.compile.build import FAULT, KEPT, build, fault_file, rebuild
from guards.engine import tables
from tests.compile.house import SAMPLE, House

ROOT = Path(__file__).resolve().parent.parent.parent
CI = '[[lane]]\nid = "ci"\npaths = ["ci.yml"]\n'
MINE = '[[lane]]\nid = "mine"\npaths = ["mine/"]\n'
YOURS = '[[lane]]\nid = "yours"\npaths = ["yours/"]\n'


def lanes(sections: dict[str, bytes] | None) -> list[str]:
    assert sections is not None
    return [row[0] for row in marshal.loads(sections["sample"])["lanes"]]


# ---- the owner's layers


def test_layers_become_a_table(house: House) -> None:
    house.bundled(CI)
    house.machine("limit = 3\n" + MINE)
    built = build(house.places)
    assert built.faults == built.notices == []
    assert built.sections["sample"] == {
        "lanes": [("ci", ["ci.yml"], "policy/sample.toml"), ("mine", ["mine/"], "~/m/sample.toml")],
        "limit": 3,
    }
    assert marshal.loads(built.packed["sample"]) == built.sections["sample"]


def test_a_missing_bundled_file_is_a_fault(house: House) -> None:
    built = build(house.places)
    assert built.faults == ["policy/sample.toml: is missing"]
    assert built.sections == {}


def test_a_fault_in_either_layer_is_told_with_its_file(house: House) -> None:
    house.bundled("limit = true\n")
    house.machine("limit = \n")
    assert build(house.places).faults == [
        "policy/sample.toml: limit: expected a whole number, found true",
        "~/m/sample.toml: line 1, column 9: invalid value",
    ]


def test_a_file_with_very_many_faults_is_told_in_part(house: House) -> None:
    house.bundled("\n".join(f"no{n} = 1" for n in range(60)))
    faults = build(house.places).faults
    assert len(faults) == 51
    assert faults[-1] == "policy/sample.toml: 10 more faults"


def test_the_machines_layer_may_be_a_link_into_the_owners_repository(house: House) -> None:
    house.bundled(CI)
    real = house.base / "config.toml"
    real.write_text(MINE)
    (house.base / "home/m/sample.toml").symlink_to(real)
    assert lanes(rebuild(house.places)) == ["ci", "mine"]
    time.sleep(0.03)
    real.write_text(YOURS)
    assert lanes(tables.load(house.places)._sections) == ["ci", "yours"]


def test_the_whole_machine_folder_may_be_a_link(house: House) -> None:
    house.bundled(CI)
    (house.base / "home/m").rmdir()
    (house.base / "config").mkdir()
    (house.base / "config/sample.toml").write_text(MINE)
    (house.base / "home/m").symlink_to(house.base / "config")
    assert lanes(rebuild(house.places)) == ["ci", "mine"]


def test_an_untrusted_machine_layer_is_a_fault_with_its_cure(house: House) -> None:
    house.bundled(CI)
    path = house.machine(MINE)
    path.chmod(0o666)
    (fault,) = build(house.places).faults
    assert fault.startswith("~/m/sample.toml: can be written by everybody; run: chmod ")
    assert fault.endswith(f" {path}")


def test_a_policy_that_is_off_has_no_section(house: House) -> None:
    house.bundled(CI)
    house.machine("off = true")
    built = build(house.places)
    assert built.sections == {"sample": None}
    assert tables.load(house.places).get("sample") is None


def test_off_leaves_sealed_rows_in_force(house: House) -> None:
    house.bundled(CI + '[[lane]]\nid = "heart"\npaths = ["//h"]\napproval = "never"\n')
    house.machine("off = true")
    built = build(house.places)
    assert [row[0] for row in built.sections["sample"]["lanes"]] == ["heart"]
    assert built.policies["sample"]["off"] is True


def test_a_labels_home_is_written_short_only_where_it_is_the_home(house: House) -> None:
    house.bundled(CI)
    house.machine("x = 1")
    (fault,) = build({**house.places, "home": str(house.base / "ho")}).faults
    assert fault.startswith(f"{house.base}/home/m/sample.toml: x: unknown key")


# ---- what a record's own code says or does


def with_table(monkeypatch: pytest.MonkeyPatch, table: Any) -> None:
    monkeypatch.setattr(SAMPLE, "table", table)


def test_a_table_can_tell_faults_and_notices_with_their_place(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def table(policy: dict[str, Any], ctx: Any) -> None:
        row = policy["lane"][0]
        ctx.fault(ctx.place(row, "paths", 0), "does not parse")
        ctx.fault("limit", "is odd")
        ctx.notice(ctx.place(row), "is new")
        ctx.notice(ctx.place(row, "except"), "is empty")

    with_table(monkeypatch, table)
    house.bundled("")
    house.machine(MINE)
    built = build(house.places)
    assert built.faults == ["~/m/sample.toml: lane[0].paths[0]: does not parse", "policy/sample.toml: limit: is odd"]
    assert built.notices == ["~/m/sample.toml: lane[0]: is new", "~/m/sample.toml: lane[0].except: is empty"]


def test_a_context_knows_where_rows_and_keys_come_from(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def table(policy: dict[str, Any], ctx: Any) -> None:
        asked = [("lane", "ci"), ("lane", "mine"), ("lane", "none"), ("limit",), ("strict",), ()]
        seen.extend(ctx.source(*words) for words in asked)

    with_table(monkeypatch, table)
    house.bundled(CI)
    house.machine("limit = 1\n" + MINE)
    assert build(house.places).faults == []
    assert seen == [
        "policy/sample.toml", "~/m/sample.toml", "~/m/sample.toml", "~/m/sample.toml", "policy/sample.toml",
        "policy/sample.toml",
    ]  # fmt: skip


def test_a_table_that_raises_is_a_fault_and_not_a_crash(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def table(policy: dict[str, Any], ctx: Any) -> None:
        raise KeyError("x")

    with_table(monkeypatch, table)
    house.bundled(CI)
    assert build(house.places).faults == ["policy/sample.toml: cannot be made into a table (KeyError: 'x')"]


def test_a_table_that_cannot_be_written_is_a_fault(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with_table(monkeypatch, lambda policy, ctx: object())
    house.bundled(CI)
    (fault,) = build(house.places).faults
    assert fault.startswith("policy/sample.toml: cannot be made into a table (ValueError: unmarshallable")


# ---- the compiled file


def test_rebuild_writes_what_the_hot_reader_finds_fresh(house: House) -> None:
    house.bundled(CI)
    sections = rebuild(house.places)
    found = tables.read(house.table_file("machine"))
    assert found is not None
    assert tables.fresh(found[0])
    assert found[1] == sections
    paths = [path for path, _ in found[0][2]]
    assert str(house.base / "policy/sample.toml") in paths
    assert str(house.base / "home/m/sample.toml") in paths
    assert str(ROOT / "guards/compile/fields.py") in paths


def test_a_machine_layer_that_appears_later_makes_the_tables_stale(house: House) -> None:
    house.bundled(CI)
    rebuild(house.places)
    house.machine(MINE)
    assert lanes(tables.load(house.places)._sections) == ["ci", "mine"]


def test_a_fault_keeps_the_last_good_tables_and_says_why(house: House) -> None:
    house.bundled(CI)
    rebuild(house.places)
    before = Path(house.table_file("machine")).read_bytes()
    house.machine("limit = 0")
    assert rebuild(house.places) is None
    assert Path(house.table_file("machine")).read_bytes() == before
    text = Path(fault_file(house.places)).read_text()
    assert text.startswith("~/m/sample.toml: limit: must be at least 1, is 0\n\nkey (")
    kept = tables.load(house.places)
    assert kept.stale
    assert lanes(kept._sections) == ["ci"]
    time.sleep(0.03)
    house.machine(MINE)
    assert lanes(rebuild(house.places)) == ["ci", "mine"]
    assert not os.path.exists(fault_file(house.places))


def test_without_last_good_tables_the_hot_reader_has_none(house: House) -> None:
    house.bundled("limit = 0")
    with pytest.raises(tables.NoTables):
        tables.load(house.places)


def test_a_state_folder_that_cannot_be_written_costs_only_the_memory(house: House) -> None:
    house.bundled(CI)
    (house.base / "state").write_text("a file in the way")
    assert lanes(rebuild(house.places)) == ["ci"]
    house.bundled("limit = 0")
    assert rebuild(house.places) is None


def test_eight_processes_rebuild_at_once(house: House) -> None:
    house.bundled(CI)
    script = (
        "import sys\nfrom tests.compile.house import only_sample\nonly_sample()\n"
        "from guards.compile.build import rebuild\nsys.stdin.readline()\n"
        f"for _ in range(20):\n assert rebuild({house.places!r})\n assert rebuild({house.places!r}, {house.repo!r})\n"
    )
    house.repository(MINE)
    many = [
        subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
        for _ in range(8)
    ]
    for one in many:
        assert one.stdin is not None
        one.stdin.write(b"go\n")
        one.stdin.close()
    for one in many:
        assert one.stderr is not None
        said = one.stderr.read().decode()
        one.stderr.close()
        assert one.wait() == 0, said
    assert lanes(tables.load(house.places)._sections) == ["ci"]
    names = sorted(os.listdir(house.base / "state/tables"))
    assert names == ["machine", os.path.basename(tables.file_of(house.places, house.repo))]


# ---- a repository's layer


def test_a_repositorys_layer_is_laid_on_top(house: House) -> None:
    house.bundled(CI)
    house.repository("limit = 2\n" + MINE)
    sections = rebuild(house.places, house.repo)
    assert sections is not None
    assert marshal.loads(sections["sample"]) == {
        "lanes": [("ci", ["ci.yml"], "policy/sample.toml"), ("mine", ["mine/"], ".guards/sample.toml")],
        "limit": 2,
    }
    assert lanes(rebuild(house.places)) == ["ci"]


def test_a_repository_without_a_file_has_the_owners_sections(house: House) -> None:
    house.bundled(CI)
    assert lanes(rebuild(house.places, house.repo)) == ["ci"]


def test_what_a_repository_loosens_is_noticed(house: House) -> None:
    house.bundled(CI)
    house.repository("limit = 99\noff = true\n")
    built = build(house.places, house.repo)
    assert built.faults == built.repository == []
    assert built.notices == [
        ".guards/sample.toml: limit: 99 is looser than the owner's 10; left out",
        ".guards/sample.toml: off: only the owner's layers may say this; left out",
    ]
    assert built.sections["sample"]["limit"] == 10


def test_a_notice_of_the_owners_layers_is_told_once(house: House) -> None:
    house.bundled(CI)
    house.machine('disable = ["cj"]')
    house.repository(MINE)
    assert len(build(house.places, house.repo).notices) == 1


def test_a_broken_repository_file_counts_as_it_was_when_it_was_good(house: House) -> None:
    house.bundled(CI)
    house.repository(MINE)
    assert lanes(rebuild(house.places, house.repo)) == ["ci", "mine"]
    house.repository("[[lane")
    for _ in range(2):
        sections = rebuild(house.places, house.repo)
        assert lanes(sections) == ["ci", "mine"]
        assert sections is not None
        assert marshal.loads(sections[FAULT]).startswith(".guards/sample.toml: line 1 ")
    text = Path(fault_file(house.places, house.repo)).read_text()
    assert text.startswith(".guards/sample.toml: line 1 (the end): expected ']]'")
    assert not os.path.exists(fault_file(house.places))
    house.repository(YOURS)
    assert lanes(rebuild(house.places, house.repo)) == ["ci", "yours"]
    assert not os.path.exists(fault_file(house.places, house.repo))


def test_the_owners_layers_of_today_count_beneath_a_broken_repository_file(house: House) -> None:
    house.bundled(CI)
    house.repository(MINE)
    rebuild(house.places, house.repo)
    house.repository("[[lane")
    house.machine("limit = 1\n" + YOURS)
    sections = rebuild(house.places, house.repo)
    assert lanes(sections) == ["ci", "yours", "mine"]
    assert sections is not None
    assert marshal.loads(sections["sample"])["limit"] == 1


def test_a_broken_repository_file_that_never_was_good_leaves_the_owners(house: House) -> None:
    house.bundled(CI)
    house.repository("[[lane")
    assert lanes(rebuild(house.places, house.repo)) == ["ci"]
    built = build(house.places, house.repo)
    assert built.faults == []
    assert len(built.repository) == 1


def test_a_repository_file_that_is_taken_away_leaves_nothing_behind(house: House) -> None:
    house.bundled(CI)
    path = house.repository(MINE)
    rebuild(house.places, house.repo)
    path.unlink()
    sections = rebuild(house.places, house.repo)
    assert lanes(sections) == ["ci"]
    assert sections is not None
    assert (marshal.loads(sections[KEPT]), marshal.loads(sections[FAULT])) == ({}, "")


def test_a_repository_file_that_breaks_a_rule_of_the_record_is_left_out(house: House) -> None:
    house.bundled(CI)
    house.repository(MINE + 'why = "x"\naction = "watch"\n')
    built = build(house.places, house.repo)
    assert built.repository == [".guards/sample.toml: lane[0].why: a watched row needs no reason"]
    assert [row[0] for row in built.sections["sample"]["lanes"]] == ["ci"]


def test_a_fault_of_the_owner_stops_a_repositorys_tables_too(house: House) -> None:
    house.bundled("limit = 0")
    house.repository(MINE)
    assert rebuild(house.places, house.repo) is None
    assert os.path.exists(fault_file(house.places))


def test_a_policy_that_repositories_have_no_say_in_reads_no_such_file(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    monkeypatch.setattr(SAMPLE, "POLICY", replace(SAMPLE.POLICY, repository=False))
    house.bundled(CI)
    house.repository(MINE)
    built = build(house.places, house.repo)
    assert [row[0] for row in built.sections["sample"]["lanes"]] == ["ci"]
    assert not [path for path, _ in built.sources if ".guards" in path]


def test_no_kept_layer_is_taken_on_trust(house: House) -> None:
    house.bundled(CI)
    house.repository("[[lane")
    kept: Any
    for kept in ({"lane": 1}, {"nope": 1}, [], {"lane": [{"id": "x"}]}, {"off": True}):
        built = build(house.places, house.repo, kept={"sample": kept})
        assert [row[0] for row in built.sections["sample"]["lanes"]] == ["ci"]


def test_a_compiled_file_that_holds_no_layers_is_no_reason_to_stop(house: House) -> None:
    house.bundled(CI)
    house.repository("[[lane")
    for data in (b"", b"\xff", marshal.dumps(["x"])):
        store.write(tables.file_of(house.places, house.repo), store.key([]), {KEPT: data})
        assert lanes(rebuild(house.places, house.repo)) == ["ci"]


HOSTILE: list[bytes] = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"#" * (10 << 20),
    b"a = " + b"[" * 30000,
    b"a." * 30000 + b"a = 1",
    b"a = " + b"9" * 60000,
    b"lane = {}",
    b"lane = [1]",
    b"[[lane]]\nid = 'x'\npaths = [{}]",
    b"[[lane]]\n" * 5000,
    b"\n".join(b"[[lane]]\nid='%d'\npaths=['%d']" % (n, n) for n in range(2000)),
    b"[[[[",
    b"__class__ = 1",
    b"'\\ud800' = 1",
    b'"\\u0000" = 1',
    b"x" * 60000 + b" = 1",
    b"[case]",
    b"[[case]]\nverdict = 'none'",
    b"disable = ['ci']\noff = true",
    b"limit = 1e999",
    b"limit = -0",
    b"a = 0001-01-01T00:00:00Z",
    b"[[lane]]\nid = 'ci'\npaths = ['" + b"*" * 60000 + b"']",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_in_a_repository_raises_or_frees(house: House, text: bytes) -> None:
    house.bundled(CI)
    path = house.repository("")
    path.write_bytes(text)
    start = time.process_time()
    sections = rebuild(house.places, house.repo)
    assert time.process_time() - start < 2
    assert sections is not None
    table = marshal.loads(sections["sample"])
    assert table["limit"] <= 10
    assert table["lanes"][0][1][0] == "ci.yml"


def test_no_thing_that_is_no_file_hangs_or_raises(house: House) -> None:
    house.bundled(CI)
    place = house.base / "home/src/app/.guards/sample.toml"
    for make in (os.mkfifo, os.mkdir, lambda p: os.symlink("/dev/zero", p), lambda p: os.symlink(p, p)):
        make(place)
        start = time.monotonic()
        assert lanes(rebuild(house.places, house.repo)) == ["ci"]
        assert time.monotonic() - start < 2
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
        else:
            place.unlink()


def test_a_roots_name_need_not_be_text(house: House) -> None:
    house.bundled(CI)
    for root in (house.repo + "/\ud800", house.repo + "/\x00", house.repo + "\udcff"):
        assert lanes(rebuild(house.places, root)) == ["ci"]


# ---- the real policy


def test_the_bundled_policy_compiles(tmp_path: Path) -> None:
    places = {**House(tmp_path).places, "policy": str(ROOT / "policy")}
    built = build(places)
    assert built.faults == built.notices == []
    assert set(built.sections) == set(catalog.POLICIES)
