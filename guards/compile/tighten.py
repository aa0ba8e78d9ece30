"""What a repository's layer may do to one value: tighten it as the field's record says, or fill a row of its own.

A repository is writable by agents and by anyone whose clone is opened, so whatever would loosen is left out and said.
"""

from typing import Any

from guards.compile.kinds import Field, Text, Texts
from guards.compile.words import shown

OWNERS = "only the owner's layers may say this; left out"
NOTHING: Any = object()

Said = list[tuple[str, str]]  # (path beneath the value, message)


def leaf(known: Field, old: Any, new: Any) -> tuple[Any, Said]:
    """(the value in force, what is to be said); NOTHING when the old one stays. `old` is NOTHING in a new row."""
    if known.machine_only or (old is not NOTHING and known.tighter == "never"):
        before = known.default if old is NOTHING else old
        same = new == (list(before) if isinstance(before, tuple) else before)
        return NOTHING, [] if same else [("", OWNERS)]
    if isinstance(known, Texts):
        return _texts(known, old, new)
    if old is NOTHING or old in (None, "", new):
        return new, []
    if _looser(known, old, new):
        return NOTHING, [("", f"{shown(new)} is looser than the owner's {shown(old)}; left out")]
    return new, []


def _looser(known: Field, old: Any, new: Any) -> bool:
    if isinstance(known, Text):
        ranks = known.choices or ()
        old, new = ranks.index(old), ranks.index(new)
    return bool(new > old if known.tighter == "lower" else new < old)


def _texts(known: Texts, old: Any, new: list[str]) -> tuple[Any, Said]:
    said: Said = []
    good = []
    for i, item in enumerate(new):
        if known.patterns and (why := outside(item)):
            said.append((f"[{i}]", why))
        elif old is not NOTHING and known.tighter == "lower" and item not in old:
            said.append(
                (f"[{i}]", f"{shown(item)} is not in the owner's list, and here it can only get shorter; left out")
            )
        else:
            good.append(item)
    if new and not good:
        return NOTHING, said
    if old is NOTHING:
        return good, said
    if known.tighter == "lower":
        return [item for item in old if item in good], said
    return [*old, *[item for item in good if item not in old]], said


def outside(pattern: str) -> str:
    """Why a repository may not say this pattern, "" when it may: it speaks for its own files only."""
    bare = pattern.lstrip("!")
    if bare.startswith(("//", "~")):
        return f"{shown(pattern)} leads out of the repository; left out"
    if ".." in bare.split("/"):
        return f"{shown(pattern)} leads out of the repository; left out"
    return ""
