"""`guards rules check`: files against the conventions of context.toml, fixtures, left-over blocks, and red rates.

Every look at a file is a line of the journal: which rule, kept or broken, and whether an agent had been told the rule
when it read the file (`delivered`) or only this gate knows it. The rates say whether telling helps.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from guards.compile import rules_of_files
from guards.compile.build import build
from guards.engine import journal
from guards.knowledge import filerules
from guards.reports import here, log

NAME = "context"
FILE_MAX = 2 << 20
HELP = """The conventions of files: checked, proved on their fixtures, counted.

Example: guards rules check

Example: guards rules check --changed
"""
command = typer.Typer(help=HELP, no_args_is_help=True)


@command.callback()
def top() -> None:
    """The conventions of files."""


@command.command()
def check(
    changed: Annotated[bool, typer.Option("--changed", help="only what differs from HEAD, and new files")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Checks the files of this repository, runs all fixtures, and prints how often each rule is broken.

    Example: guards rules check --changed
    """
    record = here.places()
    root = git("rev-parse", "--show-toplevel").strip()
    built = build(record, repo=root, names=[NAME])
    policy, hot = built.policies.get(NAME), built.sections.get(NAME)
    faults = [*built.faults, *built.repository]
    if policy is None or hot is None:
        raise ValueError("; ".join(faults) or "context is off; see off in ~/.config/guards/policy/context.toml")
    report = run(root, names(root, changed), policy, hot, delivered(Path(record["state"])))
    report["faults"] = faults
    for line in report.pop("looked"):
        journal.record(record["state"], line)
    report["rates"] = rates(Path(record["state"]))
    print(json.dumps(report, indent=1, ensure_ascii=False) if as_json else "\n".join(told(report)))
    raise typer.Exit(1 if report["broken"] or report["projected"] or faults else 0)


def git(*argv: str, cwd: str | None = None) -> str:
    done = subprocess.run(["git", *argv], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"git {argv[0]}: {done.stderr.strip()}")
    return done.stdout


def names(root: str, changed: bool) -> list[str]:
    """Files of the repository, or those that differ from HEAD and the new ones."""
    new = git("ls-files", "-z", "--others", "--exclude-standard", cwd=root)
    if (
        not changed
        or subprocess.run(
            ["git", "rev-parse", "-q", "--verify", "HEAD"], cwd=root, capture_output=True, check=False
        ).returncode
    ):
        listed = git("ls-files", "-z", cwd=root) + new
    else:
        listed = git("diff", "-z", "--name-only", "--diff-filter=d", "HEAD", cwd=root) + new
    return sorted({name for name in listed.split("\0") if name})


def delivered(state: Path) -> set[tuple[str, str]]:
    """(rule, file) of every delivery in the journal."""
    return {(line["delivered"], line.get("path", "")) for line in log.read(state)[0] if line.get("delivered")}


def run(root: str, files: list[str], policy: dict[str, Any], hot: dict[str, Any], known: set[Any]) -> dict[str, Any]:
    """What is broken and where; `looked`: the lines for the journal."""
    by_id = {row["id"]: row for row in policy["rule"]}
    report: dict[str, Any] = {"files": 0, "broken": [], "projected": [], "looked": []}
    report["fixtures"] = sum(len(row["good"]) + len(row["bad"]) for row in policy["rule"] + policy["lint"])
    for name in files:
        text = read(os.path.join(root, name))
        if text is None:
            continue
        marks = [mark for mark in policy["projected"] if mark in text and not name.endswith(".toml")]
        report["projected"] += [{"file": name, "mark": mark} for mark in marks]
        ruled = filerules.governing(hot, name)
        report["files"] += bool(ruled)
        for rule, message, source in ruled:
            said = rules_of_files.broken(by_id[rule], text)
            report["broken"] += [{"file": name, "rule": rule, "what": what, "message": message} for what in said]
            path = os.path.realpath(os.path.join(root, name))
            line = {"guard": NAME, "verdict": "rule", "rule": source, "of": rule, "red": bool(said), "path": path}
            report["looked"].append({**line, "told": (rule, path) in known})
    return report


def read(path: str) -> str | None:
    """A regular file's text; None for anything else."""
    try:
        if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > FILE_MAX:
            return None
        with open(path, encoding="utf-8") as handle:
            return handle.read()
    except (OSError, ValueError):
        return None


def rates(state: Path) -> list[dict[str, Any]]:
    """Red rates by rule and by delivery, from the journal."""
    seen: Counter[tuple[str, bool, bool]] = Counter()
    for line in log.read(state)[0]:
        if line.get("verdict") == "rule":
            seen[(str(line.get("of", "")), bool(line.get("told")), bool(line.get("red")))] += 1
    rows = []
    for rule, was in sorted({(rule, was) for rule, was, _ in seen}):
        red, green = seen[(rule, was, True)], seen[(rule, was, False)]
        arm = "delivered" if was else "gate only"
        rows.append({"rule": rule, "arm": arm, "red": red, "of": red + green, "rate": red / (red + green)})
    return rows


def told(report: dict[str, Any]) -> list[str]:
    lines = list(report["faults"])
    lines += [f"{b['file']}: {b['what']} (rule {b['rule']}: {b['message']})" for b in report["broken"]]
    lines += [f"{p['file']}: a rule block was left in it ({p['mark']!r}); take it out" for p in report["projected"]]
    broken = f"{report['files']} files looked at, {len(report['broken'])} broken"
    lines.append(f"{broken}; {report['fixtures']} fixtures as they must be")
    lines += [f"  {r['rule']}  {r['arm']}: {r['red']} of {r['of']} red ({r['rate']:.0%})" for r in report["rates"]]
    return lines
