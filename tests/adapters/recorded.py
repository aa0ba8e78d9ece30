"""The recorded events of the real programs, by harness and by their own event names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "payloads"


def events(harness: str, wire: dict[str, str]) -> list[tuple[str, str, dict[str, Any]]]:
    """(file name, neutral event name, payload) of every recorded event that the adapter is wired for."""
    neutral = {theirs: ours for ours, theirs in wire.items()}
    found = []
    for path in sorted((FOLDER / harness).glob("*.json")):
        payload = json.loads(path.read_bytes())
        name = neutral.get(payload["hook_event_name"])
        if name:
            found.append((path.stem, name, payload))
    return found
