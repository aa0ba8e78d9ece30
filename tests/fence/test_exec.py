"""`guards exec`: the fence by hand; and the same policy as text for macOS."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from guards.compile import gitignore
from guards.fence import seatbelt
from tests.fence.conftest import Done, Yard
from tests.machine import ROOT


def guards(yard: Yard, *words: str) -> Done:
    env = {"PYTHONPATH": str(ROOT)}
    return yard.start([sys.executable, "-m", "guards.cli", "exec", *words], env=dict(env))


def test_a_command_runs_inside_and_its_exit_code_is_the_answer(yard: Yard) -> None:
    done = guards(yard, "--", "sh", "-c", "echo hi; echo x > .env; exit 9")
    assert (done.code, done.out) == (9, "hi\n")
    assert yard.held()[".env"] == "TOKEN=abc\n"


def test_the_list_says_what_would_be_held_here_and_leaves_no_trace(yard: Yard) -> None:
    rows = {row["path"]: row["way"] for row in json.loads(guards(yard, "--json").out)["paths"]}
    assert rows[f"{yard.repo}/.github"] == "hold"
    assert rows[f"{yard.repo}/.github/CONTRIBUTING.md"] == "free"
    assert rows[f"{yard.repo}/.git"] == "stay"
    assert f"hold  {yard.repo}/.env" in guards(yard, "--list").out.splitlines()
    assert not (yard.machine.state / "fence").exists()


def test_without_a_command_it_says_how(yard: Yard) -> None:
    done = guards(yard)
    assert done.code == 2
    assert "guards exec -- COMMAND" in done.err


PATTERNS = {
    ".github/": (["/r/.github", "/r/.github/a/b", "/r/x/.github/a", "/r/.GITHUB/a"], ["/r/github", "/r/.github2"]),
    "*.sql": (["/r/a.sql", "/r/x/y/a.SQL"], ["/r/a.sqlite", "/r/a.sql2/b", "/q/a.sql"]),
    "/config/secrets.yaml": (["/r/config/secrets.yaml"], ["/r/x/config/secrets.yaml", "/r/config/secretsXyaml"]),
    "a/**/b": (["/r/a/b", "/r/a/x/y/b", "/r/a/x/b/c"], ["/r/ab", "/r/x/a/b"]),
    "k[0-9]?.pem": (["/r/k1x.pem"], ["/r/kk.pem", "/r/k1.pem", "/r/k1/.pem"]),
    'odd"(+)': (['/r/odd"(+)'], ["/r/odd"]),
}


@pytest.mark.parametrize(("pattern", "both"), PATTERNS.items(), ids=list(PATTERNS))
def test_a_pattern_means_the_same_as_a_regular_expression(pattern: str, both: tuple[list[str], list[str]]) -> None:
    text = seatbelt.expression("/r", gitignore.parse(pattern, "/home/o").tokens).replace('\\"', '"')
    assert [path for path in both[0] if not re.fullmatch(text, path)] == []
    assert [path for path in both[1] if re.fullmatch(text, path)] == []


def test_the_profile_denies_lanes_and_allows_what_is_free_in_them(yard: Yard) -> None:
    text = guards(yard, "--profile").out
    lines = text.splitlines()
    assert lines[:2] == ["(version 1)", "(allow default)"]
    held = lines.index(f'(deny file-write* (subpath "{yard.repo}/.github"))')
    free = lines.index(f'(allow file-write* (subpath "{yard.repo}/.github/CONTRIBUTING.md"))')
    assert held < free
    assert f'(deny file-write-unlink (literal "{yard.repo}"))' in lines
    denied = [re.compile(m[1].replace('\\"', '"')) for m in re.finditer(r'\(regex #"(.*)"\)\)$', text, re.MULTILINE)]
    for name in (".github/workflows/new.yml", "lib/new.pem", ".claude/settings.json", "db/migrations/9.sql"):
        assert any(one.fullmatch(f"{yard.repo}/{name}") for one in denied), name
    assert not any(one.fullmatch(f"{yard.repo}/src/new.py") for one in denied)


def test_every_line_of_the_profile_is_balanced(yard: Yard) -> None:
    (yard.repo / 'a"b').mkdir()
    (yard.repo / 'a"b/x.pem').write_text("x")
    for line in guards(yard, "--profile").out.splitlines():
        bare = re.sub(r'#?"(?:[^"\\]|\\.)*"', "", line)
        assert bare.count("(") == bare.count(")"), line


def test_uninstalled_it_says_what_to_do(yard: Yard) -> None:
    subprocess.run(["rm", "-rf", str(yard.machine.install)], check=True)
    done = guards(yard, "--", "true")
    assert done.code == 2
    assert "guards install" in done.err
