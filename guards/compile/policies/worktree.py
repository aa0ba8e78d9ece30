"""policy/worktree.toml: where the worktrees of agents lie."""

from typing import Any

from guards.compile.fields import Table, text
from guards.compile.layers import Row


def _inside(path: str) -> str:
    parts = path.split("/")
    good = not path.startswith("~") and all(part not in ("", ".", "..") for part in parts)
    return "" if good else "is a folder inside the main checkout, as in .claude/worktrees"


POLICY = Table(
    {"folder": text(required=True, check=_inside, doc="the folder of the main checkout that holds the worktrees")},
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    return {"folder": policy["folder"]}
