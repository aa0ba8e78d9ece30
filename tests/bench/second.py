"""How often the second reader is asked: over the recorded commands that pass, those that name a lane kept apart.

It is asked where a word names a path in a lane, or a target is not known, while the first reader shows no protected
effect. A command that names no lane has only the second reason.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.machine import Machine
from tests.shell import cases
from tests.shell.ground import HELD, HELD_HOME, Ground, build

LIMIT = 0.1  # of the commands that name no lane
LINKS = ("wf", "link.yml", "plain.txt")
HEAD = """
## The second reader

Recorded commands that pass (tests/shell/cases), and those of them for which bashlex was asked too.

| commands | asked | share | at most |
|---|---|---|---|
"""


def section() -> tuple[str, list[str]]:
    """(the table, what is over its limit)."""
    with tempfile.TemporaryDirectory(prefix="guards-bench.") as folder:
        base = Path(folder).resolve()
        build(base / "world")
        ground = Ground(base / "world", Machine(base / "machine"))
        passing = [case for case in cases.read() if not case.refused]
        asked = {case for case in passing if len(ground.walk(case.command, case.cwd).readers) > 1}
    names = [part for path in (*HELD, *HELD_HOME, *LINKS) for part in path.split("/") if part not in ("src", ".git")]
    naming = {case for case in passing if any(name in case.command for name in names)}
    plain = [case for case in passing if case not in naming]
    share = len(asked.difference(naming)) / len(plain)
    lines = [
        f"| {len(plain)} that name no lane | {len(asked.difference(naming))} | {share:.0%} | {LIMIT:.0%} |",
        f"| {len(naming)} that name one | {len(asked & naming)} | {len(asked & naming) / len(naming):.0%} | – |",
    ]
    over = [f"the second reader is asked for {share:.0%} of ordinary commands"] if share > LIMIT else []
    return HEAD + "\n".join(lines) + "\n", over


if __name__ == "__main__":
    print(section()[0])
