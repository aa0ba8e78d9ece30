"""read, mapfile, printf -v, let, getopts: variables that get what arrives or is worked out."""

from guards.shell.fields import narrow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.state import State
    from guards.shell.steps import Step, Word


# ---- input
def read(_m: "Any", step: "Step", argv: "list[Word]", state: "State") -> None:
    """Its variables: known where the line that arrives is, else not known."""
    names: list[str] = []
    plain = True
    words = argv[1:]
    while words:
        text = words[0].text or ""
        words = words[1:]
        if text[:1] == "-" and len(text) > 1 and not names:
            letters = text[1:].lstrip("rse")
            plain = plain and not letters
            if letters[:1] == "a" and (letters[1:] or words):
                names.append(letters[1:] or (words[0].text or ""))
            if letters and letters[0] in "adinNptu" and len(letters) == 1:
                words = words[1:]
        elif text:
            names.append(text)
    names = names or ["REPLY"]
    given = step.stdin if plain and step.exact else None
    if given is None or "\\" in given:
        for name in names:
            if name.isidentifier():
                state.assign(name, None)
        return
    ifs = step.assigns.get("IFS")
    separators = " \t\n" if ifs is None or ifs.text is None else ifs.text
    spread_line(state, names, narrow(given.split("\n")[0]), separators)


def spread_line(state: "State", names: "list[str]", line: str, separators: str) -> None:
    """A line onto the variables of `read`; the last takes the rest."""
    blanks = "".join([c for c in separators if c in " \t\n"])
    rest = line.strip(blanks) if blanks else line
    for index, name in enumerate(names):
        if index == len(names) - 1:
            state.assign(name, rest)
            return
        cut = next((k for k, c in enumerate(rest) if c in separators), len(rest))
        state.assign(name, rest[:cut])
        rest = rest[cut + 1 :] if rest[cut : cut + 1] not in blanks else rest[cut:].lstrip(blanks)


def mapfile(m: "Any", step: "Step", argv: "list[Word]", state: "State") -> None:
    texts = [word.text for word in argv[1:]]
    names = [t for t in texts if t is not None and t.isidentifier()]
    name = names[-1] if names else "MAPFILE"
    if "-C" in texts[:-1]:  # code that runs as lines come
        from guards.shell import running

        running.code(m, step, texts[texts.index("-C") + 1] or "", state.fork())
        m.state = state
    given = step.stdin if step.exact and all(t == "-t" or t == name for t in texts) else None
    rows = given.split("\n") if given is not None else []
    rows = rows[:-1] if rows and rows[-1] == "" else rows
    state.assign(name, [narrow(row if "-t" in texts else row + "\n") for row in rows] if given is not None else None)


def printf(m: "Any", step: "Step", argv: "list[Word]", state: "State") -> None:
    """The form `printf -v name`."""
    texts = [word.text for word in argv[1:]]
    if texts[:1] != ["-v"] or len(texts) < 2:
        return
    from guards.shell import printers

    made = printers.printf(m, step, [t for t in texts[2:] if t is not None]) if None not in texts else None
    value = narrow(made) if made is not None else None
    if texts[1] is not None and texts[1].isidentifier():
        state.assign(texts[1], value)
    elif texts[1] and "[" in texts[1]:
        from guards.shell import assign

        found = assign.split(narrow(texts[1]) + "=")
        if found is not None:
            state.assign(found[0], assign.changed(m, found[0], found[1], "=", value))


def let(m: "Any", _step: "Step", argv: "list[Word]", state: "State") -> None:
    from guards.shell import arith

    for word in argv[1:]:
        arith.evaluate(m, narrow(word.rough))


def getopts(_m: "Any", _step: "Step", argv: "list[Word]", state: "State") -> None:
    for name in ("OPTARG", "OPTIND", (argv[2].text or "") if len(argv) > 2 else ""):
        if name.isidentifier():
            state.assign(name, None)


HANDLERS: "dict[str, Any]" = {
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "printf": printf,
    "let": let,
    "getopts": getopts,
}
