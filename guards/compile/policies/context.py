"""policy/context.toml: where knowledge lies, how much of it is told, and what the lint withholds."""

import marshal
import re
from typing import Any

from guards.compile import rules_of_files
from guards.compile.fields import Table, flag, number, rows, text, texts
from guards.compile.layers import Row
from guards.compile.policies.harness import HARNESSES
from guards.knowledge import globs, lint


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


def _skills(path: str) -> str:
    return "" if path.startswith("~/") or (not path.startswith("/") and ".." not in path.split("/")) else "is no folder"


def _pattern(pattern: str) -> str:
    return "" if all(globs.tokens(one) for one in globs.braces(pattern)) else f"{pattern!r} is no pattern of files"


def _expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as fault:
        return f"{text!r} is no regular expression: {fault}"
    return ""


def _whole(row: Row, where: str) -> list[str]:
    return [] if row["must"] or row["must_not"] else ["must: needs must or must_not"]


def _fixtures(policy: Row, where: str) -> list[str]:
    return [f"rule[{i}]: {said}" for i, row in enumerate(policy["rule"]) for said in rules_of_files.proof(row)]


RULE = Table(
    {
        "paths": texts(required=True, check=_pattern, doc="the files it governs"),
        "must": texts(check=_expression, doc="regular expressions, each of which must be found in the file"),
        "must_not": texts(check=_expression, doc="regular expressions, none of which may be found"),
        "message": text(required=True, doc="what the model is told, and what a check says"),
        "good": texts(required=True, doc="texts of files that keep to it"),
        "bad": texts(required=True, doc="texts of files that do not"),
    },
    check=_whole,
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
        "skill_dirs": texts(check=_skills, doc="where skills lie: ~/x, or inside the project"),
        "skill_keys": texts(doc="keys of a skill's front matter that declare entries: ids and PREFIX*"),
        "skill_env_keys": texts(doc="keys of a skill's front matter that name the values it needs"),
        "rule": rows(RULE, tighter="add", doc="conventions of files, told when one is read; guards rules check"),
        "projected": texts(doc="marks of rule blocks that must not be left in files"),
    },
    check=_fixtures,
)


def _rule(row: Row) -> dict[str, Any]:
    return {"id": row.get("id", ""), "says": tuple(row["says"]), "starts": tuple(row["starts"])}


def _home(path: str, ctx: Any) -> str:
    return ctx.places.get("home", "") + path[1:] if path.startswith("~/") else path


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
        # apart: a silent call never needs it
        "lint": marshal.dumps(tuple(_rule(row) for row in policy["lint"])),
        "skill_dirs": tuple(_home(path, ctx) for path in policy["skill_dirs"]),
        "skill_keys": tuple(policy["skill_keys"]),
        "skill_env_keys": tuple(policy["skill_env_keys"]),
        "rules": tuple((r["id"], r["message"], f"{r['_source']}: rule {r['id']!r}") for r in policy["rule"]),
        "rule_index": globs.index([(path, i) for i, row in enumerate(policy["rule"]) for path in row["paths"]]),
    }
