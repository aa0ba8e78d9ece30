"""A machine with context switched on, and a real git repository with a context folder in it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tests.machine import SESSION, Fired, Machine, tool

DIR = ".context"
ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}


class Ground:
    def __init__(self, machine: Machine, policy: str = "", git: bool = True) -> None:
        self.machine = machine
        self.policy(policy)
        self.root = machine.repo("project", {"src/app.py": "a\n"}, git=False)
        if git:
            self.git("-c", "init.defaultBranch=main", "init", "-q", ".")
            self.git("config", "user.name", "owner")
            self.git("config", "user.email", "owner@localhost")
            self.commit()

    def policy(self, more: str = "") -> None:
        self.machine.policy("context", f'off = false\ndir = "{DIR}"\n{more}')

    def git(self, *argv: str) -> str:
        command = ["git", "-C", str(self.root), *argv]
        return subprocess.run(
            command, check=True, env=self.machine.env(), capture_output=True, text=True
        ).stdout.strip()  # fmt: skip

    def put(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "state")
        return self.git("rev-parse", "HEAD")

    def entry(
        self,
        name: str,
        body: str,
        paths: str = "src/",
        status: str = "accepted",
        title: str = "A title",
        more: str = "",
    ) -> None:
        matter = f"---\nid: {name}\ntitle: {title}\nstatus: {status}\npaths: [{paths}]\n{more}---\n"
        self.put(f"{DIR}/entries/{name}.md", f"{matter}{body}\n")

    def accept(self, *lines: str) -> Path:
        path = self.machine.config / "approvals/context"
        path.write_text("".join(line + "\n" for line in lines))
        path.chmod(0o600)
        return path

    def note(self, name: str, text: str) -> Path:
        """One of the machine's own notes."""
        path = self.machine.config / "context/global" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    # ---- events
    def typed(self, text: str) -> Fired:
        """A switch, typed by a person who attends the session."""
        payload = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": "UserPromptSubmit", "prompt": text}
        return self.machine.started("prompt", payload, added=ATTENDED, guard="switches")

    def start(self, source: str = "startup", session: str = SESSION, **more: Any) -> Fired:
        payload = {"session_id": session, "cwd": str(self.root), "hook_event_name": "SessionStart", "source": source}
        return self.machine.fire("session-start", {**payload, **more}, guard="context")

    def agent(self, name: str = "a1") -> Fired:
        payload = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": "SubagentStart"}
        return self.machine.fire("subagent-start", {**payload, "agent_id": name, "agent_type": "Explore"})

    def prompt(self, text: str = "hi", **more: Any) -> Fired:
        payload = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": "UserPromptSubmit", "prompt": text}
        return self.machine.fire("prompt", {**payload, "permission_mode": "default", **more})

    def edit(self, name: str = "src/app.py", **more: Any) -> Fired:
        given = {"file_path": str(self.root / name), "old_string": "a", "new_string": "b"}
        return self.machine.fire("before-tool", tool("Edit", given, cwd=self.root, **more))

    def errors(self) -> list[str]:
        return [line["why"] for line in self.machine.journal() if line["verdict"] == "error"]
