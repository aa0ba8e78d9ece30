## refused, and changes nothing
cpio -id --quiet < bundle.cpio
## refused
cpio -idu --quiet < bundle.cpio
## passes
cd out && cpio -id --quiet < ../bundle.cpio
## refused
cpio -iu --quiet '.github/workflows/ci.yml' < bundle.cpio
## refused
ls | cpio -o --quiet -O ops/a.cpio
## refused
echo README.md | cpio -pd --quiet .github
## refused
gzip -f ops/live.conf
## passes
gzip -c ops/live.conf > out/p.gz
## passes
gzip -kf notes.txt
## refused
gzip < notes.txt > ops/n.gz
## refused
gzip -9r ops
## refused
bzip2 conf/keys.yaml
## refused
xz -k src/gate/door.py
## refused
xz -z schema/steps/0002_more.sql
## refused
gzip -k notes.txt && mv notes.txt.gz ops/
## refused
gzip -dc bundle.tgz | tar xf - conf/keys.yaml
## passes
gunzip -c bundle.tgz > out/b.tar
## passes
zcat bundle.tgz | tar t
## passes
gzip -l bundle.tgz; gzip -t bundle.tgz
## refused
zip -q ops/a.zip notes.txt
## passes
zip -qr out/a.zip ops config
## passes
zip -q -u out/b.zip conf/keys.yaml
## refused
zip -qm out/moved.zip src/gate/door.py notes.txt
## passes
zip -qd bundle.zip conf/keys.yaml
## passes
zip -q - ops/live.conf > out/z.zip
## refused
unzip -o -q bundle.zip
## refused
unzip -o -q bundle.zip conf/keys.yaml
## passes
unzip -o -q bundle.zip -d out
## refused
unzip -o -q -j bundle.zip '*.yaml' -d conf
## passes
unzip -p bundle.zip conf/keys.yaml > out/s.yaml
## refused
unzip -oq bundle.zip -x '.github/*'
## refused
unzip -oq wf.zip -d .github/workflows nightly.yml
## refused
bsdtar -xf bundle.tar
## refused
bsdtar -xf wf.zip -C .github/workflows
## refused
tar xf bundle.tar
## passes
tar -C out -xf bundle.tar
## refused
tar xf bundle.tar --strip-components=2 -C ops .github/workflows/ci.yml
## refused
tar --extract --file=wf.tar --directory .github/workflows
## refused
tar xzf bundle.tgz --wildcards 'conf/*'
## passes
tar -xOf bundle.tar conf/keys.yaml > out/s
## passes
tar -tvf bundle.tar | grep secrets
## refused
cat bundle.tar | tar x conf/keys.yaml
## refused
tar cf - notes.txt | tar xf - -C ops
## refused
(cd drafts && tar cf - .) | (cd ops && tar xf -)
## refused
tar cf ops/a.tar -C drafts .
## passes
tar -czf out/a.tgz --exclude=x ops
## refused
tar cf out/y.tar --remove-files conf/keys.yaml
## passes
tar uf wf.tar notes.txt
## passes
tar xf bundle.tar --transform 's,^,out/,'
## passes
tar -cf out/z.tar -T targets.txt
## refused
tar xf wf.tar -C .github/workflows --keep-old-files 2>/dev/null; true
## passes
tar xf bundle.tar --to-stdout >/dev/null
## passes
7z x -y -bd bundle.zip -oout >/dev/null
## refused
7z x -y bundle.zip -o. >/dev/null
## refused
7z a -bd ops/a.7z notes.txt >/dev/null
## passes
7z l bundle.zip >/dev/null
## refused
ar rcs ops/lib.a notes.txt
## refused
tar cf - -C drafts live.conf | tar xf - -C ops
## refused
tar cf out/t.tar -C drafts live.conf && tar xf out/t.tar -C ops
## refused
tar cf out/t.tar -C drafts live.conf; mkdir out/e; cd ops; tar xf ../out/t.tar
## refused
(cd drafts; zip -q ../out/z.zip live.conf); unzip -oq out/z.zip -d ops
## refused
(cd drafts; ls live.conf | cpio -o --quiet) > out/c.cpio; cd ops; cpio -idu --quiet < ../out/c.cpio
## refused
gzip -c notes.txt > out/live.conf.gz; mv out/live.conf.gz ops/; gunzip -f ops/live.conf.gz
## refused
unzip -oq bundle.zip .github/workflows/ci.yml -d .
## refused
unzip -oj -q wf.zip ci.yml -d ops
## passes
unzip -Z1 bundle.zip
## passes
unzip -tq bundle.zip
## refused
zip -q bundle2.zip -r drafts && unzip -oq bundle2.zip -d ops
## passes
bsdtar -xf bundle.tar -C out
## refused
bsdtar -cf ops/b.tar notes.txt
## passes
bsdtar -tf bundle.zip conf/keys.yaml
## refused
tar -xf wf.tar --directory=.github/workflows
## refused
tar xvf bundle.tar .github >/dev/null
## passes
tar --get -f bundle.tar -C out
## passes
tar -x -f bundle.tar -C / --strip-components=99 2>/dev/null; true
## refused
tar -cvf ops/t.tar notes.txt > /dev/null
## refused
tar -c notes.txt > ops/u.tar
## refused
tar c notes.txt | gzip > ops/v.tgz
## passes
tar -xf bundle.tar -O conf/keys.yaml
## passes
tar df bundle.tar conf/keys.yaml; true
## refused
tar xf wf.tar -C .github/workflows nightly.yml
## passes
tar --delete -f wf.tar ci.yml
## passes
tar xf bundle.tgz config
## refused, and changes nothing
cpio -i --quiet --make-directories < bundle.cpio; true
## passes
cpio -idu --quiet -D out < bundle.cpio
## refused, and changes nothing
cpio -idu --quiet --no-absolute-filenames 'conf/*' -F bundle.cpio
## refused
ls drafts/*.conf | cpio -o --quiet > ops/c.cpio
## refused
gzip -f -S .z ops/live.conf
## refused
gzip -n src/gate/door.py
## passes
gzip -cd bundle.tgz > /dev/null
## passes
xz --keep --force conf/keys.yaml
## passes
bzip2 -c ops/live.conf > out/p.bz2
## refused
mkdir -p @X@/pp/.github/workflows; echo e > @X@/pp/.github/workflows/ci.yml; tar c -C @X@/pp . | tar x
## refused
mkdir -p @X@/pp/.github/workflows; echo e > @X@/pp/.github/workflows/ci.yml; tar cf @X@/q.tar -C @X@/pp .; tar xf @X@/q.tar
## refused
mkdir -p out/ops; echo e > out/ops/live.conf; cd out; tar cf ../o.tar ops; cd ..; tar xf o.tar
## refused
mkdir -p @X@/t/ops; echo e > @X@/t/ops/live.conf; (cd @X@/t; zip -qr z.zip .); unzip -oq @X@/t/z.zip
## passes
mkdir -p out/lib; echo e > out/lib/a; tar cf o.tar -C out lib; tar xf o.tar
## refused
mkdir -p p/ops; echo e > p/ops/live.conf; tar cf a.tar -C p .; mv a.tar b.tar; tar xf b.tar
## refused
mkdir -p p/ops; echo e > p/ops/live.conf; tar cf a.tar -C p .; cat a.tar | tar x
## refused
mkdir -p p/ops; echo e > p/ops/live.conf; tar c -C p . > a.tar; tar x < a.tar
## refused
mkdir -p p/ops; echo e > p/ops/live.conf; tar cf a.tar -C p .; gzip a.tar; tar xzf a.tar.gz
## passes
mkdir -p p/lib; echo e > p/lib/a; tar cf a.tar -C p .; cat a.tar | tar x; tar x < a.tar
## refused
zip -qT -TT 'touch ops/live.conf; true' out/z.zip README.md
## passes
zip -qT out/z.zip README.md
## refused
zip -q -lf ops/log out/z.zip README.md
## refused
TAR_OPTIONS='-C .github/workflows' tar xf wf.tar
## passes
TAR_OPTIONS='-C out' tar xf wf.tar
