"""What a command would leave in a file, as a function of what stands there: only where the text shows it for sure.

Such a change is asked for when a path turns out to be a manifest (guards/lanes/manifests.py), never before. None
stands for a text that is not known; the manifest is then refused as one whose fields cannot be compared.
"""

from guards.engine.world import is_file, join, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.stepping import Walk
    from guards.shell.steps import Redirect, Step, Word

    Change = Callable[[str], str | None]

CHAIN = 40  # changes of one file that are followed
STEPS = 200  # of a command, looked at for each copy
READ = 1 << 18  # bytes of a file that is copied
_PUTS = frozenset({"echo", "printf", "cat", "tee", ":", "true", None})
# commands that change no file but those they name: after them the disk still is what it was
_STEADY = _PUTS | frozenset(
    "cd mkdir cp mv ls pwd grep rg head tail wc diff cmp test [ set export jq git sort which stat".split()  # noqa: SIM905
)
_GIT = frozenset({"status", "diff", "log", "show", "add", "rev-parse", "ls-files", "branch"})


def same(text: str) -> "str | None":
    """A formatter's work, a folder that is copied with what lies in it: the fields stay as they are."""
    return text


def chained(walk: "Walk", path: str, change: "Change | None") -> "tuple[Any, ...] | None":
    """What happens to a file in this command up to here, one change after the other; None when part is not known."""
    chain = walk.chains.setdefault(path, [])
    if len(chain) > CHAIN or (chain and chain[-1] is None):
        return None
    chain.append(None if walk.links or len(chain) == CHAIN else change)
    return None if chain[-1] is None else ("later", tuple(chain))


def put(walk: "Walk", step: "Step", redirect: "Redirect") -> "Change | None":
    """A redirection of what is known to be printed: `cat > F <<E`, `echo … >> F`."""
    target = redirect.target
    if step.name == "jq" and target is not None and target.text and redirect.op in (">", ">|"):
        from guards.shell import jq

        path = normal(join(step.cwd or "/", target.text))
        made = jq.put(walk, step, path)
        if made is not None:
            walk.drafts[path] = made
        return made
    if step.put is None or redirect.op == "<>" or step.name not in _PUTS or target is None or not target.text:
        return None
    where, text, append = step.put
    if step.name == "echo" and not _alike(step.argv[1:]):
        return None
    if where != normal(join(step.cwd or "/", target.text)) or not (_fresh(step) or steady(walk)):
        return None
    return _written(text, append)


def _alike(words: "list[Word]") -> bool:
    """Whether every shell's echo prints the same: backslashes mean something to some of them even without -e."""
    first = words[0].text if words else ""
    return first in ("-e", "-ne", "-en") or not any(["\\" in (word.text or "") for word in words])


def _written(text: "Any", append: bool) -> "Change":
    def change(old: str) -> "str | None":
        new = text() if callable(text) else text
        return None if new is None else old + new if append else new

    return change


def teed(walk: "Walk", step: "Step", args: "Args") -> "Change | None":
    """What arrives at tee."""
    if not step.exact or not (_fresh(step) or steady(walk)):
        return None
    return _written(lambda: step.stdin, args.has(("-a", "--append")))


def _fresh(step: "Step") -> bool:
    """Whether the step's own words hold the text: nothing in it comes from a file or another command."""
    if step.piped or any([c in word.raw for word in step.argv for c in "$`"]):
        return False
    if step.name == "cat" and len(step.argv) > 1:
        return False
    return all([r.own for r in step.redirects if r.op[:1] == "<"])


def steady(walk: "Walk") -> bool:
    """Whether every step up to here surely ran and changed no file but those it names: else the disk, and what was
    read of it, may say nothing of what is there now."""
    return _named(walk) and all([step.sure for _, step in walk.taken[:-1]])


def _named(walk: "Walk") -> bool:
    """Whether every step up to here changes no file but those it names."""
    if len(walk.taken) > STEPS:
        return False
    for _, step in walk.taken:
        verb = step.argv[1].text if step.name == "git" and len(step.argv) > 1 else "status"
        if step.name not in _STEADY or verb not in _GIT:
            return False
    return True


def copied(walk: "Walk", step: "Step", source: str) -> "Change | None":
    """A file at hand put in the place of another."""
    path = normal(walk.full(step, source))
    draft = walk.drafts.get(path)
    if draft is not None and len(walk.chains.get(path, ())) == 1 and steady(walk):
        return draft
    if path in step.files or path in walk.chains:
        # where it may not have been written, what is on disk would be copied: then there must be nothing
        sure = steady(walk) or (_named(walk) and walk.world.lstat(path) is None)
        text = step.files.get(path)
        return None if text is None or path in walk.copies or not sure else _written(text, append=False)
    if not is_file(walk.world.lstat(path)) or not _named(walk):
        return None
    return _written(lambda: _read(walk, path), append=False)


def beneath(walk: "Walk", step: "Step", source: str, target: str) -> "Change | None":
    """A file in a folder that is copied: where it meets no other it is the same file as before."""
    path = normal(walk.full(step, target))
    if walk.world.lstat(path) is None and path not in walk.chains:
        return same
    return copied(walk, step, source)


def _read(walk: "Walk", path: str) -> "str | None":
    data = walk.world.read(path, READ)
    if data is None or len(data) > READ:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def keys(words: "list[Word]", delete: bool) -> "Change | None":
    """`npm pkg set KEY=VALUE …`, `npm pkg delete KEY …`: judged by the first part of each key."""
    names = [(word.text or "").partition("=")[0].strip() for word in words]
    if not names or not all(names) or not all([word.text for word in words]):
        return None
    return changed([(name.replace("[", ".").replace("]", "").split("."), delete) for name in names])


def changed(edits: "list[tuple[list[str], bool]]") -> "Change | None":
    """Keys that are set or deleted in a JSON document, one after the other."""

    def change(old: str) -> "str | None":
        from guards.lanes import manifests

        try:
            document = manifests.parse(old, "json")
        except manifests.Unparsed:
            return None
        if not isinstance(document, dict):
            return None
        for parts, delete in edits:
            _key(document, parts, delete)
        return _dumped(document)

    return change


def _dumped(value: "Any") -> str:
    """The document as JSON; what a manifest holds is small, and `json` costs more than the call."""
    from _json import encode_basestring_ascii as text

    if isinstance(value, dict):
        return "{" + ",".join([f"{text(key)}:{_dumped(inner)}" for key, inner in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([_dumped(inner) for inner in value]) + "]"
    if isinstance(value, str):
        return str(text(value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


def _key(document: "dict[str, Any]", parts: "list[str]", delete: bool) -> None:
    """One key gets another value than it had; deleting what is not there changes nothing."""
    here: Any = document
    for part in parts[:-1]:
        if not isinstance(here.get(part), dict):
            if delete and part not in here:
                return
            here[part] = {}
        here = here[part]
    if not delete:
        here[parts[-1]] = {"set to": repr(here.get(parts[-1]))}
    elif parts[-1] in here:
        del here[parts[-1]]
