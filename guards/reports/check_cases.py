"""Runs the `[[case]]` rows of the policies through the judges of a hook, in a fresh repository, without approvals.

A policy's own module may add what rows cannot say: `check_cases(policy, run) -> list[str]`, where `run(case)` gives
the strongest word of that guard ("deny", "ask", "note", "watch" or "none") to a case given as a dict.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from guards.compile.build import build
from guards.compile.catalog import POLICIES
from guards.compile.one import Built
from guards.engine import dispatch
from guards.engine.event import Event
from guards.engine.tables import Tables
from guards.reports import here

Run = Callable[[dict[str, Any]], str]
UNJUDGED = "no verdict"
STRENGTH = ("deny", "ask", "note", "watch")


def run_cases(built: Built, record: dict[str, str], aside: list[str] | None = None) -> tuple[int, list[str]]:
    """(how many were run, one line for each that came out otherwise).

    A bundled case that holds for the bundled policy alone was overridden by a layer above it, which is that layer's
    right: it counts neither as run nor as failed, and goes into `aside`.
    """
    count = 0
    failed: list[str] = []
    with _fresh_repository(record) as (root, places):
        tables = Tables(built.packed, places)
        alone = _Alone(root, places)
        for name, policy in built.policies.items():
            run = runner(name, root, places, tables)
            if built.sections[name] is None:
                continue
            for case in policy["case"]:
                line = _failure(name, case, run)
                over = bool(line) and UNJUDGED not in line and alone.holds(name, case)
                count += not over
                failed += [line] if line and not over else []
                if over and aside is not None:
                    aside.append(": ".join(case["_places"][""]))
            more = getattr(POLICIES[name], "check_cases", None)
            failed += more(policy, run) if more is not None else []
    return count, failed


class _Alone:
    """The bundled policy without any layer above it, made when it is first asked."""

    def __init__(self, root: str, places: dict[str, str]) -> None:
        self.root = root
        self.places = {**places, "machine": os.path.join(places["state"], "none")}
        self.tables: Tables | None = None

    def holds(self, guard: str, case: dict[str, Any]) -> bool:
        """Whether a case is a bundled one, and comes out as written here."""
        if case["_places"][""][0] != f"policy/{guard}.toml":
            return False
        if self.tables is None:
            self.tables = Tables(build(self.places).packed, self.places)
        return not _failure(guard, case, runner(guard, self.root, self.places, self.tables))


def runner(guard: str, root: str, places: dict[str, str], tables: Tables) -> Run:
    """What `check_cases` of a policy gets."""

    def run(case: dict[str, Any]) -> str:
        event = event_of(case, root, places, tables)
        world = here.world(places)
        dispatch.prepare(event, tables, world)
        outcome = dispatch.run(event, tables, world, guard)
        for name, what in outcome.faults:
            return f"{UNJUDGED} ({name}: {what})"
        said = {verdict.action for verdict in (*outcome.verdicts, *outcome.watched)}
        return next((action for action in STRENGTH if action in said), "none")

    return run


def event_of(case: dict[str, Any], root: str, places: dict[str, str], tables: Tables) -> Event:
    """The event a case stands for; fields go where the harness's tool table says."""
    event = Event(case.get("harness") or "claude", case.get("event") or "before-tool", {})
    event.cwd = event.project = root
    event.session = "guards-check"
    event.text = case.get("text") or ""
    event.tool = case.get("tool") or ("Bash" if case.get("command") else "Write" if case.get("path") else "")
    table = tables.get("harness/" + event.harness) or {"tools": {}}
    row = table["tools"].get(event.tool, {})
    given = dict(case.get("input") or {})
    for field, value in (
        (next(iter(row.get("path", ())), "path"), _home(case.get("path") or "", places)),
        (row.get("command") or "command", case.get("command")),
        (row.get("prompt") or "prompt", case.get("text")),
    ):
        if value:
            given.setdefault(field, value)
    event.input = given
    return event


def _home(path: str, places: dict[str, str]) -> str:
    return places["home"] + path[1:] if path.startswith("~/") else path


def _failure(guard: str, case: dict[str, Any], run: Run) -> str:
    said = run(case)
    if said == case["verdict"]:
        return ""
    label, at = case["_places"][""]
    about = case["path"] or case["command"] or case["text"] or case["tool"]
    return f"{label}: {at}: {guard} says {said}, not {case['verdict']}, to {about!r}"


@contextlib.contextmanager
def _fresh_repository(record: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """A repository with nothing in it, and the record with no approvals and no state."""
    with tempfile.TemporaryDirectory(prefix="guards-check.") as base:
        root = os.path.join(os.path.realpath(base), "repository")
        os.makedirs(os.path.join(root, ".git"))
        state = os.path.join(base, "state")
        os.mkdir(state, 0o700)
        yield root, {**record, "approvals": os.path.join(base, "approvals"), "state": state}
