"""git verbs that start a command which the caller names."""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shell.gitverbs import Git


def grep(call: "Git") -> None:
    """-O COMMAND opens what it finds in a program."""
    for word in call.words:
        text = word.rough
        if (
            text.startswith(("--open-files-in-pager=", "-O"))
            and len(text) > 2
            and not text.startswith("--open-files-in-pager=less")
        ):
            pager = text.partition("=")[2] if text[:2] == "--" else text[2:]
            found = [w.rough for w in call.words if w is not word and (w.text or "-")[:1] != "-"]
            call.walk.text(call.step, " ".join([pager, *found]), cwd=call.where)


def tools(call: "Git") -> None:
    """Difftool and mergetool with a command of the caller's."""
    for value in words_of.scan(call.words, {"value": ("-x", "--extcmd", "-t", "--tool")}).values(("-x", "--extcmd")):
        call.walk.text(call.step, value.rough, cwd=call.where)


def filter_branch(call: "Git") -> None:
    args = words_of.scan(
        call.words,
        {
            "value": (
                "--setup",
                "--subdirectory-filter",
                "--env-filter",
                "--tree-filter",
                "--index-filter",
                "--parent-filter",
                "--msg-filter",
                "--commit-filter",
                "--tag-name-filter",
                "--original",
                "-d",
                "--state-branch",
            )
        },
    )
    for name, value in args.options:
        if (value is not None and name.endswith("-filter") and name != "--subdirectory-filter") or (
            name == "--setup" and value is not None
        ):
            call.walk.text(call.step, value.rough, cwd=call.where)


VERBS: "dict[str, Callable[[Git], None]]" = {
    "grep": grep,
    "difftool": tools,
    "mergetool": tools,
    "filter-branch": filter_branch,
}
