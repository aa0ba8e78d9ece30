"""`guards burn`: which tool call, reply, prompt, hook or image put each character of the transcripts there.

Reads transcripts and nothing else; writes only the page that was asked for. Files are read by all cores, a megabyte at
a time, so memory holds sums and not sessions. A line that cannot be read is counted and skipped.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import msgspec
import typer

from guards.reports import burn_claude, burn_codex, burn_names
from guards.reports.burn_rows import chunks
from guards.reports.burn_tally import IMAGE, MAIN, SUB, Session, Tally

HEAD = 256 << 10  # bytes of a file that are looked at for its kind and its project
SMALL = 32 << 20  # bytes below which starting processes costs more than they save
_UNITS = {"h": 1, "d": 24, "w": 168}


class Head(msgspec.Struct):
    """What tells a transcript's kind and project."""

    type: str = ""
    cwd: str = ""
    payload: dict[str, Any] | None = None


@dataclass(frozen=True)
class Task:
    """One file, and which of its rows count."""

    path: str
    size: int
    since: str
    project: str


# ---- one file
def read(task: Task, done: Callable[[int], None] = lambda _count: None) -> Tally:
    """The tally of one file; an empty one when it is of another project, or cannot be read."""
    try:
        return _read(task, done)
    except OSError:
        return Tally(unread=1)


def _read(task: Task, done: Callable[[int], None]) -> Tally:
    with open(task.path, "rb") as handle:
        kind, project = _peek(handle.read(HEAD))
        if task.project and task.project not in project and task.project not in task.path:
            done(task.size)
            return Tally()
        handle.seek(0)
        name = os.path.basename(task.path)
        side = SUB if "/subagents/" in task.path or name.startswith("agent-") else MAIN
        session = Session(task.path, project or os.path.basename(os.path.dirname(task.path)), side)
        reader: burn_codex.Reader | burn_claude.Reader
        reader = (burn_codex.Reader if kind == "codex" else burn_claude.Reader)(session, task.since)
        tally = reader.read(chunks(handle, done))
    tally.files = 1
    tally.bytes = task.size
    if session.first:
        _close(session, tally)
        tally.sessions.append(session)
    return tally


def _peek(head: bytes) -> tuple[str, str]:
    """(claude or codex, the directory the session was in)."""
    kind = "claude"
    decode = msgspec.json.Decoder(Head).decode
    for line in head.split(b"\n"):
        try:
            row = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if row.payload is not None:
            kind = "codex"
            if isinstance(row.payload.get("cwd"), str):
                return kind, str(row.payload["cwd"])
        if row.cwd:
            return kind, row.cwd
    return kind, ""


def _close(session: Session, tally: Tally) -> None:
    session.image = tally.total(lambda cell: cell[2] == IMAGE)
    session.text = tally.total() - session.image
    session.shell = tally.total(lambda cell: cell[2] == "shell")
    session.requests = len(tally.usage)


# ---- many files
def roots(environ: dict[str, str]) -> list[str]:
    """Where the harnesses keep their transcripts."""
    home = os.path.expanduser("~")
    claude = environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    codex = environ.get("CODEX_HOME") or f"{home}/.codex"
    return [f"{claude}/projects", f"{codex}/sessions", f"{codex}/archived_sessions"]


def find(paths: list[str], since: str, project: str) -> list[Task]:
    """Every transcript below the paths, largest first; files last written before `since` are left out."""
    found: dict[str, int] = {}
    for path in paths:
        for file in _files(path):
            info = os.stat(file)
            written = datetime.fromtimestamp(info.st_mtime, UTC).isoformat()
            if written >= since:
                found[os.path.realpath(file)] = info.st_size
    return [Task(path, size, since, project) for path, size in sorted(found.items(), key=lambda f: (-f[1], f[0]))]


def _files(path: str) -> Iterator[str]:
    if os.path.isfile(path):
        yield path
    for folder, _, names in os.walk(path):
        for name in names:
            if name.endswith(".jsonl") and os.path.isfile(os.path.join(folder, name)):
                yield os.path.join(folder, name)


_progress: Any = None  # in a worker: the counter it shares with the others


def _begin(counter: Any, names: dict[str, Any]) -> None:
    global _progress
    _progress = counter
    burn_names.use(names)


def _work(task: Task) -> Tally:
    def done(count: int) -> None:
        with _progress.get_lock():
            _progress.value += count

    return read(task, done)


def gather(tasks: list[Task], names: dict[str, Any], workers: int, show: Callable[[int], None]) -> Tally:
    """Reads all files; `show` is told how many bytes are behind. The sums do not hang on who finishes first."""
    whole = Tally()
    counter = multiprocessing.Value("q", 0)
    if workers < 2 or len(tasks) < 2 or sum(task.size for task in tasks) < SMALL:
        _begin(counter, names)
        for task in tasks:
            whole.merge(_work(task))
            show(counter.value)
        return whole
    with multiprocessing.Pool(workers, _begin, (counter, names)) as pool:
        results = pool.imap_unordered(_work, tasks)
        for _ in tasks:
            while True:
                try:
                    whole.merge(results.next(timeout=0.2))
                    break
                except multiprocessing.TimeoutError:
                    show(counter.value)
            show(counter.value)
    return whole


def cores() -> int:
    """Cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def since_of(text: str, now: datetime) -> str:
    """The point in time a user means by 7d, 24h, 2w or a date, as the transcripts write theirs."""
    if not text:
        return ""
    if text[-1] in _UNITS and text[:-1].isdigit():
        when = now - timedelta(hours=int(text[:-1]) * _UNITS[text[-1]])
    else:
        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"--since takes a date (2026-11-01), or 24h, 7d, 2w; not {text!r}") from None
        when = when if when.tzinfo else when.astimezone()
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(help="transcripts, or folders of them", show_default=False)
    ] = None,
    since: Annotated[str, typer.Option(help="only what was written since: 24h, 7d, 2w or a date")] = "",
    project: Annotated[str, typer.Option(help="only sessions whose directory holds this text")] = "",
    top: Annotated[int, typer.Option(min=1, help="rows of each list")] = 12,
    as_json: Annotated[bool, typer.Option("--json", help="everything, as one JSON document")] = False,
    html: Annotated[str, typer.Option(help="write one page that needs nothing else to this file")] = "",
    jobs: Annotated[int, typer.Option(min=0, help="processes; 0: one a core")] = 0,
) -> None:
    """Shows which tool call, reply, prompt, hook or image put each character into the context.

    Example: guards burn --since 7d --project myrepo --html burn.html
    """
    from guards.reports import burn_show

    begin = since_of(since, datetime.now(UTC))
    places = list(paths or []) or [path for path in roots(dict(os.environ)) if os.path.isdir(path)]
    for path in paths or []:
        if not os.path.exists(path):
            raise ValueError(f"there is nothing at {path}")
    tasks = find(places, begin, project)
    with burn_show.progress(sum(task.size for task in tasks), "reading") as show:
        tally = gather(tasks, burn_show.names(), jobs or cores(), show)
    if not tally.sessions:
        filters = "".join(
            f" with --{name} {value}" for name, value in (("since", since), ("project", project)) if value
        )
        where = ", ".join(places or roots(dict(os.environ)))
        raise ValueError(f"no transcript found{filters} below {where}")
    report = burn_show.report(tally, begin)
    if as_json:
        json.dump(report, sys.stdout, indent=1)
        sys.stdout.write("\n")
    if html:
        from guards.reports import burn_page

        with open(html, "w", encoding="utf-8") as page:
            page.write(burn_page.page(report, top))
    if not as_json:
        burn_show.tables(report, top)
        if html:
            sys.stderr.write(f"written: {html}\n")
