"""`guards replay`: judges every recorded tool call with today's policy, by the same judges as in a hook.

Nothing is written, no command is run, no mark of a live session is read: each transcript has a memory of its own. Files
are judged as they lie today, since the disk of then is gone. What a watching rule would have refused is told apart.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from guards.compile.build import build
from guards.engine import dispatch
from guards.engine.tables import Tables, identity
from guards.engine.world import World, encode
from guards.reports import burn, here
from guards.reports.memory import Memory
from guards.reports.replay_calls import Call, Unread, calls

EXAMPLES = 5  # of each rule, the earliest
_REFUSING = ("deny", "ask")
Key = tuple[str, str, str]  # guard, rule, action


class Frozen(Tables):
    """Tables that are compiled in memory and never written."""

    def of_repository(self, name: str, root: str) -> Any:
        if root not in self._repositories:
            if identity(f"{root}/.guards/{name}.toml") is None:
                return self.get(name)
            self._repositories[root] = Frozen(build(self._places, root).packed, self._places)
        return self._repositories[root].get(name)


class Still(World):
    """A world in which nothing is run and no variable is set."""

    def __init__(self, places: dict[str, str], memory: Memory) -> None:
        super().__init__(places, memory, {})

    def run(self, *_words: Any, **_more: Any) -> tuple[None, bytes]:
        return None, b""


@dataclass
class Hit:
    """What one rule said."""

    calls: int = 0
    sessions: set[str] = field(default_factory=set)
    examples: list[tuple[str, str, str, str, str]] = field(default_factory=list)  # when, path, tool, what, text

    def add(self, call: Call, what: str, text: str) -> None:
        self.calls += 1
        self.sessions.add(call.payload["session_id"])
        if len(self.examples) < EXAMPLES:
            self.examples.append((call.when, call.payload["transcript_path"], call.payload["tool_name"], what, text))

    def merge(self, other: Hit) -> None:
        self.calls += other.calls
        self.sessions |= other.sessions
        self.examples = sorted(self.examples + other.examples)[:EXAMPLES]


@dataclass
class Judged:
    """What today's policy says about one transcript, or many."""

    hits: dict[Key, Hit] = field(default_factory=dict)
    faults: dict[tuple[str, str], int] = field(default_factory=dict)
    files: int = 0
    calls: int = 0
    refused: int = 0
    sessions: set[str] = field(default_factory=set)
    malformed: int = 0
    unread: int = 0

    def merge(self, other: Judged) -> None:
        for key, hit in other.hits.items():
            self.hits.setdefault(key, Hit()).merge(hit)
        for fault, count in other.faults.items():
            self.faults[fault] = self.faults.get(fault, 0) + count
        self.files += other.files
        self.calls += other.calls
        self.refused += other.refused
        self.sessions |= other.sessions
        self.malformed += other.malformed
        self.unread += other.unread


def tables(record: dict[str, str]) -> Frozen:
    """Today's policy, compiled in memory, without the owner's other hooks."""
    built = build(record)
    if built.faults:
        raise ValueError("the policy does not compile: " + "; ".join(built.faults[:3]))
    found = Frozen(built.packed, record)
    rows = dict(found.get("dispatch") or {})
    rows.pop("commands", None)
    found._open["dispatch"] = rows
    return found


def judge(task: burn.Task, record: dict[str, str], policy: Tables, only: str = "") -> Judged:
    """One transcript, call by call, with a memory of its own."""
    try:
        return _judge(task, record, policy, only)
    except OSError:
        return Judged(unread=1)


def _judge(task: burn.Task, record: dict[str, str], policy: Tables, only: str) -> Judged:
    found, bad = Judged(files=1), Unread()
    memories: dict[str, Memory] = {}
    for call in calls(task.path, bad):
        if task.project and task.project not in call.project and task.project not in task.path:
            return Judged()
        if call.when < task.since:
            continue
        session = call.payload["session_id"]
        found.sessions.add(session)
        found.calls += call.event == "before-tool"
        world = Still(record, memories.setdefault(session, Memory(session)))
        _one(call, world, policy, only, found)
    found.malformed = bad.lines
    return found


def _one(call: Call, world: World, policy: Tables, only: str, found: Judged) -> None:
    adapter = __import__(f"guards.harness.{call.harness}", None, None, ("read",))
    project = encode(call.project)
    event = adapter.read(call.payload, call.event, {b"CLAUDE_PROJECT_DIR": project, b"PWD": project})
    dispatch.prepare(event, policy, world)
    outcome = dispatch.run(event, policy, world, only)
    said = dispatch.commit(world, adapter.choose(event, outcome.verdicts))
    for guard, what in outcome.faults:
        found.faults[guard, what] = found.faults.get((guard, what), 0) + 1
    found.refused += any(verdict.action in _REFUSING for verdict in said)
    for verdict in (*said, *outcome.watched):
        if verdict.text or verdict.action != "note":
            key = (verdict.guard, verdict.rule, verdict.action)
            found.hits.setdefault(key, Hit()).add(call, _what(event), verdict.text)


def _what(event: Any) -> str:
    """What a call was about, in one line."""
    text = event.command
    for name in ("file_path", "path", "notebook_path", "pattern", "url", "prompt", "message"):
        text = text or (event.input.get(name) if isinstance(event.input.get(name), str) else "")
    return " ".join(text.split())[:200]


# ---- many files
_state: tuple[dict[str, str], Tables, str] | None = None


def _begin(record: dict[str, str], only: str) -> None:
    global _state
    _state = (record, tables(record), only)


def _work(task: burn.Task) -> tuple[int, Judged]:
    assert _state is not None
    record, policy, only = _state
    return task.size, judge(task, record, policy, only)


def gather(
    tasks: list[burn.Task], record: dict[str, str], only: str, workers: int, show: Callable[[int], None]
) -> Judged:
    whole, done = Judged(), 0
    if workers < 2 or len(tasks) < 2:
        _begin(record, only)
        results = map(_work, tasks)
        for size, found in results:
            whole.merge(found)
            done += size
            show(done)
        return whole
    with multiprocessing.Pool(workers, _begin, (record, only)) as pool:
        for size, found in pool.imap_unordered(_work, tasks):
            whole.merge(found)
            done += size
            show(done)
    return whole


def report(found: Judged) -> dict[str, Any]:
    """Rules by what they cost, with their earliest examples."""
    rules = [
        {
            "guard": guard,
            "rule": rule,
            "action": action,
            "calls": hit.calls,
            "share": round(hit.calls / found.calls, 6) if found.calls else 0.0,
            "sessions": len(hit.sessions),
            "examples": [
                dict(zip(("when", "transcript", "tool", "what", "text"), example, strict=True))
                for example in sorted(hit.examples)
            ],
        }
        for (guard, rule, action), hit in found.hits.items()
    ]
    order = {"deny": 0, "ask": 1, "watch": 2, "note": 3}
    rules.sort(key=lambda row: (order.get(str(row["action"]), 9), -int(str(row["calls"])), str(row["rule"])))
    return {
        "files": found.files,
        "sessions": len(found.sessions),
        "calls": found.calls,
        "refused": found.refused,
        "watched": sum(hit.calls for (_, _, action), hit in found.hits.items() if action == "watch"),
        "malformed": found.malformed,
        "unread": found.unread,
        "rules": rules,
        "faults": [{"guard": guard, "what": what, "calls": n} for (guard, what), n in sorted(found.faults.items())],
    }


def command(
    transcripts: Annotated[list[str] | None, typer.Argument(help="transcripts or folders of them")] = None,
    guard: Annotated[str, typer.Option(help="only this guard")] = "",
    since: Annotated[str, typer.Option(help="only calls since: 24h, 7d, 2w or a date")] = "",
    project: Annotated[str, typer.Option(help="only sessions whose directory holds this text")] = "",
    top: Annotated[int, typer.Option(min=0, help="examples of each rule")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="everything, as one JSON document")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="processes; 0: one a core")] = 0,
) -> None:
    """Judges recorded tool calls with today's policy: what would be refused, and what a watching rule would cost.

    Example: guards replay --since 7d --guard human-lane
    """
    from guards.reports import burn_show, replay_show

    begin = burn.since_of(since, datetime.now(UTC))
    places = list(transcripts or []) or [path for path in burn.roots(dict(os.environ)) if os.path.isdir(path)]
    for path in transcripts or []:
        if not os.path.exists(path):
            raise ValueError(f"there is nothing at {path}")
    tasks = burn.find(places, begin, project)
    record = here.places()
    tables(record)  # a policy that does not compile is said before any process starts
    with burn_show.progress(sum(task.size for task in tasks), "judging") as show:
        found = gather(tasks, record, guard, jobs or burn.cores(), show)
    if not found.calls:
        raise ValueError(f"no tool call found below {', '.join(places or burn.roots(dict(os.environ)))}")
    said = report(found)
    if as_json:
        json.dump(said, sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        replay_show.lines(said, top)
