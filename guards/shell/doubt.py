"""What the walk does when a target is not plain: unknown words, programs nobody knows, links made on the way, patterns
that the shell's options make match more, and text that is more than is read. Loaded when the first of these is met.
"""

from guards.engine.event import EXACT, OPAQUE, UNKNOWN, UNREADABLE, WRITE, Effect
from guards.engine.world import join, normal
from guards.shell import mentions, origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

LISTED = 3000  # names a pattern is held against
KEPT = 2000  # words of unreadable text that a reader gives
LINKS = 8  # links followed through links that the same command makes


def unknown(walk: "Walk", step: "Step", word: "Word", act: str, cause: str) -> None:
    """A target that the text does not show."""
    named = origins.of_target(walk, step, word)
    if walk.adrift:
        from guards.shell import placed

        named = tuple(dict.fromkeys([*named, *placed.through(walk, word.raw)]))
    cwd = step.cwd or walk.event.cwd
    walk.add(Effect("", act, UNKNOWN, cwd, cause=f"{cause}: {word.cause}", mentions=named))


def nowhere(walk: "Walk", step: "Step", path: str, act: str, cause: str) -> None:
    """A relative path in a directory that is not known: perhaps it is this one, or what is known of the other."""
    cwd = walk.event.cwd
    cause = f"{cause}: the directory is not known"
    named = tuple(dict.fromkeys([(path, cwd), *_entered(walk, path)]))
    walk.add(Effect("", act, UNKNOWN, cwd, cause=cause, mentions=named))


def _entered(walk: "Walk", behind: str) -> "list[tuple[str, str]]":
    """What the last `cd` into the unknown names, with the known ones and the path behind it."""
    for earlier in reversed(walk.history):
        word = earlier.argv[-1] if len(earlier.argv) > 1 and earlier.name in ("cd", "pushd") else None
        if word is None:
            continue
        if word.text is not None:
            behind = join(word.text, behind)
            continue
        found = [*origins.of_target(walk, earlier, word)]
        here = earlier.cwd or walk.event.cwd  # /proc/…/cwd is where the process is
        found += [(part.partition("cwd/")[2], here) for part in word.parts if "cwd/" in part]
        linked: tuple[tuple[str, str], ...] = ()
        if walk.adrift:
            from guards.shell import placed

            linked = placed.through(walk, join(word.raw, behind))
        return [*[(join(base, behind), seen) for base, seen in found], *linked]
    return []


def opaque(walk: "Walk", step: "Step", words: "Sequence[Word | str]", cause: str) -> None:
    """A program or a text that may write somewhere it does not show; the paths among `words` are its mentions."""
    cwd = step.cwd or walk.event.cwd
    named = mentions.of_words(words, cwd)
    if named:
        walk.add(Effect("", WRITE, OPAQUE, cwd, cause=cause, mentions=named))
    walk.leave(cause)


def unreadable(walk: "Walk", words: "Sequence[str]", cause: str) -> None:
    """Text that no reader could read to its end; its pieces are its mentions. A reader keeps so many words of it."""
    cwd = walk.event.cwd
    words = words if len(words) < KEPT else walk.event.command.split()
    walk.add(Effect("", WRITE, UNREADABLE, cwd, cause=cause, mentions=mentions.crude(words, cwd)))


def overflow(walk: "Walk", cause: str) -> None:
    """The command holds more than is read: all of its words count, once."""
    if not walk.full_up:
        walk.full_up = True
        walk.leave(cause)
        unreadable(walk, walk.event.command.split(), cause)


def unexpanded(walk: "Walk", step: "Step", pattern: str, act: str, cause: str, follow: bool, tree: bool) -> None:
    """A pattern that `shopt` may make match more than the reader knows (`**`, names with a dot first)."""
    if not any([s.name in ("shopt", "setopt") for _, s in walk.taken]):
        return
    from guards.shell.copying import listed
    from guards.shell.globs import match

    head = pattern[: min([pattern.find(c) for c in "*?[" if c in pattern] or [0])]
    base = head.rpartition("/")[0]
    names, _ = listed(walk.world, walk.full(step, base or "."), LISTED)
    for name in names:
        found = f"{base}/{name}" if base else name
        if match(pattern.replace("**/", "*"), found):
            walk.path(step, found, act, cause=cause, follow=follow, tree=tree)


def extended(walk: "Walk", step: "Step", word: "Word", act: str, cause: str, follow: bool, tree: bool) -> bool:
    """The names that an extended glob matches; False where that is not known."""
    from guards.shell import extglobs

    names = extglobs.found(walk, step, word.rough)
    for name in names or ():
        walk.path(step, name, act, cause=cause, follow=follow, tree=tree)
    return names is not None


def through_links(walk: "Walk", path: str, act: str, cwd: str, follow: bool, tree: bool, cause: str) -> None:
    """The same path as it will be once the links that this command makes are there."""
    here = normal(join(cwd, path))
    for _ in range(LINKS):
        for link, target in walk.links.items():
            if (here == link and follow) or here.startswith(link + "/"):
                here = normal(target + here[len(link) :])
                break
        else:
            return
        walk.add(Effect(here, act, EXACT, cwd, follow, tree, expanded=True, cause=cause + " through a link"))


def filtered(walk: "Walk", step: "Step") -> None:
    """`sed … FILE > OTHER`: read as code, the other is much like the one."""
    source = step.argv[-1].text
    for redirect in step.redirects:
        target = redirect.target.text if redirect.op[:1] == ">" and redirect.target is not None else None
        if source and target and walk.exists(step, source):
            walk.copies[normal(walk.full(step, target))] = normal(walk.full(step, source))
