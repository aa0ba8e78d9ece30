"""The journal: JSON lines by month, one O_APPEND write each, bounded and redacted. Never the environment.

A line that cannot be written is lost in silence: the journal never changes a verdict. `record` gives False then, so
that dispatch can say it on the next refusal.
"""

import posix
from _json import encode_basestring_ascii as quote
from time import gmtime, time

from guards.engine.state import make_dirs
from guards.engine.world import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VALUE_MAX = 400  # characters of one value; a refusal names a path and a rule, not a program
LINE_MAX = 3500  # bytes: below the 4 KiB that one append writes whole on every local file system
MONTH_MAX = 64 << 20  # bytes of one month's file; beyond it lines are dropped and `guards doctor` says so
_SECRET = ("token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "authorization", "bearer")
_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW


def redact(text: str) -> str:
    """Clips, and masks what follows a word that names a secret (`TOKEN=…`, `--password …`, `Bearer …`)."""
    text = text[: VALUE_MAX * 2]
    folded = text.lower()
    if any(word in folded for word in _SECRET):
        text = " ".join(_mask(text.split(" ")))
    return text if len(text) <= VALUE_MAX else text[: VALUE_MAX - 1] + "…"


def _mask(words: "list[str]") -> "list[str]":
    out: list[str] = []
    follows = False
    for word in words:
        folded = word.lower()
        name, mark, value = word.partition("=" if "=" in word else ":")
        if follows and word and not any(s in folded for s in _SECRET):
            out.append("…")
            follows = False
        elif mark and value and "/" not in name and any(s in name.lower() for s in _SECRET):
            out.append(name + mark + "…")
        else:
            follows = folded.lstrip("-\"'").rstrip(":\"'") in _SECRET
            out.append(word)
    return out


def dump(value: "Any") -> str:
    """JSON of plain values; `json` is not loaded on the hot path."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(round(value, 3)) if -1e15 < value < 1e15 else "null"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dump(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ",".join([quote(str(k)) + ":" + dump(v) for k, v in value.items()]) + "}"
    return quote(str(value))


def _clean(value: "Any") -> "Any":
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, (list, tuple)):
        return [_clean(item) for item in value[:20]]
    return value


def record(state: str, fields: "dict[str, Any]") -> bool:
    """Appends one line; True when it was written."""
    now = time()
    moment = gmtime(now)
    line = {"t": round(now, 3), **{k: _clean(v) for k, v in fields.items() if v not in ("", None)}}
    data = dump(line).encode("ascii")
    if len(data) > LINE_MAX:
        short = {k: line[k] for k in ("t", "harness", "event", "guard", "verdict", "rule") if k in line}
        data = dump({**short, "cut": len(data)}).encode("ascii")[:LINE_MAX]
    folder = f"{state}/journal"
    path = encode(f"{folder}/{moment[0]:04d}-{moment[1]:02d}.jsonl")
    try:
        try:
            fd = posix.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            make_dirs(folder)
            fd = posix.open(path, _FLAGS, 0o600)
    except OSError:
        return False
    try:
        if posix.fstat(fd).st_size > MONTH_MAX:
            return False
        return posix.write(fd, data + b"\n") == len(data) + 1
    except OSError:
        return False
    finally:
        posix.close(fd)
