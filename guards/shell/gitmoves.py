"""Verbs of git that move a name to another commit, and addresses that are commands.

Git is asked before the command runs: a name that an earlier step of the same command moved stands for where it went.
"""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.args import Args
    from guards.shell.gitverbs import Git
    from guards.shell.stepping import Walk

_BEHIND = "^~@:"  # what may follow a name in a revision


def _move(call: "Git", name: str, target: str) -> None:
    moved = call.walk.kept.setdefault("moved", {})
    target = since(call.walk, target)
    for known in {name, name.removeprefix("refs/heads/")}:
        moved[known] = target
    from guards.shell import gitask

    if (
        name.removeprefix("refs/heads/")
        == (gitask.ask(call.walk, call.where, ["branch", "--show-current"]) or "").strip()
    ):
        moved["HEAD"] = target


def since(walk: "Walk", revision: str) -> str:
    """The revision as git knows it before the command."""
    moved = walk.kept.get("moved")
    if not moved:
        return revision
    dots = "..." if "..." in revision else ".." if ".." in revision else ""
    return dots.join([_one(moved, part) for part in revision.split(dots)]) if dots else _one(moved, revision)


def _one(moved: "dict[str, str]", revision: str) -> str:
    end = min([revision.find(c) for c in _BEHIND if c in revision[1:]] or [len(revision)])
    return moved.get(revision[:end], revision[:end]) + revision[end:]


def _update_ref(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": ("-m",)})
    names = [w.text for w in args.operands]
    if not args.has(("-d", "--delete")) and len(names) > 1 and names[0] and names[1]:
        _move(call, names[0], names[1])


def _symbolic_ref(call: "Git") -> None:
    args = words_of.scan(call.words, {"value": ("-m",)})
    names = [w.text for w in args.operands]
    if len(names) > 1 and names[0] and names[1]:
        call.walk.kept.setdefault("moved", {})[names[0]] = since(call.walk, names[1])


def _branch(call: "Git") -> None:
    """NAME COMMIT, new or with -f; -m and -c go from one name to another."""
    args = words_of.scan(call.words, {"value": ("-u", "--set-upstream-to")})
    renamed = args.has(("-m", "-M", "-c", "-C", "--move", "--copy"))
    _named(call, args, back=renamed)


def _tag(call: "Git") -> None:
    _named(call, words_of.scan(call.words, {"value": ("-m", "--message", "-F", "--file", "-u", "--local-user")}))


def _named(call: "Git", args: "Args", *, back: bool = False) -> None:
    names = [w.text for w in args.operands]
    if len(names) > 1 and names[0] and names[1] and not args.has(("-d", "-D", "--delete", "-l", "--list")):
        name, target = (names[1], names[0]) if back else (names[0], names[1])
        _move(call, name, target)


def _fetch(call: "Git") -> None:
    """Git fetch . COMMIT:NAME; what another repository holds is not known."""
    args = words_of.scan(call.words, {})
    names = [(w.text or "").lstrip("+") for w in args.operands]
    for name in names[1:] if names[:1] == ["."] else ():
        source, colon, target = name.partition(":")
        if colon and source and target:
            _move(call, target, source)


def _reset(call: "Git") -> None:
    """A reset that leaves the work tree alone."""
    args = words_of.scan(call.words, {})
    plain = [w.text for w in args.operands]
    if args.has(("--soft",)) and len(plain) == 1 and plain[0]:
        call.walk.kept.setdefault("moved", {})["HEAD"] = since(call.walk, plain[0])


def _each_repository(call: "Git") -> None:
    """Git for-each-repo --config=KEY VERB …: in repositories that the text does not show, perhaps in this one."""
    from guards.shell import gitverbs

    args = words_of.scan(call.words, {"value": ("--config",)}, stop=True)
    if args.operands and args.operands[0].text:
        call.words = args.operands[1:]
        gitverbs.run(call, args.operands[0].text)


def transports(call: "Git") -> None:
    """`ext::COMMAND` for an address."""
    for word in call.words:
        if word.rough.startswith("ext::"):
            call.walk.text(
                call.step, word.rough[5:].replace("%S", "git-upload-pack").replace("% ", " "), cwd=call.where
            )


VERBS: "dict[str, Callable[[Git], None]]" = {
    "update-ref": _update_ref, "symbolic-ref": _symbolic_ref, "branch": _branch, "tag": _tag, "reset": _reset,
    "for-each-repo": _each_repository, "fetch": _fetch,
}  # fmt: skip
