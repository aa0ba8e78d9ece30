"""`guards install`: shows the change, asks, wires, proves it by firing, and says which guards are on."""

from __future__ import annotations

import compileall
import os
import sys
from typing import Annotated

import typer

from guards.compile.build import Built, rebuild
from guards.fence import listed
from guards.wiring import consent, edit, fenced, fire, launcher, machine, notices, optin, pin, place, show, team
from guards.wiring.forms import claude
from guards.wiring.machine import Target
from guards.wiring.text import Refused

Harnesses = Annotated[list[str] | None, typer.Option("--harness", help="only this one; may be repeated")]
Yes = Annotated[bool, typer.Option("--yes", help="ask nothing")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="show the change and write nothing")]
Managed = Annotated[bool, typer.Option("--managed", help="into root's own settings; after a plain install, with sudo")]
Repo = Annotated[str | None, typer.Option("--repo", help="a repository's committed hook files, for all who work there")]
Fence = Annotated[bool | None, typer.Option("--fence/--no-fence", help="run shell commands inside the kernel's fence")]
Pinned = Annotated[bool, typer.Option("--pinned", help="run a copy made now, not the checkout as it is edited")]
WithContext = Annotated[bool, typer.Option("--context", help="switch on context, read gate and switches as well")]


def command(
    harness: Harnesses = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    managed: Managed = False,
    pinned: Pinned = False,
    repo: Repo = None,
    fence: Fence = None,
    context: WithContext = False,
) -> None:
    """Wire this machine's harnesses to the guards of this checkout.

    Example: guards install --harness claude --dry-run
    """
    if not dry_run:
        consent.refuse_agents("install")
    if repo is not None:
        raise typer.Exit(team.install(repo, harness or [], yes, dry_run))
    if managed and pinned:
        raise Refused("--pinned is for the owner's own install; run guards install --pinned first, then --managed")
    places = _places(managed)
    if context:
        optin.switch_on(places, yes, dry_run)
    built = machine.policy(places)
    targets = machine.targets(places, built, harness or [], managed, fence)
    edits = [machine.plan(places, target) for target in targets]
    _show(places, targets, edits)
    if dry_run:
        raise typer.Exit(0)
    if any(made.changes for made in edits) or place.read(places["install"]) != places:
        consent.agree("install", "go on?", yes)
    if not managed:
        _lay(places)
    if any(target.env for target in targets):
        fenced.put(places, claude.EVENTS)
    _trial(places, built, targets)
    for target in targets:
        mode = 0o644 if managed else 0o600
        made = edit.apply(target.path, places["install"], target.rules, target.put_in, mode)
        print(f"{target.path}: {'wired' if made.changes else 'was wired already'}")
        if fence and not target.form.FENCE:
            _sandbox(places, target.form.NAME)
        if made.changes and target.form.HINT:
            print(f"note: {target.form.HINT}")
    if fence is False and not managed:
        fenced.take(places["install"])
    if pinned and pin.flip(places, pinned=True):
        raise typer.Exit(1)
    raise typer.Exit(_prove(place.read(places["install"]) or places, built, targets))


def _places(managed: bool) -> dict[str, str]:
    if not managed:
        return machine.proposed(machine.pinned())
    found = place.read(machine.folder())
    if found is None:
        raise Refused("--managed wires what a plain install laid out; run guards install as yourself first")
    if os.geteuid() != 0:
        line = f"sudo {os.path.join(os.path.dirname(found['python']), 'guards')} install --managed"
        raise Refused(f"root's settings are root's to write; run: {line}")
    return found


def _show(places: dict[str, str], targets: list[Target], edits: list[edit.Edit]) -> None:
    print(f"guards {places['version']} from {places['checkout']}, laid out in {places['install']}")
    for target, made in zip(targets, edits, strict=True):
        version = ".".join(map(str, target.version)) or "unknown, so only event names that every version knows"
        print(f"\n{target.form.NAME} (version {version}): {made.path}")
        print(show.difference(made) if made.changes else "nothing to change")
        for line in notices.of(places, target):
            print(f"note: {line}")


def _lay(places: dict[str, str]) -> None:
    """The install folder, byte code and tables: all of it before the first harness starts a hook."""
    laid = place.lay(places["install"], **machine.where(), code=os.path.dirname(places["policy"]))
    print(launcher.lay(laid, os.environ.get("PATH", "")))
    code = os.path.join(os.path.dirname(places["policy"]), "guards")
    if not compileall.compile_dir(code, quiet=2):
        print(f"note: {code} could not be byte-compiled whole; hooks are slower until it can", file=sys.stderr)
    if rebuild(places) is None:
        raise Refused("the policy does not compile; nothing was wired (guards check says why)")


def _trial(places: dict[str, str], built: Built, targets: list[Target]) -> None:
    """The new gates are fired before any settings name them: a broken gate must never be wired.

    The other events run the same program and let pass when it fails; they are fired where they stand (`_prove`).
    """
    for target in targets:
        rows = fire.run(target, places, built, [line for line in fire.wanted(target) if line.event == "before-tool"])
        if not all(row.ok for row in rows):
            print(show.fired([row for row in rows if not row.ok]))
            sys.stderr.write("guards install: the hooks do not answer as they must; the settings were not touched.\n")
            raise typer.Exit(1)


def _sandbox(places: dict[str, str], name: str) -> None:
    """What a harness with a sandbox of its own would have to hold."""
    print(f"note: {name} has a sandbox of its own. the fence would hold these paths for a command here; make them")
    print("  read-only there too (guards exec --list, in any folder):")
    try:
        print("\n".join(f"  {path}" for path in listed.readonly(places)))
    except (OSError, ValueError) as fault:
        print(f"  they cannot be listed: {fault}")


def _prove(places: dict[str, str], built: Built, targets: list[Target]) -> int:
    """Fires what is in the live settings now; the exit code."""
    rows = [row for t in targets for row in fire.settings(t, places, built)]
    print("\n" + show.fired(rows))
    print("\n" + show.guards(built))
    if all(row.ok for row in rows):
        print("\n" + show.closing(rows))
        return 0
    for target in targets:
        if why := fire.unread(target):
            sys.stderr.write(f"guards install: {target.path}, {why}. Take it out, then guards fire.\n")
    sys.stderr.write("guards install: it is wired, but not every gate answers as it must; see WRONG above.\n")
    return 1
