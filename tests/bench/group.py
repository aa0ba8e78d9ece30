"""An owner's other hooks as commands of the one process, against the same hooks wired one by one.

A harness starts all hooks of an event at once and waits for the last; so does this. Both ways judge the same call with
the same guards and the same hooks. The one process is the slower one: it starts before it can start the others, and
keeps them apart. What it buys is one answer, whose parts cannot end, silence or contradict each other.
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.measure import Sample, sample
from tests.bench.rows import encode
from tests.machine import Machine, tool

SHELL = "#!/bin/sh\ncat >/dev/null\n"
PYTHON = "#!/usr/bin/env python3\nimport json, sys\njson.load(sys.stdin)\n"
# wall time of the group to wall time of the same hooks one by one
LIMIT = 2.0
HEAD = """
## An owner's other hooks

The same hooks as commands of one process and wired one by one (all started at once, as a harness does); medians of
{pairs} pairs.

| hooks | one process, ms | one by one, ms | ratio | at most |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Group:
    """One comparison."""

    name: str
    body: str
    count: int


GROUPS = (Group("1 shell hook", SHELL, 1), Group("4 shell hooks", SHELL, 4), Group("4 Python hooks", PYTHON, 4))


def section(pairs: int = 20) -> tuple[str, list[str]]:
    """(the table, what is over its limit)."""
    lines, over = [], []
    for group in GROUPS:
        together, apart = measure(group, pairs)
        ratio = together / apart
        lines.append(f"| {group.name} | {together:.1f} | {apart:.1f} | {ratio:.2f} | {LIMIT:.2f} |")
        if ratio > LIMIT:
            over.append(f"{group.name} in one process: {ratio:.2f} is over {LIMIT}")
    return HEAD.format(pairs=pairs) + "\n".join(lines) + "\n", over


def measure(group: Group, pairs: int) -> tuple[float, float]:
    """Milliseconds in one process and one by one."""
    with tempfile.TemporaryDirectory(prefix="guards-bench.") as base:
        machine = Machine(Path(base))
        hooks = [_hook(machine, group, number) for number in range(group.count)]
        payload = encode(tool("Read", {"file_path": "src/app.py"}, cwd=machine.repo()))
        alone = machine.command("before-tool")
        plain = Machine(Path(base) / "plain")
        single = [plain.command("before-tool"), *hooks]
        _declare(machine, hooks)
        together, apart = [], []
        for _ in range(pairs + 2):
            together.append(_timed([alone], payload, machine))
            apart.append(_timed(single, payload, plain))
        # the first two warm what is cached
        return median(together[2:]) * 1000, median(apart[2:]) * 1000


def _hook(machine: Machine, group: Group, number: int) -> str:
    path = machine.home / f"hooks/{number}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(group.body)
    path.chmod(0o755)
    return str(path)


def _declare(machine: Machine, hooks: list[str]) -> None:
    row = '[[command]]\nid = "h{0}"\nrun = ["{1}"]\nevents = ["before-tool"]\nharnesses = ["claude"]\n'
    machine.policy("dispatch", "".join(row.format(number, hook) for number, hook in enumerate(hooks)))


def _timed(commands: list[str], payload: bytes, machine: Machine) -> float:
    """Seconds until every command has ended and both its outputs are closed."""
    found: list[Sample] = []
    env, home = machine.env(PATH=os.environ["PATH"]), str(machine.home)
    workers = [
        threading.Thread(target=lambda line=line: found.append(sample(line, payload, env, home))) for line in commands
    ]
    started = perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = perf_counter() - started
    wrong = [one for one in found if one.code or one.out or one.err]
    if wrong or len(found) != len(commands):
        raise SystemExit(f"a hook of the group came back with {wrong}; the row measures nothing")
    return seconds


if __name__ == "__main__":
    print(section()[0])
