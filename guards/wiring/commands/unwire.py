"""`guards unwire`: what `make unwire` does, where the command line still works."""

from __future__ import annotations

import typer

from guards.wiring import consent, unwire


def command() -> None:
    """Take every entry of guards out of every harness's settings at once, without asking.

    Example: guards unwire
    """
    consent.refuse_agents("unwire")
    raise typer.Exit(unwire.main([]))
