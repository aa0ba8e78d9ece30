"""Who may widen: the owner, at a terminal or with --yes, and never a session.

An agent runs as the same user, so this is manners, not a wall: it keeps a session that was told to "just install it"
from doing so, and says who should. Harnesses put a variable of theirs into the environment of what they run.
"""

from __future__ import annotations

import os
import sys

import typer

from guards.wiring.unwire import agent


def refuse_agents(verb: str) -> None:
    """Ends with 2 below a harness."""
    name = agent(os.environ)
    if name:
        sys.stderr.write(
            f"guards {verb} is the owner's act, and {name} in the environment shows an agent's session."
            " The owner runs it in a terminal of their own; nothing was changed.\n"
        )
        raise typer.Exit(2)


def terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def agree(verb: str, question: str, yes: bool) -> None:
    """Goes on with --yes or a yes at the terminal; ends with 1 after a no, with 2 where nobody can be asked."""
    if yes:
        return
    if not terminal():
        sys.stderr.write(f"guards {verb} asks before it changes anything: run it in a terminal, or with --yes.\n")
        raise typer.Exit(2)
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        print("nothing was changed.")
        raise typer.Exit(1)
