"""Generated programs are run for real, and nothing that happened may be missing from what the reader said.

The bounded runs here take the same examples each time; `make fuzz` takes new ones, many more. Each fault that was
found is a case of its own in test_read_traps.py or test_words.py.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from guards.engine import dispatch
from guards.engine.event import EXACT, Event
from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.shell import effects, read
from guards.shell.steps import Reading
from tests.machine import Machine
from tests.shell import generate, real
from tests.shell.said import reading
from tests.shell.test_read_traps import spelled

CHECKS = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


def bounded(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=CHECKS)


def long(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, database=None, print_blob=True, suppress_health_check=CHECKS)


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """Hypothesis may trace while it explains a fault; time is not what is tested here."""
    held, read.SECONDS = read.SECONDS, 30.0
    yield
    read.SECONDS = held


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> real.Ground:
    return real.Ground(tmp_path_factory.mktemp("real"))


def valid(shell: str, text: str) -> bool:
    """Also with a fault behind it, which must be seen: bash says nothing where it gives up on `for((`."""
    done = [subprocess.run([shell, "-n", "-c", t], capture_output=True, check=False) for t in (text, text + "\n)\n")]
    return done[0].returncode == 0 and not done[0].stderr and done[1].returncode != 0


def hold(place: real.Ground, shell: str, text: str) -> None:
    assume(valid(shell, text))
    said = reading(text, str(place.work), env=place.env)
    assert not said.unreadable, f"{text}\n{said.unreadable}"
    found = real.faults(place, shell, text)
    assert not found, f"{text}\n{found}"


# ---- what a shell runs, with which words, where, with which input, and which files it writes
@bounded(70)
@given(generate.program(True, 2))
def _bash(place: real.Ground, text: str) -> None:
    hold(place, "bash", text)


@bounded(40)
@given(generate.program(False, 2))
def _dash(place: real.Ground, text: str) -> None:
    hold(place, "dash", text)


def test_what_bash_does_is_what_the_reader_said(place: real.Ground) -> None:
    _bash(place)


def test_what_dash_does_is_what_the_reader_said(place: real.Ground) -> None:
    _dash(place)


@pytest.mark.slow
def test_what_bash_does_in_many_programs(place: real.Ground) -> None:
    long(4000)(given(generate.program(True, 3))(lambda text: hold(place, "bash", text)))()


@pytest.mark.slow
def test_what_dash_does_in_many_programs(place: real.Ground) -> None:
    long(2000)(given(generate.program(False, 3))(lambda text: hold(place, "dash", text)))()


# ---- the second reader
def agree(text: str) -> None:
    first, other = reading(text), reading(text, reader=read.second)
    if first.unreadable or other.unreadable or unread(first) or unread(other):
        return
    assert spelled(first) == spelled(other), text


def unread(found: Reading) -> bool:
    """Code in it stayed unread: a reader may know a form that the other does not."""
    return any(s.name in ("eval", "source", ".", "trap") and not s.followed for s in found.steps)


@st.composite
def mutated(draw: st.DrawFn, depth: int) -> str:
    """A program with a few characters cut, put in or doubled."""
    text = draw(generate.program(True, depth))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.integers(0, 2))
        bits = [
            *"'\"`$(){}[]<>|&;#\\\n \t=*~!",
            "&&",
            "||",
            "<<",
            "<<<",
            "$(",
            "${",
            ">>",
            "do",
            "fi",
            "if ",
            "{ ",
            "; }",
        ]
        if kind == 0:
            text = text[:at] + text[at + draw(st.integers(1, 3)) :]
        elif kind == 1:
            text = text[:at] + draw(st.sampled_from(bits)) + text[at:]
        else:
            text = text[:at] + text[at : at + 4] + text[at:]
    return text


@bounded(80)
@given(generate.program(True, 2))
def test_both_readers_say_the_same_of_generated_texts(text: str) -> None:
    agree(text)


@bounded(150)
@given(mutated(1))
def test_both_readers_say_the_same_of_mutated_texts_where_both_can_read_them(text: str) -> None:
    agree(text)


@pytest.mark.slow
@long(8000)
@given(st.one_of(generate.program(True, 3), mutated(2)))
def test_both_readers_say_the_same_of_many_texts(text: str) -> None:
    agree(text)


@pytest.mark.slow
@long(4000)
@given(mutated(2))
def test_what_bash_takes_for_valid_is_read(text: str) -> None:
    """But for what bash itself refuses only when it runs: in backticks, in live here-documents, in odd sums."""
    assume("`" not in text and "$((" not in text and "\0" not in text and valid("bash", text))
    assume(not re.search(r"\$\{\w+\[\W", text))  # a subscript that is empty, or open until something else closes it
    said = reading(re.sub("<<(-?)( ?)E", r"<<\1\2'E'", text))
    assert not said.unreadable, f"{text}\n{said.unreadable}"


# ---- what is written, as the effects say it
class Writers:
    """The ground of `real`, judged with the bundled policy of a machine."""

    def __init__(self, place: real.Ground, machine: Machine) -> None:
        self.place = place
        self.ways: set[str] = set()
        self.tables = load(machine.places)
        env = {k.encode(): (v or "").encode() for k, v in place.env.items()}
        self.world = World({**machine.places, "home": str(place.home)}, Session("", ""), env)

    def said(self, text: str) -> tuple[set[str], set[str], bool]:
        """Paths and whole trees of exact effects, and whether anything stayed open."""
        event = Event("claude", "before-tool", {})
        event.tool, event.input = "Bash", {"command": text}
        event.cwd = event.project = str(self.place.work)
        dispatch.prepare(event, self.tables, self.world)
        self.ways = set()
        paths: set[str] = set()
        trees: set[str] = set()
        open_ = False
        for effect in effects.effects(event, self.world):
            if effect.certainty != EXACT:
                open_ = True
                continue
            parts = os.path.join(effect.cwd, effect.path).split("/")
            for count in range(2, len(parts)):  # the folders on the way are made with it, even one that .. leaves again
                self.ways.add(os.path.realpath("/".join(parts[:count])))
            path = os.path.normpath("/".join(parts))
            path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
            (trees if effect.tree else paths).add(path)
        return paths, trees, open_


def seen(work: Path) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for path in work.rglob("*"):
        info = path.lstat()
        found[str(path)] = (0, 0) if path.is_dir() else (info.st_mtime_ns, info.st_ino, info.st_ctime_ns)
    return found


def hold_writes(writers: Writers, text: str) -> None:
    place = writers.place
    # what a second copy of a tree finds there was made by the first: that is not followed
    assume(text.count("cp -r") < 2 and valid("bash", text))
    place.fresh()
    paths, trees, open_ = writers.said("export E2=d\n" + text)
    before = seen(place.work)
    done = place.run("bash", "set -e\nE2=d\n" + text)
    after = seen(place.work)
    changed = {p for p in before.keys() | after.keys() if before.get(p) != after.get(p)}
    if not open_:
        missed = {p for p in changed if p not in paths and not any(p == t or p.startswith(t + "/") for t in trees)}
        missed -= writers.ways
        assert not missed, f"{text}\nmissed: {missed}\nsaid: {paths} {trees}"
    if done.returncode == 0 and "if test" not in text:
        invented = {p for p in paths if p not in changed and p in after and p in before and not os.path.isdir(p)}
        assert not invented, f"{text}\ninvented: {invented}"


@pytest.fixture(scope="module")
def writers(place: real.Ground, tmp_path_factory: pytest.TempPathFactory) -> Writers:
    return Writers(place, Machine(tmp_path_factory.mktemp("machine")))


@bounded(70)
@given(generate.writing())
def _writes(writers: Writers, text: str) -> None:
    hold_writes(writers, text)


def test_every_change_on_disk_is_an_effect_and_every_effect_a_change(writers: Writers) -> None:
    _writes(writers)


@pytest.mark.slow
def test_every_change_on_disk_is_an_effect_in_many_programs(writers: Writers) -> None:
    long(4000)(given(generate.writing())(lambda text: hold_writes(writers, text)))()
