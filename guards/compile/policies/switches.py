"""policy/switches.toml: the words of `#disable`, and where a typed prompt can be told from a sent one."""

from typing import Any

from guards.compile.fields import Table, rows, text, texts
from guards.compile.layers import Row
from guards.compile.policies.harness import HARNESSES

# what no word may ever reach
NEVER = ("human-lane", "shell-lane", "human-only", "sealed", "guards", "spawn-envelope", "switches", "all")


def _word(name: str) -> str:
    group, colon, member = name.partition(":")
    if not colon or not group.isidentifier() or not member or name != name.lower():
        return 'is spelled group:member, in small letters, as in "inject:global"'
    return "is no part of context or read gate" if group not in ("inject", "rgate", "skill") else ""


POLICY = Table(
    {
        "trusted": texts(choices=HARNESSES, doc="harnesses whose prompts count though they do not say who typed them"),
        "below": texts(doc="variables that show, where the harness was started with one, that an agent started it"),
        "typists": texts(doc="programs through which an agent could type into a session"),
        "attended": rows(
            Table(
                {
                    "harness": text(choices=HARNESSES, required=True, doc="the harness that sets the variable"),
                    "variable": text(required=True, doc="a variable of its own"),
                    "value": text(required=True, doc="its value when a person attends"),
                }
            ),
            doc="how a harness says that a person attends the session",
        ),
        "word": rows(
            Table(
                {
                    "id": text(required=True, check=_word, doc="group:member; :* for any ending"),
                    "says": text(required=True, doc="what it switches off"),
                }
            ),
            doc="the words there are",
        ),
    },
    repository=False,
)


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    return {
        "trusted": frozenset(policy["trusted"]),
        "attended": {row["harness"]: (row["variable"], row["value"]) for row in policy["attended"]},
        "below": tuple(policy["below"]),
        "typists": frozenset(policy["typists"]),
        "words": {row["id"]: row["says"] for row in policy["word"]},
        "never": frozenset(NEVER),
    }
