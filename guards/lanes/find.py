"""One target → the lanes it lies in. Every guard that asks about a path asks here.

Any form of the path in a lane counts, and only after a hit is the owner's approval file read (hits.py). A lane's
pattern is tried from every folder above the target that holds a `.git`; outside any repository, from the harness's
project directory. Sealed and exact paths also match by device and inode, so that a hard link or a bind mount is no way
round.
"""

import marshal

from guards.engine.event import DELETE, EXACT, WRITE, Effect
from guards.engine.world import is_file, normal
from guards.lanes import paths, patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World
    from guards.lanes.approvals import Approvals
    from guards.lanes.hits import Freed, Hit, Match

NAME = "human-lane"


class Root:
    """A folder that patterns are relative to; git: it holds a `.git` (else it is the harness's project)."""

    __slots__ = ("depth", "git", "path")

    def __init__(self, path: str, depth: int, git: bool) -> None:
        self.path = path
        self.depth = depth
        self.git = git


ABSOLUTE = Root("", 0, git=False)  # where //x and ~/x are tried from


class Look:
    """One event's look at the lanes: the approval file is read once, `.git` is asked for once per folder."""

    def __init__(
        self,
        event: "Event",
        world: "World",
        rules: "dict[str, Any]",
        manifests: bool = True,
        trace: "list[dict[str, Any]] | None" = None,
    ) -> None:
        self.event = event
        self.world = world
        self.rules = rules
        self.manifests = manifests
        self.trace = trace
        self.freed: list[Freed] = []
        self.owner: Approvals | None = None
        self._git: dict[str, bool] = {}
        self._marked: dict[tuple[int, int], tuple[int, str]] | None = None
        self._more: list[tuple[bytes, dict[str, Any]]] = []
        self._project: list[list[str]] | None = None

    def effect(self, effect: Effect) -> "Hit | None":
        """The strongest lane that holds against this effect, or None."""
        target = paths.target(
            effect.path, effect.cwd or self.event.cwd or self.event.project, self.world, effect.follow, effect.expanded
        )
        found: list[Match] = []
        for form in target.forms:
            self.lanes(form, effect, found)
        if target.info is not None and target.info.st_nlink > 1 and is_file(target.info):
            from guards.lanes import holds

            holds.hard_link(self, target, effect, found)
        if (effect.tree or _links(effect)) and effect.act in (DELETE, WRITE):
            from guards.lanes import tree

            tree.below(self, target, effect, found)
        if self.trace is not None:
            self.trace.append({"target": target, "found": found})
        if not found:
            return None
        from guards.lanes import hits

        return hits.decide(self, target, found)

    # ---- which lanes
    def lanes(self, form: paths.Form, effect: Effect, found: "list[Match]", below: str = "") -> None:
        """Adds every lane that this form lies in."""
        numbers = patterns.match(self.rules["far"], form.parts)
        if numbers:
            self._consider(self.rules, numbers, form, ABSOLUTE, effect, found, below)
        if form.ids:
            self._same_file(form, effect, found)
        for root in self.roots(form.text, form.parts):
            rules = self.of(root)
            numbers = patterns.match(rules["near"], form.parts[root.depth :])
            if numbers:
                self._consider(rules, numbers, form, root, effect, found, below)

    def _consider(
        self,
        rules: "dict[str, Any]",
        numbers: "list[tuple[int, int]]",
        form: paths.Form,
        root: Root,
        effect: Effect,
        found: "list[Match]",
        below: str,
    ) -> None:
        from guards.lanes import holds

        for n, depth in numbers:
            holds.consider(self, self.more(rules), n, depth, form, root, effect, found, below)

    def more(self, rules: "dict[str, Any]") -> "dict[str, Any]":
        """The part of a table that is only needed once a pattern matched."""
        for packed, known in self._more:
            if packed is rules["more"]:
                return known
        unpacked: dict[str, Any] = marshal.loads(rules["more"])
        self._more.append((rules["more"], unpacked))
        return unpacked

    def of(self, root: Root) -> "dict[str, Any]":
        """The machine's table, or the one that the repository's own layer tightens."""
        if not root.git:
            return self.rules
        return self.world.rules(NAME, root.path) or self.rules

    def roots(self, text: str, parts: "list[str]", itself: bool = False) -> "list[Root]":
        """Every folder above the path (or the path `itself`) that holds a `.git`; else the project that holds it."""
        names = paths.split(text)
        out: list[Root] = []
        for depth in range(len(names) + itself):
            folder = "/" + "/".join(names[:depth])
            if self.holds_git(folder):
                out.append(Root(folder, depth, git=True))
        if not out:
            for project in self._projects():
                if len(project) < len(parts) + itself and parts[: len(project)] == project:
                    return [Root("/" + "/".join(names[: len(project)]), len(project), git=False)]
        return out

    def holds_git(self, folder: str) -> bool:
        known = self._git.get(folder)
        if known is None:
            known = self._git[folder] = self.world.lstat(folder + "/.git") is not None
        return known

    def _projects(self) -> "list[list[str]]":
        """The harness's project directory in its forms, folded."""
        if self._project is None:
            named = self.event.project or self.event.cwd
            if named and not named.startswith("/"):
                from guards.lanes import spellings

                named = spellings.posix(named)
            real = paths.walk(named).real if named.startswith("/") else None
            texts = [normal(named), real] if named.startswith("/") and normal(named) != "/" else []
            self._project = [paths.split(paths.fold(text)) for text in dict.fromkeys(texts) if text and text != "/"]
        return self._project

    def _same_file(self, form: paths.Form, effect: Effect, found: "list[Match]") -> None:
        """Sealed and exact paths by device and inode."""
        if self._marked is None:
            self._marked = {}
            for path, number in self.rules["marked"]:
                info = self.world.stat(path)
                if info is not None:
                    self._marked.setdefault((info.st_dev, info.st_ino), (number, path))
        for identity in form.ids:
            if identity in self._marked:
                from guards.lanes import holds

                number, path = self._marked[identity]
                lane = self.more(self.rules)["lanes"][number]
                if effect.act in lane["acts"]:
                    holds.add(self, lane, path, form, effect, found, "")


def _links(effect: Effect) -> bool:
    """Whether a link is made there: like a folder moved there, it brings all that it leads to."""
    return effect.act == WRITE and ("link" in effect.cause or effect.cause == "ln")


def protected(
    path: str,
    cwd: str,
    event: "Event",
    world: "World",
    act: str = WRITE,
    follow: bool = True,
    tree: bool = False,
    expanded: bool = True,
) -> "Hit | None":
    """A path in a lane that refuses or asks, and that nothing frees; manifests, which are ordinary files, left out."""
    rules = world.rules(NAME)
    if rules is None:
        return None
    effect = Effect(path, act, EXACT, cwd, follow, tree, expanded)
    hit = Look(event, world, rules, manifests=False).effect(effect)
    return hit if hit is not None and hit.action in ("deny", "ask") else None
