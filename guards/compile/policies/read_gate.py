"""policy/read-gate.toml: which calls wait, and for what."""

from typing import Any

from guards.compile.fields import Table, rows, text, texts
from guards.compile.layers import Row
from guards.compile.policies.context import _inside as inside
from guards.compile.policies.harness import KINDS
from guards.knowledge import globs


def _file(path: str) -> str:
    parts = path.removeprefix("~/").strip("/").split("/")
    good = all(part not in ("", ".", "..") for part in parts) and (not path.startswith("~") or path.startswith("~/"))
    return "" if good else "is an absolute path, one below ~/, or one inside the repository"


def _pattern(pattern: str) -> str:
    return "" if all(globs.tokens(one) for one in globs.braces(pattern)) else f"{pattern!r} is no pattern of files"


POLICY = Table(
    {
        "dir": text(check=inside, doc="the context folder whose guides count; empty: that of context.toml"),
        "gated": texts(choices=KINDS, doc="classes of tools that wait while something is owed"),
        "pending": texts(choices=KINDS, doc="classes that wait besides once a guide was refused"),
        "refused": texts(doc="tools that an agent may not call at all"),
        "guide": rows(
            Table(
                {
                    "file": text(required=True, check=_file, doc="the file to be read"),
                    "paths": texts(required=True, check=_pattern, doc="the files it governs"),
                }
            ),
            doc="what must be read before a file is touched",
        ),
        "review": rows(
            Table(
                {
                    "agents": texts(required=True, doc="kinds of agents"),
                    "files": texts(required=True, check=_file, doc="what they must read"),
                }
            ),
            doc="what agents of a kind must have read before they do anything",
        ),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    home = ctx.places.get("home", "")
    guides = [(r["id"], _written(r["file"], home), f"{r['_source']}: guide {r['id']!r}") for r in policy["guide"]]
    return {
        "dir": policy["dir"].rstrip("/"),
        "gated": frozenset(policy["gated"]),
        "pending": frozenset([*policy["gated"], *policy["pending"]]),
        "refused": {tool: f"{ctx.source('refused')}: refused" for tool in policy["refused"]},
        "guides": guides,
        "index": globs.index([(path, i) for i, row in enumerate(policy["guide"]) for path in row["paths"]]),
        "reviews": [
            (
                frozenset(row["agents"]),
                [_written(file, home) for file in row["files"]],
                f"{row['_source']}: review {row['id']!r}",
            )
            for row in policy["review"]
        ],
    }


def _written(path: str, home: str) -> str:
    return home + path[1:] if path.startswith("~/") else path
