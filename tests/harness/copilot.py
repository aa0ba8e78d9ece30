"""Copilot CLI against the scripted model: offline, its provider on loopback, no account.

Which file tools it offers hangs on the model: `create` and `edit`, or `apply_patch` for OpenAI's. The folder is not
trusted unless a test says so; the owner's own hooks run all the same.
"""

import json
from collections.abc import Sequence
from typing import Any

from tests.harness import drive, npm, rig
from tests.harness.forms import Call, Json
from tests.harness.model import Model, Step
from tests.harness.runs import Keep, Run
from tests.machine import Machine

FILE = ".copilot/hooks/guards.json"


def run(
    start: drive.Start, script: Sequence[Step], subagents: drive.Subagents | None = None, *, patches: bool = False
) -> Run:
    """Copilot, non-interactive, every tool allowed so that only the hooks stand in the way."""
    with drive.Scratch() as tmp, Model(script, subagents) as scripted:
        variables = {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_TYPE": "openai" if patches else "anthropic",
            "COPILOT_PROVIDER_BASE_URL": scripted.url + ("/v1" if patches else ""),
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": start.model or ("gpt-5.5" if patches else "claude-sonnet-4.5"),
        }
        if patches:
            variables["COPILOT_PROVIDER_WIRE_API"] = "responses"
        argv = [*npm.program("copilot"), "-p", start.prompt, "--allow-all-tools", "--no-color", *start.args]
        return drive.run("copilot", start, argv, drive.environment(start.home, tmp, variables), scripted)


class Rig(rig.Rig):
    """A machine with Copilot on it. patches: the model is one of those that edit by patches."""

    def __init__(self, machine: Machine, keep: Keep, patches: bool = False) -> None:
        rig.SETTINGS["copilot"] = FILE
        (machine.home / ".copilot").mkdir()
        super().__init__("copilot", machine, keep)
        self.patches = patches

    def write(self, name: str, text: str = "hello\n") -> Call:
        if self.patches:
            added = "".join(f"+{line}\n" for line in text.splitlines())
            return Call("apply_patch", f"*** Begin Patch\n*** Add File: {name}\n{added}*** End Patch\n")
        return Call("create", {"path": self.path(name), "file_text": text})

    def edit(self, name: str, old: str, new: str) -> Call:
        if self.patches:
            text = f"*** Begin Patch\n*** Update File: {name}\n@@\n-{old}\n+{new}\n*** End Patch\n"
            return Call("apply_patch", text)
        return Call("edit", {"path": self.path(name), "old_str": old, "new_str": new})

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "try it"})

    def helper(self, brief: str) -> Call:
        """A subagent that its parent waits for."""
        return Call("task", {"description": "help", "prompt": brief, "agent_type": "task", "name": "helper"})

    def hooks(self, **events: Json | list[Json]) -> None:
        """Hooks made by hand, in place of any of ours."""
        listed = {event: entry if isinstance(entry, list) else [entry] for event, entry in events.items()}
        self.settings.write_text(json.dumps({"version": 1, "hooks": listed}))

    def run(self, *script: Step, subagents: drive.Subagents | None = None, mode: str = "", **start: Any) -> Run:
        begun = drive.Start(str(self.home), str(self.project), **start)
        done = run(begun, script, subagents, patches=self.patches)
        assert done.code == 0, f"the program ended with {done.code}\n{done.story()}"
        return self.keep(done)


def by_hand(command: str, **more: Any) -> Json:
    """One entry."""
    return {"type": "command", "bash": command, "timeoutSec": 10, **more}
