"""Run a real harness program once, from start to end, against the scripted model.

The program gets an environment of its own with nothing of the caller's in it, a home and a temporary folder
made for the run, and no network but loopback: the proxy variables lead to a closed port. A program that does
not end in time is killed with its whole session, and what it had shown by then is in the result.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.harness import npm
from tests.harness.forms import Json
from tests.harness.model import Model, Step
from tests.harness.runs import Run

PATH = "/usr/local/bin:/usr/bin:/bin"
CLOSED = "http://127.0.0.1:9"  # the discard port: nothing answers there
Subagents = dict[str, Sequence[Step]]


@dataclass
class Start:
    """How a program is started. `model` is the name it asks for, which decides what tools it offers;
    `wrap` is put before the command, for a namespace of its own."""

    home: str
    project: str
    prompt: str = "please go on"
    args: Sequence[str] = ()
    env: dict[str, str] | None = None
    wrap: Sequence[str] = ()
    model: str = ""
    seconds: float = 60


def environment(home: str, tmp: str, extra: dict[str, str]) -> dict[str, str]:
    base = {
        "HOME": home,
        "PATH": PATH,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "TMPDIR": tmp,
        "HTTP_PROXY": CLOSED,
        "HTTPS_PROXY": CLOSED,
        "NO_PROXY": "127.0.0.1,localhost",
    }
    return base | extra


def run(harness: str, start: Start, argv: list[str], env: dict[str, str], model: Model) -> Run:
    """Start a program, wait for it, and keep what it said. Raises what a turn of the script raised."""
    argv = [*start.wrap, *argv]
    env = env | (start.env or {})
    started = time.monotonic()
    process = subprocess.Popen(
        argv,
        cwd=start.project,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    code: int | None
    try:
        out, err = process.communicate(timeout=start.seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    took = time.monotonic() - started
    said = (out.decode(errors="replace"), err.decode(errors="replace"))
    result = Run(harness, argv, code, *said, took, model.requests)
    if model.faults:
        model.faults[0].add_note(result.story())
        raise model.faults[0]
    return result


class Scratch:
    """A temporary folder for one run, with a short name: some programs put a socket below it, whose path may
    have no more than 107 characters."""

    def __enter__(self) -> str:
        self.path = tempfile.mkdtemp(prefix="gh-")
        return self.path

    def __exit__(self, *_: object) -> None:
        for _try in range(20):  # what the program left running may still put a file there
            shutil.rmtree(self.path, ignore_errors=True)
            if not os.path.exists(self.path):
                return
            time.sleep(0.1)


def claude_variables(tmp: str, url: str) -> dict[str, str]:
    return {
        "CLAUDE_CODE_TMPDIR": tmp,
        "ANTHROPIC_API_KEY": "sk-ant-none",
        "ANTHROPIC_BASE_URL": url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_INSTALLATION_CHECKS": "1",
        "IS_SANDBOX": "1",  # elsewhere the program refuses bypassPermissions to root
    }


ALLOWED = "Bash,Read,Write,Edit,NotebookEdit,Agent"


def claude(
    start: Start, script: Sequence[Step], subagents: Subagents | None = None, mode: str = "default"
) -> Run:
    """Claude Code in print mode, the usual tools allowed so that only the hooks stand in the way."""
    with Scratch() as tmp, Model(script, subagents) as scripted:
        variables = claude_variables(tmp, scripted.url)
        argv = [*npm.program("claude"), "-p", start.prompt, "--model", start.model or "opus"]
        argv += ["--permission-mode", mode, "--allowedTools", ALLOWED]
        argv += ["--output-format", "stream-json", "--verbose", *start.args]
        return run("claude", start, argv, environment(start.home, tmp, variables), scripted)


def codex(
    start: Start, script: Sequence[Step], subagents: Subagents | None = None, *, trusting: bool = True
) -> Run:
    """Codex, non-interactive, its own sandbox off so that only the hooks stand in the way, and the hooks
    trusted for this run: nobody is there to review them. With `trusting` off only those run that its
    settings say were reviewed."""
    with Scratch() as tmp, Model(script, subagents) as scripted:
        folder = os.path.join(start.home, ".codex")
        os.makedirs(folder, exist_ok=True)
        settings = {
            "model": start.model or "gpt-5.5",
            "model_provider": "scripted",
            "check_for_update_on_startup": False,
            "analytics.enabled": False,
            "model_providers.scripted.name": "scripted",
            "model_providers.scripted.base_url": scripted.url + "/v1",
            "model_providers.scripted.wire_api": "responses",
            "model_providers.scripted.env_key": "SCRIPTED_KEY",
            "model_providers.scripted.request_max_retries": 0,
            "model_providers.scripted.stream_max_retries": 0,
        }
        argv = [*npm.program("codex"), "exec", "--skip-git-repo-check", "--json"]
        for key, value in settings.items():
            argv += ["-c", f"{key}={json.dumps(value)}"]
        argv += ["--dangerously-bypass-approvals-and-sandbox"]
        argv += ["--dangerously-bypass-hook-trust"] if trusting else []
        variables = {"CODEX_HOME": folder, "SCRIPTED_KEY": "none"}
        argv += [*start.args, start.prompt]
        return run("codex", start, argv, environment(start.home, tmp, variables), scripted)


GEMINI_SETTINGS: Json = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
}


def gemini(start: Start, script: Sequence[Step]) -> Run:
    """Gemini CLI, non-interactive, asking nobody. Its settings file must hold GEMINI_SETTINGS."""
    with Scratch() as tmp, Model(script) as scripted:
        variables = {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": scripted.url,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }
        argv = [*npm.program("gemini"), "--model", start.model or "gemini-2.5-pro", "-p", start.prompt]
        argv += ["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust", *start.args]
        return run("gemini", start, argv, environment(start.home, tmp, variables), scripted)
