"""Every branch of the readers, the whole message compared."""

from __future__ import annotations

import pytest

from guards.compile.fields import flag, mapping, number, rows, text, texts
from guards.compile.fields import table as nested
from guards.compile.kinds import Table
from tests.compile.house import RECORD, WHOLE, faults_of

P = "policy/sample.toml: "

WRONG = [
    # flags
    ("strict = 1", "strict: expected true or false, found a whole number"),
    ('strict = "true"', "strict: expected true or false, found a string"),
    ("strict = []", "strict: expected true or false, found a list"),
    # numbers: a boolean is no number, and neither is what is not one
    ("limit = true", "limit: expected a whole number, found true"),
    ("limit = false", "limit: expected a whole number, found false"),
    ('limit = "7"', "limit: expected a whole number, found a string"),
    ("limit = 1.0", "limit: expected a whole number, found a number with a fraction"),
    ("limit = nan", "limit: expected a whole number, found nan"),
    ("limit = 0", "limit: must be at least 1, is 0"),
    ("limit = 101", "limit: must be at most 100, is 101"),
    ("limit = 1" + "0" * 400, "limit: must be at most 100, is far off"),
    ("limit = -1" + "0" * 400, "limit: must be at least 1, is far off"),
    ("ratio = nan", "ratio: expected a number, found nan"),
    ("ratio = inf", "ratio: expected a number, found inf"),
    ("ratio = -inf", "ratio: expected a number, found -inf"),
    ("ratio = true", "ratio: expected a number, found true"),
    ("ratio = 1e300", "ratio: must be at most 9007199254740992, is far off"),
    ("ratio = 2020-01-01", "ratio: expected a number, found a date or time"),
    ("ratio = 10:00:00", "ratio: expected a number, found a date or time"),
    # strings
    ("greeting = 1", "greeting: expected a string, found a whole number"),
    ('greeting = ["x"]', "greeting: expected a string, found a list"),
    ('greeting = "a\\u001bb"', "greeting: holds a control character"),
    ('greeting = "a\\u0000"', "greeting: holds a control character"),
    ('greeting = "a\\u007f"', "greeting: holds a control character"),
    ('greeting = "a\\tb"', "greeting: holds a tab"),
    ('level = "middle"', "level: 'middle' is none of 'low', 'high'"),
    ('level = ""', "level: '' is none of 'low', 'high'"),
    # lists of strings: a string is no list
    ('disable = "ci"', "disable: expected a list of strings, found a string"),
    ("disable = {}", "disable: expected a list of strings, found a table"),
    ('disable = ["a", 1]', "disable[1]: expected a string, found a whole number"),
    ('disable = ["a", ["b"]]', "disable[1]: expected a string, found a list"),
    ('disable = ["a", ""]', "disable[1]: is empty"),
    # tables
    ("deep = 1", "deep: expected a table, found a whole number"),
    ("[deep]\nsize = true", "deep.size: expected a whole number, found true"),
    ("[deep]\nsiez = 1", "deep.siez: unknown key 'siez', the nearest known one is 'size'"),
    ("[[deep]]\nsize = 1", "deep: expected a table, found a list"),
    # mappings
    ("names = []", "names: expected a table, found a list"),
    ("[names]\na = 1", "names.a: expected a string, found a whole number"),
    ('[names]\n"a b" = 1', "names.'a b': expected a string, found a whole number"),
    ('[names]\n"" = "x"', "names.'': this key is empty"),
    ('[names]\n"\\u0007" = "x"', "names.'\\x07': this key holds a control character"),
    # rows
    ("lane = {}", "lane: expected a list of tables, found a table"),
    ('lane = "ci"', "lane: expected a list of tables, found a string"),
    ('lane = ["ci"]', "lane[0]: expected a table, found a string"),
    ('[[lane]]\npaths = ["x"]', "lane[0].id: is missing"),
    ("[[lane]]\nid = 1", "lane[0].id: expected a string, found a whole number"),
    ('[[lane]]\nid = ""', "lane[0].id: is empty"),
    ('[[lane]]\nid = "a\\nb"', "lane[0].id: 'a\\nb' is no name: one line, not empty, no spaces around it"),
    ('[[lane]]\nid = " a"', "lane[0].id: ' a' is no name: one line, not empty, no spaces around it"),
    ('[[lane]]\nid = "a"\n[[lane]]\nid = "b"\n[[lane]]\nid = "a"', "lane[2].id: 'a' stands twice, first in lane[0]"),
    ('[[own]]\nto = "x"', "own[0].wire: is missing"),
    ('[[lane]]\nid = "a"\npaths = "x"', "lane[0].paths: expected a list of strings, found a string"),
    ('[[lane]]\nid = "a"\npaths = ["x", "a\\tb"]', "lane[0].paths[1]: holds a tab"),
    ('[[lane]]\nid = "a"\nacts = ["wriet"]', "lane[0].acts[0]: 'wriet' is none of 'write', 'delete'"),
    ('[[lane]]\nid = "a"\npahts = ["x"]', "lane[0].pahts: unknown key 'pahts', the nearest known one is 'paths'"),
    ('[[lane]]\nid = "a"\n_source = "x"', "lane[0]._source: unknown key '_source', the nearest known one is 'except'"),
    ('[[loose]]\nwrod = "x"', "loose[0].wrod: unknown key 'wrod', the nearest known one is 'word'"),
    # the file itself
    ("sttrict = true", "sttrict: unknown key 'sttrict', the nearest known one is 'strict'"),
    ("off = 0", "off: expected true or false, found a whole number"),
]


@pytest.mark.parametrize(("toml", "message"), WRONG)
def test_a_wrong_value_is_told_with_its_exact_place(toml: str, message: str) -> None:
    assert faults_of(toml) == [P + message]


def test_every_fault_of_a_file_is_told_at_once() -> None:
    toml = 'limit = "x"\nnope = 1\n[[lane]]\nid = "a"\npaths = [1, "ok", 2]\n'
    assert faults_of(toml) == [
        P + "limit: expected a whole number, found a string",
        P + "nope: unknown key 'nope', the nearest known one is 'lane'",
        P + "lane[0].paths[0]: expected a string, found a whole number",
        P + "lane[0].paths[2]: expected a string, found a whole number",
    ]


def test_an_unknown_key_always_names_a_known_one() -> None:
    for key in ("q", "zzzzzzz", "-", "x" * 300):
        (fault,) = faults_of(f"{key} = 1")
        near = fault.rpartition("'")[0].rpartition("'")[2]
        assert near in WHOLE.fields


RIGHT = [
    "strict = true",
    "limit = 1",
    "limit = 100",
    "ratio = 3",
    "ratio = -2.5",
    'greeting = ""',
    'greeting = "two\\nlines"',
    'greeting = "é \\U0001F600"',
    "disable = []",
    '[names]\n"any key at all" = ""',
    "[[own]]\nwire = 'mcp__*'",
    '[[loose]]\nword = "a"\n[[loose]]\nword = "a"',
    "lane = []",
    "",
]


@pytest.mark.parametrize("toml", RIGHT)
def test_what_is_right_passes_silently(toml: str) -> None:
    assert faults_of(toml) == []


def test_a_record_that_contradicts_itself_is_refused_where_it_is_written() -> None:
    with pytest.raises(TypeError, match="tighter may be"):
        texts(tighter="higher")
    with pytest.raises(TypeError, match="tighter may be"):
        flag(tighter="add")
    with pytest.raises(TypeError, match="without choices has no tighter direction"):
        text(tighter="lower")
    with pytest.raises(TypeError, match="'x' is none of the choices"):
        text(choices=("a", "b"), default="x")
    with pytest.raises(TypeError, match="a mapping holds plain values"):
        mapping(nested(Table({})))


def test_rows_bring_their_own_key_where_the_table_has_none() -> None:
    record = Table({"row": rows(Table({"n": number()}), key="name")})
    assert list(record.fields["row"].table.fields) == ["name", "n"]  # type: ignore[attr-defined]


def test_the_keys_every_file_takes_come_with_every_record() -> None:
    assert set(WHOLE.fields) - set(RECORD.fields) == {"off", "disable", "case"}
