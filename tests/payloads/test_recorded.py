"""The recorded events are what their names say, small, and nobody's private machine."""

import glob
import json
import os
from collections import Counter

import pytest

FOLDER = os.path.dirname(os.path.abspath(__file__))
FILES = sorted(os.path.relpath(path, FOLDER) for path in glob.glob(os.path.join(FOLDER, "*", "*.json")))


def test_every_harness_has_recorded_events() -> None:
    counts = Counter(path.split("/")[0] for path in FILES)
    assert counts == {"claude": 141, "codex": 31, "copilot": 41, "gemini": 40, "claude-2.0.76": 1}


@pytest.mark.parametrize("path", FILES)
def test_a_recorded_event_is_what_its_name_says(path: str) -> None:
    with open(os.path.join(FOLDER, path), "rb") as file:
        data = file.read()
    event, tool, case = os.path.basename(path).removesuffix(".json").split("--")
    payload = json.loads(data)
    tools = [payload.get("tool_name", payload.get("toolName", "none"))]
    tools += [call["tool_name"] for call in payload.get("tool_calls", [])]
    assert payload.get("hook_event_name", event) == event  # Copilot's own form does not repeat it
    assert tool in tools
    assert case
    assert len(data) <= 20_000
    assert payload["cwd"].startswith("/home/owner/project")
    transcript = payload.get("transcript_path", payload.get("transcriptPath"))
    assert transcript.startswith("/home/owner/.") if transcript else path.startswith("copilot/")
