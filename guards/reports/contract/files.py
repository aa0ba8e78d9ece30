"""Settings files: which there are, whose they are, and their text with the line of every part."""

import json
import os
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from guards.reports.contract.facts import HARNESSES, Facts
from guards.reports.contract.rules import Finding
from guards.wiring import unwire

LARGEST = 4 << 20
SKIP = {".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", "dist", "build"}
MOST = 50_000  # folders that are looked through
_FOLDERS = (
    ("codex", "codex"),
    ("gemini", "gemini"),
    ("cursor", "cursor"),
    (".github", "copilot"),
    ("copilot", "copilot"),
)
NAMES = ("settings.json", "settings.local.json", "managed-settings.json", "hooks.json", "config.toml")


@dataclass
class Subject:
    """One file: root is the repository or home it belongs to, node its text's parts (None for TOML)."""

    path: Path
    facts: Facts
    root: Path
    text: str = ""
    node: unwire.Node | None = None
    plain: Any = None
    findings: list[Finding] = field(default_factory=list)

    def say(self, rule: str, where: str, text: str, node: unwire.Node | None = None) -> None:
        line = self.text.count("\n", 0, node.start) + 1 if node is not None else 0
        self.findings.append(Finding(rule, str(self.path), where, text, line))


def harness_of(path: Path) -> str:
    """Whose file it is, by its place and name."""
    for part in reversed(path.parts[:-1]):
        for word, name in _FOLDERS:
            if word in part.lower():
                return name
    return "claude"


def discover(root: Path) -> Iterator[Path]:
    """Files below a folder that hold hooks, by name and content."""
    for folder, names, files in islice(os.walk(root), MOST):
        names[:] = sorted(name for name in names if name not in SKIP)
        for name in sorted(files):
            path = Path(folder, name)
            copilot = path.parent.name == "hooks" and path.parent.parent.name == ".github"
            if (name in NAMES or copilot) and path.suffix in (".json", ".toml") and _mentions(path):
                yield path


def _mentions(path: Path) -> bool:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return path.is_symlink() and not path.exists()  # one that leads nowhere is told as unreadable
        return b"hooks" in path.read_bytes()
    except OSError:
        return True  # told as unreadable


def read(path: Path, root: Path, harness: str = "") -> Subject:
    """The file with its parts; findings say what is wrong with it as a file."""
    subject = Subject(path, HARNESSES[harness or harness_of(path)], root)
    try:
        info = path.stat()
        data = path.read_bytes() if stat.S_ISREG(info.st_mode) and info.st_size <= LARGEST else None
    except OSError as fault:
        subject.say("unreadable", "", (fault.strerror or str(fault)).lower())
        return subject
    if data is None:
        subject.say("unreadable", "", "is no regular file of a sane size")
        return subject
    subject.text = data.decode("utf-8", "replace")
    (_toml if path.suffix == ".toml" else _json)(subject)
    return subject


def _toml(subject: Subject) -> None:
    try:
        subject.plain = tomllib.loads(subject.text)
    except (ValueError, RecursionError) as fault:
        subject.say("not-json", "", f"is no TOML: {fault}")


def _json(subject: Subject) -> None:
    try:
        subject.node = unwire.parse(subject.text)
    except (unwire.Broken, RecursionError) as fault:
        odd = [word for word in ("NaN", "Infinity") if word in subject.text]
        hint = f" ({odd[0]} is no JSON value)" if odd else ""
        subject.say("not-json", "", f"{fault}{hint}; the harness runs none of its hooks")
        return
    subject.plain = subject.node.plain()
    try:
        json.loads(subject.text.removeprefix("\ufeff"))
    except ValueError as fault:
        subject.say("comments", "", f"a strict reader stops here: {fault}")
    _doubled(subject, subject.node, "")


def _doubled(subject: Subject, node: unwire.Node, where: str) -> None:
    seen: set[str] = set()
    for index, item in enumerate(node.items):
        place = f"{where}.{item.key}".lstrip(".") if node.kind == "object" else f"{where}[{index}]"
        if node.kind == "object":
            if str(item.key) in seen:
                subject.say("doubled-key", place, f"{item.key!r} stands twice; only the last one counts", item.node)
            seen.add(str(item.key))
        _doubled(subject, item.node, place)
