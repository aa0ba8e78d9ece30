"""`guards explain`: what the guards see in a command or a path, and why they say what they say. Touches no state."""

from __future__ import annotations

import json
import os
from typing import Annotated

import typer

from guards.reports import here


def command(
    text: Annotated[str, typer.Argument(help="a shell command", show_default=False)] = "",
    path: Annotated[str, typer.Option(help="a path that a file tool would write")] = "",
    tool: Annotated[str, typer.Option(help="the tool that would write it")] = "Write",
    cwd: Annotated[str, typer.Option(help="the directory it happens in; this one by default")] = "",
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """What the guards see, by the same judges as in a hook.

    Example: guards explain 'cd src && sed -i s/a/b/ ../.env'

    Example: guards explain --path .github/workflows/ci.yml
    """
    if bool(text) == bool(path):
        raise typer.BadParameter("give either a shell command or --path")
    where = os.path.abspath(cwd or os.getcwd())
    record = here.places()
    if path:
        from guards.reports import explain_path

        report, lines = explain_path.explain(path, where, record, tool)
    else:
        from guards.reports import explain_command

        report, lines = explain_command.explain(text, where, record)
    report["standing"] = here.standing(record)
    lines += report["standing"]
    print(json.dumps(report, indent=1, ensure_ascii=False) if as_json else "\n".join(lines))
    raise typer.Exit(1 if report.get("verdict") in ("deny", "ask") else 0)
