"""`guards pause`: everything but sealed and exact paths is let be, for a while that ends by itself."""

from __future__ import annotations

import os
import re
import time
from typing import Annotated

import typer

from guards.wiring import consent, machine, place
from guards.wiring.text import Refused

LONGEST = 7 * 86400  # seconds; the engine takes a longer one for a mistake
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

For = Annotated[str, typer.Option("--for", help="how long: 30m, 2h, 1d")]
Why = Annotated[str, typer.Option("--why", help="shown at every session start while it lasts")]
End = Annotated[bool, typer.Option("--end", help="end a pause now; asks nothing")]
Yes = Annotated[bool, typer.Option("--yes", help="ask nothing")]


def command(duration: For = "30m", why: Why = "", end: End = False, yes: Yes = False) -> None:
    """Pause the guards for a while; sealed and exact paths stay closed, and every session start says so.

    Example: guards pause --for 30m --why "moving the repository"
    """
    consent.refuse_agents("pause")
    places = place.read(machine.folder())
    if places is None:
        raise Refused("guards is not installed here, so there is nothing to pause")
    path = os.path.join(places["state"], "pause")
    if end:
        print("the pause is over." if remove(path) else "there was no pause.")
        return
    if not machine.wired(places):
        print("note: nothing of guards is wired on this machine; a pause only reaches hooks that a repository wires.")
    until = time.time() + seconds(duration)
    moment = time.strftime("%Y-%m-%d %H:%M", time.localtime(until))
    consent.agree("pause", f"pause the guards until {moment}?", yes)
    place.write_whole(path, f"{until:.0f}\n{' '.join(why.split())}\n", 0o600)
    print(f"paused until {moment}. guards pause --end ends it; sealed and exact paths stay closed.")


def seconds(text: str) -> int:
    """`30m`, `2h`, `1h30m`, `45` (minutes)."""
    word = text.strip().lower()
    parts = re.findall(r"(\d+)([smhd])", word)
    if word.isdecimal():
        total = int(word) * 60
    elif parts and "".join(number + unit for number, unit in parts) == word:
        total = sum(int(number) * SECONDS[unit] for number, unit in parts)
    else:
        raise Refused(f"{text!r} is no length of time; write 30m, 2h or 1h30m")
    if not 0 < total <= LONGEST:
        raise Refused("a pause lasts from one second to seven days; to be rid of the guards, guards uninstall")
    return total


def remove(path: str) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True
