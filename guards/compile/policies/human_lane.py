"""policy/human-lane.toml: the lanes, the manifests, and how tools that no table names are read."""

import marshal
import os
from typing import TYPE_CHECKING, Any

from guards.compile import gitignore, sealed
from guards.compile.fields import Table, flag, rows, text, texts
from guards.compile.fields import table as nested
from guards.lanes import shape

if TYPE_CHECKING:
    from guards.compile.context import Context

ACTS = ("write", "delete", "restore")
ACTIONS = ("watch", "ask", "deny")


def _locked(row: dict[str, Any], layer: str) -> str:
    """Sealed lanes are nobody's to change; exact ones the owner's alone."""
    if row["approval"] == "never":
        return "sealed"
    return "exact" if row["approval"] == "exact" and layer == "repository" else ""


def _lane(row: dict[str, Any], where: str) -> list[str]:
    said = []
    if row["approval"] == "never" and row["action"] != "deny":
        said.append('action: a lane with approval = "never" is always deny')
    if row["id"] != sealed.ID and not row["acts"]:
        said.append("acts: a lane without acts holds nothing; use disable to drop it")
    return said


def _field(name: str) -> str:
    return "" if all(split_field(name)) else f"{name!r} has an empty part between dots"


def split_field(name: str) -> tuple[str, ...]:
    """`tool.poetry.version` in parts; a part in double quotes may hold dots."""
    parts = [""]
    inside = False
    for char in name:
        if char == '"':
            inside = not inside
        elif char == "." and not inside:
            parts.append("")
        else:
            parts[-1] += char
    return tuple(parts)


def patterns(**more: Any) -> Any:
    return texts(patterns=True, check=gitignore.fault, **more)


LANE = Table(
    {
        "paths": patterns(required=True, tighter="add", doc="gitignore patterns; //x and ~/x are absolute"),
        "except": patterns(tighter="lower", doc="patterns of what the lane leaves alone"),
        "why": text(required=True, doc="what the refusal says"),
        "acts": texts(ACTS, default=["write", "delete"], tighter="add", doc="what may not happen to these paths"),
        "action": text(ACTIONS, default="deny", tighter="higher", doc="watch: journal only"),
        "approval": text(
            ("pattern", "exact", "never"),
            default="pattern",
            machine_only=True,
            doc="which lines free it: any, only one that is that path, none",
        ),
        "data": flag(tighter="lower", doc="holds for data files only, unless strict"),
        "examples": flag(tighter="lower", doc="the example files of this policy pass, unless strict"),
        "whole": flag(tighter="lower", doc="only making, removing or replacing the named thing, not what lies in it"),
    },
    check=_lane,
    locked=_locked,
)
MANIFEST = Table(
    {
        "files": patterns(required=True, tighter="add", doc="gitignore patterns"),
        "except": patterns(tighter="lower", doc="patterns of manifests that are left alone"),
        "format": text(("json", "toml"), required=True),
        "fields": texts(check=_field, required=True, tighter="add", doc="dotted names; a change of one is refused"),
        "why": text(required=True, doc="what the refusal says"),
        "action": text(ACTIONS, default="deny", tighter="higher"),
        "examples": flag(tighter="lower", doc="the example files of this policy pass, unless strict"),
    }
)


def _program(value: str) -> str:
    parts = value.split()
    if len(parts) != 3:
        return f"{value!r} is not a tool, a field and a program"
    return "" if parts[2] in shape.PROGRAMS else f"{parts[2]!r} is none of " + ", ".join(shape.PROGRAMS)


SHAPE = Table(
    {
        "reads": texts(doc="words of a tool's name that say it only reads"),
        "writes": texts(doc="words that say it also writes, whatever else the name says"),
        "moves": texts(doc="words of tools that take a path away and put it elsewhere"),
        "copies": texts(doc="words of tools whose source stays as it is"),
        "deletes": texts(doc="words of tools that take paths away"),
        "paths": texts(doc="fields that hold a path; * at one end"),
        "outputs": texts(doc="fields that are written, whatever the tool's name says; * at the end"),
        "sources": texts(doc="fields that a move takes away and a copy leaves"),
        "ignored": texts(doc="fields that only look like paths"),
        "commands": texts(doc="fields that hold a shell command"),
        "naming": texts(doc="tools that write none of the files they name"),
        "programs": texts(check=_program, doc="TOOL FIELD PROGRAM: fields that hold a text for that program"),
    }
)
POLICY = Table(
    {
        "strict": flag(tighter="higher", doc="true: the bundled list word for word, for every file"),
        "data_files": texts(tighter="add", doc="endings of data files"),
        "tool_files": patterns(tighter="lower", doc="build, tool and language files, which no data lane holds"),
        "example_files": patterns(tighter="lower", doc="examples, templates, tests and documents"),
        "lane": rows(LANE, tighter="add"),
        "manifest": rows(MANIFEST, tighter="add"),
        "shape": nested(SHAPE, doc="how tools that no table names are read"),
    }
)


def table(policy: dict[str, Any], ctx: "Context") -> dict[str, Any]:
    """What guards/lanes/find.py looks things up in; `more` and `shape` are packed, since most calls never need them."""
    made = _Made(ctx.places.get("home", "/"), policy["strict"], ctx.label)
    for row in policy["lane"]:
        number = made.lane(row)
        extra = sealed.paths(ctx.places) if row["id"] == sealed.ID else sealed.settings(ctx.places, row["id"])
        for path in extra:
            made.path(number, path)
    for row in policy["manifest"]:
        made.manifest(row)
    return {
        "near": gitignore.index(made.near),
        "far": gitignore.index(made.far),
        "marked": tuple(made.marked),
        "more": marshal.dumps(made.more(policy)),
        "shape": marshal.dumps(_shape(policy["shape"])),
    }


class _Made:
    """Gathers lanes and their patterns."""

    def __init__(self, home: str, strict: bool, bundled: str) -> None:
        self.home = home
        self.strict = strict
        self.bundled = bundled
        self.lanes: list[dict[str, Any]] = []
        self.owner: list[int] = []
        self.texts: list[str] = []
        self.near: list[tuple[Any, int]] = []
        self.far: list[tuple[Any, int]] = []
        self.marked: list[tuple[str, int]] = []

    def lane(self, row: dict[str, Any]) -> int:
        loose = not self.strict
        self.lanes.append(
            {
                "id": row["id"],
                "order": len(self.lanes),
                "rule": f"{row['_source']}: lane {row['id']!r}",
                "why": row["why"],
                "acts": tuple(row["acts"]),
                "action": row["action"],
                "approval": row["approval"],
                "data": row["data"] and loose,
                "examples": row["examples"] and loose,
                "whole": row["whole"],
                "except": self.excepted(row),
                "manifest": None,
            }
        )
        number = len(self.lanes) - 1
        for pattern in row["paths"]:
            self.add(number, pattern)
        return number

    def manifest(self, row: dict[str, Any]) -> None:
        self.lanes.append(
            {
                "id": row["id"],
                "order": len(self.lanes),
                "rule": f"{row['_source']}: manifest {row['id']!r}",
                "why": row["why"],
                "acts": ("write", "delete"),
                "action": row["action"],
                "approval": "pattern",
                "data": False,
                "examples": row["examples"] and not self.strict,
                "whole": False,
                "except": self.excepted(row),
                "manifest": (row["format"], tuple(split_field(name) for name in row["fields"])),
            }
        )
        for pattern in row["files"]:
            self.add(len(self.lanes) - 1, pattern)

    def excepted(self, row: dict[str, Any]) -> tuple[tuple[bool, Any], ...]:
        """(absolute, tokens) of each exception. Strict is the list word for word: the bundled ones fall away."""
        if self.strict and row["_source"] == self.bundled and row.get("approval", "pattern") == "pattern":
            return ()
        parsed = [gitignore.parse(pattern, self.home) for pattern in row["except"]]
        return tuple((one.absolute, one.tokens) for one in parsed)

    def add(self, number: int, pattern: str) -> None:
        for home in dict.fromkeys([self.home, os.path.realpath(self.home)]):
            parsed = gitignore.parse(pattern, home)
            self.put(number, pattern, parsed.tokens, far=parsed.absolute)
            if not parsed.absolute:
                return
            if all(isinstance(token, str) for token in parsed.tokens):
                self.resolved(number, gitignore.absolute(pattern, home))
            if not pattern.startswith("~/"):
                return

    def resolved(self, number: int, path: str) -> None:
        """A lane that is one path also holds where a link of that name leads."""
        lane = self.lanes[number]
        if lane["approval"] != "pattern" and not lane["except"]:
            self.mark(number, path)
        for way in sealed.ways(path):
            if way != path:
                self.put(number, path, gitignore.literal(way), far=True)

    def put(self, number: int, text_: str, tokens: Any, *, far: bool) -> None:
        (self.far if far else self.near).append((tokens, len(self.owner)))
        self.owner.append(number)
        self.texts.append(text_)

    def path(self, number: int, path: str) -> None:
        """One computed absolute path."""
        self.put(number, path, gitignore.literal(path), far=True)
        self.mark(number, path)

    def mark(self, number: int, path: str) -> None:
        if path not in [known for known, _ in self.marked]:
            self.marked.append((path, number))

    def more(self, policy: dict[str, Any]) -> dict[str, Any]:
        return {
            "lanes": tuple(self.lanes),
            "owner": tuple(self.owner),
            "texts": tuple(self.texts),
            "near_tokens": tuple(self.near),
            "far_tokens": tuple(self.far),
            "data": tuple("." + ending.lstrip(".").lower() for ending in policy["data_files"]),
            "tools": tuple(gitignore.parse(pattern, "/").tokens for pattern in policy["tool_files"]),
            "examples": tuple(gitignore.parse(pattern, "/").tokens for pattern in policy["example_files"]),
        }


def _shape(policy: dict[str, Any]) -> dict[str, Any]:
    """Names without case and separators, as guards/lanes/shape.py compares them."""
    return {
        **{name: tuple(policy[name]) for name in ("reads", "writes", "moves", "copies", "deletes")},
        **{name: tuple(shape.key_of(item) for item in policy[name]) for name in ("sources", "ignored", "commands")},
        "naming": tuple(shape.key_of(item) for item in policy["naming"]),
        "programs": dict(_call(item.split()) for item in policy["programs"]),
        "paths": tuple(shape.key_of(item) for item in policy["paths"] if not item.startswith("*")),
        "paths_end": tuple(shape.key_of(item) for item in policy["paths"] if item.startswith("*")),
        "outputs": tuple(shape.key_of(item) for item in policy["outputs"] if not item.endswith("*")),
        "outputs_begin": tuple(shape.key_of(item) for item in policy["outputs"] if item.endswith("*")),
    }


def _call(parts: list[str]) -> tuple[tuple[str, str], str]:
    return (shape.key_of(parts[0]), shape.key_of(parts[1])), parts[2]
