"""What the installer wrote down for the way back: `wired` in the install folder.

Per settings file: containers it made, what stood in containers it found empty, native rules it added, whether the
file is its own. The record is written before the settings are; one that is too old does no harm, because it only
counts while something of ours is in the file. Lost, it is read back from the text (`adopt`).
"""

import json
import os
from typing import Any

from guards.wiring import place, unwire

NAME = "wired"


def load(install: str) -> dict[str, Any]:
    try:
        with open(os.path.join(install, NAME), encoding="utf-8") as handle:
            found = json.load(handle)
    except (OSError, ValueError):
        return {"files": {}}
    return found if isinstance(found, dict) and isinstance(found.get("files"), dict) else {"files": {}}


def save(install: str, data: dict[str, Any]) -> None:
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    place.write_whole(os.path.join(install, NAME), text, 0o600)


def of_file(install: str, path: str, text: str, rules: list[str]) -> dict[str, Any]:
    """The record to go on with for a file whose text is this."""
    kept = load(install)["files"].get(path)
    known = frozenset([*rules, *(kept or {}).get("rules", ())])
    if next(unwire.ways(unwire.parse(text), known if kept else frozenset()), None) is None:
        return {"made": [], "gaps": {}, "rules": []}
    return dict(kept) if kept else adopt(text, rules)


def adopt(text: str, rules: list[str]) -> dict[str, Any]:
    """With entries of ours and no record: containers that hold nothing else count as made by us, and the very
    rules we would add as added by us."""
    without = unwire.parse(unwire.take_out(text, {"rules": rules}))
    made, found = set(), []
    for way in unwire.ways(unwire.parse(text), frozenset(rules)):
        keys = [str(node.items[index].key) for node, index in way[:2]]
        made |= {path for path in (keys[0], "/".join(keys)) if _at(without, path) is None}
        if keys[0] == "permissions":
            found.append(str(way[-1][0].items[way[-1][1]].node.value))
    return {"made": sorted(made), "gaps": {}, "rules": found}


def _at(node: unwire.Node | None, path: str) -> unwire.Node | None:
    for key in path.split("/"):
        node = node.get(key) if node is not None else None
    return node
