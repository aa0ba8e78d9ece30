"""A throwaway machine with Guards wired into a real program's settings, and the calls a scripted model makes on it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.harness import drive, npm
from tests.harness.forms import Call
from tests.harness.model import Step
from tests.harness.runs import Keep, Run
from tests.harness.terminal import Terminal
from tests.machine import ROOT, Machine

SETTINGS = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
}


def reason(result: str) -> str:
    """What the hook itself said: Claude Code puts the whole wired line before it."""
    return result.split("# guards:managed]: ", 1)[-1]


class Desk:
    """An MCP server of the project's, as extra arguments of Claude Code, and the calls that truly reached it."""

    def __init__(self, base: Path) -> None:
        self.log = base / "desk.jsonl"
        server = {"command": sys.executable, "args": [str(Path(__file__).with_name("mcp_desk.py")), str(self.log)]}
        config = base / "desk.json"
        config.write_text(json.dumps({"mcpServers": {"desk": server}}))
        self.args = ["--mcp-config", str(config), "--allowedTools", drive.ALLOWED + ",mcp__desk"]

    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


class Rig:
    """One owner, one project, one program. `home` and `project` are below the machine's folder."""

    def __init__(self, harness: str, machine: Machine, keep: Keep) -> None:
        self.harness, self.machine, self.keep = harness, machine, keep
        self.home = machine.home
        self.project = machine.repo("project", git=False)
        self.git("-c", "init.defaultBranch=main", "init", "-q", ".")
        self.git("config", "user.name", "owner")
        self.git("config", "user.email", "owner@localhost")
        self.settings = self.home / SETTINGS[harness]
        self.settings.parent.mkdir(exist_ok=True)
        if harness == "gemini":
            self.settings.write_text(json.dumps(drive.GEMINI_SETTINGS))
        if harness == "claude":  # where the installer looks for it: which events are wired hangs on its version
            found = self.home / ".local/bin" / harness
            found.parent.mkdir(parents=True, exist_ok=True)
            found.symlink_to(npm.program(harness)[0])

    def git(self, *argv: str) -> str:
        command = ["git", "-C", str(self.project), *argv]
        done = subprocess.run(command, check=True, env=self.machine.env(), capture_output=True, text=True)
        return done.stdout

    def guards(self, *argv: str) -> str:
        """The owner runs `guards` on this machine; what it said."""
        command = [sys.executable, "-m", "guards.cli", *argv]
        done = subprocess.run(command, cwd=ROOT, env=self.machine.env(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"guards {' '.join(argv)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def install(self, *options: str) -> "Rig":
        """As the owner does it, for this program alone."""
        self.guards("install", "--yes", "--harness", self.harness, *options)
        return self

    def uninstall(self, *options: str) -> None:
        self.guards("uninstall", "--yes", "--harness", self.harness, *options)

    def without_deny_rules(self) -> None:
        """The hooks alone, for what the program's own rules would stop before."""
        settings = json.loads(self.settings.read_text())
        settings.pop("permissions", None)
        self.settings.write_text(json.dumps(settings))

    # ---- the project
    def path(self, name: str) -> str:
        return str(self.project / name)

    def there(self, name: str) -> bool:
        return (self.project / name).exists()

    def put(self, name: str, text: str) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    # ---- what the model calls
    def write(self, name: str, text: str = "hello\n") -> Call:
        """A new file, by the program's own tool; a relative name is the project's."""
        if self.harness == "codex":
            added = "".join(f"+{line}\n" for line in text.splitlines())
            return Call("apply_patch", f"*** Begin Patch\n*** Add File: {name}\n{added}*** End Patch\n")
        tool = {"claude": "Write", "gemini": "write_file"}[self.harness]
        return Call(tool, {"file_path": self.path(name), "content": text})

    def edit(self, name: str, old: str, new: str) -> Call:
        """One line of a file changed, by the program's own tool."""
        if self.harness == "codex":
            text = f"*** Begin Patch\n*** Update File: {name}\n@@\n-{old}\n+{new}\n*** End Patch\n"
            return Call("apply_patch", text)
        given = {"file_path": self.path(name), "old_string": old, "new_string": new}
        if self.harness == "gemini":
            return Call("replace", {**given, "instruction": f"change {old} to {new}"})
        return Call("Edit", given)

    def shell(self, command: str) -> Call:
        if self.harness == "codex":
            return Call("exec_command", {"cmd": command, "yield_time_ms": 10000})
        name = {"claude": "Bash", "gemini": "run_shell_command"}[self.harness]
        return Call(name, {"command": command, "description": "try it"})

    def desk(self) -> Desk:
        return Desk(self.machine.base)

    def agent(self, brief: str) -> Call:
        """A helper that its parent waits for (Claude Code)."""
        given = {"description": "help", "prompt": brief, "subagent_type": "general-purpose"}
        return Call("Agent", {**given, "run_in_background": False})

    # ---- running
    def run(self, *script: Step, subagents: drive.Subagents | None = None, mode: str = "", **start: Any) -> Run:
        begun = drive.Start(str(self.home), str(self.project), **start)
        if self.harness == "claude":
            run = drive.claude(begun, script, subagents, mode or "default")
        elif self.harness == "codex":
            run = drive.codex(begun, script, subagents)
        else:
            run = drive.gemini(begun, script)
        assert run.code == 0, f"the program ended with {run.code}\n{run.story()}"
        return self.keep(run)

    def at_terminal(self, *script: Step, mode: str = "default") -> Terminal:
        """Claude Code with a person before it."""
        start = drive.Start(str(self.home), str(self.project))
        return Terminal(start, script, mode)
