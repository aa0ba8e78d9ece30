"""tree-sitter-bash is loaded without the modules that cost most, and stops in time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from guards.engine import packages
from guards.shell import treesitter

ROOT = Path(__file__).resolve().parent.parent.parent
START = """
import sys
sys.path.insert(0, {root!r})
from guards.engine import packages
packages.path = {packages!r}
from guards.engine.world import World
world = World({{"home": "/h"}}, None, {{}})
"""
READ = """
from guards.shell import read, treesitter
found = read.steps({text!r}, "/w", {{"HOME": "/h"}}, world, None)
assert not found.unreadable and found.reader == "tree-sitter", found
print(treesitter.plain, *sorted(sys.modules))
"""
DEAR = {
    "re",
    "enum",
    "os",
    "json",
    "typing",
    "collections",
    "collections.abc",
    "functools",
    "inspect",
    "warnings",
    "_sre",
}


def bare(code: str) -> subprocess.CompletedProcess[str]:
    folder = str(Path(packages.folder("tree_sitter")).parent)
    start = START.format(root=str(ROOT), packages=folder)
    return subprocess.run([sys.executable, "-I", "-S", "-c", start + code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("git status", 10),
        ("git log --oneline 2>/dev/null | head -5 && true", 10),
        ("cd src && make test 2>&1 | tail -20", 11),
        ("python3 - <<'E' | tail\nprint(1)\nE", 13),
    ],
)
def test_an_ordinary_command_loads_nothing_dear(text: str, most: int) -> None:
    done = bare(READ.format(text=text))
    assert done.returncode == 0, done.stderr
    plain, *modules = done.stdout.split()
    assert plain == "False"
    assert not DEAR & set(modules)
    ours = [m for m in modules if m.startswith("guards.shell.")]
    assert len(ours) <= most + 2, ours


def test_a_text_that_uses_much_loads_nothing_dear_either() -> None:
    text = 'f() { eval "x=${1%.*}"; }; for i in {a,b} *; do f $i; done; case $x in a*) echo $((1+1)) | read y;; esac'
    done = bare(READ.format(text=text))
    assert done.returncode == 0, done.stderr
    assert not DEAR & set(done.stdout.split())


def test_the_stand_ins_leave_nothing_behind() -> None:
    code = """
from guards.shell import treesitter
treesitter.parse(b"a", 1e9)
assert "tree_sitter._binding" not in sys.modules
import re, enum, collections
assert re.match("a", "a") and enum.Enum and collections.OrderedDict
packages.use()
import tree_sitter
assert tree_sitter.Point(1, 2).row == 1
"""
    done = bare(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_where_the_fast_load_fails_the_plain_import_serves() -> None:
    code = """
from guards.shell import treesitter
def broken():
    raise ImportError("no such file")
treesitter._fast = broken
print(treesitter.parse(b"a b", 1e9).children[0].type, treesitter.plain)
"""
    done = bare(code)
    assert (done.stdout, done.stderr) == ("command True\n", "")


def test_the_module_of_the_fast_load_is_the_installed_one() -> None:
    assert not treesitter.plain
    assert treesitter.parse(b"echo hi | tee y\n", 1e9).children[0].type == "pipeline"


def test_a_parse_that_takes_too_long_is_stopped_and_the_next_one_works() -> None:
    before = time.process_time()
    with pytest.raises(treesitter.Slow):
        treesitter.parse(b'"' * 5_000_000, before + 0.2)
    assert time.process_time() - before < 1
    assert treesitter.parse(b"a b", time.process_time() + 1).children[0].type == "command"


def test_a_parse_that_needs_several_slices_is_resumed() -> None:
    source = b"echo a b c; " * 60_000
    root = treesitter.parse(source, time.process_time() + 10)
    assert (root.has_error, root.child_count) == (False, 120_000)
