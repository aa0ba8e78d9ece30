## refused
mv ops/{live,old}.conf
## refused
cp drafts/{ci.yml,door.py} .github/workflows/
## passes
touch src/{gate,x}.py
## passes
mkdir -p {a,b,config}/sub
## refused, and changes nothing
rm -f schema/steps/{0001,0009}_init.sql
## passes
mkdir -p out/d && cd out/d && echo x > ci.yml
## refused
cp -r drafts/workflows .github/
## refused
cp -a drafts/. ops/
## passes
cp -R src/gate out/
## passes
cp notes.txt conf/keys.yaml.bak
## passes
cp --parents ops/live.conf out/
## refused, and changes nothing
cp --parents src/gate/door.py .
## passes
cp -n drafts/live.conf ops/live.conf
## refused
cp -u drafts/live.conf ops/live.conf
## passes
cp -t out ops/live.conf conf/keys.yaml
## refused
cp drafts/ci.yml wf
## refused
cp drafts/keys.yaml plain.txt
## passes
cp -P link.yml out/l.yml
## refused
cp -rl ops out/hard
## refused
cp -l ops/live.conf out/h.conf; echo x >> out/h.conf
## passes
cp ops/live.conf out/ && echo x >> out/live.conf
## refused
cp -b notes.txt ops/live.conf
## refused
cp --backup=numbered notes.txt ops/live.conf
## refused
cp -f -- notes.txt ops/live.conf
## refused
cp -T drafts/workflows .github/workflows -r
## refused
install notes.txt ops/new.conf
## refused
install -D notes.txt .github/x/y.yml
## refused
install -m 644 -t ops notes.txt README.md
## passes
install -d out/a/b
## passes
install -Dm755 scripts/fix.sh out/bin/fix
## refused
install -b -S .old drafts/live.conf ops/live.conf
## refused
dd if=notes.txt of=ops/live.conf bs=4 conv=notrunc status=none
## refused
dd if=notes.txt status=none > ops/live.conf
## passes
dd if=ops/live.conf of="out/x" status=none
## refused
dd status=none of=$PWD/conf/keys.yaml < notes.txt
## refused
cp bundle.tgz ops/x.gz && gunzip ops/x.gz
## refused
tee out/x <<< 'ops/live.conf' | xargs touch
## refused
cp notes.txt ~/.claude/hooks/
## refused
rm ~/.config/guards/approved
## refused
mv ~/.claude ~/.claude.bak
## passes
touch ~/x ~/.bashrc
## refused
mkdir -p ~/.claude/commands && echo x > ~/.claude/commands/a.md
## refused
ln -s ~/.claude/settings.json out/s; echo '{}' > out/s
## passes
ln -s ../ops/live.conf out/l && cat out/l
## refused
ln ops/live.conf out/hl
## refused
ln -f notes.txt ops/live.conf
## refused
ln -s out/x ops
## refused
ln -sfT /tmp ops/tmp
## refused
ln -sr notes.txt ops/n
## refused
ln -s "$PWD/ops" @B@/tmp/d && echo x > @B@/tmp/d/live.conf
## refused
chmod 600 conf/keys.yaml
## passes
chmod +x scripts/gen.py
## refused
chmod -x ops/live.conf
## refused
chmod --reference=notes.txt ops/live.conf
## refused
chmod -v u+w,g-w .env
## refused
chown root: ops/live.conf
## refused
chgrp -R root src/gate
## refused
touch -r notes.txt ops/live.conf
## refused, and changes nothing
touch -c ops/nosuch
## passes
touch -t 202001010000 out/x
## passes
touch -r ops/live.conf out/x
## refused
setfattr -n user.a -v b ops/live.conf; true
## passes
mkdir -p .github/workflows ops
## refused
mkdir -m 700 src/gate/x
## refused, and changes nothing
rmdir out/nosuch ops 2>/dev/null; true
## passes
setfacl -m u:1000:r notes.txt
## passes
sort -u -o notes.txt notes.txt
## refused
sort notes.txt -o ops/s.conf
## refused
sort --output=ops/s.conf notes.txt
## passes
sort -k2 -t: ops/live.conf | head -1
## refused
shuf -o conf/keys.yaml notes.txt
## refused
uniq notes.txt ops/u.conf
## passes
uniq -c notes.txt
## passes
uniq -f 1 ops/live.conf
## refused
csplit -s -f ops/part notes.txt 2
## passes
split -b 4 notes.txt out/p_
## refused
split -l 1 --filter='cat > ops/$FILE.conf' notes.txt
## refused
openssl enc -base64 -in notes.txt -out ops/b64
## passes
openssl rand -hex 8 > out/r
## passes
openssl rand -out out/r 8
## refused
xxd -r -p out/hex.txt conf/keys.yaml; echo 61 | xxd -r -p - conf/keys.yaml
## passes
xxd notes.txt out/n.hex
## passes
xxd -p ops/live.conf
## refused
iconv -f utf8 -t utf16 -o ops/i.conf notes.txt
## passes
iconv -f utf8 -t ascii ops/live.conf
## passes
mktemp -p out tmpXXXX >/dev/null
## refused
mktemp ops/tmp.XXXX >/dev/null
## refused
rm -f ops/*.conf
## refused
rm -rf src
## refused, and changes nothing
rm -ri ops < /dev/null
## refused
rm -r schema
## passes
rm -rf out build docs
## passes
rm -f nosuch.txt
## refused
unlink .env
## refused
shred -u conf/keys.yaml
## refused
rm -rf "$PWD/ops"
## refused
rm -rf -- ./.github/
## refused
rm -f $(git rev-parse --show-toplevel)/.env
## refused
rm out/../.env
## refused
rsync -a drafts/ ops/
## refused
rsync -a --delete drafts/ ops/
## refused
rsync -r drafts/workflows .github
## passes
rsync -a ops/live.conf out/
## passes
rsync -aR ops/live.conf out/
## refused, and changes nothing
rsync -aR src/gate/door.py .
## refused
rsync drafts/door.py src/gate/door.py
## passes
rsync -a --dry-run drafts/ ops/
## passes
rsync -a --exclude '*.conf' ops/ out/d/
## passes
rsync -a --backup --backup-dir=ops/bak drafts/ out/
## refused
rsync -a drafts/live.conf ops
## refused
tee >(cat > ops/t.conf) < notes.txt >/dev/null; sleep 0.2
## refused
rm $(cat one.txt)
## refused, and changes nothing
touch $(printf 'ops/%s.conf' a b)
## refused
cp notes.txt "$(pwd)/ops/n.conf"
## refused
truncate -s 0 ops/live.conf
## refused, and changes nothing
truncate -cs 0 ops/nosuch
## passes
truncate -s 10 out/t
## refused
"rm" -f ops/live.conf
## refused
$'rm' -f ops/live.conf
## passes
cp Makefile out/ && make -C out -f Makefile -n fix-ci
## passes
touch d*y/p*d.conf
## refused
touch ./ops//live.conf
## passes
touch ops/../notes.txt
## refused, and changes nothing
touch OPS/live.conf 2>/dev/null; true
## refused
cp notes.txt plain.txt
## passes
rm plain.txt
## passes
mv notes.txt link.yml
## passes
ln -sfn /tmp wf
## refused
cp drafts/live.conf out/x; ln -sf "$PWD/out/x" out/y; cp --remove-destination out/x ops/live.conf
## refused
mkdir -p out/m && cp -r drafts out/m/ops && cp -r out/m/ops .
## refused
mv ops out/ && mv out/ops ./ops2
## refused
mv src s && echo x > s/gate/door.py
## refused
mv schema db2 && rm db2/migrations/0001_base.sql && mv db2 schema
## refused
ln -s ops d && cd d && echo x > live.conf
## refused
install /dev/stdin ops/live.conf <<< x
## refused
cp /dev/stdin ops/live.conf <<< x
## refused
tee /proc/self/cwd/ops/live.conf < notes.txt
## refused
touch ops/live.con[f]
## refused
touch ops/live.{tf,}
## refused
touch "ops/live.conf"" "
## refused
touch ops"/"live.conf
## refused
touch "$(echo ops)/live.conf"
## refused
touch ${PWD}/ops/live.conf
## refused
touch ~+/ops/live.conf
## refused
touch `cat one.txt`
## refused
dd of=ops/live.conf <<< x 2>/dev/null
## passes
rsync -a --files-from=one.txt drafts/.. out/
## refused
openssl enc -d -base64 -out ops/live.conf <<< eA==
## refused
xxd -r > ops/live.conf <<< '00: 61'
## refused
truncate ops/live.conf --size 0
## refused
cp -v notes.txt ops/n.conf
## refused
cp -rT drafts ops
## passes
cp -a src/. out/src
## refused
cp -t .github/workflows -- drafts/ci.yml
## refused
cp --no-target-directory notes.txt ops/n.conf
## refused
cp notes.txt README.md ops
## passes
cp ops/*.conf out/
## refused
cp -R drafts/workflows/* .github/workflows
## passes
mv -n drafts/ci.yml .github/workflows/ci.yml
## refused
mv -t out ops/live.conf
## refused
mv -T drafts .github2 && mv -T .github2/workflows .github/w2
## refused
mv -f drafts/keys.yaml conf/
## passes
mv -v scratch.txt out/s.txt
## passes
mv conf/app.yaml conf/app2.yaml
## refused
mv .env .env.bak
## refused
mv src/gate src/gaten
## refused
ln -s /dev/null .git/hooks/pre-commit
## refused
ln -fs drafts/ci.yml wf/ci.yml
## refused
ln -t ops notes.txt
## refused
ln -sb notes.txt ops/live.conf
## refused
install -v -m 755 -D scripts/fix.sh .git/hooks/pre-push
## refused
install --directory ops/sub
## refused
install -C notes.txt conf/keys.yaml
## refused
rm -rf -- ops config
## refused, and changes nothing
rm -d ops 2>/dev/null; true
## refused
rm -f .github/workflows/{ci,release}.yml
## passes
rm -f ./src/gate/../util.py
## refused
rm -r --preserve-root ./schema/steps
## passes
shred -n 1 -z notes.txt
## refused
dd bs=1 count=1 if=notes.txt of=ops/live.conf seek=3 conv=notrunc status=none
## refused
dd if=notes.txt of=./out/../ops/d status=none
## refused
tee ops/a ops/b < notes.txt > /dev/null
## refused, and changes nothing
tee --append=x ops/a < notes.txt 2>/dev/null; true
## refused
truncate -s +5 ops/live.conf notes.txt
## refused
truncate --reference=notes.txt conf/keys.yaml
## refused
touch -a ops/live.conf
## passes
touch -m -d yesterday out/x
## refused
touch src/gate/{a,b}.py
## refused
split -n 2 notes.txt ops/s_
## passes
split -l1 notes.txt out/s_
## refused
split -d -a 3 -l 1 - src/gate/x < notes.txt
## passes
csplit -s -n 3 -f out/cs notes.txt 2
## passes
sort -o notes.txt ops/live.conf
## refused
sort ops/live.conf > conf/keys.yaml
## refused
sort -mo ops/m.conf notes.txt
## passes
shuf -n1 notes.txt -o out/s
## refused
uniq - ops/u.conf < notes.txt
## refused
xxd -r -p - > ops/x.conf <<< 61
## refused
openssl enc -aes-128-cbc -pass pass:x -in notes.txt -out ops/e.conf 2>/dev/null
## refused
openssl genrsa -out conf/keys.yaml 512 2>/dev/null
## refused
openssl req -x509 -newkey rsa:512 -nodes -subj /CN=x -keyout ops/k.pem -out out/c.pem 2>/dev/null; true
## refused
setfacl -R -m u:1000:r src/gate
## passes
setfacl -b notes.txt
## refused
chmod a-w .env conf/app.yaml
## refused
chmod -R a+r .github
## passes
chmod 755 scripts/*.sh
## passes
chown -h root link.yml
## refused
chown root:root plain.txt
## refused
mkdir ops/x out/y
## refused
mkdir -p out/a/b/c src/gate/d
## passes
rmdir conf/x 2>/dev/null; mkdir out/e && rmdir out/e
## refused
mktemp -d -p src/gate d.XXXX >/dev/null
## refused
mktemp --tmpdir=ops x.XXX > /dev/null
## passes
mktemp -d >/dev/null
## refused
rsync -a --inplace drafts/live.conf ops/live.conf
## refused
rsync -a drafts/workflows/ .github/workflows/ --exclude nightly.yml
## passes
rsync -rt drafts out/
## passes
rsync --list-only drafts/ ops/
## passes
rsync -ain drafts/ ops/ > out/plan
## refused
cp scripts/fix.sh out/f.sh && bash out/f.sh
## refused
rm -f ops/[!s]*.conf
## refused, and changes nothing
rm -f ops/live.{tf,tfx}
## refused
cp -r . ops
## passes
cp -r drafts drafts/again
## refused
mkdir -p drafts/k && echo x > drafts/k/new.yml && cp -r drafts/k ops
## refused
mkdir -p @X@/pp/.github/workflows; echo e > @X@/pp/.github/workflows/ci.yml; cp -r @X@/pp/. .
## refused
mkdir -p @X@/pp/.github/workflows; echo e > @X@/pp/.github/workflows/ci.yml; rsync -a @X@/pp/ .
## refused
mkdir -p out/ops; echo e > out/ops/live.conf; cp -r out x; cp -r x/. .
## refused
mkdir -p out/ops; echo e > out/ops/live.conf; mv out x; cp -r x/. .
## refused
cp -r drafts x; mkdir -p y; cp -r x/. y; cp -r y/. ops/
## refused
cp -r @H@/.claude @X@/c; echo '{}' > @X@/c/settings.json; cp -r @X@/c/. @H@/.claude/
## refused
cp -r . @X@/all; sed -i s/3/4/ @X@/all/ops/live.conf; cp -r @X@/all/. .
## passes
mkdir pre; mv pre/ built/; mv built/ shipped/
## passes
cp -r drafts x; cp -r x out/; mv out/x y
## passes
mkdir -p b/ops; touch b/ops/x; cp -r b out/b
## refused
ln -s @H@/.claude q; mv q q2; echo x > q2/settings.json
## refused
d=$(mktemp -d); ln -s @H@/.claude $d/l; echo x > $d/l/settings.json
## refused
t=$(mktemp); ln -sf $PWD/.github/workflows/ci.yml $t; echo x >> $t
## refused
d=$(mktemp -d); cp -s $PWD/ops/live.conf $d/; echo x >> $d/live.conf
## refused
cp -s $PWD/ops/live.conf q; echo x >> q
## refused
cp -rs $PWD/ops q; echo x >> q/live.conf
## refused
cp -P link.yml q; echo x >> q
## refused
cp -a wf q; echo x >> q/ci.yml
## refused
mv wf q; echo x >> q/ci.yml
## refused
ln -sr ops out/q; echo x >> out/q/live.conf
## refused
mkdir l; ln -s $PWD/ops l/o; mv l k; echo x >> k/o/live.conf
## passes
d=$(mktemp -d); ln -s $PWD/ops "$d/ops"; echo x > "$d/log"
## passes
cp link.yml q; echo x >> q
## passes
cp -L link.yml q; echo x >> q
## passes
mkdir deep; mv wf deep/; mkdir -p deep/.github/workflows; echo x >> deep/wf/ci.yml
## refused
rsync -a wf q; echo x >> q/ci.yml
## refused
mkdir m; ln -s $PWD/ops m/o; rsync -a m/ k; echo x >> k/o/live.conf
## refused
cp -r . @X@/all; sed -i s/3/4/ @X@/all/ops/live.conf; cp -r @X@/all/ops/. ops
## passes
cp -r . @X@/all; cp -r @X@/all/docs .
## passes
cp -r . @X@/all; cp -r @X@/all/docs/. out/
## refused
mkdir -p p/ops; echo e > p/ops/live.conf; find p -mindepth 1 -maxdepth 1 -exec cp -r {} . \;
## refused
d=$(mktemp -d); ln -s $PWD/ops $d/l; cd $d; echo x >> l/live.conf
## refused
d=$(mktemp -d); ln -s $PWD/ops $d/l; cd $d/l; echo x >> live.conf
## passes
mkdir -p p/lib; echo e > p/lib/a; find p -type f -exec cp {} out/ \;
## refused
mkdir -p pre/workflows; cp drafts/ci.yml pre/workflows/; python3 -c 'import shutil; shutil.copytree("pre", ".github", dirs_exist_ok=True)'
## passes
python3 -c 'import shutil; shutil.copytree("drafts", ".", dirs_exist_ok=True)'
## refused
mkdir -p pre/ops; cp drafts/live.conf pre/ops/; python3 -c 'import shutil; shutil.copytree("pre", ".", dirs_exist_ok=True)'
## passes
mkdir -p pre/ops; cp drafts/live.conf pre/ops/; python3 -c 'import shutil; shutil.copytree("pre", "out/p")'
## refused
rm -rf @H@/x; mkdir -p @H@/x/.claude; echo a > @H@/x/.claude/s; python3 -c 'import shutil,os; shutil.copytree("@H@/x", os.path.expanduser("~"), dirs_exist_ok=True)'
## refused
mkdir -p pre/ops; cp drafts/live.conf pre/ops/; node -e 'require("fs").cpSync("pre", ".", {recursive: true})'
## passes
node -e 'require("fs").cpSync("drafts", "out", {recursive: true})'
## refused
mkdir -p n/schema; mkdir n/schema/steps; cp drafts/ci.yml n/schema/steps/9.sql; mv schema old 2>/dev/null; python3 -c 'import os; os.rename("n/schema", "schema")'
## passes
mkdir -p n/steps; cp drafts/ci.yml n/steps/9.sql; git add n; git mv n/steps out/
## passes
mkdir -p src2/gate; cp drafts/door.py src2/gate/; rm -rf zz; python3 -c 'import shutil; shutil.move("src2/gate", "zz")'
## refused
mkdir -p n/steps; cp drafts/ci.yml n/steps/9.sql; git add n; rm -rf schema; git mv n schema
## refused
mkdir -p n/steps; cp drafts/ci.yml n/steps/9.sql; rm -rf schema; perl -e 'rename("n","schema")'
## refused
mkdir -p n/steps; cp drafts/ci.yml n/steps/9.sql; rm -rf schema; node -e 'require("fs").renameSync("n","schema")'
## refused
mkdir -p n/steps; cp drafts/ci.yml n/steps/9.sql; ruby -e 'require "fileutils"; FileUtils.cp_r("n/.","schema")'
## refused
mkdir -p pre/ops; cp drafts/live.conf pre/ops/; cp -r pre/. .
## passes
mkdir -p pre/docs; cp drafts/live.conf pre/docs/; cp -r pre/. .
## passes
mkdir -p pre/docs; echo a > pre/docs/a; mv pre out/
## passes
mkdir -p pre; echo a > pre/live.conf; python3 -c 'import pathlib; pathlib.Path("pre").rename("out/p")'
## refused
rsync --only-write-batch=ops/batch README.md out/
## passes
rsync --only-write-batch=out/batch ops/live.conf out/
