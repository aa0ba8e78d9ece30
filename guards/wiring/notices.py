"""What an owner should hear about a harness's settings: what shadows our entries, doubles them, or is old.

Nothing here changes anything, and nothing here stops an install: each is a sentence with the next step in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from guards.wiring import fire, unwire
from guards.wiring.edit import BACKUP
from guards.wiring.machine import Target

OLDER = ".claude/human-lane-approved"
PREFIX = "CLAUDE_CODE_SHELL_PREFIX"


def of(places: dict[str, str], target: Target, project: str | None = None) -> list[str]:
    """Everything there is to say about one harness; `project` is the folder whose own settings count too."""
    return [
        *_older(places),
        *_silenced(target, project),
        *_byhand(places, target),
        *_waiting(target),
        *_text(target),
    ]


def _older(places: dict[str, str]) -> Iterator[str]:
    path = os.path.join(places["home"], OLDER)
    if os.path.lexists(path):
        yield (
            f"an older approval file lies at {path}. Guards reads {places['approvals']} alone;"
            " copy over the lines you still mean."
        )


def _silenced(target: Target, project: str | None) -> Iterator[str]:
    owner, root = _plain(target.path), _plain(target.form.MANAGED)
    if owner.get("disableAllHooks") is True:
        yield f"{target.path} has disableAllHooks: no hook of yours runs until that is gone."
    if root.get("allowManagedHooksOnly") is True and target.path != target.form.MANAGED:
        yield f"{target.form.MANAGED} allows managed hooks only: yours do not run. guards install --managed does."
    for name in target.form.SILENCERS if project else ():
        path = os.path.join(project or "", name)
        plain = {} if path == target.path else _plain(path)
        env = plain.get("env")
        if plain.get("disableAllHooks") is True:
            yield f"{path} has disableAllHooks: in that project no hook of yours runs, only managed ones."
        if isinstance(env, dict) and PREFIX in env and target.form.NAME == "claude":
            yield f"{path} sets {PREFIX}: in that project its program runs in place of your hooks."


def _waiting(target: Target) -> Iterator[str]:
    """Entries that stand there and do not run, because the owner has not reviewed them."""
    events = target.form.waiting(target.path)
    if events:
        yield f"{target.form.NAME} has not been told to trust guards at {', '.join(events)}. {target.form.HINT}"


def _byhand(places: dict[str, str], target: Target) -> Iterator[str]:
    """Our own script, run by an entry without the marker: it is the owner's, so it stays, and judges twice."""
    for event, line in entries(_plain(target.path)):
        if not unwire.MARKED.search(line) and _runs_hook(line, places):
            yield f"{target.path}: an entry at {event} runs guards by hand ({line[:80]}); it was left as it is."


def _runs_hook(line: str, places: dict[str, str]) -> bool:
    scripts = (os.path.join(places["install"], "code/hook.py"), os.path.join(places["checkout"], "guards/hook.py"))
    return any(script in line for script in scripts)


def _text(target: Target) -> Iterator[str]:
    """What a strict reader would stumble over."""
    if why := void(target):
        yield why
    try:
        root = unwire.parse(unwire.decode(unwire.load(target.path)))
    except (OSError, unwire.Broken):
        return
    keys = [item.key for item in root.items]
    for key in sorted({str(key) for key in keys if keys.count(key) > 1}):
        yield f"{target.path} names {key!r} twice; harnesses see only the last one."


def void(target: Target) -> str:
    """Why the harness takes nothing from the whole file, so that nothing is guarded; empty when it does."""
    path = target.path
    try:
        unwire.parse(unwire.decode(unwire.load(path)))
    except OSError:
        return ""
    except unwire.Broken as fault:
        back = f", or cp {path}{BACKUP} {path}" if os.path.exists(path + BACKUP) else ""
        name = target.form.NAME
        return f"{path} does not parse ({fault}), so {name} runs no hook. correct it{back}; then guards status."
    why = fire.unread(target)
    return f"{path}, {why}: it ignores the whole file, hooks and rules too, until that is gone." if why else ""


def entries(plain: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(event as the harness names it, command line) of every hook in a settings value."""
    hooks = plain.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else []:
            for entry in fire.entries(group):
                line = entry.get("command", entry.get("bash")) if isinstance(entry, dict) else None
                if isinstance(line, str):
                    yield str(event), line


def _plain(path: str | None) -> dict[str, Any]:
    try:
        found = unwire.parse(unwire.decode(unwire.load(path or ""))).plain()
    except (OSError, unwire.Broken):
        return {}
    return found if isinstance(found, dict) else {}
