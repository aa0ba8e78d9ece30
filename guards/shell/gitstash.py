"""git stash: what a push takes out of the work tree, and what an entry brings back.

An entry that the command itself put aside gives back what was there: its push was judged. A push that may not run, or
that finds nothing to put aside, makes none, so that a pop takes an older entry: git is asked which files that holds.
"""

from guards.engine.event import EXACT
from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell import gitask, gittree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.gitverbs import Git
    from guards.shell.steps import Word


_PARTS = ("-S", "--staged", "-p", "--patch", "--pathspec-from-file")
_LOOKS = ("status", "diff", "log", "show", "fetch", "branch", "rev-parse", "stash", "add", "ls-files")


def stash(call: "Git") -> None:
    verb = call.words[0].text if call.words and (call.words[0].text or "-")[:1] != "-" else "push"
    before, paths = gittree.divided(call)
    args = words_of.scan(
        before[1:] if call.words and call.words[0].text == verb else before,
        {"value": ("-m", "--message", "--pathspec-from-file")},
    )
    if verb in ("pop", "apply", "branch"):
        operands = args.operands[1:] if verb == "branch" else args.operands
        entry = _entry(call, (operands[0].text if operands else None) or "0", gone=verb != "apply")
        if entry and gitask.plain([entry]) and gitask.matters(call.walk, call.top()):
            gittree.restored(call, gitask.changed(call.walk, call.where, [entry + "^1", entry]), f"git stash {verb}")
            untracked = gitask.listed(
                call.walk,
                call.where,
                ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "--end-of-options", entry + "^3"],
            )
            gittree.restored(call, untracked or [], f"git stash {verb}")
    elif verb in ("drop", "clear"):
        _entry(call, (args.operands[0].text if args.operands else None) or "0", gone=True)
    elif verb in ("push", "save"):
        if not args.has(_PARTS):
            _shelve(call, args.operands if verb == "push" else [], paths)
        if paths or (verb == "push" and args.operands):
            gittree.some(call, ["HEAD"], paths or args.operands, "git stash")
        elif not args.has(("-S", "--staged")):
            gittree.whole(call, ["HEAD"], "git stash")
        if args.has(("-u", "--include-untracked", "-a", "--all")) and gitask.matters(call.walk, call.top()):
            gittree.restored(
                call,
                gitask.listed(call.walk, call.where, ["ls-files", "-z", "--full-name", "-o", "--exclude-standard"]),
                "git stash -u",
            )


def _shelve(call: "Git", operands: "list[Word]", paths: "list[Word] | None") -> None:
    """Counts the entry that a push surely makes: one with nothing to put aside makes none."""
    if not call.step.sure or call.worktree or _stirred(call):
        return
    chosen = [w.text for w in [*operands, *(paths or [])] if w.text is not None]
    if gitask.matters(call.walk, call.top()) and gitask.changed(call.walk, call.where, ["HEAD"], chosen):
        call.walk.kept["shelved"] = call.walk.kept.get("shelved", 0) + 1


def _stirred(call: "Git") -> bool:
    """Whether an earlier step may have changed what there is to put aside: git is asked before the command runs."""
    top = call.top().rstrip("/") + "/"
    if any([e.certainty != EXACT or normal(join(e.cwd, e.path)).startswith(top) for e in call.walk.effects]):
        return True
    verbs = [c.argv[1].text for c in call.walk.commands if len(c.argv) > 1 and c.argv[0].text == "git"]
    return any([verb not in _LOOKS for verb in verbs])


def _entry(call: "Git", text: str, *, gone: bool) -> str:
    """The entry as git counts it before the command; "" for one of the command's own, which gives back what was there.

    What its push took away was judged there.
    """
    place = text.removeprefix("stash@{").removesuffix("}")
    if not place.isdigit():
        return text
    mine: int = call.walk.kept.get("shelved", 0)
    if int(place) < mine:
        call.walk.kept["shelved"] = mine - gone
        return ""
    return f"stash@{{{int(place) - mine}}}"
