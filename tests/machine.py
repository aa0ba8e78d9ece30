"""A throwaway machine for end-to-end tests: a home with its install folder, policy, approvals and repositories.

`fire` runs the wired command the way a harness does: `/bin/sh -c COMMAND` in its own session, without a terminal,
default signals, standard streams that are Unix sockets (Claude Code, Gemini) or pipes (Codex), read by pexpect.
"""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pexpect
from pexpect import fdpexpect, socket_pexpect

from guards.compile import build, store
from guards.engine import tables
from guards.wiring import place

ROOT = Path(__file__).resolve().parent.parent
SESSION = "5f0c1e2a-0000-4000-8000-00000000a001"
# a stand-in for a harness: started with the environment it is given, it runs the hook with some variables added
HARNESS = """
import json, os, subprocess, sys
command, added = sys.argv[1:3]
sys.exit(subprocess.run(["/bin/sh", "-c", command], env={**os.environ, **json.loads(added)}).returncode)
"""


@dataclass(frozen=True)
class Fired:
    """One answer: exit code, both outputs whole, seconds, and whether the payload could not be written whole."""

    code: int
    out: str
    err: str
    seconds: float
    broken_pipe: bool = False

    @property
    def silent(self) -> bool:
        return self.code == 0 and not self.out and not self.err

    @property
    def denied(self) -> bool:
        return self.code == 2 and bool(self.err.strip()) and not self.out

    @property
    def document(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    @property
    def note(self) -> str:
        text = self.document["hookSpecificOutput"]["additionalContext"]
        assert isinstance(text, str)
        return text


@dataclass
class Machine:
    """A home with Guards installed in it. Nothing outside `base` is touched.

    warm: a policy that compiles is compiled here before a hook is fired, which is what the hook itself would do first;
    a process of its own for that is most of a test's time.
    """

    base: Path
    environ: dict[str, str] = field(default_factory=dict)
    warm: bool = True

    def __post_init__(self) -> None:
        self.home = self.base / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.install = self.home / ".local/share/guards"
        self.config = self.home / ".config/guards"
        self.state = self.home / ".local/state/guards"
        self.places = place.lay(
            str(self.install),
            home=str(self.home),
            checkout=str(ROOT),
            config=str(self.config),
            state=str(self.state),
            python=sys.executable,
        )

    # ---- what the owner writes
    def policy(self, name: str, toml: str) -> Path:
        """The machine layer of one policy file."""
        path = self.config / "policy" / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(toml, encoding="utf-8")
        path.chmod(0o600)
        return path

    def approve(self, *lines: str) -> Path:
        """Writes the whole approval file."""
        path = Path(self.places["approvals"])
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        path.chmod(0o600)
        return path

    def repo(self, name: str = "proj", files: dict[str, str] | None = None, git: bool = True) -> Path:
        """A folder below the home, a repository by its `.git`."""
        root = self.home / name
        root.mkdir(parents=True, exist_ok=True)
        if git:
            (root / ".git").mkdir(exist_ok=True)
            (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
        for rel, text in (files or {}).items():
            (root / rel).parent.mkdir(parents=True, exist_ok=True)
            (root / rel).write_text(text, encoding="utf-8")
        return root

    # ---- what a harness does
    def command(self, event: str, harness: str = "claude", guard: str = "") -> str:
        line = place.command(str(self.install), harness, event)
        return line.replace(f" {harness} {event}", f" {harness} {event} {guard}", 1) if guard else line

    def env(self, **more: str | None) -> dict[str, str]:
        env = {"HOME": str(self.home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", **self.environ}
        for key, value in more.items():
            if value is None:
                env.pop(key, None)
            else:
                env[key] = value
        return env

    def fire(
        self,
        event: str,
        payload: dict[str, Any] | bytes | str,
        *,
        harness: str = "claude",
        guard: str = "",
        streams: str = "socket",
        close: bool = True,
        command: str = "",
        shell: str = "/bin/sh",
        cwd: str | Path | None = None,
        env: dict[str, str | None] | None = None,
        slow: tuple[int, float] | None = None,
        timeout: float = 40,
    ) -> Fired:
        """One event through the wired command. `slow`: (bytes at a time, seconds in all)."""
        data = (
            payload
            if isinstance(payload, bytes)
            else (payload if isinstance(payload, str) else json.dumps(payload)).encode()
        )
        line = command or self.command(event, harness, guard)
        if self.warm:
            self.compile()
        return fire(
            [shell, "-c", line], data, streams=streams, close=close, cwd=str(cwd or self.home),
            env=self.env(**(env or {})), slow=slow, timeout=timeout,
        )  # fmt: skip

    def started(
        self,
        event: str,
        payload: dict[str, Any],
        own: dict[str, str] | None = None,
        added: dict[str, str] | None = None,
        **more: Any,
    ) -> Fired:
        """One event in a harness that was started with `own` and nothing of the tests' own environment; `added` comes
        to the hook from elsewhere."""
        line = self.command(event, more.get("harness", "claude"), more.pop("guard", ""))
        argv = shlex.join([sys.executable, "-c", HARNESS, line, json.dumps(added or {})])
        return self.fire(event, payload, command=f"exec {argv}", env={**(own or {})}, **more)

    def compile(self) -> None:
        """Stale tables of a policy without faults are made anew; anything else is left to the hook."""
        places = place.read(str(self.install))
        kept = tables.read(tables.file_of(places)) if places else None
        if places is None or (kept is not None and tables.fresh(kept[0])):
            return
        made = build.build(places)
        if not made.faults:
            store.write(tables.file_of(places), store.key(made.sources), made.packed)
            store.remove(build.fault_file(places))

    def write(self, path: str | Path, content: str = "x\n", **more: Any) -> Fired:
        """A Write call, fired before the tool."""
        return self.fire("before-tool", tool("Write", {"file_path": str(path), "content": content}, **more))

    def bash(self, command: str, **more: Any) -> Fired:
        """A shell call, fired before the tool."""
        return self.fire("before-tool", tool("Bash", {"command": command}, **more))

    def journal(self) -> list[dict[str, Any]]:
        """Every line of the journal."""
        lines: list[dict[str, Any]] = []
        for path in sorted((self.state / "journal").glob("*.jsonl")):
            lines += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return lines


def tool(name: str, given: Any, *, cwd: str | Path = "", event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    """A tool event as Claude Code sends it."""
    return {
        "session_id": SESSION,
        "transcript_path": f"/home/owner/.claude/projects/p/{SESSION}.jsonl",
        "cwd": str(cwd),
        "permission_mode": "default",
        "hook_event_name": event,
        "tool_name": name,
        "tool_input": given,
        "tool_use_id": "toolu_01",
        **more,
    }


def fire(
    argv: list[str],
    data: bytes,
    *,
    streams: str = "socket",
    close: bool = True,
    cwd: str,
    env: dict[str, str],
    slow: tuple[int, float] | None = None,
    timeout: float = 40,
) -> Fired:
    """Starts `argv` with three sockets or pipes, feeds `data`, and collects both outputs to their ends."""
    kid, ours = _sockets() if streams == "socket" else _pipes()
    started = time.monotonic()
    child = subprocess.Popen(argv, stdin=kid[0], stdout=kid[1], stderr=kid[2], start_new_session=True, cwd=cwd, env=env)
    for end in kid:
        end.close() if isinstance(end, socket.socket) else os.close(end)
    out, err = (_spawn(end, timeout) for end in ours[1:])
    trouble: list[OSError] = []
    feeder = threading.Thread(target=_feed, args=(ours[0], data, close, slow, trouble), daemon=True)
    feeder.start()
    texts = []
    for stream in (out, err):
        stream.expect(pexpect.EOF)
        texts.append(stream.before.decode("utf-8", "replace"))
    code = child.wait(timeout)
    seconds = time.monotonic() - started
    feeder.join(5)
    for end in ours:
        _shut(end)
    return Fired(code, texts[0], texts[1], seconds, bool(trouble))


def _sockets() -> tuple[list[Any], list[Any]]:
    pairs = [socket.socketpair() for _ in range(3)]
    return [b for _, b in pairs], [a for a, _ in pairs]


def _pipes() -> tuple[list[Any], list[Any]]:
    stdin, stdout, stderr = os.pipe(), os.pipe(), os.pipe()
    return [stdin[0], stdout[1], stderr[1]], [stdin[1], stdout[0], stderr[0]]


def _spawn(end: Any, timeout: float) -> Any:
    if isinstance(end, socket.socket):
        return socket_pexpect.SocketSpawn(end, timeout=timeout, maxread=1 << 16)
    return fdpexpect.fdspawn(end, timeout=timeout, maxread=1 << 16)


def _feed(end: Any, data: bytes, close: bool, slow: tuple[int, float] | None, trouble: list[OSError]) -> None:
    try:
        step, pause = (len(data) or 1, 0.0) if slow is None else (slow[0], slow[1] * slow[0] / max(len(data), 1))
        for start in range(0, len(data), step):
            piece = memoryview(data)[start : start + step]
            while piece:
                piece = piece[end.send(piece) if isinstance(end, socket.socket) else os.write(end, piece) :]
            if pause:
                time.sleep(pause)
        if close:
            end.shutdown(socket.SHUT_WR) if isinstance(end, socket.socket) else os.close(end)
    except OSError as fault:
        trouble.append(fault)


def _shut(end: Any) -> None:
    try:
        end.close() if isinstance(end, socket.socket) else os.close(end)
    except OSError:
        pass
