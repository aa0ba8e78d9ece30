## refused
curl -s http://127.0.0.1:8765/ci.yml -o .github/workflows/ci.yml
## refused
curl -sS -L --create-dirs -o src/gate/x/door.py http://127.0.0.1:8765/door.py
## refused
curl -sO --output-dir ops http://127.0.0.1:8765/live.conf
## refused, and changes nothing
curl -s --remote-name --output-dir=.github/workflows http://127.0.0.1:8765/new.yml
## refused
curl -s -c conf/keys.yaml http://127.0.0.1:8765/ci.yml >/dev/null
## passes
curl -s http://127.0.0.1:8765/ci.yml | sed 's/a/b/' | tee out/ci.yml
## passes
curl -s -d @ops/live.conf http://127.0.0.1:8765/x >/dev/null
## passes
curl -s -T conf/keys.yaml http://127.0.0.1:8765/up >/dev/null
## refused
printf 'url = "http://127.0.0.1:8765/ci.yml"\noutput = "ops/live.conf"\n' | curl -s -K -
## refused
curl -s "http://127.0.0.1:8765/{ci,new}.yml" -o "ops/#1.yml"
## refused
cd ops; curl -sOJ http://127.0.0.1:8765/x.sql
## passes
curl -so/dev/null -w '%{http_code} ops/live.conf' http://127.0.0.1:8765/
## refused
curl -s file://@R@/notes.txt -o ops/live.conf
## refused
wget -q http://127.0.0.1:8765/live.conf -O ops/live.conf
## passes
wget -q --directory-prefix=conf http://127.0.0.1:8765/keys.yaml
## refused
wget -q -o ops/w.log http://127.0.0.1:8765/ci.yml -O out/x
## passes
wget -q -nc -P out http://127.0.0.1:8765/ci.yml
## passes
wget -q --spider http://127.0.0.1:8765/ci.yml -P ops
## passes
wget -qO out/a.yml http://127.0.0.1:8765/ci.yml && cat .github/workflows/ci.yml >/dev/null
## passes
wget -q --post-file=conf/keys.yaml http://127.0.0.1:8765/ -O /dev/null
## refused
curl -s file://$PWD/notes.txt > ops/live.conf
## refused
curl -s -o ops/live.conf file://$PWD/notes.txt
## refused
wget -qO ops/live.conf http://127.0.0.1:8765/live.conf
## passes
wget -q -nd -P out http://127.0.0.1:8765/ci.yml
## refused
wget -q http://127.0.0.1:8765/x.sql -O - > schema/steps/0009.sql
## refused
wget --quiet --output-document=conf/keys.yaml http://127.0.0.1:8765/keys.yaml
## refused
wget -q --save-cookies ops/cookies -O /dev/null http://127.0.0.1:8765/ci.yml
## refused
cd .github/workflows; wget -q http://127.0.0.1:8765/new.yml
## refused
curl -s http://127.0.0.1:8765/ci.yml --output .github/workflows/x.yml
## refused
curl -sfL -o"ops/q.conf" http://127.0.0.1:8765/live.conf
## passes
curl -s --create-dirs --output out/a/b http://127.0.0.1:8765/ci.yml
## refused
curl -s http://127.0.0.1:8765/live.conf | tee -a ops/live.conf | wc -c
## refused
curl -s --stderr ops/err.txt http://127.0.0.1:8765/nosuch > /dev/null
## passes
curl -s -w '%{url_effective} > ops/live.conf' -o /dev/null http://127.0.0.1:8765/ci.yml
## refused
busybox wget -q -O ops/w.conf http://127.0.0.1:8765/live.conf
## refused
curl -s -T README.md file://$PWD/ops/live.conf
## passes
curl -s -T ops/live.conf file://$PWD/out/live.conf
## refused
mkdir out/h; echo 'output = "ops/live.conf"' > out/h/.curlrc; HOME=$PWD/out/h curl -s http://127.0.0.1:8765/live.conf
## refused
wget -q -e output_document=ops/live.conf http://127.0.0.1:8765/live.conf
## refused
echo 'output_document = ops/live.conf' > out/w; WGETRC=out/w wget -q http://127.0.0.1:8765/live.conf
## passes
wget -q -e robots=off -O out/l http://127.0.0.1:8765/live.conf
