"""Verbs of git that put what it already holds into the work tree: act `restore`, for the files git names."""

from guards.engine.event import RESTORE
from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell import gitask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from guards.shell.gitverbs import Git
    from guards.shell.steps import Word

MOST = 4000  # files of one restore
_GO_ON = ("--continue", "--skip", "--quit", "--show-current-patch", "--edit-todo")
_BACK = ("--abort",)
_MAGIC = "*?[:"


def restored(call: "Git", names: "Iterable[str] | None", cause: str) -> None:
    if names is None:
        call.walk.leave(f"{cause}: git does not say which files")
        return
    for name in list(names)[:MOST]:
        call.walk.path(call.step, name, RESTORE, cause=cause, follow=False)


def whole(call: "Git", revisions: "list[str]", cause: str) -> None:
    """The files that differ, when any lane asks."""
    if call.worktree:
        put_elsewhere(call, revisions, [], cause)
    elif gitask.matters(call.walk, call.top()):
        for given in [revisions] if revisions else [[], *[[r] for r in call.walk.indexed]]:
            restored(call, gitask.changed(call.walk, call.where, given), cause)


def put_elsewhere(call: "Git", revisions: "list[str]", paths: "list[str]", cause: str) -> None:
    """A work tree that is not the repository's own: what git holds under one name lands under another."""
    revision = revisions[-1].rpartition("...")[2] if revisions else "HEAD"
    words = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", revision]
    plain = [p for p in paths if not set(p) & set(_MAGIC) and normal(p) != "."]
    for path in plain:
        call.path(path, cause=cause, follow=False)
    out = gitask.ask(call.walk, call.home, words) if gitask.plain([revision]) else None
    if out is None and len(plain) < max(1, len(paths)):
        call.path(call.worktree, cause=cause, tree=True)
    for name in (out or "").split("\0")[:MOST]:
        if name and (len(plain) < max(1, len(paths)) or any([name.startswith(p.rstrip("/") + "/") for p in plain])):
            call.walk.path(call.step, join(call.worktree, name), cause=cause, follow=False)


def some(call: "Git", revisions: "list[str]", words: "list[Word]", cause: str) -> None:
    """Named paths: what git says would change among them; where it cannot say, the paths themselves."""
    paths = [w.text for w in words if w.text is not None]
    for word in words:
        if word.text is None:
            call.walk.touch(call.step, word, RESTORE, cause=cause)
    if not paths:
        return
    if call.worktree:
        put_elsewhere(call, revisions, paths, cause)
        return
    for given in [revisions] if revisions else [[], *[[r] for r in call.walk.indexed]]:
        names = gitask.changed(call.walk, call.where, given, paths)
        if names is None:
            names = [join(call.where, p) for p in paths if not set(p) & set(_MAGIC)]
        restored(call, names, cause)
    if not revisions:
        restored(call, call.walk.staged, cause)


def into_index(call: "Git", revision: "str | None") -> None:
    """A later checkout of this command brings what the index was given; HEAD is what it mostly holds anyway."""
    if revision not in (None, "HEAD") and gitask.is_revision(call.walk, call.home or call.where, revision):
        call.walk.indexed.append(str(revision))


def divided(call: "Git") -> "tuple[list[Word], list[Word] | None]":
    """(words before `--`, paths behind it or None)"""
    for at, word in enumerate(call.words):
        if word.text == "--":
            return call.words[:at], call.words[at + 1 :]
    return call.words, None


def checkout(call: "Git") -> None:
    before, paths = divided(call)
    row = {
        "value": ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
        "glued": ("-t", "--track", "--recurse-submodules"),
    }
    args = words_of.scan(before, row)
    listed = args.value("--pathspec-from-file")
    if listed is not None and listed.text is not None:
        paths = [words_of.plain(line) for line in (call.walk.source(call.step, listed.text) or "").splitlines()]
    operands = args.operands
    if args.value("-b", "-B", "--orphan") is not None:
        start = operands[0].text if operands else None
        if start is not None and start != "HEAD" and args.value("--orphan") is None:
            whole(call, ["HEAD", start], "git checkout")
        return
    if paths is None and not _is_switch(call, operands):
        first = operands and gitask.is_revision(call.walk, call.where, operands[0].text)
        paths = operands[1:] if first and len(operands) > 1 else operands
        operands = operands[:1] if first and len(operands) > 1 else []
    if paths is not None:
        some(call, [operands[0].text] if operands and operands[0].text else [], paths, "git checkout")
        return
    force = args.has(("-f", "--force"))
    if operands and operands[0].text is not None:
        target = "@{-1}" if operands[0].text == "-" else operands[0].text
        whole(call, [target] if force else ["HEAD", target], "git checkout")
    elif force:
        whole(call, ["HEAD"], "git checkout -f")


def _is_switch(call: "Git", operands: "list[Word]") -> bool:
    """One operand that names a revision, or a remote's branch that git would make one of."""
    if len(operands) != 1:
        return not operands
    text = operands[0].text
    if text is None or text == "-":
        return True
    if gitask.is_revision(call.walk, call.where, text):
        return True
    return call.walk.world.lstat(join(call.where, text)) is None and not set(text) & set(_MAGIC) and text != "."


def switch(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {"value": ("-c", "-C", "--create", "--force-create", "--orphan", "--conflict"), "glued": ("-t", "--track")},
    )
    new = args.value("-c", "-C", "--create", "--force-create") is not None
    operands = [w for w in args.operands if w.text is not None]
    if operands and operands[0].text is not None and args.value("--orphan") is None:
        target = "@{-1}" if operands[0].text == "-" else operands[0].text
        if not (new and target == "HEAD"):
            force = args.has(("-f", "--force", "--discard-changes"))
            whole(call, [target] if force else ["HEAD", target], "git switch")


def restore(call: "Git") -> None:
    before, paths = divided(call)
    args = words_of.scan(before, {"value": ("-s", "--source", "--conflict", "--pathspec-from-file")})
    source = args.value("-s", "--source")
    if args.has(("-S", "--staged")) and not args.has(("-W", "--worktree")):
        into_index(call, source.text if source is not None else None)
        return
    revisions = (
        [source.text]
        if source is not None and source.text is not None
        else ["HEAD"]
        if args.has(("-S", "--staged"))
        else []
    )
    listed = args.value("--pathspec-from-file")
    words = args.operands + (paths or [])
    if listed is not None and listed.text is not None:
        words += [words_of.plain(line) for line in (call.walk.source(call.step, listed.text) or "").splitlines()]
    some(call, revisions, words, "git restore")


def reset(call: "Git") -> None:
    before, _ = divided(call)
    args = words_of.scan(before, {})
    if not args.has(("--hard", "--merge", "--keep")):
        into_index(call, args.operands[0].text if args.operands else None)
        return
    target = args.operands[0].text if args.operands else "HEAD"
    if target is not None:
        whole(call, [target] if args.has(("--hard",)) else ["HEAD", target], "git reset --hard")


def _revisions(call: "Git", values: "tuple[str, ...]") -> "tuple[list[str], bool]":
    """(operands that are known, whether the call only goes on with or ends something begun)"""
    args = words_of.scan(call.words, {"value": values, "glued": ("-S", "--gpg-sign", "--log")})
    for text in args.values(("-x", "--exec")):
        call.walk.text(call.step, text.rough, cwd=call.where)
    if args.has(_BACK):
        whole(call, ["HEAD"], "git --abort")
    return [w.text for w in args.operands if w.text is not None], args.has(_GO_ON + _BACK)


def stash(call: "Git") -> None:
    from guards.shell import gitstash

    gitstash.stash(call)


def merge(call: "Git") -> None:
    revisions, ended = _revisions(
        call, ("-m", "-F", "--file", "-s", "--strategy", "-X", "--strategy-option", "--into-name")
    )
    for revision in [] if ended else revisions or ["@{upstream}"]:
        whole(call, [f"HEAD...{revision}"], "git merge")


def pull(call: "Git") -> None:
    """What is at hand of the remote's branch; what the pull would fetch first is not known."""
    revisions, ended = _revisions(
        call, ("-s", "--strategy", "-X", "--strategy-option", "-j", "--jobs", "--depth", "-o", "--upload-pack")
    )
    if ended:
        return
    call.walk.leave("git pull: what it would fetch is not known")
    known = "/".join(revisions[:2]) if len(revisions) > 1 else "@{upstream}"
    if ":" not in known:
        whole(call, [f"HEAD...{known}"], "git pull")


def rebase(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {"value": ("--onto", "-x", "--exec", "-s", "--strategy", "-X", "--strategy-option", "-C", "--whitespace")},
    )
    revisions, ended = _revisions(call, ("--onto", "-x", "--exec", "-s", "--strategy", "-X", "--strategy-option", "-C"))
    if ended:
        return
    onto = args.value("--onto")
    base = onto.text if onto is not None and onto.text is not None else revisions[0] if revisions else "@{upstream}"
    whole(call, ["HEAD", base] if onto is not None else [f"HEAD...{base}"], "git rebase")
    if len(revisions) > 1:
        whole(call, ["HEAD", revisions[1]], "git rebase")


def pick(call: "Git") -> None:
    revisions, ended = _revisions(
        call, ("-m", "--mainline", "-s", "--strategy", "-X", "--strategy-option", "--cleanup")
    )
    if ended:
        return
    for revision in revisions:
        if ".." in revision:
            whole(call, revision.split("..", 1), "git cherry-pick")
        else:
            whole(call, [revision + "^", revision], "git cherry-pick")


def read_tree(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": ("--index-output", "--exclude-per-directory")})
    into_index(call, args.operands[-1].text if args.operands else None)
    if args.has(("-u",)) and args.operands and args.operands[-1].text is not None:
        whole(call, ["HEAD", args.operands[-1].text], "git read-tree -u")
    prefix = next((n for n, _ in args.options if n.startswith("--prefix")), "")
    value = args.value(prefix) if prefix else None
    if value is not None:  # other names than git holds them under, for the next checkout at the latest
        call.touch(value, cause="git read-tree --prefix")


def checkout_index(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": ("--prefix", "--stage")})
    prefix = args.value("--prefix")
    if args.has(("--stdin",)):
        text = call.walk.arriving(call.step)
        if text is None:
            call.walk.opaque(call.step, call.words, "git checkout-index: the names are not known")
        args.operands += [words_of.plain(name) for name in (text or "").replace("\0", "\n").splitlines()]
    if prefix is not None:
        for word in args.operands:
            call.path((prefix.text or "") + (word.text or ""), cause="git checkout-index --prefix")
        if prefix.text is None or args.has(("-a", "--all")):
            call.touch(prefix, cause="git checkout-index --prefix")
    elif args.has(("-a", "--all")):
        whole(call, [], "git checkout-index")
    else:
        some(call, [], args.operands, "git checkout-index")


def bisect(call: "Git") -> None:
    verb, *rest = [w.text for w in call.words] or [None]
    if verb == "run":
        call.walk.inner(call.step, call.words[1:], call.where)
    elif verb == "start":
        revisions = [r for r in rest if r is not None and r[:1] != "-"]
        if len(revisions) > 1:
            whole(call, [revisions[1], revisions[0]], "git bisect")
    else:
        call.walk.leave("git bisect: which commit comes next is not known")


def sparse(call: "Git") -> None:
    """What is taken out of the work tree or put back into it is not worked out: every tracked file may be."""
    verb = call.words[0].text if call.words else None
    if verb not in ("list", "check-rules", None) and gitask.matters(call.walk, call.top()):
        restored(call, gitask.listed(call.walk, call.top(), ["ls-files", "-z"]), f"git sparse-checkout {verb}")


VERBS: "dict[str, Callable[[Git], None]]" = {
    "checkout": checkout, "switch": switch, "restore": restore, "reset": reset, "stash": stash, "merge": merge,
    "pull": pull, "rebase": rebase, "cherry-pick": pick, "revert": pick, "read-tree": read_tree,
    "checkout-index": checkout_index, "bisect": bisect, "sparse-checkout": sparse,
}  # fmt: skip
