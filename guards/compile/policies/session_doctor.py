"""policy/session-doctor.toml: where a repository's doctor is found, who may run it, and how its report reads."""

from typing import Any

from guards.compile.fields import Table, flag, mapping, number, rows, text, texts
from guards.compile.fields import table as nested
from guards.compile.layers import Row

KINDS = ("variable", "command", "sibling", "package", "absolute")
SEVERITIES = ("pass", "warn", "FAIL", "not run")
COUNTS = ("checks", "failing", "due")


def _relative(path: str) -> str:
    return "is a path in the repository, so it does not begin with / or ~" if path.startswith(("/", "~")) else ""


def _listed(path: str) -> str:
    if not path.startswith(("/", "~/")):
        return "begins with / or ~/"
    if "*" in path.removesuffix("/*"):
        return 'has a * only as its last part: "~/code/*" is every folder in ~/code, "~/code/" everything beneath'
    return "is the whole machine" if path in ("/", "/*") else ""


def _folder(path: str) -> str:
    return "" if path.startswith(("/", "~/")) else "begins with / or ~/"


def _rung(row: Row, where: str) -> list[str]:
    kind, name, path = row["kind"], row["name"], row["path"]
    if kind in ("variable", "command") and (not name or "/" in name):
        return [f"name: a rung of kind {kind!r} has one, without a /"]
    if kind in ("sibling", "package") and (not path or _relative(path)):
        return [f"path: a rung of kind {kind!r} has one, relative to the repository"]
    if kind == "package" and ".." in path.split("/"):
        return ['path: leads out of the repository; that is kind "sibling"']
    if kind == "absolute" and path and _folder(path):
        return ["path: begins with / or ~/"]
    return []


def _shape(row: Row, where: str) -> list[str]:
    return [] if row["close"] else ["close: needs at least one character"]


RUNG = Table(
    {
        "kind": text(KINDS, required=True, doc="how the doctor is found"),
        "name": text(doc="variable: whose value is an absolute path; command: looked for on the search path"),
        "path": text(doc="sibling, package: relative to the repository; absolute: the owner's own copy"),
    },
    check=_rung,
)
INTERPRETER = Table(
    {
        "suffixes": texts(required=True, doc="ends of file names that it runs"),
        "run": texts(required=True, doc="the program and its words before the file"),
        "reads": texts(check=_relative, doc="files in the repository that it takes code or variables from"),
    }
)
SHAPE = Table(
    {
        "open": text(doc="what stands before the severity; may be nothing"),
        "close": text(required=True, doc="what stands behind it"),
    },
    check=_shape,
)
JSON = Table(
    {
        "rows": texts(doc="keys that hold the list of rows"),
        "status": texts(doc="keys of a row that hold its severity"),
        "text": texts(doc="keys of a row that hold its words"),
        "count": texts(doc="keys that hold the counts"),
    }
)
_WORD = text(SEVERITIES, required=True)
_COUNT = text(COUNTS, required=True)
POLICY = Table(
    {
        "markers": texts(doc="it speaks only where one of these files is"),
        "seconds": number(minimum=1, maximum=20, default=10, doc="for the doctor"),
        "characters": number(minimum=200, maximum=9000, default=1000, doc="of the note"),
        "rows": number(minimum=1, maximum=100, default=12, doc="shown at most"),
        "own": flag(default=True, doc="tell what is wrong with guards itself"),
        "repositories": texts(check=_listed, doc="whose own or sibling doctor may run"),
        "folders": texts(check=_folder, doc="more folders to look for commands in"),
        "keep": texts(doc="variables the doctor gets, if the harness was launched with them"),
        "ask": texts(default=["doctor"], doc="the words the doctor is called with"),
        "rung": rows(RUNG, doc="where a doctor is looked for, in this order"),
        "interpreter": rows(INTERPRETER, doc="what runs a file that is no program of its own"),
        "shape": rows(SHAPE, doc="how a row looks in text"),
        "severity": mapping(_WORD, doc="words of severity, in any case"),
        "count": mapping(_COUNT, doc="words behind the numbers of the summary line"),
        "json": nested(JSON, doc="a report in JSON"),
    },
    repository=False,  # a repository could only hide rows with it
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    home = ctx.places.get("home", "")
    return {
        "markers": tuple(policy["markers"]),
        "seconds": policy["seconds"],
        "characters": policy["characters"],
        "rows": policy["rows"],
        "own": policy["own"],
        "listed": tuple(_at(home, path) for path in policy["repositories"]),
        "folders": tuple(_at(home, path) for path in policy["folders"]),
        "keep": tuple(policy["keep"]),
        "ask": tuple(policy["ask"]),
        "rungs": tuple(
            (row["id"], row["kind"], row["name"] or _at(home, row["path"]), row["_source"]) for row in policy["rung"]
        ),
        "set": any(_own(row, ctx) for row in policy["rung"]),
        "interpreters": tuple(
            (tuple(row["suffixes"]), tuple(row["run"]), tuple(row["reads"])) for row in policy["interpreter"]
        ),
        "shapes": tuple((row["open"], row["close"]) for row in policy["shape"]),
        "severity": {word.casefold(): meaning for word, meaning in policy["severity"].items()},
        "count": {word.casefold(): meaning for word, meaning in policy["count"].items()},
        "json": {key: tuple(policy["json"][key]) for key in JSON.fields},
        "source": ctx.source("repositories"),
    }


def _at(home: str, path: str) -> str:
    return home + path[1:] if path.startswith("~/") else path


def _own(row: Row, ctx: Any) -> bool:
    """Whether the owner set this rung: then not finding it is worth a word."""
    return bool(row["path"]) if row["kind"] == "absolute" else bool(row["_source"] != ctx.label)
