"""`guards exec -- COMMAND`: one command inside the fence, by hand and for CI; or what the fence would hold here."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated

import typer

from guards.fence import listed, seatbelt
from guards.lanes import around, find
from guards.wiring import machine, place

Words = Annotated[list[str] | None, typer.Argument(help="the command and its arguments, after --")]
List = Annotated[bool, typer.Option("--list", help="only print the paths that would be held")]
Profile = Annotated[bool, typer.Option("--profile", help="only print the fence as a Seatbelt profile (macOS)")]
Json = Annotated[bool, typer.Option("--json", help="the list as JSON")]


def command(words: Words = None, show: List = False, profile: Profile = False, as_json: Json = False) -> None:
    """Run a command where the kernel holds the lanes; its exit code is the answer. 126: it could not be fenced.

    Example: guards exec -- make release
    """
    places = place.read(machine.folder())
    if places is None:
        raise OSError("guards is not installed here; run guards install first")
    if show or profile or as_json:
        print(_profile(places) if profile else _list(places, as_json))
        raise typer.Exit(0)
    if not words:
        raise ValueError("no command was named; guards exec -- COMMAND")
    py, prefix = os.path.join(places["install"], "py"), os.path.join(places["install"], "code/fence/prefix.py")
    sys.stdout.flush()
    os.execv(py, [py, "-IS", prefix, "--", *words])


def _list(places: dict[str, str], as_json: bool) -> str:
    """(way, path): held whole, free in what is held, or a folder that cannot be moved."""
    found = listed.found(places)
    if as_json:
        rows = [{"way": kind, "path": path} for kind, path in found.plan]
        return json.dumps({"paths": rows, "links": found.links}, indent=1)
    lines = [f"{kind:5} {path}" for kind, path in found.plan]
    return "\n".join(lines + [f"link  {path} (what it leads to is held, the link is not)" for path in found.links])


def _profile(places: dict[str, str]) -> str:
    world, event, fence = listed.ground(places)
    rules = world.rules("human-lane")
    look = find.Look(event, world, rules)
    more = look.more(rules)
    lanes, owner = more["lanes"], more["owner"]
    mine = [
        lane["action"] == "deny" and "write" in lane["acts"] and not lane["manifest"] and not lane["data"]
        and not lane["whole"] and lane["id"] not in fence["free"]
        for lane in lanes
    ]  # fmt: skip
    nowhere = (("proc",), ("dev",))
    rows = [("", tokens) for tokens, n in more["far_tokens"] if mine[owner[n]] and tokens[:1] not in nowhere]
    for top in around.tops(event, world, fence):
        rows += [(top, tokens) for tokens, n in more["near_tokens"] if mine[owner[n]]]
    return seatbelt.profile(listed.found(places).plan, rows)
