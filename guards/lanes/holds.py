"""Whether a lane holds, once one of its patterns matched: its acts, its exceptions, what its flags say about the file.

Loaded only when a pattern matched, so that a call in no lane pays for the look-ups alone.
"""

from guards.engine.event import DELETE, WRITE
from guards.engine.world import is_dir
from guards.lanes import paths, patterns
from guards.lanes.hits import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Effect
    from guards.lanes.find import Look, Root


def consider(
    look: "Look",
    more: "dict[str, Any]",
    n: int,
    depth: int,
    form: paths.Form,
    root: "Root",
    effect: "Effect",
    found: "list[Match]",
    below: str,
) -> None:
    """Adds the lane of pattern `n` when it holds for this act on this form."""
    lane = more["lanes"][more["owner"][n]]
    rest = form.parts[root.depth :]
    if effect.act not in lane["acts"] or (below and lane["manifest"]):
        return
    if lane["whole"] and not _whole(look, form, root, depth, effect):
        return
    if lane["data"] and (not _data(look, more, form, effect) or _any(more["tools"], rest)):
        return
    # absolute patterns have no examples: the folders above a home say nothing about a file
    if lane["examples"] and root.path and _any(more["examples"], rest):
        return
    for absolute, tokens in lane["except"]:
        if patterns.accepts(tokens, form.parts if absolute else rest):
            return
    add(look, lane, more["texts"][n], form, effect, found, below)


def add(
    look: "Look",
    lane: "dict[str, Any]",
    pattern: str,
    form: paths.Form,
    effect: "Effect",
    found: "list[Match]",
    below: str,
) -> None:
    """Adds a lane once per canonical path; a manifest only when the edit changes one of its fields."""
    canon = form.canon
    if any([match.lane["id"] == lane["id"] and match.canon == canon and match.below == below for match in found]):
        return
    reason = ""
    if lane["manifest"]:
        if not look.manifests:
            return
        from guards.lanes import manifests

        kind, fields = lane["manifest"]
        reason = manifests.judge(effect.change, effect.act, canon, kind, fields, look.world)
        if not reason:
            return
    found.append(Match(lane, pattern, canon, form.kind, below, reason))


def hard_link(look: "Look", target: paths.Target, effect: "Effect", found: "list[Match]") -> None:
    """A file with several names: whether another one lies in a lane of a repository at hand."""
    form = target.forms[-1]
    here = look.event.cwd or look.event.project or "/"
    roots = look.roots(form.text, form.parts) + look.roots(here, paths.split(paths.fold(here)), itself=True)
    for root in {root.path: root for root in roots}.values():
        _exact_names(look, target, root, effect, found)
        if effect.follow and effect.act == WRITE and root.git:
            for path in _tracked_names(look, target, root):
                look.lanes(paths.Form(path, path, "real", []), effect, found)


def _exact_names(look: "Look", target: paths.Target, root: "Root", effect: "Effect", found: "list[Match]") -> None:
    from guards.lanes import tree

    more = look.more(look.rules)
    for tokens, n in more["far_tokens"]:
        lane = more["lanes"][more["owner"][n]]
        if lane["approval"] != "exact" or tokens[0] is not None or effect.act not in lane["acts"]:
            continue
        for path in tree.existing(look, root.path, tokens[1:]):
            if _identity(look.world.stat(path)) == _identity(target.info):
                add(look, lane, more["texts"][n], target.forms[-1], effect, found, "")


def _tracked_names(look: "Look", target: paths.Target, root: "Root") -> "list[str]":
    """The other names of the file among those that git tracks. An untracked one is not looked for."""
    from guards.lanes import tracked

    same, own = _identity(target.info), {form.text for form in target.forms}
    names = [root.path.rstrip("/") + "/" + name for name in tracked.below(look.world, root.path, "") or ()]
    return [path for path in names if path not in own and _identity(look.world.lstat(path)) == same]


def _any(many: "Any", parts: "list[str]") -> bool:
    """Whether one of the patterns matches."""
    return any([patterns.accepts(tokens, parts) for tokens in many])


def _identity(info: "Any") -> "tuple[int, int] | None":
    return None if info is None else (info.st_dev, info.st_ino)


def _whole(look: "Look", form: paths.Form, root: "Root", depth: int, effect: "Effect") -> bool:
    """Only making the named thing, removing it, or replacing it counts; what lies in it does not."""
    if not root.git:
        return False
    last = root.depth + depth == len(form.parts)
    info = look.world.lstat("/" + "/".join(paths.split(form.text)[: root.depth + depth]))
    if info is None:
        return effect.act == WRITE
    return last and (effect.act == DELETE or effect.tree or not is_dir(info))


def _data(look: "Look", more: "dict[str, Any]", form: paths.Form, effect: "Effect") -> bool:
    """Whether the path names a data file: by its ending, or a file without one."""
    name = form.parts[-1] if form.parts else ""
    if name.endswith(more["data"]):
        return True
    if "." in name[1:]:
        return False
    info = look.world.lstat(form.text)
    if info is None:
        shown = effect.change is not None and effect.change[0] != "later"
        return effect.cause != "mkdir" and (shown or effect.cause.startswith(">"))
    return not is_dir(info)
