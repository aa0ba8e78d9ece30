"""This machine: whose it is, where Guards lies or would lie on it, and what each harness's settings must hold."""

from __future__ import annotations

import marshal
import os
import sys
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, TypedDict

import platformdirs

from guards.compile.build import Built, build
from guards.engine import tables
from guards.wiring import edit, fenced, place, record, unwire
from guards.wiring.forms import FORMS
from guards.wiring.text import Refused
from guards.wiring.wire import Wanted, wire

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# wired whether a guard is asked there or not: the refusal of what cannot be judged, and the pause that must show
ALWAYS = ("before-tool", "session-start")


@dataclass(frozen=True)
class Target:
    """One settings file to be wired: version () when the program does not say it."""

    form: ModuleType
    path: str
    version: tuple[int, ...]
    wanted: Wanted
    rules: list[str]
    env: dict[str, str] = field(default_factory=dict)

    def put_in(self, text: str, record: dict[str, Any]) -> str:
        return wire(text, self.form, self.wanted, self.rules, record, self.env)

    def managed(self) -> Target | None:
        """The same in root's own settings, for a harness that has such a file."""
        return self.at(self.form.MANAGED) if self.form.MANAGED else None

    def at(self, path: str) -> Target:
        """The same in another file."""
        return replace(self, path=path)


def take_out(text: str, record: dict[str, Any]) -> str:
    return unwire.take_out(text, record)


def folder() -> str:
    """The install folder of this owner."""
    if unwire.whose() != os.path.expanduser("~"):
        return os.path.join(unwire.whose(), ".local/share/guards")
    return platformdirs.user_data_dir("guards", appauthor=False)


def proposed(code: str | None = None) -> dict[str, str]:
    """What `places` will say after an install from this checkout."""
    return place.describe(folder(), source=code or CHECKOUT, **where())


class Where(TypedDict):
    """What `place.lay` is told of this machine."""

    home: str
    checkout: str
    config: str
    state: str
    python: str


def where() -> Where:
    """The places that `place.lay` is told."""
    ours = os.path.join(CHECKOUT, ".venv/bin/python")
    return {
        "home": unwire.whose(),
        "checkout": CHECKOUT,
        "config": platformdirs.user_config_dir("guards", appauthor=False),
        "state": platformdirs.user_state_dir("guards", appauthor=False),
        "python": ours if os.access(ours, os.X_OK) else os.path.abspath(sys.executable),
    }


def pinned() -> str | None:
    """The snapshot in use, so that a new install keeps it."""
    found = place.read(folder()) or {}
    code = os.path.dirname(found.get("policy", ""))
    return code if code.startswith(os.path.join(folder(), "pinned") + os.sep) and os.path.isdir(code) else None


def policy(places: dict[str, str]) -> Built:
    """The policy as it compiles now; nothing is written. Faults stop an install before it touches anything."""
    built = build(places)
    if built.faults:
        raise Refused("the policy does not compile, so nothing was wired:\n  " + "\n  ".join(built.faults))
    return built


def last_good(places: dict[str, str]) -> Built | None:
    """The tables that hooks judge by while the policy on disk has a fault; None when there are none."""
    kept = tables.read(tables.file_of(places))
    return Built(packed=kept[1]) if kept is not None and kept[0][1] == tables.runtime() else None


def in_force(places: dict[str, str], built: Built) -> Built:
    """What hooks judge by, as far as the wiring goes: the policy on disk, or while it has a fault the last good one."""
    return (last_good(places) or built) if built.faults else built


def wired(places: dict[str, str]) -> bool:
    """Whether any settings file of this machine, the owner's or root's, holds an entry of ours."""
    files = [form.settings(places["home"], dict(os.environ)) for form in FORMS.values()]
    roots = [form.MANAGED for form in FORMS.values() if form.MANAGED]
    return any(_marked(path) for path in dict.fromkeys([*files, *roots, *record.load(places["install"])["files"]]))


def _marked(path: str) -> bool:
    try:
        return place.MARK.encode() in unwire.load(path)
    except OSError:
        return False


def off(places: dict[str, str], built: Built) -> list[str]:
    """The guards that the owner's layer switched off, with what stays all the same."""
    out = {name for name, policy in built.policies.items() if policy["off"]}
    bundled = build({**places, "machine": os.path.join(places["machine"], "none")}, names=out) if out else built
    mine = sorted(name for name in out if not bundled.policies.get(name, {}).get("off"))
    return [name if built.sections[name] is None else f"{name} (what is sealed stays closed)" for name in mine]


def events(built: Built) -> set[str]:
    """The events that some guard, on or off, or some other hook of the owner, is asked at.

    A guard that the owner switches on later must be asked without another install.
    """
    rows = marshal.loads(built.packed["dispatch"]) if "dispatch" in built.packed else {}
    commands = rows.pop("commands", ())
    return {*rows, *commands, *ALWAYS}


def targets(
    places: dict[str, str], built: Built, names: list[str], managed: bool = False, fence: bool | None = None
) -> list[Target]:
    """The settings of the harnesses on this machine, or of those named. fence: None leaves it as it is."""
    unknown = [name for name in names if name not in FORMS]
    if unknown:
        raise Refused(f"guards does not wire {unknown[0]!r}; it knows {', '.join(FORMS)}")
    found = []
    for name, form in FORMS.items():
        version = form.installed(places["home"], dict(os.environ))
        if (name in names) if names else (version is not None and form.knows(version)):
            found.append(target(places, form, version or (), events(built), managed, fence))
    if not found:
        raise Refused(f"no harness found that guards can wire ({', '.join(FORMS)}); name one with --harness")
    return found


def target(
    places: dict[str, str],
    form: ModuleType,
    version: tuple[int, ...],
    asked: set[str],
    managed: bool,
    fence: bool | None = None,
) -> Target:
    path = form.MANAGED if managed else form.settings(places["home"], dict(os.environ))
    if path is None:
        raise Refused(f"{form.NAME} has no settings file of root's that guards could write")
    known = form.knows(version)
    if not known:
        old = ".".join(map(str, version))
        raise Refused(f"{form.NAME} {old} has no event before every tool, so guards cannot hold anything there")
    wanted: Wanted = {}
    for event in known:
        if event in asked:
            line = place.command(places["install"], form.NAME, event, places["checkout"])
            wanted[form.EVENTS[event]] = form.entry(event, line)
    fence = fenced.on(places["install"]) if fence is None else fence
    env = fenced.environment(places["install"]) if fence and form.FENCE else {}
    return Target(form, path, version, wanted, unwire.rules(places) if form.RULES else [], env)


def plan(places: dict[str, str], target: Target) -> edit.Edit:
    return edit.plan(target.path, places["install"], target.rules, target.put_in)
