## passes
for f in $(git ls-files drafts); do touch $f; done
## refused
for f in $(git ls-files ops); do touch $f; done
## refused
git ls-files -z src | xargs -0 chmod 644
## refused
git grep -l ubuntu -- .github | xargs sed -i 's/22/24/'
## refused
git checkout feature -- src/gate
## passes
git checkout feature -- docs
## passes
git checkout -- src/app.py
## refused
git checkout -f feature
## passes
git checkout -b topic
## refused
git checkout -b topic feature
## refused
git switch -q feature
## passes
git switch -c new
## passes
git restore src/app.py
## refused
git restore -s feature -- .github
## passes
git restore --staged src/gate/door.py
## refused
git restore -SW -s feature src/gate/door.py
## passes
git restore .
## refused
git reset --hard -q feature
## passes
git reset -q HEAD~1
## passes
git reset --hard -q
## passes
git reset --soft HEAD~1
## refused
git stash apply -q stash@{0}
## passes
git stash show -p
## passes
git stash push -q -m wip
## passes
git stash drop -q
## refused, and changes nothing
git rebase -q feature
## passes
git revert --no-edit HEAD
## refused
git cherry-pick -n feature
## passes
git pull -q . feature
## refused
git merge --no-commit --no-ff feature
## refused
git merge -q --squash feature
## refused
git rm -q schema/steps/0002_more.sql
## refused
git rm -rq ops
## passes
git rm -q --cached ops/live.conf
## refused
git rm -q 'src/gate/*.py'
## refused
git mv ops/live.conf ops/old.conf
## refused
git mv src/util.py src/gate/util.py
## passes
git mv src/util.py src/util2.py
## refused
git clean -fdq
## passes
git clean -fdq out
## passes
git clean -nd
## refused
git clean -fq ops
## refused
git apply patches/ci.patch
## refused
git apply --index patches/door.diff
## passes
git apply --cached patches/door.diff
## passes
git apply -R --check patches/ci.patch; true
## refused
git apply < patches/ci.patch
## refused
cat patches/door.diff | git apply
## refused
git diff main feature -- src/gate | git apply
## passes
git apply --directory=out patches/ci.patch
## refused
git am -q patches/0001-feature.patch
## refused
git am -q < patches/0001-feature.patch
## refused
git show feature:src/gate/door.py > src/gate/door.py
## passes
git show feature -- .github > out/p.diff
## refused
git log --output=ops/log.txt -1
## refused
git diff --output=conf/keys.yaml main feature
## passes
git format-patch -q -1 feature -o out
## refused
git format-patch -q -1 --stdout feature > ops/p.patch
## refused
git archive --format=tar --output=ops/live.conf HEAD README.md
## refused
git archive feature .github | tar x
## passes
git archive feature docs | tar x -C out
## refused
git bundle create -q ops/x.bundle HEAD
## passes
git worktree add -q ../wt feature
## refused
git worktree add -q ops/wt feature
## refused
git config user.name Other
## passes
git config --global core.editor true
## refused
git config -f ops/c.ini a.b c
## refused, and changes nothing
git config --unset user.nosuch; true
## passes
git config user.name
## refused
git remote add up ../x
## passes
git remote -v
## passes
git tag v1
## passes, and cannot be seen
git branch -m feature f2
## passes, and cannot be seen
git branch -D feature
## passes
git commit -qam 'work on ops/live.conf and > conf/keys.yaml'
## passes
git add -A && git commit -qm "rm -rf ops"
## refused
git -C ops mv live.conf p2.conf
## refused
git -C src rm -q gate/door.py
## refused
git --git-dir=.git --work-tree=. checkout feature -- .github/workflows/ci.yml
## refused
git -c alias.x='!rm -f ops/live.conf' x
## refused
git -c core.editor='tee ops/live.conf' commit --allow-empty -q < /dev/null; true
## refused, and changes nothing
GIT_SEQUENCE_EDITOR='touch ops/live.conf #' git rebase -q -i HEAD~1
## refused, and changes nothing
git rebase -q --exec 'touch src/gate/door.py' HEAD~1
## refused, and changes nothing
git filter-branch -f --tree-filter 'echo x > ops/live.conf' HEAD >/dev/null 2>&1
## refused, and changes nothing
git submodule foreach 'rm -rf ops'
## refused, and changes nothing
git bisect start -q feature main && git bisect reset -q
## refused
git checkout-index -f --prefix=ops/copy/ notes.txt
## passes
git checkout-index -a -f
## passes
git read-tree HEAD
## passes
git hash-object -w notes.txt >/dev/null
## refused, and changes nothing
git init -q out/new
## refused
git init -q src/gate
## refused, and changes nothing
git clone -q . out/clone
## refused
git clone -q . ops/clone
## passes
git update-index --assume-unchanged ops/live.conf
## passes
git notes add -m 'ops/live.conf'
## passes
git gc -q
## passes
git ls-files ops
## passes
git log -p -- ops config
## passes
git show --stat HEAD
## passes
git diff > out/d.patch
## passes
git blame ops/live.conf | head -1
## passes
git stash list; git reflog -1
## refused
git stash -q; git stash pop -q; git checkout -q stash@{0} -- . 2>/dev/null; true
## refused
git show feature:src/gate/door.py | git hash-object -w --stdin >/dev/null; git cat-file -p feature:src/gate/door.py > src/gate/door.py
## refused
git cat-file blob feature:.github/workflows/ci.yml | tee .github/workflows/ci.yml >/dev/null
## refused
git worktree add -q ../wt2 feature && cp ../wt2/src/gate/door.py src/gate/
## refused
git diff feature main -R -- src/gate | patch -p1
## refused
git format-patch -q --stdout main..feature -- src/gate | git am -q
## passes
git -c core.hooksPath=out commit -q --allow-empty -m x
## refused
git config alias.zz '!touch ops/live.conf' && git zz
## refused
git -c core.fsmonitor='touch ops/live.conf; false' status >/dev/null 2>&1; true
## refused
git -c diff.external='sh -c "touch ops/live.conf"' diff >/dev/null
## refused
GIT_EXTERNAL_DIFF='touch ops/live.conf #' git diff >/dev/null
## passes
git submodule -q foreach --recursive 'true'
## passes
git -C ops checkout -- live.conf
## refused
git -C .github/workflows restore --source=feature ci.yml
## refused
git checkout feature .github
## refused
git checkout feature~0 -- src/gate/door.py
## passes
git checkout main -- src/app.py
## passes
git checkout --theirs -- ops 2>/dev/null; true
## refused
git checkout --detach -q feature
## refused
git checkout -q -B tmp feature
## refused
git switch -q --detach feature
## refused
git switch -q -c t2 feature
## refused
git restore --source feature --staged --worktree -- .github/workflows/ci.yml
## passes
git restore --source=HEAD~1 wf.tar
## passes
git reset -q --hard HEAD~1
## refused
git reset --keep -q feature
## passes
git reset --mixed -q
## refused
git stash pop --index -q
## refused
git stash branch sb -q 2>/dev/null; git stash branch sb
## passes
git stash -q -- src/app.py
## refused
git merge -q --no-edit feature
## passes
git merge --abort 2>/dev/null; true
## refused, and changes nothing
git merge --ff-only -q feature 2>/dev/null; true
## refused
git cherry-pick --no-commit feature
## passes
git cherry-pick --abort 2>/dev/null; true
## passes
git revert --no-commit HEAD
## refused
git apply -p1 patches/door.diff
## refused
git apply --3way patches/ci.patch 2>/dev/null; true
## refused, and changes nothing
git apply -R patches/ci.patch 2>/dev/null; true
## refused
git apply --exclude='.github/*' patches/0001-feature.patch 2>/dev/null; true
## passes
git apply --include='docs/*' patches/0001-feature.patch
## passes
git apply --numstat patches/ci.patch
## refused
git am -q --3way patches/0001-feature.patch
## refused
git rm -qf ops/live.conf conf/app.yaml
## passes
git rm -q --ignore-unmatch nosuch
## passes
git mv conf/app.yaml src/
## refused
git mv ops/live.conf out/
## passes
git clean -xfdq build out
## refused
git clean -ffdxq ops
## refused
git config --local user.email x@y
## passes
git config --file out/cfg a.b c
## passes
git config -l > out/cfg
## refused
git config --add remote.x.url y
## passes
git config core.hooksPath
## passes
git init -q --bare out/bare
## refused
git diff main feature > ops/d.patch
## passes
git diff main feature -- src/gate/door.py > out/d.patch
## refused
git show feature --output ops/show.txt
## refused
git log --format=%s > conf/keys.yaml
## passes
git archive HEAD -o out/a.zip
## refused
git archive feature src/gate | tar xf - 
## passes
git format-patch -q -1 feature -- src
## refused
cd ops && git format-patch -q -1 feature
## passes
git notes add -m x; git tag t; git branch b
## passes
git update-ref refs/heads/z HEAD
## refused
git sparse-checkout set --no-cone '/*' '!/ops/' 2>/dev/null; git sparse-checkout disable
## refused
git update-index --cacheinfo 100644,$(git rev-parse HEAD:README.md),ops/live.conf; git checkout -- ops/live.conf
## refused
git update-index --cacheinfo 100644 $(git rev-parse HEAD:README.md) ops/live.conf && git checkout-index -f ops/live.conf
## refused
printf '100644 %s\tops/live.conf\n' $(git rev-parse HEAD:README.md) | git update-index --index-info; git checkout -- ops
## passes
git update-index --refresh
## passes
git update-index --assume-unchanged src/app.py
## passes
git update-index --chmod=+x src/app.py
## refused
git --work-tree=ops checkout HEAD:drafts -- live.conf
## refused
git --work-tree=ops checkout -f HEAD:drafts .
## refused
GIT_WORK_TREE=ops git checkout HEAD:drafts -- live.conf
## refused
git --work-tree=ops checkout HEAD -- docs/a.md
## passes
git --git-dir=.git --work-tree=. checkout HEAD -- docs/a.md
## passes
git --work-tree=out checkout HEAD -- docs/a.md
## refused
export GIT_DIR=$PWD/.git; cd ops && GIT_WORK_TREE=. git checkout HEAD:drafts -- live.conf
## refused
git interpret-trailers --in-place --trailer 'a: b' ops/live.conf
## passes
git interpret-trailers --trailer 'a: b' ops/live.conf
## refused
git bugreport -o ops
## refused
git diagnose -o ops
## refused
git diagnose --output-directory=ops
## refused
git mailsplit -oops patches/0001-feature.patch
## refused
git archive -o ops/a.tar HEAD
## refused
git archive --output=ops/a.tar HEAD
## passes
git archive -o out/a.tar HEAD
## refused
git format-patch -q -o ops -1
## passes
git format-patch -q -o out -1
## refused
git ls-remote --upload-pack='touch ops/live.conf;' .
## refused
git fetch --upload-pack='touch ops/live.conf; git-upload-pack' .
## refused
git push --receive-pack='touch ops/live.conf;' . main
## refused
git push --exec='touch ops/live.conf;' . main
## refused
git archive --remote=. --exec='touch ops/live.conf;' HEAD
## passes
git fetch --upload-pack /usr/bin/git-upload-pack .
## refused
git init -q --separate-git-dir=ops/g
## refused
git init -q --separate-git-dir=ops/g sub
## refused
git clone -q -u 'touch ops/live.conf;git-upload-pack' . out/c
## refused
git pull -q --upload-pack='touch ops/live.conf;git-upload-pack' . main
## refused
git read-tree HEAD:drafts && git checkout-index -f -a --prefix=ops/
## refused
git read-tree feature && git checkout-index -f src/gate/door.py
## refused
git read-tree feature && git checkout-index -f -a
## refused
git read-tree --prefix=ops/x -u HEAD:drafts
## refused
git read-tree --prefix=ops/x HEAD:drafts && git checkout-index -a
## passes
git read-tree -m -u HEAD
## passes
GIT_INDEX_FILE=@B@/tmp/i git read-tree HEAD
## refused
git bundle create ops/b HEAD
## refused
git fast-export --export-marks=ops/m HEAD
## passes
git rev-list --count HEAD
## passes
git notes add -m x
## refused
git grep -Otouch x ops
## refused
printf 'protocol=https\nhost=h\nusername=u\npassword=p\n\n' | git credential-store --file ops/c store
## passes
git rev-parse --git-path ops
## passes
git mktree </dev/null
## refused
git mailinfo ops/m ops/p < patches/0001-feature.patch
## passes
git mailinfo out/m out/p < patches/0001-feature.patch
## passes
git get-tar-commit-id < bundle.tar
## passes
git unpack-file HEAD:docs/a.md
## refused
git merge-file ops/live.conf ops/stage.conf drafts/live.conf
## passes
git symbolic-ref HEAD
## refused
git pack-objects ops/pk </dev/null
## refused
git rev-parse HEAD | git pack-objects ops/pk
## refused
git shortlog --output=ops/s HEAD
## refused
git blame --output=ops/s README.md
## passes
git rerere
## refused
git range-diff --output=ops/rd HEAD~1..HEAD HEAD~1..HEAD
## refused
git fast-import --export-marks=ops/m </dev/null
## passes
git for-each-repo --config=x status
## passes
git update-index --add scratch.txt
## refused
git checkout-index --prefix=ops/ README.md
## refused
git ls-files -z src | git checkout-index -z --stdin --prefix=ops/
## passes
git commit -q --allow-empty -t ops/live.conf -m x
## refused
cd ops && git --git-dir=../.git checkout HEAD:drafts -- live.conf
## refused
git reset -q feature -- src/gate; git checkout -- src/gate
## refused
git restore --staged -s feature .github && git checkout -- .
## refused
git apply --cached patches/ci.patch; git checkout -- .github
## passes
git apply --cached patches/util.diff
## passes
git reset -q HEAD -- src/gate; git checkout -- src/app.py
## passes
git --work-tree=@B@/tmp checkout -f HEAD -- docs
## passes
git --git-dir=@R@/.git --work-tree=@R@ status
## refused
cd / && git --git-dir=@R@/.git --work-tree=@R@ checkout feature -- src/gate
## passes
cd / && git --git-dir=@R@/.git --work-tree=@R@ checkout feature -- docs
## refused
git --work-tree=ops clean -fdq
## passes
git --git-dir=.git log -1
## passes
GIT_DIR=.git git status
## refused
cd docs && git --git-dir=../.git --work-tree=.. checkout feature -- ../src/gate
## passes
cd docs && git --git-dir=../.git --work-tree=.. checkout -- a.md
## passes
git --work-tree=ops add -A
## passes
git checkout -q -b x && git push -q --exec=git-receive-pack . x
## passes
git worktree add -q out/wt && cd out/wt && git checkout -q -- docs
## refused
git --work-tree=ops reset -q --hard HEAD
## passes
git -C docs checkout feature -- .
## refused
ln -s ops out/l && git add -f out/l && git mv out/l kept && echo x > kept/live.conf
## refused
mkdir d && ln -s ../ops d/l && git add -f d && git mv d e && echo x > e/l/live.conf
## passes
git stash push -qm tmp src/app.py && git stash pop -q
## passes
git stash -q; ls docs > /dev/null; git stash pop -q
## refused
git stash -q; git stash drop -q; git stash pop -q
## refused
git checkout -q -- src/app.py; git stash -q; git stash pop -q
## passes
git clean -fdq -e extra.conf
## refused
git clean -fdq -e scratch.txt
## passes
git clean -fdq --exclude=ops
## refused
git update-ref HEAD feature; git checkout -qf
## refused
git symbolic-ref HEAD refs/heads/feature; git reset -q --hard
## passes
git branch -f topic HEAD; git checkout -q topic
## refused
git branch -f topic feature; git checkout -q topic
## refused
git branch topic feature; git checkout -q topic
## refused
git fetch -q . feature:topic; git checkout -q topic
## passes
git fetch -q . main:topic; git checkout -q topic
## refused
git log -p -1 feature | git apply
## passes
git log -p -1 -- docs | git apply --stat
## refused
git -c format.outputDirectory=ops format-patch -q -1
## passes
git -c format.outputDirectory=out format-patch -q -1
## refused
mkdir -p out/t/hooks; printf '#!/bin/sh\ntouch x\n' > out/t/hooks/post-commit; git init -q --template=out/t
## passes
mkdir -p out/t/hooks; printf '#!/bin/sh\ntouch x\n' > out/t/hooks/post-commit; git init -q --bare --template=out/t out/bare
## refused
git clone -q -u 'touch ops/live.conf; git-upload-pack' . out/cl
## refused
git -c protocol.ext.allow=always ls-remote 'ext::touch ops/live.conf'
## refused
mkdir out/x; printf '#!/bin/sh\ntouch ops/live.conf\n' > out/x/git-foo; chmod +x out/x/git-foo; PATH=$PWD/out/x:$PATH git foo
## refused
mkdir out/x; printf '#!/bin/sh\ntouch ops/live.conf\n' > out/x/git-foo; chmod +x out/x/git-foo; git --exec-path=$PWD/out/x foo
