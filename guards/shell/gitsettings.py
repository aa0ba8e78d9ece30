"""Settings of git that a command brings with it: in the environment, in files it names, and those it wrote before.

What a machine has anyway is not read. A file counts when a variable names it that the harness did not set, when it
lies in a home that the command set, or when the command made or changed it.
"""

from guards.engine.world import join, normal
from guards.shell.gitconfig import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.shell.gitverbs import Git

GIVEN = 64  # settings of the environment
DEPTH = 5  # files that include each other


def given(env: "Mapping[str, str | None]") -> "dict[str, str]":
    """GIT_CONFIG_COUNT, then a key and a value for each number; and GIT_CONFIG_PARAMETERS, in quotes."""
    count = env.get("GIT_CONFIG_COUNT") or ""
    found: dict[str, str] = {}
    for at in range(min(int(count), GIVEN) if count.isascii() and count.isdigit() else 0):
        key, value = env.get(f"GIT_CONFIG_KEY_{at}"), env.get(f"GIT_CONFIG_VALUE_{at}")
        if key is not None and value is not None:
            found[key.lower()] = value
    for piece in _unquoted(env.get("GIT_CONFIG_PARAMETERS") or ""):
        key, _, value = piece.partition("=")
        found[key.lower()] = value
    return found


def _unquoted(text: str) -> "list[str]":
    """'key=value' 'key'='value': words of shell quotes."""
    from guards.shell.lists import unquoted

    return unquoted(text)[:GIVEN] if text else []


def files(call: "Git") -> "dict[str, str]":
    found: dict[str, str] = {}
    inner = call.config.get("include.path", "")
    for path in [*_named(call), inner if inner[:1] == "/" else ""]:  # git takes no other path from -c
        if path:
            found.update(_file(call, normal(join(call.where, path)), DEPTH))
    return found


def _named(call: "Git") -> "list[str]":
    """The files that count, in the order git reads them: a later one wins."""
    env, plain = call.step.env, call.walk.world.plain_env
    own = [env.get(name) for name in ("GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL") if env.get(name) != plain(name)]
    found = [name for name in own if name]
    if not env.get("GIT_CONFIG_GLOBAL"):
        home = env.get("HOME") or call.walk.world.home
        places = {join(env.get("XDG_CONFIG_HOME") or join(home, ".config"), "git/config"): "XDG_CONFIG_HOME"}
        places[join(home, ".gitconfig")] = "HOME"
        for path, name in places.items():
            moved = env.get(name) not in (None, plain(name), call.walk.world.home)
            if moved or made(call, path):
                found.append(path)
    from guards.shell.gitfiles import git_dir

    here = git_dir(call)
    return [*found, *[path for path in (join(here, "config"), join(here, "config.worktree")) if made(call, path)]]


def made(call: "Git", path: str) -> bool:
    """Whether the command wrote it."""
    here = normal(path)
    return here in call.step.files or here in call.walk.copies or here in call.walk.kept.get("settings", ())


def _file(call: "Git", path: str, depth: int) -> "dict[str, str]":
    """A file's settings, those of the files it includes (under any condition), and those `git config` put into it."""
    found: dict[str, str] = {}
    for key, value in {
        **settings(call.walk.source(call.step, path) or ""),
        **call.walk.kept.get("settings", {}).get(path, {}),
    }.items():
        found[key] = value
        if depth and key.startswith(("include.", "includeif.")) and key.endswith(".path"):
            name = join(call.walk.world.home, value[2:]) if value[:2] == "~/" else value
            found.update(_file(call, normal(join(path.rpartition("/")[0], name)), depth - 1))
    return found
