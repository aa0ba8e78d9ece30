"""The fence under the real Claude Code: what no reader of commands can see is held by the kernel."""

import json
import shutil
import time

import pytest

from tests.fence.conftest import refused
from tests.harness.forms import Call
from tests.harness.model import turn
from tests.harness.rig import Rig

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(refused()), reason=refused() or "-")]

CI = ".github/workflows/ci.yml"
# what a command says about a place it may not write
NO = ("Read-only file system", "read-only", "EROFS", "Device or resource busy", "EBUSY")


TEST = """import unittest

class T(unittest.TestCase):
    def test(self):
        exec(open("gen.py").read())
"""


@pytest.fixture
def fenced(claude: Rig) -> Rig:
    """A project with a workflow, a way to write it that no text shows, and the fence wired."""
    claude.put(CI, "on: push\n")
    claude.put("app.txt", "one\n")
    claude.put("gen.py", "open('.git' + 'hub/workflows/ci.yml', 'w').write('on: never')\n")
    claude.put("Makefile", "gen:\n\tpython3 gen.py\n")
    claude.put("test_it.py", TEST)
    package = {"name": "p", "version": "1.0.0", "scripts": {"postversion": "python3 gen.py"}}
    claude.put("package.json", json.dumps(package))
    claude.git("add", ".")
    claude.git("commit", "-q", "-m", "first")
    claude.git("checkout", "-q", "-b", "other")
    claude.put(CI, "on: never\n")
    claude.put("app.txt", "two\n")
    claude.git("commit", "-q", "-a", "-m", "other")
    claude.git("checkout", "-q", "main")
    claude.git("diff", "main", "other", "--output=" + claude.path("both.patch"))
    claude.machine.policy("shell-lane", "off = true\n")
    return claude.install("--fence")


def untouched(rig: Rig) -> bool:
    return (rig.project / CI).read_text() == "on: push\n"


WAYS = {
    "a script": "python3 gen.py",
    "make": "make gen",
    "a test run": "python3 -m unittest -q test_it",
    "a shell script": "bash run.sh",
    "in the background": "python3 gen.py & wait",
}


def test_what_programs_write_into_a_lane_is_refused_and_the_model_sees_it(fenced: Rig) -> None:
    fenced.put("run.sh", "f=.github/workflows\nd=$(printf ci.yml)\necho 'on: never' > $f/$d\n")
    run = fenced.run(*(turn(fenced.shell(text)) for text in WAYS.values()))
    silent = [way for way, said in zip(WAYS, run.results(), strict=True) if not any(word in said for word in NO)]
    assert silent == []
    assert untouched(fenced)


def test_git_across_a_held_lane_fails_and_says_so(fenced: Rig) -> None:
    calls = ["git apply both.patch", "git checkout other; git status -s"]
    run = fenced.run(*(turn(fenced.shell(text)) for text in calls))
    assert all(any(word in said for word in NO) for said in run.results())
    assert "M .github/workflows/ci.yml" in run.results()[1]  # the branch is the other, the lane is what it was
    assert untouched(fenced)


def test_ordinary_work_is_what_it_was(fenced: Rig) -> None:
    calls = [
        "echo three > app.txt && git add app.txt && git commit -q -m more && git log --oneline | wc -l",
        "mkdir -p a && cd a && pwd",
        "pwd; sh -c 'exit 7'; echo code $?",
        "export X=1; echo $$ $(ps -o pid= -p $$)",
    ]
    run = fenced.run(*(turn(fenced.shell(text)) for text in calls))
    said = run.results()
    assert said[0].strip() == "2"
    assert said[1].strip() == fenced.path("a")
    assert said[2].splitlines()[0] == fenced.path("a")  # the directory stays changed
    assert "code 7" in said[2]
    first, second = said[3].split()
    assert first == second


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_npm_version_runs_and_its_scripts_are_held(fenced: Rig) -> None:
    fenced.machine.policy("human-lane", 'disable = ["npm-release"]\n')
    run = fenced.run(turn(fenced.shell("npm version --no-git-tag-version patch; cat package.json")))
    assert "1.0.1" in run.results()[0]
    assert any(word in run.results()[0] for word in NO)
    assert untouched(fenced)


def test_guards_own_hooks_judge_from_outside(fenced: Rig) -> None:
    run = fenced.run(turn(fenced.write(CI, "on: never\n")), turn(fenced.write(".env", "TOKEN=x\n")))
    assert all("lane '" in said for said in run.results())
    lines = [line for line in fenced.machine.journal() if line.get("verdict") == "deny"]
    assert len(lines) == 2  # the journal lies in a sealed folder: a hook inside could not have written it


def test_the_owners_other_hooks_run_inside_and_named_ones_outside(fenced: Rig) -> None:
    settings = json.loads(fenced.settings.read_text())
    for n, line in enumerate([f"echo x > {fenced.path(CI)} || true", "/usr/bin/touch " + fenced.path(".env.key")]):
        settings["hooks"]["PostToolUse"].append({"hooks": [{"type": "command", "command": line}]})
        if n:
            fenced.machine.policy("fence", f"outside = [{json.dumps(line)}]\n")
    fenced.settings.write_text(json.dumps(settings))
    fenced.put(".env.key", "")
    before = (fenced.project / ".env.key").stat().st_ctime_ns
    fenced.run(turn(fenced.shell("true")))
    assert untouched(fenced)
    assert (fenced.project / ".env.key").stat().st_ctime_ns > before


def test_a_command_that_looks_like_a_hook_is_fenced(fenced: Rig) -> None:
    fenced.machine.policy("human-only", "off = true\n")  # it would refuse a hook's line before it starts
    line = (fenced.machine.install / "fence").read_text().splitlines()[0]
    inner = line.replace("2>/dev/null || exit 0", "</dev/null; python3 gen.py")
    run = fenced.run(turn(fenced.shell(f"python3 gen.py; {line}")), turn(fenced.shell(inner)), turn(fenced.shell(line)))
    assert all(any(word in said for word in NO) for said in run.results()[:2])
    assert untouched(fenced)


def test_without_bubblewrap_nothing_runs_unless_the_owner_says_so(fenced: Rig) -> None:
    hidden = ["unshare", "--mount", "sh", "-c", 'mount --bind /dev/null /usr/bin/bwrap && exec "$@"', "sh"]
    run = fenced.run(turn(fenced.shell("echo ran")), wrap=hidden)
    assert "ran" not in run.results()[0].replace("was not run", "")
    assert "could not be put up" in run.results()[0]
    fenced.machine.policy("fence", 'on_failure = "run"\n')
    run = fenced.run(turn(fenced.shell("echo ran")), wrap=hidden)
    assert "ran" in run.results()[0]
    assert [line["verdict"] for line in fenced.machine.journal() if line.get("guard") == "fence"][-1] == "unfenced"


def call(rig: Rig, text: str) -> Call:
    return Call("Bash", {"command": text, "description": "in the background", "run_in_background": True})


def test_a_background_command_is_fenced_and_outlives_its_call(fenced: Rig) -> None:
    text = "sleep 1; python3 gen.py; echo done > after.txt"
    fenced.run(turn(call(fenced, text)), turn(fenced.shell("sh -c 'sleep 3'; cat after.txt")))
    assert (fenced.project / "after.txt").read_text() == "done\n"
    assert untouched(fenced)


TYPES = """import fcntl, glob, os, termios
said = []
for path in ["/dev/tty", *glob.glob("/dev/pts/[0-9]*")]:
    try:
        fcntl.ioctl(os.open(path, os.O_RDWR), termios.TIOCSTI, b"x")
        said.append(path)
    except OSError:
        pass
open("typed.txt", "w").write(" ".join(said) + "none" * (not said))
"""


def test_a_command_cannot_type_into_the_terminal_of_the_program(fenced: Rig) -> None:
    fenced.put("keys_typed.py", TYPES)
    with fenced.at_terminal(turn(fenced.shell("python3 keys_typed.py"))) as terminal:
        terminal.wait_for("Do you want to proceed?")
        terminal.press("\r")  # the first answer is yes
        assert terminal.wait_until(fenced.path("typed.txt"))
        time.sleep(0.2)
    assert (fenced.project / "typed.txt").read_text() == "none"


def test_a_new_file_of_a_lane_is_told_after_the_command(fenced: Rig) -> None:
    run = fenced.run(turn(fenced.shell("python3 -c \"open('k' + 'ey.pem', 'w')\"")), turn(fenced.shell("true")))
    assert fenced.path("key.pem") in run.shown()
    assert "nothing was undone" in run.shown()
    assert fenced.there("key.pem")
    told = [line for line in fenced.machine.journal() if line.get("guard") == "tripwire"]
    assert [line["verdict"] for line in told] == ["note"]


def test_without_the_fence_the_tripwire_watches_alone(claude: Rig) -> None:
    claude.put(CI, "on: push\n")
    claude.machine.policy("tripwire", 'mode = "watch"\n')
    claude.install()
    claude.put("gen.py", "open('.git' + 'hub/workflows/ci.yml', 'w').write('on: never')\n")
    claude.put("Makefile", "gen:\n\tpython3 gen.py\n")
    claude.machine.policy("shell-lane", "off = true\n")  # the reader reads a Makefile; not every program is one
    run = claude.run(turn(claude.shell("make gen")), turn(claude.shell("true")))
    assert not untouched(claude)
    assert claude.path(CI) in run.shown()
