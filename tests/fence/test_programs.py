"""Generated shell programs, each run outside and inside: lanes do not change inside, everything else is the same."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import stat
from pathlib import Path

import pytest

from tests.fence.conftest import FILES, Yard

LANES = [".github/workflows/ci.yml", "db/migrations/0001_init.sql", "deploy/prod.tf", "config/secrets.yaml", ".env"]
NEW = [".github/workflows/{n}.yml", "db/migrations/{n}.sql"]
APPROVED = "deploy/staging.tf"
OPEN = ["src/app.py", "notes.txt", "src/auth/login.py", "docs/a.md", ".env.example", "out/b.txt"]

# {t} is written; each is opaque, plain, direct or by way of something else
WRITERS = [
    "echo {w} > {t}",
    "echo {w} >> {t}",
    "printf '%s' {w} | tee {t} > /dev/null",
    "cp seed.txt {t}",
    "cat seed.txt > {t}",
    "python3 -c \"open('{t}','w').write('{w}')\"",
    "perl -e \"open(F,'>','{t}'); print F '{w}'\"",
    "dd if=seed.txt of={t} status=none",
    "install -m 644 seed.txt {t}",
    "f={t}; echo {w} > $f",
    "sh -c 'echo {w} > {t}'",
    "(cd $(dirname {t}) && echo {w} > $(basename {t}))",
    "find . -path './{t}' -exec sh -c 'echo {w} > $1' _ {{}} ';'",
    "echo {t} | xargs -I@ cp seed.txt @",
    'awk \'BEGIN {{ print "{w}" > "{t}" }}\'',
    "for f in {t}; do echo {w} > $f; done",
    'eval "echo {w} > {t}"',
    "trap 'echo {w} > {t}' EXIT; true",
    "{{ echo {w}; }} > {t}",
    "(exec 7> {t} && echo {w} >&7)",
    "(echo {w} > {t}) & wait",
    "mkdir -p tmp{n} && cp seed.txt tmp{n}/x && mv -f tmp{n}/x {t}; rm -rf tmp{n}",
    "tar cf a{n}.tar seed.txt && tar xf a{n}.tar -O > {t}",
    "git show HEAD:seed.txt > {t}",
    "sed 's/seed/{w}/' seed.txt > {t}",
    "truncate -s 3 {t}",
    "chmod 600 {t}",
    "touch -d 2020-01-01 {t}",
    "rm -f {t}",
    "ln -sf /nowhere/{n} {t}",
    "sed -i s/a/{w}/ {t}",
]


class Program:
    """One generated text. lanes: how many of its steps write into a lane that nothing frees."""

    def __init__(self, seed: int) -> None:
        rnd = random.Random(seed)
        self.lanes = 0
        steps = []
        for n in range(rnd.randint(2, 7)):
            draw = rnd.random()
            if draw < 0.4:
                target = rnd.choice([*LANES, *NEW]).format(n=f"n{n}")
                self.lanes += 1
            else:
                target = APPROVED if draw < 0.5 else rnd.choice(OPEN)
            steps.append("{ " + rnd.choice(WRITERS).format(t=target, w=f"w{rnd.randrange(99)}", n=n) + "; }")
        self.text = "\n".join(f"{step} 2>/dev/null" + rnd.choice(["", " || true", " && true"]) for step in steps)


def seen(root: Path, *, lanes: bool) -> dict[str, tuple[object, ...]]:
    """Kind, mode and content of every path that is a lane's, or of every other one; git's own files left out."""
    out: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        held = name in LANES or name.startswith((".github", "db/migrations"))
        if name.startswith(".git/") or held != lanes:
            continue
        info = path.lstat()
        if stat.S_ISLNK(info.st_mode):
            out[name] = ("link", os.readlink(path))
        elif stat.S_ISREG(info.st_mode):
            out[name] = ("file", info.st_mode, hashlib.sha256(path.read_bytes()).hexdigest())
        else:
            out[name] = ("other", info.st_mode)
    return out


class Twins:
    """Two runs of one text in the same place, one after the other, from the same beginning."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard
        more = {"seed.txt": "seed\n", "docs/a.md": "a\n", "out/b.txt": "b\n", APPROVED: "count = 1\n"}
        for name, text in more.items():
            path = yard.repo / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        yard.git("add", "-A", "-f")
        yard.git("commit", "-q", "-m", "more")
        yard.machine.approve(f"^{yard.repo}/{APPROVED.replace('.', chr(92) + '.')}$")
        self.kept = yard.machine.base / "kept"
        shutil.copytree(yard.repo, self.kept, symlinks=True)

    def again(self) -> None:
        for entry in self.yard.repo.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        shutil.copytree(self.kept, self.yard.repo, symlinks=True, dirs_exist_ok=True)

    def check(self, program: Program) -> None:
        before = seen(self.yard.repo, lanes=True)
        bare = self.yard.bare(program.text)
        outside = seen(self.yard.repo, lanes=False)
        if program.lanes == 0:
            assert seen(self.yard.repo, lanes=True) == before
        self.again()
        fenced = self.yard.fenced(program.text)
        assert seen(self.yard.repo, lanes=True) == before, program.text
        assert seen(self.yard.repo, lanes=False) == outside, program.text
        assert fenced.out == bare.out
        assert program.lanes or fenced.code == bare.code
        self.again()


def run(yard: Yard, seeds: range) -> None:
    twins = Twins(yard)
    for seed in seeds:
        twins.check(Program(seed))


@pytest.mark.parametrize("part", range(4))
def test_generated_programs_change_no_lane_and_everything_else_as_outside(yard: Yard, part: int) -> None:
    run(yard, range(part * 15, part * 15 + 6))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_many_more_generated_programs(yard: Yard, part: int) -> None:
    run(yard, range(1000 + part * 25, 1000 + part * 25 + 25))


def test_the_programs_do_write_into_lanes_outside(yard: Yard) -> None:
    """Else the tests above could not fail."""
    twins = Twins(yard)
    changed = 0
    before = seen(yard.repo, lanes=True)
    for seed in range(12):
        yard.bare(Program(seed).text)
        changed += seen(yard.repo, lanes=True) != before
        twins.again()
    assert changed >= 6
    assert set(LANES) <= set(FILES)
