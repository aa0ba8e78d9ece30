"""Bundled, machine, repository: what each may say about the one before, and where every fault of a merge stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.compile.context import plain
from guards.compile.fields import Table, rows, text
from guards.compile.layers import Layer, Told, merge
from tests.compile.house import layered

LANES = """
[[lane]]
id = "ci"
paths = [".github/", "ci.yml"]
except = ["*.md", "docs/"]
why = "credentials"

[[lane]]
id = "env"
paths = [".env"]
action = "ask"

[[lane]]
id = "heart"
paths = ["//heart"]
approval = "never"
"""


def lane(policy: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [row for row in policy["lane"] if row["id"] == name]
    return plain(found)  # type: ignore[no-any-return]


def ids(policy: dict[str, Any]) -> list[str]:
    return [row["id"] for row in policy["lane"]]


# ---- the machine's layer


def test_the_machines_layer_changes_a_row_key_by_key() -> None:
    policy, told = layered(LANES, '[[lane]]\nid = "ci"\npaths = ["only.yml"]\naction = "watch"\nwhy = ""\n')
    assert told.faults == told.notices == []
    assert lane(policy, "ci") == {
        "id": "ci",
        "paths": ["only.yml"],
        "except": ["*.md", "docs/"],
        "why": "",
        "acts": ["write", "delete"],
        "action": "watch",
        "approval": "pattern",
    }
    assert lane(policy, "env")["action"] == "ask"


def test_rows_keep_their_order_and_new_ones_come_last() -> None:
    policy, _ = layered(LANES, '[[lane]]\nid = "new"\npaths = ["x"]\n[[lane]]\nid = "ci"\nwhy = "y"\n')
    assert ids(policy) == ["ci", "env", "heart", "new"]


def test_every_row_says_which_layer_touched_it_last() -> None:
    policy, _ = layered(LANES, '[[lane]]\nid = "ci"\nwhy = "y"\n', '[[lane]]\nid = "env"\naction = "deny"\n')
    assert [row["_source"] for row in policy["lane"]] == [
        "~/m/sample.toml",
        ".guards/sample.toml",
        "policy/sample.toml",
    ]
    assert policy["lane"][0]["_places"]["why"] == ("~/m/sample.toml", "lane[0].why")
    assert policy["lane"][0]["_places"]["paths"] == ("policy/sample.toml", "lane[0].paths")


def test_a_row_that_lacks_a_required_key_is_told_where_it_was_brought() -> None:
    _, told = layered(LANES, '[[lane]]\nid = "cii"\nwhy = "meant was ci"\n')
    assert told.faults == ["~/m/sample.toml: lane[0].paths: is missing"]


def test_disabled_rows_are_gone() -> None:
    policy, told = layered(LANES, 'disable = ["env"]')
    assert (ids(policy), told.faults, told.notices) == (["ci", "heart"], [], [])


def test_disabling_an_unknown_row_is_noticed_with_the_nearest_one() -> None:
    policy, told = layered(LANES, 'disable = ["evn"]')
    assert ids(policy) == ["ci", "env", "heart"]
    assert told.faults == []
    assert told.notices == ["~/m/sample.toml: disable[0]: no row has the id 'evn'; the nearest is 'env'"]


def test_disabling_where_there_are_no_rows_names_none() -> None:
    _, told = layered("", 'disable = ["x"]')
    assert told.notices == ["~/m/sample.toml: disable[0]: no row has the id 'x'"]


@pytest.mark.parametrize(
    ("machine", "fault"),
    [
        ('[[lane]]\nid = "heart"\npaths = []', "lane[0]: this row is sealed, so this layer cannot change it"),
        ('[[lane]]\nid = "heart"\napproval = "pattern"', "lane[0]: this row is sealed, so this layer cannot change it"),
        ('disable = ["heart"]', "disable[0]: the row 'heart' is sealed, so this layer cannot drop it"),
    ],
)
def test_a_sealed_row_is_not_the_machines_to_change(machine: str, fault: str) -> None:
    policy, told = layered(LANES, machine)
    assert told.faults == ["~/m/sample.toml: " + fault]
    assert lane(policy, "heart")["paths"] == ["//heart"]


def test_naming_a_sealed_row_without_changing_it_is_fine() -> None:
    _, told = layered(LANES, '[[lane]]\nid = "heart"\n')
    assert told.faults == []


def test_the_machine_may_loosen_what_a_repository_may_only_tighten() -> None:
    policy, told = layered("strict = true\nlimit = 5", "strict = false\nlimit = 50")
    assert (policy["strict"], policy["limit"], told.faults, told.notices) == (False, 50, [], [])


def test_nested_tables_and_mappings_merge_key_by_key() -> None:
    policy, _ = layered(
        '[deep]\nsize = 1\n[names]\na = "1"\nb = "2"', '[deep]\nmust = false\n[names]\nb = "3"\nc = "4"'
    )
    assert plain(policy["deep"]) == {"size": 1, "must": False}
    assert policy["names"] == {"a": "1", "b": "3", "c": "4"}


def test_defaults_fill_what_no_layer_says() -> None:
    policy, told = layered("")
    assert told.faults == []
    assert plain(policy) == {
        "off": False, "disable": [], "case": [], "strict": False, "limit": 10, "ratio": None, "greeting": "",
        "level": "", "names": {}, "caps": {}, "deep": {"size": 5, "must": True}, "pair": None, "lane": [], "own": [],
        "loose": [],
    }  # fmt: skip


def test_a_nested_table_that_needs_keys_needs_them_only_when_it_is_there() -> None:
    policy, told = layered('[pair]\nright = "x"')
    assert told.faults == ["policy/sample.toml: pair.left: is missing"]
    policy, told = layered('[pair]\nleft = "x"')
    assert (plain(policy["pair"]), told.faults) == ({"left": "x", "right": ""}, [])


def test_defaults_are_not_shared_between_rows() -> None:
    policy, _ = layered('[[lane]]\nid = "a"\npaths = ["x"]\n[[lane]]\nid = "b"\npaths = ["x"]\n')
    policy["lane"][0]["acts"].append("more")
    policy["names"]["x"] = "y"
    assert policy["lane"][1]["acts"] == ["write", "delete"]
    assert layered("")[0]["names"] == {}


def test_a_records_own_check_is_told_in_the_layer_that_set_the_key() -> None:
    _, told = layered(LANES, '[[lane]]\nid = "ci"\naction = "watch"\n')
    assert told.faults == ["policy/sample.toml: lane[0].why: a watched row needs no reason"]
    _, told = layered(LANES, '[[lane]]\nid = "env"\nwhy = "x"\naction = "watch"\n')
    assert told.faults == ["~/m/sample.toml: lane[0].why: a watched row needs no reason"]


def test_a_check_may_speak_of_the_whole_row_or_the_whole_file() -> None:
    row = Table({"id": text(), "to": text()}, check=lambda row, where: ["is odd", "to[0].x: is no list", "so: be it"])
    record = Table({"row": rows(row)}, check=lambda policy, where: [f"row: {where} has {len(policy['row'])}"])
    told = Told()
    merge(record, [Layer("bundled", "p.toml", {"row": [{"id": "a", "to": "b"}]})], told)
    assert told.faults == [
        "p.toml: row[0]: is odd",
        "p.toml: row[0].to[0].x: is no list",
        "p.toml: row[0]: so: be it",
        "p.toml: row: p.toml has 1",
    ]


# ---- a repository's layer

LEFT = "only the owner's layers may say this; left out"
LOOSENS = [
    # what the repository says, the notice
    ("limit = 11", "limit: 11 is looser than the owner's 10; left out"),
    ("off = true", "off: " + LEFT),
    ('disable = ["ci"]', "disable: " + LEFT),
    ('greeting = "x"', "greeting: " + LEFT),
    ("[deep]\nmust = false", "deep.must: " + LEFT),
    ("[deep]\nsize = 6", "deep.size: 6 is looser than the owner's 5; left out"),
    ("[caps]\nx = 1", "caps.x: " + LEFT),
    ('[[own]]\nwire = "x"', "own[0]: " + LEFT),
    ('[[lane]]\nid = "ci"\naction = "ask"', "lane[0].action: 'ask' is looser than the owner's 'deny'; left out"),
    ('[[lane]]\nid = "ci"\naction = "watch"', "lane[0].action: 'watch' is looser than the owner's 'deny'; left out"),
    ('[[lane]]\nid = "ci"\nwhy = "x"', "lane[0].why: " + LEFT),
    ('[[lane]]\nid = "ci"\napproval = "exact"', "lane[0].approval: " + LEFT),
    (
        '[[lane]]\nid = "ci"\nexcept = ["*"]',
        "lane[0].except[0]: '*' is not in the owner's list, and here it can only get shorter; left out",
    ),
    ('[[lane]]\nid = "ci"\npaths = ["//etc"]', "lane[0].paths[0]: '//etc' leads out of the repository; left out"),
    ('[[lane]]\nid = "ci"\npaths = ["!//etc"]', "lane[0].paths[0]: '!//etc' leads out of the repository; left out"),
    ('[[lane]]\nid = "ci"\npaths = ["~/x"]', "lane[0].paths[0]: '~/x' leads out of the repository; left out"),
    ('[[lane]]\nid = "ci"\npaths = ["~o/x"]', "lane[0].paths[0]: '~o/x' leads out of the repository; left out"),
    ('[[lane]]\nid = "ci"\npaths = ["/../x"]', "lane[0].paths[0]: '/../x' leads out of the repository; left out"),
    ('[[lane]]\nid = "heart"\npaths = ["x"]', "lane[0]: this row is sealed, so this layer cannot change it; left out"),
]


@pytest.mark.parametrize(("repository", "notice"), LOOSENS)
def test_what_would_loosen_is_left_out_and_noticed(repository: str, notice: str) -> None:
    policy, told = layered(LANES, "", repository)
    assert told.faults == []
    assert told.notices == [".guards/sample.toml: " + notice]
    assert plain(policy) == plain(layered(LANES)[0])


def test_a_flag_is_not_switched_back() -> None:
    policy, told = layered("strict = true", "", "strict = false")
    assert policy["strict"] is True
    assert told.notices == [".guards/sample.toml: strict: false is looser than the owner's true; left out"]


def test_what_tightens_counts() -> None:
    policy, told = layered(
        LANES + '[names]\na = "1"\n',
        "",
        """
strict = true
limit = 3
ratio = 2
level = "low"
[deep]
size = 4
[names]
b = "2"
[[lane]]
id = "env"
paths = [".env.*", ".env"]
action = "deny"
[[lane]]
id = "ci"
except = ["docs/"]
""",
    )
    assert told.faults == told.notices == []
    assert (policy["strict"], policy["limit"], policy["ratio"], policy["level"]) == (True, 3, 2, "low")
    assert policy["deep"]["size"] == 4
    assert policy["names"] == {"a": "1", "b": "2"}
    assert lane(policy, "env")["paths"] == [".env", ".env.*"]
    assert lane(policy, "env")["action"] == "deny"
    assert lane(policy, "ci")["except"] == ["docs/"]


def test_an_empty_list_takes_every_exception_away() -> None:
    policy, told = layered(LANES, "", '[[lane]]\nid = "ci"\nexcept = []\n')
    assert (lane(policy, "ci")["except"], told.notices) == ([], [])


def test_an_empty_list_takes_no_protected_path_away() -> None:
    policy, _told = layered(LANES, "", '[[lane]]\nid = "ci"\npaths = []\n')
    assert lane(policy, "ci")["paths"] == [".github/", "ci.yml"]


def test_a_row_of_the_repositorys_own_is_its_own_to_fill() -> None:
    policy, told = layered(
        LANES, "", '[[lane]]\nid = "mine"\npaths = ["a", "b"]\nexcept = ["c"]\nwhy = "w"\naction = "ask"\n'
    )
    assert told.faults == told.notices == []
    assert lane(policy, "mine") == {
        "id": "mine", "paths": ["a", "b"], "except": ["c"], "why": "w", "acts": ["write", "delete"], "action": "ask",
        "approval": "pattern",
    }  # fmt: skip


def test_no_repository_makes_a_path_that_an_approval_cannot_free() -> None:
    policy, told = layered(LANES, "", '[[lane]]\nid = "mine"\npaths = ["a"]\napproval = "never"\n')
    assert lane(policy, "mine")["approval"] == "pattern"
    assert told.notices == [".guards/sample.toml: lane[0].approval: " + LEFT]
    _, told = layered(LANES, "", '[[lane]]\nid = "mine"\npaths = ["a"]\napproval = "pattern"\n')
    assert told.notices == []


def test_a_row_that_only_the_owner_can_free_takes_no_paths_of_a_repository() -> None:
    exact = '[[lane]]\nid = "settings"\npaths = ["s"]\napproval = "exact"\n'
    policy, told = layered(exact, "", '[[lane]]\nid = "settings"\npaths = ["src/"]\n')
    assert lane(policy, "settings")["paths"] == ["s"]
    assert told.notices == [".guards/sample.toml: lane[0]: this row is exact, so this layer cannot change it; left out"]


def test_a_row_of_which_no_path_is_left_is_left_out() -> None:
    policy, told = layered(LANES, "", '[[lane]]\nid = "mine"\npaths = ["~/x", "//y"]\n')
    assert "mine" not in ids(policy)
    assert told.faults == []
    assert told.notices == [
        ".guards/sample.toml: lane[0].paths[0]: '~/x' leads out of the repository; left out",
        ".guards/sample.toml: lane[0].paths[1]: '//y' leads out of the repository; left out",
        ".guards/sample.toml: lane[0]: nothing of 'paths' is left, so the whole row is left out",
    ]


def test_good_patterns_stay_when_a_bad_one_is_left_out() -> None:
    policy, told = layered(LANES, "", '[[lane]]\nid = "mine"\npaths = ["~/x", "y"]\n')
    assert lane(policy, "mine")["paths"] == ["y"]
    assert len(told.notices) == 1


def test_a_row_without_a_required_key_is_the_repositorys_fault() -> None:
    _, told = layered(LANES, "", '[[lane]]\nid = "mine"\n')
    assert told.faults == [".guards/sample.toml: lane[0].paths: is missing"]


def test_rows_without_a_key_are_joined() -> None:
    policy, told = layered('[[loose]]\nword = "a"', '[[loose]]\nword = "a"', '[[loose]]\nword = "b"')
    assert [row["word"] for row in policy["loose"]] == ["a", "a", "b"]
    assert told.notices == []


# ---- whatever anybody writes

NAMES = st.sampled_from(["ci", "env", "a", "b", "c"])
ROW = st.fixed_dictionaries(
    {"paths": st.lists(st.sampled_from(["x", "y", ".env", "//z", "~/z"]), min_size=1, max_size=3)},
    optional={
        "except": st.lists(st.sampled_from(["*.md", "docs/", "q"]), max_size=3),
        "action": st.sampled_from(["watch", "ask", "deny"]),
        "acts": st.lists(st.sampled_from(["write", "delete"]), min_size=1, max_size=2, unique=True),
        "approval": st.sampled_from(["pattern", "exact", "never"]),
    },
)
FILE = st.tuples(
    st.dictionaries(NAMES, ROW, max_size=4),
    st.none() | st.booleans(),
    st.none() | st.integers(min_value=1, max_value=100),
)
File = tuple[dict[str, dict[str, Any]], bool | None, int | None]


def toml(file: File, order: list[str] | None = None) -> str:
    rows, strict, limit = file
    lines = [] if strict is None else [f"strict = {str(strict).lower()}"]
    lines += [] if limit is None else [f"limit = {limit}"]
    for name in order or rows:
        lines += ["[[lane]]", f"id = {name!r}", *(f"{key} = {value!r}" for key, value in rows[name].items())]
    return "\n".join(lines)


def at_least_as_tight(new: dict[str, Any], old: dict[str, Any]) -> bool:
    ranks = ("watch", "ask", "deny")
    return (
        set(old["paths"]) <= set(new["paths"])
        and set(new["except"]) <= set(old["except"])
        and set(old["acts"]) <= set(new["acts"])
        and ranks.index(new["action"]) >= ranks.index(old["action"])
        and new["approval"] == old["approval"]
    )


@given(owner=FILE, repository=FILE)
def test_no_repository_loosens_anything(owner: File, repository: File) -> None:
    before, _ = layered(toml(owner))
    after, told = layered(toml(owner), "", toml(repository))
    assert told.faults == []
    assert after["limit"] <= before["limit"]
    assert after["strict"] >= before["strict"]
    rows = {row["id"]: row for row in after["lane"]}
    for row in before["lane"]:
        assert at_least_as_tight(rows.pop(row["id"]), row)
    for row in rows.values():
        assert row["approval"] == "pattern"
        assert not [path for path in row["paths"] if path.startswith(("//", "~"))]


@given(bundled=FILE, machine=FILE, data=st.data())
def test_the_order_of_unrelated_rows_means_nothing(bundled: File, machine: File, data: st.DataObject) -> None:
    order = data.draw(st.permutations(list(machine[0])))
    one, told = layered(toml(bundled), toml(machine))
    two, told_again = layered(toml(bundled), toml(machine, order))
    assert {row["id"]: plain(row) for row in one["lane"]} == {row["id"]: plain(row) for row in two["lane"]}
    assert len(told.faults) == len(told_again.faults)


@given(file=FILE)
def test_a_layer_laid_twice_changes_nothing_the_second_time(file: File) -> None:
    open_rows = {name: row for name, row in file[0].items() if row.get("approval") != "never"}
    text = toml((open_rows, *file[1:]))
    once, _ = layered("", text)
    twice, told = layered(text, text)
    assert told.faults == []
    assert plain(once) == plain(twice)
