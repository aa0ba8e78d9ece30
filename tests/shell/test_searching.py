"""What a search is said to list, held against what the real program lists."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from guards.shell import outputs
from tests.shell.ground import Ground, environment

GREP = [
    "grep -rl name .", "grep -rl name", "grep -rl name src tests/", "grep -rl --include='*.py' TTL .",
    "grep -rl --exclude='*.yml' --include='*.md' a .", "grep -rl --exclude-dir=gate --exclude-dir=.git TTL .",
    "grep -rlE '^(name|on):' .github", "grep -rl 'na\\(m\\|q\\)e' drafts", "grep -rL name src", "grep -Rl on src wf",
    "grep -l name README.md drafts/ci.yml src", "grep -rlw nam src drafts", "grep -rlx 'name: ci' .github drafts",
    "grep -rli NAME drafts", "grep -rl '\\bTTL\\b' src", "grep -rl 'T\\{2\\}L' src", "grep -rl 'a*' docs",
    "grep -rlE 'x{2,}|hel+o' src", "grep -rl '[[:upper:]]TL' src", "grep -rlF 'on:' .github", "fgrep -rl 'on:' .github",
]  # fmt: skip
RG = [
    "rg -l name", "rg -l name .", "rg -l --hidden name", "rg -l -uu TOKEN", "rg -l name -g '*.py'",
    "rg -l name -g '!*.py'", "rg -l o -g '*.{md,txt}'", "rg -l name -g 'drafts/**'", "rg -l name -g '!drafts/'",
    "rg -l name -g '/drafts/*'", "rg -l name -g '*'", "rg -l TOKEN -g '.*'", "rg -li ttl -t py", "rg -l name -T yaml",
    "rg -l name .github", "rg -l TOKEN .env", "rg -lS name", "rg -l '^name: \\w+$'", "rg --files",
    "rg --files -g '*.yml'", "rg --files-without-match name src", "rg -l -e TTL -e hello", "rg -l -L on",
]  # fmt: skip
UNSURE = ["grep -rlP '(?<=T)TL' src", "rg -l '(?i)ttl' src", "grep -rlv TTL src", "grep -rl \"$X\" src", "rg -l x -d 1"]


def _names(text: str | None) -> set[str]:
    return {name for name in (text or "").split("\n") if name}


@pytest.mark.parametrize("command", GREP + RG)
def test_every_file_that_a_search_lists_is_said(ground: Ground, command: str) -> None:
    program = shutil.which(command.split(maxsplit=1)[0])
    if program is None:
        pytest.skip("that program is not here")
    env = environment(ground.home)
    env["PATH"] = f"{Path(program).parent}:{env['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ground.repo, env=env, check=False, capture_output=True,
        text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    walk = ground.walk(command)
    said = _names(outputs.may(walk, walk.history[-1]))
    assert not _names(done.stdout) - said
    text = {name for name in said if b"\0" not in (ground.repo / name).read_bytes()}
    if command.startswith("grep"):
        assert text <= _names(done.stdout) | {n for n in text if n.startswith(("./.git/", ".git/"))}


@pytest.mark.parametrize("command", UNSURE)
def test_a_search_that_is_not_decided_is_never_sure(ground: Ground, command: str) -> None:
    walk = ground.walk(command)
    assert outputs.of(walk, walk.history[-1]) is None
    assert not [e for e in ground.walk(command + " | xargs rm").effects if e.certainty == "exact"]
