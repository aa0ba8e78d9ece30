"""The code the hooks run: its checkout, its interpreter, its packages, its compiled files."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator

from guards.reports.rows.record import FAIL, NOT_RUN, OK, WARN, Ground, Row

SECONDS = 10.0
PACKAGES = ("bashlex", "regex", "tree_sitter", "tree_sitter_bash")


def behind(ground: Ground) -> Iterator[Row]:
    """How far the checkout is behind what was last fetched: a number, or unknown. Never zero for unknown."""
    checkout = ground.places["checkout"]
    if _git(checkout, "rev-parse", "--is-inside-work-tree") != "true":
        yield Row("behind", NOT_RUN, f"{checkout} is no git checkout; whether it is behind is unknown")
        return
    upstream = _git(checkout, "rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}")
    count = _git(checkout, "rev-list", "--count", "HEAD..@{upstream}") if upstream else None
    if count is None or not count.isdigit():
        yield Row("behind", NOT_RUN, f"{checkout} follows no upstream branch; whether it is behind is unknown")
        return
    fetched = _fetched(checkout)
    if int(count):
        yield Row(
            "behind",
            WARN,
            f"{checkout} is {count} commits behind {upstream} (fetched {fetched})",
            f"git -C {checkout} pull",
        )
    else:
        yield Row(
            "behind", OK, f"{checkout} is level with {upstream} as fetched {fetched}; guards itself opens no network"
        )


def _git(folder: str, *words: str) -> str | None:
    line = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", folder, *words]
    try:
        done = subprocess.run(
            line, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _fetched(checkout: str) -> str:
    folder = _git(checkout, "rev-parse", "--absolute-git-dir") or ""
    try:
        moment = os.stat(os.path.join(folder, "FETCH_HEAD")).st_mtime
    except OSError:
        return "at an unknown time"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def interpreter(ground: Ground) -> Iterator[Row]:
    """The interpreter and packages that the wired command starts."""
    python = os.path.join(ground.places["install"], "py") if ground.installed else ground.places["python"]
    ask = "import sys;print('%d.%d.%d' % sys.version_info[:3])"
    done = _ask(python, ["-IS", "-c", ask])
    if done is None:
        yield Row("python", FAIL, f"{python} does not start: every call before a tool is refused", "make install")
        return
    if tuple(map(int, done.split(".")))[:2] < (3, 11):
        yield Row("python", FAIL, f"{python} is Python {done}; guards needs 3.11", "make install with a newer python3")
        return
    missing = [n for n in PACKAGES if not os.path.isdir(os.path.join(ground.places["packages"], n))]
    if ground.places["packages"] and missing:
        yield Row("packages", FAIL, f"not in {ground.places['packages']}: {', '.join(missing)}", "make install")
    yield Row("python", OK, f"{python} is Python {done}")


def _ask(python: str, words: list[str]) -> str | None:
    try:
        done = subprocess.run([python, *words], capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def compiled(ground: Ground) -> Iterator[Row]:
    """Byte code beside the code: without it every hook takes three times as long."""
    code = os.path.join(os.path.realpath(os.path.join(ground.places["install"], "code")), "engine")
    if not os.path.isdir(code):
        return
    names = [name for name in os.listdir(code) if name.endswith(".py") and name != "__init__.py"]
    cache = os.path.join(code, "__pycache__")
    kept = os.listdir(cache) if os.path.isdir(cache) else []
    bare = [name for name in names if not any(k.startswith(name[:-2]) for k in kept)]
    if len(bare) > len(names) // 2:
        yield Row("byte-code", WARN, f"{code} is not byte-compiled: hooks take three times as long", "make install")
    else:
        yield Row("byte-code", OK, "the hooks' code is byte-compiled")
