"""What a lane must do in every harness beside Claude Code; each program's own tests call these with its own rig."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from tests.harness.model import turn
from tests.harness.runs import Run
from tests.machine import Machine

CI = ".github/workflows/ci.yml"
BEFORE = "on: push\n"
WAYS = {
    "redirection": f"echo 'on: never' > {CI}",
    "tee": f"echo 'on: never' | tee {CI}",
    "sed in place": f"sed -i s/push/never/ {CI}",
    "here-document": f"cat > {CI} <<'EOF'\non: never\nEOF",
    "python": f"python3 -c \"open('{CI}', 'w').write('on: never')\"",
    "cd": "cd .github/workflows && echo 'on: never' > ci.yml",
    "rm": f"rm -f {CI}",
}


class Rig(Protocol):
    """A wired machine with a real program on it. Calls are as the program's model would make them."""

    machine: Machine
    project: Path

    def run(self, *turns: Any) -> Run: ...

    def path(self, name: str) -> str: ...

    def there(self, name: str) -> bool: ...

    def write(self, path: str, content: str = ...) -> Any: ...

    def edit(self, path: str, old: str, new: str) -> Any: ...

    def shell(self, command: str) -> Any: ...


def untouched(rig: Rig) -> bool:
    return (rig.project / CI).read_text() == BEFORE


def not_refused(run: Run, ways: list[str]) -> list[str]:
    return [way for way, said in zip(ways, run.results(), strict=True) if "lane 'ci'" not in said]


def refuses_file_tools(rig: Rig) -> None:
    run = rig.run(turn(rig.write(".github/new.yml")), turn(rig.edit(CI, "on: push", "on: never")))
    assert not rig.there(".github/new.yml")
    assert untouched(rig)
    assert all("policy/human-lane.toml: lane 'ci'" in result for result in run.results())


def refuses_the_shell(rig: Rig) -> None:
    run = rig.run(*(turn(rig.shell(command)) for command in WAYS.values()))
    assert not_refused(run, list(WAYS)) == []
    assert untouched(rig)


def lets_approved_writes_pass(rig: Rig) -> None:
    rig.machine.approve(f"^{re.escape(rig.path(CI))}$", f"^{re.escape(rig.path('.github/new.yml'))}$")
    rig.run(
        turn(rig.edit(CI, "on: push", "on: tag")),
        turn(rig.write(".github/new.yml", "one\n")),
        turn(rig.shell("echo two >> .github/new.yml")),
        turn(rig.write(".github/third.yml")),
    )
    assert (rig.project / CI).read_text() == "on: tag\n"
    assert (rig.project / ".github/new.yml").read_text() == "one\ntwo\n"
    assert not rig.there(".github/third.yml")


def says_nothing_to_ordinary_work(rig: Rig) -> None:
    run = rig.run(
        turn(rig.write("a.txt", "one\n")),
        turn(rig.edit("a.txt", "one", "two")),
        turn(rig.shell(f"cat a.txt {CI} && git status --short && echo done > b.txt")),
    )
    assert (rig.project / "a.txt").read_text() == "two\n"
    assert rig.there("b.txt")
    assert "guards" not in run.shown()
