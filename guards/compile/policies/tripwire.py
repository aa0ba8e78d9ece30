"""policy/tripwire.toml: when the lanes are looked at after a command, and how many paths are told."""

import os
from typing import Any

from guards.compile.fields import Table, number, text, texts
from guards.compile.layers import Row
from guards.compile.policies.fence import absolute, tokens

POLICY = Table(
    {
        "mode": text(("fence", "watch"), default="fence", doc="only while the fence is on, or always"),
        "ignore": texts(patterns=True, check=absolute, doc="files that the agent programs keep writing themselves"),
        "most": number(minimum=1, maximum=50, default=5, doc="paths that are told"),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    home = ctx.places.get("home", "/")
    homes = dict.fromkeys([home, os.path.realpath(home)])
    ignore = tuple(row[1] for row in tokens(policy["ignore"], homes))
    return {"mode": policy["mode"], "most": policy["most"], "ignore": ignore}
