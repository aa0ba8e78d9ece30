"""What a step is given: files at hand, as earlier steps of the same command left them, and what arrives in its pipe."""

from guards.engine.world import normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

OPENS = frozenset({">", ">>", ">|", "&>", "&>>"})
FILE_MAX = 256 << 10  # bytes read of a script, a patch, a list of names
STDIN = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
# steps that stand between two commands of a pipe without being one of them: `(cd a && tar c) | (cd b && tar x)`
SETTING = frozenset({"cd", "pushd", "popd", "set", "export", "local", "declare", "shopt", "umask", None})


def source(walk: "Walk", step: "Step", path: str) -> "str | None":
    """The text of a file; None when there is none or it is too long."""
    if path in STDIN:
        return arriving(walk, step)
    if path == "/dev/null":
        return ""
    here = normal(walk.full(step, path))
    if here in walk.copies and step.files.get(here) is None:
        here = walk.copies[here]
    if here in step.files:
        known = step.files[here]
        return known if known is not None else written(walk, here)
    data = walk.world.read(here, FILE_MAX)
    return None if data is None or len(data) > FILE_MAX else data.decode("utf-8", "replace")


def written(walk: "Walk", path: str) -> "str | None":
    """A file that earlier steps filled with what they are known to list."""
    from guards.shell import outputs

    found: list[str | None] = []
    for earlier in reversed(walk.history):
        for redirect in earlier.redirects:
            target = redirect.target.text if redirect.target is not None else None
            if redirect.op not in OPENS or not target or normal(walk.full(earlier, target)) != path:
                continue
            found.append(outputs.of(walk, earlier) if redirect.fd in (None, 1) else None)
            if ">>" not in redirect.op:
                return None if None in found else "".join([text for text in reversed(found) if text is not None])
    return None


def content(walk: "Walk", step: "Step", word: "Word | None") -> "str | None":
    """The text of a file that a word names: `-` is standard input, <(…) what is known to come out of it."""
    if word is None or word.text == "-":
        return arriving(walk, step)
    return word.feed if word.feed is not None or word.text is None else source(walk, step, word.text)


def before(walk: "Walk", step: "Step") -> "Step | None":
    """The step whose output goes into this one's pipe."""
    if step.piped:
        for earlier in reversed(walk.history):
            if earlier.name not in SETTING:
                return earlier
    return None


def arriving(walk: "Walk", step: "Step") -> "str | None":
    """What is known to arrive on the step's standard input."""
    if step.stdin is not None:
        return step.stdin
    for redirect in step.redirects:
        if redirect.op == "<" and redirect.fd in (None, 0) and redirect.target is not None:
            return None if redirect.target.text is None else source(walk, step, redirect.target.text)
    earlier = before(walk, step)
    if earlier is None:
        return None
    from guards.shell import outputs

    return outputs.of(walk, earlier)
