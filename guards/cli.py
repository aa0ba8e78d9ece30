"""The command line: one row a verb, each in a module of its own that is imported only when it is asked for.

Exit codes: 0 fine, 1 findings, 2 could not run. Expected trouble is one sentence on stderr, never a traceback.
"""

from __future__ import annotations

import importlib
import sys
from typing import Annotated

import typer

from guards.engine.tables import NoTables

# verb → module:function
COMMANDS: dict[str, str] = {
    "install": "guards.wiring.commands.install:command",
    "uninstall": "guards.wiring.commands.uninstall:command",
    "link": "guards.wiring.commands.link:command",
    "status": "guards.wiring.commands.status:command",
    "fire": "guards.wiring.commands.fire:command",
    "pause": "guards.wiring.commands.pause:command",
    "explain": "guards.reports.explain:command",
    "run": "guards.reports.run:command",
    "log": "guards.reports.log:command",
    "check": "guards.reports.check:command",
    "approvals": "guards.reports.approvals:command",
    "reconcile": "guards.reports.reconcile:command",
    "wiring": "guards.reports.wiring:command",
    "doctor": "guards.reports.doctor:command",
    "burn": "guards.reports.burn:command",
    "context": "guards.reports.context:command",
    "rules": "guards.reports.rules:command",
    "replay": "guards.reports.replay:command",
    "exec": "guards.reports.exec:command",
}


def load(verb: str) -> object:
    """The function (or sub-application) behind a verb."""
    module, _, name = COMMANDS[verb].partition(":")
    return getattr(importlib.import_module(module), name)


def _version(asked: bool) -> None:
    if asked:
        from guards.reports import here
        from guards.wiring import place

        print(f"guards {place.version(str(here.CHECKOUT))} from {here.CHECKOUT}")
        raise typer.Exit(0)


def build(verbs: list[str]) -> typer.Typer:
    """The application with these verbs; only their modules are imported."""
    app = typer.Typer(
        name="guards",
        help="small, machine-level hook guards for coding agents",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def top(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="say the version and end")
        ] = False,
    ) -> None:
        """Small, machine-level hook guards for coding agents."""

    for verb in verbs:
        target = load(verb)
        if isinstance(target, typer.Typer):
            app.add_typer(target, name=verb)
        else:
            app.command(verb)(target)  # type: ignore[type-var]
    return app


def main() -> None:
    """`guards VERB …`."""
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    verbs = [asked] if asked in COMMANDS else list(COMMANDS)
    try:
        build(verbs)()
    except (OSError, ValueError, KeyError, NoTables) as fault:
        if "--trace" in sys.argv:
            raise
        text = str(fault) or type(fault).__name__
        sys.stderr.write(f"guards {asked}: {text}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
