"""policy/context.toml: where knowledge lies, how much of it is told, and what the lint withholds."""

from typing import Any

from guards.compile.fields import Table, flag, number, rows, text, texts
from guards.compile.layers import Row
from guards.compile.policies.harness import HARNESSES
from guards.knowledge import lint


def _inside(path: str) -> str:
    parts = path.split("/")
    good = not path.startswith(("/", "~", "-", ":")) and all(part not in ("", ".", "..") for part in parts)
    return "" if good or not path else "is a folder inside a repository, as in .context"


def _lint(value: Row, where: str) -> list[str]:
    if not value["says"] and not value["starts"]:
        return ["says: needs says or starts"]
    rule = _rule(value)
    said = [f"bad[{i}]: is not flagged" for i, t in enumerate(value["bad"]) if not lint.finding(t, (rule,))]
    said += [f"good[{i}]: is flagged" for i, t in enumerate(value["good"]) if lint.finding(t, (rule,))]
    return said


LINT = Table(
    {
        "says": texts(doc="phrases anywhere, in small letters; * stands for anything on the same line"),
        "starts": texts(doc="how a line begins, in small letters, without Markdown's marks"),
        "bad": texts(required=True, doc="texts that must be flagged"),
        "good": texts(required=True, doc="texts that must not be flagged"),
    },
    check=_lint,
)
POLICY = Table(
    {
        "dir": text(check=_inside, doc="the context folder inside a repository; empty: no repository is asked"),
        "session_tokens": number(minimum=0, default=6000, doc="tokens that one stretch of a session may be told"),
        "edit_tokens": number(minimum=0, default=900, doc="tokens that one edit may be told"),
        "brief_tokens": number(minimum=0, default=600, doc="tokens of the list of entries at a session's start"),
        "brief_again_tokens": number(minimum=0, default=200, doc="the same after a compaction or a resume"),
        "chars_per_token": number(minimum=1, maximum=10, default=4, doc="the estimate: characters of one token"),
        "note_max": number(minimum=500, maximum=9900, default=9900, doc="characters of a note that is told whole"),
        "after": texts(choices=HARNESSES, doc="harnesses that show the model a note only after the edit"),
        "stop_note": flag(doc="tell the owner at each stop what was told"),
        "lint": rows(LINT, doc="what makes a text one that talks to the agent"),
    },
    repository=False,
)


def _rule(row: Row) -> dict[str, Any]:
    return {"id": row.get("id", ""), "says": tuple(row["says"]), "starts": tuple(row["starts"])}


def table(policy: Row, ctx: Any) -> dict[str, Any]:
    return {
        "dir": policy["dir"].rstrip("/"),
        "session": policy["session_tokens"],
        "edit": policy["edit_tokens"],
        "brief": policy["brief_tokens"],
        "brief_again": policy["brief_again_tokens"],
        "per": policy["chars_per_token"],
        "note_max": policy["note_max"],
        "after": frozenset(policy["after"]),
        "stop_note": policy["stop_note"],
        "lint": tuple(_rule(row) for row in policy["lint"]),
    }
