"""What a shell command would touch without showing it, and the search for a way round after a refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine import Machine

LANE = """
[[lane]]
id    = "plans"
paths = ["/plans/"]
why   = "plans are the owner's word"
"""

REFUSED = {
    "a redirection": "echo x > plans/a.md",
    "tee": "echo x | tee -a plans/a.md",
    "sed in place": "sed -i s/a/b/ plans/a.md",
    "a here-document": "cat <<'E' > plans/a.md\nx\nE",
    "python text": "python3 -c \"open('plans/a.md','w').write('x')\"",
    "a script at hand": "bash scripts/fix.sh",
    "cd and a relative path": "cd plans && echo x >> a.md",
    "a variable": "D=plans; rm $D/a.md",
    "a loop": "for f in plans/a.md x; do truncate -s 0 $f; done",
    "moved away": "mv plans old",
    "an ancestor": "cd .. && rm -rf proj",
    "xargs": "echo plans/a.md | xargs rm",
    "find": "find plans -name '*.md' -delete",
    "a wrapper": "sudo -u o env X=1 timeout 5 cp README.md plans/a.md",
    "git's own": "git mv plans/a.md plans/b.md",
    "a program nobody knows": "frobnicate --out plans/a.md",
    "an unknown target beside a name": "python3 -c \"import sys; open(sys.argv[1], 'w')\" plans/a.md",
    "text that ends nowhere": "echo 'x > plans/a.md",
}
PASSES = {
    "reading": "cat plans/a.md; grep -rn x plans; ls -la plans | head",
    "copying out": "cp plans/a.md /tmp/a.md",
    "a message": "git commit -m 'write plans/a.md later, rm -rf plans'",
    "git looks": "git status && git diff plans && git log --oneline -- plans",
    "a neighbour": "echo x > plans.md && mkdir -p plansx && touch plansx/a",
    "tests": "pytest -q tests && npm ci && make test",
    "a comment": "ls # rm -rf plans",
    "an echo": "echo 'echo x > plans/a.md'",
    "nothing at all": "",
    "only blanks": "  \n\t",
}


@pytest.fixture
def proj(machine: Machine) -> Path:
    machine.policy("human-lane", LANE)
    files = {"plans/a.md": "a\n", "README.md": "r\n", "scripts/fix.sh": "echo x > plans/a.md\n", "x": ""}
    return machine.repo(files=files)


@pytest.mark.parametrize("command", REFUSED.values(), ids=REFUSED)
def test_a_command_that_would_touch_the_lane_is_refused(machine: Machine, proj: Path, command: str) -> None:
    fired = machine.bash(command, cwd=proj)
    assert fired.denied, command
    assert "plans" in fired.err


@pytest.mark.parametrize("command", PASSES.values(), ids=PASSES)
def test_a_command_that_only_looks_or_talks_passes_in_silence(machine: Machine, proj: Path, command: str) -> None:
    assert machine.bash(command, cwd=proj).silent, command


def test_an_approved_path_may_be_written_by_the_shell_too(machine: Machine, proj: Path) -> None:
    machine.approve(f"^{proj}/plans/a\\.md$")
    assert machine.bash("sed -i s/a/b/ plans/a.md", cwd=proj).silent
    assert machine.bash("sed -i s/a/b/ plans/a.md plans/b.md", cwd=proj).denied
    assert machine.bash("frobnicate plans/a.md", cwd=proj).silent


def test_what_strangers_get_is_the_owners_to_say(machine: Machine, proj: Path) -> None:
    machine.policy("shell-lane", 'stranger = "pass"\n')
    assert machine.bash("frobnicate --out plans/a.md", cwd=proj).silent
    assert machine.bash("echo x > plans/a.md", cwd=proj).denied


def test_after_a_refusal_a_stranger_with_that_path_is_refused_for_a_while(machine: Machine, proj: Path) -> None:
    machine.policy("shell-lane", 'stranger = "pass"\n')
    assert machine.bash("frobnicate plans/a.md", cwd=proj).silent
    assert machine.write("plans/a.md", cwd=proj).denied
    again = machine.bash("frobnicate plans/a.md", cwd=proj)
    assert again.denied
    assert "refused" in again.err
    assert machine.bash("frobnicate plans/b.md", cwd=proj).silent
    machine.approve(f"^{proj}/plans/a\\.md$")
    assert machine.bash("frobnicate plans/a.md", cwd=proj).silent, "approvals are read anew each time"


def test_a_megabyte_with_the_write_at_its_end_is_read_to_the_end(machine: Machine, proj: Path) -> None:
    fired = machine.bash("echo " + "x" * 1_000_000 + "; rm plans/a.md", cwd=proj)
    assert fired.denied


def test_three_hundred_kilobytes_of_quotes_are_judged_and_not_timed_out(machine: Machine, proj: Path) -> None:
    fired = machine.bash("echo " + "'a' \"b\" " * 37_500 + "; rm plans/a.md", cwd=proj)
    assert fired.denied
    assert "plans/a.md" in fired.err
