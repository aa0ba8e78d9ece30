"""Changing one settings file that others write too: read, compute, write only if it is still what was read.

Empty or unparsable text may be the harness in the middle of writing: it gets a second, then the work stops and
nothing is changed. The new text goes in by rename, through links, with the old mode and owner; what was there before
lies beside it as one backup.
"""

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from guards.wiring import record, unwire
from guards.wiring.text import Refused

BACKUP = ".guards-backup"
TRIES = 10
PAUSE = 0.1  # seconds between two looks at a file that is empty or half there
NEW = "{}\n"

Change = Callable[[str, dict[str, Any]], str]


@dataclass
class Edit:
    """One file's change: text before (None: no file), text after (None: the file goes), and the record to keep."""

    path: str
    before: bytes | None
    after: bytes | None
    record: dict[str, Any] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        return self.before != self.after


def plan(path: str, install: str, rules: list[str], change: Change) -> Edit:
    """What the change would make of the file as it is now. Nothing is written."""
    before = settled(path)
    text = NEW if before is None else unwire.decode(before)
    try:
        kept = record.of_file(install, path, text, rules)
        if before is None:
            kept["created"] = True
        after = change(text, kept)
    except unwire.Broken as fault:
        raise Refused(f"{path}: {fault}. It is left as it is; correct it, then run this again.") from fault
    except Refused as fault:
        raise Refused(f"{path}: {fault}.") from fault
    if before is None and after == NEW:
        return Edit(path, None, None, kept)
    own = kept.get("created") and not os.path.islink(path) and after.split() == ["{}"]
    return Edit(path, before, None if own else unwire.encode(after), kept)


def apply(path: str, install: str, rules: list[str], change: Change, mode: int = 0o600) -> Edit:
    """Make the change, on fresh text if somebody wrote in between; `mode` is for a file that was not there."""
    folder = os.path.dirname(os.path.realpath(path))
    os.makedirs(folder, mode=mode | (mode & 0o444) >> 2, exist_ok=True)
    with unwire.Lock(install), unwire.Lock(folder):
        for _ in range(TRIES):
            edit = plan(path, install, rules, change)
            if holds(edit):
                _keep(install, edit)  # before the settings: one that is too old does no harm, one missing does
            if edit.changes:
                try:
                    backup(edit)
                    unwire.replace(path, edit.before, edit.after)
                    if edit.before is None:
                        os.chmod(path, mode)
                except unwire.Changed:
                    continue
            if not holds(edit):
                _forget(install, edit)
            return edit
    raise Refused(f"{path}: something else keeps writing it. Nothing was changed; run this again.")


def settled(path: str) -> bytes | None:
    """The file's bytes once they are whole; None when there is no file."""
    for turn in range(TRIES):
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise Refused(f"{path} is not a regular file; guards leaves it alone.")
            data = unwire.load(path)
        except FileNotFoundError:
            return None
        try:
            unwire.parse(unwire.decode(data))
        except unwire.Broken as fault:
            last = fault
        else:
            return data
        if turn < TRIES - 1:
            time.sleep(PAUSE)
    if not data.strip():
        hint = "Its program may be writing it. If it is meant to be empty, put {} into it."
        raise Refused(f"{path} is empty, so nothing is changed. {hint}")
    raise Refused(f"{path} does not parse ({last}), so nothing is changed. Correct it, then run this again.")


def holds(edit: Edit) -> bool:
    """Whether anything of ours is in the new text."""
    if edit.after is None:
        return False
    rules = frozenset(edit.record.get("rules", ()))
    return next(unwire.ways(unwire.parse(unwire.decode(edit.after)), rules), None) is not None


def _keep(install: str, edit: Edit) -> None:
    data = record.load(install)
    data["files"][edit.path] = edit.record
    record.save(install, data)


def _forget(install: str, edit: Edit) -> None:
    data = record.load(install)
    if data["files"].pop(edit.path, None) is not None:
        record.save(install, data)


def backup(edit: Edit) -> None:
    """The file as it was before this change, beside the name that the harness uses."""
    if edit.before is None:
        return
    mode = stat.S_IMODE(os.stat(edit.path).st_mode)
    target = edit.path + BACKUP
    if os.path.lexists(target):
        os.unlink(target)
    number = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(number, "wb") as handle:
        os.fchmod(number, mode)
        handle.write(edit.before)
