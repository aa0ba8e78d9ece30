## refused
find out | cpio -pdm --quiet ops
## passes
find .github -type f | cpio -o --quiet > out/a.cpio
## refused
find ops -name '*.conf' -delete
## passes
find . -name '*.pyc' -delete
## passes
find . -type f -name 'ci.yml' -not -path './.github/*' -delete
## refused
find . \( -name 'live.conf' -o -name x \) -path './ops/*' -exec chmod 600 {} \;
## refused
find . -maxdepth 1 -name '*.txt' -exec touch {} +
## passes
find ops -type d -empty -delete
## refused
find . -name door.py -fprint ops/found.txt
## passes
find conf -type f -exec grep -l token {} +
## refused
find src -name '*.py' -print0 | xargs -0 sed -i 's/x/y/'
## passes
find src -name '*.py' -not -path '*/gate/*' -print0 | xargs -0 sed -i 's/x/y/'
## refused
find . -name '*.conf' | while read f; do echo >> "$f"; done
## passes
find out -name '*.conf' | while read f; do echo >> "$f"; done
## refused
find drafts -type f -exec sh -c 'cp "$1" ops/' sh {} \;
## refused
find . -path ./.git -prune -o -path './schema/*' -name '*.sql' -exec rm -f {} +
## passes
find . -newer notes.txt -name '*.conf' -execdir touch {} \;
## passes
find . -type f -exec file {} + | head -2
## refused
find .github -type f | xargs rm -f
## passes
find .github -type f | xargs cat | wc -l
## refused, and changes nothing
find . -iname 'CI.YML' -ok rm {} \; </dev/null
## refused
for f in $(find conf -name '*.yaml'); do sed -i 's/a/b/' $f; done
## refused
grep -rl 'count' ops | xargs sed -i 's/count/number/'
## passes
grep -rl 'hello' src/app.py src/util.py | xargs sed -i 's/hello/bye/'
## refused
ls ops/*.conf | xargs -n1 truncate -s 0
## refused
echo ops/live.conf conf/app.yaml | xargs touch
## refused
echo 'notes.txt' | xargs -I{} cp {} conf/keys.yaml
## passes
printf 'a\nb\n' | xargs -I{} touch out/{}.conf
## refused
xargs touch < one.txt
## passes
xargs -a targets.txt grep -c main
## refused
xargs rm -f <<< 'src/gate/door.py'
## refused
cat one.txt | xargs -I{} sh -c 'echo x >> {}'
## passes
cat one.txt | xargs -I% bash -c 'echo "%"'
## passes
seq 3 | xargs -I{} echo ops/{}
## refused
tr ',' '\n' <<< 'ops/live.conf,notes.txt' | xargs touch
## passes
find . -name '*.conf' -not -path './ops/*' | xargs rm -f
## refused
parallel touch ::: ops/live.conf
## refused
parallel -j2 'cp {} ops/{/}' ::: notes.txt README.md
## passes
ls ops/*.conf | parallel cat
## refused
parallel echo '>' {} ::: ops/live.conf
## refused
printf 'ops/live.conf\n' | parallel 'echo x > {}'
## refused
xargs -n1 -I{} busybox touch {} < one.txt
## refused
exec {fd}>ops/live.conf; echo x >&$fd
## refused
find . -maxdepth 0 -exec sh -c 'touch ops/live.conf' \;
## refused
find . -name live.conf -path '*ops*' -printf '' -exec touch {} +
## refused
find ops -type f | tr '\n' '\0' | xargs -0 touch
## refused
find . -name '*.conf' | grep ops | sort -u | head -1 | xargs touch
## refused
ls ops | sed 's#^#ops/#' | xargs touch
## refused
ls ops | awk '{print "ops/" $0}' | xargs touch
## refused
echo live.conf | (cd ops; xargs touch)
## refused
cat one.txt | xargs -L1 touch
## refused
parallel -a one.txt touch
## refused
xargs -I{} sh -c 'touch ops/{}' <<< live.conf
## refused
busybox xargs busybox touch < one.txt
## passes
find drafts -name '*.conf' | cpio -pdu --quiet out
## refused
find drafts/workflows -type f | cpio -pdum --quiet .github
## passes
find conf -maxdepth 1 -type f -name 's*' -exec cp notes.txt {} \;
## refused
find ops -name '*.conf' -exec sed -i 's/x/y/' '{}' +
## passes
find . -name '*.yml' -path '*/workflows/*' -exec grep -l push {} \;
## passes
find src -name 'lo*.py' -delete
## refused
find . -regex '.*/ops/live\.conf' -exec touch {} \;
## passes
find . -size -1k -name '*.conf' -print
## passes
find ops -printf '%p\n' > out/l
## refused
find . -fprintf ops/l.txt '%p\n' -maxdepth 0 2>/dev/null; true
## refused
find ops src -type f -name '*.conf' -o -name 'door.py' | xargs -I% cp notes.txt %
## passes
find drafts -type f -print0 | xargs -0 -I{} cp {} out/
## refused
find drafts -type f -print0 | xargs -0 cp -t ops
## refused
xargs -n2 cp <<< 'notes.txt ops/x.conf'
## passes
xargs -d '\n' -a targets.txt sed -n 1p
## refused
xargs -r -a one.txt rm -f
## refused
xargs --arg-file=one.txt --max-args=1 chmod 600
## refused
echo ops | xargs -I{} sh -c 'cd {} && touch t.conf'
## passes
echo a b c | xargs -n1 echo > out/abc
## passes
echo "conf/keys.yaml" | xargs -I{} bash -c 'cat {} | wc -l'
## passes
grep -rl hello . | xargs sed -i s/hello/bye/
## refused
grep -rl TTL . | xargs sed -i s/TTL/LIFE/
## passes
grep -rl --include='*.py' --exclude-dir=gate print . | xargs sed -i s/print/log/
## refused
grep -rl --include='*.py' -e TTL -e hello . | xargs sed -i s/=/==/
## passes
grep -rl --include='*.md' --exclude='*.py' a . | xargs sed -i s/a/b/
## passes
grep -rlw hell src tests docs | xargs sed -i s/hell/x/
## passes
grep -rlE 'hell(o|a)' src | xargs sed -i s/a/b/
## refused
grep -rlE '(TTL|zz) =' src | xargs sed -i s/=/==/
## refused
grep -rl 'TT[A-Z]' src | xargs sed -i s/=/==/
## refused
grep -rlP '(?<=T)TL' src | xargs sed -i s/=/==/
## refused
grep -rL hello src | xargs sed -i s/e/f/
## passes
grep -rl on . | grep -v -E '^./(.git|.github|conf|ops|src/gate|schema)/' | grep -v package.json | xargs sed -i s/on/off/
## passes
sed -i s/hello/bye/ $(grep -rl hello src tests)
## refused
sed -i s/TTL/LIFE/ $(grep -rl TTL src tests)
## passes
for f in $(grep -rl hello src); do sed -i s/hello/bye/ "$f"; done
## refused
for f in $(grep -rl TTL src); do sed -i s/TTL/LIFE/ "$f"; done
## passes
grep -rl hello src | while read f; do sed -i s/hello/bye/ "$f"; done
## refused
grep -rl TTL src | while read f; do sed -i s/TTL/LIFE/ "$f"; done
## passes
git grep -lz hello | xargs -0 sed -i s/hello/bye/
## refused
git grep -lz TTL | xargs -0 sed -i s/TTL/LIFE/
## refused
grep -rlZ TTL src | xargs -0 sed -i s/TTL/LIFE/
## passes
grep -rlZ . src | grep -zv gate | xargs -0 sed -i s/a/b/
## passes
find src -name '*.py' | xargs grep -l hello | xargs sed -i s/hello/bye/
## refused
find src -name '*.py' -print0 | xargs -0 grep -lZ TTL | xargs -0 sed -i s/TTL/LIFE/
## passes
find src -name '*.py' -exec grep -l hello {} + | xargs sed -i s/hello/bye/
## refused
find src -name '*.py' -exec grep -l TTL {} \; | xargs sed -i s/TTL/LIFE/
## refused
git checkout -q feature -- . ; grep -rl 'enter(user)' src | xargs sed -i s/user/person/
## passes
rg -l hello -g '*.py' | xargs sed -i s/hello/bye/
## refused
rg -l TTL -g '*.py' | xargs sed -i s/TTL/LIFE/
## passes
rg -l ubuntu | xargs sed -i s/ubuntu/debian/
## refused
rg -l --hidden ubuntu | xargs sed -i s/ubuntu/debian/
## passes
rg -l --hidden TOKEN | xargs sed -i s/TOKEN/KEY/
## refused
rg -l -uu TOKEN | xargs sed -i s/TOKEN/KEY/
## refused
rg -0 -li ttl -t py | xargs -0 sed -i s/TTL/LIFE/
## passes
rg -l ttl -t md src | while read f; do sed -i s/ttl/life/ "$f"; done
## refused
rg --files -g '*.conf' | xargs touch
## passes
git ls-files ops | while read -r f; do git show HEAD:"$f" > "@X@/$(basename "$f")"; done
## passes
find ops -type f | while read f; do mkdir -p "@X@/$(dirname $f)"; cp "$f" "@X@/$f"; done
## passes
find ops -type f | while read f; do cp "$f" "out/x-${f##*/}"; done
## refused
find ops -name 'live*' | while read f; do cp notes.txt "@R@/$f"; done
## refused
find ops -name 'live*' | while read f; do cp notes.txt "./$f"; done
## passes
for f in $(git ls-files ops); do o="out/o/$f"; mkdir -p "${o%/*}"; cp "$f" "$o"; done
## passes
ls .github/workflows | while read w; do cp .github/workflows/$w out/$w; done
## refused
ls .github/workflows | while read w; do cp drafts/ci.yml .github/workflows/$w; done
## passes
for f in $(git ls-files '*.py' | grep -v '^src/gate/'); do sed -i s/a/b/ "$f"; done
## refused
for f in $(git ls-files '*.py' | grep '^src/gate/'); do sed -i s/a/b/ "$f"; done
## passes
FILES=$(git ls-files '*.py' | grep -v '^src/gate/'); sed -i s/a/b/ $FILES
## passes
find . -regex '.*/drafts/.*\.yml' -exec sed -i s/a/b/ {} +
## refused
find . -regex '\./\(ops\|docs\)/l.+' -exec sed -i s/count/x/ {} +
## passes
find . -regextype posix-extended -regex '\./src/[a-z]+\.py' -exec sed -i s/def/x/ {} +
## refused
find . -name '*.conf' -printf 'rm %p\n' | sh
## passes
find src -maxdepth 1 -name '*.py' -printf 'touch %p\n' | sh
## refused
find ops -name 'live*' | sed 's/^/rm /' | sh
## refused
sed 's/@/ops/' <<< 'echo x >> @/live.conf' | sh
## passes
sed 's/@/out/' <<< 'echo x >> @/live.conf' | sh
## refused
awk '{print "echo x >> " $0}' <<< ops/live.conf | sh
## refused
find ops -name 'live*' > out/l; while read -r f; do rm $f; done < out/l
## passes
find docs -type f > out/l; while read -r f; do rm $f; done < out/l
## refused
find ops -name 'live*' > out/l; cat out/l | xargs rm
## refused
find drafts -name 'live*' -type f | while read f; do cp "$f" "${f/drafts/ops}"; done
## passes
find drafts -name 'live*' -type f | while read f; do cp "$f" "${f/drafts/out}"; done
## refused
for f in $(compgen -G 'ops/li*'); do rm "$f"; done
