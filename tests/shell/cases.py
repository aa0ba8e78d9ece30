"""The recorded commands of tests/shell/cases/*.sh: what each really does to a lane, measured by running it.

A record begins with `## VERDICT`, perhaps with `@FOLDER` (where it runs, seen from the repository) and a note:
`refused, and changes nothing` is caution that is meant; `passes, and cannot be seen` is a limit that HOOKS.md names.
"""

from __future__ import annotations

import contextlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"
PORT = "8765"  # in the records; the served port takes its place
# programs that not every machine has: the first word of a command, or one it starts
EXTRA = (
    "gawk", "busybox", "zsh", "ksh", "ruby", "php", "lua5.4", "tclsh", "sponge", "chronic", "parallel", "7z",
    "bsdtar", "rsync", "setfacl", "setfattr", "sqlite3", "vim", "ed", "node", "npm", "xxd", "cpio", "patch", "zip",
    "unzip", "curl", "wget", "tmux", "screen", "interdiff", "lsdiff", "bc", "m4", "jq", "sudo", "flock", "script",
    "xz", "bzip2", "ex", "rg", "gdb", "cpp", "run-parts", "make", "pip", "cmake", "ninja",
    "start-stop-daemon",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    kind: str
    line: int
    refused: bool
    note: str
    cwd: str
    command: str

    @property
    def changes(self) -> bool:
        """Whether running it changes a lane."""
        return self.refused is not bool(self.note)

    def lacks(self) -> list[str]:
        """Programs that it starts and this machine does not have."""
        words = set(self.command.replace("|", " ").replace("(", " ").replace(";", " ").split())
        return [name for name in EXTRA if name in words and shutil.which(name) is None]

    def placed(self, base: Path, port: str) -> tuple[str, str]:
        """(the command, where it runs) in a world that lies at `base`, with the port of a served folder."""
        places = {"@R@": "repo", "@H@": "home", "@X@": "ext", "@B@": "."}
        command = self.command.replace(PORT, port)
        for mark, folder in places.items():
            command = command.replace(mark, str(base / folder))
        return command, self.cwd.replace("@R@", str(base / "repo"))

    def __str__(self) -> str:
        return f"{self.kind}:{self.line}"


def read() -> list[Case]:
    found: list[Case] = []
    for path in sorted(FOLDER.glob("*.sh")):
        head, body, at = "", [], 0
        for number, text in enumerate([*path.read_text(encoding="utf-8").splitlines(), "## end"], 1):
            if not text.startswith("## "):
                body.append(text)
                continue
            if head:
                found.append(_case(path.stem, at, head, "\n".join(body)))
            head, body, at = text[3:], [], number
    return found


def _case(kind: str, line: int, head: str, command: str) -> Case:
    said, _, folder = head.partition(" @")
    verdict, _, note = said.partition(", ")
    assert verdict in ("refused", "passes"), f"{kind}.sh:{line}: {head}"
    return Case(kind, line, verdict == "refused", note, f"@R@/{folder}" if folder else "@R@", command)


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The port of a server with files that the records fetch."""
    for name in ("ci.yml", "live.conf", "door.py", "new.yml", "keys.yaml", "x.sql"):
        (folder / name).write_text(f"from elsewhere: {name}\n")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *args: object) -> None:
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield str(server.server_address[1])
    server.shutdown()
    thread.join(5)
    server.server_close()
