"""What decides, computed and never listed by hand: the running code, its interpreter, policy, approvals and state.

Every place counts as spelled and as resolved, with each link on the way. Of the base interpreter only a part that the
user could write counts: its program, its standard library and its shared one. A clone of Guards that nothing is started
from is an ordinary repository.
"""

import glob
import json
import os
from collections.abc import Iterator

from guards.engine.world import normal

ID = "sealed"  # the row of policy/human-lane.toml that stands for this closure
SETTINGS = "agent-settings"  # the row of the harnesses' own settings on this machine
COPY = "settings-copy"  # the row of the committed copy of those settings

# settings and hook files below a harness's own folder, where that is not the usual one
_IN_FOLDER = {
    "claude": ("settings.json", "settings.local.json", "hooks"),
    "codex": ("config.toml", "hooks.json", "rules"),
    "gemini": ("settings.json", "hooks"),
    "cursor": ("hooks.json", "cli-config.json"),
    "copilot": ("config.json", "settings.json", "hooks"),
}
# what lies beside a file that was wired: its folder is the harness's own, wherever that is
_BESIDE = {
    "settings.json": ("settings.local.json", "hooks"),
    "hooks.json": ("config.toml", "rules", "cli-config.json"),
    "hooks/guards.json": ("../config.json", "../settings.json", "."),
}


def paths(places: dict[str, str]) -> list[str]:
    """Absolute paths, each sealed with all that lies in it."""
    found: dict[str, None] = {}
    for place in _places(places):
        if place and os.path.isabs(place) and normal(place) not in ("/", normal(places.get("home", "/"))):
            found.update(dict.fromkeys(ways(place)))
    return list(found)


def settings(places: dict[str, str], row: str) -> list[str]:
    """Computed paths of the exact rows: settings that stand elsewhere than usual, and the committed copy."""
    if row == COPY:
        return ways(places["copy"]) if places.get("copy") else []
    found: dict[str, None] = {}
    for path in _settings(places) if row == SETTINGS else ():
        found.update(dict.fromkeys(ways(path)))
    return list(found)


def _settings(places: dict[str, str]) -> Iterator[str]:
    for name, inside in _IN_FOLDER.items():
        folder = places.get(name, "")
        if os.path.isabs(folder) and normal(folder) != "/":
            yield from (os.path.join(folder, part) for part in inside)
    for path in _wired(places.get("install", "")):
        if os.path.isabs(path):
            yield path
            folder = os.path.dirname(path)
            for name, beside in _BESIDE.items():
                if path.endswith("/" + name) and normal(folder) != "/":
                    yield from (normal(os.path.join(folder, part)) for part in beside)


def _wired(install: str) -> list[str]:
    """The settings files that the installer wired: CLAUDE_CONFIG_DIR and the like counted then."""
    try:
        with open(os.path.join(install, "wired"), encoding="utf-8") as handle:
            found = json.load(handle)["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [path for path in found if isinstance(path, str)] if isinstance(found, dict) else []


def ways(path: str) -> list[str]:
    """The path as spelled, every link it leads through, and where it ends."""
    out: dict[str, None] = {}
    here = normal(path)
    for _ in range(40):
        out[here] = None
        if not os.path.islink(here):
            break
        here = normal(os.path.join(os.path.dirname(here), os.readlink(here)))
    for one in list(out):
        out[os.path.join(os.path.realpath(os.path.dirname(one)), os.path.basename(one))] = None
        out[os.path.realpath(one)] = None
    return list(out)


def records(places: dict[str, str]) -> list[str]:
    """The files that the closure is computed from: tables made before they changed are stale."""
    if not places.get("install"):
        return []
    return [*(os.path.join(places["install"], name) for name in ("places", "wired")), _command(places)]


def _command(places: dict[str, str]) -> str:
    """Where an install links the command, so that it can be typed."""
    return os.path.join(places.get("home", "/"), ".local/bin/guards")


def _places(places: dict[str, str]) -> Iterator[str]:
    install = places.get("install", "")
    yield install
    yield from (places.get(name, "") for name in ("state", "policy", "machine", "approvals"))
    yield os.path.dirname(places.get("approvals", ""))
    yield _config(places)
    if (
        install
        and os.path.islink(_command(places))
        and os.path.realpath(_command(places)).startswith(os.path.realpath(install) + os.sep)
    ):
        yield _command(places)
    if install and os.path.lexists(os.path.join(install, "code")):
        yield os.path.join(install, "code")
    elif places.get("checkout"):
        yield os.path.join(places["checkout"], "guards")
    yield from _files(places.get("machine", ""))
    yield _venv(places.get("packages", ""))
    for program in (os.path.join(install, "py") if install else "", places.get("python", "")):
        yield from _interpreter(program)
    yield from places.get("wrappers", "").split(":")


def _config(places: dict[str, str]) -> str:
    """The folder that holds the machine's policy and the approvals, where it is guards' own."""
    above = {os.path.dirname(places.get("machine", "")), os.path.dirname(os.path.dirname(places.get("approvals", "")))}
    folder = above.pop()
    return folder if not above and os.path.basename(folder) == "guards" else ""


def _files(folder: str) -> Iterator[str]:
    """Policy files that are links into the owner's own repository."""
    for name in glob.glob("*.toml", root_dir=folder) + glob.glob("harness/*.toml", root_dir=folder) if folder else []:
        if os.path.islink(os.path.join(folder, name)):
            yield os.path.join(folder, name)


def _venv(packages: str) -> str:
    """The environment that holds these packages: the folder with `pyvenv.cfg`, or the packages alone."""
    folder = packages
    while folder not in ("", "/"):
        if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
            return folder
        folder = os.path.dirname(folder)
    return packages


def _interpreter(program: str) -> Iterator[str]:
    """The program, its links, its standard and its shared library, as far as the user could write them."""
    if not program or not os.path.lexists(program):
        return
    real = os.path.realpath(program)
    for link in ways(program):
        if link != real and os.access(os.path.dirname(link), os.W_OK):
            yield link
    if os.access(real, os.W_OK) or os.access(os.path.dirname(real), os.W_OK):
        yield real
    prefix = os.path.dirname(os.path.dirname(real))
    for module in glob.glob(os.path.join(glob.escape(prefix), "lib*", "python3.*", "os.py")):
        if os.access(os.path.dirname(module), os.W_OK):
            yield os.path.dirname(module)
    for shared in glob.glob(os.path.join(glob.escape(prefix), "lib*", "libpython3*")):
        if os.access(shared, os.W_OK) or os.access(os.path.dirname(shared), os.W_OK):
            yield shared
