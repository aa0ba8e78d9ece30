"""git: which of its verbs touch files, and how. Verbs that only read touch none but what `--output` names.

What git already holds comes back with act `restore` (gittree.py); everything else is a write or a delete
(gitfiles.py). Text that git hands to a shell (aliases, editors, filters given with -c or in the environment) comes
back to the walk.
"""

from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell.variables import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

GLOBALS = (
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env",
    "--attr-source", "--list-cmds",
)  # fmt: skip
GIVEN = 64  # hooks of a folder
EDITORS = (
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
)
# configuration whose value git runs; a pager runs on a terminal alone, and a harness's shell has none
RUNS = (
    "core.alternaterefscommand",
    "core.editor",
    "sequence.editor",
    "core.sshcommand",
    "diff.external",
    "core.askpass",
    "core.gitproxy",
    "interactive.difffilter",
    "core.fsmonitor",
    "uploadpack.packobjectshook",
    "gpg.program",
)
PAGERS = ("core.pager", "pager.")
RUNS_END = (
    ".textconv", ".clean", ".smudge", ".process", ".driver", ".command", ".cmd", ".helper", ".uploadpack",
    ".receivepack", ".program",
)  # fmt: skip
HOOKS = frozenset(
    {"applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit",
     "post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch",
     "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg",
     "proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate", "update"}
)  # fmt: skip
# verbs that touch no file of the work tree, but for what `--output` names
QUIET = frozenset(
    {"add", "annotate", "blame", "branch", "bugreport", "cat-file", "check-attr", "check-ignore", "check-mailmap",
     "check-ref-format", "cherry", "citool", "column", "commit", "commit-graph", "commit-tree", "count-objects",
     "credential", "daemon", "describe", "diagnose", "diff", "diff-files", "diff-index", "diff-tree", "fast-export",
     "fetch", "fetch-pack", "fmt-merge-msg", "for-each-ref", "for-each-repo", "fsck", "gc", "get-tar-commit-id",
     "gitk", "gui", "hash-object", "help", "http-fetch", "http-push", "index-pack", "instaweb",
     "interpret-trailers", "lfs", "log", "ls-files", "ls-remote", "ls-tree", "mailinfo", "maintenance",
     "merge-base", "merge-tree", "mktag", "mktree", "multi-pack-index", "name-rev", "notes", "pack-objects",
     "pack-refs", "patch-id", "prune", "prune-packed", "push", "range-diff", "receive-pack", "reflog", "repack",
     "replace", "request-pull", "rerere", "rev-list", "rev-parse", "send-email", "send-pack", "shortlog", "show",
     "show-branch", "show-index", "show-ref", "status", "stripspace", "symbolic-ref", "tag",
     "unpack-objects", "update-index", "update-ref", "update-server-info", "upload-pack", "var", "verify-commit",
     "verify-pack", "verify-tag", "version", "whatchanged", "write-tree"}
)  # fmt: skip
OUTPUTS = frozenset(
    {
        "diff",
        "log",
        "show",
        "whatchanged",
        "diff-tree",
        "diff-index",
        "diff-files",
        "format-patch",
        "range-diff",
        "stash",
        "reflog",
    }
)


class Git:
    """One call: the folder it runs in, its configuration, its verb and the words behind it.

    worktree  a work tree that is not the repository's own, else ""; home  the repository that is asked
    """

    __slots__ = ("config", "gitdir", "home", "lost", "step", "walk", "where", "words", "worktree")

    def __init__(self, walk: "Walk", step: "Step", where: str) -> None:
        self.walk = walk
        self.step = step
        self.where = where
        self.config: dict[str, str] = {}
        self.lost = False  # the folder is not known
        self.worktree = self.gitdir = self.home = ""
        self.words: list[Word] = []

    def top(self) -> str:
        from guards.shell import gitask

        return self.worktree or gitask.root(self.walk, self.where) or self.where

    def below(self, name: str) -> str:
        """A name as the index has it: seen from the top."""
        return join(self.top(), name)

    def touch(self, word: "Word", act: str = "write", *, cause: str, follow: bool = True, tree: bool = False) -> None:
        """A word seen from the folder git runs in."""
        if word.text is not None:
            self.path(word.text, act, cause=cause, follow=follow, tree=tree)
        else:
            self.walk.touch(self.step, word, act, cause=cause)

    def path(self, path: str, act: str = "write", *, cause: str, follow: bool = True, tree: bool = False) -> None:
        if path and path != "-":
            self.walk.path(self.step, join(self.where, path), act, cause=cause, follow=follow, tree=tree)


def git(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    call = Git(walk, step, step.cwd or walk.event.cwd)
    rest = _globals(call, words)
    if call.lost:
        walk.leave("git: the folder it runs in is not known")
        if not _reads(rest):
            walk.opaque(step, words, "git: the folder it runs in is not known")
        return
    folder = step.env.get("GIT_EXEC_PATH")
    if folder:
        _programs(call, words_of.plain(folder))
    _place(call)
    _commands(call)
    if not rest:
        return
    verb = rest[0].text
    if verb is None:
        walk.opaque(step, rest[1:], "git: the verb is not known")
        return
    call.words = rest[1:]
    run(call, verb)


def _reads(rest: "list[Word]") -> bool:
    """Whether the call changes no file of any work tree, wherever it runs."""
    quiet = not rest or rest[0].text in QUIET - {"update-index"}
    return quiet and not any([word.rough.startswith("--output") for word in rest])


def run(call: Git, verb: str, depth: int = 0) -> None:
    if any([w.text in ("--help", "-h") for w in call.words[:1]]):
        return
    if verb in OUTPUTS:
        _outputs(call, verb)
    from guards.shell import gitfiles, gitmoves, gitplain, gittree

    if verb in gitplain.OPTIONS:
        gitplain.options(call, verb)
    if verb == "update-index":
        gitplain.update_index(call)
    if verb in gitmoves.VERBS:
        gitmoves.VERBS[verb](call)
    gitmoves.transports(call)
    if verb in QUIET:
        return

    known = gittree.VERBS.get(verb) or gitfiles.VERBS.get(verb)
    if known is not None:
        known(call)
    elif depth < 4:
        _alias(call, verb, depth)


def _globals(call: Git, words: "list[Word]") -> "list[Word]":
    """Takes git's own options; the verb and what follows it."""
    at = 0
    while at < len(words):
        text = words[at].rough
        if text[:1] != "-" or text == "-":
            break
        name, equals, value = text.partition("=")
        at += 1
        word = words_of.tail(words[at - 1], len(name) + 1) if equals else None
        if name in GLOBALS and not equals and name != "--exec-path":
            word = words[at] if at < len(words) else None
            at += 1
        if name == "-C" and word is not None:
            if word.text is None:
                call.lost = True
            call.where = join(call.where, word.text or ".")
        elif name in ("--work-tree", "--git-dir") and word is not None and word.text is not None:
            if name == "--work-tree":
                call.worktree = join(call.where, word.text)
            else:
                call.gitdir = join(call.where, word.text)
        elif name == "--exec-path" and word is not None:
            _programs(call, word)
        elif name == "-c" and word is not None:
            key, _, value = word.rough.partition("=")
            call.config[key.lower()] = value
        elif name == "--config-env" and word is not None:
            key, _, value = word.rough.rpartition("=")
            call.config[key.lower()] = call.step.env.get(value) or ""
        elif name in ("--help", "--version", "--html-path", "--man-path", "--info-path"):
            return []
    return words[at:]


def _programs(call: Git, folder: "Word") -> None:
    """Git looks for `git-VERB` here first."""
    if folder.text:
        call.walk.paths[normal(join(call.where, folder.text))] = None


def _place(call: Git) -> None:
    """Which work tree is meant. With the repository's folder given and no work tree, that is where git runs."""
    from guards.shell import gitask

    env = call.step.env
    gitdir = call.gitdir or (join(call.where, env.get("GIT_DIR") or "") if env.get("GIT_DIR") else "")
    tree = call.worktree or (join(call.where, env.get("GIT_WORK_TREE") or "") if env.get("GIT_WORK_TREE") else "")
    call.worktree = ""
    if not gitdir and not tree:
        return
    folder = normal(gitdir)
    call.home = folder[:-5] or "/" if folder.endswith("/.git") else folder if gitdir else ""
    call.home = call.home or gitask.root(call.walk, call.where)
    real = call.walk.world.real
    at = normal(tree or call.where)
    within = (call.where + "/").startswith(at.rstrip("/") + "/")
    call.where = call.where if within else at
    if (real(at) or at) != (real(call.home) or call.home):
        call.worktree = at


def _commands(call: Git) -> None:
    """What the environment and -c tell git to run: it goes to the top of the work tree before."""
    top = call.top()
    shown = ("GIT_PAGER", "PAGER") if call.walk.kept.get("terminal") else ()
    for name in (*EDITORS, *shown):
        text = call.step.env.get(name)
        if text and text not in PLAIN:
            call.walk.text(call.step, text, cwd=top)
    settings(call)


def settings(call: Git) -> None:
    """Settings from the environment and from -c. Those of the environment stay for aliases."""
    from guards.shell import gitsettings

    call.config = {**gitsettings.given(call.step.env), **call.config}
    call.config = {**gitsettings.files(call), **call.config}
    top = call.top()
    shown = call.walk.kept.get("terminal")
    for key, text in call.config.items():
        if key == "core.hookspath" and text:
            hooks(call, join(top, text))
        elif shown and key.startswith(PAGERS) and text.strip() not in PLAIN:
            call.walk.text(call.step, text, cwd=call.where)
        elif (key in RUNS or key.endswith(RUNS_END)) and text.strip() not in PLAIN:
            call.walk.text(call.step, text.lstrip("!"), cwd=top)


def hooks(call: Git, folder: str) -> None:
    """Hooks from another folder: which of them run hangs on the verb, so all that are there count."""
    for name in hook_names(call, folder):
        call.walk.inner(call.step, [words_of.plain(join(folder, name))], call.top())


def hook_names(call: Git, folder: str) -> "list[str]":
    here = normal(folder)
    made = [p.rsplit("/", 1)[1] for p in (*call.walk.copies, *call.step.files) if p.rpartition("/")[0] == here]
    return [n for n in dict.fromkeys([*(call.walk.world.listdir(folder, GIVEN) or ()), *made]) if n in HOOKS]


def _outputs(call: Git, verb: str) -> None:
    """--output FILE before `--`."""
    for at, word in enumerate(call.words):
        text = word.text if word.text is not None else word.rough
        if text == "--":
            return
        if text.startswith("--output="):
            call.touch(words_of.tail(word, 9), cause=f"git {verb} --output")
        elif text == "--output" and at + 1 < len(call.words):
            call.touch(call.words[at + 1], cause=f"git {verb} --output")


def _alias(call: Git, verb: str, depth: int) -> None:
    """A verb git does not have: an alias from -c or the configuration, or a program git-VERB."""
    from guards.shell import gitask
    from guards.shell.lists import unquoted
    from guards.shell.wrappers import joined

    text = call.config.get("alias." + verb.lower())
    if text is None and verb.replace("-", "").isalnum():
        found = gitask.ask(call.walk, call.where, ["config", "--get", "alias." + verb])
        text = found.strip() if found else None
    if text is None:
        from guards.shell import starting

        program = starting.on_path(call.walk, call.step, "git-" + verb)
        if program is not None:
            call.walk.inner(call.step, [program, *call.words], call.where)
            return
        call.walk.opaque(call.step, call.words, f"git: a verb that is not in the list ({verb})")
    elif text[:1] == "!":
        call.walk.text(call.step, f"{text[1:]} {joined(call.words, quoted=True)}", cwd=call.top())
    else:
        first, *more = unquoted(text) or ["status"]
        call.words = [words_of.plain(w) for w in more] + call.words
        run(call, first, depth + 1)


def clone(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Gh repo clone REPO [FOLDER] [-- git's options]"""
    from guards.shell import gitfiles

    call = Git(walk, step, step.cwd or walk.event.cwd)
    call.words = [w for w in words if w.text != "--"]
    gitfiles.clone(call)
