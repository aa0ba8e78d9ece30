"""Claude Code at a terminal, for what only a human can answer: the dialog of a question.

The screen is read as text: control sequences become blanks, runs of blanks become one. The program is killed at the
end of the block, whatever state it is in.
"""

import json
import os
import re
import signal
import time
from collections.abc import Sequence
from typing import Self

import pexpect

from tests.harness import drive, npm
from tests.harness.model import Model, Step

KEY = "sk-ant-none-0123456789abcdefghij"
CONTROL = re.compile(r"\x1b\][^\x07]*\x07|\x1b[\[(][0-9;?<>=]*[A-Za-z]|\x1b.|[\x00-\x1f]")


def first_start(start: drive.Start) -> None:
    """The answers that a person gives when the program is started for the first time."""
    answers = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {start.project: {"hasTrustDialogAccepted": True, "projectOnboardingSeenCount": 1}},
    }
    with open(os.path.join(start.home, ".claude.json"), "w", encoding="utf-8") as file:
        json.dump(answers, file)


class Terminal:
    def __init__(self, start: drive.Start, script: Sequence[Step], mode: str) -> None:
        first_start(start)
        self.model = Model(script)
        self.scratch = drive.Scratch()
        tmp = self.scratch.__enter__()
        variables = {**drive.claude_variables(tmp, self.model.url), "ANTHROPIC_API_KEY": KEY}
        self.child = pexpect.spawn(
            npm.program("claude")[0],
            [start.prompt, "--model", start.model or "opus", "--permission-mode", mode, *start.args],
            cwd=start.project,
            env=drive.environment(start.home, tmp, variables | (start.env or {})),
            dimensions=(50, 200),
            encoding="utf-8",
            codec_errors="replace",
        )
        self.raw = ""

    def __enter__(self) -> Self:
        self.model.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self.child.pid, signal.SIGKILL)  # it leads a session of its own
        self.child.wait()
        self.child.close()
        self.model.__exit__()
        self.scratch.__exit__()

    def screen(self) -> str:
        """Everything shown so far, as words."""
        return re.sub(r"\s+", " ", CONTROL.sub(" ", self.raw))

    def wait_for(self, words: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while words not in self.screen():
            if time.monotonic() > end:
                raise AssertionError(f"{words!r} was not shown; the screen ends with: …{self.screen()[-1500:]}")
            self.read()

    def wait_until(self, path: str, seconds: float = 30) -> bool:
        """Whether a file appeared in time, the screen being read meanwhile."""
        end = time.monotonic() + seconds
        while not os.path.exists(path) and time.monotonic() < end:
            self.read()
        return os.path.exists(path)

    def read(self) -> None:
        try:
            self.raw += self.child.read_nonblocking(1 << 16, timeout=0.2)
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            raise AssertionError(f"the program ended: …{self.screen()[-1500:]}") from None

    def press(self, keys: str) -> None:
        self.child.send(keys)
