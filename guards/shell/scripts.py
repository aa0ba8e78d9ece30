"""Scripts of packages and of builds: npm run and its kin, cmake -P, ninja -f.

A script is read where package.json or the build's file is at hand, or where the same command sets it; what else a build
does is not read.
"""

from guards.engine.event import DELETE
from guards.engine.world import join, normal
from guards.shell import args as words_of
from guards.shell.programs import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

RUN = ("run", "run-script", "rum", "urn")
ALONE = ("test", "start", "stop", "restart", "t", "tst")
INSTALLS = ("install", "i", "ci", "add", "rebuild", "publish", "pack", "prepare", "clean-install", "it", "install-test")
LIFE = ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
PACKS = ("prepack", "postpack", "prepublishOnly", "publish", "postpublish")
_OWN = frozenset(
    {"install", "add", "remove", "link", "test", "set", "up", "exec", "create", "init", "info", "list", "why", "cache",
     "config", "dedupe", "outdated", "upgrade", "unlink", "patch", "store", "audit", "licenses", "rebuild", "prune",
     "import", "update", "export"}
)  # fmt: skip


def scripts(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Npm run NAME and its kin: the script in package.json, with what runs before and after it."""
    args = words_of.scan(words, row, stop=True)
    verb = args.operands[0].text if args.operands else None
    rest = args.operands[1:]
    if verb is None:
        return
    behind = words_of.scan(rest, row, stop=verb in RUN)
    named(walk, step, behind, row)
    if verb in RUN:
        rest = behind.operands
        names = [rest[0].text] if rest and rest[0].text else []
    elif verb in ALONE:
        names = [{"t": "test", "tst": "test"}.get(verb, verb)]
    else:
        names = list(LIFE) if verb in INSTALLS or (verb not in RUN and step.name == "yarn" and not rest) else [verb]
    folder = behind.value(*row.get("chdir", ())) or args.value(*row.get("chdir", ()))
    base = folder.text + "/" if folder is not None and folder.text else ""
    known = {**package_scripts(walk, step, base + "package.json"), **_set_before(walk)}
    if verb in ("pack", "publish"):
        names += PACKS
    if verb in INSTALLS:
        _neighbours(walk, step, behind.operands)
    runs = names if verb in INSTALLS else [p + n for n in names for p in ("pre", "", "post")]
    cwd = walk.full(step, base) if base else None
    extra = [w.rough for w in rest[1:] if w.text != "--"] if verb in RUN else []
    for name in runs:
        if name in known:
            walk.text(step, " ".join([known[name], *extra]) if name in names else known[name], cwd=cwd)
    walk.leave(f"{step.name} {verb}: runs code that is not read")
    if (
        verb not in RUN
        and verb not in ALONE
        and verb not in INSTALLS
        and verb not in known
        and step.name in ("yarn", "pnpm", "bun")
    ):
        _binary(walk, step, args.operands)


def _set_before(walk: "Walk") -> "dict[str, str]":
    """`npm pkg set scripts.NAME=TEXT` earlier in the same command."""
    found: dict[str, str] = {}
    for command in walk.commands:
        texts = [w.rough for w in command.argv]
        if texts[1:3] == ["pkg", "set"]:
            for text in texts[3:]:
                name, equals, value = text.removeprefix("scripts.").partition("=")
                if equals and text.startswith("scripts."):
                    found[name] = value
    return found


def _neighbours(walk: "Walk", step: "Step", operands: "list[Word]") -> None:
    """A folder that is packed or installed runs its own scripts."""
    for word in operands:
        text = (word.text or "").removeprefix("file:")
        if text[:1] in (".", "/") and walk.is_dir(step, text):
            known = package_scripts(walk, step, join(text, "package.json"))
            for name in (*LIFE, *PACKS):
                if name in known:
                    walk.text(step, known[name], cwd=normal(walk.full(step, text)))


def _binary(walk: "Walk", step: "Step", operands: "list[Word]") -> None:
    """Yarn eslint …: a program of the project by its name; bun x.ts: a script."""
    name = (operands[0].text or "").rsplit("/", 1)[-1]
    if name.endswith((".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx")):
        from guards.shell import inline

        inline.script(walk, step, operands[0], operands[1:], "javascript")
    elif name in walk.programs and name not in _OWN:
        walk.inner(step, operands)


def package_scripts(walk: "Walk", step: "Step", path: str) -> "dict[str, str]":
    from guards.engine.input import Unreadable, parse

    text = walk.source(step, path)
    if text is None:
        return {}
    try:
        found = parse(text.encode("utf-8", "replace")).get("scripts")
    except Unreadable:
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def cmake_script(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Cmake -P FILE: its file(…) and execute_process(…) calls."""
    text = walk.content(step, words[0]) if words else None
    if text is None:
        walk.leave("cmake -P: the script is not at hand")
        return
    from guards.shell.lists import unquoted

    for piece in text.replace("\n", " ").split(")"):
        call, _, inside = piece.rpartition("(")
        name = call.split()[-1].lower() if call.split() else ""
        args = [words_of.plain(each) for each in unquoted(inside)]
        if name == "execute_process":
            _processes(walk, step, args)
        elif name in ("file", "configure_file") and len(args) > 1:
            _cmake_file(walk, step, name, args)


def _processes(walk: "Walk", step: "Step", args: "list[Word]") -> None:
    argv: list[Word] = []
    where = None
    for at, word in enumerate(args):
        if word.text == "WORKING_DIRECTORY" and at + 1 < len(args):
            where = walk.full(step, args[at + 1].text or "")
    for word in [*args, words_of.plain("COMMAND")]:
        if word.text in ("COMMAND", "WORKING_DIRECTORY", "RESULT_VARIABLE", "OUTPUT_VARIABLE", "OUTPUT_FILE"):
            walk.inner(step, argv, where)
            argv = [] if word.text == "COMMAND" else argv[:0]
        else:
            argv.append(word)


def _cmake_file(walk: "Walk", step: "Step", name: str, args: "list[Word]") -> None:
    verb = (args[0].text or "").upper()
    if name == "configure_file":
        walk.touch(step, args[1], cause="cmake configure_file")
    elif verb in ("WRITE", "APPEND", "TOUCH", "MAKE_DIRECTORY", "GENERATE"):
        walk.touch(step, args[1], cause=f"cmake file({verb})")
    elif verb in ("REMOVE", "REMOVE_RECURSE"):
        for word in args[1:]:
            walk.touch(step, word, DELETE, cause=f"cmake file({verb})", tree=verb != "REMOVE")
    elif verb in ("RENAME", "COPY_FILE", "CREATE_LINK", "DOWNLOAD") and len(args) > 2:
        if verb == "RENAME":
            walk.touch(step, args[1], DELETE, cause="cmake file(RENAME)", tree=True)
        walk.touch(step, args[2], cause=f"cmake file({verb})")
    elif verb in ("COPY", "INSTALL"):
        texts = [w.text for w in args]
        at = texts.index("DESTINATION") if "DESTINATION" in texts[:-1] else 0
        if at:
            walk.inner(step, [words_of.plain("cp"), words_of.plain("-r"), *args[1:at], args[at + 1]])


def ninja(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """The commands of a build file that is named, or that the same command made; generated ones are not read."""
    args = words_of.scan(words, row)
    folder, file = args.value("-C"), args.value("-f")
    base = walk.full(step, folder.text) if folder is not None and folder.text else None
    path = join(base or ".", file.text if file is not None and file.text else "build.ninja")
    if not args.has(("-n",)) and (file is not None or normal(walk.full(step, path)) in step.files):
        for line in (walk.source(step, path) or "").replace("$\n", " ").splitlines():
            key, _, value = line.strip().partition("=")
            if key.strip() == "command":
                walk.text(step, value.strip(), cwd=base)
    walk.leave("ninja: runs code that is not read")
