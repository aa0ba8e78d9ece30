"""policy/spawn-envelope.toml: the headings a prompt must carry, and the tools whose prompts are judged."""

import unicodedata
from typing import Any

from guards.compile.fields import Table, number, rows, text, texts

_JOINERS = str.maketrans(dict.fromkeys("-_\u2010\u2011\u00a0", " "))


def _words(phrase: str) -> tuple[str, ...]:
    """A spelling as the guard compares it: composed, folded, cut where a space or hyphen may stand."""
    return tuple(unicodedata.normalize("NFC", phrase).casefold().translate(_JOINERS).split())


def _spelling(phrase: str) -> str:
    words = _words(phrase)
    if not words or not words[0][:1].isalpha():
        return "a heading's spelling begins with a letter"
    return ""


def _match(value: str) -> str:
    if value.count("*") > 1:
        return "takes one * at most"
    if value.startswith("*"):
        return "begins with the harness's own prefix, not with *: a name that merely ends so is another tool"
    return ""


def _heading(value: dict[str, Any], where: str) -> list[str]:
    if not value["accept"]:
        return ["accept: needs at least one spelling"]
    said = [(i, _spelling(phrase)) for i, phrase in enumerate(value["accept"])]
    return [f"accept[{i}]: {message}" for i, message in said if message]


HEADING = Table(
    {
        "accept": texts(required=True, doc="spellings of the heading; the first one is shown"),
        "holds": text(required=True, doc="what the part should say, for the refusal"),
    },
    check=_heading,
)
TOOL = Table(
    {
        "match": text(required=True, check=_match, doc="the exact tool name; one * stands for the host's name"),
        "kind": text(("follow-up", "spawn"), required=True, doc="a spawn is judged at any length"),
        "prompt": text(default="prompt", doc="the input field that holds the prompt"),
    }
)
POLICY = Table(
    {
        "action": text(("watch", "ask", "deny"), default="deny", tighter="higher", doc="what a refusal is"),
        "min_chars": number(
            minimum=0, default=400, tighter="lower", doc="follow-up prompts shorter than this pass unjudged"
        ),
        "heading": rows(HEADING, tighter="add"),
        "tool": rows(TOOL, tighter="add"),
    }
)


def table(policy: dict[str, Any], ctx: Any) -> dict[str, Any]:
    exact: dict[str, tuple[str, str]] = {}
    wild: list[tuple[str, str, str, str]] = []
    for row in policy["tool"]:
        before, star, after = row["match"].partition("*")
        if star:
            wild.append((before, after, row["kind"], row["prompt"]))
        else:
            exact[before] = (row["kind"], row["prompt"])
    headings = tuple(
        (
            row["accept"][0],
            row["holds"],
            f"{row['_source']}: heading {row['id']!r}",
            tuple(sorted({_words(phrase) for phrase in row["accept"]}, key=lambda words: (-len(words), words))),
        )
        for row in policy["heading"]
    )
    return {
        "action": policy["action"],
        "min_chars": policy["min_chars"],
        "exact": exact,
        "wild": tuple(wild),
        "headings": headings,
        "firsts": frozenset(words[0][0] for heading in headings for words in heading[3]),
    }
