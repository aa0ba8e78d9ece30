"""Whether a file that gives permission is the owner's alone to write, judged by the `fstat` of its open handle.

It belongs to the user or to root, and nobody else may write it, nor a group unless it is the user's own private one:
git under umask 002 writes 0664. Where that cannot be told, it is not trusted. This keeps other users out, not an
agent that runs as the same user.
"""

import os
import pwd
import shlex
import stat

from guards.lanes.approvals import own_group


def fault(path: str, info: os.stat_result) -> str:
    """ "" when the file may give permission, else one sentence with the command that cures it."""
    me = os.geteuid()
    if info.st_uid not in (me, 0):
        return f"belongs to {_user(info.st_uid)}, not to you or root; run: sudo chown {me} {shlex.quote(path)}"
    cure = ""
    if info.st_mode & stat.S_IWGRP and not own_group(info.st_gid, me):
        cure = "g-w"
    if info.st_mode & stat.S_IWOTH:
        cure = "go-w" if cure else "o-w"
    if not cure:
        return ""
    who = {"g-w": "its group", "o-w": "everybody", "go-w": "everybody"}[cure]
    return f"can be written by {who}; run: chmod {cure} {shlex.quote(path)}"


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
