"""rsync, scp and other copies that may end on another machine; curl and wget."""

from guards.engine.event import DELETE
from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell import copying, placed
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

_WGET = frozenset({"logfile", "outputdocument", "dirprefix", "savecookies", "warcfile", "rejectedlog", "hstsfile"})
DRY = ("-n", "--dry-run", "--list-only", "--help", "--version")


def remote(text: str) -> bool:
    """host:path, user@host::module, s3://bucket: not a file of this machine."""
    return "://" in text or ":" in text.partition("/")[0]


def rsync(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    for value in args.values(("-e", "--rsh")):
        walk.text(step, value.rough)
    if args.has(DRY) or len(args.operands) < 2:
        return
    named(walk, step, args, row)
    *sources, target = args.operands
    if args.has(("--remove-source-files",)):
        for source in sources:
            walk.touch(step, source, DELETE, cause="rsync --remove-source-files", tree=True)
    if target.text is None:
        walk.unknown(step, target, "write", "rsync")
        return
    if remote(target.text):
        return
    gone = any([name.startswith("--del") for name, _ in args.options])
    if gone:
        walk.path(step, target.text, DELETE, cause="rsync --delete", tree=True)
    listed = args.value("--files-from")
    if listed is not None:
        names = walk.arriving(step) if listed.text == "-" else walk.source(step, listed.text or "")
        for name in (names or "").splitlines():
            walk.path(step, join(target.text, name.lstrip("/")), cause="rsync --files-from")
        if names is not None:
            return
    deep = args.has(("-r", "--recursive", "-a", "--archive")) or args.value("--files-from") is not None
    links = args.has(("-l", "--links", "-a", "--archive")) and not args.has(("-L", "--copy-links"))
    for source in sources:
        _synced(walk, step, source, target.text, deep, args.has(("-R", "--relative")), len(sources) > 1, links)


def _synced(
    walk: "Walk", step: "Step", source: "Word", target: str, deep: bool, relative: bool, many: bool, links: bool
) -> None:
    """A source with a slash at its end stands for what it holds."""
    text = source.text
    if text is None or remote(text):
        walk.path(step, target, cause="rsync")
        if text is not None and walk.is_dir(step, target):
            walk.path(step, join(target, text.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]), cause="rsync")
        return
    folder = walk.is_dir(step, text.rstrip("/") or "/")
    name = text if relative else text.rstrip("/").rsplit("/", 1)[-1]
    if folder and text[-1:] == "/" and not relative:
        place = target
    elif many or walk.is_dir(step, target) or target[-1:] == "/" or folder:
        place = join(target, name.lstrip("/"))
    else:
        place = target
    if folder and not deep:
        return
    walk.path(step, place, cause="rsync")
    for there in (place, target) if links else ():  # a link to a folder becomes the target itself
        placed.carry(walk, normal(walk.full(step, text)), normal(walk.full(step, there)), itself=text[-1:] != "/")
    if folder:
        copying.beneath(walk, step, text, place, "rsync", links)


def scp(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The last operand, when it is on this machine; what comes from elsewhere has the name it has there."""
    args = words_of.scan(words, row)
    operands = args.operands
    while operands and operands[0].text in ("cp", "mv", "copy", "sync", "move", "copyto", "rsync"):
        operands = operands[1:]
    if args.has(DRY) or len(operands) < 2:
        return
    *sources, target = operands
    if target.text is None:
        walk.unknown(step, target, "write", row["id"])
        return
    if remote(target.text):
        return
    walk.path(step, target.text, cause=row["id"])
    if walk.is_dir(step, target.text):
        for source in sources:
            name = (source.text or "").rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
            if name:
                walk.path(step, join(target.text, name), cause=row["id"])
            if source.text is not None and not remote(source.text):
                copying.beneath(walk, step, source.text, join(target.text, name), row["id"])


def _name_of(url: str) -> str:
    """The file name that a download takes from its address."""
    path = url.partition("://")[2] or url
    return path.partition("?")[0].partition("#")[0].partition("/")[2].rstrip("/").rsplit("/", 1)[-1]


def curl(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has(("--help", "--version", "-V", "--manual")):
        return
    folder = args.value("--output-dir")
    for option, value in args.options:
        if value is None or option not in row["out"]:
            continue
        if option in ("-o", "--output") and folder is not None and value.text is not None and value.text[:1] != "/":
            if folder.text is None:
                walk.unknown(step, folder, "write", "curl -o")
            elif value.text not in ("-", ""):
                walk.path(step, join(folder.text, value.text), cause="curl -o")
        else:
            walk.touch(step, value, cause=f"curl {option}")
    if args.has(("-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name")):
        for word in [*args.operands, *args.values(("--url",))]:
            _named_by_url(walk, step, word, folder, "curl -O")
    for value in args.values(("-T", "--upload-file")):
        for word in [*args.operands, *args.values(("--url",))]:
            _uploaded(walk, step, value, word)
    early = [words_of.plain(path) for path in _own_settings(walk, step, ".curlrc", "CURL_HOME")]
    for config in [*early, *args.values(("-K", "--config"))]:
        _told(walk, step, walk.content(step, config) or "", row)


def _uploaded(walk: "Walk", step: "Step", file: "Word", url: "Word") -> None:
    """A file: address is a place on this machine; one that ends with a slash takes the file's name."""
    if url.rough[:5].lower() != "file:":
        return
    if url.text is None:
        walk.unknown(step, words_of.tail(url, 7 if url.rough[5:7] == "//" else 5), "write", "curl -T")
        return
    path = (url.text or "")[5:]
    path = "/" + path[2:].partition("/")[2] if path[:2] == "//" else path
    name = (file.text or "").rsplit("/", 1)[-1] if path[-1:] == "/" else ""
    walk.path(step, path + name, cause="curl -T")


def _own_settings(walk: "Walk", step: "Step", name: str, *variables: str) -> "list[str]":
    """A program's file of settings in a folder that the command set, or that the command made."""
    found = []
    for variable in (*variables, "HOME"):
        folder = step.env.get(variable) or (walk.world.home if variable == "HOME" else "")
        path = normal(join(folder, name)) if folder else ""
        moved = folder and folder not in (walk.world.plain_env(variable), walk.world.home)
        if path and (moved or path in step.files or path in walk.copies):
            found.append(path)
    return found


def _told(walk: "Walk", step: "Step", text: str, row: "dict[str, Any]") -> None:
    """A file of options for curl: a name and a value to a line, with dashes before the name or without."""
    words: list[Word] = []
    for line in text.splitlines():
        bare = line.strip().lstrip("-")
        key, _, value = bare.replace("=", " ", 1).replace(":", " ", 1).partition(" ")
        if key and key[0] != "#" and key not in ("K", "config"):
            words.append(words_of.plain(("-" if len(key) == 1 else "--") + key))
            words += [words_of.plain(value.strip().strip("\"'"))] if value.strip() else []
    if words:
        args = words_of.scan(words, row)
        for option, each in args.options:
            if each is not None and option in row["out"]:
                walk.touch(step, each, cause=f"curl {option}")


def _named_by_url(
    walk: "Walk", step: "Step", url: "Word", folder: "Word | None", cause: str, *, fresh: bool = False
) -> str:
    """Touches what the address names; with `fresh` a file that is there already stays, and its path is given back."""
    base = "." if folder is None else folder.text
    if base is None:
        walk.unknown(step, folder or url, "write", cause)
        return ""
    name = _name_of(url.text) if url.text is not None else ""
    path = join(base, name) if name else base
    if fresh and name and walk.exists(step, path):
        return path
    walk.path(step, path, cause=cause)
    return ""


def wget(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has(("--help", "--version", "-V")):
        return
    named(walk, step, args, row)
    rc = step.env.get("WGETRC")
    texts = [v.rough for v in args.values(("-e", "--execute"))]
    texts += [walk.source(step, path) or "" for path in [rc or "", *_own_settings(walk, step, ".wgetrc")] if path]
    for line in [line for text in texts for line in text.splitlines()]:
        _setting(walk, step, line)
    if args.has(row["unless"]) or args.value("-O", "--output-document") is not None:
        return
    folder = args.value("-P", "--directory-prefix")
    if folder is not None:
        walk.touch(step, folder, cause="wget -P")
    if args.has(("-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites", "-x", "--force-directories")):
        walk.touch(step, folder or words_of.plain("."), cause="wget -r")
        return
    again = args.has(("-N", "--timestamping", "-c", "--continue"))
    for word in args.operands:
        path = _named_by_url(walk, step, word, folder, "wget", fresh=not again)
        if path and not again and not args.has(("-nc", "--no-clobber")):
            walk.path(step, path + ".1", cause="wget")


def _setting(walk: "Walk", step: "Step", line: str) -> None:
    """A line of wget's settings: its names know neither dashes nor capitals."""
    name, equals, value = line.partition("=")
    if equals and name.strip().lower().replace("_", "").replace("-", "") in _WGET:
        walk.path(step, value.strip(), cause="wget -e")
