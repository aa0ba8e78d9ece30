## refused
GIT_TRACE=@R@/ops/live.conf git status
## refused
GIT_TRACE2_EVENT=@R@/ops/live.conf git status
## refused
export GIT_TRACE_SETUP=@R@/ops/live.conf; git status
## passes
GIT_TRACE=1 git status
## passes
GIT_TRACE=ops/live.conf git status
## refused
env GIT_TRACE2=@R@/ops/new.json git log -1
## passes
GIT_TRACE=@B@/tmp/t.log git status
## refused
GIT_INDEX_FILE=ops/idx git add -A
## passes
GIT_INDEX_FILE=@B@/tmp/idx git add -A
## refused
NODE_V8_COVERAGE=ops/cov node -e 1
## refused
NODE_REDIRECT_WARNINGS=ops/w.log node -e 'process.emitWarning("x")'
## refused, and changes nothing
EDITOR='tee -a ops/live.conf' git commit --allow-empty -q </dev/null
## refused
export EDITOR='touch ops/live.conf; true'; git commit --allow-empty
## passes
EDITOR=vim git commit --allow-empty -q -m x
## passes
GIT_PAGER=cat git log -1
## passes
PAGER=cat git log -1
## passes
PAGER='less -R' git log -1
## passes
GIT_EDITOR=true git rebase --continue
## passes
GIT_EDITOR=: git commit --amend -q
## refused
GIT_SSH_COMMAND='touch ops/live.conf; false' git ls-remote git@localhost:x
## passes
GIT_SSH_COMMAND='ssh -i ~/.ssh/id -o IdentitiesOnly=yes' git ls-remote git@localhost:x
## refused
PS4='$(touch ops/live.conf)'; set -x; true
## passes
PS4='+ ${BASH_SOURCE}:${LINENO}: ' bash -xc true
## refused
BASH_ENV=scripts/fix.sh bash -c true
## refused
export BASH_ENV=scripts/fix.sh; bash -c true
## passes
ENV=/dev/null sh -c true
## refused
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!touch ops/live.conf' git x
## refused
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0='touch ops/live.conf; false' git status
## refused
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.editor GIT_CONFIG_VALUE_0='touch ops/live.conf #'; git commit --allow-empty
## passes
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git status
## refused
mkdir hk; cp scripts/fix.sh hk/pre-commit; git -c core.hooksPath=hk commit -q --allow-empty -m x
## refused
X='touch ops/live.conf #' git --config-env=core.editor=X commit --allow-empty -q
## refused, and changes nothing
RSYNC_RSH='touch ops/live.conf #' rsync -a docs localhost:x
## refused
LESSOPEN='|touch ops/live.conf; cat %s' less README.md
## refused
PROMPT_COMMAND='touch ops/live.conf' bash -i </dev/null
## passes
git -c core.pager='touch ops/live.conf' log -1
## passes
git -c core.pager=cat log -1
## passes
git -c core.pager=delta -c pager.log=less log -1
## passes
PAGER="less -R -o ops/live.conf" git log -1
## refused
cd docs && GIT_EDITOR='touch ops/live.conf;:' git commit --allow-empty
## passes
git -c core.hooksPath=/dev/null commit -q --allow-empty -m x
## passes
cd docs && GIT_EDITOR='touch ../ops/live.conf;:' git commit --allow-empty
## passes
GIT_PAGER='delta --dark' git diff
## passes
GIT_SEQUENCE_EDITOR="sed -i -e 's/pick/squash/'" git rebase -i HEAD~1
## passes
PAGER= EDITOR= GIT_TERMINAL_PROMPT=0 git fetch
## passes
export GIT_TRACE=1 GIT_EDITOR=true EDITOR="code --wait"; git status; git commit -q --allow-empty -m x
## passes
PS1='$(date) ' bash -c true
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/a.js; NODE_OPTIONS="--require ./out/a.js" node -e 0
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/a.js; export NODE_OPTIONS=--require=./out/a.js; node -e 0
## passes
NODE_OPTIONS=--max-old-space-size=400 node -e 0
## refused
printf '[alias]\n\tx = "!touch ops/live.conf"\n' > out/g; GIT_CONFIG_GLOBAL=$PWD/out/g git x
## refused
printf '[alias]\n\tx = "!touch ops/live.conf"\n' > out/g; git -c include.path=$PWD/out/g x
## passes
printf '[alias]\n\tx = "!touch ops/live.conf"\n' > out/g; git -c include.path=../out/g x
## refused
mkdir out/h && printf '#!/bin/sh\ntouch ops/live.conf\n' > out/h/pre-commit && chmod +x out/h/pre-commit; printf '[core]\n\thooksPath = out/h ; ours\n' > out/g; GIT_CONFIG_GLOBAL=$PWD/out/g git -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m x
## passes
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null git -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m x
## passes
git -c core.hooksPath= commit -q --allow-empty -m x
## refused
GIT_CONFIG_PARAMETERS="'alias.zap=!touch ops/live.conf'" git zap
## refused
git config --global alias.zap '!touch ops/live.conf'; git zap
## passes
git config --global alias.zap '!touch out/z'; git zap
## refused
git config -f out/c alias.zap '!touch ops/live.conf'; GIT_CONFIG_GLOBAL=out/c git zap
## passes
git config -f out/c alias.zap '!touch ops/live.conf'; git status -s
## refused
mkdir out/h; printf '[alias]\n\tzap = !touch ops/live.conf\n' > out/h/.gitconfig; HOME=$PWD/out/h git zap
## refused
mkdir -p out/h/git; printf '[alias]\n\tzap = !touch ops/live.conf\n' > out/h/git/config; XDG_CONFIG_HOME=$PWD/out/h git zap
## refused
printf '[include]\n\tpath = c\n' > out/g; printf '[alias]\n\tzap = !touch ops/live.conf\n' > out/c; GIT_CONFIG_GLOBAL=$PWD/out/g git zap
## refused
MAKEFILES=out/mk; export MAKEFILES; printf 'all:\n\ttouch ops/live.conf\n' > out/mk; make -f /dev/null all
## refused
script -qc "git -c core.pager='touch ops/live.conf; cat' log -1" /dev/null
## passes
script -qc "git -c core.pager=cat log -1" /dev/null
