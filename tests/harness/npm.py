"""The real harness programs, at the versions the tests were written against, in the ignored `.harness/`.

`python tests/harness/npm.py` installs what is missing (about 1.1 GB) and says in one sentence what went wrong
when npm cannot be reached; then it exits with 2. A test never installs: it fails when a program is not there.
"""

import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), ".harness")

PACKAGES = {
    "claude": ("@anthropic-ai/claude-code", "2.1.332"),
    "codex": ("@openai/codex", "0.171.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "copilot": ("@github/copilot", "1.0.102"),
}
# where each keeps what is run: three are native programs behind a small script of Node's, which is left out
PROGRAMS = {
    "claude": "node_modules/@anthropic-ai/claude-code/bin/claude.exe",
    "codex": "node_modules/@openai/codex-*/vendor/*/bin/codex",
    "gemini": "node_modules/@google/gemini-cli/bundle/gemini.js",
    "copilot": "node_modules/@github/copilot-*/copilot",
}


class Missing(Exception):
    """A program is not there, or npm could not bring it: one sentence for whoever runs the tests."""


def program(name: str) -> list[str]:
    """The command that starts a harness; Missing when it is not installed at the pinned version."""
    package, version = PACKAGES[name]
    found = glob.glob(os.path.join(FOLDER, name, PROGRAMS[name]))
    if not found or installed(name) != version:
        raise Missing(f"{package}@{version} is not in .harness/: `make test-harness` fetches it from npm.")
    if not found[0].endswith(".js"):
        return found
    node = shutil.which("node")
    if node is None:
        raise Missing(f"{package} needs `node` on the PATH.")
    return [node, found[0]]


def installed(name: str) -> str:
    """The version that npm noted in its own lock file; "" when there is none."""
    import json

    try:
        with open(os.path.join(FOLDER, name, "node_modules", ".package-lock.json"), encoding="utf-8") as file:
            packages = json.load(file)["packages"]
        return str(packages["node_modules/" + PACKAGES[name][0]]["version"])
    except (OSError, ValueError, KeyError):
        return ""


def fetch(name: str) -> None:
    """Install one program. Of npm's own complaint the line that says what happened is passed on."""
    package, version = PACKAGES[name]
    npm = shutil.which("npm")
    if npm is None:
        raise Missing(f"{package}@{version} is not in .harness/ and `npm` is not on the PATH to fetch it.")
    folder = os.path.join(FOLDER, name)
    os.makedirs(folder, exist_ok=True)
    # --force: one package asks for a newer Node than its native program needs
    options = ["--force", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"]
    command = [npm, "install", "--prefix", folder, *options, f"{package}@{version}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line.removeprefix("npm error").strip() for line in done.stderr.splitlines()]
        said = [line for line in lines if line and not line.startswith(("code ", "syscall ", "errno ", "type "))]
        why = said[0] if said else f"exit {done.returncode}"
        raise Missing(f"{package}@{version} could not be fetched from npm: {why}")


def main() -> int:
    for name, (package, version) in PACKAGES.items():
        try:
            if installed(name) != version:
                print(f"fetching {package}@{version}", flush=True)
                fetch(name)
            program(name)
        except Missing as fault:
            print(f"test-harness: {fault}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
