"""What the reader said, in a form that a test can write down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guards.engine.world import World
from guards.shell import read

if TYPE_CHECKING:
    from guards.shell.steps import Reading, Step

HOME = "/home/o"
ENV: dict[str, str | None] = {"HOME": HOME, "PATH": "/usr/bin:/bin", "SET": "set"}


def world(state: str = "") -> World:
    return World({"home": HOME, "state": state}, None, {})  # type: ignore[arg-type]


def reading(text: str, cwd: str | None = "/w", reader: Any = read.steps, **more: Any) -> Reading:
    env = more.pop("env", ENV)
    found: Reading = reader(text, cwd, env, world(), None, **more)
    return found


def steps(text: str, cwd: str | None = "/w", **more: Any) -> list[Step]:
    """The steps of a text that can be read."""
    found = reading(text, cwd, **more)
    assert not found.unreadable, found.unreadable
    return found.steps


def argv(text: str, cwd: str | None = "/w", **more: Any) -> list[list[str | None]]:
    """The words of every step that has any; None for a word that is not static."""
    return [[w.text for w in s.argv] for s in steps(text, cwd, **more) if s.argv]


def ran(text: str, name: str = "c", **more: Any) -> list[tuple[str | None, list[str | None]]]:
    """(directory, operands) of every step with that name."""
    return [(s.cwd, [w.text for w in s.argv[1:]]) for s in steps(text, **more) if s.name == name]


def written(text: str, cwd: str | None = "/w", **more: Any) -> list[tuple[str | None, str, str | None]]:
    """(directory, operator, target) of every redirection that names a file to write."""
    return [
        (s.cwd, r.op, r.target.text if r.target is not None else None)
        for s in steps(text, cwd, **more)
        for r in s.redirects
        if r.op in (">", ">>", ">|", "&>", "&>>", "<>")
    ]
