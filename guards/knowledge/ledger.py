"""What an agent has truly read: lines that the harness returned, per agent, append-only, filled after the call.

A record holds the file's size and time, so a file that changed must be read again. Where the answer tells ranges they
count; else the answer must hold the text itself. A read that was cut counts for what came. Lines that do not parse
count for nothing.
"""

from guards.engine.state import RECORDS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

FILE_MAX = 4 << 20  # bytes of a file that is compared with an answer
CHUNK_BYTES = 55 << 10  # of one read call; larger ones are cut by the harness
CHUNK_LINES = 2000
_META = frozenset("|&;<>()$`\\\"'*?[]#~={}!\n\r\t")


def name(agent: str) -> str:
    return f"gate-read-{agent or 'root'}"


def target(event: "Event", world: "World") -> str:
    """The real path that a call reads by the read tool or by an exact `cat FILE`; "" for any other call."""
    path = ""
    if event.kind == "read":
        path = next((event.input[key] for key in _PATHS if isinstance(event.input.get(key), str)), "")
    elif event.kind == "shell" and event.command.startswith("cat ") and not _META.intersection(event.command):
        words = event.command.split(" ")
        path = words[1] if len(words) == 2 and not words[1].startswith("-") else ""
    return world.real(path if path.startswith("/") else f"{event.cwd}/{path}") or "" if path else ""


_PATHS = ("file_path", "absolute_path", "path", "notebook_path", "target_file")


def record(event: "Event", world: "World") -> str:
    """The record of what a read returned; "" when it returned nothing that counts."""
    path = target(event, world)
    info = world.stat(path) if path else None
    if info is None or "\n" in path:
        return ""
    start, count, total = _told(event.response) if event.kind == "read" else (0, 0, 0)
    if not count:
        start, count, total = _compared(event, path, world)
    if not count:
        return ""
    return f"{start} {count} {total} {info.st_size} {info.st_mtime_ns} {path}"


def _told(response: "Any") -> "tuple[int, int, int]":
    """(first line, lines, lines of the whole file) as Claude Code says it."""
    file = response.get("file") if isinstance(response, dict) else None
    if not isinstance(file, dict) or not isinstance(file.get("content"), str):
        return 0, 0, 0
    found = [file.get(key) for key in ("startLine", "numLines", "totalLines")]
    if not all([isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in found]):
        return 0, 0, 0
    # no more lines than the text holds, whatever the numbers say
    return found[0], min(found[1], file["content"].count("\n") + 1), found[2]  # type: ignore[return-value]


def _compared(event: "Event", path: str, world: "World") -> "tuple[int, int, int]":
    """The asked lines of the file, when the answer holds them word for word."""
    data = world.read(path, FILE_MAX)
    answer = _answer(event.response)
    if data is None or len(data) > FILE_MAX or not answer:
        return 0, 0, 0
    lines = data.decode("utf-8", "replace").split("\n")
    offset, limit = event.input.get("offset"), event.input.get("limit")
    first = offset if isinstance(offset, int) and offset > 0 and event.kind == "read" else 0
    first = max(first - (event.harness != "gemini"), 0)  # Gemini counts lines from 0, the others from 1
    asked = lines[first : first + limit] if isinstance(limit, int) and event.kind == "read" else lines[first:]
    while asked and not asked[-1].strip():
        asked = asked[:-1]
    if not asked or "\n".join(asked) not in answer:
        return 0, 0, 0
    return first + 1, len(asked), lines_of(lines)


def _answer(response: "Any") -> str:
    """The text an answer holds; nothing of one that the harness kept to a file and showed in part."""
    if isinstance(response, str):
        return response
    if not isinstance(response, dict) or response.get("persistedOutputPath"):
        return ""
    for key in ("stdout", "llmContent", "textResultForLlm", "output"):
        if isinstance(response.get(key), str):
            return str(response[key])
    return ""


def lines_of(lines: "list[str]") -> int:
    """How many lines a text has; what follows the last line end is none."""
    return len(lines) - (len(lines) > 1 and not lines[-1])


class Ledger:
    """What one agent has read."""

    __slots__ = ("_full", "_seen", "_world")

    def __init__(self, agent: str, world: "World") -> None:
        self._world = world
        self._seen: dict[str, list[tuple[int, int, int, int, int]]] = {}
        lines = world.session.records(name(agent))
        # what lies beyond is not read, so nothing could be proved any more: then nothing is owed
        self._full = sum([len(line) + 1 for line in lines]) > RECORDS_MAX - 8192
        for line in lines:
            words = line.split(" ", 5)
            if len(words) == 6 and all([word.isdecimal() and len(word) < 24 for word in words[:5]]):
                start, count, total, size, changed = [int(word) for word in words[:5]]
                self._seen.setdefault(words[5], []).append((start, count, total, size, changed))

    def owes(self, path: str) -> "list[tuple[int, int]]":
        """Read calls (first line, number of lines) for what was not read; [] when all was, or the file is not there."""
        info = None if self._full else self._world.stat(path)
        data = self._world.read(path, FILE_MAX) if info is not None else None
        if info is None or not data or b"\0" in data:  # no read call returns the text of what is none
            return []
        lines = data.decode("utf-8", "replace").split("\n")
        kept = [row[:3] for row in self._seen.get(path, ()) if row[3:] == (info.st_size, info.st_mtime_ns)]
        last = max(lines_of(lines), kept[-1][2] - (not lines[-1]) if kept else 0)
        return _chunks(_gaps([(start, start + count - 1) for start, count, _ in kept], last), lines)


def _gaps(read: "list[tuple[int, int]]", last: int) -> "list[tuple[int, int]]":
    """(first, last line) of what no range covers."""
    found, at = [], 1
    for first, end in sorted(read):
        if first > at:
            found.append((at, min(first - 1, last)))
        at = max(at, end + 1)
        if at > last:
            break
    return [*found, (at, last)] if at <= last else found


def _chunks(gaps: "list[tuple[int, int]]", lines: "list[str]") -> "list[tuple[int, int]]":
    """The gaps as read calls that the harness returns whole; a line that none returns is left out."""
    found: list[tuple[int, int]] = []
    for first, last in gaps:
        start, size = first, 0
        for number in range(first, last + 1):
            length = len(lines[number - 1].encode("utf-8", "replace")) + 1 if number <= len(lines) else 1
            if size + length > CHUNK_BYTES or number - start >= CHUNK_LINES:
                found.append((start, number - start))
                start, size = number + (length > CHUNK_BYTES), 0
            size += length if number >= start else 0
        found.append((start, last - start + 1))
    return [call for call in found if call[1] > 0]
