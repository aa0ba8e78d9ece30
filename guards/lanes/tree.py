"""What lies beneath a folder that is removed, moved or changed as a whole: anchored lanes, and lane files that git
tracks. An untracked file that only a name pattern covers is not looked for: a build folder is full of such names.
"""

from guards.engine.event import DELETE, Effect
from guards.engine.world import is_dir, is_link
from guards.lanes import holds, paths, patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.lanes.find import Look, Root
    from guards.lanes.hits import Match

LOOKS_MAX = 2000  # folders listed and names tried in one call
NAMES_MAX = 2000  # names of one folder
DEPTH_MAX = 6  # folders below the target that a pattern with `**` or `*` is followed into
REPOS_DEPTH = 3  # how deep repositories inside the target are looked for


class _Search:
    """The bounded search below one folder."""

    def __init__(self, look: "Look", effect: Effect, found: "list[Match]", form: paths.Form) -> None:
        self.look = look
        self.effect = effect
        self.found = found
        self.form = form
        self.left = LOOKS_MAX

    def names(self, folder: str) -> "list[str]":
        self.left -= 1
        return (self.look.world.listdir(folder, NAMES_MAX) or []) if self.left > 0 else []

    def hit(self, path: str) -> None:
        """Judges one existing path below."""
        form = paths.Form(path, self.form.canon, self.form.kind, [])
        self.look.lanes(form, self.effect, self.found, path)

    def below(self, folder: str, tokens: "Any", states: "set[int]", depth: int = 0) -> None:
        """Judges the existing paths that the pattern reaches from here."""
        for path in self.reached(folder, tokens, states, depth):
            self.hit(path)

    def reached(self, folder: str, tokens: "Any", states: "set[int]", depth: int = 0) -> "list[str]":
        out: list[str] = []
        if self.left <= 0 or depth > DEPTH_MAX or not states:
            return out
        literal = [tokens[state] for state in states]
        plain = all([token.__class__ is str for token in literal])
        for name in literal if plain else self.names(folder):
            self.left -= 1
            path = folder.rstrip("/") + "/" + name
            after = patterns.step(states, tokens, paths.fold(name))
            info = self.look.world.lstat(path) if after else None
            if info is None:
                continue
            if len(tokens) in after:
                out.append(path)
            elif is_dir(info):
                out += self.reached(path, tokens, after, depth + 1)
        return out


def existing(look: "Look", folder: str, tokens: "Any") -> "list[str]":
    """Existing paths below `folder` that the pattern names from there."""
    effect = Effect(folder)
    return _Search(look, effect, [], paths.Form(folder, folder, "", [])).reached(folder, tokens, {0})


def below(look: "Look", target: paths.Target, effect: Effect, found: "list[Match]") -> None:
    """Adds the lanes that lie in the target."""
    for form in list(target.forms):
        if form.kind not in ("as named", "entry", "real") or _only_a_link(look, effect, form):
            continue
        search = _Search(look, effect, found, form)
        _anchored(search, look.rules, "far", form.parts)
        for root in look.roots(form.text, form.parts, itself=True):
            rules = look.of(root)
            _anchored(search, rules, "near", form.parts[root.depth :])
            if root.git:
                _tracked(search, root, form.text)
        _repositories(search, form.text)


def _only_a_link(look: "Look", effect: Effect, form: paths.Form) -> bool:
    """Removing or moving a link leaves what it leads to where it is."""
    through = effect.follow or effect.path.endswith(("/", "/."))
    return effect.act == DELETE and not through and is_link(look.world.lstat(form.text))


def _anchored(search: _Search, rules: "dict[str, Any]", side: str, parts: "list[str]") -> None:
    more = search.look.more(rules)
    for tokens, n in more[side + "_tokens"]:
        states = patterns.pending(tokens, parts)
        if not states:
            continue
        lane = more["lanes"][more["owner"][n]]
        if search.effect.act == "write" and lane["approval"] != "pattern" and search.effect.act in lane["acts"]:
            # what arrives as a whole (a link, a moved folder) may bring such a file with it
            holds.add(
                search.look, lane, more["texts"][n], search.form, search.effect, search.found, search.form.text + "/…"
            )
        else:
            search.below(search.form.text, tokens, states)


def _tracked(search: _Search, root: "Root", folder: str) -> None:
    """Files of git's index beneath the folder."""
    from guards.lanes import tracked

    prefix = folder[len(root.path) :].strip("/")
    for name in tracked.below(search.look.world, root.path, prefix) or ():
        search.hit(root.path.rstrip("/") + "/" + name)


def _repositories(search: _Search, folder: str) -> None:
    """Whole repositories inside the target."""
    todo = [(folder, 0)]
    while todo and search.left > 0:
        here, depth = todo.pop()
        for name in search.names(here):
            path = here.rstrip("/") + "/" + name
            if name == ".git" and depth:
                for root in search.look.roots(here, paths.split(paths.fold(here)), itself=True)[-1:]:
                    for tokens, _ in search.look.more(search.look.of(root))["near_tokens"]:
                        search.below(here, tokens, patterns.pending(tokens, []))
                    _tracked(search, root, here)
            elif depth < REPOS_DEPTH and is_dir(search.look.world.lstat(path)):
                todo.append((path, depth + 1))
