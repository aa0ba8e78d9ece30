"""`guards burn` against a bare pass of the fastest JSON library over the same lines, on one core.

The transcripts are made up, in the proportions of public ones: half the calls are the shell's, results are long-tailed,
and the harness's own copies (toolUseResult) make up a good part of every file.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from guards.reports import burn, burn_show
from tests.reports.transcripts import Claude

LIMIT = 1.5
MEGABYTES = 40
COMMANDS = ("cd /srv && pytest -q", "git status", "cat src/a.py", "rg -n x src", "FOO=1 timeout 9 make", "npm test")
WORDS = ["function", "return", "error", "src/parser.py", "value", "passed", "0x7f3a", "=>", "é", "—", "日本", "line:\n"]


def corpus(folder: Path, megabytes: int, seed: int = 1) -> int:
    """Transcripts of about so many megabytes; the bytes written."""
    rnd = random.Random(seed)
    words = " ".join(rnd.choice(WORDS) for _ in range(40_000))

    def text(middle: int, spread: float) -> str:
        size = min(int(middle * math.exp(rnd.gauss(0, spread))), 60_000)
        start = rnd.randrange(max(len(words) - size, 1))
        return words[start : start + size]

    written = 0
    while written < megabytes * 1_000_000:
        held = Claude(cwd=f"/srv/app{rnd.randrange(4)}")
        for _ in range(rnd.randrange(60, 160)):
            if rnd.random() < 0.05:
                held.user(text(120, 1))
            if rnd.random() < 0.5:
                held.assistant({"type": "thinking", "thinking": text(250, 1), "signature": "s" * 400})
            if rnd.random() < 0.4:
                held.assistant({"type": "text", "text": text(200, 1)})
            draw = rnd.random()
            if draw < 0.55:
                held.call("Bash", {"command": rnd.choice(COMMANDS), "description": "do it"}, text(294, 1.7))
            elif draw < 0.75:
                held.call("Read", {"file_path": "/srv/a.py"}, text(2855, 1.4))
            elif draw < 0.9:
                edit = {"file_path": "/srv/a.py", "old_string": text(200, 1), "new_string": text(250, 1)}
                held.call("Edit", edit, "updated", original=text(8000, 1))
            else:
                held.call("mcp__docs__search", {"q": "x"}, [{"type": "text", "text": text(900, 1.2)}])
        path = held.write(folder / f"s{written}.jsonl")
        written += path.stat().st_size
    return written


def seconds(work: Callable[[], None]) -> float:
    """The least CPU time of five runs."""
    best = math.inf
    for _ in range(5):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def measure() -> tuple[float, float]:
    """(ratio to the bare pass, megabytes a second of one core)."""
    with tempfile.TemporaryDirectory(prefix="guards-bench.") as base:
        size = corpus(Path(base), MEGABYTES)
        tasks = burn.find([base], "", "")
        names = burn_show.names()

        def bare() -> None:
            for task in tasks:
                with open(task.path, "rb") as file:
                    for line in file:
                        orjson.loads(line)

        def counted() -> None:
            burn.gather(tasks, names, 1, lambda _done: None)

        yardstick, found = seconds(bare), seconds(counted)
    return found / yardstick, size / 1e6 / found


def section() -> tuple[str, list[str]]:
    """What RESULTS.md says about it, and what is over its ceiling."""
    ratio, rate = measure()
    text = (
        f"\n`guards burn` on one core, to a bare pass of orjson over the same lines: {ratio:.2f} (at most {LIMIT});"
        f" {rate:.0f} MB a second.\n"
    )
    return text, [f"burn: {ratio:.2f} is over {LIMIT}"] if ratio > LIMIT else []
