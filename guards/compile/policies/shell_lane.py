"""policy/shell-lane.toml: programs and how they write, languages and their writing calls, and what doubt gets."""

import marshal
from typing import Any

from guards.compile.fields import Table, flag, number, rows, text, texts
from guards.shell.programs import READERS
from guards.shell.variables import MEANS

DOES = ("read", "run", "write", "delete", "copy", "move", "link", "wrap", "shell", "code", "own", "away")
WHICH = ("all", "first", "last", "rest", "none")
SHOWS = ("input", "layout", "set", "unset")
ACTIONS = ("pass", "watch", "note", "ask", "deny")
VARIABLES = tuple(MEANS)
LISTS = (
    "value",
    "glued",
    "out",
    "outdir",
    "into",
    "text",
    "early",
    "endings",
    "chdir",
    "when",
    "unless",
    "pairs",
    "tree",
    "keys",
    "fixed",
    "itself",
)
MARKS = "wdDislpqorbcmfktTnyvL"
BUILT_IN = ("shell", "tcl")  # languages read by code of their own, without a list of calls
EVERY = -1  # the place `*`


def _names(row: dict[str, Any]) -> list[str]:
    return list(row["names"]) or [str(row["id"])]


def _program(row: dict[str, Any], where: str) -> list[str]:
    said = []
    if row["does"] == "own" and row["reader"] not in READERS:
        said.append(f"reader: {row['reader']!r} is none of guards/shell's readers")
    if row["does"] == "code" and not row["language"]:
        said.append("language: a program that runs code needs one")
    if row["does"] in ("copy", "move", "link", "wrap", "away") and row["which"] != "all":
        said.append(f"which: means nothing for {row['does']!r}")
    return said


def mark(piece: str) -> tuple[str, int, tuple[str, ...]]:
    """`w1:path` → ("w", 1, ("path",))"""
    place, _, keywords = piece[1:].partition(":")
    at = EVERY if place == "*" else int(place)
    return piece[:1], at, tuple(k for k in keywords.split("|") if k)


def _call(value: str) -> str:
    _, *pieces = value.split()
    for piece in pieces:
        place = piece[1:].partition(":")[0]
        if piece[:1] not in MARKS or not (place == "*" or (place.isascii() and place.isdigit())):
            return f"{piece!r} is no mark: a letter of {MARKS} and a place"
    return "" if pieces else "needs at least one mark"


PROGRAM = Table(
    {
        "names": texts(doc="the commands; the id when left out. several words: a program with its verbs"),
        "does": text(DOES, required=True),
        "reader": text(doc='for does = "own": which reader of guards/shell'),
        "language": text(doc='for does = "code": the row of [[language]] that reads it, or shell'),
        "which": text(WHICH, default="all", doc="the operands that are meant"),
        "least": number(minimum=0, maximum=9, default=0, doc="how many operands there must be"),
        "skip": number(minimum=0, maximum=9, default=0, doc="operands before the command that is handed on"),
        "beside": text(doc="what is written lies beside the operand, with this ending"),
        "shows": text(("", *SHOWS), default="", doc="what it writes: its input, another layout, the keys it is given"),
        "follow": flag(default=True, doc="false: a link is replaced, not followed"),
        "sets": flag(doc="takes NAME=VALUE operands before the command"),
        "value": texts(doc="options that take a value"),
        "glued": texts(doc="options whose value is optional and only ever attached"),
        "out": texts(doc="options whose value is written"),
        "outdir": texts(doc="options whose value is a folder that is written into"),
        "into": texts(doc="options whose value is the folder that the operands go to"),
        "text": texts(doc="options whose value is program text; *: the first operand is one"),
        "early": texts(doc="options whose value is a script that is read before the program"),
        "endings": texts(doc="what the name of a script may be left without"),
        "chdir": texts(doc="options whose value is the folder it runs in"),
        "when": texts(doc="writes only with one of these"),
        "unless": texts(doc="nothing is written with one of these"),
        "pairs": texts(doc="with one of these the operands come as IN OUT, and only OUT is written"),
        "tree": texts(doc="with one of these what lies beneath goes too; *: always"),
        "itself": texts(doc="with one of these a link itself is meant, not what it leads to"),
        "keys": texts(doc="operands of this form are written: of=FILE"),
        "fixed": texts(doc="written whatever the operands are"),
    },
    check=_program,
)
LANGUAGE = Table(
    {
        "calls": texts(check=_call, required=True, doc="a call and its marks"),
        "quotes": text(doc="the characters that begin a literal"),
        "comments": texts(doc="what begins a comment"),
        "joins": text(doc="the characters that join texts"),
        "links": texts(doc="what stands between the parts of a name"),
        "fills": text(doc="a quote and what fills a part in at run time, pairs with a blank between"),
        "sigils": text(doc="characters that a variable's name may begin with"),
        "bare": flag(doc="calls need no parentheses"),
        "spaced": flag(doc="arguments stand side by side"),
        "triple": flag(doc="three quotes make a longer literal"),
        "runs": flag(doc="backticks run a command"),
        "single": flag(doc="single quotes know backslashes"),
        "words": flag(doc="a word without quotes is a text, but for names"),
        "percent": flag(doc="knows %x(…), qx{…} and the like"),
    }
)
VARIABLE = Table(
    {
        "names": texts(required=True, doc="the variables"),
        "does": text(VARIABLES, required=True, doc="what a program makes of the value"),
    }
)
POLICY = Table(
    {
        "unknown": text(ACTIONS, default="deny", doc="a target that the text does not show"),
        "opaque": text(ACTIONS, default="deny", doc="a program text that may write somewhere it does not show"),
        "unreadable": text(ACTIONS, default="deny", doc="text that no reader could read to its end"),
        "stranger": text(ACTIONS, default="deny", doc="a program that is not in the list"),
        "around": number(minimum=0, maximum=1440, default=20, doc="minutes in which a refused path stays refused"),
        "again": text(ACTIONS[1:], default="deny", doc="what such a command gets in that time"),
        "program": rows(PROGRAM),
        "variable": rows(VARIABLE),
        "language": rows(LANGUAGE),
    },
    repository=False,
)


def table(policy: dict[str, Any], ctx: Any) -> dict[str, Any]:
    """What guards/shell reads programs by: names → rows without what stands at its default."""
    names: dict[str, list[str]] = {}
    placed: dict[str, str] = {}
    for place, row in enumerate(policy["program"]):
        for name in _names(row):
            if name in placed:
                ctx.fault(ctx.place(row, "names"), f"{name!r} stands in two rows: {placed[name]} and {row['id']}")
            placed[name] = row["id"]
            names.setdefault(name[:1], []).append(f"{name}\t{place}")
    languages = {row["id"]: _language(row) for row in policy["language"]}
    for row in policy["program"]:
        if row["language"] not in ("", *BUILT_IN, *languages):
            ctx.fault(ctx.place(row, "language"), f"there is no language {row['language']!r}")
    return {
        # read by guards.shell.args.Rows
        "names": {first: "\n" + "\n".join(some) + "\n" for first, some in names.items()},
        "rows": tuple(marshal.dumps(_row(row)) for row in policy["program"]),
        "verbs": {name.split()[0]: True for name in placed if " " in name},
        "variables": {name: row["does"] for row in policy["variable"] for name in row["names"]},
        "languages": marshal.dumps(languages),  # most commands hold no program text
        "actions": {
            key: (policy[key], f"{ctx.source(key)}: {key}") for key in ("unknown", "opaque", "unreadable", "stranger")
        },
        "around": (policy["around"] * 60, f"{ctx.source('around')}: around"),
        "again": policy["again"],
    }


def _row(row: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"id": row["id"] if not row["names"] or row["id"] in row["names"] else row["names"][0]}
    made["does"] = row["does"]
    made.update({key: tuple(row[key]) for key in LISTS if row[key]})
    made.update({key: row[key] for key in ("reader", "language", "beside", "shows", "least", "skip") if row[key]})
    if row["which"] != "all":
        made["which"] = row["which"]
    if not row["follow"]:
        made["follow"] = False
    if row["sets"]:
        made["sets"] = True
    return made


def _language(row: dict[str, Any]) -> dict[str, Any]:
    fills: dict[str, tuple[str, ...]] = {}
    for pair in row["fills"].split():
        fills[pair[0]] = (*fills.get(pair[0], ()), pair[1:])
    made: dict[str, Any] = {
        "calls": {call.split()[0]: tuple(mark(p) for p in call.split()[1:]) for call in row["calls"]},
        "quotes": row["quotes"],
        "comments": tuple(row["comments"]),
        "joins": row["joins"],
        "links": tuple(row["links"]),
        "fills": fills,
        "sigils": row["sigils"],
    }
    made.update({key: True for key in ("bare", "spaced", "triple", "runs", "single", "words", "percent") if row[key]})
    return made
