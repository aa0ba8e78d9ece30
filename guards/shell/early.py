"""What an interpreter reads beside its program: files that an option or a variable names, names without their ending.

Which options and which variable is data (`early`, `endings` of a program's row, `[[variable]]` with
`does = "options"`). A name without a
folder before it is a package, and packages are not read.
"""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

FOLDERS = ("./", "../", "/")


def scripts(walk: "Walk", step: "Step", given: "list[Word]", row: "dict[str, Any]") -> None:
    """The scripts that are read first, whatever the program text is."""
    from guards.shell import inline

    for word in words_of.scan(given, row, stop=True).values(row["early"]):
        if word.text is not None and word.text.startswith("data:"):
            inline.code(walk, step, carried(word.text), [], row["language"])
        elif word.text is not None and word.text.removeprefix("file://").startswith(FOLDERS):
            name = words_of.plain(word.text.removeprefix("file://"))
            inline.script(walk, step, whole(walk, step, name, row), [], row["language"])


def carried(address: str) -> str:
    """The text that a data address holds: `data:text/javascript,…`."""
    head, _, body = address.partition(",")
    if head.endswith(";base64"):
        import binascii

        try:
            return binascii.a2b_base64(body).decode("utf-8", "replace")
        except ValueError:
            return ""
    from urllib.parse import unquote

    return unquote(body)


def whole(walk: "Walk", step: "Step", name: "Word", row: "dict[str, Any]") -> "Word":
    """A script's name with the ending that it was left without; as it stands where there is no such file."""
    if name.text is not None and name.feed is None:
        for ending in ("", *row.get("endings", ())):
            if walk.source(step, name.text + ending) is not None:
                return words_of.plain(name.text + ending)
    return name
