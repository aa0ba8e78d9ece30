"""What a Python program touches: a value as the paths that it may be.

A path that is sure is judged as it is. One with a known start and an unknown rest is what any text of the program
makes of it, and one that is not known at all is any of these texts.
"""

from guards.shell.pyparts import temporary
from guards.shell.pysets import HOLE, holed, last
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.contents import Change
    from guards.shell.pysets import Value
    from guards.shell.python import Program

EDITED = ("open", "write_text")  # calls whose result pyedits.py follows


def touch(program: "Program", value: "Value", act: str, tree: bool, name: str) -> None:
    if not value:
        program.unsure.append((act, name))
        return
    for text, known in value:
        if text[:1] == HOLE:
            program.unsure.append((act, name))
        elif not known and temporary(text) and HOLE not in text:
            program.walk.leave("python: a folder for temporary files")
        elif holed(text):
            program.holes.append((act, name, text))
        elif known:
            edit = _edit(program, text) if name in EDITED and act == "write" and not program.depth else None
            follow = act == "write"
            program.walk.path(program.step, text, act, cause=f"python {name}", follow=follow, tree=tree, change=edit)
        else:
            word = Word(None, text, "a listing", parts=(text,), rough=text)
            program.walk.unknown(program.step, word, act, f"python {name}")


def _edit(program: "Program", text: str) -> "Change":
    """What the whole program makes of a file, worked out only where the file is a manifest."""
    from guards.engine.world import normal

    path = normal(program.walk.full(program.step, text))

    def after(old: str) -> "str | None":
        from guards.shell import pyedits

        return pyedits.after(program, path, old)

    return after


def into(program: "Program", value: "Value", source: "Any") -> "Value":
    """A folder takes the file under its own name."""
    names = program.values.of(source) if source is not None else None
    found: list[tuple[str, bool]] = []
    for text, known in value or ():
        found.append((text, known))
        if names and known and program.walk.is_dir(program.step, text):
            found += [(text.rstrip("/") + "/" + last(name), also) for name, also in names]
    return tuple(found) or None


def beneath(program: "Program", given: "Any", source: "Any", mark: str, name: str) -> None:
    """A folder that is moved or copied brings what lies in it."""
    from guards.shell import copying

    targets = program.values.of(given)
    if mark == "T":
        targets = into(program, targets, source)
    for below, known in (program.values.of(source) if source is not None else None) or ():
        for target, sure in targets or ():
            if known and sure:
                copying.beneath(program.walk, program.step, below, target, f"python {name}")


def link(program: "Program", given: "Any", source: "Any") -> None:
    """What goes through a link that is made here goes to what it leads to."""
    from guards.engine.world import normal
    from guards.shell import placed

    name, target = program.values.text(given), program.values.text(source) if source is not None else None
    if name and target:
        placed.lead(program.walk, normal(program.walk.full(program.step, name)), target)


def settings(program: "Program", given: "Any", name: str) -> None:
    """`logging.config.dictConfig({… "filename": …})`"""
    from guards.shell import pyshapes

    todo = pyshapes.of(program.values, given)
    if not todo:
        program.unsure.append(("write", name))
    while todo:
        for key, value, inner in todo.pop().rows:
            todo += inner
            if key == (("filename", True),):
                touch(program, value, "write", False, name)
