## refused
cpp README.md ops/live.conf
## passes
cpp README.md
## passes
cpp -I docs README.md > /dev/null
## refused
cpp README.md -o ops/live.conf
## refused
hash -p scripts/fix.sh ls; ls
## refused
hash -p /usr/bin/tee foo; echo x | foo ops/live.conf
## passes
hash -r; ls
## refused
seq 200000 | sort -S 1M --compress-program=./scripts/fix.sh > /dev/null
## passes
sort --compress-program=gzip targets.txt
## refused
mkdir rp; cp scripts/fix.sh rp/fix; run-parts rp
## refused
chmod +x scripts/*; run-parts --regex . scripts
## passes
run-parts --test scripts
## refused
make SHELL=./scripts/fix.sh test
## passes
make test SHELL=/bin/bash
## refused
make --eval='$(shell touch ops/live.conf)' test
## refused
make --eval='x := $(shell touch ops/live.conf)' test
## refused
printf 'x:=$(shell touch ops/live.conf)\nt:\n\t@echo ok\n' > mk; make -f mk
## passes
printf 'x=$(shell date)\nt:\n\t@echo $(x)\n' > mk; make -f mk
## refused
gdb -batch -ex 'set logging file ops/live.conf' -ex 'set logging on' -ex 'show version'
## refused
gdb -batch -ex 'shell touch ops/live.conf'
## refused
gdb -batch -ex '!touch ops/live.conf'
## refused
mkdir za; echo 'print(1)' > za/__main__.py; python3 -m zipapp za -o ops/a.pyz
## passes
mkdir za; echo 'print(1)' > za/__main__.py; python3 -m zipapp za -o out/a.pyz
## refused
python3 -m cProfile -o ops/p.prof tests/t.py
## passes
python3 -m cProfile -o out/p.prof tests/t.py
## refused
python3 -m trace --count -C ops tests/t.py
## refused
node --redirect-warnings=ops/w.log -e 'process.emitWarning("x")'
## refused
node --cpu-prof --cpu-prof-dir=ops/d -e 1
## refused
node --cpu-prof --cpu-prof-dir ops/d -e 1
## refused
node --test --test-reporter=tap --test-reporter-destination=ops/t.tap
## passes
node --cpu-prof --cpu-prof-dir=out/d -e 1
## refused
node --heap-prof --heap-prof-dir=ops/d -e 1
## refused
npm pack --pack-destination ops
## passes
npm pack --pack-destination out
## refused
npm run --prefix . bump
## refused
npm run --silent bump
## refused
npm run -s bump
## refused
npm --prefix . run bump
## passes
npm run --if-present nothing
## refused
npm run-script bump -- x
## refused, and changes nothing
pip install --target ops/x ./nothing
## refused, and changes nothing
pip install -t ops/x ./nothing
## passes
pip install --target out/x ./nothing
## refused, and changes nothing
pip download -d ops x
## refused
vim -es -c 'e ops/live.conf' -c '%s/unit/x/' -c x
## refused
vim -es -c 'edit! ops/live.conf | %s/unit/x/ | wq'
## refused
vim -es -c 'sp ops/live.conf' -c '%s/unit/x/' -c wq
## passes
vim -es -c 'e README.md' -c 's/demo/x/' -c x
## passes
vim -es -c 'e ops/live.conf' -c 'w! out/x' -c q!
## passes
vim -es -c 'e ops/live.conf' -c '%p' -c q!
## refused
ex -s README.md -c 'f ops/live.conf' -c 'w!' -c q
## refused
ln -s scripts/fix.sh s4; ./s4
## refused
cp scripts/fix.sh s5; ./s5
## refused
ln scripts/fix.sh s6; ./s6
## refused
cp /bin/bash b2; ./b2 -c 'touch ops/live.conf'
## refused
ln -s /bin/sh mysh; ./mysh -c 'touch ops/live.conf'
## passes
ln -s /bin/sh mysh; ./mysh -c 'touch out/x'
## refused
ln -s "$(command -v tee)" t2; echo x | ./t2 ops/live.conf
## refused
cp /usr/bin/tee t3; echo x | ./t3 -a ops/live.conf
## refused
PATH=$PWD/scripts:$PATH fix.sh
## refused
PATH=$PWD/scripts:$PATH; fix.sh
## refused
export PATH="$PWD/scripts:$PATH"; fix.sh
## passes
export PATH="$PWD/scripts:$PATH"; ls docs
## refused
PATH=scripts:$PATH fix.sh
## refused
env PATH=$PWD/scripts:/bin:/usr/bin fix.sh
## refused
mkdir bin2; cp scripts/fix.sh bin2/ls; PATH=$PWD/bin2:$PATH ls
## refused
mv scripts/fix.sh s8; ./s8
## refused
sqlite3 :memory: '.cd ops' '.output live.conf' 'select 1'
## passes
sqlite3 :memory: '.cd out' '.output live.conf' 'select 1'
## refused
printf '.output ops/live.conf\nselect 1;\n' > out/r.sql; sqlite3 :memory: '.read out/r.sql'
## refused
printf '.output ops/live.conf\nselect 1;\n' > out/r.sql; sqlite3 -init out/r.sql :memory: 'select 1'
## passes
sqlite3 out/x.db '.read schema/steps/0001_base.sql'
## refused
sqlite3 :memory: '.open ops/x.db' 'create table t(a)'
## refused
printf '.output ops/live.conf\nselect 1;\n' | sqlite3
## passes
printf '.output out/live.conf\nselect 1;\n' | sqlite3
## refused
npm pkg set scripts.z='touch ops/live.conf'; npm run --silent z
## passes
npm pkg set scripts.z='touch out/z'; npm run --silent z
## refused
mkdir out/p; echo '{"name":"x","version":"1.0.0","scripts":{"prepack":"touch ../../ops/live.conf"}}' > out/p/package.json; npm pack --silent ./out/p
## refused
cmake -E chdir ops cmake -E touch live.conf
## passes
cmake -E chdir out cmake -E touch live.conf
## refused
echo 'file(WRITE ops/live.conf x)' > out/c.cmake; cmake -P out/c.cmake
## passes
echo 'file(READ ops/live.conf x)' > out/c.cmake; cmake -P out/c.cmake
## refused
echo 'execute_process(COMMAND rm -f ops/live.conf)' > out/c.cmake; cmake -P out/c.cmake
## refused
printf 'rule r\n  command = touch ops/live.conf\nbuild a: r\n' > out/b.ninja; ninja -f out/b.ninja
## passes
printf 'rule r\n  command = touch out/z\nbuild a: r\n' > out/b.ninja; ninja -f out/b.ninja
## refused
make -E 'x:;touch ops/live.conf' x
## refused
printf 'define foo\ntouch ops/live.conf\nendef\nall:\n\t$(foo)\n' > out/mk; make -f out/mk
## refused
gdb -nx -batch -ex 'cd ops' -ex 'shell touch live.conf'
## passes
gdb -nx -batch -ex 'cd ops' -ex pwd
## refused
start-stop-daemon --start -d $PWD --exec /bin/touch -- ops/live.conf
## passes
start-stop-daemon --start --exec /bin/ls -- ops/live.conf
