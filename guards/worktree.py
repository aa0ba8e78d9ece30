"""A session that was opened in a linked worktree of an agent writes there, not in the main checkout or a sibling.

Only what file tools name is judged, by its real path; everything outside the main checkout is left alone, and so are
shell commands. A prompt in a worktree that git has lost is held back, before anything is done in it. What cannot be
seen is let through. Off until an owner wants it.
"""

from guards.engine.event import EXACT, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "worktree"


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    own, main = _own(event, rules["folder"], world)
    if not own:
        return None
    if event.name == "prompt":
        why = _lost(own, world)
        said = (
            why and f"{own} is no worktree any more ({why}), so nothing is done in it. git worktree repair mends one."
        )
        return Verdict(NAME, "deny", said, f"policy/{NAME}.toml", own) if said and not world.off(NAME) else None
    for effect in event.effects:
        if effect.certainty != EXACT or not effect.path:
            continue
        path = effect.path if effect.path.startswith("/") else f"{effect.cwd or event.cwd}/{effect.path}"
        real = world.real(path, effect.follow)
        if real and _below(real, main) and not _below(real, own) and not world.excluded(real):
            return None if world.off(NAME) else _refused(real, own)
    return None


def _refused(path: str, own: str) -> Verdict:
    text = f"{path} lies in the main checkout, and this session works in the worktree {own}: write it there"
    return Verdict(NAME, "deny", f"{text} (policy/{NAME}.toml).", f"policy/{NAME}.toml: folder", path)


def _own(event: "Event", folder: str, world: "World") -> "tuple[str, str]":
    """(the worktree of this session, the checkout it belongs to): by where it is, else by where it was opened."""
    for place in (event.cwd, event.project):
        real = world.real(place) if place.startswith("/") else None
        main, mark, rest = f"{real or ''}/".partition(f"/{folder}/")
        if mark and main and rest.strip("/"):
            return f"{main}/{folder}/{rest.partition('/')[0]}", main
    return "", ""


def _below(path: str, folder: str) -> bool:
    return (path + "/").startswith(folder + "/")


def _lost(own: str, world: "World") -> str:
    """Why a worktree is none; "" when it is one."""
    data = world.read(own + "/.git", 4096)
    if data is None:
        return "" if world.lstat(own + "/.git/HEAD") is not None else "its .git is gone"
    git = data.decode("utf-8", "replace").strip().removeprefix("gitdir:").strip()
    git = git if git.startswith("/") else f"{own}/{git}"
    return "" if world.lstat(git + "/HEAD") is not None else f"{git} is gone"
