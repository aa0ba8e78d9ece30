"""An owner's machine for the wiring tests: a home, a harness of some version, and the command line run on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect

from tests import kept

ROOT = Path(__file__).resolve().parent.parent.parent
SETTINGS = sorted((Path(__file__).parent / "settings").glob("*.json"))


@dataclass
class Owner:
    """Nothing outside `home` is touched; agents' variables of the test's own surroundings do not come through."""

    home: Path
    version: str | None = "2.1.332 (Claude Code)"

    def __post_init__(self) -> None:
        (self.home / ".claude").mkdir(parents=True, exist_ok=True)
        self.bin = self.home / "bin"
        self.bin.mkdir(exist_ok=True)
        if self.version is not None:
            self.program(f"#!/bin/sh\necho '{self.version}'\n")

    def program(self, text: str) -> None:
        """Puts a `claude` on the PATH."""
        (self.bin / "claude").write_text(text)
        (self.bin / "claude").chmod(0o755)

    @property
    def settings(self) -> Path:
        return self.home / ".claude/settings.json"

    @property
    def install(self) -> Path:
        return self.home / ".local/share/guards"

    @property
    def state(self) -> Path:
        return self.home / ".local/state/guards"

    def env(self, **more: str) -> dict[str, str]:
        path = f"{self.bin}:/usr/local/bin:/usr/bin:/bin"
        return {"HOME": str(self.home), "PATH": path, "LANG": "C.UTF-8", **more}

    def argv(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "guards.cli", *words]

    def run(self, *words: str, umask: int = 0o022, **env: str) -> subprocess.CompletedProcess[str]:
        """A command without a terminal."""
        return subprocess.run(
            self.argv(*words), cwd=ROOT, env=self.env(**env), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, umask=umask, check=False,
        )  # fmt: skip

    def wired(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """An install that must go well."""

        def work() -> subprocess.CompletedProcess[str]:
            done = self.run("install", "--yes", *words, umask=0o022, **env)
            assert done.returncode == 0, done.stdout + done.stderr
            return done

        within = not any("/" in word for word in (*words, *env.values()))
        return kept.once(self.home, (words, env), work) if within else work()

    def terminal(self, *words: str, **env: str) -> pexpect.spawn:
        """The same command at a terminal."""
        argv = self.argv(*words)
        return pexpect.spawn(
            argv[0], argv[1:], cwd=str(ROOT), env=self.env(TERM="dumb", **env), timeout=60, encoding="utf-8",
            dimensions=(60, 400),
        )  # fmt: skip

    def entries(self, path: Path | None = None) -> dict[str, list[dict[str, Any]]]:
        """Our entries by the harness's event name."""
        from guards.wiring import unwire

        found: dict[str, list[dict[str, Any]]] = {}
        plain: Any = unwire.parse(unwire.decode((path or self.settings).read_bytes())).plain()
        for event, groups in plain.get("hooks", {}).items():
            for group in groups:
                for entry in group["hooks"]:
                    if entry["command"].endswith("# guards:managed"):
                        found.setdefault(event, []).append(entry)
        return found

    def snapshot(self) -> dict[str, tuple[int, bytes]]:
        """Every file below the home: time of change and content."""
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = Path(folder) / name
                data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
                found[str(path.relative_to(self.home))] = (path.lstat().st_mtime_ns, data)
        return found


def trust_codex(path: Path) -> None:
    """What Codex writes when its owner trusts every entry of ours in a hooks.json."""
    from guards.wiring.forms import codex

    noted = ""
    for native, where, entry in codex._ours(str(path)):
        key = f"{path}:{codex._label(native)}:{where}"
        noted += f'[hooks.state.{json.dumps(key)}]\ntrusted_hash = "{codex.fingerprint(native, entry)}"\n\n'
    config = path.parent / "config.toml"
    config.write_text((config.read_text() if config.exists() else "") + noted)


def loads(text: str) -> Any:
    return json.loads(text)
