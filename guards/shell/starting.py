"""Which file a command's name starts: through links and copies that are there or that the same command makes, and
through folders that it puts on PATH.
"""

from guards.engine.world import join, normal
from guards.shell.args import plain
from guards.shell.programs import DECLARES, SYSTEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

FOLDERS = 40  # of PATH


def paths(walk: "Walk", step: "Step", argv: "list[Word]") -> None:
    """Folders that a command puts on PATH: they count from here on. What was on it before does not show."""
    given = [step.assigns["PATH"].rough] if "PATH" in step.assigns else []
    if argv and argv[0].text in DECLARES:
        given += [w.rough[5:] for w in argv[1:] if w.rough.startswith("PATH=")]
    for text in given:
        for folder in text.split(":"):
            here = normal(walk.full(step, folder)) if folder and "$" not in folder else ""
            if here and f"{here}/" not in SYSTEM and "/node_modules/" not in here and len(walk.paths) < FOLDERS:
                walk.paths[here] = None


def on_path(walk: "Walk", step: "Step", name: str) -> "Word | None":
    """The file that a bare name starts from a folder that the command put on PATH."""
    for folder in walk.paths:
        here = join(folder, name)
        if here in walk.copies or here in walk.links or here in step.files or walk.exists(step, here):
            return plain(here)
    return None


def ending(walk: "Walk", word: "Word") -> "Word | None":
    """The listed program that an unknown folder holds (`$(npm bin)/eslint`), unless the folder is one made for this."""
    from guards.shell import origins

    last = word.parts[-1] if word.parts and word.rough.endswith(word.parts[-1]) else ""
    name = last.rpartition("/")[2]
    if "/" not in last or name not in walk.programs or any([s.name == "mktemp" for s in origins.traced(walk, word)]):
        return None
    return plain(name)


def behind(walk: "Walk", step: "Step", name: str) -> "Word | None":
    """What a path leads to, where that is another name: a link, or a copy of a program of the system."""
    here = normal(walk.full(step, name))
    target = walk.links.get(here, "")
    if not target and walk.copies.get(here, "").startswith(SYSTEM):
        target = walk.copies[here]
    if not target and name.rsplit("/", 1)[-1] not in walk.programs:
        real = walk.world.real(here) or here
        target = real if real.startswith(SYSTEM) else ""
    return plain(target) if target and target != here else None
