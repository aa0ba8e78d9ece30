"""What a target was found to lie in, and what of that the owner let through. Loaded only after a lane was hit.

Sealed paths are never freed. An exact path is freed only by a line that is that one path. An ordinary lane is freed by
any line that matches the whole canonical path, by the guard being switched off for now, and by AGENT_EXCLUDE_PREFIX.
"""

from guards.engine.world import normal
from guards.lanes import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.lanes.approvals import Approvals, Line
    from guards.lanes.find import Look

NAME = "human-lane"
PREFIXES = "AGENT_EXCLUDE_PREFIX"
_RANK = {"never": 0, "exact": 1, "pattern": 2}
_STRENGTH = {"deny": 0, "ask": 1, "watch": 2}


class Match:
    """One lane that one form of the target lies in. below: the path in the target that does, for whole folders."""

    __slots__ = ("below", "canon", "kind", "lane", "pattern", "reason")

    def __init__(self, lane: "dict[str, Any]", pattern: str, canon: str, kind: str, below: str, reason: str) -> None:
        self.lane = lane
        self.pattern = pattern
        self.canon = canon
        self.kind = kind
        self.below = below
        self.reason = reason


class Hit:
    """A path in a lane that nothing frees.

    lane      its id; rule: "policy/human-lane.toml: lane 'ci'"; why: the lane's own sentence
    path      canonical; named: as the call spelled it; below: what lies in it, when the path holds a lane
    kind      how the form came about that was hit (paths.Form)
    approval  "pattern" | "exact" | "never"; action: "deny" | "ask" | "watch"
    line      the exact approval line that would free it ("" when none can); file: the approval file
    reason    what a manifest's edit does ("changes version"), or ""
    notes     sentences about the approval file: lines that do not parse, a file that cannot be used
    """

    __slots__ = (
        "action", "approval", "below", "file", "kind", "lane", "line", "named", "notes", "path", "reason", "rule",
        "why",
    )  # fmt: skip

    def __init__(self, match: Match, named: str, file: str) -> None:
        lane = match.lane
        self.lane: str = lane["id"]
        self.rule: str = lane["rule"]
        self.why: str = lane["why"]
        self.approval: str = lane["approval"]
        self.action: str = lane["action"]
        self.path = match.canon
        self.named = named
        self.kind = match.kind
        self.below = match.below
        self.reason = match.reason
        self.file = file
        self.line = "" if self.approval == "never" else _line_for(match.canon)
        self.notes: list[str] = []


def _line_for(path: str) -> str:
    from guards.lanes import ere

    return ere.line_for(path)


class Freed:
    """A match that a line of the owner's file let through."""

    __slots__ = ("lane", "number", "path", "text")

    def __init__(self, match: Match, line: "Line") -> None:
        self.lane: str = match.lane["id"]
        self.path = match.canon
        self.number = line.number
        self.text = line.text


def decide(look: "Look", target: paths.Target, found: "list[Match]") -> Hit | None:
    """The strongest match that nothing frees; what the owner's lines freed is kept in `look.freed`."""
    found.sort(key=_order)
    file = look.world.places.get("approvals", "")
    for match in found:
        approval = match.lane["approval"]
        if approval == "never":
            return Hit(match, target.named, file)
        if approval == "pattern" and (look.world.off(NAME) or _exempt(look, target)):
            continue
        if match.lane["action"] == "watch":
            return Hit(match, target.named, file)
        line = _line(look, match, approval == "exact")
        if line is None:
            return _noted(look, Hit(match, target.named, file))
        if not any([freed.path == match.canon and freed.number == line.number for freed in look.freed]):
            look.freed.append(Freed(match, line))
    return None


def _order(match: Match) -> "tuple[int, int, int]":
    """The strongest action first, then what is hardest to free, then as the policy lists them."""
    return _STRENGTH[match.lane["action"]], _RANK[match.lane["approval"]], match.lane["order"]


def approved(look: "Look") -> "Approvals":
    """The owner's file, read once for the event."""
    if look.owner is None:
        from guards.lanes import approvals

        look.owner = approvals.read(look.world.places.get("approvals", ""))
    return look.owner


def _line(look: "Look", match: Match, exact: bool) -> "Line | None":
    """The line that frees the target, or what lies in it."""
    owner = approved(look)
    line = owner.frees(match.canon, exact)
    return owner.frees(match.below, exact) if line is None and match.below else line


def _noted(look: "Look", hit: Hit) -> Hit:
    owner = approved(look)
    owner.compile()
    hit.notes = [f"line {line.number} of {owner.path} {line.fault}, so it frees nothing" for line in owner.broken()]
    if owner.trouble:
        hit.notes.insert(0, owner.trouble)
    return hit


def _exempt(look: "Look", target: paths.Target) -> bool:
    """Every form of the target lies under one of the folders of AGENT_EXCLUDE_PREFIX."""
    value = look.world.env(PREFIXES)
    if not value:
        return False
    folders: list[str] = []
    for folder in value.split(":"):
        if folder.startswith("/") and normal(folder) != "/":
            folders += [normal(folder), paths.walk(folder).real or normal(folder)]
    return all([any([_under(form.text, folder) for folder in folders]) for form in target.forms])


def _under(path: str, folder: str) -> bool:
    return folder != "/" and (path == folder or path.startswith(folder + "/"))
