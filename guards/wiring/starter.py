"""Starts a wired command the way its harness does: a shell, a session of its own, no terminal, sockets or pipes.

A harness that hands its hooks sockets breaks `/dev/stdin` and `> /dev/stderr`; a probe over pipes would not notice.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

PIECE = 1 << 16


@dataclass(frozen=True)
class Answer:
    """code None: it had to be stopped."""

    code: int | None
    out: bytes
    err: bytes
    milliseconds: float


def start(
    form: ModuleType, line: str, data: bytes, seconds: float, cwd: str, environ: Mapping[str, str] | None = None
) -> Answer:
    """One event through one command line."""
    theirs, ours = _pairs(form.STREAMS)
    began = time.monotonic()
    child = subprocess.Popen(
        [form.SHELL, "-c", line],
        stdin=theirs[0], stdout=theirs[1], stderr=theirs[2],
        start_new_session=True, cwd=cwd, env=None if environ is None else dict(environ),
    )  # fmt: skip
    for end in theirs:
        end.close()
    try:
        out, err = _talk(ours, data, began + seconds)
        code: int | None = child.wait(max(0.1, began + seconds - time.monotonic()))
    except (TimeoutError, subprocess.TimeoutExpired):
        out, err, code = b"", b"", None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for end in ours:
            end.close()
    return Answer(code, out, err, (time.monotonic() - began) * 1000)


def _pairs(kind: str) -> tuple[list[Any], list[Any]]:
    if kind == "socket":
        pairs = [socket.socketpair() for _ in range(3)]
        return [b for _, b in pairs], [a for a, _ in pairs]
    (in_read, in_write), *outs = (os.pipe() for _ in range(3))
    theirs = [os.fdopen(in_read, "rb", 0), *(os.fdopen(write, "wb", 0) for _, write in outs)]
    return theirs, [os.fdopen(in_write, "wb", 0), *(os.fdopen(read, "rb", 0) for read, _ in outs)]


def _talk(ours: list[Any], data: bytes, deadline: float) -> tuple[bytes, bytes]:
    """Feed the first end, read the other two to their ends."""
    got = {1: b"", 2: b""}
    left = memoryview(data)
    with selectors.DefaultSelector() as ready:
        ready.register(ours[0], selectors.EVENT_WRITE, 0)
        for number in got:
            ready.register(ours[number], selectors.EVENT_READ, number)
        while ready.get_map():
            events = ready.select(deadline - time.monotonic())
            if not events:
                raise TimeoutError
            for key, _ in events:
                if key.data:
                    piece = os.read(key.fd, PIECE)
                    got[key.data] += piece
                    if not piece:
                        ready.unregister(key.fileobj)
                    continue
                left = _feed(key.fd, left)
                if not left:
                    ready.unregister(key.fileobj)
                    _end(ours[0])
    return got[1], got[2]


def _feed(fd: int, left: memoryview) -> memoryview:
    try:
        return left[os.write(fd, left[:PIECE]) :]
    except (BrokenPipeError, ConnectionResetError):
        return left[len(left) :]  # it answered without reading all of it


def _end(stream: Any) -> None:
    if isinstance(stream, socket.socket):
        with contextlib.suppress(OSError):
            stream.shutdown(socket.SHUT_WR)
    else:
        stream.close()
