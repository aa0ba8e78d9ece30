"""policy/tripwire.toml: when the lanes are looked at after a command, and how many paths are told."""

from typing import Any

from guards.compile.fields import Table, number, text
from guards.compile.layers import Row

POLICY = Table(
    {
        "mode": text(("fence", "watch"), default="fence", doc="only while the fence is on, or always"),
        "most": number(minimum=1, maximum=50, default=5, doc="paths that are told"),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    return {"mode": policy["mode"], "most": policy["most"]}
