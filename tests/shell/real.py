"""Runs a shell program for real and holds what happened against what the reader said.

The programs call commands that only write down how they were called. So every word, every directory and every
standard input that the reader named can be compared with the real one, and every file with what stands on disk.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import reject

from guards.engine.world import World
from guards.shell import read

if TYPE_CHECKING:
    from guards.shell.steps import Reading, Step, Word

LOGGER = """#!/bin/dash
{{ printf '%s\\0' "${{0##*/}}" "$(pwd -P)"; for each; do printf '%s\\0' "$each"; done; }} >> {log}/$$
{then}
"""
COMMANDS = {"c1": ":", "c2": ":", "cf": "exit 1", "ci": "cat > {log}/$$.in"}
TREE = ("d/d", "d/e", "e/d", "e/e")
FILES = ("f1", "f2.txt", "g h", "d/f1", "d/x.txt", "e/f3", ".hid")


@dataclass
class Ground:
    """A throwaway directory with its commands."""

    root: Path
    log: Path = field(init=False)
    work: Path = field(init=False)
    home: Path = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.log, self.home = self.root / "log", self.root / "home"
        self.work = self.root / "/".join("w" * 12) / "work"  # deep: a program may go up a few times and write there
        commands = self.root / "bin"
        for folder in (self.log, commands, self.home):
            folder.mkdir()
        for name, then in COMMANDS.items():
            script = commands / name
            script.write_text(LOGGER.format(log=self.log, then=then.format(log=self.log)))
            script.chmod(0o755)
        self.env: dict[str, str | None] = {
            "PATH": f"{commands}:/usr/bin:/bin",
            "HOME": str(self.home),
            "E1": "env val",
            "E2": "d",
            "LC_ALL": "C.UTF-8",
        }
        self.world = World({"home": str(self.home)}, None, {})  # type: ignore[arg-type]

    def fresh(self) -> None:
        for folder in (self.work, self.log):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        for name in TREE:
            (self.work / name).mkdir(parents=True)
        for name in FILES:
            (self.work / name).write_text("old\n")
            os.utime(self.work / name, (1, 1))

    def run(self, shell: str, text: str) -> subprocess.CompletedProcess[bytes]:
        options = ["--norc", "--noprofile"] if shell == "bash" else []
        env = {key: value for key, value in self.env.items() if value is not None}
        ended, held = os.pipe()  # every descendant holds it: what a shell does not wait for is waited for here
        with os.fdopen(ended, "rb") as end:
            try:
                done = subprocess.run(
                    [shell, *options, "-c", text],
                    cwd=self.work,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    pass_fds=(held,),
                    timeout=20,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                reject()  # a program that calls itself for ever shows nothing
            finally:
                os.close(held)
            end.read()
        return done

    def calls(self) -> list[tuple[str, tuple[str, ...], str | None]]:
        """(directory, argv, standard input where it was written down) of every call."""
        found = []
        for path in self.log.iterdir():
            if path.suffix == ".in":
                continue
            data = path.read_bytes().decode("utf-8", "surrogateescape")
            for other in range(50, 63):
                data = data.replace(f"\0/dev/fd/{other}\0", "\0/dev/fd/63\0")  # which one is the shell's business
            name, cwd, *rest = data.split("\0")[:-1]
            given = path.with_suffix(".in")
            stdin = given.read_bytes().decode("utf-8", "surrogateescape") if given.exists() else None
            found.append((cwd, (name, *rest), stdin))
        return found

    def changed(self) -> dict[str, str]:
        """Regular files that are not as they were laid out: path -> content."""
        found = {}
        for path in self.work.rglob("*"):
            info = path.lstat()
            if stat.S_ISREG(info.st_mode) and info.st_mtime != 1:
                found[str(path)] = path.read_bytes().decode("utf-8", "surrogateescape")
        return found


def covers(step: Step, cwd: str, argv: tuple[str, ...], *, racy: bool = False) -> bool:
    """Whether a step stands for a real call; a word that is not static stands for any, one that may be several too.
    With `racy`, what a glob found may differ: it depends on which command was first, or on a branch."""
    if step.cwd is not None and os.path.realpath(step.cwd) != cwd:
        return False
    words = [(None, True) if w.glob or (racy and globbed(w)) else (w.text, w.many) for w in step.argv]
    return fits(words, list(argv))


def globbed(word: Word) -> bool:
    return any(c in word.raw for c in "*?[")


def fits(words: list[tuple[str | None, bool]], argv: list[str]) -> bool:
    if not words:
        return not argv
    text, many = words[0]
    if text is not None:
        return bool(argv) and argv[0] == text and fits(words[1:], argv[1:])
    if many:
        return any(fits(words[1:], argv[k:]) for k in range(len(argv) + 1))
    return bool(argv) and fits(words[1:], argv[1:])


def static(step: Step) -> bool:
    return (
        step.sure
        and step.cwd is not None
        and all(w.text is not None for w in step.argv)
        and all(
            r.op in (">&", "<&", "<<", "<<<") or (r.target is not None and r.target.text is not None)
            for r in step.redirects
        )
    )


def targets(step: Step) -> list[str]:
    writing = (">", ">>", ">|", "&>", "&>>", "<>")
    named = [r.target.text for r in step.redirects if r.op in writing and r.target is not None]
    if step.name in ("tee", "touch"):
        named += [word.text for word in step.argv[1:]]
    return [os.path.realpath(os.path.join(step.cwd or "/nowhere", n)) for n in named if n is not None]


def faults(ground: Ground, shell: str, text: str, reader: Any = read.steps) -> list[str]:
    """What the reader said and what happened differ in. Empty when the text could not be read."""
    ground.fresh()
    reading: Reading = reader(text, str(ground.work), ground.env, ground.world, None)
    ground.run(shell, text)
    if reading.unreadable or any(s.name in ("eval", "source", ".", "trap") and not s.followed for s in reading.steps):
        return []
    found: list[str] = []
    calls = ground.calls()
    racy = any(not s.sure for s in reading.steps) or any(c in text for c in "|`(")
    said = [s for s in reading.steps if s.argv and s.argv[0].text in (*COMMANDS, None)]
    for cwd, argv, stdin in calls:
        matching = [s for s in said if covers(s, cwd, argv, racy=racy)]
        if not matching:
            found.append(f"missed: {argv} in {cwd}")
        elif stdin is not None and all(static(s) and s.stdin is not None and s.exact for s in matching):
            if stdin not in [s.stdin for s in matching]:
                found.append(f"input of {argv}: {stdin!r}, said {[s.stdin for s in matching]!r}")
    real = {(cwd, argv) for cwd, argv, _ in calls}
    wrote = ground.changed()
    failed = [s for s in reading.steps if any(t not in wrote for t in targets(s))]
    if not failed:
        for step in said:
            argv = tuple(w.text or "" for w in step.argv)
            if racy and any(globbed(w) for w in step.argv):
                continue
            if static(step) and argv[0] in COMMANDS and (os.path.realpath(step.cwd or ""), argv) not in real:
                found.append(f"invented: {argv} in {step.cwd}")
    found += files(reading, wrote, strict=not failed)
    return found


def files(reading: Reading, wrote: dict[str, str], *, strict: bool) -> list[str]:
    named = {t for s in reading.steps for t in targets(s)}
    open_ = any(
        r.target is not None and (r.target.text is None or s.cwd is None) for s in reading.steps for r in s.redirects
    )
    found = [f"missed write: {path}" for path in wrote if path not in named and not open_]
    if strict and reading.steps and all(static(s) for s in reading.steps):
        known = reading.files
        for path, content in known.items():
            if content is not None and wrote.get(path, content) != content:
                found.append(f"content of {path}: {wrote[path]!r}, said {content!r}")
    return found


def read_once(ground: Ground, text: str) -> list[Step]:
    """The steps as the reader sees the ground before anything ran; the log of the last run stays."""
    log = {path.name: path.read_bytes() for path in ground.log.iterdir()}
    ground.fresh()
    found = read.steps(text, str(ground.work), ground.env, ground.world, None).steps
    for name, data in log.items():
        (ground.log / name).write_bytes(data)
    return found
