"""Verbs of git that write or remove files which git does not already hold: patches, moves, new repositories,
settings.
"""

from guards.engine.event import DELETE
from guards.engine.world import is_dir, join, normal
from guards.shell import args as words_of
from guards.shell import gitask, gitruns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.args import Args
    from guards.shell.gitverbs import Git
    from guards.shell.steps import Step


def apply(call: "Git") -> None:
    """Git apply: the files of the patch, on standard input or at hand."""
    args = words_of.scan(
        call.words,
        {"value": ("-p", "--directory", "--exclude", "--include", "-C", "--build-fake-ancestor", "--whitespace")},
    )
    if args.has(("--check", "--stat", "--numstat", "--summary")) and not args.has(("--apply",)):
        return
    _patches(call, args, "git apply", cached=args.has(("--cached",)))


def am(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {
            "value": ("-p", "--directory", "--exclude", "--include", "-C", "--whitespace", "--patch-format", "--empty"),
            "glued": ("-S", "--gpg-sign"),
        },
    )
    if args.has(("--abort", "--skip", "--quit", "--continue", "-r", "--resolved", "--show-current-patch")):
        return
    _patches(call, args, "git am")


def _patches(call: "Git", args: "Args", cause: str, *, cached: bool = False) -> None:
    """`cached`: only git's index takes it, which a later checkout of this command puts into the work tree."""
    from guards.shell import patching

    level, folder = args.value("-p"), args.value("--directory")
    depth = int(level.text) if level is not None and (level.text or "").isdigit() and level.text else 1
    base = folder.text if folder is not None and folder.text else ""
    top = call.top()
    for file in args.operands or [words_of.plain("-")]:
        text = call.walk.content(_at(call), file)
        if text is None:
            if cached:
                continue
            named = [] if file.text == "-" else [file]
            call.walk.opaque(call.step, named, f"{cause}: the patch is not at hand")
            continue
        for name, act in patching.names(text, depth).items():
            if folder is not None and folder.text is None:
                call.walk.touch(call.step, patching.beneath(folder, name), act, cause=cause)
            elif _wanted(name, args) and cached:
                call.walk.staged.append(join(top, join(base, name) if base else name))
            elif _wanted(name, args):
                call.walk.path(call.step, join(top, join(base, name) if base else name), act, cause=cause)


def _at(call: "Git") -> "Step":
    """The step in the folder that git runs in, with its input and its place in the pipe."""
    from guards.shell.stepping import derive

    inner = derive(call.step, call.step.argv, call.where)
    return call.step if call.step.cwd == call.where else inner


def _wanted(name: str, args: "Args") -> bool:
    """--include and --exclude take part of a patch."""
    from guards.shell.globs import match

    only = [v.text for v in args.values(("--include",)) if v.text]
    without = [v.text for v in args.values(("--exclude",)) if v.text]
    return (not only or any([match(p, name) for p in only])) and not any([match(p, name) for p in without])


def remove(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": ("--pathspec-from-file",)})
    if args.has(("--cached", "-n", "--dry-run")):
        return
    for word in args.operands:
        if word.text is not None and set(word.text) & set("*?[:") and word.text[:1] != "-":
            for name in gitask.listed(call.walk, call.where, ["ls-files", "-z", "--full-name", "--", word.text]) or []:
                call.walk.path(call.step, name, DELETE, cause="git rm", follow=False)
        else:
            call.touch(word, DELETE, cause="git rm", follow=False, tree=args.has(("-r",)))


def move(call: "Git") -> None:
    args = words_of.scan(call.words, {})
    if args.has(("-n", "--dry-run")) or len(args.operands) < 2:
        return
    *sources, target = args.operands
    for source in sources:
        call.touch(source, DELETE, cause="git mv", follow=False, tree=True)
        if target.text is None:
            call.touch(target, cause="git mv")
        else:
            folder = target.text.endswith("/") or is_dir(call.walk.world.stat(join(call.where, target.text)))
            name = (source.text or "").rstrip("/").rsplit("/", 1)[-1]
            path = join(target.text, name) if folder and name else target.text
            call.path(path, cause="git mv", follow=False)
            if source.text is not None:
                from guards.shell import copying, placed

                placed.carry(call.walk, normal(join(call.where, source.text)), normal(join(call.where, path)))
                copying.beneath(call.walk, _at(call), source.text, path, "git mv", links=True)


def clean(call: "Git") -> None:
    """Asks git what it would remove."""
    args = words_of.scan(call.words, {"value": ("-e", "--exclude")})
    if args.has(("-n", "--dry-run")) or not args.has(("-f", "--force")):
        return
    if call.worktree:
        call.path(call.worktree, DELETE, cause="git clean", tree=True)
        return
    flags = [f for f in ("-d", "-x", "-X") if args.has((f,))]
    paths = [w.text for w in args.operands if w.text is not None]
    kept = [f"--exclude={v.text}" for v in args.values(("-e", "--exclude")) if v.text]
    out = gitask.ask(call.walk, call.where, ["clean", "-n", *flags, *kept, "--", *paths])
    if out is None:
        for word in args.operands:
            call.touch(word, DELETE, cause="git clean", tree=True)
        return
    from guards.shell.patching import unquote

    for line in out.splitlines():
        if line.startswith("Would remove "):
            name = line[13:]
            name = unquote(name[1:-1]) if name[:1] == '"' else name
            call.path(name, DELETE, cause="git clean", follow=False, tree=name.endswith("/"))


def init(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {
            "value": ("--template", "--separate-git-dir", "-b", "--initial-branch", "--object-format", "--ref-format"),
            "glued": ("--shared",),
        },
    )
    base = args.operands[0].text if args.operands else "."
    if base is None:
        return
    path = base if args.has(("--bare",)) else join(base, ".git")
    if call.walk.world.lstat(normal(join(call.where, path))) is None or args.has(("--bare",)):
        call.path(path, cause="git init")
    _template(call, args, path)
    separate = args.value("--separate-git-dir")
    if separate is not None:
        call.touch(separate, cause="git init --separate-git-dir")
        call.path(path, cause="git init --separate-git-dir")


def _template(call: "Git", args: "Args", place: str) -> None:
    """Hooks of a template: they go into a repository that is there already, and run in the new one."""
    template = args.value("--template")
    if template is None or template.text is None:
        return
    from guards.shell import gitverbs

    folder = join(join(call.where, template.text), "hooks")
    gitverbs.hooks(call, folder)
    if call.walk.world.lstat(normal(join(call.where, place))) is not None:
        for name in gitverbs.hook_names(call, folder):
            call.path(join(place, "hooks/" + name), cause="git --template")


def clone(call: "Git") -> None:
    values = (
        "-o", "--origin", "-b", "--branch", "--revision", "-u", "--upload-pack", "--template", "--reference",
        "--reference-if-able", "--separate-git-dir", "--depth", "--shallow-since", "--shallow-exclude", "--filter",
        "-j", "--jobs", "-c", "--config", "--server-option", "--bundle-uri",
    )  # fmt: skip
    args = words_of.scan(call.words, {"value": values, "glued": ("--recurse-submodules",)})
    for value in args.values(("-u", "--upload-pack")):
        call.walk.text(call.step, value.rough, cwd=call.where)
    _told(call, args)
    if not args.operands:
        return
    source = (args.operands[0].text or "").rstrip("/").removesuffix("/.git").removesuffix(".git")
    word = args.operands[1] if len(args.operands) > 1 else words_of.plain(source.replace(":", "/").rsplit("/", 1)[-1])
    bare = args.has(("--bare", "--mirror"))
    if word.text is None:
        call.touch(word, cause="git clone")
    elif word.text:
        call.path(word.text if bare else join(word.text, ".git"), cause="git clone")
        call.path(word.text, cause="git clone")
        _template(call, args, word.text if bare else join(word.text, ".git"))


def _told(call: "Git", args: "Args") -> None:
    """Settings of the new repository, which the clone itself goes by."""
    given = [v.rough.partition("=") for v in args.values(("-c", "--config"))]
    if given:
        from guards.shell import gitverbs

        call.config.update({key.lower(): value for key, _, value in given})
        gitverbs.settings(call)


def worktree(call: "Git") -> None:
    verb = call.words[0].text if call.words else None
    args = words_of.scan(call.words[1:], {"value": ("-b", "-B", "--reason", "--expire"), "stop": ()})
    if verb == "add":
        for word in args.operands[:1]:
            call.touch(word, cause="git worktree add")
    elif verb == "remove":
        for word in args.operands[:1]:
            call.touch(word, DELETE, cause="git worktree remove", follow=False, tree=True)
    elif verb == "move" and len(args.operands) > 1:
        call.touch(args.operands[0], DELETE, cause="git worktree move", follow=False, tree=True)
        call.touch(args.operands[1], cause="git worktree move")


def submodule(call: "Git") -> None:
    verb = next((w.text for w in call.words if (w.text or "-")[:1] != "-"), None)
    args = words_of.scan(call.words, {"value": ("-b", "--branch", "--name", "--reference", "--depth", "-j", "--jobs")})
    rest = args.operands[1:]
    if verb == "foreach":
        call.walk.text(call.step, " ".join([w.rough for w in rest]), cwd=call.where)
    elif verb == "add" and rest:
        call.walk.path(call.step, join(call.top(), ".gitmodules"), cause="git submodule add")
        name = (rest[0].text or "").rstrip("/").removesuffix(".git").rsplit("/", 1)[-1]
        word = rest[1] if len(rest) > 1 else words_of.plain(name)
        call.touch(word, cause="git submodule add")
    elif verb == "deinit":
        for word in rest:
            call.touch(word, DELETE, cause="git submodule deinit", tree=True)


def remote(call: "Git") -> None:
    """What changes the list of remotes changes .git/config."""
    verb = next((w.text for w in call.words if (w.text or "-")[:1] != "-"), None)
    if verb in ("add", "rm", "remove", "rename", "set-url", "set-branches"):
        call.walk.path(call.step, join(git_dir(call), "config"), cause=f"git remote {verb}")


def git_dir(call: "Git") -> str:
    """The folder of a repository's own files; a linked work tree's `.git` file leads to the common one."""
    top = gitask.root(call.walk, call.where) or call.where
    here = join(top, ".git")
    if is_dir(call.walk.world.stat(here)):
        return here
    data = call.walk.world.read(here, 4096) or b""
    text = data.decode("utf-8", "replace").removeprefix("gitdir:").strip()
    if not text:
        return here
    found = normal(join(top, text))
    return found.partition("/worktrees/")[0] if "/worktrees/" in found else found


def archive(call: "Git") -> None:
    args = words_of.scan(
        call.words, {"value": ("-o", "--output", "--format", "--prefix", "--remote", "--exec", "--add-file", "--mtime")}
    )
    for value in args.values(("-o", "--output")):
        call.touch(value, cause="git archive -o")


def bundle(call: "Git") -> None:
    if call.words and call.words[0].text == "create":
        for word in words_of.scan(call.words[1:], {"value": ("--version",)}).operands[:1]:
            call.touch(word, cause="git bundle")


def format_patch(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {
            "value": (
                "-o",
                "--output-directory",
                "--output",
                "--subject-prefix",
                "--start-number",
                "--suffix",
                "--to",
                "--cc",
                "--from",
                "--cover-from-description",
                "--base",
                "-v",
                "--reroll-count",
                "--interdiff",
                "--range-diff",
                "--signature-file",
                "--description-file",
            )
        },
    )
    if args.has(("--stdout",)) or args.value("--output") is not None:
        return
    folder = args.value("-o", "--output-directory")
    if folder is None and call.config.get("format.outputdirectory"):
        folder = words_of.plain(call.config["format.outputdirectory"])
    if folder is not None:
        call.touch(folder, cause="git format-patch -o")
        if folder.text is not None:
            call.path(join(folder.text, "0001-_.patch"), cause="git format-patch -o")
    else:
        call.path("0001-_.patch", cause="git format-patch")


def config(call: "Git") -> None:
    from guards.shell import gitconfig

    gitconfig.config(call)


VERBS: "dict[str, Callable[[Git], None]]" = {
    "apply": apply, "am": am, "rm": remove, "mv": move, "clean": clean, "init": init, "init-db": init, "clone": clone,
    "worktree": worktree, "submodule": submodule, "remote": remote, "archive": archive, "bundle": bundle,
    "format-patch": format_patch, "config": config, **gitruns.VERBS,
}  # fmt: skip
