"""The install folder: what the wired command is started through, and the record of where everything lies.

`code` leads to the guards, `py` to the interpreter, `places` says the rest. All three are flipped by rename,
so that a hook which starts in between finds either the old house or the new one, never half of each. Nothing
here replaces a thing it did not make: a real file or folder in the way stops the work and is named.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

MARK = "guards:managed"
HOOK = "code/hook.py"
APPROVALS = """\
# Human lane: what the owner has let through. One extended regular expression a line, for a whole path:
#   ^/home/me/project/\\.github/workflows/docs\\.yml$
# Blank lines and lines that begin with # free nothing. Only you write this file.

"""


class InTheWay(ValueError):
    """Something that is not ours lies where a link of ours belongs."""


def lay(
    install: str,
    *,
    home: str,
    checkout: str,
    config: str,
    state: str,
    python: str,
    pinned: bool = False,
    code: str | None = None,
) -> dict[str, str]:
    """Make or refresh the install folder and what it points to; answers the record in `places`.

    config  the folder with the machine's policy and approvals; state: journal, tables, session marks (0700)
    python  the interpreter of the checkout's venv. Its path is kept as it is, not resolved: a venv made anew
            or a patch release of the base interpreter then needs no new install
    pinned  run a copy of guards/ and policy/ made now; `code`: run this copy made earlier (`snapshot`)
    """
    install, checkout = os.path.abspath(install), os.path.abspath(checkout)
    source = code or (snapshot(install, checkout) if pinned else checkout)
    places = describe(install, home, checkout, config, state, python, source)
    for folder in (install, places["machine"], os.path.dirname(places["approvals"])):
        os.makedirs(folder, mode=0o755, exist_ok=True)
    os.makedirs(state, mode=0o700, exist_ok=True)
    os.chmod(state, 0o700)
    _first_approvals(places["approvals"])
    record = json.dumps(places, indent=1, ensure_ascii=False) + "\n"
    write_whole(os.path.join(install, "places"), record, 0o644)
    point(os.path.join(install, "py"), python)
    point(os.path.join(install, "code"), os.path.join(source, "guards"))
    return places


def describe(
    install: str, home: str, checkout: str, config: str, state: str, python: str, source: str
) -> dict[str, str]:
    """The record that `lay` writes; nothing is touched."""
    return {
        "home": home,
        "policy": os.path.join(source, "policy"),
        "machine": os.path.join(config, "policy"),
        "approvals": os.path.join(config, "approvals", "human-lane"),
        "state": state,
        "packages": site_packages(python),
        "checkout": checkout,
        "install": install,
        "version": version(checkout),
        "python": python,
    }


def read(install: str) -> dict[str, str] | None:
    """The record of an install folder; None when there is none that can be read."""
    try:
        with open(os.path.join(install, "places"), encoding="utf-8") as handle:
            record = json.load(handle)
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def command(install: str, harness: str, event: str, checkout: str | None = None) -> str:
    """The wired command line, for dash and bash alike.

    On before-tool only a script that is there and ended with 0 or 2 has judged. Anything else (no
    interpreter, no script, an emptied script, which Python runs happily, a crash, a signal) refuses with a
    sentence. The harness shows the whole line to the model in every refusal, so it stays short.
    """
    py, hook = shlex.quote(os.path.join(install, "py")), shlex.quote(os.path.join(install, HOOK))
    run = f"{py} -IS {hook} {harness} {event}"
    if event != "before-tool":
        return f"{run} 2>/dev/null || exit 0  # {MARK}"
    where = checkout or (read(install) or {}).get("checkout", "the guards checkout")
    say = shlex.quote(f"guards did not run; to take its hooks out, the owner runs make unwire in {where}")
    judged = f"[ -s {hook} ]"
    return f"{run} && {judged} || {{ [ $? = 2 ] && {judged} || echo {say} >&2; false; }} || exit 2  # {MARK}"


def snapshot(install: str, checkout: str) -> str:
    """A copy of guards/ and policy/ in a folder of its own below the install folder."""
    shelf = os.path.join(install, "pinned")
    os.makedirs(shelf, exist_ok=True)
    target = tempfile.mkdtemp(prefix=version(checkout) + "-", dir=shelf)
    os.chmod(target, 0o755)
    skip = shutil.ignore_patterns("__pycache__", "*.pyc")
    for part in ("guards", "policy"):
        shutil.copytree(os.path.join(checkout, part), os.path.join(target, part), ignore=skip)
    return target


def point(link: str, target: str) -> None:
    """Make `link` lead to `target` in one step; a real file or folder there is not ours to replace."""
    if os.path.islink(link):
        if os.readlink(link) == target:
            return
    elif os.path.lexists(link):
        raise InTheWay(f"{link} is not a link that guards made. Move it away, then run this again.")
    fresh = f"{link}.{os.getpid()}.new"
    if os.path.lexists(fresh):
        os.unlink(fresh)
    os.symlink(target, fresh)
    os.replace(fresh, link)


def write_whole(path: str, text: str, mode: int) -> None:
    """Write by temporary name and rename; a file that already says this is left alone."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        with open(path, "rb") as handle:
            if handle.read() == data:
                return
    except OSError:
        pass
    handle_no, fresh = tempfile.mkstemp(prefix=os.path.basename(path) + ".", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle_no, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.chmod(fresh, mode)
        if os.geteuid() == 0:  # `sudo guards install --managed` keeps its record among the owner's files
            folder = os.stat(os.path.dirname(path))
            os.chown(fresh, folder.st_uid, folder.st_gid)
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise


def version(checkout: str) -> str:
    """Guards' version as the checkout names it."""
    try:
        with open(os.path.join(checkout, "pyproject.toml"), encoding="utf-8") as handle:
            found = re.search(r'^version\s*=\s*"([^"]+)"', handle.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found else "0"


def site_packages(python: str) -> str:
    """Where that interpreter keeps its packages."""
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    if os.path.abspath(python) == os.path.abspath(sys.executable):
        import sysconfig

        return sysconfig.get_path("purelib")
    done = subprocess.run([python, "-I", "-c", ask], capture_output=True, text=True, timeout=20, check=True)
    return done.stdout.strip()


def _first_approvals(path: str) -> None:
    if os.path.lexists(path):  # a link into the owner's repository counts too, even one that dangles
        return
    try:
        handle_no = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle_no, "w", encoding="utf-8") as handle:
        handle.write(APPROVALS)
