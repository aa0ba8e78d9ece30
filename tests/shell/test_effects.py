"""Steps become effects: which act, which path, how sure, and what is said where it is not."""

from __future__ import annotations

import pytest

from guards.engine.event import Effect
from tests.shell.ground import Ground

W, D, R = "write", "delete", "restore"

EXACT: list[tuple[str, set[tuple[str, str]]]] = [
    # redirections
    ("echo x > a 2> b >> c", {(W, "a"), (W, "b"), (W, "c")}),
    ("echo x > /dev/null 2>&1", set()),
    ("cat < a <> b", {(W, "b")}),
    ("echo x >&2 2>&-", set()),
    ("{ echo a; } > g; (echo b) >> h", {(W, "g"), (W, "h")}),
    # operands
    ("tee -a a b", {(W, "a"), (W, "b")}),
    ("touch -r ref -d now a", {(W, "a")}),
    ("truncate -s 0 a b", {(W, "a"), (W, "b")}),
    ("dd if=x of=y bs=1", {(W, "y")}),
    ("sort -k2 -o out/s notes.txt", {(W, "out/s")}),
    ("uniq notes.txt out/u; uniq notes.txt", {(W, "out/u")}),
    ("openssl rand -hex -out k 8", {(W, "k")}),
    ("chmod 600 a; chmod -x b; chmod u+w,g-r c; chmod --reference=r d", {(W, "a"), (W, "b"), (W, "c"), (W, "d")}),
    ("chown -R root: a", {(W, "a")}),
    ("rm -rf a -- -b", {(D, "a"), (D, "-b")}),
    ("rmdir a/b", {(D, "a/b")}),
    ("unlink a", {(D, "a")}),
    # folders that operands go into
    ("cp notes.txt out", {(W, "out/notes.txt")}),
    ("cp notes.txt out/new", {(W, "out/new")}),
    ("cp -t out notes.txt README.md", {(W, "out/notes.txt"), (W, "out/README.md")}),
    ("cp --target-dir=out notes.txt", {(W, "out/notes.txt")}),
    ("cp -T notes.txt out", {(W, "out")}),
    ("cp --parents docs/a.md out", {(W, "out/docs/a.md")}),
    ("cp -n notes.txt README.md", set()),
    ("cp -r drafts/workflows out", {(W, "out/workflows"), *((W, f"out/workflows/{n}.yml") for n in ("ci", "nightly"))}),
    ("cp -r drafts/workflows/. out", {(W, "out"), (W, "out/ci.yml"), (W, "out/nightly.yml")}),
    ("mv notes.txt out", {(D, "notes.txt"), (W, "out/notes.txt")}),
    ("mv a b", {(D, "a"), (W, "b")}),
    ("install -d x/y; install -m 600 notes.txt out", {(W, "x/y"), (W, "out/notes.txt")}),
    ("ln -s ../notes.txt out", {(W, "out/notes.txt")}),
    ("ln -s x y", {(W, "y")}),
    ("ln notes.txt y", {(W, "notes.txt"), (W, "y")}),
    ("cp -l notes.txt y", {(W, "notes.txt"), (W, "y")}),
    ("mount --bind ops docs; echo x >> docs/y", {(W, "docs"), (W, "docs/y"), (W, "ops/y")}),
    ("mount -o rw,bind ops docs", {(W, "docs")}),
    ("mount | cat; mount -t tmpfs tmpfs out", {(W, "out")}),
    ("mkdir -p out new/deep", {(W, "new/deep")}),
    ("rsync -a drafts/ out", {(W, "out"), *((W, f"out/{n}") for n in (
        "ci.yml", "door.py", "live.conf", "keys.yaml", "workflows", "workflows/ci.yml", "workflows/nightly.yml"))}),
    ("rsync -a host:x out/; rsync -n a b; rsync a host:b", {(W, "out/"[:-1]), (W, "out/x")}),
    ("scp host:a/b out; scp a host:b", {(W, "out"), (W, "out/b")}),
    # in place
    ("sed -i s/a/b/ a b", {(W, "a"), (W, "b")}),
    ("sed -i.bak -e s/a/b/ x", {(W, "x"), (W, "x.bak")}),
    ("sed -n 's/a/b/w out/w' x; sed -e '1w v' -e '/x/,/y/{w u' -e '}' z", {(W, "out/w"), (W, "v"), (W, "u")}),
    ("sed 's,w a,w b,; y/w/x/; /w c/d; a w d' x", set()),
    ("perl -pi -e 's/a/b/' a b", {(W, "a"), (W, "b")}),
    ("perl -0777 -i -pe 's/a/b/' a", {(W, "a")}),
    ("gawk -i inplace '{print}' a", {(W, "a")}),
    ("awk '{ print $1 > \"o\" } END { print \"x\" | \"tee p\" }' a", {(W, "o"), (W, "p")}),
    ("awk '$1 > 2 { if (3 > 2) print \"a > b\" }' a", set()),
    ("printf '1d\\nw\\nw other\\n' | ed -s a", {(W, "a"), (W, "other")}),
    ("vim -es -c '%s/a/b/' -c 'wq' a; vim -es -c 'q!' b", {(W, "a")}),
    ("ex -sc '1d|x' a", {(W, "a")}),
    # archives and packing
    ("tar czf o.tgz docs", {(W, "o.tgz")}),
    ("tar xf wf.tar -C out", {(W, "out"), (W, "out/ci.yml"), (W, "out/nightly.yml")}),
    ("tar xzf bundle.tgz conf/keys.yaml", {(W, "."), (W, "conf/keys.yaml")}),
    ("tar tf wf.tar; tar xOf wf.tar", set()),
    ("unzip -o wf.zip -d out", {(W, "out"), (W, "out/ci.yml"), (W, "out/nightly.yml")}),
    ("unzip -l wf.zip", set()),
    ("zip -m o.zip notes.txt", {(W, "o.zip"), (D, "notes.txt")}),
    ("gzip a; gzip -k b; gunzip c.gz", {(D, "a"), (W, "a.gz"), (W, "b.gz"), (D, "c.gz"), (W, "c")}),
    ("gzip -c a > b", {(W, "b")}),
    ("cpio -i < bundle.cpio", {(W, n) for n in (
        ".", ".github/workflows/ci.yml", "conf/keys.yaml", ".github/CODEOWNERS")}),
    # downloads
    ("curl -so out/c http://h/x; curl -O http://h/y?z", {(W, "out/c"), (W, "y")}),
    ("curl --output-dir out -O http://h/y", {(W, "out/y")}),
    ("curl -s http://h/x | cat; curl -d @a -T b http://h", set()),
    ("wget -q http://h/new; wget -O o http://h/x", {(W, "new"), (W, "o")}),
    # patches
    ("patch -p1 < patches/ci.patch", {(W, ".github/workflows/ci.yml")}),
    ("patch -p1 --dry-run < patches/ci.patch", set()),
    ("git apply patches/door.diff", {(W, "src/gate/door.py")}),
    ("git apply --check patches/door.diff; git apply --cached patches/door.diff", set()),
    ("git am patches/0001-feature.patch", {(W, n) for n in (
        ".github/workflows/ci.yml", "src/gate/door.py", "docs/feature.md")}),
    # git
    ("git status; git log -p; git diff > out/d", {(W, "out/d")}),
    ("git diff --output=out/d -- --output=x", {(W, "out/d")}),
    ("git checkout feature -- docs", {(R, "docs/feature.md")}),
    ("git checkout feature", {(R, n) for n in (
        ".github/workflows/ci.yml", "src/gate/door.py", "docs/feature.md", "bundle.tar", "bundle.tgz", "bundle.zip",
        "bundle.cpio", "wf.tar", "wf.zip", "patches/ci.patch", "patches/door.diff", "patches/util.diff",
        "patches/0001-feature.patch")}),
    ("git checkout -b topic; git switch -c other", set()),
    ("git restore --staged src/app.py", set()),
    ("git restore src/app.py", {(R, "src/app.py")}),
    ("git checkout -- notes.txt", set()),
    ("git stash pop", {(R, "src/gate/door.py")}),
    ("git merge feature", {(R, ".github/workflows/ci.yml"), (R, "src/gate/door.py"), (R, "docs/feature.md")}),
    ("git rm -q notes.txt; git rm --cached README.md; git rm -n x", {(D, "notes.txt")}),
    ("git mv notes.txt out", {(D, "notes.txt"), (W, "out/notes.txt")}),
    ("git clean -fd; git clean -n", {(D, "scratch.txt"), (D, "ops/extra.conf")}),
    ("git -C src rm app.py", {(D, "src/app.py")}),
    ("git archive -o out/a HEAD; git bundle create out/b HEAD", {(W, "out/a"), (W, "out/b")}),
    ("git config user.name x", {(W, ".git/config")}),
    ("git config user.name; git config --get core.hooksPath; git config --list", set()),
    ("git -c alias.w='!touch o' w", {(W, "o")}),
    ("GIT_EDITOR='touch o' git commit", {(W, "o")}),
    ("git worktree add ../wt; git init sub", {(W, "/wt"), (W, "sub/.git")}),
    # wrappers
    ("sudo -u x -- env A=1 nice -n 5 timeout -k 1 5 touch a", {(W, "a")}),
    ("env -C out touch a; env -S 'touch b'", {(W, "out/a"), (W, "b")}),
    ("command touch a; command -v touch b; exec -a x touch c", {(W, "a"), (W, "c")}),
    ("busybox touch a; flock l touch b; script -qc 'touch c' d", {(W, "a"), (W, "l"), (W, "b"), (W, "c"), (W, "d")}),
    ("echo a b | xargs touch", {(W, "a"), (W, "b")}),
    ("seq 2 | xargs -I@ touch f@.x", {(W, "f1.x"), (W, "f2.x")}),
    ("printf 'a b\\0c' | xargs -0 -n1 touch", {(W, "a b"), (W, "c")}),
    ("find docs -name '*.md' -exec touch {} +", {(W, "docs/a.md")}),
    ("find docs -name '*.md' -execdir touch {} \\;", {(W, "docs/a.md")}),
    ("find . \\( -name a.md -o -name t.py \\) -delete", {(D, "docs/a.md"), (D, "tests/t.py")}),
    ("find . -path ./docs -prune -o -name '*.md' -fprint o -print", {(W, "o")}),
    ("find docs -name '*.md' -print0 | xargs -0 rm", {(D, "docs/a.md")}),
    ("parallel touch {.}.x ::: a.b c.d", {(W, "a.x"), (W, "c.x")}),
    ("docker run -v $PWD:/w -w /w i touch docs/z /other", {(W, "docs/z")}),
    ("docker run i touch docs/z; ssh h 'touch docs/z'", set()),
    ("tmux send-keys -t x 'touch a' Enter; watch -n1 touch b", {(W, "a"), (W, "b")}),
    # inner text
    ("bash -lc 'cd out; touch a'; sh -c 'touch \"$1\"' _ b", {(W, "out/a"), (W, "b")}),
    ("echo 'touch a' | sh; bash <<< 'touch b'; bash -n <<< 'touch c'", {(W, "a"), (W, "b")}),
    ("bash scripts/fix.sh", {(W, ".github/workflows/ci.yml")}),
    ("./scripts/fix.sh", {(W, ".github/workflows/ci.yml")}),
    ("make fix-ci; make -n fix-ci; make test", {(W, ".github/workflows/ci.yml")}),
    ("npm run bump", {(W, "ops/live.conf")}),
    ("python3 scripts/gen.py", {(W, "ops/live.conf")}),
    # languages whose programs are seldom at hand
    ("deno eval 'Deno.writeTextFileSync(\"a\", \"b\")'", {(W, "a")}),
    ("bun -e 'await Bun.write(\"a\", \"b\")'", {(W, "a")}),
    ("elixir -e 'File.write!(\"a\", \"b\")'", {(W, "a")}),
    ("osascript -e 'do shell script \"rm a\"'", {(D, "a")}),
    ("pwsh -NoProfile -c 'Set-Content a/b c; Remove-Item -Recurse -Force d/e'", {(W, "a/b"), (D, "d/e")}),
    ("pwsh -c 'echo x > a/b; Get-Item a/c 2> $null'", {(W, "a/b")}),
    ("pwsh -c '[IO.File]::WriteAllText(\"a\", \"b\")'", {(W, "a")}),
    ("pwsh -c 'Get-Content a/b; Copy-Item a/b \"c/d\"'", {(W, "c/d")}),
    ("cat > m.go <<'E'\npackage main\nfunc main() { os.WriteFile(\"a\", nil, 0o644) }\nE\ngo run m.go",
     {(W, "m.go"), (W, "a")}),
    ("cat > M.java <<'E'\nclass M { void m() { Files.writeString(Path.of(\"a\"), \"x\"); } }\nE\njava M.java",
     {(W, "M.java"), (W, "a")}),
    ("go run ./cmd/x a; java -jar a.jar b; swift build", set()),
    ("dasel put -f a -v x b; dasel -f c d", {(W, "a")}),
    ("cp --update=none notes.txt README.md; cp --update=all notes.txt README.md", {(W, "README.md")}),
    ("psql -L a -c '\\o b'; psql -c \"\\copy x to 'c' csv\"; psql -f d", {(W, "a"), (W, "b"), (W, "c")}),
    ("duckdb -c \"copy (select 1) to 'a'\"; duckdb -c \"copy t from 'b'\"", {(W, "a")}),
    ("watchexec -w a 'touch b'; helm-docs --dry-run -c d; bicep build --stdout e", {(W, "b")}),
    # formatters and fixers: each by its own options
    ("prettier --write --check a; prettier -l --write b; prettier --check c", {(W, "a"), (W, "b")}),
    ("npx eslint --format json -o e.json src; npx eslint@8 --fix a", {(W, "e.json"), (W, "a")}),
    ("rubocop --format progress a; rubocop -F b; rubocop -a c", {(W, "c")}),
    ("stylelint --format json a; oxlint --format json -A all b; typos --format json c; codespell -i 0 d", set()),
    ("gofmt -l -w a; gofmt -d b; shfmt -i 2 -d c; shfmt -i 2 -l -w d", {(W, "a"), (W, "d")}),
    ("ruff check src --exclude a --fix; ruff check --unsafe-fixes b", {(W, "src")}),
    ("ormolu --mode check a; ormolu --mode inplace b; ormolu -i c", {(W, "b"), (W, "c")}),
    ("rustfmt --emit files a; rustfmt --emit=stdout b; rustfmt -l c", {(W, "a"), (W, "c")}),
    ("google-java-format -n a; google-java-format -i b", {(W, "b")}),
    ("terraform fmt -diff a; terraform fmt -check b", {(W, "a")}),
    ("dos2unix -n a b; dos2unix c", {(W, "b"), (W, "c")}),
    ("gpg -o p.asc --armor --detach-sign x; gpg --detach-sign y", {(W, "p.asc"), (W, "y.gpg")}),
    ("dart format --output=none a; dart analyze b; dart format c", {(W, "c")}),
    ("npx @biomejs/biome@1.9 check --write a; npx @redocly/cli lint b", {(W, "a")}),
    ("csc -out:a.exe b.cs; ctags -f tags c; npx typedoc --out docs/x d", {(W, "a.exe"), (W, "tags"), (W, "docs/x")}),
    ("yq -i -P a; yq '.jobs' b", {(W, "a")}),
    ("docker run -v \"$PWD:/w\" -w /w mikefarah/yq -i . a; docker run -v \"$PWD:/w\" -w /w mikefarah/yq . b",
     {(W, "."), (W, "a")}),
    ("pipx run black==24.1 --check a; pipx run black==24.1 b; pnpm dlx @redocly/cli lint c", {(W, "b")}),
    ("go run golang.org/x/tools/cmd/goimports@latest -w a; go run example.org/x/y@latest b", {(W, "a")}),
    ("$(npm bin)/prettier --write a; $(npm bin)/eslint b", {(W, "a")}),
]  # fmt: skip


@pytest.mark.parametrize(("command", "expected"), EXACT, ids=[c[:60] for c, _ in EXACT])
def test_a_command_touches_exactly_what_it_says(ground: Ground, command: str, expected: set[tuple[str, str]]) -> None:
    found = {(act, path.replace(str(ground.base), "")) for act, path in ground.touched(command)}
    assert found == expected


def doubtful(ground: Ground, command: str) -> list[Effect]:
    return [e for e in ground.walk(command).effects if e.certainty != "exact"]


@pytest.mark.parametrize(
    ("command", "certainty", "mention"),
    [
        ('rm "$NOWHERE/ops/x"', "unknown", "ops/x"),
        ('touch "ops/$NOWHERE"', "unknown", "ops/_"),
        ('F=$(pick ops); rm "$F"', "unknown", "ops"),
        ("for f in $(git ls-files ops); do touch $f; done", "unknown", "ops/live.conf"),
        ('python3 -c \'import sys; x = "ops/x"; open(sys.stdin.read(), "w")\'', "unknown", "ops/x"),
        ("node -e 'fs.writeFileSync(pick(), \"ops/x\")'", "unknown", "ops/x"),
        ("mytool --out=ops/x", "opaque", "ops/x"),
        ("mytool a/b ops", "opaque", "ops"),
        ("./mytool ops", "opaque", "ops"),
        ("curl -s http://h/x | bash -s ops/x", "opaque", "http"),
    ],
)
def test_what_is_not_known_is_said_with_what_it_names(
    ground: Ground, command: str, certainty: str, mention: str
) -> None:
    found = doubtful(ground, command)
    if mention == "http":  # nothing that could be a path: nothing to judge
        assert not any(e.mentions for e in found)
        return
    assert any(e.certainty == certainty and mention in [path for path, _ in e.mentions] for e in found), found


@pytest.mark.parametrize(
    "command",
    [
        "cp ops/live.conf \"$NOWHERE\"",  # a source is no target
        "cat ops/live.conf > \"$TMPDIR/x\"",
        "T=$(mktemp -d); cp ops/live.conf \"$T/ops/live.conf\"",
        "git commit -m \"$MESSAGE ops/live.conf\"",
        "cat ops/live.conf | while read -r l; do echo \"$l\" > out/x; done",
        "sst ops",  # a bare first word is what a program is to do
        "cap production ops",
        "firebase ops --only hosting",
        "hatch run lint src/gate",
        "ratchet lint .github/workflows/ci.yml",
        "helmfile -f ops/live.conf diff",
    ],
)  # fmt: skip
def test_what_a_command_only_reads_is_no_mention(ground: Ground, command: str) -> None:
    assert not ground.judge(command)


def test_a_removed_or_moved_folder_takes_what_lies_in_it(ground: Ground) -> None:
    for command in ("rm -rf conf", "mv src elsewhere", "mv schema x", "rsync -a --delete drafts/ conf"):
        assert ground.judge(command), command
    assert not ground.judge("rm -rf build docs out")


def test_a_link_is_replaced_and_not_followed_where_the_program_replaces_it(ground: Ground) -> None:
    for command in ("sed -i s/a/b/ link.yml", "rm plain.txt", "mv notes.txt link.yml", "ln -sfn /tmp wf"):
        assert not ground.judge(command), command
    for command in (
        "echo x > link.yml",
        "tee plain.txt",
        "cp notes.txt link.yml",
        "sed -i --follow-symlinks s/a/b/ link.yml",
    ):
        assert ground.judge(command), command


def test_links_and_scripts_that_the_same_command_makes_are_seen(ground: Ground) -> None:
    for command in (
        "ln -s ops o && echo x > o/live.conf",
        "ln -s $PWD/ops/live.conf out/p; cp notes.txt out/p",
        "cat > out/s.sh <<'E'\nrm ops/live.conf\nE\nbash out/s.sh",
        'echo \'open("ops/live.conf", "w")\' > out/p.py; python3 out/p.py',
    ):
        assert ground.judge(command), command


def test_the_same_event_is_read_once(ground: Ground) -> None:
    from guards.engine import dispatch
    from guards.shell import effects

    event, world = ground.event("touch a"), ground.world()
    dispatch.prepare(event, ground.tables, world)
    assert effects.walk(event, world) is effects.walk(event, world)
    assert effects.effects(event, world) is event.effects


def test_the_second_reader_is_asked_only_where_it_can_matter(ground: Ground) -> None:
    assert ground.walk("git status && ls src").readers == ["tree-sitter"]
    assert ground.walk("rm ops/live.conf").readers == ["tree-sitter"]  # protected already
    assert ground.walk("cat ops/live.conf").readers == ["tree-sitter", "bashlex"]
    assert ground.walk('touch "$NOWHERE"').readers == ["tree-sitter", "bashlex"]


def test_what_the_text_says_never_runs_is_left_out(ground: Ground) -> None:
    assert not ground.judge("false && rm -rf ops; true")
    assert ground.judge("true && rm -rf ops")
    assert not ground.judge("test -d /nowhere-at-all && rm -rf ops")
    assert ground.judge("make; test -d /nowhere-at-all && rm -rf ops")  # it may


def test_more_than_is_read_is_said_and_judged_by_its_words(ground: Ground) -> None:
    """A command cannot hide a write behind more wrappers, texts or steps than are followed."""
    deep = "nice " * 40
    inner = "touch ops/live.conf"
    for _ in range(5):
        inner = f"bash -c {inner!r}"
    for command in (
        deep + "touch ops/live.conf",
        "touch a; " * 21_000 + "rm ops/live.conf",
        "touch " + " ".join(f"f{n}" for n in range(21_000)) + " ops/live.conf",
    ):
        assert ground.judge(command), command[:40]
    assert ground.judge(inner)
    assert not ground.judge(deep + "touch a")
