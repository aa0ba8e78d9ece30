"""`guards explain 'COMMAND'`: the steps that were read and by whom, what each would touch, what is not known and why,
the lanes, and what would be said. The same readers and judges as in a hook; nothing is written.
"""

from __future__ import annotations

from typing import Any

from guards.engine.event import EXACT, Effect, Event
from guards.lanes import find, wording
from guards.reports import here
from guards.shell import effects
from guards.shell.steps import Step, Word

READERS = {"tree-sitter": "tree-sitter", "bashlex": "bashlex", "": "none"}


def explain(command: str, where: str, record: dict[str, str], tool: str = "Bash") -> tuple[dict[str, Any], list[str]]:
    """(the report as data, the same as lines of text)."""
    event = Event("claude", "before-tool", {})
    event.tool, event.cwd, event.project = "Bash", where, where
    event.input = {"command": command}
    outcome, world = here.judge(event, record)
    walk = effects.walk(event, world)
    look = find.Look(event, world, world.rules(find.NAME) or {}) if world.rules(find.NAME) else None
    said = [*outcome.verdicts, *outcome.watched]
    report: dict[str, Any] = {
        "command": command,
        "cwd": where,
        "readers": [READERS[reader] for reader in walk.readers],
        "steps": [_step(depth, step) for depth, step in walk.taken],
        "effects": [_effect(effect, look) for effect in walk.effects],
        "unread": list(walk.unread),
        "verdict": outcome.verdicts[0].action if outcome.verdicts else "none",
        "said": [{"guard": v.guard, "action": v.action, "rule": v.rule, "path": v.path, "text": v.text} for v in said],
        "faults": [f"{guard}: {what}" for guard, what in outcome.faults],
    }
    return report, _told(report)


def _step(depth: int, step: Step) -> dict[str, Any]:
    return {
        "depth": depth,
        "reader": step.reader,
        "argv": [_word(word) for word in step.argv],
        "sets": {name: _word(word) for name, word in step.assigns.items()},
        "redirects": [f"{r.op} {_word(r.target)}" for r in step.redirects if r.target is not None],
        "cwd": step.cwd,
        "sure": step.sure,
        "never": getattr(step, "never", False),
    }


def _word(word: Word) -> str:
    return word.text if word.text is not None else f"?{word.raw}? ({word.cause})"


def _effect(effect: Effect, look: find.Look | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "act": effect.act,
        "path": effect.path,
        "cwd": effect.cwd,
        "certainty": effect.certainty,
        "cause": effect.cause,
        "lane": "",
    }
    named = [(effect.path, effect.cwd)] if effect.certainty == EXACT else list(effect.mentions)
    if effect.certainty != EXACT:
        found["mentions"] = [path for path, _ in named]
    for path, cwd in named if look is not None else ():
        asked = effect if effect.certainty == EXACT else Effect(path, effect.act, cwd=cwd, expanded=True)
        hit = look.effect(asked) if look is not None else None
        if hit is not None:
            found["lane"], found["rule"], found["canonical"] = hit.lane, hit.rule, hit.path
            break
    return found


def _told(report: dict[str, Any]) -> list[str]:
    lines = [f"{report['command']}  (in {report['cwd']})"]
    lines.append(f"  read by   {', '.join(report['readers']) or 'none'}")
    for step in report["steps"]:
        words = " ".join(wording.shown(word) or "''" for word in step["argv"])
        parts = [words, *[f"{name}={wording.shown(text)}" for name, text in step["sets"].items()], *step["redirects"]]
        notes = [] if step["sure"] else ["never runs" if step["never"] else "may not run"]
        notes += ["" if step["cwd"] == report["cwd"] else f"in {step['cwd'] or 'an unknown folder'}"]
        more = ", ".join(note for note in notes if note)
        lines.append(
            f"  step      {'  ' * step['depth']}{' '.join(p for p in parts if p)}{f'  ({more})' if more else ''}"
        )
    lines += [_effect_line(effect) for effect in report["effects"]]
    lines += [f"  not read  {why}" for why in report["unread"]]
    lines += [f"  fault     {fault}" for fault in report["faults"]]
    lines.append(f"verdict: {report['verdict']}")
    for said in report["said"]:
        lines += [f"{said['guard']} ({said['action']}): {said['text'].splitlines()[0]}", *said["text"].splitlines()[1:]]
    return lines


def _effect_line(effect: dict[str, Any]) -> str:
    lane = f"  lane {effect['lane']} ({effect['rule']})" if effect["lane"] else ""
    if effect["certainty"] == EXACT:
        return f"  {effect['act']:<9} {wording.shown(effect['path'])}  by {effect['cause']}{lane}"
    named = ", ".join(wording.shown(path) for path in effect["mentions"][:6])
    return f"  {effect['certainty']:<9} {effect['cause']}{f'; names {named}' if named else ''}{lane}"
