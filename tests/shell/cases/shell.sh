## refused
echo x | tee {out,ops}/t.txt >/dev/null
## refused
pushd ops >/dev/null; echo x > live.conf; popd >/dev/null; echo y > notes.txt
## passes
pushd ops >/dev/null; ls; popd >/dev/null; echo y > live.conf
## refused
cd .github; cd workflows; cd -; echo x > a.yml
## passes
cd .github && (cd .. && echo x > notes.txt)
## refused
cd $(dirname .github/workflows/ci.yml) && echo '#' >> ci.yml
## refused
cd nosuch || cd ops; touch z
## passes
cd nosuch && rm -f ops/live.conf; true
## refused
cd -P wf && touch x.yml
## refused
cd "@R@/src" && rm gate/door.py
## refused
cd drafts && cp ci.yml ../.github/workflows/ci.yml
## refused
cd /tmp && echo x > @R@/ops/live.conf
## refused @src
echo x > gate/new.py
## passes @src
echo x > ../notes.txt
## passes @ops
echo x > ../out/live.conf
## refused
cat > .github/workflows/ci.yml <<'EOF'
name: x
EOF
## refused
cat <<'EOF' > ops/live.conf && echo done
x
EOF
## refused
cat <<-EOF >> src/gate/door.py
	indented
	EOF
## refused
cat > out/a.txt <<A; cat > ops/b.conf <<B
one
A
two
B
## refused
cat <<EOF | tee ops/live.conf >/dev/null
x $HOME
EOF
## refused
bash <<'EOF'
cd ops
echo x > live.conf
EOF
## refused
bash -s ops/live.conf <<'EOF'
echo x > "$1"
EOF
## passes
sh <<EOF
cat ops/live.conf
EOF
## passes
cat <<'EOF' > out/run.sh
rm -f ops/live.conf
EOF
## refused
cat <<'EOF' > out/run.sh; sh out/run.sh
rm -f ops/live.conf
EOF
## refused
echo 'echo x > ops/live.conf' > out/s.sh && chmod +x out/s.sh && ./out/s.sh
## refused
printf '#!/usr/bin/env python3\nimport os\nos.remove("ops/live.conf")\n' > out/p; chmod +x out/p; out/p
## refused
while read -r f; do touch "$f"; done <<'EOF'
ops/live.conf
EOF
## passes
while read -r f; do cat "$f"; done <<'EOF'
ops/live.conf
EOF
## refused
read -r F <<< "ops/live.conf"; echo x > "$F"
## passes
grep -c x <<'EOF'
$(rm -rf ops)
EOF
## refused
grep -c x <<EOF
$(rm -rf ops)
EOF
## refused
cat <<EOF >/dev/null
${X:=$(touch ops/live.conf)}
EOF
## passes
mail_body=$(cat <<'EOF'
rm -rf ops
> conf/keys.yaml
EOF
); echo "$mail_body" > out/mail.txt
## refused
cat >> ~/.claude/CLAUDE.md <<'EOF'
x
EOF
## refused
cat ~/.claude/settings.json | jq '.model="y"' > @B@/tmp/s && mv @B@/tmp/s ~/.claude/settings.json
## passes
jq . ~/.claude/settings.json > out/s.json
## passes
HOME=@B@/ext bash -c 'echo x > ~/.claude.json'
## refused, and changes nothing
echo x > ~dev/.claude/settings.json
## refused
export CFG=~/.config/guards; echo '.' >> $CFG/approved
## refused
cd ops && ln -s ../notes.txt
## refused
cd ops && csplit -s ../notes.txt 2
## refused
cd ops; split -l1 ../notes.txt
## refused
history -w ops/h
## passes
set -o history; history -a out/h
## refused
mapfile -t A < notes.txt; printf '%s\n' "${A[0]}" > ops/m
## refused
exec 3<>ops/live.conf; echo x >&3; exec 3>&-
## passes
exec 3<ops/live.conf; cat <&3; exec 3<&-
## passes
exec >> out/log 2>&1; echo hi
## refused
{ echo a; } 2>ops/err >/dev/null
## refused
( echo a ) > out/a 2> src/gate/err
## refused
printf -v X '%s' ops/live.conf; echo y > "$X"
## passes
T=$(mktemp); echo x > "$T"; cat ops/live.conf >> "$T"
## passes
T=$(mktemp -d); cp ops/live.conf "$T"/; rm -rf "$T"
## refused
echo `touch ops/live.conf`
## refused
x=$(cp notes.txt ops/n.conf)
## passes
diff <(cat ops/live.conf) <(cat drafts/live.conf) > out/d; true
## refused
cat notes.txt > >(tee ops/t2.conf >/dev/null); sleep 0.2
## passes
cat $(cat one.txt)
## refused
echo x > $(ls ops/*.conf | head -1)
## refused
F=$(basename ops/live.conf); echo x > "ops/$F"
## refused
D=$(dirname ops/live.conf); echo x > "$D/new.conf"
## passes
echo "$(date) $(whoami)" > out/d
## passes
[ "$(cat one.txt)" = ops/live.conf ] && echo same
## passes
if grep -q count ops/live.conf; then echo yes > out/y; fi
## refused
echo x | tee -- ops/live.conf
## refused, and changes nothing
echo x | sudo tee -a ops/live.conf >/dev/null
## passes
echo x | tee out/a out/b > /dev/null
## refused
echo x | tee /dev/null > ops/live.conf
## passes
ls | tee /dev/tty 2>/dev/null; true
## refused
: | sponge ops/live.conf
## refused
F=live; echo x > ops/$F.conf
## refused
F=ops/live.conf; G=$F; rm -f "$G"
## refused
F=("ops/live.conf" "out/x"); touch "${F[@]}"
## passes
F=(out/a out/b); touch "${F[@]}"
## refused
declare -A M=([x]=ops/live.conf); touch "${M[x]}"
## passes
F=ops/live.conf; unset F; echo x > "${F:-out/dflt}"
## refused
F=; echo x > ${F:-ops/live.conf}
## refused
F=OPS/LIVE.CONF; echo x > "${F,,}"
## refused
F=out/live.conf; echo x > "${F/out/ops}"
## refused
F="ops live.conf"; set -- $F; echo x > "$1/$2"
## refused
IFS=:; P=ops:live.conf; set -- $P; echo x > $1/$2
## refused
for i in 1 2; do echo $i > ops/f$i.conf; done
## passes
for f in *.txt; do cp "$f" out/; done
## refused
for ((i=0;i<2;i++)); do echo $i > ops/c$i; done
## passes
for d in ops conf; do ls $d > out/$d.lst; done
## refused
i=0; while [ $i -lt 2 ]; do echo x >> ops/w$i; i=$((i+1)); done
## refused
case live in live) echo x > ops/live.conf;; esac
## refused
f() { local p=$1; echo x > "$p"; }; f ops/live.conf; f out/x
## passes
f() { rm -rf ops; }; type f
## passes
f() { cat "$1"; }; f ops/live.conf
## passes
alias w='tee ops/live.conf'; echo defined
## refused
export F=ops/live.conf; bash -c 'echo x > $F'
## refused
F=ops/live.conf bash -c 'echo x > $F'
## passes
F=ops/live.conf; bash -c 'echo "$F"'
## refused
env F=ops/live.conf sh -c 'rm -f "$F"'
## refused
eval F=ops/live.conf; echo x > $F
## refused
eval "echo x > ops/live.conf"
## refused
cmd="rm -f ops/live.conf"; $cmd
## passes
cmd="cat ops/live.conf"; $cmd
## refused
cmd=(rm -f ops/live.conf); "${cmd[@]}"
## refused
R=rm; $R -f ops/live.conf
## refused
env -i PATH="$PATH" touch ops/live.conf
## refused
env -u HOME -- touch ops/live.conf
## refused
env -S 'touch ops/live.conf'
## refused
nohup touch ops/live.conf >/dev/null 2>&1 &
wait
## refused
timeout --signal=KILL 5s touch ops/live.conf
## refused
timeout 5 sh -c 'echo x > ops/live.conf'
## refused
nice touch ops/live.conf
## refused
nice -10 touch ops/live.conf
## refused
ionice -c 2 -n 7 touch ops/live.conf
## refused
setsid -w touch ops/live.conf
## refused
stdbuf -o0 -e0 cp notes.txt ops/n.conf
## refused
command touch ops/live.conf
## passes
command -v touch ops/live.conf
## refused
builtin echo x > ops/live.conf
## refused
exec touch ops/live.conf
## refused
time touch ops/live.conf
## refused
/usr/bin/env touch ops/live.conf
## refused
/bin/cp notes.txt ops/n.conf
## refused
r\m -f ops/live.conf
## refused
flock out/l touch ops/live.conf
## passes
flock -n out/l cat ops/live.conf
## refused
flock ops/lock true
## refused
chronic cp notes.txt ops/n.conf
## passes
watch -n1 ls ops & sleep 0.1; kill %1 2>/dev/null; true
## refused
script -qc 'touch ops/live.conf' /dev/null >/dev/null
## passes
script -q out/ts -c 'cat ops/live.conf' >/dev/null
## refused
busybox rm -f ops/live.conf
## passes
busybox cat ops/live.conf
## refused
bash -c 'touch "$@"' _ ops/live.conf
## refused
bash -c 'echo x > "$0"' ops/live.conf
## refused
bash -ec 'cd ops
touch live.conf'
## refused
bash -c "rm -f ops/live.conf" & wait
## refused
sh -c 'sh -c "touch ops/live.conf"'
## refused
zsh -c 'echo x >| ops/live.conf'
## refused
zsh -fc 'print -r -- x >! ops/live.conf'
## refused
zsh -c 'print x > ops/live.conf; cat ops/live.conf'
## refused
ksh -c 'echo x > ops/live.conf'
## refused
dash -c 'echo x>ops/live.conf'
## refused
echo 'rm -f ops/live.conf' | bash
## passes
echo 'cat ops/live.conf' | bash
## refused
bash -c "$(echo 'touch ops/live.conf')"
## refused
bash <<< 'touch ops/live.conf'
## refused
. scripts/fix.sh
## refused
bash scripts/fix.sh
## refused
sh -x scripts/fix.sh 2>/dev/null
## passes
bash -n scripts/fix.sh
## refused
cat scripts/fix.sh | sh
## passes
cat scripts/fix.sh
## refused
source /dev/stdin <<< 'touch ops/live.conf'
## refused
trap 'touch ops/live.conf' EXIT
## passes
trap 'touch ops/live.conf' INT; true
## passes
trap "rm -f @B@/tmp/x" EXIT; cat ops/live.conf
## refused
make -s fix-ci
## refused
make -C . fix-ci
## passes
make test
## refused
make -s test fix-ci
## refused
printf 'all:\n\ttouch ../ops/live.conf\n' > out/Makefile && make -s -C out
## refused
printf 'T = ops\nall: x\nx:\n\ttouch $(T)/live.conf\n' | make -s -f - all
## refused
npm run -s bump
## passes
npm test 2>/dev/null; true
## refused
echo aGVsbG8= | base64 -d > ops/live.conf
## refused
echo dG91Y2ggb3BzL2xpdmUuY29uZg== | base64 --decode | sh
## refused
echo 746f756368206f70732f6c6976652e636f6e66 | xxd -r -p | sh
## refused
echo 'gbhpu bcf/yvir.pbas' | tr 'a-z' 'n-za-m' | sh
## refused
echo 'fnoc.evil/spo hcuot' | rev | bash
## refused
printf 'touch %s\n' ops/live.conf | sh
## refused
p=o; q=ps; touch $p$q/live.conf
## refused
echo x > wf/../CODEOWNERS
## refused
echo x > out/a > ops/b
## refused
echo x >ops/a 2>&1
## refused
echo x 2>ops/e 1>&2
## refused
>out/a >ops/b echo
## refused
echo x &>>ops/log
## passes
cat < ops/live.conf > out/c
## passes
cat 0< ops/live.conf
## passes
echo a >&2 2>/dev/null
## passes
ls > "out/ops live.conf"
## passes
ls > out/$(date +%s).txt
## passes
cat ops/live.conf | while read -r l; do echo "$l" >> out/lines; done
## passes
for f in ops/*.conf; do cp "$f" out/$(basename $f).bak; done
## refused
for f in drafts/*.conf; do cp "$f" "ops/$(basename "$f")"; done
## passes
if [ -f ops/live.conf ]; then cp ops/live.conf out/; else echo none; fi
## passes
test -d ops || mkdir ops
## passes
[ -f .env ] || cp .env.example .env
## refused
[ -f ops/nosuch.conf ] || cp ops/live.conf ops/nosuch.conf
## passes
[ -e ops/nosuch ] && rm -rf ops/*
## refused, and changes nothing
touch notes.txt; [ -f .env ] || cp .env.example .env
## refused
grep -q x .env || echo X=1 >> .env
## passes
set -e; cat .env | grep PORT
## passes
source .env && echo $PORT
## passes
set -a; . ./.env; set +a; echo $TOKEN
## passes
exit 0; rm -rf ops
## passes
return 2>/dev/null; touch out/z
## passes
true || rm -rf ops
## passes
if false; then rm -rf ops; fi
## passes
while false; do rm -rf ops; done
## passes
: <<'X'
rm -rf ops
X
## passes
case x in y) rm -rf ops;; esac
## passes
[ 1 -eq 2 ] && rm -rf ops; true
## passes
for x in; do rm -rf ops; done
## passes
(exit 1) && rm -rf ops; true
## refused
cd ops 2>/dev/null; cat > live.conf <<< x
## refused
cd .; cd ./ops/.; echo x>live.conf
## refused
cat notes.txt | cp /dev/fd/0 ops/live.conf
## refused
echo x > /proc/self/cwd/ops/live.conf
## refused
exec 9>ops/live.conf; echo x >&9
## refused
echo x 1>&ops/live.conf 2>/dev/null; true
## refused
echo x >& ops/live.conf
## refused
bash -c 'eval "$(echo ZWNobyB4ID4gb3BzL2xpdmUuY29uZg== | base64 -d)"'
## refused
a=t; b=ouch; $a$b ops/live.conf
## refused
x='touch ops/live.conf'; bash -c "$x"
## refused
x='touch ops/live.conf'; eval $x
## refused
set -- touch ops/live.conf; "$@"
## refused
D=ops; (cd $D; touch live.conf)
## refused
{ cd ops; touch live.conf; }
## refused
if cd ops; then touch live.conf; fi
## refused
cd ops & cd ops; touch live.conf; wait
## refused
CDPATH=src cd gate >/dev/null && touch door.py
## refused
printf '#!/bin/sh\ntouch ops/live.conf\n' > .git/hooks/post-commit
## refused
printf 'ops/%s\n' live.conf | while IFS= read -r f; do touch "$f"; done
## refused
while read f; do touch $f; done < one.txt
## refused
mapfile -t A < one.txt; touch "${A[@]}"
## refused
read F < one.txt; touch $F
## refused
F=$(<one.txt); touch $F
## refused
printf 'live.conf\n' > out/l; rsync -a --files-from=out/l drafts ops
## refused
printf x | dd of=ops/live.conf conv=notrunc 2>/dev/null
## passes
m4 <<< 'syscmd(touch ops/live.conf)' >/dev/null
## refused
bc <<< '1' > ops/live.conf
## refused
make -f - <<< $'x:\n\ttouch ops/live.conf' -s x
## refused
make -s --eval='x: ; touch ops/live.conf' x
## refused
env bash -c 'touch ops/live.conf'
## refused
env -- bash -c 'touch ops/live.conf'
## refused
bash --norc --noprofile -c 'touch ops/live.conf'
## refused
bash -O extglob -c 'touch ops/live.conf'
## refused
bash -o pipefail -euc 'touch ops/live.conf'
## refused
BASH_ENV=scripts/fix.sh bash -c true
## refused
ENV=scripts/fix.sh sh -ic true 2>/dev/null; true
## refused
coproc { touch ops/live.conf; }; wait
## refused
select x in a; do touch ops/live.conf; break; done <<< 1 2>/dev/null
## refused
f() { "$@"; }; f touch ops/live.conf
## refused
run() { eval "$*"; }; run touch ops/live.conf
## refused
g() { touch "$PREFIX/live.conf"; }; PREFIX=ops; g
## refused
shopt -s expand_aliases
alias t=touch
t ops/live.conf
## refused
time -p { touch ops/live.conf; } 2>/dev/null
## refused
! touch ops/live.conf
## refused
[[ $(touch ops/live.conf) ]] || true
## refused
echo "${x:-$(touch ops/live.conf)}"
## refused
echo $((1 + $(touch ops/live.conf; echo 1)))
## refused
: "${y:=$(touch ops/live.conf)}"
## refused
a[$(touch ops/live.conf; echo 0)]=1
## refused
printf '%s' "$(cd ops && touch live.conf)"
## refused
cat <<< "$(touch ops/live.conf)"
## refused
cat <<X
`touch ops/live.conf`
X
## refused
diff <(touch ops/live.conf) /dev/null
## refused
exec 3< <(touch ops/live.conf); cat <&3
## refused
sh -c 'cd "$1" && touch "$2"' _ ops live.conf
## refused
nice -n5 -- touch ops/live.conf
## refused
timeout -- 5 touch ops/live.conf
## refused
stdbuf -o L -- touch ops/live.conf
## refused
busybox ash -c 'touch ops/live.conf'
## refused
busybox dd of=ops/live.conf < notes.txt 2>/dev/null
## refused
/lib64/ld-linux-x86-64.so.2 /bin/touch ops/live.conf
## refused, and changes nothing
screen -dmS x touch ops/live.conf; sleep 0.5
## refused
tmux -L zz new-session -d 'touch ops/live.conf'; sleep 0.5; tmux -L zz kill-server 2>/dev/null; true
## passes
tmux -L zy new-session -d 'cat'; tmux -L zy send-keys 'x' Enter; tmux -L zy kill-server
## refused
script -c 'touch ops/live.conf' -q /dev/null
## refused
cat notes.txt | tee out/a | tee ops/b | wc -l
## refused
echo '{"scripts":{"x":"touch ../ops/live.conf"}}' > out/package.json; cd out && npm run -s x
## refused
zstd -q ops/live.conf 2>/dev/null || touch ops/live.conf
## refused
mkfifo ops/fifo
## refused
mknod ops/node p
## refused
bash -c 'printf "%s\n" "$@" > "$0"' ops/live.conf a b
## refused
bash -c 'for f; do echo >> "$f"; done' _ ops/live.conf notes.txt
## refused
bash -c 'cd "$1" || exit; touch z' sh src/gate
## refused
bash -xc 'echo x > ops/live.conf' 2>/dev/null
## refused
bash --login -c 'rm -f conf/keys.yaml'
## refused
bash -c $'echo x >\tops/live.conf'
## refused
sh -ec 'umask 077; echo x > ops/u.conf'
## refused
sh -c '. scripts/fix.sh'
## refused
sh <<'S1' >/dev/null
while read x; do echo "$x" >> ops/live.conf; done < notes.txt
S1
## refused
cat <<'S1' | bash -s -- ops/live.conf
echo x > "$1"
S1
## refused
eval 'F=ops/live.conf'; eval 'echo x > $F'
## refused
eval "$(printf 'rm -f %s' ops/live.conf)"
## refused
bash -c "source scripts/fix.sh"
## refused
base64 scripts/fix.sh | base64 -d | bash
## refused
echo 'cp notes.txt ops/n.conf' > out/c; source out/c
## passes
printf '%s' 'echo x > dep' 'loy/live.conf' | sh
## refused
(echo cd ops; echo touch z) | sh
## refused
{ echo 'touch ops/live.conf'; } | bash
## refused
busybox cp notes.txt ops/b.conf
## refused
busybox mv scratch.txt ops/
## refused
env -u FOO -i /bin/sh -c 'echo x > ops/live.conf'
## refused
env A=1 B=2 bash -c 'echo $A > ops/live.conf'
## refused
nice -n 3 ionice -c2 bash -c 'touch ops/live.conf'
## refused
timeout -s INT 3 tee ops/live.conf < notes.txt >/dev/null
## refused
setsid sh -c 'touch ops/live.conf'; sleep 0.2
## refused
nohup sh -c 'echo x >> conf/keys.yaml' >/dev/null 2>&1
## refused
exec -a x cp notes.txt ops/e.conf
## refused
command -p cp notes.txt ops/p.conf
## refused
builtin printf x > ops/live.conf
## refused
flock -x out/lk sh -c 'echo x > ops/live.conf'
## passes
flock out/lk cat ops/live.conf
## refused
chronic sh -c 'rm -f conf/keys.yaml'
## refused
unshare -r touch ops/live.conf 2>/dev/null || touch ops/live.conf
## refused
taskset -c 0 touch ops/live.conf
## refused
taskset 1 touch ops/live.conf
## refused
prlimit --nofile=100 touch ops/live.conf
## refused
F=ops/live.conf; : > "$F"
## refused
F=ops; touch "$F"/{a,b}.conf
## refused
F=ops/live.conf.bak; mv notes.txt "${F%.bak}"
## refused
F=x/ops/live.conf; touch "${F#x/}"
## refused
F=live; touch "ops/${F^^}.conf"
## passes
F=ops/live.conf; cp "$F" "out/${F##*/}"
## passes
F=ops/live.conf; echo "${F/live/stage}" > out/name
## refused
A=(ops/live.conf conf/keys.yaml); rm -f "${A[1]}"
## passes
A=(notes.txt README.md); cp "${A[@]}" out
## refused
: "${F:=ops/live.conf}"; echo x > $F
## passes
F=${NOSUCH:+ops/live.conf}; echo "[$F]" > out/e
## refused
read -r a b <<< "ops live.conf"; echo x > "$a/$b"
## refused
IFS=, read -ra A <<< "ops/live.conf,notes.txt"; touch "${A[@]}"
## refused
printf -v F 'ops/%s.conf' live; rm -f $F
## refused
for f in "ops"/*.conf; do : > "$f"; done
## passes
for f in out/*; do touch "$f"; done
## refused
until touch ops/u.conf; do :; done
## refused
n=0; while ((n<1)); do echo >> ops/live.conf; ((n++)); done
## refused
f() { echo x > "ops/$1.conf"; }; f live
## refused
f() ( cd ops && touch f.conf ); f
## refused
function w { tee "$@" > /dev/null; }; echo x | w ops/live.conf
## refused
f() { local d=ops; g; }; g() { touch $d/live.conf; }; f
## refused
if [[ -d ops ]]; then rm -f ops/live.conf; fi
## refused
[[ -f nosuch ]] || touch ops/live.conf
## refused
[ -e ops/live.conf ] && rm ops/live.conf
## refused
test -f README.md && echo x > conf/keys.yaml
## refused
ls nosuch 2>/dev/null || echo x > ops/live.conf
## refused
true; false; touch ops/live.conf
## refused
! false && touch ops/live.conf
## refused
(true) && { touch ops/live.conf; }
## refused
case $(uname) in Linux) touch ops/live.conf;; *) :;; esac
## passes
case ops in d*) cd ops; touch c;; esac
## refused
trap 'echo x > ops/live.conf' EXIT; exit 0
## refused
trap 'touch ops/live.conf' USR1; kill -USR1 $$; sleep 0.1
## refused
trap 'touch ops/live.conf' DEBUG; :
## refused
trap 'touch ops/live.conf' ERR; false; true
## passes
trap - EXIT; ls ops
## refused
set -C; echo x >| ops/live.conf
## refused, and changes nothing
set -C; echo x > ops/live.conf; true
## refused, and changes nothing
set -f; touch ops/*; set +f; rm 'ops/*'
## passes
shopt -s nullglob; for f in ops/*.nosuch; do rm "$f"; done
## refused
shopt -s globstar; rm -f **/live.conf
## refused
shopt -s dotglob; touch *
## refused
echo x > ./ops/./live.conf
## refused
echo x > //$PWD/ops/live.conf
## refused
echo x > "$PWD"/../repo/ops/live.conf
## passes
echo x > ops/live.conf/../../notes.txt 2>/dev/null; true
## refused
echo x > ~+/conf/keys.yaml
## passes
cd ops; cd ..; echo x > live.conf
## passes
cd ops && cd ../config && echo x > keys.yaml
## refused
cd out; cd "$OLDPWD/ops"; touch o.conf
## refused
cd src && pushd gate > /dev/null && touch p.py; popd > /dev/null; touch q.py
## passes
(cd ops; ls) > out/ls; touch live.conf
## passes
cd ops | true; touch live.conf
## refused
{ cd ops; }; touch g.conf
## refused
cd wf && rm -f ci.yml
## passes
cd wf/.. && touch x
## refused
cd -P wf/.. && touch x
## refused
return; echo x >> ops/live.conf
## refused
break; echo x >> ops/live.conf
## refused
continue; echo x >> ops/live.conf
## refused
eval 'return'; echo x >> ops/live.conf
## refused
[ -f notes.txt ] && return; echo x >> ops/live.conf
## refused
f() { break; echo x >> ops/live.conf; }; for i in 1; do f; done
## refused
for i in 1; do (break; echo x >> ops/live.conf); done
## refused
trap 'return; echo x >> ops/live.conf' EXIT
## refused, and changes nothing
sh -c 'return; echo x >> ops/live.conf'
## passes
f() { return; echo x >> ops/live.conf; }; f
## passes
f() { eval return; echo x >> ops/live.conf; }; f
## passes
for i in 1 2; do eval break; echo x >> ops/live.conf; done
## passes
echo 'return; echo x >> ops/live.conf' > s.sh; . ./s.sh
## passes
while true; do if true; then break; fi; echo x >> ops/live.conf; done
## refused
trap 'echo x >> ops/live.conf' CHLD; ls
## refused
trap 'echo x >> ops/live.conf' sigchld; ls
## refused
trap 'echo x >> ops/live.conf' err; false
## refused
trap 'echo x >> ops/live.conf' exit; ls
## refused
trap 'echo x >> ops/live.conf' EXIT; trap - INT; ls
## refused
trap 'echo x >> $f' DEBUG; f=ops/live.conf; ls
## refused
trap 'echo x >> ops/live.conf' USR1; python3 -c 'import os; os.kill(os.getppid(), 10)'; sleep 0.1
## passes
trap 'echo x >> ops/live.conf' USR1; cp notes.txt out/; ls
## passes
trap 'rm -rf out/tmp' INT TERM EXIT; make test
## passes
trap 'echo x >> ops/live.conf' EXIT; trap EXIT; ls
## refused
command_not_found_handle() { echo x >> ops/live.conf; }; nosuchcmd
## passes
command_not_found_handle() { echo "no $1"; }; nosuchcmd
## refused
f() { echo x >> ops/live.conf; }; export -f f; bash -c f
## refused
f() { echo x >> $1; }; export -f f; bash -c 'f ops/live.conf'
## refused
f() { echo x >> $1; }; declare -fx f; echo ops/live.conf | xargs -I{} bash -c 'f {}'
## passes
f() { cat "$1"; }; export -f f; find ops -name live.conf -exec bash -c 'f "$0"' {} \;
## passes
f() { echo x >> $1; }; export -f f; find docs -name '*.md' -exec bash -c 'f "$0"' {} \;
## refused
a=(.github workflows ci.yml); IFS=/; echo x >> "${a[*]}"
## refused
set -- ops live.conf; IFS=/; echo x >> "$*"
## refused
OLDPWD=.github/workflows; cd -; echo x >> ci.yml
## refused
OLDPWD=ops cd -; echo x >> live.conf
## refused
HOME=$PWD/ops cd; echo x >> live.conf
## refused
shopt -s cdable_vars; d=.github/workflows; cd d; echo x >> ci.yml
## refused
cd $(ls -d .git*b); echo x >> workflows/ci.yml
## refused
cd $(ls -d .git*b); cd workflows; echo x >> ci.yml
## refused
cd /proc/$$/cwd/.github/workflows && echo x >> ci.yml
## refused
rm -rf out; cd out; echo x >> ops/live.conf
## refused
mv out o2; cd out; echo x >> ops/live.conf
## refused
pushd ops; cd /; echo x >> ~1/ops/live.conf
## passes
rm -rf out; mkdir -p out; cd out; mkdir -p ops; echo x >> ops/live.conf
## passes
rm -rf out/x; cd out; mkdir -p ops; echo x >> ops/live.conf
## passes
cd out; cd ..; cd - > /dev/null; mkdir ops; echo x >> ops/live.conf
## passes
cd $(git rev-parse --show-toplevel)/docs; echo x >> a.md
## refused
env 'BASH_FUNC_f%%=() { echo x >> ops/live.conf; }' bash -c f
## refused
set -a; f() { echo x >> ops/live.conf; }; bash -c f
## refused
set -o allexport; d=ops/live.conf; sh -c 'echo x >> $d'
## passes
set -a; . ./.env; set +a; echo $PORT > out/p
## passes
rm -rf out; cp -r drafts out; cd out; mkdir ops; echo x >> ops/live.conf
## refused
shopt -s expand_aliases; alias exit=:
exit; echo x >> ops/live.conf
## refused
!(touch ops/live.conf)
## refused
if !($(printf true) && touch ops/live.conf); then :; fi; !(touch ops/live.conf)
## passes
!(touch out/x)
## refused
shopt -s extglob
rm -rf !(README.md|docs)
## passes
shopt -s extglob
rm -rf docs/!(a|b) out/@(x|y)
## refused
shopt -s extglob
touch ops/@(live|stage).conf
## passes
shopt -s extglob
touch ops/../out/@(live|stage).conf
## passes
shopt -s extglob
rm -rf src/!(gate)
## refused
shopt -s extglob dotglob
rm -rf !(src|ops|schema|conf|README.md)
## refused
d=$(mktemp -d /nope/x.XXXX); cd "$d"; echo x > .env
## refused
d=$(mktemp); cd "$d"; echo x > .env
## refused
d=$(mktemp -d); rmdir "$d"; cd "$d"; echo x > .env
## refused
d=$(mktemp -d); ln -s "$PWD" "$d/l"; echo x > "$d/l/.env"
## refused
d=$(mktemp -d); [ ${#d} = 3 ] || echo x > .env
## refused
d=$(mktemp -d); cd "$d"; cd -; echo x > .env
## refused
cd /tmp/run-$$; echo x > .env
## refused
W=/tmp/run-$RANDOM; mkdir $W; cd /tmp/run-$RANDOM; echo x > .env
## refused
mkdir /tmp && cd /tmp; echo x > .env
## refused
touch out/x; cd out/x; echo x > .env
## refused
cp -r src out/new; cd out/new/src; echo x > .env
## passes
mkdir out/new; cp -r src out/new; cd out/new/src; echo x > .env
## refused
mkdir out/q; rmdir out/q; cd out/q; echo x > .env
## refused
[ -f .env ] && cp .env.example .env; cat .env
## refused
declare -n r=q; r=ops/live.conf; echo x >> "$q"
## passes
declare -n r=q; r=out/x; echo x >> "$q"
## refused
n=p; p=ops/live.conf; echo x >> "${!n}"
## passes
n=p; p=out/x; echo x >> "${!n}"
## refused
printf -v 'a[0]' ops/live.conf; echo x >> "${a[0]}"
## refused
p=ops/live.conf; echo x >> "${p@E}"
## refused
mapfile -C 'f() { rm ops/live.conf; }; f' -c 1 a < notes.txt
## refused
shopt -s expand_aliases
BASH_ALIASES[w]='rm ops/live.conf'
w
## refused
exec 3<ops/live.conf; echo x >> /dev/fd/3
## passes
exec 3<ops/live.conf; cat /dev/fd/3 > out/x
## refused
echo 'rm ops/live.conf' > out/rc; bash --rcfile out/rc -i -c :
## passes
echo 'rm -f out/x' > out/rc; bash --rcfile out/rc -i -c :
## refused
echo 'rm ops/live.conf' > out/.bash_profile; HOME=$PWD/out bash -lc :
