"""policy/open-items.toml: which lists of a repository hold open items, and how an open one begins."""

from typing import Any

from guards.compile.fields import Table, flag, number, texts
from guards.compile.layers import Row


def _inside(path: str) -> str:
    if path.startswith(("/", "~")) or ".." in path.split("/"):
        return "is a path inside the repository"
    return ""


POLICY = Table(
    {
        "branch": flag(default=True, doc="name the branch"),
        "files": texts(check=_inside, doc="lists in the repository's root, in this order"),
        "marks": texts(doc="how a line begins that is still open"),
        "most": number(minimum=1, maximum=20, default=5, doc="items that are told"),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    return {
        "branch": policy["branch"],
        "files": tuple(policy["files"]),
        "marks": tuple(policy["marks"]),
        "most": policy["most"],
    }
