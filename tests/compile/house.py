"""A policy with every kind of field, and a machine that has nothing but it."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from guards.compile import catalog
from guards.compile.fields import Table, flag, mapping, number, rows, table, text, texts
from guards.compile.layers import Layer, Row, Told, line, merge
from guards.compile.one import whole
from guards.compile.words import Faults


def no_tabs(value: str) -> str:
    return "holds a tab" if "\t" in value else ""


def watched_why(row: dict[str, Any], where: str) -> list[str]:
    assert where.endswith("]")
    return ["why: a watched row needs no reason"] if row["action"] == "watch" and row["why"] else []


def sealed(row: dict[str, Any], layer: str) -> str:
    if row["approval"] == "never":
        return "sealed"
    return "exact" if row["approval"] == "exact" and layer == "repository" else ""


LANE = Table(
    {
        "id": text(required=True),
        "paths": texts(required=True, patterns=True, tighter="add", check=no_tabs),
        "except": texts(patterns=True, tighter="lower"),
        "why": text(),
        "acts": texts(choices=("write", "delete"), default=["write", "delete"], tighter="add"),
        "action": text(choices=("watch", "ask", "deny"), default="deny", tighter="higher"),
        "approval": text(choices=("pattern", "exact", "never"), default="pattern", machine_only=True),
    },
    check=watched_why,
    locked=sealed,
)
DEEP = Table({"size": number(default=5, tighter="lower"), "must": flag(default=True)})
RECORD = Table(
    {
        "strict": flag(tighter="higher", doc="every file"),
        "limit": number(minimum=1, maximum=100, default=10, tighter="lower"),
        "ratio": number(whole=False, tighter="higher"),
        "greeting": text(check=no_tabs),
        "level": text(choices=("low", "high"), tighter="higher"),
        "names": mapping(text(), tighter="add"),
        "caps": mapping(number(tighter="lower")),
        "deep": table(DEEP),
        "pair": table(Table({"left": text(required=True), "right": text()})),
        "lane": rows(LANE, tighter="add"),
        "own": rows(Table({"wire": text(required=True), "to": text()}), key="wire"),
        "loose": rows(Table({"word": text(required=True)}), key=None, tighter="add"),
    }
)
WHOLE = whole(RECORD)


def tabled(policy: dict[str, Any], ctx: Any) -> object:
    return {
        "lanes": [(row["id"], row["paths"], ctx.source("lane", row["id"])) for row in policy["lane"]],
        "limit": policy["limit"],
    }


SAMPLE: Any = SimpleNamespace(POLICY=RECORD, table=tabled)


def only_sample(policies: dict[str, Any] = catalog.POLICIES) -> None:
    policies.clear()
    policies["sample"] = SAMPLE


def faults_of(toml: str) -> list[str]:
    """What the reader says about one file, defaults and required keys aside."""
    faults = Faults()
    WHOLE.read(tomllib.loads(toml), "", faults)
    return [line("policy/sample.toml", at, message) for at, message in faults.found]


def layered(bundled: str, machine: str = "", repository: str = "") -> tuple[Row, Told]:
    """The three layers merged; each must be sound in itself."""
    told = Told()
    labels = ("policy/sample.toml", "~/m/sample.toml", ".guards/sample.toml")
    layers = []
    for kind, label, toml in zip(
        ("bundled", "machine", "repository"), labels, (bundled, machine, repository), strict=True
    ):
        faults = Faults()
        data = WHOLE.read(tomllib.loads(toml), "", faults)
        assert faults.found == []
        layers.append(Layer(kind, label, data))  # type: ignore[arg-type]
    return merge(WHOLE, layers, told), told


@dataclass
class House:
    """Places with one policy named "sample"."""

    base: Path

    def __post_init__(self) -> None:
        for name in ("policy", "home/m", "home/src/app/.guards"):
            (self.base / name).mkdir(parents=True, exist_ok=True)
        self.places = {
            "home": str(self.base / "home"),
            "policy": str(self.base / "policy"),
            "machine": str(self.base / "home/m"),
            "state": str(self.base / "state"),
            "approvals": str(self.base / "home/approvals"),
            "install": str(self.base / "install"),
        }
        self.repo = str(self.base / "home/src/app")

    def bundled(self, toml: str) -> Path:
        return self._write(self.base / "policy/sample.toml", toml)

    def machine(self, toml: str) -> Path:
        return self._write(self.base / "home/m/sample.toml", toml)

    def repository(self, toml: str) -> Path:
        return self._write(self.base / "home/src/app/.guards/sample.toml", toml)

    @staticmethod
    def _write(path: Path, toml: str) -> Path:
        path.write_text(toml, encoding="utf-8")
        path.chmod(0o644)
        return path

    def table_file(self, name: str) -> str:
        return os.path.join(self.places["state"], "tables", name)
