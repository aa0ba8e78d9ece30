"""The manual and the dispatch of a checkout: every guard has a heading, an off switch and a row; no row is empty."""

import re
from pathlib import Path
from typing import Any

from guards.compile.build import build
from guards.reports.contract.rules import Finding

NOT_GUARDS = {"__init__", "hook", "cli", "__main__"}
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_OFF = re.compile(
    r"(?:turn|switch)(?:s|es|ed|ing)?\s+(?:\w+\s+){0,4}off|off[ -]switch|off\s*=\s*true|unwir",
    re.IGNORECASE,
)
_FILE = re.compile(r"\b([a-z][a-z0-9_]*)\.py\b")


def check(checkout: Path, places: dict[str, str]) -> list[Finding]:
    """Findings about a checkout of Guards."""
    names = sorted(p.stem for p in (checkout / "guards").glob("*.py") if p.stem not in NOT_GUARDS)
    said = _dispatch(checkout, places, [name.replace("_", "-") for name in names])
    manual = checkout / "HOOKS.md"
    said += missing(manual, [name.replace("_", "-") for name in names], "guard")
    said += _stale(manual, set(names))
    return said


def missing(manual: Path, names: list[str], what: str) -> list[Finding]:
    """Names without a heading, and headings without an off switch."""
    try:
        text = manual.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return [Finding("manual-heading", str(manual), "", "is not there")] if names else []
    parts = sections(text)
    found = []
    for name in names:
        mine = [(line, body) for line, title, body in parts if _names(title, name)]
        if not mine:
            found.append(Finding("manual-heading", str(manual), name, f"has no heading of its own, and is a {what}"))
        elif not any(_OFF.search(body) for _, body in mine):
            text = "has a part that does not say how to turn it off"
            found.append(Finding("manual-off", str(manual), name, text, mine[0][0]))
    return found


def sections(text: str) -> list[tuple[int, str, str]]:
    """(line, title, everything up to the next heading of its rank) of each heading outside code fences."""
    lines = text.splitlines()
    heads: list[tuple[int, int, str]] = []
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (found := _HEADING.match(line)):
            heads.append((number, len(found[1]), found[2]))
    parts = []
    for index, (number, rank, title) in enumerate(heads):
        end = next((n for n, r, _ in heads[index + 1 :] if r <= rank), len(lines))
        parts.append((number + 1, title, "\n".join(lines[number + 1 : end])))
    return parts


def _names(title: str, name: str) -> bool:
    """Whether a heading names it, in any of the spellings people use."""
    plain = re.sub(r"[-_\s]+", " ", title.lower())
    wanted = re.sub(r"[-_\s]+", " ", name.lower())
    return re.search(rf"(?<![\w]){re.escape(wanted)}(?![\w])", plain) is not None


def _stale(manual: Path, names: set[str]) -> list[Finding]:
    try:
        text = manual.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    here = {path.stem for path in (manual.parent / "guards").rglob("*.py")} | names
    return [
        Finding("manual-stale", str(manual), name, f"there is no {name}.py any more", line)
        for line, title, _ in sections(text)
        for name in _FILE.findall(title)
        if name not in here
    ]


def _dispatch(checkout: Path, places: dict[str, str], names: list[str]) -> list[Finding]:
    file = str(checkout / "policy/dispatch.toml")
    built = build({**places, "policy": str(checkout / "policy")}, names=["dispatch"])
    found = [Finding("dispatch", file, "", fault) for fault in built.faults]
    policy = built.policies.get("dispatch")
    if policy is None:
        return found
    for row in policy["guard"]:
        found += _guard(checkout, file, row)
    rows = {row["id"] for row in policy["guard"]}
    for name in names:
        if name not in rows:
            found.append(Finding("dispatch-unlisted", file, name, f"guards/{name.replace('-', '_')}.py has no row"))
    for row in policy["command"]:
        found += _command(row, places)
    return found


def _guard(checkout: Path, file: str, row: dict[str, Any]) -> list[Finding]:
    wanted = [checkout / (row["module"].replace(".", "/") + ".py"), checkout / "policy" / f"{row['id']}.toml"]
    return [
        Finding("dispatch-gone", file, row["id"], f"{path.relative_to(checkout)} is not there")
        for path in wanted
        if not path.is_file()
    ]


def _command(row: dict[str, Any], places: dict[str, str]) -> list[Finding]:
    program = row["run"][0]
    path = Path(places.get("home", "") + program[1:] if program.startswith("~/") else program)
    if row["off"] or path.is_file():
        return []
    return [Finding("dispatch-gone", row["_source"], row["id"], f"{program} is not there")]
