## passes
ed -s ops/live.conf < /dev/null
## refused
printf '%s\n' '1d' 'w' | ed -s ops/live.conf
## passes
printf '1d\nq\nq\n' | ed -s ops/live.conf
## passes
printf 'w out/c.conf\nq\n' | ed -s ops/live.conf
## refused
ed -s notes.txt <<'E'
1d
w ops/new.conf
q
1d
w ops/new.conf
q
E
## refused
ed -s notes.txt <<'E'
!echo x > ops/live.conf
q
E
## passes
ed -s notes.txt <<'E'
a
w ops/live.conf
.
w
q
E
## refused
ex -s ops/live.conf <<'E'
%s/3/4/
x
E
## passes
ex -sc '%s/3/4/|q!' ops/live.conf
## refused
vim -es -u NONE -i NONE -c '%s/count/number/e' -c 'wq' ops/live.conf
## refused
vim -Es -u NONE -i NONE +'w! src/gate/copy.py' +'q!' notes.txt
## refused
vim -es -u NONE -i NONE -c 'saveas! ops/s.conf' -c 'q!' notes.txt
## refused
vim -es -u NONE -i NONE -c '!touch ops/live.conf' -c 'q!' notes.txt
## refused
vim -es -u NONE -i NONE -c 'call writefile(["x"], "ops/live.conf")' -c 'q!'
## passes
vim -es -u NONE -i NONE -c 'g/alpha/d' -c 'w' notes.txt
## passes
vim -es -u NONE -i NONE -c 'r ops/live.conf' -c 'w! out/r.txt' -c 'q!'
## refused
vim -es -u NONE -i NONE -c 'exe "normal dd"' -c 'x' ops/live.conf
## refused
sed -i s/1/2/ "$HOME"/.config/guards/policy.toml
## refused
T=$(mktemp) && sed 's/3/4/' ops/live.conf > $T && mv $T ops/live.conf
## passes
T=$(mktemp) && sed 's/3/4/' ops/live.conf > $T && diff $T ops/live.conf; rm -f $T
## refused
sed -i '/x/d' ops/*.conf notes.txt
## passes
sed --in-place=.bak 's/a/b/' notes.txt
## refused
sed --in-place 's/3/4/' ops/live.conf
## refused
sed -i -e 's/a/b/' -e '$a\
x' src/gate/door.py
## refused
sed -n '/alpha/w ops/a.conf' notes.txt
## refused
sed -n -e '1w ops/a.conf' -e '2w out/b' notes.txt
## passes
sed 's/a/b/w out/w.txt' notes.txt
## refused
sed -f - notes.txt <<'S'
1w ops/b.conf
S
## refused
sed 's/alpha/touch ops\/live.conf/e' notes.txt
## refused
sed '1e touch ops/live.conf' notes.txt
## passes
sed '/ops\/live.conf/d; s,w ops/x,y,' notes.txt
## passes
sed -e 'y/abc/xyz/' -e '/w ops/p' ops/live.conf > out/s
## refused
sed -i --follow-symlinks 's/22/24/' link.yml
## refused
sed -i 's/22/24/' wf/ci.yml
## passes
sed -s -n '$=' ops/live.conf notes.txt
## passes
sed -E 's/(a|w) x/\1/g' .env
## refused
sed -i.bak '' ops/live.conf && rm ops/live.conf.bak
## passes
sed -i'' -e 's/x/y/' notes.txt
## passes
sed -ibak/* 's/x/y/' notes.txt; true
## refused
sed '$!N;s/\n/ /w ops/n.conf' notes.txt >/dev/null
## refused
busybox sed -i s/3/4/ ops/live.conf
## passes
for f in ops/*.conf; do sed 's/x/y/' "$f" > "out/$(basename "$f")"; done
## refused
for f in ops/*.conf; do sed 's/x/y/' "$f" > "$f.new"; done
## refused
sed -n 'p;w ops/live.conf' notes.txt
## refused
sed -n 'w ops/live.conf
' notes.txt
## refused
sed 's#^#x#w ops/live.conf' notes.txt
## refused
sed -n "$(echo 'w ops/live.conf')" notes.txt
## refused
eval "$(printf 'to%s ops/live.conf' uch | sed s/to/to/)"
## refused
vim -es -u NONE -i NONE -c ':w! ops/live.conf' -c ':q!' notes.txt
## refused
printf ':1d\n:wq\n' > out/v; vim -es -u NONE -i NONE -S out/v ops/live.conf
## refused
ex -s -c 'r!echo x' -c 'w! ops/live.conf' -c q! /dev/null
## refused
printf 'H\n1d\nw\n' | ed -s ops/live.conf
## refused
ed -s ops/live.conf <<< $'1d\nw'
## refused
sed -i '1s/^/# x\n/' .github/workflows/ci.yml
## refused
sed -i -n '1,2p' ops/live.conf
## refused
sed -i '$d' ./conf/keys.yaml
## refused
sed --expression='s/a/b/' --in-place conf/keys.yaml
## refused
sed -E -i.bak 's/(a)/\1\1/' notes.txt src/gate/hours.py
## refused
sed -i -f /dev/stdin ops/live.conf <<'S'
s/3/4/
S
## refused
sed -n -f <(printf '1w ops/z.conf\n') notes.txt
## passes
sed '/beta/{w out/b
}' notes.txt > /dev/null
## passes
sed -e '1r ops/live.conf' notes.txt > out/r
## refused
sed -e '1{p;w ops/q.conf' -e '}' notes.txt > /dev/null
## refused
sed 's|x|y|gw ops/g.conf' notes.txt >/dev/null
## passes
sed 's/w ops/x/' notes.txt
## passes
sed --posix -e 'w /dev/stdout' notes.txt
## refused
ed ops/live.conf <<'E1'
,d
a
new
.
w
q
E1
## refused
ed -s <<'E1'
e ops/live.conf
1d
w
q
E1
## passes
ed -s notes.txt <<'E1'
r ops/live.conf
w out/merged
q
E1
## refused
ex -s +'%s/3/4/' +wq ops/live.conf
## refused
ex -s notes.txt <<'E1'
1,2w! ops/w.conf
q!
E1
## refused
vim -es -u NONE -i NONE ops/live.conf <<'E1'
%s/3/4/
wq
E1
## refused
vim -N -u NONE -i NONE -es -c "silent! %s/x/y/g" -c "update" -c "qa!" ops/live.conf
## refused
vim -es -u NONE -i NONE -c 'argdo %s/o/0/ge | update' -c 'qa!' ops/live.conf notes.txt
## refused
vim -es -u NONE -i NONE -c 'redir! > ops/redir.txt' -c 'echo 1' -c 'redir END' -c 'q!'
## refused
vim -es -u NONE -i NONE -c 'silent !cp notes.txt ops/v.conf' -c 'q!'
## refused, and changes nothing
vim -es -u NONE -i NONE -c 'py3 open("ops/live.conf","a")' -c 'q!' 2>/dev/null; true
## refused
sed 's/fixed/again/' scripts/fix.sh > out/f.sh; bash out/f.sh
## refused
stdbuf -i0 -oL -eL sed -i 's/3/4/' ops/live.conf
## refused
time -p sed -i 1d ops/live.conf
## refused
for n in live staging; do sed -i "s/$n/x/" ops/$n.conf; done
## refused
while IFS= read -r f; do sed -i 's/a/b/' "$f"; done < targets.txt
## refused
env $(grep -v '^#' .env | xargs) sed -i s/3/4/ ops/live.conf
## passes
env $(grep -v '^#' .env | xargs) sed -i s/a/b/ src/app.py
## refused
OUT=.; for f in drafts/*.conf; do sed s/a/b/ "$f" > "$(printenv OUT || echo .)/ops/$(basename "$f")"; done
## refused
vim -es -u NONE -c 'cd ops' -c 'w! live.conf' -c q README.md < /dev/null
## passes
vim -es -u NONE -c 'cd out' -c 'w! live.conf' -c q README.md < /dev/null
## passes
vim -es -u NONE -c 'cd ops' -c '%s/demo/x/' -c wq README.md < /dev/null
## refused
vim -es -u NONE -c 'args ops/live.conf' -c 'argdo %s/count/x/' -c wqa < /dev/null
## passes
vim -es -u NONE -c 'args README.md' -c 'argdo %s/demo/x/' -c wqa < /dev/null
## refused
vim -es -u NONE -c 'let x="w! ops/live.conf"' -c 'exe x' -c q README.md < /dev/null
## refused
vim -es -u NONE -c 'au VimLeave * w! ops/live.conf' -c q README.md < /dev/null
## refused
vim -es -u NONE -c 'g/demo/w! >> ops/live.conf' -c q! README.md < /dev/null
## refused
vim -es -u NONE -V1ops/log -c q < /dev/null
