"""mkdir, rm and copies: which folders are there afterwards, and whether the command is sure to succeed.

What would fail for the same reason in every form of the text is not looked for; a path that cannot be made (beneath
a file, in a folder of the system, of somebody else) leaves the status not known.
"""

from guards.engine.world import is_dir, join, normal
from guards.shell.known import absolute
from guards.shell.state import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.steps import Step, Word

UNMADE = ("/proc/", "/sys/", "/dev/")
MOST = 1000  # paths that globs are held against


def status(m: "Any", step: "Step") -> "bool | None":
    """True where nothing is seen that speaks against it."""
    flags, operands = apart(step)
    paths = [absolute(step.cwd, word) for word in operands]
    if not paths or None in paths:
        return None
    if step.name == "rm":
        return True if "f" in flags and all([removable(m, path or "") for path in paths]) else None
    made = all([makes(m, path or "", "p" in flags, len(m.steps) - 1) for path in paths])
    if not made:
        return None
    for path in paths:
        here = path or ""
        while here and here not in m.folders and not is_dir(m.world.stat(here)):
            m.folders[here] = ""
            if len(m.created) < MOST:
                m.created.append(here)
            here = here.rpartition("/")[0]
        m.folders[path] = ""
    return True


def apart(step: "Step") -> "tuple[str, list[Word]]":
    """The letters of the options, and the operands."""
    flags = ""
    operands: list[Word] = []
    ended = False
    for word in step.argv[1:]:
        text = word.text if word.text is not None else "x"
        if ended or text[:1] != "-" or text == "-":
            operands.append(word)
        elif text == "--":
            ended = True
        elif text[:2] != "--":
            flags += text[1:]
        else:
            flags += {"--parents": "p", "--force": "f", "--recursive": "r", "--archive": "a"}.get(text, "?")
    if "m" in flags and operands:  # mkdir -m MODE
        operands = operands[1:]
    return flags, operands


def makes(m: "Any", path: str, parents: bool, upto: int) -> bool:
    from guards.shell import folders

    info = m.world.stat(path)
    there = path in m.folders or (info is not None and not folders.gone(m, path, upto))
    if there:
        return parents and (path in m.folders or is_dir(info))
    return makeable(m, path) and (parents or stands(m, path.rpartition("/")[0] or "/"))


def stands(m: "Any", path: str) -> bool:
    """Whether a folder is there when the step runs."""
    return known(m, path) or is_dir(m.world.stat(path))


def known(m: "Any", path: str) -> bool:
    """Whether the text made this folder, or copied a tree in which it is."""
    if path in m.folders or path in OWN:
        return True
    here = path
    while "/" in here:
        here = here.rpartition("/")[0]
        source = m.folders.get(here)
        if source:
            return is_dir(m.world.stat(source + path[len(here) :]))
    return False


def makeable(m: "Any", path: str) -> bool:
    """Whether something can be made there, as far as the disk tells."""
    here = path
    while here:
        here = here.rpartition("/")[0]
        if known(m, here):
            return True
        info = m.world.lstat(here or "/")
        if info is not None:
            folder = m.world.stat(here or "/")
            return is_dir(folder) and writable(folder) and not (here + "/").startswith(UNMADE[: 2 + (here == "/dev")])
    return False


def writable(info: "Any") -> bool:
    import posix

    uid = posix.geteuid()
    mode = info.st_mode
    if uid == 0 or mode & 0o002:
        return True
    return bool(mode & 0o200) if info.st_uid == uid else bool(mode & 0o020) and info.st_gid in posix.getgroups()


def removable(m: "Any", path: str) -> bool:
    info = m.world.lstat(path)
    if info is None:
        return makeable(m, path)
    import posix

    own = posix.geteuid() == 0 or info.st_uid == posix.geteuid()
    return own and writable(m.world.stat(path.rpartition("/")[0] or "/")) and not (path + "/").startswith(UNMADE)


def copied(m: "Any", step: "Step") -> None:
    """Where a folder is found that cp -r, mv or ln -s brings."""
    flags, operands = apart(step)
    target = absolute(step.cwd, operands[-1]) if operands else None
    if target is None or (step.name == "cp" and not {"r", "R", "a"} & set(flags)):
        return
    if step.name == "install":
        for word in operands if "d" in flags else ():
            path = absolute(step.cwd, word)
            if path is not None and makeable(m, path):
                m.folders[path] = ""
        return
    inside = stands(m, target)
    for word in operands[:-1]:
        source = absolute(step.cwd, word)
        if source is None or not makeable(m, target + "/x" if inside else target) or not stands(m, source):
            continue
        last = (word.text or "").rstrip("/").rpartition("/")[2]
        at = normal(join(target, last)) if inside and last not in (".", "..") else target
        m.folders[at] = m.folders.get(source) or source
