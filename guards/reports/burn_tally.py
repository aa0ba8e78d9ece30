"""What is counted, and how counts of many files become one: every sum is of the same cells, so all views add up.

A cell is (hour, side, source, name) -> [characters, items]. Adding tallies is commutative, so the order in which
files are finished makes no difference.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

MAIN, SUB = "main", "subagents"
# source -> what it is called. Images stand apart: base64 is billed by area, so shares are of the text alone
SOURCES = {
    "shell": "shell output",
    "tool": "other tools' output",
    "call": "tool calls",
    "reply": "replies",
    "thinking": "thinking",
    "prompt": "prompts",
    "hook": "hooks",
    "instructions": "instruction files",
    "harness": "harness's own words",
    "system": "system prompt, tools",
    "summary": "summaries",
    "unknown": "of no known shape",
    "image": "images (base64)",
}
IMAGE = "image"
LARGEST = 40  # single results that are remembered

Cell = tuple[str, str, str, str]
Usage = tuple[int, int, int, int]  # input, output, read from cache, written to cache


@dataclass
class Session:
    """One transcript file."""

    path: str
    project: str
    side: str
    first: str = ""
    last: str = ""
    text: int = 0
    image: int = 0
    shell: int = 0
    requests: int = 0
    peak: int = 0  # tokens of the largest request


@dataclass
class Tally:
    """Counts of one file, or of many."""

    cells: dict[Cell, list[int]] = field(default_factory=dict)
    sizes: dict[tuple[str, str], dict[int, int]] = field(default_factory=dict)  # (source, name) -> bucket -> items
    usage: dict[str, tuple[Usage, str]] = field(default_factory=dict)  # response -> (tokens, side)
    largest: list[tuple[int, str, str, str, str]] = field(default_factory=list)  # size, source, name, when, what
    sessions: list[Session] = field(default_factory=list)
    files: int = 0
    bytes: int = 0
    lines: int = 0
    malformed: int = 0
    repeated: int = 0
    unread: int = 0  # files that could not be opened

    def add(self, cell: Cell, size: int) -> None:
        held = self.cells.get(cell)
        if held is None:
            self.cells[cell] = [size, 1]
        else:
            held[0] += size
            held[1] += 1

    def output(self, cell: Cell, size: int, what: str) -> None:
        """A tool's result: the cell, the distribution of sizes, and the list of the largest."""
        self.add(cell, size)
        sizes = self.sizes.setdefault(cell[2:], {})
        step = bucket(size)
        sizes[step] = sizes.get(step, 0) + 1
        if len(self.largest) < LARGEST:
            heapq.heappush(self.largest, (size, cell[2], cell[3], cell[0], what))
        elif size > self.largest[0][0]:
            heapq.heapreplace(self.largest, (size, cell[2], cell[3], cell[0], what))

    def used(self, response: str, tokens: Usage, side: str) -> None:
        """Tokens of one response; it stands in several rows, the last of them whole."""
        held = self.usage.get(response)
        if held is None:
            self.usage[response] = (tokens, side)
        elif held[0] != tokens:
            one, two = held[0], tokens
            most = (max(one[0], two[0]), max(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3]))
            self.usage[response] = (most, min(held[1], side))

    def merge(self, other: Tally) -> None:
        for cell, (size, items) in other.cells.items():
            held = self.cells.setdefault(cell, [0, 0])
            held[0] += size
            held[1] += items
        for name, steps in other.sizes.items():
            mine = self.sizes.setdefault(name, {})
            for step, items in steps.items():
                mine[step] = mine.get(step, 0) + items
        for response, (tokens, side) in other.usage.items():
            self.used(response, tokens, side)
        self.largest = heapq.nlargest(LARGEST, self.largest + other.largest)
        heapq.heapify(self.largest)
        self.sessions += other.sessions
        self.files += other.files
        self.bytes += other.bytes
        self.lines += other.lines
        self.malformed += other.malformed
        self.repeated += other.repeated
        self.unread += other.unread

    # ---- views
    def total(self, keep: Callable[[Cell], bool] = lambda _cell: True) -> int:
        return sum(size for cell, (size, _) in self.cells.items() if keep(cell))

    @property
    def text(self) -> int:
        return self.total(lambda cell: cell[2] != IMAGE)

    def by(self, key: Callable[[Cell], str], keep: Callable[[Cell], bool] = lambda _cell: True) -> Rows:
        """(name, characters, items), largest first."""
        found: dict[str, list[int]] = {}
        for cell, (size, items) in self.cells.items():
            if keep(cell):
                held = found.setdefault(key(cell), [0, 0])
                held[0] += size
                held[1] += items
        return sorted(((name, size, items) for name, (size, items) in found.items()), key=lambda r: (-r[1], r[0]))

    def tokens(self) -> dict[str, dict[str, int]]:
        """Tokens by side; each response once."""
        sums = {side: [0, 0, 0, 0, 0] for side in (MAIN, SUB)}
        for tokens, side in self.usage.values():
            for i, count in enumerate((*tokens, 1)):
                sums[side][i] += count
        names = ("input", "output", "cache_read", "cache_written", "responses")
        return {side: dict(zip(names, values, strict=True)) for side, values in sums.items()}


Rows = list[tuple[str, int, int]]


def bucket(size: int) -> int:
    """Which step of a scale of eight steps an octave a size stands on; below 16 each size has its own."""
    if size < 16:
        return size
    octave = size.bit_length() - 4
    return (octave << 3) + (size >> octave)


def middle(step: int) -> int:
    """A size in the middle of a step."""
    if step < 16:
        return step
    octave = (step >> 3) - 1
    low = (step - (octave << 3)) << octave
    return low + ((1 << octave) >> 1)


def quantile(steps: dict[int, int], share: float) -> int:
    """The size below which this share of the items lies, to within six per cent."""
    left = share * sum(steps.values())
    for step in sorted(steps):
        left -= steps[step]
        if left <= 0:
            return middle(step)
    return 0


def over(steps: dict[int, int], bound: int) -> int:
    """How many items are larger than a bound, to within the step it lies on."""
    return sum(items for step, items in steps.items() if middle(step) > bound)


def merged(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.merge(tally)
    return whole
