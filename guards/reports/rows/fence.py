"""The fence and the tripwire: whether it can be put up, what it cannot hold here, and what it said."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from guards.engine.event import Event
from guards.fence import bubble, protect
from guards.reports.rows.record import FAIL, OK, WARN, Ground, Row
from guards.reports.rows.use import WEEK, lines
from guards.wiring import fenced

SECONDS = 20.0
SHOWN = 3
# programs that start others for whoever reaches their socket
DAEMONS = ("/run/docker.sock", "/run/podman/podman.sock", "/run/user/{uid}/systemd/private", "/run/user/{uid}/bus")
HELP = "guards install --no-fence takes it out; HOOKS.md, fence"


def holds(ground: Ground) -> Iterator[Row]:
    """Whether a command can be run inside, tried with `true` in this folder."""
    install, rules = ground.places["install"], ground.world.rules("fence")
    if not fenced.on(install):
        yield Row("fence", OK, "is not installed; commands run without it", "")
        return
    if rules is None:
        yield Row("fence", WARN, "policy/fence.toml is off: commands run without the fence", "take off = true out")
        return
    line = [os.path.join(install, "py"), "-IS", os.path.join(install, fenced.PREFIX), "--", "true"]
    try:
        done = subprocess.run(
            line, cwd=ground.project, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as fault:
        yield Row("fence", FAIL, f"its program could not be started: {fault}", "guards install --fence")
        return
    if done.returncode == 0 and not done.stderr:
        yield Row("fence", OK, f"can be put up here; when it cannot, commands are to {rules['on_failure']}")
    else:
        yield Row("fence", FAIL, done.stderr.strip()[:300] or f"`true` ended with {done.returncode} inside it", HELP)


def reach(ground: Ground) -> Iterator[Row]:
    """What it cannot hold: other names of held files, links that can be replaced, daemons that can be asked."""
    rules = ground.world.rules("fence")
    if not fenced.on(ground.places["install"]) or rules is None:
        return
    event = Event("claude", "before-tool", {})
    event.cwd = event.project = ground.project
    try:
        found = protect.found(ground.world, event, rules, keep=False)
    except bubble.Refused:
        return  # the row above says it
    several = [path for kind, path in found.plan if kind == "hold" and _linked(path)]
    for name, paths, what in (
        ("fence-names", several, "has a second name somewhere, and that name can be written"),
        ("fence-links", found.links, "is a link in a lane: what it leads to is held, the link can be replaced"),
    ):
        if paths:
            more = f" (and {len(paths) - SHOWN} more)" if len(paths) > SHOWN else ""
            yield Row(name, WARN, f"{', '.join(paths[:SHOWN])} {what}{more}", "give it one name, or live with it")
    sockets = [path for path in (one.format(uid=os.geteuid()) for one in DAEMONS) if _reachable(path)]
    if sockets and not rules["closed"]:
        said = f"a command can ask {', '.join(sockets)} to run programs outside the fence"
        yield Row("fence-daemons", WARN, said, 'name it in closed of policy/fence.toml, as "/" + its path')


def _linked(path: str) -> bool:
    try:
        info = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(info.st_mode) and info.st_nlink > 1


def _reachable(path: str) -> bool:
    return os.access(path, os.W_OK) and stat.S_ISSOCK(Path(path).stat().st_mode)


def said(ground: Ground) -> Iterator[Row]:
    """Commands of the last week that could not be fenced, and what the tripwire saw."""
    unfenced: list[str] = []
    seen: list[str] = []
    for line in lines(ground, time.time() - WEEK):
        if line.get("guard") == "fence":
            unfenced.append(f"{line.get('verdict')}: {line.get('why', '')}")
        elif line.get("guard") == "tripwire" and line.get("verdict") == "note" and line.get("path"):
            seen.append(str(line["path"]))
    if unfenced:
        text = f"{len(unfenced)} commands could not be fenced in a week; the last: {unfenced[-1][:200]}"
        yield Row("unfenced", WARN, text, "guards exec -- true shows whether it still is so")
    if seen:
        text = f"{len(seen)} times in a week something in a lane changed during a command; the last: {seen[-1]}"
        yield Row("tripwire", WARN, text, "guards log --guard tripwire")
