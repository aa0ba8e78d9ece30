"""Opens one policy file and turns its text into a TOML table; says in one sentence why it cannot.

Files are opened without blocking and judged by `fstat` on the open handle: only regular files, only small ones. The
machine's layer gives permission, so it must be the user's or root's and not writable by anybody else. The bundled
layer lies beside the code, which whoever can write it could change as well. A repository's file gives no permission,
but comes with any clone: it may not be a link, and is the smallest.
"""

import contextlib
import marshal
import os
import re
import stat
import time
import tomllib
from dataclasses import dataclass
from typing import Any, Literal

from guards.compile import trust
from guards.engine import tables

LIMITS = {"bundled": 4 << 20, "machine": 1 << 20, "repository": 64 << 10}  # bytes
# A file written twice within one tick of the kernel's clock looks the same: wait until the tick is over.
TICK = 0.02
# tomllib takes quadratic time over the parts of one dotted key.
_LONG_KEY = re.compile(r"""(?:(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""")
_PARSED = 100  # texts whose tables one process keeps
_parsed: dict[bytes, bytes] = {}
_AT = re.compile(
    r"(?P<what>.*) \((?:at line (?P<line>\d+), column (?P<column>\d+)|at (?P<end>end of document))\)", re.DOTALL
)

Identity = tuple[int, ...] | None


@dataclass(frozen=True)
class Source:
    """One file of a layer: what it said (`data`, None when it is not there or broken), or why it could not be used."""

    kind: Literal["bundled", "machine", "repository"]
    path: str
    label: str
    identity: Identity = None
    data: dict[str, Any] | None = None
    fault: str = ""


def identity_of(info: os.stat_result) -> Identity:
    """The same as tables.identity, from an open handle."""
    return (
        info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode, info.st_uid
    )  # fmt: skip


def read(kind: Literal["bundled", "machine", "repository"], path: str, label: str) -> Source:
    """The file as a Source; a file that is not there has neither data nor fault."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        handle = os.open(path, flags | (os.O_NOFOLLOW if kind == "repository" else 0))
    except FileNotFoundError:
        return Source(kind, path, label)
    except (OSError, ValueError) as fault:
        return Source(kind, path, label, tables.identity(path), fault=_unopened(path, fault))
    try:
        info = os.fstat(handle)
        if time.time_ns() - info.st_ctime_ns < TICK * 1e9:
            time.sleep(TICK)
            info = os.fstat(handle)
        why = _unfit(kind, path, info)
        text = b"" if why else _bytes(handle, LIMITS[kind])
    except OSError as fault:
        return Source(kind, path, label, tables.identity(path), fault=f"cannot be read: {_words(fault)}")
    finally:
        os.close(handle)
    seen = identity_of(info)
    if not why and len(text) > LIMITS[kind]:
        why = _too_large(kind)
    if why:
        return Source(kind, path, label, seen, fault=why)
    data, why = parse(text)
    return Source(kind, path, label, seen, data, why)


def _unfit(kind: str, path: str, info: os.stat_result) -> str:
    if not stat.S_ISREG(info.st_mode):
        return "is not a regular file"
    if info.st_size > LIMITS[kind]:
        return _too_large(kind)
    return trust.fault(path, info) if kind == "machine" else ""


def _too_large(kind: str) -> str:
    return f"is larger than {LIMITS[kind] >> 10} KiB"


def _bytes(handle: int, limit: int) -> bytes:
    chunks = []
    got = 0
    while got <= limit and (piece := os.read(handle, min(1 << 16, limit + 1 - got))):
        chunks.append(piece)
        got += len(piece)
    return b"".join(chunks)


def _unopened(path: str, fault: OSError | ValueError) -> str:
    if os.path.islink(path) and isinstance(fault, OSError):
        return "is a symbolic link, and a repository's policy must be a regular file"
    return f"cannot be opened: {_words(fault)}"


def _words(fault: OSError | ValueError) -> str:
    return (fault.strerror or str(fault)).lower() if isinstance(fault, OSError) else str(fault)


def parse(text: bytes) -> tuple[dict[str, Any] | None, str]:
    """(the TOML table, "") or (None, what is wrong and in which line). An install compiles three times: kept apart."""
    if text in _parsed:
        return marshal.loads(_parsed[text]), ""
    table, why = _parse(text)
    if table is not None and len(_parsed) < _PARSED:
        with contextlib.suppress(ValueError):  # a date, which no policy has
            _parsed[text] = marshal.dumps(table)
    return table, why


def _parse(text: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        words = text.removeprefix(b"\xef\xbb\xbf").decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        number = text.count(b"\n", 0, fault.start) + 1
        return None, f"line {number}: is not UTF-8"
    if long := _LONG_KEY.search(words):
        return None, f"line {_line(words, long.start())}: more than 32 dotted words in a row"
    try:
        return tomllib.loads(words), ""
    except RecursionError:
        return None, "is nested too deeply"
    except ValueError as fault:
        return None, _syntax(words, str(fault))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _syntax(text: str, message: str) -> str:
    found = _AT.fullmatch(message)
    if found is None:
        return message[:1].lower() + message[1:]
    what = found["what"][:1].lower() + found["what"][1:]
    if found["end"]:
        return f"line {_line(text.rstrip(), len(text))} (the end): {what}"
    return f"line {found['line']}, column {found['column']}: {what}"
