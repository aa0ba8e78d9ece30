"""A private /etc for one program, so that settings of a managed machine can be tried without touching this one.

The program is started in a mount namespace of its own, in which a folder of the test stands in for /etc. Where
the kernel does not permit that, `refused` says so and the test is skipped with that reason.
"""

import os
import shutil
import subprocess
from pathlib import Path

# what programs look up in /etc to start at all: users, hosts, libraries
NEEDED = ("passwd", "group", "nsswitch.conf", "hosts", "resolv.conf", "ld.so.cache", "ld.so.conf", "alternatives")


class Wall:
    def __init__(self, base: Path) -> None:
        self.etc = base / "etc"
        self.settings = self.etc / "claude-code/managed-settings.json"
        self.settings.parent.mkdir(parents=True)
        for name in NEEDED:
            source = Path("/etc", name)
            if source.is_dir():
                shutil.copytree(source, self.etc / name, symlinks=True)
            elif source.exists():
                shutil.copy(source, self.etc / name)

    def wrap(self, first: str = "true") -> list[str]:
        """What to put before a command. `first` is a shell text that runs inside the wall before it."""
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        script = f'mount --bind "$0" /etc && {first} && exec "$@"'
        return ["unshare", *user, "--mount", "sh", "-c", script, str(self.etc)]

    def refused(self) -> str:
        """Why no wall can be put up here; "" when it can."""
        if shutil.which("unshare") is None:
            return "there is no unshare(1) here, so /etc cannot be kept private"
        done = subprocess.run([*self.wrap(), "true"], capture_output=True, text=True, check=False)
        return f"no private /etc here: {done.stderr.strip()}" if done.returncode else ""
