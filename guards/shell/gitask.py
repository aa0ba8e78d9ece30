"""git, asked: which files a checkout, merge or stash would change. Read-only, bounded, without locks, hooks or
monitors.

Asked only where an answer can matter: where a lane holds against `restore`, or a path that is never freed lies
beneath the repository. The agent's own command gives the revisions, so a word that looks like an option is never
handed on.
"""

import marshal

from guards.engine.world import join, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk

SECONDS = 1.5
ASKED = 12  # questions in one command
OUTPUT = 4 << 20
SAFE = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "diff.external=",
    "-c",
    "core.pager=cat",
]


def ask(walk: "Walk", where: str, words: "list[str]") -> "str | None":
    """Git's output, or None when it failed, was not there, or was asked too often."""
    asked = walk.asked
    key = (where, *words)
    if key in asked:
        return asked[key]
    if len(asked) >= ASKED:
        walk.leave("git: asked too often")
        return None
    env = {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "PATH": walk.world.plain_env("PATH") or "/usr/bin:/bin",
    }
    home = walk.world.plain_env("HOME") or walk.world.home
    if home:
        env["HOME"] = home
    code, out = walk.world.run(["git", "--no-optional-locks", *SAFE, *words], where, SECONDS, OUTPUT, env)
    asked[key] = out.decode("utf-8", "replace") if code == 0 else None
    return asked[key]


def root(walk: "Walk", where: str) -> str:
    """The folder above that holds a .git; "" outside of any repository."""
    here = walk.world.real(where) or normal(where)
    while True:
        if walk.world.lstat(join(here, ".git")) is not None:
            return here
        if here == "/":
            return ""
        here = here.rpartition("/")[0] or "/"


def matters(walk: "Walk", top: str) -> bool:
    """Whether anything beneath the repository is held against `restore`."""
    rules = walk.world.rules("human-lane", top)
    if not isinstance(rules, dict) or "more" not in rules:
        return True
    if any([path.startswith(top.rstrip("/") + "/") for path, _ in rules.get("marked", ())]):
        return True
    lanes = marshal.loads(rules["more"])["lanes"]
    return any(["restore" in lane["acts"] and lane["approval"] == "pattern" for lane in lanes])


def plain(texts: "list[str | None]") -> bool:
    """Whether revisions are known and none could be taken for an option."""
    return all([t is not None and t != "" and t[:1] != "-" for t in texts])


def changed(walk: "Walk", where: str, revisions: "list[str]", paths: "list[str] | None" = None) -> "list[str] | None":
    """The names that differ, as absolute paths: between two revisions, or between one and the work tree."""
    from guards.shell import gitmoves

    revisions = [gitmoves.since(walk, r) for r in revisions]
    if not plain(list(revisions)):
        return None
    words = [
        "diff",
        "--name-only",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        *revisions,
        "--",
        *(paths or []),
    ]
    out = ask(walk, where, words)
    top = root(walk, where)
    return None if out is None else [join(top, name) for name in out.split("\0") if name]


def is_revision(walk: "Walk", where: str, text: "str | None") -> bool:
    if text is None or not plain([text]):
        return False
    return ask(walk, where, ["rev-parse", "--verify", "--quiet", "--end-of-options", text + "^{tree}"]) is not None


def listed(walk: "Walk", where: str, words: "list[str]") -> "list[str] | None":
    """Names that a listing command gives with -z, as absolute paths."""
    out = ask(walk, where, words)
    top = root(walk, where)
    return None if out is None else [join(top, name) for name in out.split("\0") if name]
