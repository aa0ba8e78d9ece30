"""The recorded commands of tests/shell/cases/*.sh: what each really does to a lane, measured by running it.

A record begins with `## VERDICT`, perhaps with `@FOLDER` (where it runs, seen from the repository) and a note:
`refused, and changes nothing` is caution that is meant; `passes, and cannot be seen` is a limit that HOOKS.md names.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "cases"


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
