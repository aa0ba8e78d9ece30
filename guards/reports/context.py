"""`guards context`: the pull side. The entries of this repository, their state, and the text of those that are named.

In a session (`--session`, or the variable its harness sets) a text draws on the same budget as what is injected, and
what was told is not told twice. A text that the lint flags is withheld here as there.
"""

from __future__ import annotations

import json
import os
from typing import Annotated, Any

import typer

from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.knowledge import lint, store
from guards.knowledge.accepted import Accepted, path_of
from guards.knowledge.budget import Purse
from guards.knowledge.editing import key_of, shown
from guards.reports import here

SESSION = "CLAUDE_CODE_SESSION_ID"


def command(
    ids: Annotated[list[str] | None, typer.Argument(help="the entries to print; the list of all without")] = None,
    path: Annotated[str, typer.Option(help="only those that govern this file")] = "",
    session: Annotated[str, typer.Option(help="the session whose budget pays", envvar=SESSION)] = "",
    again: Annotated[bool, typer.Option("--again", help="also what this session was told before")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """The reviewed entries of this repository, or the text of some.

    Example: guards context --path src/app.py

    Example: guards context ADR-7
    """
    record = here.places()
    world = World(record, Session(record["state"], session))
    world.tables = load(record)
    rules = world.rules("context")
    if rules is None or not rules["dir"]:
        raise ValueError(
            "context is off, or no folder is named; see off and dir in ~/.config/guards/policy/context.toml"
        )
    found = opened(world, rules)
    if ids:
        raise typer.Exit(_print(ids, found, rules, world, session, again))
    report = describe(found, rules, world, path)
    print(json.dumps(report, indent=1, ensure_ascii=False) if as_json else "\n".join(told(report)))
    raise typer.Exit(1 if report["faults"] or report["trouble"] else 0)


def opened(world: World, rules: dict[str, Any]) -> store.Store:
    """The store of the repository around the current directory."""
    root = store.root_of(os.path.realpath(os.getcwd()), world)
    if not root:
        raise ValueError("this is no repository")
    try:
        found = store.load(root, rules["dir"], world)
    except store.Broken as fault:
        raise ValueError(f"the context folder of {root} cannot be read: {fault}") from fault
    if found is None:
        raise ValueError(f"{root} has no commit yet, and only what is committed counts")
    return found


def describe(found: store.Store, rules: dict[str, Any], world: World, path: str = "") -> dict[str, Any]:
    """Everything about the store but the texts."""
    accepted = Accepted(found.root, world)
    rows = found.of("entry")
    if path:
        real = os.path.realpath(path)
        rows = found.governing(os.path.relpath(real, found.root))
    purse = Purse(rules, world)
    entries = [
        {
            "id": row["id"],
            "title": row["title"],
            "file": row["file"],
            "paths": row["paths"],
            "accepted": accepted.holds(row["id"]),
            "withheld": lint.finding(f"{found.text(row)}\n{row['title']}", rules["lint"]),
            "told": world.session.marked(key_of("", found, row, purse)),
        }
        for row in rows
    ]
    return {
        "root": found.root,
        "head": found.head,
        "accepting": path_of(world.places),
        "trouble": accepted.trouble,
        "entries": entries,
        "faults": [{"file": file, "why": why} for file, why in found.faults],
        "spent": purse.spent(),
        "budget": rules["session"],
    }


def told(report: dict[str, Any]) -> list[str]:
    lines = [f"{report['root']} at {report['head'][:10]}: {len(report['entries'])} entries of status accepted"]
    for entry in report["entries"]:
        marks = [] if entry["accepted"] else ["not accepted by the owner"]
        marks += [f"text withheld: lint {entry['withheld']!r}"] if entry["withheld"] else []
        marks += ["told in this session"] if entry["told"] else []
        note = f"  ({'; '.join(marks)})" if marks else ""
        lines.append(f"  {entry['id']}  {entry['title']}  {', '.join(entry['paths'])}{note}")
    lines += [f"  {fault['file']} {fault['why']}" for fault in report["faults"]]
    missing = [entry["id"] for entry in report["entries"] if not entry["accepted"]]
    if missing:
        lines.append(f"to accept one, the owner adds a line to {report['accepting']}:")
        lines += [f"  {name} {report['root']}" for name in missing[:20]]
    if report["trouble"]:
        lines.append(report["trouble"])
    if report["spent"]:
        lines.append(f"this session was told about {report['spent']:,} of {report['budget']:,} tokens")
    return lines


def _print(ids: list[str], found: store.Store, rules: dict[str, Any], world: World, session: str, again: bool) -> int:
    """The texts, as far as the budget goes; 1 when something that was asked for is not there."""
    accepted, purse = Accepted(found.root, world), Purse(rules, world)
    known = {row["id"]: row for row in found.of("entry")}
    code = 0
    for name in ids:
        row = known.get(name)
        if row is None or not accepted.holds(name):
            print(f"{name}: {'no such entry at HEAD' if row is None else 'not accepted by the owner'}")
            code = 1
            continue
        key, text = key_of("", found, row, purse), shown(found, row, "asked for", rules)
        if session and not again and world.session.marked(key):
            print(f"{name}: told in this session before; --again prints it")
        elif session and not world.session.spend(purse.name, purse.tokens(text), rules["session"]):
            print(f"{name}: the budget has no room for its {purse.tokens(text):,} tokens ({purse.left():,} are left)")
            code = 1
        else:
            world.session.mark(key)
            world.session.add(*purse.told("", name)[1:])
            print(text)
    return code
