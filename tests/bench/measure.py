"""One sample: a command started as a harness starts it, a payload on a socket, until both outputs have ended.

The yardstick and the hook are run in turn, so that whatever the machine does meanwhile falls on both.
"""

from __future__ import annotations

import socket
import subprocess
import time
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Sample:
    seconds: float
    code: int
    out: bytes
    err: bytes


def sample(command: str, payload: bytes, env: dict[str, str], cwd: str) -> Sample:
    ours, theirs = socket.socketpair()
    out_ours, out_theirs = socket.socketpair()
    err_ours, err_theirs = socket.socketpair()
    started = time.perf_counter()
    child = subprocess.Popen(
        ["/bin/sh", "-c", command], stdin=theirs.fileno(), stdout=out_theirs.fileno(), stderr=err_theirs.fileno(),
        env=env, cwd=cwd,
        start_new_session=True,
    )  # fmt: skip
    for end in (theirs, out_theirs, err_theirs):
        end.close()
    try:
        ours.sendall(payload)
        ours.shutdown(socket.SHUT_WR)
    except BrokenPipeError:
        pass  # the yardstick does not read
    out, err = _drain(out_ours), _drain(err_ours)
    code = child.wait()
    seconds = time.perf_counter() - started
    ours.close()
    return Sample(seconds, code, out, err)


def _drain(end: socket.socket) -> bytes:
    chunks = []
    while chunk := end.recv(1 << 16):
        chunks.append(chunk)
    end.close()
    return b"".join(chunks)


def ratio(
    bare: str, command: str, payload: bytes, env: dict[str, str], cwd: str, pairs: int
) -> tuple[float, float, Sample]:
    """(median ratio, milliseconds of the bare start, the last sample of the hook)."""
    ratios, bares = [], []
    last = sample(command, payload, env, cwd)
    for _ in range(pairs):
        one = sample(bare, payload, env, cwd)
        last = sample(command, payload, env, cwd)
        ratios.append(last.seconds / one.seconds)
        bares.append(one.seconds)
    return median(ratios), median(bares) * 1000, last
