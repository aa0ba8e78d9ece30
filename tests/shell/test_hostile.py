"""Any text in any reader ends in a verdict: no reader of program texts, patches or archives raises or runs on."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from guards.shell import archive, patching, tcl, tokens
from tests.shell.ground import Ground

# characters that mean something to a reader, and some that mean nothing
TEXT = st.text(alphabet="abw/.'\"\\`$(){}[]<>|&;,:=!*?#%@~^+- \n\t0a1ops", max_size=60)
READERS = [
    "sed {} notes.txt", "sed -i {} x", "awk {} notes.txt", "perl -e {}", "ruby -e {}", "node -e {}", "php -r {}",
    "lua -e {}", "python3 -c {}", "sqlite3 :memory: {}", "vim -es -c {} x", "echo {} | ed -s x", "echo {} | tclsh",
    "bash -c {}", "zsh -c {}", "find {} -exec touch {{}} +", "xargs -I{} touch {}", "tmux send-keys {} Enter", "git {}",
    "git config {} {}", "git checkout {}", "curl {} -O", "docker run -v {} i touch x", "make -f {}", "tar {} {}",
    "parallel {} ::: {}", "env -S {}", "printf {} {} | sh", "rsync {} {}", "patch -p1 <<< {}", "Rscript -e {}",
]  # fmt: skip
QUIET = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("form", READERS)
@given(text=TEXT)
@example(text="")
@example(text="\\")
@example(text="s/")
@example(text="-")
@example(text="(" * 60)
@example(text="'" * 31)
@QUIET
def test_any_text_ends_in_a_verdict(ground: Ground, form: str, text: str) -> None:
    ground.judge(form.replace("{}", shlex.quote(text)))


@given(st.binary(max_size=700))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_bytes_are_an_archive_or_none(data: bytes) -> None:
    for head in (b"", b"070701", b"070707", b"\xc7\x71", b"PK\1\2", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"):
        archive.headers(head + data)
        archive.zip_names(head + data + b"PK\5\6" + data)
        archive.cpio_names(head + data)
        archive.unpacked(head + data)


@given(st.text(alphabet='-+*@ ab/\n\t"\\019,', max_size=200))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_a_patch_or_none(text: str) -> None:
    patching.names(text, 1)
    patching.names("diff --git " + text, 0)
    tcl.commands(text)


@pytest.mark.parametrize("language", ["javascript", "perl", "ruby", "php", "lua", "other"])
@given(text=TEXT)
@QUIET
def test_any_program_text_splits_into_tokens(ground: Ground, language: str, text: str) -> None:
    table = ground.walk("true").languages[language]
    for kind, _ in tokens.split(text, table):
        assert kind in ("name", "text", "raw", "run", "mark", "end")


@pytest.mark.parametrize(
    "command",
    [
        "sed '" + "/a/,/b/{" * 5000 + "' x",
        "awk '" + "(" * 20000 + "' x",
        "node -e '" + "f(" * 20000 + "'",
        "perl -e '" + "open(" * 5000 + "'",
        "python3 -c '" + "(" * 5000 + "'",
        "python3 -c '" + "f(" * 900 + "1" + ")" * 900 + "'",
        "python3 -c '" + "a=a+" * 3000 + "a'",
        "python3 -c '" + "x=[" * 80 + "'",
        "echo '" + "[a " * 5000 + "' | tclsh",
        "echo '" + "{" * 20000 + "' | tclsh",
        "find . " + "\\( " * 4000 + "-name x",
        "find . " + "! " * 4000 + "-delete",
        "vim -es -c '" + "silent " * 3000 + "w ops/x'",
        "git " + "-c a=b " * 5000 + "status",
        "xargs " * 60 + "touch",
        "sudo " * 3000 + "touch a",
        'env -S "' + "env -S '" * 12 + "touch a",
    ],
    ids=lambda c: c[:14],
)
def test_deep_texts_end_in_time(ground: Ground, command: str) -> None:
    ground.judge(command)
