"""policy/fence.toml: which lanes the kernel holds while a command runs, and what happens when it cannot."""

import os
from typing import Any

from guards.compile import gitignore
from guards.compile.fields import Table, number, text, texts
from guards.compile.layers import Row


def _root(path: str) -> str:
    body = path.removesuffix("/*")
    if not body.startswith(("/", "~/")) or ".." in body.split("/") or not body.strip("/~"):
        return f"{path!r}: a root is an absolute path or begins with ~/"
    return "" if "*" not in body else f"{path!r}: only a last /* stands for all folders there"


def _line(line: str) -> str:
    return "" if line.startswith("/") else f"{line!r}: begins with no absolute path, so anybody's program could run"


def _name(name: str) -> str:
    return f"{name!r} is one folder's name, without a slash" if "/" in name or not name else ""


def absolute(pattern: str) -> str:
    if not pattern.startswith(("//", "~/")):
        return f"{pattern!r}: such a path is absolute: //run/x or ~/x"
    return gitignore.fault(pattern)


POLICY = Table(
    {
        "on_failure": text(("run", "refuse"), default="refuse", doc="when it cannot be put up"),
        "free": texts(doc="ids of lanes the kernel does not hold"),
        "except": texts(patterns=True, check=gitignore.fault, doc="paths that stay writable"),
        "grow": texts(patterns=True, check=gitignore.fault, doc="lane folders where files may appear"),
        "roots": texts(check=_root, doc="further folders whose lanes are held"),
        "closed": texts(patterns=True, check=absolute, doc="sockets and devices that are out of reach"),
        "outside": texts(check=_line, doc="hook lines that run without the fence"),
        "skip": texts(check=_name, doc="names of folders that are not searched"),
        "folders": number(minimum=100, maximum=1_000_000, default=60_000, doc="most folders that are searched"),
        "paths": number(minimum=10, maximum=5000, default=600, doc="most paths that are held"),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    home = ctx.places.get("home", "/")
    homes = dict.fromkeys([home, os.path.realpath(home)])
    return {
        "on_failure": policy["on_failure"],
        "free": tuple(policy["free"]),
        "except": tokens(policy["except"], homes),
        "grow": tokens(policy["grow"], homes),
        "roots": tuple(home + root[1:] if root.startswith("~/") else root for root in policy["roots"]),
        "closed": tokens(policy["closed"], homes),
        "outside": tuple(policy["outside"]),
        "skip": tuple(policy["skip"]),
        "folders": policy["folders"],
        "paths": policy["paths"],
    }


def tokens(patterns: list[str], homes: dict[str, None]) -> tuple[tuple[bool, Any], ...]:
    """(absolute, tokens) of each pattern, for the home as spelled and as resolved."""
    parsed = [gitignore.parse(pattern, home) for pattern in patterns for home in homes]
    return tuple(dict.fromkeys((one.absolute, one.tokens) for one in parsed))
