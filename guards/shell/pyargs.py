"""argparse in a Python program: what the words of the command make of the options it declares.

Only options whose names are plain count. Words that are not known, a parser that is given other words than those of
the command, and defaults that are set from elsewhere leave all of them unknown.
"""

from guards.shell.pyvalues import kind, sure, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.python import Program
    from guards.shell.pyvalues import Value

SAID = frozenset({"prog", "usage", "description", "epilog", "formatter_class", "add_help", "allow_abbrev"})
PATHS = frozenset({"str", "os.path.abspath", "os.path.realpath", "pathlib.Path", "Path", "int", "float"})
PARSES = ("parse_args", "parse_known_args", "parse_intermixed_args")


def call(program: "Program", node: "Any") -> None:
    """A method of a parser."""
    name = node.func.attr
    if name == "add_argument" and program.values.given is not None:
        _declared(program, node)
    elif name == "add_subparsers":
        program.values.placed = -1
    elif name == "set_defaults" or (name in PARSES and not _own_words(program, node)):
        program.values.given = None


def parser(program: "Program", node: "Any") -> None:
    """`argparse.ArgumentParser(…)`: one that takes options of another form, or from files, leaves all unknown."""
    if any([keyword.arg not in SAID for keyword in node.keywords]):
        program.values.given = None


def _own_words(program: "Program", node: "Any") -> bool:
    """Whether it parses what the command was given."""
    if not node.args and not node.keywords:
        return True
    first = node.args[0] if node.args else node.keywords[0].value
    if kind(first) == "Subscript":
        return program.values.dotted(first.value) == "sys.argv"
    return kind(first) in ("Name", "Constant") and program.values.of(first) is None


def _declared(program: "Program", node: "Any") -> None:
    names = [program.values.text(each) for each in node.args]
    more = {keyword.arg: keyword.value for keyword in node.keywords}
    action = program.values.text(more["action"]) if "action" in more else "store"
    words = [word.text for word in program.args[1:]]
    made = program.values.dotted(more["type"]) if "type" in more else "str"
    if None in names or None in words or None in more or action != "store" or program.values.given is None:
        return
    plain: list[str] = [name for name in names if name]
    long = [name for name in plain if name.startswith("--")] or plain
    target = (
        program.values.text(more["dest"]) if "dest" in more else long[0].lstrip("-").replace("-", "_") if long else ""
    )
    default = program.values.of(more.get("default"))
    texts = [word for word in words if word is not None]
    if plain and plain[0][:1] == "-":
        found = _behind(texts, plain, many="nargs" in more)
        value = union([sure(text) for text in found]) if found else default
    else:
        value = _placed(program, texts, single="nargs" not in more)
    if target:
        before = program.values.given.get(target)
        program.values.given[target] = union([before, value]) if made in PATHS else None


def _placed(program: "Program", words: "list[str]", *, single: bool) -> "Value":
    """The next word that is no option's; not known where options stand between them, or one takes several."""
    place = program.values.placed
    program.values.placed = place + 1 if single and place >= 0 else -1
    if not single or place < 0 or place >= len(words) or any([word[:1] == "-" for word in words]):
        return None
    return sure(words[place])


def _behind(words: "list[str]", names: "list[str]", *, many: bool) -> "list[str]":
    """The values of an option among the words of a command: `-o x`, `-ox`, `--out x`, `--out=x`, `--ou x`."""
    found: list[str] = []
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if any([name == known or (len(name) > 2 and known.startswith(name) and name[:2] == "--") for known in names]):
            rest = words[at + 1 :]
            end = next((i for i, text in enumerate(rest) if text[:1] == "-" and text != "-"), len(rest))
            found += [value] if equals else rest[: end if many else 1]
        elif any([len(known) == 2 and word.startswith(known) and word[:2] != "--" for known in names]):
            found.append(word[2:].removeprefix("="))
    return found
