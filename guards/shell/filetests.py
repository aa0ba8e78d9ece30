"""`[ -f PATH ]` and its kin: what the disk says, where nothing could change it between the look and the run.

Answered only in the outermost text, for a path that is known in a directory that is there, after commands that only
read. In a loop whose turns are not followed one by one, beside a background job or in a pipeline the status stays
unknown: something else may have made the file by then.
"""

from guards.engine.world import is_dir, is_file, is_link, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step

WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
# programs that leave every file as it is, and end by themselves at once
QUIET = frozenset(
    ": [ [[ basename cat cd command cut date declare dirname echo env exit export false file getopts git grep head"  # noqa: SIM905
    " hostname id jq local ls nproc popd printf printenv pushd pwd readlink readonly realpath return rg set shift"
    " shopt stat test tr true type typeset umask uname unset wc which whoami".split()
)
ASKING = frozenset({"status", "rev-parse", "log", "show", "diff", "ls-files", "describe"})
HANDS_ON = frozenset({"env", "command"})
OPS = frozenset({"-e", "-f", "-d", "-L", "-h", "-s"})


def answer(m: "Any", op: str, path: str) -> "bool | None":
    """The status of a test of one path; None where the disk does not tell."""
    cwd = m.state.cwd
    if op not in OPS or not m.still or not path or not quiet(m):
        return None
    if path[0] != "/" and (cwd is None or not is_dir(m.world.stat(cwd))):
        return None
    full = join(cwd or "/", path)
    for made in m.folders:
        if (made + "/").startswith(full + "/") or full.startswith(made + "/"):
            return None
    if op in ("-L", "-h"):
        return is_link(m.world.lstat(full))
    info = m.world.stat(full)
    if op == "-f":
        return is_file(info)
    if op == "-d":
        return is_dir(info)
    return info is not None and (op == "-e" or info.st_size > 0)


def quiet(m: "Any") -> bool:
    """Whether everything the text did so far only read."""
    steps = m.steps
    while m.looked < len(steps):
        if not reads(steps[m.looked]) and not makes(m, steps[m.looked]):
            m.still = False
            return False
        m.looked += 1
    return True


def makes(m: "Any", step: "Step") -> bool:
    """Whether it is mkdir, which makes folders alone: `answer` looks at those."""
    if step.name != "mkdir" or step.redirects:
        return False
    from guards.shell import making
    from guards.shell.known import absolute

    paths = [absolute(step.cwd, word) for word in making.apart(step)[1]]
    return bool(paths) and all([path in m.folders for path in paths])


def reads(step: "Step") -> bool:
    for redirect in step.redirects:
        if redirect.op in WRITES:
            text = redirect.target.text if redirect.target is not None else None
            if text is None or not text.startswith("/dev/"):
                return False
    argv = step.argv
    if not argv:
        return True
    name = argv[0].text
    if name not in QUIET or (name in HANDS_ON and len(argv) > 1 and not _shown(argv[1].text)):
        return False
    return name != "git" or (len(argv) > 1 and argv[1].text in ASKING)


def _shown(word: "str | None") -> bool:
    return word in ("-v", "-V")
