"""What the expressions of a Python program are made of, where their value is not known; and folders for temporary
files, which are elsewhere."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.pyvalues import Values

ELSEWHERE = "/tmp/_"  # a folder for temporary files, of a name that is not known
TEMPORARY = frozenset({"TMPDIR", "TMP", "TEMP", "RUNNER_TEMP"})
DEPTH = 12  # expressions within expressions


def temporary(text: str) -> bool:
    """Whether a text that is not sure is a path in a folder for temporary files."""
    return (text == ELSEWHERE or text.startswith(ELSEWHERE + "/")) and ".." not in text.split("/")


def within(values: "Values", node: "Any", depth: int = 0) -> "set[str]":
    """The texts that an expression shows, also through the names in it."""
    values.program.left -= 1
    if node is None or depth > DEPTH or values.program.left < 0:
        return set()
    form = type(node).__name__
    if form == "Constant":
        return {node.value} if isinstance(node.value, str) else set()
    found: set[str] = set()
    if form == "Name":
        found = {text for text, _ in values.names.get(node.id) or ()} | values.pieces.get(node.id, set())
    elif form == "Attribute" and values.dotted(node) == "sys.argv":
        found = {word.text for word in values.program.args[1:] if word.text is not None}
    for field in node._fields:
        inner = getattr(node, field, None)
        for each in inner if isinstance(inner, list) else [inner]:
            if hasattr(each, "_fields"):
                found |= within(values, each, depth + 1)
    return found
