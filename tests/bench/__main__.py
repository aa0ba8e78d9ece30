"""`make bench`: measures every row, prints the table, writes RESULTS.md. Exit 1 when a row is over its ceiling."""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track

from tests.bench import burn, fence, group, second
from tests.bench.measure import ratio
from tests.bench.rows import ROWS, Row, encode
from tests.machine import Machine

RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = """# Speed

Ratios to `sh -c 'python -I -S -c pass'` with the same interpreter, streams and payload; pairs run in turn, medians of
{pairs} pairs, in one run of `make bench`. {machine}; a bare start took {bare:.1f} ms.

| path | ratio | at most |
|---|---|---|
"""


def one(row: Row, base: Path, pairs: int) -> tuple[float, float]:
    machine = Machine(base)
    event, payload = row.make(machine)
    bare = f"{machine.install}/py -I -S -c pass"
    found, ms, last = ratio(bare, machine.command(event), encode(payload), machine.env(), str(machine.home), pairs)
    if last.code != row.code or (row.silent and (last.out or last.err)):
        raise SystemExit(f"{row.name}: came back with {last.code} {last.out!r} {last.err!r}; the row measures nothing")
    return found, ms


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pairs", type=int, default=60)
    asked.add_argument("--only", default="", help="rows whose name holds this text; RESULTS.md is not written then")
    given = asked.parse_args()
    rows = [row for row in ROWS if given.only in row.name]
    found: list[tuple[Row, float]] = []
    bare = 0.0
    with tempfile.TemporaryDirectory(prefix="guards-bench.") as base:
        for number, row in enumerate(
            track(rows, description="measuring", console=Console(stderr=True), transient=True)
        ):
            value, bare = one(row, Path(base) / str(number), given.pairs)
            found.append((row, value))
    lines = [f"| {row.name} | {value:.2f} | {row.limit:.2f} |" for row, value in found]
    machine = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    text = HEAD.format(pairs=given.pairs, machine=machine, bare=bare) + "\n".join(lines) + "\n"
    over = [f"{row.name}: {value:.2f} is over {row.limit}" for row, value in found if value > row.limit]
    for name, part in (("burn", burn), ("fence", fence), ("second reader", second), ("group", group)):
        if given.only in name:
            more, late = part.section()
            text += more
            over += late
    print(text)
    if not given.only:
        RESULTS.write_text(text, encoding="utf-8")
    print("\n".join(over), file=sys.stderr)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
