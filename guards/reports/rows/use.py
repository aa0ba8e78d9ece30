"""What the hooks themselves left behind: heartbeats, errors, tools nobody classified, room to write."""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from guards.engine import health, journal
from guards.reports.rows.record import FAIL, NOT_RUN, OK, WARN, Ground, Row, hot

WEEK = 7 * 86400
LATE = 600.0  # seconds by which a session may be younger than the last sign of a hook
NEARLY = 0.9  # of a month's journal
ROOM = 16 << 20  # bytes free below which writing is about to fail
FILES = 20_000  # transcripts whose times are looked at
NEWEST = 50  # of them, those that are opened
_SERVED = re.compile(r"mcp_[\w-]+")  # a tool of an MCP server, in a name as servers may have it
_MOMENT = re.compile(rb'"(?:timestamp|startTime)":\s*"([0-9T:.+\-]+Z?)"')


def lines(ground: Ground, since: float) -> Iterator[dict[str, Any]]:
    """The journal's lines from `since` on."""
    for path in sorted(Path(ground.places["state"], "journal").glob("*.jsonl")):
        with path.open(encoding="utf-8", errors="replace") as handle:
            for raw in handle:
                try:
                    line = json.loads(raw)
                except ValueError:
                    continue
                if isinstance(line, dict) and isinstance(line.get("t"), int | float) and line["t"] >= since:
                    yield line


def errors(ground: Ground) -> Iterator[Row]:
    """Guards that could not judge, and deadlines, of the last week."""
    counts: Counter[tuple[str, str]] = Counter()
    odd: Counter[str] = Counter()
    ignored: Counter[str] = Counter()
    for line in lines(ground, time.time() - WEEK):
        if line.get("verdict") == "error":
            counts[str(line.get("guard") or "guards"), str(line.get("why", ""))[:140]] += 1
        elif line.get("verdict") == "odd":
            odd[
                f"{line.get('harness')} {line.get('tool') or line.get('event')}: {', '.join(line.get('fields') or [])}"
            ] += 1
        elif line.get("verdict") == "ignored":
            ignored[str(line.get("why", ""))[:140]] += 1
    for (guard, why), count in counts.most_common(6):
        times = f"{count} times" if count > 1 else "once"
        yield Row(
            "errors",
            FAIL if "time" in why else WARN,
            f"{guard} could not judge {times} in a week: {why}",
            "guards log --verdict error",
        )
    for what, count in odd.most_common(4):
        yield Row(
            "changed",
            WARN,
            f"{what} came otherwise than known, {count} times: the harness changed",
            "look for a newer guards.",
        )
    for why, count in ignored.most_common(4):
        yield Row("ignored", WARN, f"{why} ({count} times in a week)", "start the harness with it, or take it out.")
    if not counts:
        yield Row("errors", OK, "every guard judged every call of the last week")


def beats(ground: Ground) -> Iterator[Row]:
    """Hooks that never fire although sessions run."""
    yield from hot(row for target in ground.targets for row in health._gate(ground.world, target.form.NAME))
    for target in ground.targets:
        name = target.form.NAME
        last = _last_start(ground.places["state"], name)
        ran = _last_session(ground, name, max(last or 0.0, _since(ground)))
        if ran is None:
            yield Row("heartbeat", NOT_RUN, f"{name}: no transcripts are known, so nobody can say whether sessions ran")
        elif ran > max(last or 0.0, _since(ground)) + LATE:
            seen = f"the last one a hook saw begin is of {_day(last)}" if last else "no hook ever ran"
            text = f"{name}: a session began at {_day(ran)}, and {seen}"
            yield Row("heartbeat", FAIL, text, "guards status; guards fire")
        else:
            text = f"{name}: hooks saw a session begin at {_day(last)}" if last else f"{name}: no session yet"
            yield Row("heartbeat", OK, text)


def _day(moment: float | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)) if moment else "never"


def _since(ground: Ground) -> float:
    """When this machine was wired: sessions before that owe no heartbeat."""
    try:
        return os.stat(os.path.join(ground.places["install"], "wired")).st_mtime
    except OSError:
        return 0.0


def _last_start(state: str, harness: str) -> float | None:
    """When a hook last saw a session begin."""
    path = Path(state, "beats", f"{harness}-session-start")
    return path.stat().st_mtime if path.exists() else None


def _last_session(ground: Ground, harness: str, after: float) -> float | None:
    """When the newest session began, by the transcripts written after that time; None without a folder of them."""
    home = Path(ground.places["home"])
    folder, pattern = {
        "claude": (Path(ground.environ.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects", "*/*.jsonl"),
        "codex": (Path(ground.environ.get("CODEX_HOME") or home / ".codex") / "sessions", "**/*.jsonl"),
        "gemini": (home / ".gemini/tmp", "*/chats/*.json*"),
        "copilot": (Path(ground.environ.get("COPILOT_HOME") or home / ".copilot") / "session-state", "*/events.jsonl"),
    }.get(harness, (home / ".none", "*"))
    if not folder.is_dir():
        return None
    written = [(path.stat().st_mtime, path) for path in islice(folder.glob(pattern), FILES)]
    fresh = sorted((pair for pair in written if pair[0] > after), reverse=True)[:NEWEST]
    return max((_begun(path) for _, path in fresh), default=0.0)


def _begun(path: Path) -> float:
    """The first moment that a transcript names: a session may go on for days, and be gone on with."""
    with path.open("rb") as handle:
        found = _MOMENT.search(handle.read(1 << 16))
    try:
        return datetime.fromisoformat(found[1].decode()).timestamp() if found else 0.0
    except ValueError:
        return 0.0


def tools(ground: Ground) -> Iterator[Row]:
    """Tools that no table names; they are judged by their shape. Those of MCP servers are meant to be."""
    found = sorted(path.name for path in Path(ground.places["state"], "beats").glob("*-tool-*"))
    pairs = [tuple(name.split("-tool-", 1)) for name in found]
    names = [f"{tool} ({harness})" for harness, tool in pairs if not _SERVED.fullmatch(tool)]
    if served := len(pairs) - len(names):
        many = "1 tool of an MCP server was" if served == 1 else f"{served} tools of MCP servers were"
        yield Row("tools", OK, f"{many} called; each is judged by its shape")
    if names:
        shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        yield Row(
            "tools",
            WARN,
            f"no table names {shown}; they are judged by their shape",
            "a [[tool]] row in policy/harness/<name>.toml",
        )
    elif not served:
        yield Row("tools", OK, "every tool that was called is classified")


def state(ground: Ground) -> Iterator[Row]:
    """Whether memory and journal can be written, and have room."""
    folder = ground.places["state"]
    if not os.path.lexists(folder):
        yield Row("state", NOT_RUN, f"{folder} is not there yet: no hook has run")
        return
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix="doctor-") as handle:
            handle.write(b"x")
            handle.flush()
    except OSError as fault:
        why = (fault.strerror or "").lower()
        yield Row(
            "state",
            FAIL,
            f"{folder} is not writable ({why}): calls are judged without memory",
            f"chmod -R u+rwX {folder}",
        )
        return
    free = os.statvfs(folder)
    if free.f_bavail * free.f_frsize < ROOM:
        yield Row(
            "state", WARN, f"{folder}: the disk is full but for {free.f_bavail * free.f_frsize >> 10} KiB", "make room."
        )
    month = Path(folder, "journal", time.strftime("%Y-%m.jsonl", time.gmtime()))
    size = month.stat().st_size if month.exists() else 0
    if size > journal.MONTH_MAX * NEARLY:
        text = f"{month} holds {size >> 20} of {journal.MONTH_MAX >> 20} MiB; past that, lines are dropped"
        yield Row("journal", WARN, text, "move it away.")
    yield Row("state", OK, f"{folder} can be written; this month's journal holds {size >> 10} KiB")
