"""Text that programs make of text: sed and jq where what they print can be worked out, find's -printf, and the
mentions of a program text that nobody can work out.
"""

from guards.shell import args as words_of
from guards.shell.mentions import LINES, crude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

HUGE = 4096  # characters of a script, of a query
FORMS = {"%p": "{}", "\\n": "\n", "\\0": "\0", "%%": "%", "\\t": "\t", "\\\\": "\\"}


def sed(words: "list[Word]", text: str, _exact: bool) -> "str | None":
    """One script over what arrives."""
    from guards.shell import substitutions

    args = words_of.scan(words, {"value": ("-e", "--expression", "-f", "--file", "-l")})
    given = [w.text for w in args.values(("-e", "--expression"))] or [w.text for w in args.operands[:1]]
    if len(given) != 1 or given[0] is None or len(given[0]) > HUGE:
        return None
    plain = all([name in ("-e", "--expression", "-E", "-r", "--regexp-extended") for name, _ in args.options])
    if not plain or len(args.operands) > (0 if args.has(("-e", "--expression")) else 1):
        return None
    mark, parts = given[0][1:2], given[0][2:].split(given[0][1:2] or "\0")
    edges = given[0][:1] == "s" and mark in "/|#,!@:" and len(parts) == 3 and parts[0] in ("^", "$")
    if edges and parts[2] in ("", "g") and not set("\\&\n") & set(parts[1]):
        lines = text.removesuffix("\n").split("\n")
        made = [parts[1] + line if parts[0] == "^" else line + parts[1] for line in lines]
        return "\n".join(made) + ("\n" if text.endswith("\n") else "")
    change = substitutions.changed(given[0], args.has(("-E", "-r", "--regexp-extended")))
    return None if change is None else change(text)


# ---- jq
def queried(data: str, query: str, raw: bool) -> "str | None":
    """`.a.b[0]`, `.a[]`: what jq prints of a document."""
    from guards.engine.input import Unreadable, load

    try:
        rows: list[Any] = [load(data.encode("utf-8", "surrogateescape"))]
    except (Unreadable, UnicodeError):
        return None
    rest = query.strip()
    if rest[:1] != "." or len(rest) > HUGE:
        return None
    for piece in rest.replace("[", ".[").split("."):
        if piece in ("", "[]"):
            rows = [each for row in rows for each in row] if piece and all([type(r) is list for r in rows]) else rows
            if piece and not all([type(r) is not list for r in rows]):
                return None
            continue
        key: Any = piece[1:-1] if piece[:1] == "[" else piece.strip('"')
        key = int(key) if piece[:1] == "[" and key.isdigit() else key.strip('"') if isinstance(key, str) else key
        if isinstance(key, str) and not key.replace("_", "a").replace("-", "a").isalnum():
            return None
        try:
            rows = [row[key] for row in rows]
        except (KeyError, IndexError, TypeError):
            return None
    if not raw or not all([isinstance(row, str) for row in rows]):
        return None
    return "".join([row + "\n" for row in rows])


def query_of(words: "list[Word]") -> "tuple[str, Word | None] | None":
    """The query and the file of a call with -r alone."""
    args = words_of.scan(words, {})
    plain = args.options and all([name in ("-r", "--raw-output") for name, _ in args.options])
    if not plain or not 1 <= len(args.operands) <= 2 or args.operands[0].text is None:
        return None
    return args.operands[0].text, args.operands[1] if len(args.operands) > 1 else None


def jq(m: "Any", step: "Step", _args: "list[str]") -> "str | None":
    """What it prints, for the reader of the text."""
    from guards.shell.known import absolute, content

    found = query_of(step.argv[1:])
    if found is None:
        return None
    query, file = found
    path = absolute(step.cwd, file) if file is not None else None
    text = (content(m, path) if path else None) if file is not None else step.stdin if step.exact else None
    return None if text is None else queried(text, query, True)


# ---- find -printf
def formatted(form: str, name: str) -> "str | None":
    """One name as -printf prints it."""
    out, at = "", 0
    while at < len(form):
        if form[at] not in "%\\":
            out += form[at]
            at += 1
            continue
        piece = form[at : at + 2]
        made = {"%f": name.rsplit("/", 1)[-1], "%h": name.rpartition("/")[0] or "."}.get(piece, FORMS.get(piece))
        if made is None:
            return None
        out += name if made == "{}" else made
        at += 2
    return out


# ---- program texts that are not known
def pieces(walk: "Walk", steps: "list[Step]") -> "list[Word | str]":
    """What such a text may be made of: the words, what they are handed, and the lists that the programs give."""
    from guards.shell import outputs
    from guards.shell.origins import LISTS

    found: dict[str, None] = {}
    for step in steps:
        texts = [w.rough for w in step.argv[1:]] + [r.body for r in step.redirects if r.body]
        texts += [step.stdin] if step.stdin is not None else []
        if (step.name or "").rsplit("/", 1)[-1] in LISTS:
            texts += (outputs.may(walk, step) or "").split("\n")[:LINES]
        # an address alone is no text that something is cut out of
        texts = [text for text in texts if "://" not in text or not text.isprintable() or " " in text]
        found.update({piece: None for piece, _ in crude(texts, "")})
    return list(found)
