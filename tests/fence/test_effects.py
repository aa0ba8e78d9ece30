"""Inside the fence no lane changes, whatever program writes, and everything else happens as it does outside."""

from __future__ import annotations

import os
import sys

import pytest

from tests.fence.conftest import Yard

WRITES = {
    "a redirection": "echo x > .github/workflows/ci.yml",
    "appending": "echo x >> deploy/prod.tf",
    "an opaque program": "python3 -c \"open('.git' + 'hub/workflows/ci.yml', 'w').write('x')\"",
    "make": "make fix",
    "sed in place": "sed -i s/push/never/ .github/workflows/ci.yml",
    "a move over it": "cp notes.txt n && mv -f n config/secrets.yaml",
    "removal": "rm -f .env",
    "removal of its folder": "rm -rf .github",
    "truncation": "truncate -s 0 db/migrations/0001_init.sql",
    "a new file in a lane folder": "touch db/migrations/0002_more.sql",
    "a new folder in a lane folder": "mkdir .github/actions",
    "a mode": "chmod 777 .env; [ $(stat -c %a .env) != 777 ]",
    "a data file in an open folder": "echo '{\"admin\": true}' > src/auth/roles.json",
    "git's own settings": "git config core.hooksPath /tmp/x",
    "a hook of git": "printf '#!/bin/sh' > .git/hooks/pre-commit",
    "a link over it": "ln -sf notes.txt .env",
    "a patch": "printf -- '--- a/.env\\n+++ b/.env\\n@@ -1 +1 @@\\n-TOKEN=abc\\n+TOKEN=x\\n' | git apply",
}


@pytest.mark.parametrize("text", WRITES.values(), ids=WRITES)
def test_no_program_writes_into_a_lane(yard: Yard, text: str) -> None:
    before = yard.held()
    yard.fenced(text)
    assert yard.held() == before
    assert not (yard.repo / "db/migrations/0002_more.sql").exists()
    assert not (yard.repo / ".github/actions").exists()
    assert not (yard.repo / ".git/hooks/pre-commit").exists()


FREE = {
    "a file": "echo x > src/app.py",
    "a new file": "echo x > new.txt && mkdir -p a/b && mv new.txt a/b/",
    "an example of a lane file": "echo X= > .env.example",
    "an excepted file in a lane": "echo more >> .github/CONTRIBUTING.md",
    "a document in a lane": "echo more >> db/migrations/README.md",
    "code in a lane of data": "echo x >> src/auth/login.py && touch src/auth/new.py",
    "a commit": "echo x >> notes.txt && git add -A && git commit -q -m more",
    "a branch": "git checkout -q -b other && git stash list",
    "make": "make ok",
    "owners and modes": "chmod 750 notes.txt && mkdir d && chmod g+s d",
    "links": "ln -s notes.txt l && ln notes.txt h",
    "a fifo": "mkfifo f",
    "moves between folders": "mv src/app.py a.py && mv a.py src/app.py && mkdir e && mv src/app.py e && rm -r e",
    "an editor's save": "cp notes.txt .notes.tmp && mv .notes.tmp notes.txt && sed -i s/a/b/ config/../notes.txt",
    "a folder in which a lane lies": "mkdir -p build/x && touch build/x/a.o config/new.yaml && rm -rf build",
    "a worktree": "git worktree add -q --detach ../tree && cd ../tree && echo x > n && git add n && git commit -q -m n",
    "a stash": "echo x >> notes.txt && git stash -q && git stash pop -q",
    "a terminal of its own": "script -qec 'test -t 0 && echo x > n' /dev/null > /dev/null",
}


@pytest.mark.parametrize("text", FREE.values(), ids=FREE)
def test_what_is_in_no_lane_is_written_as_outside(yard: Yard, text: str) -> None:
    done = yard.fenced(text)
    assert (done.code, done.err) == (0, "")


def test_a_rename_by_itself_does_not_cross_a_folder_in_which_a_lane_lies(yard: Yard) -> None:
    """Such a folder is a mount point: the kernel renames and links within it alone. What falls back on a copy works."""
    code = "import os; os.rename('src/app.py', 'src/b.py'); os.rename('src/b.py', 'b.py')"
    done = yard.start(yard.argv("python3", "-c", code))
    assert "Invalid cross-device link: 'src/b.py' -> 'b.py'" in done.err
    assert yard.fenced("git mv notes.txt n.txt && mv src/b.py b.py").code == 0


def test_what_the_owner_approved_is_written(yard: Yard) -> None:
    yard.machine.approve(f"^{yard.repo}/\\.github/workflows/ci\\.yml$", f"^{yard.repo}/db/migrations/0002_.*$")
    folder = "db/migrations"
    approved = f"echo y > .github/workflows/ci.yml && echo y > {folder}/0002_more.sql"
    done = yard.fenced(f"{approved}; echo n > {folder}/0001_init.sql")
    assert (yard.repo / ".github/workflows/ci.yml").read_text() == "y\n"
    assert (yard.repo / "db/migrations/0002_more.sql").read_text() == "y\n"
    assert "Read-only file system" in done.err or done.code != 0
    assert yard.held()["db/migrations/0001_init.sql"].startswith("create")


def test_an_approval_opens_the_folder_of_its_path_and_none_above_or_beside(yard: Yard) -> None:
    """A program that saves makes a new file first, so new files can be made beside; what is there stays held."""
    yard.machine.approve(f"^{yard.repo}/\\.github/workflows/ci\\.yml$", f"^{yard.repo}/db/migrations/deep/x/1\\.sql$")
    (yard.repo / ".github/actions").mkdir()
    (yard.repo / ".github/workflows/other.yml").write_text("a\n")
    done = yard.fenced("sed -i s/push/pull/ .github/workflows/ci.yml")
    assert (done.code, (yard.repo / ".github/workflows/ci.yml").read_text()) == (0, "on: pull\n"), done.err
    held = ["echo x > .github/workflows/other.yml", "rm .github/workflows/other.yml", "touch .github/actions/a.yml"]
    held += ["touch .github/new.yml", "mkdir .github/more", "mv .github/workflows .github/w"]
    done = yard.fenced(" || ".join(held))
    assert done.err.count("\n") == len(held), done.err
    made = yard.fenced("mkdir -p db/migrations/deep/x && echo x > db/migrations/deep/x/1.sql")
    assert made.code == 0, made.err
    assert yard.held()["db/migrations/0001_init.sql"].startswith("create")


def test_what_the_owners_policy_frees_is_written(yard: Yard) -> None:
    yard.machine.policy("fence", 'free = ["ci"]\nexcept = ["deploy/prod.tf"]\n')
    done = yard.fenced("echo y > .github/workflows/ci.yml && echo y > deploy/prod.tf && ! touch .env")
    assert done.code == 0, done.err
    assert "Read-only" in done.err


def test_the_machines_own_paths_are_held(yard: Yard) -> None:
    home = yard.machine.home
    for name in (".bashrc", ".claude/settings.json", ".ssh/config", ".ssh/known_hosts"):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text("mine\n")
    text = "for f in .bashrc .claude/settings.json .ssh/config .ssh/known_hosts .config/guards/approvals/human-lane"
    text += " .local/share/guards/places; do echo x >> ~/$f; done"
    yard.fenced(text + "; touch ~/.ssh/id ~/.config/guards/policy/a")
    told = {name: (home / name).read_text() for name in (".bashrc", ".claude/settings.json", ".ssh/config")}
    assert set(told.values()) == {"mine\n"}
    assert (home / ".ssh/known_hosts").read_text() == "mine\nx\n"
    assert not (home / ".ssh/id").exists()
    assert not (home / ".config/guards/policy/a").exists()


def test_files_that_appear_later_are_held_by_the_next_command(yard: Yard) -> None:
    for name in ("a.pem", "lib/b.sql", "lib/deep/c.key"):
        yard.fenced("true")
        path = yard.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine\n")
        yard.fenced(f"echo x > {name}")
        assert path.read_text() == "mine\n", name


def test_a_folder_whose_time_was_set_back_hides_nothing(yard: Yard) -> None:
    (yard.repo / "lib").mkdir()
    yard.fenced("true")
    yard.fenced("true")
    yard.bare("touch -r lib keep; echo mine > lib/a.pem; touch -r keep lib")
    yard.fenced("echo x > lib/a.pem")
    assert (yard.repo / "lib/a.pem").read_text() == "mine\n"


def test_worktrees_and_further_roots_are_held_too(yard: Yard) -> None:
    other = yard.machine.repo("other/one", {".env": "mine\n"})
    yard.git("worktree", "add", "-q", str(yard.machine.home / "tree"), "-b", "side")
    yard.machine.policy("fence", f'roots = ["{other.parent}/*"]\n')
    yard.fenced(f"echo x > {other}/.env; echo x > ~/tree/.env; echo x > ~/tree/notes.txt")
    assert (other / ".env").read_text() == "mine\n"
    assert (yard.machine.home / "tree/.env").read_text() == "TOKEN=abc\n"
    assert (yard.machine.home / "tree/notes.txt").read_text() == "x\n"
    yard.fenced("echo x > .env", cwd=yard.machine.home / "tree")
    yard.fenced(f"echo x > {yard.repo}/.env", cwd=yard.machine.home / "tree")
    assert (yard.repo / ".env").read_text() == "TOKEN=abc\n"


def test_the_repository_that_the_harness_runs_in_is_held_from_any_folder(yard: Yard) -> None:
    """A command before may have left it: Claude Code keeps the folder that a `cd` led to."""
    other = yard.machine.repo("other", {".env": "mine\n"})
    started = 'cd "$0" && (cd "$1" && shift && exec "$@"); exit $?'
    text = f"pwd; echo x > {yard.repo}/.env; echo x > .env; echo x > a.txt"
    done = yard.start(["bash", "-c", started, str(yard.repo), str(other), *yard.argv(text)], cwd=yard.machine.base)
    assert done.out.strip() == str(other)
    assert done.err.count("Read-only") == 2, done.err
    assert (yard.repo / ".env").read_text() == "TOKEN=abc\n"
    assert (other / "a.txt").read_text() == "x\n"


def test_what_git_tracks_in_other_peoples_folders_is_held(yard: Yard) -> None:
    for name in ("node_modules/mine/a.pem", "node_modules/theirs/b.pem"):
        (yard.repo / name).parent.mkdir(parents=True)
        (yard.repo / name).write_text("x\n")
    yard.machine.policy("human-lane", '[[lane]]\nid = "certs"\npaths = ["*.pem"]\nwhy = "ours"\n')
    yard.git("add", "-f", "node_modules/mine/a.pem")
    yard.fenced("echo y > node_modules/mine/a.pem; rm -rf node_modules/theirs")
    assert (yard.repo / "node_modules/mine/a.pem").read_text() == "x\n"
    assert not (yard.repo / "node_modules/theirs").exists()


def test_outside_a_repository_the_commands_own_folder_counts(yard: Yard) -> None:
    plain = yard.machine.repo("plain", {".env": "mine\n"}, git=False)
    yard.fenced("echo x > .env; echo x > a.txt", cwd=plain)
    assert (plain / ".env").read_text() == "mine\n"
    assert (plain / "a.txt").read_text() == "x\n"


def test_the_link_that_leads_to_guards_interpreter_cannot_be_replaced(yard: Yard) -> None:
    """A link is no place for a mount; the folder it lies in is."""
    folder = yard.machine.home / "py/bin"
    folder.mkdir(parents=True)
    (folder / "python3").symlink_to(os.path.realpath(sys.executable))
    link = yard.machine.install / "py"
    link.unlink()
    link.symlink_to(folder / "python3")
    text = "ln -sfn /bin/true ~/py/bin/python3; rm ~/py/bin/python3; ln -sfn /bin/true ~/.local/share/guards/py"
    done = yard.fenced(text)
    assert "Read-only" in done.err
    assert os.readlink(folder / "python3") == os.path.realpath(sys.executable)
    assert os.readlink(link) == str(folder / "python3")


def test_a_folder_of_the_home_that_is_a_link_is_no_way_round(yard: Yard) -> None:
    home = yard.machine.home
    (home / "dots").mkdir()
    (home / ".config").rename(home / "dots/config")
    (home / ".config").symlink_to("dots/config")
    (home / "dots/config/fish").mkdir()
    text = "touch ~/.config/fish/x; touch ~/dots/config/fish/y; echo x >> ~/.config/guards/approvals/human-lane"
    done = yard.fenced(text)
    assert done.err.count("Read-only") == 3, done.err
    assert not list((home / "dots/config/fish").iterdir())
