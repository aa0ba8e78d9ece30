## refused
awk '{ print $1 >> "conf/keys.yaml" }' notes.txt
## refused
awk 'BEGIN { print "x" | "tee ops/live.conf" }'
## passes
awk 'BEGIN { while (("cat notes.txt" | getline l) > 0) print l }'
## refused
awk -v f=ops/live.conf 'BEGIN { printf "a\n" > f; close(f) }'
## refused
awk '{ out = "src/gate/" $1 ".py"; print > out }' notes.txt
## refused
awk '{ print > FILENAME ".bak" }' ops/live.conf
## refused
awk -f /dev/stdin notes.txt <<'A'
{ print > "ops/x.conf" }
A
## refused
gawk -i inplace -v INPLACE_SUFFIX=.bak '1' src/gate/hours.py
## passes
gawk '{ print }' ops/live.conf conf/keys.yaml
## passes
awk '/count > 2/ { print "> ops/live.conf" }' ops/live.conf
## passes
awk 'NR>1 && $1 > 3 { x = $1 > 2 ? "a" : "b"; print x }' ops/live.conf
## refused
awk 'BEGIN{f="ops/live.conf"; print "x" > f}'
## refused
awk 'BEGIN{f=ARGV[1]; print "x" > f}' ops/live.conf
## passes
awk '{print > ENVIRON["F"]}' notes.txt
## refused
F=ops/live.conf awk 'BEGIN{print "x" > ENVIRON["F"]}'
## refused
awk 'BEGIN{system("printf x > ops/" "live.conf")}'
## refused
awk 'BEGIN{"touch ops/live.conf" | getline}'
## refused
gawk 'BEGIN { print "x" | "cat > ops/live.conf" }'
## refused
awk 'BEGIN { printf "%s\n", "x" >> "ops/live.conf" }'
## refused
awk '{ print > ("ops/" NR ".conf") }' notes.txt
## refused
awk -v d=ops 'BEGIN { print "x" > (d "/v.conf") }'
## passes
awk '{ print $0 > "/dev/stderr" }' conf/keys.yaml
## refused
awk '{ print | "sort > ops/sorted.conf" }' notes.txt
## refused
awk 'BEGIN { cmd = "touch ops/live.conf"; system(cmd) }'
## passes
awk 'BEGIN { if (1 > 0) print "conf/keys.yaml" }'
## passes
gawk -i inplace 'BEGINFILE{} {print}' notes.txt
## passes
awk '{ a[$1] = 1 } END { for (k in a) print k > "out/k" }' conf/keys.yaml
## refused
awk 'function w(f) { print "x" > f } BEGIN { w("ops/live.conf") }'
## passes
awk 'function w(f) { print "ops/live.conf" > f } BEGIN { w("out/w") }'
## refused
awk 'BEGIN { n = split("notes.txt ops/live.conf", a, " "); for (i = 1; i <= n; i++) print "x" > a[i] }'
## passes
awk 'BEGIN { split("out/a ops/live.conf", a, " "); print a[2] > "out/names" }'
## refused
awk 'BEGIN { f = sprintf("%s/%s", "ops", "live.conf"); print 1 > f }'
## refused
echo ops/live.conf | awk '{ print "x" > $1 }'
## passes
echo out/field ops/live.conf | awk '{ print $2 > $1 }'
## refused
awk 'BEGIN { "echo ops/live.conf" | getline f; print 1 > f }'
## refused
gawk -oops/live.conf 'BEGIN { }'
## passes
gawk -oout/profile 'BEGIN { print "ops/live.conf" }'
