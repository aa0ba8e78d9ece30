"""The command itself: a script in the install folder that runs this checkout's `guards`, and a link where PATH looks.

The link is made only where it costs nobody anything: `~/.local/bin` is there or on PATH, and holds no other `guards`.
"""

from __future__ import annotations

import os
import shlex

from guards.wiring import place

NAME = "guards"
BIN = ".local/bin"
# the package alone, not its folder on sys.path: a `json.py` beside it must not stand before the library
_RUN = (
    'import sys, importlib.util as u; sys.argv[0] = "guards";'
    ' spec = u.spec_from_file_location("guards", sys.argv.pop(1));'
    ' made = sys.modules["guards"] = u.module_from_spec(spec); spec.loader.exec_module(made);'
    " from guards.cli import main; main()"
)


def text(places: dict[str, str]) -> str:
    """The script: isolated, so that nothing in the folder it is called from or in the environment gets in between."""
    python, checkout = places["python"], places["checkout"]
    package = os.path.join(checkout, "guards/__init__.py")
    gone = f"guards: {python} does not start; run make install in {checkout}"
    return (
        f"#!/bin/sh\n[ -x {shlex.quote(python)} ] || {{ echo {shlex.quote(gone)} >&2; exit 2; }}\n"
        f'exec {shlex.quote(python)} -I -c {shlex.quote(_RUN)} {shlex.quote(package)} "$@"\n'
    )


def lay(places: dict[str, str], path: str) -> str:
    """Writes the script, links it where it may, and says in one line where the command is."""
    script, link = _script(places), _link(places)
    place.write_whole(script, text(places), 0o755)
    folder = os.path.dirname(link)
    if os.path.lexists(link) and not ours(places):
        return f"the command is {script}; {link} is not from guards and was left as it is"
    on_path = folder in path.split(os.pathsep)
    if not (on_path or os.path.isdir(folder)):
        return f"the command is {script}; where {folder} exists, guards install links it there"
    os.makedirs(folder, exist_ok=True)
    if not ours(places):
        os.symlink(script, link)
    return f"the command is guards ({link})" if on_path else f"the command is {link}; {folder} is not on your PATH yet"


def ours(places: dict[str, str]) -> bool:
    """Whether the link stands and is the one an install made."""
    link = _link(places)
    return os.path.islink(link) and os.readlink(link) == _script(places)


def take(places: dict[str, str]) -> str:
    """Takes the link away if it is ours; the link, or empty."""
    if not ours(places):
        return ""
    os.unlink(_link(places))
    return _link(places)


def _script(places: dict[str, str]) -> str:
    return os.path.join(places["install"], NAME)


def _link(places: dict[str, str]) -> str:
    return os.path.join(places["home"], BIN, NAME)
