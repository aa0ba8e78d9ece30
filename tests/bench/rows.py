"""What is measured, and its ceiling. A row makes its machine and says what must come back."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.machine import ROOT, Machine, tool

Payload = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """limit: the ceiling, a ratio to a bare interpreter start. code: the exit code that proves the row did its work."""

    name: str
    limit: float
    make: Callable[[Machine], tuple[str, Payload]]
    code: int = 0
    silent: bool = True


def _proj(machine: Machine) -> str:
    root = machine.repo(files={"src/app.py": "a\n", "package.json": '{"name":"p","version":"1.0.0","scripts":{}}\n'})
    return str(root)


def write_silent(machine: Machine) -> tuple[str, Payload]:
    return "before-tool", tool("Write", {"file_path": "src/app.py", "content": "x\n"}, cwd=_proj(machine))


def edit_silent(machine: Machine) -> tuple[str, Payload]:
    given = {"file_path": f"{_proj(machine)}/src/app.py", "old_string": "a", "new_string": "b", "replace_all": False}
    return "before-tool", tool("Edit", given, cwd=_proj(machine))


def not_judged(machine: Machine) -> tuple[str, Payload]:
    return "before-tool", tool("Read", {"file_path": "src/app.py"}, cwd=_proj(machine))


def shell(command: str) -> Callable[[Machine], tuple[str, Payload]]:
    def make(machine: Machine) -> tuple[str, Payload]:
        root = _proj(machine)
        subprocess.run(["git", "init", "-q", root], check=False)
        return "before-tool", tool("Bash", {"command": command}, cwd=root)

    return make


def _text(size: int, code: bool) -> str:
    """Real text: our manual, or our modules, in which every second escape is a quote and takes its own time."""
    paths = sorted((ROOT / "guards").rglob("*.py")) if code else [ROOT / "HOOKS.md"]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return (text * (size // len(text) + 1))[:size]


def output(size: int, code: bool = False) -> Callable[[Machine], tuple[str, Payload]]:
    def make(machine: Machine) -> tuple[str, Payload]:
        # a text the model is shown in part: the payload holds it whole, the count is the preview's
        response = {"type": "text", "file": {"filePath": "/p/a.py", "content": "x" * min(size, 2000), "numLines": 1}}
        kept = {"originalFile": _text(size, code)} if size > 2000 else {}
        payload = tool("Read", {"file_path": "/p/a.py"}, cwd=_proj(machine), event="PostToolUse")
        return "after-tool", {**payload, "tool_response": {**response, **kept}, "duration_ms": 3}

    return make


def refused(approvals: bool) -> Callable[[Machine], tuple[str, Payload]]:
    def make(machine: Machine) -> tuple[str, Payload]:
        if approvals:
            machine.approve("^/home/o/proj/docs/.*$", "^/home/o/other/\\.github/workflows/[a-z]+\\.yml$")
        else:
            machine.approve()
        return "before-tool", tool(
            "Write", {"file_path": ".github/workflows/ci.yml", "content": "x"}, cwd=_proj(machine)
        )

    return make


def manifest(machine: Machine) -> tuple[str, Payload]:
    root = machine.repo(files={"pyproject.toml": '[project]\nname = "p"\nversion = "1"\ndependencies = []\n'})
    given = {"file_path": "pyproject.toml", "old_string": "dependencies = []", "new_string": 'dependencies = ["a"]'}
    return "before-tool", tool("Edit", given, cwd=root)


def spawn(size: int, whole: bool = True, last: bool = False) -> Callable[[Machine], tuple[str, Payload]]:
    def make(machine: Machine) -> tuple[str, Payload]:
        envelope = "## Lane\nsrc\n## Scope cap\n3 files\n## Hard stops\nnone\n" + "## Ask-triggers\nany\n" * whole
        rest = "please do the work in the lane\n" * (size // 31)
        prompt = rest + envelope if last else envelope + rest
        return "before-tool", tool("mcp__host__spawn_session", {"prompt": prompt}, cwd=_proj(machine))

    return make


def said_before(machine: Machine) -> tuple[str, Payload]:
    response = {"stdout": "x" * 9000, "stderr": "", "interrupted": False, "isImage": False}
    payload = {**tool("Bash", {"command": "cat a"}, cwd=_proj(machine), event="PostToolUse"), "tool_response": response}
    machine.fire("after-tool", payload)
    return "after-tool", payload


def known(event: str, records: int = 0) -> Callable[[Machine], tuple[str, Payload]]:
    """Context, read gate and switches on, 1,000 entries of which none governs the file; `records`: reads before."""

    def make(machine: Machine) -> tuple[str, Payload]:
        from tests.knowledge.ground import Ground

        ground = Ground(machine)
        machine.policy("switches", "off = false")
        guides = "".join(f"[[guide]]\nid = 'g{i}'\nfile = 'docs/g{i}.md'\npaths = ['g{i}/**']\n" for i in range(30))
        machine.policy("read-gate", f"off = false\n{guides}")
        for i in range(1000):
            ground.entry(f"E-{i}", "text " * 200, paths=f"src/m{i}/**, '*.e{i}'")
        ground.commit()
        ground.accept("*")
        ground.start()
        path = ground.put("r/a.md", "a\n")
        file = {"filePath": str(path), "content": "a", "numLines": 1, "startLine": 1, "totalLines": 1}
        done = tool("Read", {"file_path": str(path)}, cwd=ground.root, event="PostToolUse")
        machine.fire("after-tool", {**done, "tool_response": {"type": "text", "file": file}})
        ledger = machine.state / "sessions" / done["session_id"] / "gate-read-root"
        ledger.write_text(ledger.read_text() * max(records, 1))
        given = {"file_path": str(ground.root / "lib/app.py"), "old_string": "a", "new_string": "b"}
        payload = tool("Edit", given, cwd=ground.root, event="PreToolUse" if event == "before-tool" else "PostToolUse")
        return event, payload if event == "before-tool" else {**payload, "tool_response": {"filePath": "x"}}

    return make


ROWS = [
    Row("write tool, nothing protected", 1.35, write_silent),
    Row("edit tool, nothing protected", 1.35, edit_silent),
    Row("a tool no guard judges", 1.35, not_judged),
    Row(
        "shell command, ordinary",
        1.7,
        shell("cd src && grep -rn 'foo bar' . | head -20 && git status --short 2>/dev/null"),
    ),
    Row("shell command, short", 1.7, shell("git status")),
    Row("output under its bound, small", 1.35, output(500)),
    Row("output under its bound, 1 MB payload", 1.7, output(1_000_000)),
    Row("output under its bound, 1 MB of code", 2.0, output(1_000_000, code=True)),
    Row("output over its bound, said before", 1.7, said_before),
    Row("spawn with its envelope, small", 1.7, spawn(500)),
    Row("spawn with its envelope first, 1 MB prompt", 2.0, spawn(1_000_000)),
    Row("spawn with its envelope last, 1 MB prompt", 3.0, spawn(1_000_000, last=True)),
    Row("spawn refused", 1.7, spawn(500, whole=False), code=2, silent=False),
    Row("refusal, no approvals", 1.7, refused(False), code=2, silent=False),
    Row("refusal, approvals read", 4.0, refused(True), code=2, silent=False),
    Row("second opinion (a target stays unknown)", 4.0, shell('X=$(date +%s); echo y > "out/$X"')),
    Row("TOML manifest, dependency edit", 4.0, manifest),
    Row("context and gate, 1,000 entries, before an edit", 1.5, known("before-tool")),
    Row("context and gate, 1,000 entries, after 5,000 reads", 1.5, known("before-tool", 5000)),
    Row("context and gate, 1,000 entries, after an edit", 1.5, known("after-tool")),
]


def encode(payload: Payload) -> bytes:
    return json.dumps(payload).encode()
