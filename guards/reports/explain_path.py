"""`guards explain --path P`: its forms, the repositories it lies in, the lanes and manifest fields it meets, the
approval lines that were tried, and what would be said. The same look as in a hook; nothing is written.
"""

from __future__ import annotations

from typing import Any

from guards.engine.event import Effect, Event
from guards.engine.tables import load
from guards.engine.world import World
from guards.lanes import hits, paths, shape, wording
from guards.lanes.find import NAME, Look
from guards.reports import here

READS = ("read", "search")


def explain(path: str, where: str, record: dict[str, str], tool: str = "Write") -> tuple[dict[str, Any], list[str]]:
    """(the report as data, the same as lines of text)."""
    world = here.world(record)
    world.tables = load(record)
    world.project = where
    event = Event("claude", "before-tool", {})
    event.tool, event.cwd, event.project = tool, where, where
    report: dict[str, Any] = {"path": path, "cwd": where, "tool": tool, "reads": _reads(tool, world)}
    rules = world.rules(NAME)
    if rules is None:
        report["verdict"] = "none"
        return report, [f"{NAME} is switched off in the policy, so nothing is judged"]
    look = Look(event, world, rules, manifests=False, trace=[])
    hit = look.effect(Effect(path, change=("content", ""), cause="path"))
    (seen,) = look.trace or [{}]
    report.update(_seen(look, seen["target"], seen["found"]))
    report["manifests"] = _manifests(event, world, rules, path)
    report["lines"] = _lines(look, seen["found"])
    report["verdict"] = hit.action if hit and not report["reads"] else "none"
    report["text"] = wording.refusal(hit) if hit and not report["reads"] else ""
    return report, _told(report)


def _reads(tool: str, world: World) -> bool:
    """Whether the tool only reads: by its table, or by its name."""
    table: Any = world.tables.get("harness/claude") if world.tables else None
    row = (table or {"tools": {}})["tools"].get(tool)
    if row is not None:
        return row["class"] in READS
    spoken = shape.data(world)
    return bool(spoken and shape.only_reads(tool, spoken))


def _seen(look: Look, target: paths.Target, found: list[hits.Match]) -> dict[str, Any]:
    roots: dict[str, str] = {}
    for form in target.forms:
        for root in look.roots(form.text, form.parts):
            roots[root.path] = "holds a .git" if root.git else "the project, outside any repository"
    return {
        "forms": [{"kind": form.kind, "text": form.text, "canonical": form.canon} for form in target.forms],
        "roots": [{"path": root, "why": why} for root, why in roots.items()],
        "lanes": [_lane(match) for match in found],
    }


def _lane(match: hits.Match) -> dict[str, Any]:
    lane = match.lane
    return {
        "lane": lane["id"],
        "rule": lane["rule"],
        "why": lane["why"],
        "pattern": match.pattern,
        "form": match.kind,
        "canonical": match.canon,
        "approval": lane["approval"],
        "action": lane["action"],
    }


def _manifests(event: Event, world: World, rules: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """Manifests that the path is one of, with the fields that only the owner changes."""
    look = Look(event, world, rules, trace=[])
    look.effect(Effect(path, cause="path"))
    found = (look.trace or [{}])[0]["found"]
    lanes = [match.lane for match in found if match.lane["manifest"]]
    return [
        {"manifest": lane["id"], "rule": lane["rule"], "fields": [".".join(field) for field in lane["manifest"][1]]}
        for lane in lanes
    ]


def _lines(look: Look, found: list[hits.Match]) -> list[dict[str, Any]]:
    """Every approval line against every canonical path that was hit."""
    if not found:
        return []
    owner = hits.approved(look)
    owner.compile()
    once = {match.canon: match for match in reversed(found)}.values()
    return [
        {
            "number": line.number,
            "text": line.text,
            "path": match.canon,
            "says": says(owner, line, match.canon, match.lane["approval"]),
        }
        for match in once
        for line in owner.lines
    ]


def says(owner: Any, line: Any, path: str, approval: str) -> str:
    """What one line comes to for one path."""
    if line.fault:
        return f"frees nothing: it {line.fault}"
    if not owner.matches(line, path):
        return f"frees nothing: it {line.fault}" if line.fault else "does not match"
    if approval == "never":
        return "matches, but no line frees a sealed path"
    if approval == "exact" and line.literal is None:
        return "matches, but an exact path is freed only by the line that is that path"
    return "frees it"


def _told(report: dict[str, Any]) -> list[str]:
    lines = [f"{report['tool']} {report['path']}  (in {report['cwd']})"]
    for form in report["forms"]:
        canonical = "" if form["canonical"] == form["text"] else f"  (canonical {wording.shown(form['canonical'])})"
        lines.append(f"  form      {wording.shown(form['text'])}  {form['kind']}{canonical}")
    lines += [f"  root      {root['path']}  {root['why']}" for root in report["roots"]]
    for lane in report["lanes"]:
        lines.append(
            f"  lane      {lane['lane']}  {lane['pattern']}  ({lane['rule']}; {lane['approval']}, {lane['action']})"
        )
    for manifest in report["manifests"]:
        lines.append(f"  manifest  a change of {', '.join(manifest['fields'])} is refused  ({manifest['rule']})")
    lines += [f"  line {line['number']}    {line['text']}  {line['says']}" for line in report["lines"]]
    if report["reads"]:
        lines.append(f"verdict: none, {report['tool']} only reads")
    else:
        lines.append(f"verdict: {report['verdict']}")
        lines += report["text"].splitlines()
    return lines
