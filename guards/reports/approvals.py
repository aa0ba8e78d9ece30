"""`guards approvals`: the owner's file line by line: what frees nothing and why, what frees too much, what was used.

`guards approvals why PATH` says which lines were tried for one path. Nothing in Guards writes this file.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from guards.engine import journal
from guards.engine.tables import NoTables, load
from guards.lanes import approvals as file
from guards.lanes import ere
from guards.lanes.find import NAME
from guards.reports import here, log

# a project that nobody has: a line that matches in it matches in every repository
CANARY = "guards-canary-no-such-project"
CANARIES = (
    "/{c}", "/{c}/.github/workflows/ci.yml", "{home}/{c}/.github/workflows/ci.yml", "{home}/{c}/Dockerfile",
    "{home}/{c}/config/secrets.yaml", "{home}/{c}/db/migrations/0001.sql", "{home}/{c}/.env", "/tmp/{c}/x",
)  # fmt: skip

HELP = """The owner's approval file, line by line: what each line frees, and what is wrong with it.

Example: guards approvals

Example: guards approvals why .github/workflows/ci.yml
"""
command = typer.Typer(help=HELP, invoke_without_command=True)


@command.callback()
def listing(
    ctx: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False
) -> None:
    """The owner's approval file, line by line."""
    if ctx.invoked_subcommand is not None:
        return
    report = describe(here.places())
    print(json.dumps(report, indent=1, ensure_ascii=False) if as_json else "\n".join(told(report)))
    raise typer.Exit(1 if report["trouble"] or any(line["faults"] for line in report["lines"]) else 0)


@command.command()
def why(
    path: Annotated[str, typer.Argument(help="the path that was refused, or let through")],
    cwd: Annotated[str, typer.Option(help="the directory it hangs on; this one by default")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Which lanes a path lies in, which lines were tried, and what they came to.

    Example: guards approvals why ~/src/app/.github/workflows/ci.yml
    """
    from guards.reports.explain_path import explain

    record = here.places()
    report, lines = explain(path, os.path.abspath(cwd or os.getcwd()), record)
    lines += here.standing(record)
    print(json.dumps(report, indent=1, ensure_ascii=False) if as_json else "\n".join(lines))
    raise typer.Exit(1 if report["verdict"] in ("deny", "ask") else 0)


def describe(record: dict[str, str]) -> dict[str, Any]:
    """The whole file: `faults` free nothing, `remarks` free something else than they seem to, or more."""
    owner = file.read(record.get("approvals", ""))
    owner.compile()
    used = usage(Path(record["state"]))
    sealed = _marked(record)
    comments = _comments(record.get("approvals", "")) if not owner.trouble else {}
    lines = [_line(owner, line, record["home"], sealed) for line in owner.lines]
    for line in lines:
        line["comment"] = comments.get(line["number"], "")
        line.update(used.get(journal.redact(line["text"]), {"used": 0, "last": None}))
    return {"path": owner.path, "trouble": owner.trouble, "lines": lines}


def _line(owner: file.Approvals, line: file.Line, home: str, marked: list[tuple[str, str]]) -> dict[str, Any]:
    owner.spent = 0.0
    said = [] if line.fault else remarks(owner, line, home, marked)
    return {
        "number": line.number,
        "text": line.text,
        "faults": [line.fault] if line.fault else [],
        "remarks": [] if line.fault else said,
    }


def usage(state: Path) -> dict[str, dict[str, Any]]:
    """Line text → how often it let a call through, and the last such call."""
    found: dict[str, dict[str, Any]] = {}
    for entry in log.read(state)[0]:
        if entry.get("guard") == NAME and entry.get("verdict") == "approved":
            text = str(entry.get("line", ""))
            count = found.get(text, {"used": 0})["used"] + 1
            last = {key: entry.get(key) for key in ("t", "harness", "tool", "session", "agent", "path")}
            found[text] = {"used": count, "last": last}
    return found


def remarks(owner: file.Approvals, line: file.Line, home: str, marked: list[tuple[str, str]]) -> list[str]:
    """What an owner should know about a line that parses."""
    out = []
    wide = [path for path in (c.format(c=CANARY, home=home) for c in CANARIES) if owner.matches(line, path)]
    if wide:
        out.append(f"matches too much: {len(wide)} of {len(CANARIES)} paths of a project that is not there")
    if line.literal is None and _loose_branch(line.text):
        out.append("^ and $ bind to one branch each; write ^(a|b)$")
    if line.text != line.text.strip():
        out.append("the spaces around it are part of the pattern")
    if " #" in line.text:
        out.append("a comment behind a pattern is part of the pattern")
    if not line.text.startswith(("^/", "/", "^(/", "^[/]")) and not wide:
        out.append("does not begin with /: the whole absolute path must match")
    for path, approval in marked:
        if line.literal is None and owner.matches(line, path):
            frees = "no line frees" if approval == "never" else f"only {ere.line_for(path)} frees"
            out.append(f"matches {path}, which {frees}")
            break
        if approval == "never" and line.literal is not None and ere.composed(line.literal) == path:
            out.append("names a sealed path, which no line frees")
    return out


def _loose_branch(text: str) -> bool:
    """Whether a bar stands outside of every bracket and group, beside an anchor."""
    depth = i = 0
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == "[":
            i = ere.past_bracket(text, i)
        elif text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
        elif text[i] == "|" and depth == 0 and (text.startswith("^") or text.endswith("$")):
            return True
        i += 1
    return False


def _marked(record: dict[str, str]) -> list[tuple[str, str]]:
    """(path, approval) of every sealed and exact path that has a name of its own."""
    import marshal

    try:
        rules = load(record).get(NAME)
    except NoTables:
        return []
    if rules is None:
        return []
    lanes = marshal.loads(rules["more"])["lanes"]
    return [(path, lanes[number]["approval"]) for path, number in rules["marked"]]


def _comments(path: str) -> dict[int, str]:
    """Line number → the comment right above it, on one line."""
    out: dict[int, str] = {}
    above: list[str] = []
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return out
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("#"):
            above.append(bare.lstrip("# "))
            continue
        if bare and above:
            out[number] = " ".join(above)
        above = []
    return out


def told(report: dict[str, Any]) -> list[str]:
    """The report in lines."""
    out = [report["path"] or "no approval file is recorded"]
    if report["trouble"]:
        return [*out, f"  {report['trouble']}"]
    if not report["lines"]:
        out.append("  no line in it frees anything")
    for line in report["lines"]:
        if line["comment"]:
            out.append(f"       # {line['comment']}")
        out.append(f"  {line['number']:>4} {line['text']}")
        out += [f"       frees nothing: it {fault}" for fault in line["faults"]]
        out += [f"       {remark}" for remark in line["remarks"]]
        if not line["faults"]:
            out.append("       " + _used(line))
    return out


def _used(line: dict[str, Any]) -> str:
    if not line["used"]:
        return "never used, as far as the journal goes"
    last = line["last"]
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(float(last["t"])))
    times = "once" if line["used"] == 1 else f"{line['used']} times"
    agent = f", agent {last['agent']}" if last["agent"] else ""
    call = f"{last['harness']} {last['tool']} (session {last['session']}{agent})"
    return f"used {times}, last {when} by {call} for {last['path']}"
